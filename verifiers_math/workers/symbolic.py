"""The call of math_verify. Runs in a worker: its import alone takes a second."""

from __future__ import annotations

import logging
import re
from typing import Any

import latex2sympy2_extended.latex2sympy2 as latex2sympy
import sympy
from math_verify import LatexExtractionConfig, parse, verify

from verifiers_math.workers.outcome import Outcome, OutcomeKind

# The box before anything else, and nothing outside a box.
_BOX_ONLY = [LatexExtractionConfig(boxed_match_priority=0, try_extract_without_anchor=False)]

# One pair for each construct whose first use is slow, since it fills tables of the LaTeX parser.
_SAMPLES = (
    ("42", "17"),
    ("-3.5", r"-\frac{7}{2}"),
    (r"\frac{3}{4}", r"\dfrac{6}{8}"),
    ("x^2+3x+1", "(x+1)(x+2)-1"),
    (r"2\sqrt{3}+\sqrt[3]{5}", r"\sqrt{12}+5^{1/3}"),
    (r"\sin(2x)+\pi", r"2\sin x\cos x+\pi"),
    (r"\log_2 8+\ln e", "4"),
    (r"(1, \frac{1}{2})", "(1, 0.5)"),
    (r"[0,1)\cup(2,\infty)", r"(2,\infty)\cup[0,1)"),
    ("y=2x+3", "2x-y=-3"),
    (r"x \le 3", r"x < 3"),
    (r"\{1,2,3\}", "1, 2, 3"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&5\end{pmatrix}"),
    (r"50\%", "0.5"),
    (r"\text{east}", "A"),
    (r"|x|+5!", r"|x|+\binom{6}{3}"),
)


def verify_pair(gold: str, answer: str) -> Outcome:
    """Compares two bare answers by math_verify, the gold first.

    Both are read as the whole content of a box: where that content cannot be read, no number is
    picked out of it. Nothing here is limited in time, and an endless expression may raise anything.
    """
    gold_parsed = _read(gold)
    if not gold_parsed:
        return _outcome(OutcomeKind.GOLD_UNREADABLE, "math_verify cannot read the gold answer")
    answer_parsed = _read(answer)
    if not answer_parsed:
        return _outcome(OutcomeKind.ANSWER_UNREADABLE, "math_verify cannot read the answer")
    equal = verify(gold_parsed, answer_parsed, timeout_seconds=None)
    return _outcome(OutcomeKind.EQUAL if equal else OutcomeKind.DIFFERENT)


def warm_up() -> None:
    """Verifies some pairs of every kind, so that the processes forked from this one start warm."""
    logging.disable()  # it warns of the missing timeout, and would log whole responses
    latex2sympy._Latex2Sympy.parse_number = _number_of_token
    latex2sympy.Number = _number
    for gold, answer in _SAMPLES:
        verify_pair(gold, answer)


_DECIMAL = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def _number(text: str) -> sympy.Number:
    """What ``sympy.Number`` makes of a numeral, which compiles and evaluates its text for that.

    The LaTeX parser hands nothing but numerals to it, by its grammar; so it is here, by a check.
    """
    if _DECIMAL.fullmatch(text) is None:
        raise ValueError("this is no numeral")
    is_integer = text.removeprefix("-").isdigit()
    return sympy.Integer(text) if is_integer else sympy.Float(text)


def _number_of_token(_: object, text: str) -> sympy.Number:
    return _number(text.replace(",", ""))


def _outcome(kind: OutcomeKind, detail: str = "") -> Outcome:
    return Outcome(kind, 0.0, detail)  # whoever calls measures the time


def _read(text: str) -> list[Any]:
    """Returns the parsed content, or an empty list where it cannot be read as a whole."""
    if not _fills_a_box(text):
        return []
    parsed: list[Any] = parse(
        rf"\boxed{{{text}}}",
        _BOX_ONLY,
        fallback_mode="no_fallback",  # a string is no reading
        extraction_mode="first_match",  # the box reaches furthest right, so it is the first
        parsing_timeout=None,
    )
    return parsed


def _fills_a_box(text: str) -> bool:
    r"""Whether ``\boxed{text}`` is one box: ``3} \boxed{4`` or an inner box would make it two."""
    if r"\boxed" in text or r"\fbox" in text:
        return False
    depth = 0
    for character in text:  # escaped braces count too, as they do in math_verify
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
