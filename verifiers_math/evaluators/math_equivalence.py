r"""A quick evaluator without computer algebra: the same spelling, or the same number.

It follows the cascade that ``context_bench`` documents for its evaluator of this name: the box, the
text without case, LaTeX spelled in one way, then numbers to a relative tolerance. It never starts a
worker and takes time linear in the text. `CorrectAnswer` is the judge to train with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Final

from verifiers_math.checks import kind_of
from verifiers_math.equivalence.extract import find_answer, unwrap_gold
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.numbers import Quantity, read_quantity
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import Negative, Node, Number, Percent, Quotient
from verifiers_math.equivalence.thinking import after_thinking
from verifiers_math.equivalence.verdict import Status
from verifiers_math.evaluators.evaluator import (
    Evaluator,
    Result,
    decided,
    gold_texts,
    text_of,
    unscored,
)
from verifiers_math.evaluators.exact_match import folded

TOLERANCE: Final = Fraction(1, 10**6)
"""How far two numbers may lie apart, as a share of the larger one."""

MAX_ANSWER_CHARS: Final = 4096
"""Longer answers are compared as plain text only."""


class MathEquivalence(Evaluator):
    r"""Whether two answers are spelled the same, or are the same number to a tolerance.

    A response is searched for its last box; without one, for a final answer as `verify` looks for
    it. Then the first of these that says yes decides: the same text without case and white space;
    the same LaTeX in one spelling; the same mathematics as notation (``sqrt(2)`` and
    ``\sqrt{2}``); numbers whose distance is within `TOLERANCE` of the larger one. At last the texts
    as they came are compared in the same way.

    Examples:
        >>> MathEquivalence().score({"answer": r"\frac{1}{2}"}, {"response": "0.5"})
        {'math_equiv': 1.0}
        >>> MathEquivalence().score({"answer": "1,2"}, {"response": r"\boxed{12}"})
        {'math_equiv': 0.0}
    """

    name: ClassVar[str] = "math_equivalence"
    summary: ClassVar[str] = "the same spelling or, within 1e-6, the same number; no algebra"

    def score(self, original: Mapping[str, Any], processed: Mapping[str, Any]) -> dict[str, float]:
        """Scores a response in the call shape of ``context_bench`` 0.1 evaluators.

        Args:
            original: The example; ``answer`` is the gold.
            processed: What a system made of it; ``response`` is its text.

        Returns:
            ``{"math_equiv": 1.0}`` where they are equivalent or there is no gold to meet, else
            ``{"math_equiv": 0.0}``.

        Raises:
            TypeError: If an argument is no mapping (`evaluate` takes gold and output themselves),
                or the response is neither text, nor messages, nor a number.
        """
        for side, given in (("original", original), ("processed", processed)):
            if not isinstance(given, Mapping):
                raise TypeError(
                    f"{side} is a mapping, not {kind_of(given)}: evaluate takes gold and output"
                )
        golds = gold_texts(original.get("answer"))
        response = text_of(processed.get("response"))
        return {"math_equiv": float(not golds or _equivalence(golds, response) is not None)}

    def evaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """See `Evaluator.evaluate`; the labels are "different" and "equivalent".

        Other than in `score` an empty gold is an unreadable one, without a score.
        """
        golds = gold_texts(expected)
        response = text_of(output)
        if not golds:
            return unscored(Status.GOLD_UNREADABLE, "there is no gold")
        if not response.strip():
            return decided(False, _LABELS, "the response is empty")
        reason = _equivalence(golds, response)
        return decided(reason is not None, _LABELS, reason or "neither spelling nor number agree")


_LABELS = ("different", "equivalent")


def _equivalence(golds: Iterable[str], response: str) -> str | None:
    """Why a response counts as one of the golds; None where it does not."""
    if not response.strip():
        return None
    answer = _final_answer(response)
    for gold in golds:
        for one, other in ((unwrap_gold(gold), answer), (gold, response)):
            reason = _sameness(one, other) if other else None
            if reason is not None:
                return reason
    return None


def _final_answer(response: str) -> str | None:
    text = after_thinking(response)
    return None if text is None else find_answer(text).answer


def _sameness(gold: str, answer: str) -> str | None:
    """Why two answers are the same; None where nothing says so."""
    if folded(gold) == folded(answer):
        return "the texts are the same"
    if max(len(gold), len(answer)) > MAX_ANSWER_CHARS:
        return None
    if _spelled(gold) == _spelled(answer):
        return "the same LaTeX in one spelling"
    numbers = _number(gold), _number(answer)
    if numbers[0] is not None and numbers[1] is not None:
        return "the numbers agree" if _agree(numbers[0], numbers[1]) else None
    tree = read(gold)
    if not isinstance(tree, Unreadable) and tree == read(answer):
        return "the same notation"
    return None


@lru_cache(maxsize=4096)
def _spelled(text: str) -> str:
    """The cascade's normal form without case, with plus-minus as ASCII writes it."""
    return folded(normalize(_PLUS_MINUS.sub(r"\\pm ", text)))


_PLUS_MINUS = re.compile(r"\+/-|\A\s*\+-")


def _number(text: str) -> Quantity | None:
    """The number that a text is: a numeral of any form, or fractions within fractions."""
    quantity = read_quantity(text)
    if quantity is not None:
        return quantity
    value = _quotient(read(text))
    return None if value is None else Quantity(value)


def _quotient(tree: Node | Unreadable) -> Fraction | None:
    """The value of numerals with fraction bars, signs and percent signs; None for any other tree.

    The reader bounds the digits and the depth, and with them the value.
    """
    match tree:
        case Number(value):
            return value
        case Negative(inner):
            return _over(_quotient(inner), Fraction(-1))
        case Percent(inner):
            return _over(_quotient(inner), Fraction(100))
        case Quotient(top, bottom):
            return _over(_quotient(top), _quotient(bottom))
    return None


def _over(top: Fraction | None, bottom: Fraction | None) -> Fraction | None:
    return None if top is None or not bottom else top / bottom


def _agree(gold: Quantity, answer: Quantity) -> bool:
    """Whether two numbers agree; a unit on one side only does not count."""
    if gold.base is not None or answer.base is not None:
        return (gold.base, gold.value) == (answer.base, answer.value)
    one, other = gold.value, answer.value
    if gold.unit is not None and answer.unit is not None:
        if not gold.unit.measures_like(answer.unit):
            return False
        one, other = gold.measure, answer.measure
    return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
