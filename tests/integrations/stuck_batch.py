r"""A batch of 1,024 answers, one of which never ends, and the ways to score it.

It is a module of its own, so that child processes find its functions by name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from verifiers_math import MathRubric, Status, Verdict
from verifiers_math.answers import Answer, AnswerJudge, answer_judge

SIZE = 1024
HARD = 8
STUCK = 555
"""The index of the answer that never ends."""

SOFT_SECONDS = 1.0
PATIENCE_SECONDS = 100.0
"""A soft timeout, the start of the workers, and a machine that others use too; below the hard
timeout of 120 s, at which a batch ends whose stuck answer nobody stops."""

_numbers = count(1)


class Scored(NamedTuple):
    """What became of a batch.

    Attributes:
        verdicts: In order.
        seconds: Wall time.
    """

    verdicts: list[Verdict]
    seconds: float


def answers() -> list[Answer]:
    """The batch: easy answers, right and wrong in turn, a few that need a worker, a stuck one."""
    batch = [Answer(rf"\boxed{{{i + i % 2}}}", str(i)) for i in range(SIZE)]
    for i in range(HARD):  # computer algebra works out the gold: 1 + ... + top
        top = 20 + i
        batch[100 * i] = Answer(
            rf"\boxed{{{top * (top + 1) // 2 + i % 2}}}", rf"\sum_{{n=1}}^{{{top}}} n"
        )
    # A pair that timed out is remembered: every batch has another gold.
    batch[STUCK] = Answer(r"\boxed{\sin(10^{10^{10}})}", str(next(_numbers)))
    return batch


def by_judge(batch: list[Answer], judge: AnswerJudge) -> list[Verdict]:
    """Scores with the judge that all adapters share."""
    return judge.verdicts(batch)


async def aby_judge(batch: list[Answer], judge: AnswerJudge) -> list[Verdict]:
    """Scores with the judge, from an event loop."""
    return await judge.averdicts(batch)


def by_rubric(batch: list[Answer], judge: AnswerJudge) -> list[Verdict]:
    """Scores with a rubric."""
    states = _states(batch)
    _rubric(judge).score_group_sync(states)
    return [state["verdict"] for state in states]


async def aby_rubric(batch: list[Answer], judge: AnswerJudge) -> list[Verdict]:
    """Scores with a rubric, from an event loop."""
    states = _states(batch)
    await _rubric(judge).score_group(states)
    return [state["verdict"] for state in states]


SYNC: tuple[Callable[..., Any], ...] = (by_judge, by_rubric)
ASYNC: tuple[Callable[..., Any], ...] = (aby_judge, aby_rubric)


def score_sync(ways: Sequence[Callable[..., Any]] = SYNC) -> list[Scored]:
    """Scores a batch in each way, here and now."""
    return [_timed(way) for way in ways]


async def score_async() -> list[Scored]:
    """Scores a batch in each way from the running event loop."""
    found = []
    for way in ASYNC:
        batch, start = answers(), time.perf_counter()
        found.append(Scored(await way(batch, judge()), time.perf_counter() - start))
    return found


def judge() -> AnswerJudge:
    """The judge of this process."""
    return answer_judge(timeout_seconds=SOFT_SECONDS)


def faults(scored: Scored) -> Iterator[str]:
    """What is not as it should be."""
    if scored.seconds > PATIENCE_SECONDS:
        yield f"took {scored.seconds:.1f} s"
    for i, verdict in enumerate(scored.verdicts):
        expected = Status.TIMEOUT if i == STUCK else _expected(i)
        if verdict.status is not expected:
            yield f"{i}: {verdict.status} by {verdict.stage} ({verdict.detail})"
    in_workers = sum(verdict.stage == "math_verify" for verdict in scored.verdicts)
    if in_workers != HARD + 1:
        yield f"{in_workers} answers needed a worker"


def _expected(index: int) -> Status:
    odd = index // 100 % 2 if index % 100 == 0 and index < 100 * HARD else index % 2
    return Status.INCORRECT if odd else Status.CORRECT


def _timed(way: Callable[[list[Answer], AnswerJudge], list[Verdict]]) -> Scored:
    batch, start = answers(), time.perf_counter()
    return Scored(way(batch, judge()), time.perf_counter() - start)


def _states(batch: list[Answer]) -> list[dict[str, Any]]:
    return [{"completion": answer.response, "answer": answer.gold} for answer in batch]


def _rubric(judge: AnswerJudge) -> MathRubric:
    return MathRubric(strict=True, verifier=judge.verifier)
