"""Who is asked where no rule can read an answer, and what becomes of the reply."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from verifiers_math.checks import kind_of
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.restated import restates_prompt
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.rubrics.judge_rubric import JUDGE_STAGE, JudgeRubric

Opinion = Verdict | bool | None
"""Right or wrong, as a verdict with a reason or as a bool; None for no opinion."""

Fallback = JudgeRubric | Callable[[str, str, str], Awaitable[Opinion]]
"""A judge, or an async function of question, gold and answer."""

_UNREADABLE = frozenset({Status.ANSWER_UNREADABLE, Status.GOLD_UNREADABLE})


def check_fallback(fallback: object) -> None:
    """Refuse what cannot be asked.

    Raises:
        TypeError: If it is neither a judge nor callable.
    """
    if isinstance(fallback, JudgeRubric):
        return
    if isinstance(fallback, type) or not callable(fallback):
        raise TypeError(f"fallback is a JudgeRubric or an async function, not {kind_of(fallback)}")


def is_undecided(verdict: Verdict) -> bool:
    """Whether a fallback is asked: no rule could read one of the two, and both are there."""
    return bool(verdict.status in _UNREADABLE and verdict.gold.strip() and verdict.answer.strip())


async def ask_fallback(
    fallback: Fallback, verdict: Verdict, question: str, policy: Policy
) -> Verdict:
    """A fallback's verdict in place of one that is undecided.

    Args:
        fallback: The judge.
        verdict: What the rules say; see `is_undecided`.
        question: What the model was asked.
        policy: Says whether an answer that only restates the question is refused.

    Returns:
        A verdict of the stage "judge"; the one given where the fallback has no opinion, or was not
        asked since the texts are too long for it.

    Raises:
        TypeError: If what it returns is no opinion.
        Exception: Whatever a function raises.
    """
    found = await _opinion(fallback, verdict, question)
    if found is None or found.status is Status.LIMIT:
        return verdict
    if found.equal and policy.refuse_restated and restates_prompt(*_pair(verdict), question):
        detail = "the answer restates the question"
        found = replace(found, equal=False, status=Status.INCORRECT, detail=detail)
    return replace(
        found,
        stage=JUDGE_STAGE,
        gold=verdict.gold,
        answer=verdict.answer,
        seconds=verdict.seconds + found.seconds,
        judge=f"{verdict.judge}+{found.judge}",
    )


async def _opinion(fallback: Fallback, verdict: Verdict, question: str) -> Verdict | None:
    ask: Callable[..., Any] = fallback.verdict if isinstance(fallback, JudgeRubric) else fallback
    found = ask(question, *_pair(verdict))
    if inspect.isawaitable(found):
        found = await found
    if isinstance(found, bool):
        return _from_bool(found, verdict, getattr(fallback, "__name__", type(fallback).__name__))
    if found is not None and not isinstance(found, Verdict):
        raise TypeError(f"a fallback returns a Verdict, a bool or None, not {type(found).__name__}")
    return found


def _pair(verdict: Verdict) -> tuple[str, str]:
    return verdict.gold, verdict.answer


def fallback_failed(verdict: Verdict, error: Exception) -> Verdict:
    """The verdict where a fallback raised.

    Args:
        verdict: What the rules say.
        error: What it raised.
    """
    detail = f"the fallback raised {type(error).__name__}: {error}"
    return replace(verdict, equal=False, status=Status.ERROR, stage=JUDGE_STAGE, detail=detail)


def _from_bool(equal: bool, verdict: Verdict, name: str) -> Verdict:
    return replace(
        verdict,
        equal=equal,
        status=Status.CORRECT if equal else Status.INCORRECT,
        seconds=0.0,
        cached=False,
        detail=f"{name} says {'yes' if equal else 'no'}",
        judge=name,
        rule="",
    )
