"""Groups of rollouts: advantages, steps of trajectories, and functions of whole groups."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import numpy
import pytest

import verifiers_math as vf
from tests.rollouts import half, length, scored, state


async def test_advantage_is_reward_minus_the_groups_mean():
    states = [state(completion="x" * n) for n in (1, 3, 8)]
    await vf.Rubric([length]).score_group(states)
    assert [s["reward"] for s in states] == [1.0, 3.0, 8.0]
    assert [s["advantage"] for s in states] == [-3.0, -1.0, 4.0]


async def test_advantages_can_be_scaled_by_the_deviation():
    states = [state(completion="x" * n) for n in (1, 3)]
    await vf.Rubric([length], scale_rewards=True).score_group(states)
    assert [s["advantage"] for s in states] == pytest.approx([-0.7071, 0.7071], abs=1e-3)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("size", [1, 3, 7])
async def test_equal_rewards_have_exactly_no_advantage(scale, size):
    states = [state() for _ in range(size)]
    await vf.Rubric([lambda: 0.1], scale_rewards=scale).score_group(states)
    assert [s["advantage"] for s in states] == [0.0] * size


async def test_an_empty_group_is_a_warning(caplog):
    await vf.Rubric([half]).score_group([])
    assert "no rollouts" in caplog.text


async def test_only_the_missing_parts_of_steps_are_filled():
    as_object = SimpleNamespace(reward=None, advantage=0.5)
    trajectory = [{"reward": None, "advantage": None}, {"reward": 7.0}, as_object]
    states = [
        state(completion="x", trajectory=trajectory),
        state(completion="xxx", trajectory=None),
    ]
    await vf.Rubric([length]).score_group(states)
    assert trajectory[:2] == [
        {"reward": 1.0, "advantage": -1.0},
        {"reward": 7.0, "advantage": -1.0},
    ]
    assert (as_object.reward, as_object.advantage) == (1.0, 0.5)


async def test_scoring_a_rollout_leaves_its_steps_alone():
    result = await scored([half], on=state(trajectory=[{"reward": None}]))
    assert result["trajectory"] == [{"reward": None}]
    assert "advantage" not in result


def ranks(completions, answers, prompts, tasks, infos, states, parser):
    assert len(completions) == len(answers) == len(prompts) == len(tasks) == len(infos)
    assert states[0]["completion"] == completions[0]
    return [sorted(completions, key=len).index(c) for c in completions]


async def ranks_later(completions) -> list[float]:
    await asyncio.sleep(0)
    return [0.5 for _ in completions]


@pytest.mark.parametrize("sync", ["thread", "inline"])
async def test_group_functions_score_all_rollouts_in_one_call(sync):
    states = [state(completion="x" * n) for n in (3, 1, 2)]
    await vf.Rubric([length, ranks, ranks_later], [0.0, 1.0, 1.0], sync=sync).score_group(states)
    assert [s["reward"] for s in states] == [2.5, 0.5, 1.5]
    assert states[0]["metrics"] == {"length": 3.0, "ranks": 2.0, "ranks_later": 0.5}


async def test_a_group_function_gets_a_single_rollout_as_a_group_of_one():
    assert (await scored([ranks_later]))["reward"] == 0.5


GROUP_RETURNS = [
    ([1, 2], [1.0, 2.0], {}),
    ((1, "0.5"), [1.0, 0.5], {}),
    (numpy.array([0.25, 0.5]), [0.25, 0.5], {}),
    ([1, None], [1.0, 0.0], {"group": "returned None"}),
    ([1], [0.0, 0.0], {"group": "returned 1 scores for 2 rollouts"}),
    ([1, 2, 3], [0.0, 0.0], {"group": "returned 3 scores for 2 rollouts"}),
    (1.0, [0.0, 0.0], {"group": "returned a float, not a list of 2 scores"}),
    (None, [0.0, 0.0], {"group": "returned a NoneType, not a list of 2 scores"}),
    ("12", [0.0, 0.0], {"group": "returned '12', not a list of 2 scores"}),
    ({1, 2}, [0.0, 0.0], {"group": "returned a set, not a list of 2 scores"}),
    (numpy.array(1.0), [0.0, 0.0], {"group": "TypeError: iteration over a 0-d array"}),
    ([{"a": 1}, {"a": 2, "b": 1}], [1.0, 3.0], {}),
    ({"a": [1, 2], "b": [0, 1]}, [1.0, 3.0], {}),
]


@pytest.mark.parametrize(("value", "rewards", "last_errors"), GROUP_RETURNS)
async def test_what_a_group_function_returns_is_split_or_refused(value, rewards, last_errors):
    def group(states):
        return value

    states = [state(), state()]
    await vf.Rubric([group]).score_group(states)
    assert [s["reward"] for s in states] == rewards
    assert states[1]["errors"] == last_errors


async def test_a_group_function_that_raises_costs_every_rollout_its_score():
    def group(states):
        raise OSError("gone")

    states = [state(), state()]
    await vf.Rubric([group, half]).score_group(states)
    assert [s["reward"] for s in states] == [0.5, 0.5]
    assert states[1]["errors"] == {"group": "OSError: gone"}
    with pytest.raises(OSError, match="gone"):
        await vf.Rubric([group], on_error="raise").score_group(states)


async def test_a_large_group_costs_little():
    states = [state() for _ in range(1024)]
    started = time.process_time()
    await vf.Rubric([half]).score_group(states)
    assert time.process_time() - started < 5
    assert states[-1]["reward"] == 0.5
