"""What an evaluator is: it judges one output against what was expected, and says so as plain data.

A result holds ``score``, ``label`` and ``passed``, and why. A score of None says nothing about the
output: the expected value could not be read, or the judgement failed. It is no zero.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, NamedTuple, NotRequired, TypedDict

from verifiers_math.answers import golds_of
from verifiers_math.equivalence.verdict import Status
from verifiers_math.parsers import assistant_text
from verifiers_math.question import as_text


class Item(NamedTuple):
    """One output to evaluate.

    Attributes:
        expected: The gold in any shape that `verifiers_math.answers.golds_of` reads.
        output: What the model wrote: text, messages, or a number.
        prompt: What the model was asked, as text or messages; None where it is not known.
    """

    expected: Any
    output: Any
    prompt: Any = None


class Result(TypedDict):
    """What an evaluator says of one output; ``json.dumps`` takes it as it is.

    Attributes:
        score: From 0.0 to 1.0; None where the output could not be scored.
        label: The judgement in a word, by the evaluator's own vocabulary.
        passed: Whether the score reaches the evaluator's threshold.
        status: A value of `Status`: whose fault it is where there is no score.
        detail: The reason, as a sentence for a person.
        stage: The stage of the judge that decided (`CorrectAnswer`).
        gold: The gold as it was compared (`CorrectAnswer`).
        answer: The final answer as it was compared (`CorrectAnswer`).
        rule: The lenient rule that made it equal, or "" (`CorrectAnswer`).
        seconds: Wall time of the judgement (`CorrectAnswer`).
        cached: Whether the pair had been judged before (`CorrectAnswer`).
        judge: Version and policy of the judge (`CorrectAnswer`).
        absolute_error: The distance of the two numbers (`NumericDiff`).
    """

    score: float | None
    label: str
    passed: bool
    status: str
    detail: str
    stage: NotRequired[str]
    gold: NotRequired[str]
    answer: NotRequired[str]
    rule: NotRequired[str]
    seconds: NotRequired[float]
    cached: NotRequired[bool]
    judge: NotRequired[str]
    absolute_error: NotRequired[float]


class Evaluator(ABC):
    """Judges outputs. The gold comes first, as everywhere in this package.

    Attributes:
        name: What the evaluator is called on the command line and by the server.
        summary: What it does, in a sentence.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def evaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """Judges one output.

        Args:
            expected: The gold in any shape that `verifiers_math.answers.golds_of` reads.
            output: What the model wrote: text, messages, or a number.
            prompt: What the model was asked, as text or messages, for evaluators that use it.

        Returns:
            The result. An unreadable gold is a result without a score, not an exception.

        Raises:
            TypeError: If the output is neither text, nor messages, nor a number.
        """

    async def aevaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """`evaluate` for an event loop, which it never blocks longer than a pure stage takes."""
        return self.evaluate(expected, output, prompt)

    def evaluate_many(self, items: Iterable[Sequence[Any]]) -> list[Result]:
        """Judges a batch.

        Args:
            items: An `Item` each, or a tuple of gold, output and perhaps prompt.

        Returns:
            The results, in order.

        Raises:
            TypeError: If an output is neither text, nor messages, nor a number; the message has
                its index.
        """
        results = []
        for index, item in enumerate(items):
            try:
                results.append(self.evaluate(*item))
            except TypeError as error:
                raise TypeError(f"item {index}: {error}") from error
        return results

    async def aevaluate_many(self, items: Iterable[Sequence[Any]]) -> list[Result]:
        """`evaluate_many` for an event loop: the evaluation runs in a thread."""
        import asyncio  # only async callers pay for it

        return await asyncio.to_thread(self.evaluate_many, items)


def unscored(status: Status, detail: str) -> Result:
    """The result for an output that could not be scored; the label is the status.

    Args:
        status: What was in the way.
        detail: The reason, as a sentence.
    """
    return Result(score=None, label=status.value, passed=False, status=status.value, detail=detail)


def decided(equal: bool, labels: tuple[str, str], detail: str) -> Result:
    """The result of a comparison that says yes or no.

    Args:
        equal: Whether the output is what was expected.
        labels: The words for no and yes.
        detail: The reason, as a sentence.
    """
    return Result(
        score=float(equal),
        label=labels[equal],
        passed=equal,
        status=(Status.CORRECT if equal else Status.INCORRECT).value,
        detail=detail,
    )


def text_of(output: Any) -> str:
    """An output as text: what the assistant said last, or a number as it is written.

    Args:
        output: Text, messages, a number, or None for nothing.

    Raises:
        TypeError: If it is none of these.
    """
    if isinstance(output, str):
        return output
    number = None if isinstance(output, bool) else as_text(output)
    return number if number is not None else assistant_text(output) or ""


def gold_texts(expected: Any) -> list[str]:
    """The golds that a field holds, as texts that are not blank.

    Args:
        expected: The gold in any shape that `verifiers_math.answers.golds_of` reads.

    Returns:
        The texts; none where there is no gold.
    """
    texts = (as_text(gold) for gold in golds_of(expected))
    return [text for text in texts if text is not None and text.strip()]
