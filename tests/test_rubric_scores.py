"""What reward functions return, and what it counts: numbers, nonsense, errors, verdicts."""

from __future__ import annotations

import asyncio
import logging
import math
from fractions import Fraction

import numpy
import pytest

import verifiers_math as vf
from tests.rollouts import half, length, raises, scored, state

# --- returns -----------------------------------------------------------------------------------

NUMBERS = [
    (1, 1.0),
    (0.25, 0.25),
    (-2, -2.0),
    (True, 1.0),
    (False, 0.0),
    ("0.5", 0.5),
    (Fraction(1, 4), 0.25),
    (numpy.float32(0.5), 0.5),
    (numpy.int64(3), 3.0),
    (numpy.bool_(True), 1.0),
    (numpy.array(0.5), 0.5),
]


@pytest.mark.parametrize(("value", "score"), NUMBERS)
async def test_whatever_is_a_number_is_a_score(value, score):
    result = await scored([lambda: value])
    assert result["reward"] == score
    assert type(result["metrics"]["<lambda>"]) is float
    assert result["errors"] == {}


class Hostile:
    def __float__(self):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")


NONSENSE = [
    (None, "returned None"),
    (math.nan, "returned nan"),
    (-math.inf, "returned -inf"),
    ("nan", "returned nan"),
    ("four", "returned 'four', not a number"),
    ([1.0], "returned a list, not a number"),
    ((), "returned a tuple, not a number"),
    (1j, "returned a complex, not a number"),
    (b"1", "returned a bytes, not a number"),
    (10**400, "returned an int, not a number"),
    (numpy.array([0.5]), "returned a ndarray, not a number"),
    (object(), "returned an object, not a number"),
    (Hostile(), "returned a Hostile, not a number"),
    ("x" * 10_000, f"returned '{'x' * 40}', not a number"),
]


@pytest.mark.parametrize(("value", "reason"), NONSENSE, ids=[reason for _, reason in NONSENSE])
async def test_nonsense_counts_zero_and_its_reason_is_kept(value, reason):
    def nonsense():
        return value

    result = await scored([nonsense, half])
    assert result["reward"] == 0.5
    assert result["metrics"] == {"nonsense": 0.0, "half": 0.5}
    assert result["errors"] == {"nonsense": reason}
    with pytest.raises(vf.RewardValueError, match="nonsense"):
        await scored([nonsense], on_error="raise")


async def test_a_mapping_becomes_a_metric_for_each_name():
    result = await scored([lambda: {"short": 0.5, "clear": True, 3: "0.25"}], [2.0])
    assert result["metrics"] == {"short": 0.5, "clear": 1.0, "3": 0.25}
    assert result["reward"] == 3.5


async def test_a_bad_value_in_a_mapping_spoils_only_itself():
    result = await scored([lambda: {"good": 1.0, "bad": math.nan}])
    assert result["metrics"] == {"good": 1.0, "bad": 0.0}
    assert result["errors"] == {"bad": "returned nan"}


async def test_names_of_a_mapping_never_replace_another_metric():
    def parts():
        return {"half": 1.0, "own": 2.0}

    def more():
        return {"own": 3.0}

    result = await scored([parts, half, more])
    assert result["metrics"] == {"parts.half": 1.0, "own": 2.0, "half": 0.5, "more.own": 3.0}
    assert result["reward"] == 6.5


async def test_a_verdict_is_a_score(verifier):
    result = await scored([lambda completion, answer: verifier.verify(answer, completion)])
    assert result["reward"] == 1.0


async def test_a_sum_beyond_all_floats_counts_zero():
    result = await scored([lambda: 1e308, lambda: 1e308])
    assert result["reward"] == 0.0
    assert result["errors"] == {"reward": "the weighted sum is inf"}


async def test_rewards_are_weighted_sums_and_metrics_raw_scores():
    result = await scored([length, half], [0.5, 2.0])
    assert result["reward"] == 3.5
    assert result["metrics"] == {"length": 5.0, "half": 0.5}


async def test_a_metric_is_recorded_without_counting():
    rubric = vf.Rubric([half])
    rubric.add_metric(length)
    rubric.add_metric(lambda: 1.0, 0.25)
    result = state()
    await rubric.score_rollout(result)
    assert result["reward"] == 0.75
    assert result["metrics"] == {"half": 0.5, "length": 5.0, "<lambda>": 1.0}


# --- errors ------------------------------------------------------------------------------------


async def raises_later(completion):
    await asyncio.sleep(0)
    raise KeyError("score")


@pytest.mark.parametrize("sync", ["thread", "inline"])
async def test_a_function_that_raises_counts_zero_and_its_reason_is_kept(sync):
    result = await scored([raises, raises_later, half], sync=sync)
    assert result["reward"] == 0.5
    assert result["metrics"] == {"raises": 0.0, "raises_later": 0.0, "half": 0.5}
    assert result["errors"] == {
        "raises": "ValueError: no such file",
        "raises_later": "KeyError: 'score'",
    }


@pytest.mark.parametrize("func", [raises, raises_later])
@pytest.mark.parametrize("sync", ["thread", "inline"])
@pytest.mark.parametrize("size", [1, 3])
async def test_errors_can_be_raised_instead_and_then_nothing_is_written(func, sync, size):
    states = [state() for _ in range(size)]
    rubric = vf.Rubric([half, func], on_error="raise", sync=sync)
    with pytest.raises((ValueError, KeyError)) as caught:
        await rubric.score_group(states)
    assert caught.value.__notes__ == [f"raised by the reward function '{func.__name__}'"]
    assert states == [state() for _ in range(size)]


async def test_stop_iteration_in_a_thread_does_not_hang():
    def stops():
        raise StopIteration

    result = await asyncio.wait_for(scored([stops]), 30)
    assert result["errors"] == {"stops": "StopIteration"}


async def test_an_error_is_logged_once_and_its_traceback_at_debug(caplog):
    rubric = vf.Rubric([raises])
    with caplog.at_level(logging.DEBUG, "verifiers_math"):
        await rubric.score_group([state() for _ in range(3)])
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    debugs = [record for record in caplog.records if record.levelno == logging.DEBUG]
    assert len(errors) == 1
    assert "'raises'" in errors[0].getMessage()
    assert "no such file" in errors[0].getMessage()
    assert errors[0].exc_info is None
    assert len(debugs) == 3
    assert all(record.exc_info for record in debugs)
    assert errors[0].name == "verifiers_math.rubrics.rubric.Rubric"


async def test_old_metrics_and_errors_are_replaced():
    result = await scored([half], on=state(metrics={"old": 1.0}, errors={"old": "x"}, reward=9.0))
    assert (result["reward"], result["metrics"], result["errors"]) == (0.5, {"half": 0.5}, {})


# --- verdicts that say nothing -----------------------------------------------------------------


def verdict(status, equal=False):
    return vf.Verdict(equal, status, "math_verify", "4", "5", 0.0, False, "because", "1/default")


def judged(info):
    return verdict(info["status"], info["status"] is vf.Status.CORRECT)


STATUSES = [vf.Status.CORRECT, vf.Status.TIMEOUT, vf.Status.INCORRECT, vf.Status.GOLD_UNREADABLE]


async def test_unscored_rollouts_count_zero_by_default():
    states = [state(info={"status": status}) for status in STATUSES]
    await vf.Rubric([judged]).score_group(states)
    assert [s["reward"] for s in states] == [1.0, 0.0, 0.0, 0.0]
    assert [s["advantage"] for s in states] == [0.75, -0.25, -0.25, -0.25]
    assert states[1]["errors"] == {"judged": "timeout: because"}
    assert states[2]["errors"] == {}


async def test_unscored_rollouts_can_stay_out_of_the_group():
    states = [state(info={"status": status}, trajectory=[{}]) for status in STATUSES]
    await vf.Rubric([judged, half], unscored="none").score_group(states)
    assert [s["reward"] for s in states] == [1.5, None, 0.5, None]
    assert [s["advantage"] for s in states] == [0.5, 0.0, -0.5, 0.0]
    assert states[1]["trajectory"] == [{"reward": None, "advantage": 0.0}]
    assert states[1]["metrics"] == {"judged": 0.0, "half": 0.5}


async def test_a_group_that_is_unscored_as_a_whole_has_no_advantage():
    states = [state(info={"status": vf.Status.TIMEOUT}) for _ in range(2)]
    await vf.Rubric([judged], unscored="none", scale_rewards=True).score_group(states)
    assert [(s["reward"], s["advantage"]) for s in states] == [(None, 0.0)] * 2


async def test_a_mere_metric_does_not_make_a_rollout_unscored():
    on = state(info={"status": vf.Status.TIMEOUT})
    assert (await scored([judged, half], [0.0, 1.0], unscored="none", on=on))["reward"] == 0.5
