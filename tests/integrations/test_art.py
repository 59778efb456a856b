"""The ART helper, over stand-ins with the fields of ``art.Trajectory`` 0.5."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.errors import UnscoredError
from verifiers_math.integrations.art import ascore_trajectory, score_trajectory


@dataclass
class Trajectory:
    messages_and_choices: list[Any] = field(default_factory=list)
    reward: float = 0.0
    metrics: dict[str, float | int | bool] = field(default_factory=dict)
    exchanges: Any = None

    def history(self) -> Any:
        chat = SimpleNamespace(messages=self.exchanges)
        return SimpleNamespace(as_chat_completions_history=lambda: chat)


def choice(content: str | None) -> SimpleNamespace:
    """A choice of OpenAI's chat API, as a client returns it."""
    return SimpleNamespace(
        message=SimpleNamespace(role="assistant", content=content), finish_reason="stop"
    )


def trajectory(content: str | None, question: str = "What is 12 + 30?") -> Trajectory:
    return Trajectory([{"role": "user", "content": question}, choice(content)], metrics={"x": 1})


def test_reward_and_metrics_are_set() -> None:
    right, wrong = trajectory(r"So \boxed{42}"), trajectory(r"So \boxed{43}")
    assert score_trajectory(right, "42").equal
    assert not score_trajectory(wrong, "42").equal
    assert (right.reward, wrong.reward) == (1.0, 0.0)
    assert (right.metrics["acc"], right.metrics["x"]) == (1.0, 1)


def test_messages_of_the_newer_representation_are_read() -> None:
    exchanges = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": r"\boxed{42}"},
    ]
    made = Trajectory(exchanges=exchanges)
    assert score_trajectory(made, "42").equal
    assert made.reward == 1.0


def test_the_messages_before_the_last_are_the_question() -> None:
    assert not score_trajectory(trajectory(r"\boxed{12 + 30}"), "42").equal
    assert score_trajectory(trajectory(r"\boxed{12 + 30}"), "42", prompt="?").equal


@pytest.mark.parametrize(
    "made", [Trajectory(), trajectory(None), trajectory("")], ids=["none", "call", "empty"]
)
def test_a_trajectory_without_a_word_has_no_answer(made: Trajectory) -> None:
    assert score_trajectory(made, "42").status == "no_answer"
    assert (made.reward, made.metrics["no_answer"]) == (0.0, 1.0)


def test_an_unreadable_gold_is_a_metric_or_an_exception() -> None:
    made = trajectory(r"\boxed{42}")
    score_trajectory(made, None)
    assert (made.reward, made.metrics["scored"]) == (0.0, 0.0)
    with pytest.raises(UnscoredError, match="gold_unreadable"):
        score_trajectory(made, None, unscored="raise")
    with pytest.raises(ValueError, match="'zero' or 'raise', not 'none'"):
        score_trajectory(made, None, unscored="none")  # type: ignore[arg-type] # no such choice


def test_rollouts_on_one_loop_are_judged_at_once_and_a_stuck_one_costs_only_itself() -> None:
    judge = answer_judge(timeout_seconds=1)
    given = [(STUCK, STUCK_GOLD), (NEEDS_WORKER, NEEDS_WORKER_GOLD), (r"\boxed{4}", "4")]

    async def rollout(content: str, gold: str) -> Trajectory:
        made = trajectory(content)
        await ascore_trajectory(made, gold, unscored="raise", judge=judge)
        return made

    async def group() -> list[Trajectory | BaseException]:
        calls = (rollout(content, gold) for content, gold in given)
        return await asyncio.gather(*calls, return_exceptions=True)

    stuck, hard, easy = asyncio.run(group())
    assert isinstance(stuck, UnscoredError)
    assert stuck.verdict.status == "timeout"
    assert [made.reward for made in (hard, easy) if isinstance(made, Trajectory)] == [1.0, 1.0]


def test_something_that_is_no_trajectory_is_an_error() -> None:
    with pytest.raises(TypeError, match="a trajectory has messages_and_choices"):
        score_trajectory([{"role": "assistant", "content": "4"}], "4")
