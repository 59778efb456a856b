"""What somebody said of a row: an evaluator, a rubric, or the trainer that logged it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from verifiers_math.equivalence.verdict import Status
from verifiers_math.fields import SCORES, first_of, get_field
from verifiers_math.report.fields import first, name, number, text
from verifiers_math.rows import Row

VERDICT: Final = "verdict"
"""The field of `MathRubric`: a verdict; other programs put a word or true and false there."""

REWARD: Final = "reward"
"""Who judged a row that only holds a reward."""

UNREADABLE: Final = "unreadable_row"
"""The status of a row that is no JSON object."""

NOT_JUDGED: Final = "not_judged"
"""The status of a row that nobody judged, or whose reward is no number."""

MOST_EVALUATORS: Final = 20
"""Evaluators beyond these are passed over: no row has so many."""

_SCORED: Final = (
    Status.CORRECT,
    Status.INCORRECT,
    Status.NO_ANSWER,
    Status.ANSWER_UNREADABLE,
)
_FLAGS: Final = ("timeout", "limit", "error", "gold_unreadable", "answer_unreadable", "no_answer")
"""Numbers that `verifiers_math.answers.log_values` puts beside ``acc``; 1 where they hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one evaluator, rubric or trainer said of a row.

    Attributes:
        judge: Who it is.
        score: The score or reward; None where the row could not be scored.
        passed: Whether it counts as right; None where the row could not be scored.
        status: What happened: a value of `Status`, or the file's own word.
        stage: The stage that decided, or "".
        rule: The lenient rule that made it right, or "".
        detail: The reason, or "".
        gold: The gold as it was compared, or "".
        answer: The final answer as it was compared, or "".
        seconds: Wall time of the judgement; None where it is not known.
        version: Version and policy of the judge, or "".
    """

    judge: str
    score: float | None
    passed: bool | None
    status: str
    stage: str = ""
    rule: str = ""
    detail: str = ""
    gold: str = ""
    answer: str = ""
    seconds: float | None = None
    version: str = ""

    @property
    def word(self) -> str:
        """Whether it passes the row, for a sentence."""
        return "passes it" if self.passed else "does not pass it"


def judgements(row: Row) -> tuple[Judgement, ...]:
    """What was said of a row, at least one judgement; the first one is the verdict."""
    if row.fault:
        return (
            Judgement(judge="file", score=None, passed=None, status=UNREADABLE, detail=row.fault),
        )
    results = tuple(_of_scores(row.data.get(SCORES)))
    if results:
        return results
    verdict = row.data.get(VERDICT)
    if isinstance(verdict, Mapping):
        return (_of_result(VERDICT, verdict, number(verdict.get("reward"))),)
    return (_of_log(row.data, verdict),)


def _of_scores(scores: Any) -> Iterator[Judgement]:
    if isinstance(scores, Mapping):
        for evaluator, result in islice(scores.items(), MOST_EVALUATORS):
            if isinstance(result, Mapping):
                yield _of_result(name(evaluator), result, number(result.get("score")))


def _of_result(judge: str, result: Mapping[str, Any], score: float | None) -> Judgement:
    """A result of an evaluator, or a verdict as ``Verdict.to_dict`` gives it."""
    status = name(first_of(result, ("status", "label")))
    if _says_nothing(status):
        score = None
    said = first_of(result, ("passed", "equal"))
    passed = None if score is None else score >= 1 if said is None else bool(said)
    return Judgement(
        judge=judge,
        score=score,
        passed=passed,
        status=status or _status(passed),
        stage=name(result.get("stage")),
        rule=name(result.get("rule")),
        detail=text(result.get("detail")),
        gold=text(result.get("gold")),
        answer=text(result.get("answer")),
        seconds=number(result.get("seconds")),
        version=name(result.get("judge")),
    )


def _of_log(row: Mapping[str, Any], verdict: Any) -> Judgement:
    """A row of a trainer's log: a reward, and perhaps what became of it."""
    status = name(first(row, "status")) or name(verdict) or _flag(row)
    reward = number(first(row, "reward"))
    passed = _passed(row, status, verdict, reward)
    score = None if passed is None else float(passed) if reward is None else reward
    rule = name(first(row, "rule"))
    if not rule and number(row.get("lenient")) == 1:
        rule = "not told"
    return Judgement(
        judge=REWARD,
        score=score,
        passed=passed,
        status=status or _status(passed),
        stage=name(first(row, "stage")),
        rule=rule,
        detail=text(first(row, "detail")),
        gold=text(get_field(row, "judge/gold")),
        answer=text(first(row, "answer")),
        seconds=number(first(row, "seconds")),
        version=name(first(row, "judge")),
    )


def _passed(row: Mapping[str, Any], status: str, verdict: Any, reward: float | None) -> bool | None:
    """What the status, the verdict, ``acc`` or else the reward says of passing."""
    if status in _SCORED:
        return status == Status.CORRECT
    if _says_nothing(status):
        return None
    if isinstance(verdict, bool):
        return verdict
    accuracy = number(row.get("acc"))
    told = reward if accuracy is None else accuracy
    return None if told is None else told >= 1


def _says_nothing(status: str) -> bool:
    """Whether a status of ours says nothing about the answer: a timeout, an unreadable gold."""
    return status in set(Status) and status not in _SCORED


def _flag(row: Mapping[str, Any]) -> str:
    """The status that the flags beside ``acc`` tell."""
    if "acc" not in row:
        return ""
    return next((flag for flag in _FLAGS if number(row.get(flag)) == 1), "")


def _status(passed: bool | None) -> str:
    if passed is None:
        return NOT_JUDGED
    return (Status.CORRECT if passed else Status.INCORRECT).value
