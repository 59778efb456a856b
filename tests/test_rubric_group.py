from __future__ import annotations

import asyncio
import pickle

import pytest

import verifiers_math as vf


def length(completion):
    return len(completion)


async def half():
    return 0.5


def raises():
    raise ValueError("no")


def state(completion="x = 4", **more):
    return {"completion": completion, "answer": "4", **more}


async def test_rewards_are_summed_and_metrics_of_one_name_added():
    group = vf.RubricGroup([vf.Rubric([length, half]), vf.Rubric([half], [2.0]), vf.Rubric()])
    result = state()
    await group.score_rollout(result)
    assert result["reward"] == 6.5
    assert result["metrics"] == {"length": 5.0, "half": 1.0}


async def test_the_advantage_and_the_steps_come_from_the_sum():
    group = vf.RubricGroup([vf.Rubric([length]), vf.Rubric([half]), vf.Rubric([length], [-0.5])])
    states = [state("x" * n, trajectory=[{"reward": None, "advantage": None}]) for n in (2, 6)]
    await group.score_group(states)
    assert [s["reward"] for s in states] == [1.5, 3.5]
    assert [s["advantage"] for s in states] == [-1.0, 1.0]
    assert states[0]["trajectory"] == [{"reward": 1.5, "advantage": -1.0}]
    assert states[1]["trajectory"] == [{"reward": 3.5, "advantage": 1.0}]


async def test_members_score_at_once():
    met = asyncio.Barrier(2)

    async def meets():
        await asyncio.wait_for(met.wait(), 30)
        return 1.0

    result = state()
    await vf.RubricGroup([vf.Rubric([meets]), vf.Rubric([meets])]).score_rollout(result)
    assert result["reward"] == 2.0


async def test_members_see_none_of_each_others_results():
    def sees(state):
        return float(any(name in state for name in ("reward", "metrics", "errors")))

    result = state()
    await vf.RubricGroup([vf.Rubric([sees]), vf.Rubric([sees])]).score_rollout(result)
    assert result["reward"] == 0.0


async def test_what_members_put_into_a_state_is_their_own_and_the_last_ones_stays():
    first_is_done = asyncio.Event()

    def writer(name, wait_for=None):
        async def writes(state):
            if wait_for is not None:
                await asyncio.wait_for(wait_for.wait(), 30)
            seen = state.get("by")
            state.update({"by": name, name: seen})
            first_is_done.set()
            return 1.0

        return writes

    members = [vf.Rubric([writer("slow", first_is_done)]), vf.Rubric([writer("quick")])]
    result = state()
    await vf.RubricGroup(members, [writer("own")]).score_rollout(result)
    assert (result["slow"], result["quick"], result["own"]) == (None, None, None)
    assert result["by"] == "own"
    await vf.RubricGroup(members).score_rollout(result)
    assert result["by"] == "quick"  # whoever was done last


async def test_functions_of_the_group_itself_are_scored_with_its_own_parser():
    def own_parser(parser):
        return isinstance(parser, vf.ThinkParser)

    group = vf.RubricGroup(
        [vf.Rubric([half])], funcs=[own_parser], weights=[3.0], parser=vf.ThinkParser()
    )
    result = state()
    await group.score_rollout(result)
    assert result["reward"] == 3.5
    assert result["metrics"] == {"half": 0.5, "own_parser": 1.0}


async def test_each_member_uses_its_own_parser_and_objects():
    def named(parser, name):
        return {name: type(parser) is vf.ThinkParser}

    members = [vf.Rubric([named], parser=vf.ThinkParser()), vf.Rubric([named])]
    for rubric, name in zip(members, ("first", "second"), strict=True):
        rubric.add_class_object("name", name)
    result = state()
    await vf.RubricGroup(members).score_rollout(result)
    assert result["metrics"] == {"first": 1.0, "second": 0.0}


async def test_errors_of_the_members_are_merged():
    group = vf.RubricGroup([vf.Rubric([raises]), vf.Rubric([raises, half])])
    result = state()
    await group.score_rollout(result)
    assert result["reward"] == 0.5
    assert result["errors"] == {"raises": "ValueError: no; ValueError: no"}


async def test_a_member_that_raises_stops_the_others():
    stopped = []

    async def waits():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    async def raises_later():
        await asyncio.sleep(0.01)
        raise ValueError("no")

    group = vf.RubricGroup([vf.Rubric([waits]), vf.Rubric([raises_later], on_error="raise")])
    with pytest.raises(ValueError, match="no"):
        await group.score_rollout(state())
    assert stopped == [True]


async def test_a_missing_argument_of_any_member_is_found_before_a_function_runs():
    ran = []
    group = vf.RubricGroup(
        [vf.Rubric([lambda: ran.append(1) or 1.0]), vf.RubricGroup([vf.Rubric([lambda typo: 1.0])])]
    )
    with pytest.raises(vf.MissingArgumentError, match="typo"):
        await group.score_group([state()])
    assert ran == []


async def test_a_reward_that_one_member_cannot_give_is_none_for_the_group():
    def judged(completion):
        status = vf.Status.TIMEOUT if completion == "slow" else vf.Status.CORRECT
        fast = status is vf.Status.CORRECT
        return vf.Verdict(fast, status, "math_verify", "4", "4", 0.0, False, "because", "1/default")

    group = vf.RubricGroup([vf.Rubric([half]), vf.Rubric([judged], unscored="none")])
    states = [state("4"), state("slow")]
    await group.score_group(states)
    assert [s["reward"] for s in states] == [1.5, None]
    assert [s["advantage"] for s in states] == [0.0, 0.0]


async def test_groups_can_be_nested():
    inner = vf.RubricGroup([vf.Rubric([half]), vf.Rubric([half])], scale_rewards=True)
    states = [state("x"), state("xxx")]
    await vf.RubricGroup([inner, vf.Rubric([length])]).score_group(states)
    assert [s["reward"] for s in states] == [2.0, 4.0]
    assert [s["advantage"] for s in states] == [-1.0, 1.0]


def test_a_group_needs_rubrics():
    with pytest.raises(ValueError, match="at least one rubric"):
        vf.RubricGroup([])
    with pytest.raises(TypeError, match="function"):
        vf.RubricGroup([length])


def test_what_is_added_goes_to_the_first_rubric():
    first, second = vf.Rubric([half]), vf.Rubric([half])
    group = vf.RubricGroup([first, second], funcs=[half])
    group.add_reward_func(length, 0.5)
    group.add_metric(raises)
    group.add_class_object("tool", 7)
    assert first.funcs == [half, length, raises]
    assert first.weights == [1.0, 0.5, 0.0]
    assert second.funcs == [half]
    assert first.class_objects["tool"] == group.class_objects["tool"] == 7
    assert "tool" not in second.class_objects
    assert group._get_reward_func_names() == ["half", "length", "raises", "half_2", "half_3"]
    assert group._get_reward_weights() == [1.0, 0.5, 0.0, 1.0, 1.0]


class OwnWay(vf.Rubric):
    """Scores as older code does: by its own method, writing into the state."""

    async def score_rollout(self, state):
        assert "reward" not in state
        state["reward"] = 3.0
        state["metrics"] = {"own": 3.0}
        state["note"] = "kept"


class OwnWayForGroups(vf.Rubric):
    async def score_group(self, states):
        for i, one in enumerate(states):
            one.update(reward=float(i), metrics={"own": 1.0}, advantage=99.0)
            for step in one["trajectory"]:
                step["reward"] = 99.0


async def test_members_with_their_own_way_of_scoring_are_respected():
    group = vf.RubricGroup([vf.Rubric([half]), OwnWay(), OwnWayForGroups()])
    states = [state(trajectory=[{}], timing={"total_ms": 1.0}) for _ in range(2)]
    await group.score_group(states)
    assert [s["reward"] for s in states] == [3.5, 4.5]
    assert [s["advantage"] for s in states] == [-0.5, 0.5]
    assert states[0]["metrics"] == {"half": 0.5, "own": 4.0}
    assert states[0]["note"] == "kept"
    assert states[0]["trajectory"] == [{"reward": 3.5, "advantage": -0.5}]


class Failing(vf.Rubric):
    def close(self):
        raise OSError("stuck")

    async def cleanup(self, state):
        raise OSError("stuck")


class Noting(vf.Rubric):
    def __init__(self):
        super().__init__()
        self.notes = []

    def close(self):
        self.notes.append("close")

    async def cleanup(self, state):
        self.notes.append("cleanup")


async def test_every_member_is_closed_even_behind_one_that_fails():
    noting = Noting()
    group = vf.RubricGroup([Failing(), noting])
    with pytest.raises(ExceptionGroup, match="clean up"):
        await group.cleanup(state())
    with pytest.raises(ExceptionGroup, match="tear down"):
        await group.teardown()
    with pytest.raises(ExceptionGroup, match="close"):
        group.close()
    assert noting.notes == ["cleanup", "close", "close"]


async def test_groups_can_be_pickled():
    group = pickle.loads(pickle.dumps(vf.RubricGroup([vf.Rubric([length])], funcs=[half])))
    result = state()
    await group.score_rollout(result)
    assert result["reward"] == 5.5


def test_groups_score_from_sync_code():
    states = [state("x"), state("xxx")]
    vf.RubricGroup([vf.Rubric([length])]).score_group_sync(states)
    assert [s["advantage"] for s in states] == [-1.0, 1.0]


async def test_answers_are_judged_inside_a_group(verifier):
    group = vf.RubricGroup([vf.MathRubric(verifier=verifier), vf.Rubric([half])])
    states = [state(r"\boxed{4}"), state(r"\boxed{5}")]
    await group.score_group(states)
    assert [s["reward"] for s in states] == [1.5, 0.5]
    assert [s["verdict"].status for s in states] == [vf.Status.CORRECT, vf.Status.INCORRECT]
