"""The full judge as an evaluator: the cascade of pure stages, then a worker that can be killed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from verifiers_math.answers import Answer, answer_judge
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.evaluators.evaluator import Evaluator, Item, Result, text_of
from verifiers_math.types import AssumeThinking, Strict


class CorrectAnswer(Evaluator):
    """Whether the final answer in an output counts as the gold: the reward, as an evaluator.

    The label is the status. Timeouts, limits, errors and unreadable golds have no score.

    Args:
        strict: Whether only a box counts as the final answer; "####" lets that mark count besides.
        policy: A `Policy`, or the name of a preset: "default", "strict" or "lenient".
        assume_thinking: See `Verifier.verify`.
        timeout_seconds: The soft limit of one verification, in seconds of a worker's CPU time.

    Raises:
        ValueError: If the policy's name is unknown, or the limit is not positive.
        TypeError: If the policy is neither.
    """

    name: ClassVar[str] = "correct_answer"
    summary: ClassVar[str] = "the final answer means the same as the gold: the full judge"

    def __init__(
        self,
        *,
        strict: Strict = False,
        policy: Policy | str | None = None,
        assume_thinking: AssumeThinking = "auto",
        timeout_seconds: float = 5.0,
    ) -> None:
        self.judge = answer_judge(
            strict=strict,
            policy=policy,
            assume_thinking=assume_thinking,
            timeout_seconds=timeout_seconds,
        )

    def evaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """See `Evaluator.evaluate`."""
        return from_verdict(self.judge.verdict(text_of(output), expected, prompt))

    async def aevaluate(self, expected: Any, output: Any, prompt: Any = None) -> Result:
        """See `Evaluator.aevaluate`."""
        return from_verdict(await self.judge.averdict(text_of(output), expected, prompt))

    def evaluate_many(self, items: Iterable[Sequence[Any]]) -> list[Result]:
        """See `Evaluator.evaluate_many`; equal pairs are judged once, on all workers at once."""
        answers = [_answer(index, Item(*item)) for index, item in enumerate(items)]
        return [from_verdict(verdict) for verdict in self.judge.verdicts(answers)]

    async def aevaluate_many(self, items: Iterable[Sequence[Any]]) -> list[Result]:
        """See `Evaluator.aevaluate_many`; no thread is held while workers are waited for."""
        answers = [_answer(index, Item(*item)) for index, item in enumerate(items)]
        return [from_verdict(verdict) for verdict in await self.judge.averdicts(answers)]


def _answer(index: int, item: Item) -> Answer:
    try:
        return Answer(text_of(item.output), item.expected, item.prompt)
    except TypeError as error:
        raise TypeError(f"item {index}: {error}") from error


def from_verdict(verdict: Verdict) -> Result:
    """A verdict as an evaluator's result."""
    return Result(
        score=verdict.reward if verdict.scored else None,
        label=verdict.status.value,
        passed=verdict.equal,
        status=verdict.status.value,
        detail=verdict.detail,
        stage=verdict.stage,
        gold=verdict.gold,
        answer=verdict.answer,
        rule=verdict.rule,
        seconds=verdict.seconds,
        cached=verdict.cached,
        judge=verdict.judge,
    )
