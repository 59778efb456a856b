r"""Answers that are a piece of the question which still has to be worked out.

Two looks at the prompt: word for word, in one spelling, and as trees, since ``17/34`` and
``\frac{17}{34}`` are the same piece, and ``456\times123`` is no more worked out than
``123\times456``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from math import gcd

from verifiers_math.equivalence.normalize import normalize, tidy
from verifiers_math.equivalence.number_words import in_digits
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.operations import (
    holds_operation,
    operation_stands_in,
    value_stands_in,
)
from verifiers_math.equivalence.vetoes import named

MAX_PIECE_CHARS = 400
"""Longer answers are no piece of a question."""

_PROMPT_OPERATOR = re.compile(
    r"[-+*/^!<>|:]|\\(?:frac|sqrt|binom|log|ln|exp|sin|cos|tan|cot|sec|csc|lfloor|lceil|le|ge|max|min"
    r"|gcd|lcm|pm|pmod|bmod)(?![A-Za-z])"
    r"|\bout of\b"
)
_SIGN = re.compile(r"(?<![\w)}\]!'])[-+](?=[\d\\])")
"""The sign of a number, which is no operator: ``(-2, 3)``."""
_TOKENS = re.compile(r"\\[A-Za-z]+|\d+|[A-Za-z]|[^\s\w{}]")
_BRACKETS = re.compile(r"\\[{}]|[(){}\[\]]")
_BINOMIAL = re.compile(r"(?<=\\binom)(\d)(?=\d)")
_MEANINGLESS = (
    (_BRACKETS, " "),
    (re.compile(r"(?<=\d)\.0+(?!\d)"), ""),
    (re.compile(r"\s+"), " "),
    (re.compile(r"(?<![0-9A-Za-z.]) | (?![0-9A-Za-z.])"), ""),
    (re.compile(r"(\\[A-Za-z]+) (?=[0-9])"), r"\1"),
)
_NOTHING_DONE = re.compile(r"[-+]0\Z|[*]1\Z|\A0\+|\A1[*]")
_SOLVED = re.compile(r"[A-Za-z](?:[<>]|\\[lg]e ?)-?[\d.]+|-?[\d.]+(?:[<>]|\\[lg]e ?)[A-Za-z]")


def restates_prompt(gold: str, answer: str, prompt: str) -> bool:
    """Returns whether an answer is a piece of the question that still has to be worked out.

    Brackets, spaces and a name before the answer do not count, nor does a 0 that is added.

    Args:
        gold: The gold as it was compared.
        answer: The final answer as it was compared.
        prompt: The question as the model saw it.
    """
    if _is_left_in_words(answer, prompt) or _is_left_in_unit(gold, answer, prompt):
        return True
    written = normalize(answer)
    if len(written) > MAX_PIECE_CHARS:
        return False
    if _is_final(answer):
        return _is_unconverted(gold, answer, prompt)
    value = named(written)[1]
    if _SOLVED.fullmatch(_bare(value)):
        return False
    stated = named(tidy(answer))[1]
    if holds_operation(gold, stated):
        return False
    return (
        _stands_word_for_word(normalize(gold), value, prompt)
        or operation_stands_in(gold, stated, prompt)
        or _is_unconverted(gold, stated, prompt)
    )


def _stands_word_for_word(gold: str, value: str, prompt: str) -> bool:
    value = _BINOMIAL.sub(r"{\1}", value)
    if len(_TOKENS.findall(value)) < 3 or not _PROMPT_OPERATOR.search(_SIGN.sub("", value)):
        return False
    piece, wanted = _bare(_NOTHING_DONE.sub("", value)), _bare(gold)
    if not piece or piece == wanted or _SOLVED.fullmatch(piece) or _stands_in(piece, wanted):
        return False
    return _stands_in(piece, _bare(normalize(prompt)))


def _bare(written: str) -> str:
    """A normal form without its brackets: what is left of them is a space between two numbers."""
    for pattern, replacement in _MEANINGLESS:
        written = pattern.sub(replacement, written)
    return written.strip()


_FRACTION = re.compile(r"-?(?:\\frac\{(-?\d+)\}\{(\d+)\}|(\d+)/(\d+))")


def _is_final(answer: str) -> bool:
    """Whether an answer is a plain numeral, also with a unit, or a fraction in lowest terms."""
    quantity = read_quantity(answer)
    if quantity is None:
        return False
    if quantity.unit is not None or quantity.percent or quantity.base is not None:
        return True
    written = normalize(answer)
    fraction = _FRACTION.fullmatch(written)
    if fraction is not None:
        top, bottom = (int(part) for part in fraction.groups() if part is not None)
        return gcd(top, bottom) == 1
    return _PROMPT_OPERATOR.search(written.lstrip("+-")) is None


_FORM_ASKED_FOR = re.compile(
    r"\b(?:as|into|to|in)\s(?:an?\s)?(?:[a-z]+\s){0,2}"
    r"(?:fraction|decimal|percent|percentage|mixed number|scientific notation|standard form)\b",
    re.IGNORECASE,
)


def _is_unconverted(gold: str, answer: str, prompt: str) -> bool:
    """Whether a numeral that is to be written in another form is given back as it was.

    "Write 25% as a decimal" asks for another form of 25%; "express your answer as a decimal", of
    no number that the question mentions.
    """
    if answer.strip().isdigit():
        return False
    return any(value_stands_in(gold, answer, task) for task in islice(_tasks(prompt), MAX_TASKS))


def _tasks(prompt: str) -> Iterator[str]:
    """What is to be written in another form: the sentence before the request, or what it names."""
    for asked in _FORM_ASKED_FOR.finditer(prompt):
        before = prompt[max(asked.start() - MAX_PIECE_CHARS, 0) : asked.start()]
        yield _SENTENCE_END.split(before)[-1]
        names = _NAMES_VALUE.match(prompt, asked.end())
        if names is not None:
            yield _first_sentence(prompt, names.end())
    for asked in _FORM_OF.finditer(prompt):
        yield _first_sentence(prompt, asked.end())


def _first_sentence(text: str, start: int) -> str:
    return _SENTENCE_END.split(text[start : start + MAX_PIECE_CHARS])[0]


_NAMES_VALUE = re.compile(r"\s?(?:form|notation)?\s?:")
"""``as a fraction: 0.75``."""
_FORM_OF = re.compile(
    r"\b(?:fraction|decimal|percent|percentage)\s(?:form|equivalent|representation|expansion)\sof\s",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.?!](?:\s|\Z)")
MAX_TASKS = 8
"""So many requests for a form are looked at."""


_IN_DIGITS = re.compile(
    r"\b(?:in|as|into|using) (?:an? )?(?:digits|figures|numerals?|number|standard form)\b",
    re.IGNORECASE,
)


def _is_left_in_words(answer: str, prompt: str) -> bool:
    """Whether a number that is to be written in digits is given back in words."""
    plain = answer.strip()
    return in_digits(plain) != plain and _IN_DIGITS.search(prompt) is not None


def _is_left_in_unit(gold: str, answer: str, prompt: str) -> bool:
    """Whether a quantity of the prompt is given back although the gold is in another unit."""
    given = read_quantity(answer)
    if given is None or given.unit is None or given.unit.dimensions is None:
        return False
    wanted = read_quantity(named(tidy(gold))[1])
    if wanted is None and not (given.unit.label == "degree^1" and "\\pi" in gold):  # radians
        return False
    if wanted is not None and (wanted.unit is None or wanted.unit.factor == given.unit.factor):
        return False
    return _stands_in(normalize(answer), normalize(prompt))


def _stands_in(piece: str, text: str) -> bool:
    """Whether the piece stands in the text as a whole, not as part of a longer number or word."""
    at = text.find(piece)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(piece) : at + len(piece) + 1]
        if not (before.isalnum() and piece[0].isalnum()) and not (
            after.isalnum() and piece[-1].isalnum()
        ):
            return True
        at = text.find(piece, at + 1)
    return False
