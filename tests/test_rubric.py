"""A rubric: how it is made, what its functions get, its states and its life."""

from __future__ import annotations

import copy
import functools
import math
import pickle
from collections import UserDict

import numpy as np
import pytest

import verifiers_math as vf
from tests.rollouts import half, length, scored, state

# --- construction ------------------------------------------------------------------------------


def test_weights_are_one_by_default():
    assert vf.Rubric([length, half]).weights == [1.0, 1.0]
    assert vf.Rubric([length], []).weights == [1.0]
    assert vf.Rubric().funcs == []


def test_weights_may_be_an_array():
    assert vf.Rubric([length, half], np.array([0.5, 0.0])).weights == [0.5, 0.0]
    assert vf.MathRubric([length, half], np.array([0.5, 0.0])).weights == [0.5, 0.0, 1.0]


MISMATCHES = [([length], [1.0, 2.0]), ([length, half], [1.0]), (None, [1.0])]


@pytest.mark.parametrize(("funcs", "weights"), MISMATCHES)
def test_a_mismatch_of_weights_says_how_many_there_are(funcs, weights):
    expected = rf"\({len(weights)}\) must match number of functions \({len(funcs or [])}\)"
    with pytest.raises(ValueError, match=expected):
        vf.Rubric(funcs, weights)


def test_the_callers_lists_are_left_alone():
    funcs, weights = [length], [0.5]
    rubric = vf.Rubric(funcs, weights)
    rubric.add_reward_func(half)
    assert (funcs, weights) == ([length], [0.5])
    assert (rubric.funcs, rubric.weights) == ([length, half], [0.5, 1.0])


BAD_ARGUMENTS = [
    ({"timeout": 3}, TypeError, "timeout"),
    ({"funcs": ["length"]}, TypeError, "callable"),
    ({"on_error": "ignore"}, ValueError, "on_error"),
    ({"sync": "fork"}, ValueError, "sync"),
    ({"unscored": "nan"}, ValueError, "unscored"),
    ({"max_concurrency": 0}, ValueError, "max_concurrency"),
    ({"funcs": [length], "weights": [math.nan]}, ValueError, "finite"),
]


@pytest.mark.parametrize(("options", "error", "words"), BAD_ARGUMENTS)
def test_bad_arguments_are_refused_by_name(options, error, words):
    with pytest.raises(error, match=words):
        vf.Rubric(**options)


def test_a_refused_function_leaves_the_rubric_as_it_was():
    rubric = vf.Rubric([length])
    with pytest.raises(ValueError, match="finite"):
        rubric.add_reward_func(half, math.inf)
    with pytest.raises(TypeError, match="callable"):
        rubric.add_metric(None)
    assert rubric.funcs == [length]
    assert rubric.weights == [1.0]


def test_names_functions_and_weights_can_be_asked_for():
    rubric = vf.Rubric([length, length], [1.0, 0.25])
    assert rubric._get_reward_func_names() == ["length", "length_2"]
    assert rubric._get_reward_funcs() == [length, length]
    assert rubric._get_reward_weights() == [1.0, 0.25]
    assert repr(rubric) == "Rubric(length: 1, length_2: 0.25)"


async def test_a_parser_set_later_is_the_one_that_functions_get():
    rubric = vf.Rubric([lambda parser: parser is replaced])
    replaced = rubric.parser = vf.ThinkParser()
    result = state()
    await rubric.score_rollout(result)
    assert result["reward"] == 1.0


# --- arguments ---------------------------------------------------------------------------------


async def test_functions_get_what_they_name():
    seen = {}

    def look(prompt, completion, answer, state, task, info, parser):
        seen.update(prompt=prompt, completion=completion, answer=answer, task=task, info=info)
        return state["answer"] == answer and isinstance(parser, vf.Parser)

    result = await scored([look], on=state(task="sums", info={"level": 3}))
    assert result["reward"] == 1.0
    assert seen == {
        "prompt": "2+2?",
        "completion": "x = 4",
        "answer": "4",
        "task": "sums",
        "info": {"level": 3},
    }


async def test_what_a_state_lacks_has_its_natural_default():
    seen = {}
    await scored([lambda **kwargs: seen.update(kwargs) or 1.0], on={"completion": None})
    del seen["parser"], seen["state"]
    assert seen == {"prompt": "", "completion": "", "answer": "", "task": "", "info": {}}


async def test_a_gold_of_none_is_handed_on_as_none():
    assert (await scored([lambda answer: answer is None], on=state(answer=None)))["reward"] == 1.0


async def test_class_objects_are_offered_and_win():
    rubric = vf.Rubric([lambda tool, answer: tool + (answer == "mine")])
    rubric.add_class_object("tool", 2)
    rubric.add_class_object("answer", "mine")
    result = state()
    await rubric.score_rollout(result)
    assert result["reward"] == 3.0


@pytest.mark.parametrize("on_error", ["zero", "raise"])
async def test_a_missing_argument_is_raised_before_any_function_runs(on_error):
    ran = []

    def typo(compeltion):
        return 1.0

    rubric = vf.Rubric([lambda: ran.append(1) or 1.0, typo], on_error=on_error)
    for score in (rubric.score_rollout(state()), rubric.score_group([state()])):
        with pytest.raises(vf.MissingArgumentError, match=r"'typo' requires .*'compeltion'"):
            await score
    assert ran == []


async def test_an_optional_argument_that_nobody_supplies_keeps_its_default():
    assert (await scored([lambda completion, tasks=7: tasks]))["reward"] == 7.0


# --- states ------------------------------------------------------------------------------------


class SubclassOfDict(dict):
    pass


@pytest.mark.parametrize("kind", [dict, SubclassOfDict, UserDict])
async def test_any_mutable_mapping_is_a_state(kind):
    result = kind(state())
    await vf.Rubric([length]).score_group([result])
    assert result["reward"] == 5.0
    assert result["advantage"] == 0.0


async def test_a_rubric_without_functions_gives_zero():
    result = await scored()
    assert (result["reward"], result["metrics"]) == (0.0, {})


async def test_timing_is_written_where_it_is_there():
    result = await scored([half], on=state(timing={"scoring_ms": 0.0, "total_ms": 100.0}))
    timing = result["timing"]
    assert timing["scoring_ms"] > 0.0
    assert timing["total_ms"] == pytest.approx(100.0 + timing["scoring_ms"])
    await vf.Rubric([half]).score_rollout(result)  # scoring again does not add twice
    assert timing["total_ms"] == pytest.approx(100.0 + timing["scoring_ms"])
    assert "timing" not in await scored([half])


@pytest.mark.parametrize("timing", [{}, {"total_ms": None}, None])
async def test_an_incomplete_timing_is_no_hindrance(timing):
    assert (await scored([half], on=state(timing=timing)))["reward"] == 0.5


# --- life cycle --------------------------------------------------------------------------------


async def test_a_plain_rubric_has_the_hooks_and_nothing_to_do():
    rubric = vf.Rubric([half])
    await rubric.cleanup(state())
    await rubric.teardown()
    rubric.close()
    rubric.close()


async def test_both_kinds_of_with_close_a_rubric():
    closed = []

    class Closing(vf.Rubric):
        def close(self):
            closed.append(self)

    with Closing() as one:
        pass
    async with Closing() as two:
        pass
    assert closed == [one, two]


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))]
)
async def test_rubrics_can_be_copied_and_pickled(clone):
    rubric = vf.Rubric([length, functools.partial(length)], max_concurrency=3)
    await rubric.score_group([state(), state()])
    result = state()
    twin = clone(rubric)
    await twin.score_rollout(result)
    assert result["metrics"] == {"length": 5.0, "length_2": 5.0}
    assert twin.max_concurrency == 3


# --- what environments ask ----------------------------------------------------------------------


def test_a_rubric_says_whether_it_scores_groups():
    def alone(completion):
        return 1.0

    def together(completions):
        return [1.0] * len(completions)

    rubric = vf.Rubric([alone])
    assert not rubric.has_group_rewards
    assert not rubric.has_advantages
    rubric.add_metric(together)
    assert rubric.has_group_rewards
    assert vf.RubricGroup([vf.Rubric([alone]), rubric]).has_group_rewards
    assert not vf.RubricGroup([vf.Rubric([alone])]).has_group_rewards


async def test_an_environment_that_is_told_not_to_score_gets_zeros():
    states = [{"reward": None, "metrics": None}, {}]
    await vf.Rubric().dummy_score_group(states)
    assert states == [{"reward": 0.0, "metrics": {}}] * 2
