"""What a judgement says: equal or not, why, by which stage, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """What happened. Only the first four say something about the model's answer.

    Attributes:
        CORRECT: The answer counts as the gold.
        INCORRECT: It does not.
        NO_ANSWER: There is no final answer, or the thinking never ends.
        ANSWER_UNREADABLE: The answer is no mathematics that can be read.
        GOLD_UNREADABLE: The gold is missing or cannot be read, which is not the model's fault.
        LIMIT: The answer is larger than any honest one, or took too much memory.
        TIMEOUT: Computer algebra used up its time.
        ERROR: A worker could not be started, or died on the pair; or a judge model failed.
    """

    CORRECT = "correct"
    INCORRECT = "incorrect"
    NO_ANSWER = "no_answer"
    ANSWER_UNREADABLE = "answer_unreadable"
    GOLD_UNREADABLE = "gold_unreadable"
    LIMIT = "limit"
    TIMEOUT = "timeout"
    ERROR = "error"


_SCORED = frozenset({Status.CORRECT, Status.INCORRECT, Status.NO_ANSWER, Status.ANSWER_UNREADABLE})


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one pair of gold and answer.

    Attributes:
        equal: Whether the answer counts as the gold.
        status: What happened; see `Status`.
        stage: The stage that decided, for example ``"number"`` or ``"math_verify"``.
        gold: The gold as it was compared (unboxed where it came in a box).
        answer: The final answer as it was compared; ``""`` where there is none.
        seconds: Wall time of this pair, the wait for a worker included; in a batch without that of
            the others. 0.0 where it came out of the cache.
        cached: Whether the same pair had been judged before.
        detail: The reason, as a sentence for a person.
        judge: The judge's version and its policy, so that stored verdicts can be told apart.
        rule: The lenient rule without which it would not be equal (``"percent"``, ``"unit"``,
            ``"rounding"``); ``""`` where none was needed.

    It is true where the answer counts; ``reward``, ``scored`` and ``lenient`` are read off it.
    """

    equal: bool
    status: Status
    stage: str
    gold: str
    answer: str
    seconds: float
    cached: bool
    detail: str
    judge: str
    rule: str = ""

    def __bool__(self) -> bool:
        return self.equal

    @property
    def reward(self) -> float:
        """1.0 for a correct answer, 0.0 for anything else."""
        return 1.0 if self.equal else 0.0

    @property
    def scored(self) -> bool:
        """Whether this says something about the answer, and not about a failure to judge it."""
        return self.status in _SCORED

    @property
    def lenient(self) -> bool:
        """Whether the answer is equal only by a lenient rule (see `rule`)."""
        return self.equal and self.rule != ""

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data that ``json.dumps`` takes."""
        return {
            "equal": self.equal,
            "status": self.status.value,
            "stage": self.stage,
            "gold": self.gold,
            "answer": self.answer,
            "reward": self.reward,
            "seconds": self.seconds,
            "cached": self.cached,
            "detail": self.detail,
            "judge": self.judge,
            "rule": self.rule,
        }
