r"""Multiple choice: ``C``, ``(C)``, ``\textbf{(C)}\ 12``, "Option C", ``A, C``."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifiers_math.equivalence.normalize import tidy


class Choice(NamedTuple):
    """A letter, and the value that stands behind it, if any."""

    letter: str
    value: str


_CHOICE = re.compile(
    r"(?:\\text ?\{ ?)?(?:(?:the )?(?:correct )?(?:option|choice|answer)\s{0,3}(?:is\s{1,3})?)?"
    r"(?:\\text ?\{ ?)?(?:\((?P<inside>[A-J])\)|(?P<bare>[A-J])(?=[.:)]|\s?\}|$))"
    r"(?P<mark>[.:)]?(?: ?\})?[.:]?)(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LETTERS = re.compile(
    r"\(?([A-J])\)?(?:\s?(?:(?:,\s?)?(?:and|&)|,|;|\\text ?\{ ?and ?\})\s?\(?([A-J])\)?)+"
)
_SECOND = re.compile(
    r"\([A-J]\)"
    r"|(?<![\\A-Za-z])(?i:or|and|not|but|wrong|incorrect|actually|instead|rather|nope)(?![A-Za-z])"
    r"|(?<![\\A-Za-z(])[A-J][.:)](?![A-Za-z])"  # "C) 12 D) 13"
    r"|\A[\s,./;:)]*(?:[A-J]|(?i:none))(?=[\s,./;:)}]*(?:\Z|,))"  # "C, D", "C. none"
    r"|[,;/]\s?[A-J](?![A-Za-z])"
)
_UPRIGHT = re.compile(r"\\text ?\{([^{}]*)\}")
_ASIDE = re.compile(
    r"([A-J]) ?(?!(?<=C)\(\w+ ?,|\([a-z] ?,|\([^()]{0,40}[XYZ])\( ?([^()]{1,40}) ?\)"
)
"""``C (12)``; ``C(10, 3)`` is a binomial, ``F(m, n)`` a function, ``E(X^2)`` an expectation."""
_ONE = re.compile(r"[A-J]")


def read_choice(text: str) -> Choice | None:
    """Reads an answer as one choice, or returns None where it is none.

    A bare letter counts, and a letter in parentheses or with a mark behind it; ``C + 1`` does not.
    """
    if _ONE.search(text) is None:
        return None
    plain = tidy(text)
    if "(" in plain:  # "C (12)"
        aside = _ASIDE.fullmatch(_without_text(plain))
        if aside is not None and not aside[2].isalpha():
            return Choice(aside[1], aside[2].strip())
    match = _CHOICE.fullmatch(plain)
    if match is None or _SECOND.search(match["value"]):
        return None
    letter = match["inside"] or match["bare"]
    parted = match["inside"] or match["mark"].strip("} ")
    if not letter.isupper() or (match["value"] and not parted):
        return None
    return Choice(letter, match["value"].strip(" ,.:"))


def read_several(text: str) -> str | None:
    """The letters of several choices in order (``"AC"`` for ``A, C``); None where it is none.

    ``AC`` itself counts where its letters are in the order of the alphabet: other runs of capitals
    are names.
    """
    if _ONE.search(text) is None:
        return None
    plain = _without_text(tidy(text))
    if plain.isupper() and len(plain) > 1 and _is_run(plain):
        return plain
    if _LETTERS.fullmatch(plain):
        return "".join(sorted(set(_ONE.findall(plain))))
    return None


_CIRCLED = range(0x2460, 0x2474)
_MARKS = re.compile(rf"[{chr(_CIRCLED[0])}-{chr(_CIRCLED[-1])}]")
_BETWEEN_MARKS = re.compile(r"(?:[,;\s]|and|\u548c|\u4e0e|\u53ca)*")
_NUMBER = r"(?:\(\d{1,2}\)|\d{1,2})"
_NUMBERED = re.compile(rf"{_NUMBER}(?:(?:[,;\s]|and)*{_NUMBER})*")


def compare_marks(gold: str, answer: str) -> bool | None:
    """Whether two lists of statements are the same, one of them as ``①③``; None where none is.

    The other one may say ``(1)(3)`` or ``1, 3``.
    """
    if gold.isascii() and answer.isascii():
        return None
    marked = [_marks(text) for text in (gold, answer)]
    if marked == [None, None]:
        return None
    one, other = (
        _numbers(text) if found is None else found
        for text, found in zip((gold, answer), marked, strict=True)
    )
    return None if one is None or other is None else one == other


def _marks(text: str) -> frozenset[int] | None:
    """The numbers in circles, where a text is nothing else."""
    plain = _without_text(tidy(text))
    found = frozenset(ord(mark) - _CIRCLED[0] + 1 for mark in _MARKS.findall(plain))
    return found if found and _BETWEEN_MARKS.fullmatch(_MARKS.sub("", plain)) else None


def _numbers(text: str) -> frozenset[int] | None:
    plain = _without_text(tidy(text))
    return frozenset(map(int, _DIGITS.findall(plain))) if _NUMBERED.fullmatch(plain) else None


_DIGITS = re.compile(r"\d+")


def _without_text(plain: str) -> str:
    return " ".join(_UPRIGHT.sub(r" \1 ", plain).split()) if "\\" in plain else plain


def _is_run(plain: str) -> bool:
    return all("A" <= letter <= "J" for letter in plain) and "".join(sorted(set(plain))) == plain
