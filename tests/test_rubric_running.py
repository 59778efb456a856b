"""Where reward functions run: threads, event loops, sync twins; and how they are stopped."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import time

import pytest

import verifiers_math as vf
from tests.rollouts import half, length, raises, scored, state
from verifiers_math.rubrics import running

# --- threads -----------------------------------------------------------------------------------


async def test_a_sync_function_does_not_block_the_event_loop():
    goes_on = threading.Event()
    asyncio.get_running_loop().call_later(0.01, goes_on.set)
    assert (await scored([lambda: goes_on.wait(30)]))["reward"] == 1.0


async def test_cheap_sync_metrics_of_a_group_share_one_thread(monkeypatch):
    monkeypatch.setattr(running, "PATIENCE_SECONDS", 30.0)  # on a busy machine nothing is cheap
    threads = set()

    def note():
        threads.add(threading.get_ident())
        return 1.0

    await vf.Rubric([note, note]).score_group([state() for _ in range(50)])
    assert len(threads) == 1
    assert threading.get_ident() not in threads


async def test_slow_sync_functions_run_for_several_rollouts_at_once():
    met = threading.Barrier(2)

    def waits_for_another():
        met.wait(30)
        return 1.0

    states = [state() for _ in range(4)]
    await vf.Rubric([waits_for_another]).score_group(states)
    assert [it["reward"] for it in states] == [1.0] * 4


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


# --- stopping ----------------------------------------------------------------------------------


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
