"""The helper with ART's own trajectories and its gathering."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD
from verifiers_math.integrations.art import ascore_trajectory, score_trajectory

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of ART's many dependencies
    art = pytest.importorskip("art", reason="needs openpipe-art")
    art_types = pytest.importorskip("art.types", reason="needs openpipe-art")

QUESTION = {"role": "user", "content": "What is 12 + 30?"}


def trajectory(content: str) -> Any:
    choice = art_types.Choice(
        finish_reason="stop", index=0, message={"role": "assistant", "content": content}
    )
    return art.Trajectory(messages_and_choices=[QUESTION, choice])


@pytest.mark.parametrize(
    ("content", "gold", "reward"),
    [
        (r"So \boxed{42}", "42", 1.0),
        (r"So \boxed{43}", "42", 0.0),
        (r"\boxed{12 + 30}", "42", 0.0),
        (NEEDS_WORKER, NEEDS_WORKER_GOLD, 1.0),
    ],
    ids=["right", "wrong", "restated", "worker"],
)
def test_a_trajectory_has_its_reward_and_metrics(content: str, gold: str, reward: float) -> None:
    made = trajectory(content)
    score_trajectory(made, gold)
    assert (made.reward, made.metrics["acc"]) == (reward, reward)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::tqdm.TqdmWarning")
def test_a_rollout_that_raises_is_left_out_of_its_group() -> None:
    async def rollout(gold: Any) -> Any:
        made = trajectory(r"\boxed{42}")
        await ascore_trajectory(made, gold, unscored="raise")
        return made

    async def train() -> Any:
        group = art.TrajectoryGroup(rollout(gold) for gold in ("42", None, "43"))
        return await art.gather_trajectory_groups([group], max_exceptions=1)

    (group,) = asyncio.run(train())
    assert sorted(made.reward for made in group.trajectories) == [0.0, 1.0]
    assert "gold_unreadable" in str(group.exceptions[0])
