"""The strictest evaluator: the same text, white space and case aside."""

from __future__ import annotations

from typing import Any, ClassVar

from verifiers_math.equivalence.verdict import Status
from verifiers_math.evaluators.evaluator import (
    Evaluator,
    Result,
    decided,
    gold_texts,
    text_of,
    unscored,
)


class ExactMatch(Evaluator):
    """Whether the whole output is the gold, once white space and case are normalised.

    No answer is looked for in the output. Of several golds any may match.
    """

    name: ClassVar[str] = "exact_match"
    summary: ClassVar[str] = "the whole output is the gold; white space and case do not count"

    def evaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """See `Evaluator.evaluate`; the labels are "different" and "exact"."""
        golds = gold_texts(expected)
        text = folded(text_of(output))
        if not golds:
            return unscored(Status.GOLD_UNREADABLE, "there is no gold")
        if any(folded(gold) == text for gold in golds):
            return decided(True, _LABELS, "the texts are the same")
        return decided(False, _LABELS, "the texts differ")


_LABELS = ("different", "exact")


def folded(text: str) -> str:
    """A text without surrounding white space, with single spaces, in one case."""
    return " ".join(text.split()).casefold()
