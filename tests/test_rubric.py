from __future__ import annotations

import asyncio
import contextvars
import copy
import functools
import gc
import logging
import math
import pickle
import threading
import time
from collections import UserDict
from fractions import Fraction
from types import SimpleNamespace

import numpy
import pytest

import verifiers_math as vf


def length(completion):
    return len(completion)


async def half(**kwargs):
    return 0.5


def state(completion="x = 4", answer="4", **more):
    return {"prompt": "2+2?", "completion": completion, "answer": answer, **more}


async def scored(*args, on=None, **options):
    """The state after scoring one rollout by a rubric made of the arguments."""
    result = state() if on is None else on
    await vf.Rubric(*args, **options).score_rollout(result)
    return result


# --- construction ------------------------------------------------------------------------------


def test_weights_are_one_by_default():
    assert vf.Rubric([length, half]).weights == [1.0, 1.0]
    assert vf.Rubric([length], []).weights == [1.0]
    assert vf.Rubric().funcs == []


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


def raises(completion):
    raise ValueError("no such file")


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


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_function_is_never_swallowed(kind):
    def interrupted():
        raise kind

    with pytest.raises(kind):
        vf.Rubric([interrupted]).score_rollout_sync(state())


async def test_cancellation_propagates_and_reaches_every_function():
    cancelled = []
    begun = asyncio.Barrier(4)

    async def waits(answer):
        try:
            await begun.wait()
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(answer)
            raise

    states = [state(answer=str(i)) for i in range(3)]
    task = asyncio.create_task(vf.Rubric([waits]).score_group(states))
    await asyncio.wait_for(begun.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(cancelled) == ["0", "1", "2"]
    assert "reward" not in states[0]


async def test_after_a_raise_the_other_rollouts_are_stopped():
    cancelled = []

    async def waits(answer):
        if answer == "bad":
            raise ValueError
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(answer)
            raise

    rubric = vf.Rubric([waits], on_error="raise")
    with pytest.raises(ValueError):  # noqa: PT011 - it has no message
        await rubric.score_group([state(answer="good"), state(answer="bad")])
    assert cancelled == ["good"]


async def test_cancelling_stops_sync_functions_that_have_not_begun():
    started = threading.Event()
    release = threading.Event()
    ran = []

    def waits(answer):
        ran.append(answer)
        started.set()
        release.wait(30)
        return 1.0

    rubric = vf.Rubric([waits], max_concurrency=1)
    scoring = rubric.score_group([state() for _ in range(5)])
    task = asyncio.create_task(scoring)
    await asyncio.to_thread(started.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    release.set()
    await asyncio.sleep(0.05)
    assert len(ran) == 1


# --- threads -----------------------------------------------------------------------------------


async def test_a_sync_function_does_not_block_the_event_loop():
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticker = asyncio.create_task(tick())
    await scored([lambda: time.sleep(0.3) or 1.0])
    ticker.cancel()
    assert ticks > 5


async def test_cheap_sync_metrics_of_a_group_share_one_thread():
    threads = set()

    def note():
        threads.add(threading.get_ident())
        return 1.0

    await vf.Rubric([note, note]).score_group([state() for _ in range(50)])
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_slow_sync_functions_run_for_several_rollouts_at_once():
    running, most = 0, 0
    lock = threading.Lock()

    def slow():
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.1)
        with lock:
            running -= 1
        return 1.0

    await vf.Rubric([slow]).score_group([state() for _ in range(4)])
    assert most > 1


async def test_inline_functions_run_in_the_event_loops_thread():
    result = await scored([lambda: threading.get_ident()], sync="inline", on=state())
    assert result["reward"] == float(threading.get_ident())


async def test_context_variables_reach_functions_in_threads():
    step = contextvars.ContextVar("step")
    step.set(7)
    assert (await scored([lambda: step.get()]))["reward"] == 7.0


@pytest.mark.parametrize("sync", ["thread", "inline"])
async def test_functions_of_a_rollout_run_in_order(sync):
    def first(state):
        state["seen"] = 1
        return 0.0

    async def second(state):
        await asyncio.sleep(0)
        state["seen"] += 1
        return 0.0

    def returns_a_coroutine(state):
        return second(state=state)

    def last(state):
        return state["seen"]

    funcs = [
        first,
        second,
        returns_a_coroutine,
        first,
        returns_a_coroutine,
        returns_a_coroutine,
        last,
    ]
    states = [state() for _ in range(3)]
    await vf.Rubric(funcs, sync=sync).score_group(states)
    assert [s["metrics"]["last"] for s in states] == [3.0] * 3


async def test_async_functions_run_for_all_rollouts_at_once():
    arrived = asyncio.Barrier(5)

    async def meets():
        await asyncio.wait_for(arrived.wait(), 30)
        return 1.0

    states = [state() for _ in range(5)]
    await vf.Rubric([meets]).score_group(states)
    assert [s["reward"] for s in states] == [1.0] * 5


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_concurrency_can_be_limited(kind):
    running, most = 0, 0
    lock = threading.Lock()

    def enter():
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)

    def leave():
        nonlocal running
        with lock:
            running -= 1
        return 1.0

    def blocks():
        enter()
        time.sleep(0.02)
        return leave()

    async def waits():
        enter()
        await asyncio.sleep(0.02)
        return leave()

    rubric = vf.Rubric([blocks if kind == "sync" else waits], max_concurrency=2)
    await rubric.score_group([state() for _ in range(6)])
    assert most <= 2
    assert rubric.max_concurrency == 2


def test_one_rubric_serves_several_event_loops_one_after_another():
    rubric = vf.Rubric([half, length], max_concurrency=1)
    for _ in range(3):
        states = [state() for _ in range(4)]
        asyncio.run(rubric.score_group(states))
        assert [s["reward"] for s in states] == [5.5] * 4
        gc.collect()


def test_one_rubric_serves_event_loops_in_several_threads():
    rubric = vf.Rubric([half, length], max_concurrency=1)
    states = [state() for _ in range(8)]
    threads = [threading.Thread(target=rubric.score_rollout_sync, args=(s,)) for s in states]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [s["reward"] for s in states] == [5.5] * 8


# --- sync twins --------------------------------------------------------------------------------


def test_scripts_score_without_an_event_loop():
    rubric = vf.Rubric([half, length])
    result = state()
    rubric.score_rollout_sync(result)
    assert result["reward"] == 5.5
    states = [state("a"), state("abc")]
    rubric.score_group_sync(states)
    assert [s["advantage"] for s in states] == [-1.0, 1.0]


async def test_sync_scoring_works_while_an_event_loop_is_running():
    step = contextvars.ContextVar("step")
    step.set(7)
    result = state()
    vf.Rubric([half, lambda: step.get()]).score_rollout_sync(result)
    assert result["reward"] == 7.5
    with pytest.raises(ValueError, match="no such file"):
        vf.Rubric([raises], on_error="raise").score_group_sync([state()])


def test_sync_scoring_leaves_the_threads_event_loop_as_it_was():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        vf.Rubric([half]).score_rollout_sync(state())
        assert asyncio.get_event_loop() is loop
    finally:
        asyncio.set_event_loop(None)
        loop.close()


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


# --- groups ------------------------------------------------------------------------------------


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
    started = time.perf_counter()
    await vf.Rubric([half]).score_group(states)
    assert time.perf_counter() - started < 5
    assert states[-1]["reward"] == 0.5


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
