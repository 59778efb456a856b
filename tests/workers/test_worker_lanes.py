"""Slow pairs do not keep fast ones waiting."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from processes import PATIENCE, MakePool, eventually, waiting_at, worker_pids

from verifiers_math.errors import PoolClosedError
from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool
from verifiers_math.workers.attempt import Job
from verifiers_math.workers.core import _Turn
from verifiers_math.workers.lanes import Lane, Lanes

LIMITS = {"soft_seconds": 2 * PATIENCE, "hard_seconds": 4 * PATIENCE}


def attack(pool: WorkerPool, count: int, soft: float = 4.0) -> list[Future[Outcome]]:
    """Starts pairs that use up whatever they are given."""
    return [
        pool.start("burn", "600", soft_seconds=soft, hard_seconds=4 * PATIENCE, cost=1.0)
        for _ in range(count)
    ]


def honest(pool: WorkerPool) -> Outcome:
    """Runs a pair that takes no time."""
    return pool.run("pid", "", soft_seconds=4, hard_seconds=4 * PATIENCE)


@pytest.mark.parametrize("size", [1, 2])
def test_honest_pairs_are_answered_while_attacks_fill_the_slow_lane(
    make_pool: MakePool, size: int
) -> None:
    pool = make_pool(size)
    pool.warm_up()
    attacks = attack(pool, size + 3, soft=30.0)
    for _ in range(5):
        assert honest(pool).kind is OutcomeKind.EQUAL
        assert len(worker_pids(pool)) <= pool.size + 1
    assert not any(future.done() for future in attacks)  # they were there all the time


def test_a_slow_pair_goes_on_in_place_and_releases_the_caller(
    pool: WorkerPool, tmp_path: Path
) -> None:
    before = honest(pool).detail
    flag = tmp_path / "flag"
    with ThreadPoolExecutor(1) as caller:  # not the main thread, which never drives a worker
        future = caller.submit(pool.start, "wait for", str(flag), **LIMITS).result(PATIENCE)
    assert not future.done()
    flag.touch()
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert waiting_at(flag) == {int(before)}
    assert honest(pool).detail == before
    assert pool.stats.preempted == 0


def test_a_preempted_pair_runs_again_with_its_full_time(pool: WorkerPool, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    first = pool.start("wait for", str(flag), **LIMITS)  # takes all of the slow lane
    assert eventually(lambda: pool._core._lanes.running[Lane.SLOW] == 1)
    # Far longer than its first slice, whose end this process may be late to see.
    second = pool.start("burn", "2.5", **LIMITS)
    assert eventually(lambda: pool.stats.preempted == 1)
    flag.touch()
    assert first.result(PATIENCE).kind is OutcomeKind.EQUAL
    outcome = second.result(PATIENCE)
    assert outcome.kind is OutcomeKind.EQUAL
    assert outcome.seconds > 2.25


def test_a_pair_that_comes_while_a_thread_wakes_up_for_a_slow_one_is_not_left_lying(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadPoolExecutor(1) as caller:
        caller.submit(honest, pool).result(PATIENCE)
    assert eventually(lambda: pool._core._resting == 1)  # the pool's only thread
    flag = tmp_path / "flag"
    late = Job("echo", "served", 2 * PATIENCE, 4 * PATIENCE, cost=0.0)
    pass_on = pool._core._pass_on

    def pass_on_and_submit(turn: _Turn) -> None:
        pass_on(turn)
        if turn.lane is Lane.SLOW:  # now the thread has been woken, and has not looked yet
            pool._core._lanes.push(late, late.cost)
            pool._core._summon()

    monkeypatch.setattr(pool._core, "_pass_on", pass_on_and_submit)
    with ThreadPoolExecutor(1) as caller:
        slow = caller.submit(pool.start, "wait for", str(flag), **LIMITS).result(PATIENCE)
    assert late.future.result(PATIENCE).detail == "served"
    assert not slow.done()
    flag.touch()
    assert slow.result(PATIENCE).kind is OutcomeKind.EQUAL


def test_a_pair_that_cannot_be_preempted_costs_its_worker_and_still_runs_again(
    pool: WorkerPool,
) -> None:
    honest(pool)
    futures = [
        pool.start("spin in C", "", soft_seconds=0.5, hard_seconds=4 * PATIENCE) for _ in range(2)
    ]
    assert [future.result(PATIENCE).kind for future in futures] == [OutcomeKind.TIMEOUT] * 2
    assert honest(pool).kind is OutcomeKind.EQUAL


def test_the_extra_worker_ends_with_the_slow_pairs(pool: WorkerPool) -> None:
    attacks = attack(pool, 2, soft=0.5)
    assert len(worker_pids(pool)) <= 2
    wait(attacks, PATIENCE)
    honest(pool)
    assert len(worker_pids(pool)) == 1


def test_fifty_threads_share_the_workers(make_pool: MakePool) -> None:
    pool = make_pool(2)
    texts: list[str] = []

    def work(number: int) -> None:
        for step in range(4):
            text = f"{number}.{step}"
            outcome = pool.run("echo", text, soft_seconds=4, hard_seconds=4 * PATIENCE)
            texts.append(outcome.detail if outcome.detail == text else f"wrong: {outcome}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts) == sorted(f"{number}.{step}" for number in range(50) for step in range(4))
    assert len(worker_pids(pool)) <= pool.size


def test_a_waiting_pair_can_be_cancelled(pool: WorkerPool) -> None:
    first, *rest = attack(pool, 3, soft=0.6)
    cancelled = [future for future in rest if future.cancel()]
    assert all(future.cancelled() for future in cancelled)
    assert first.result(PATIENCE).kind is OutcomeKind.TIMEOUT
    assert honest(pool).kind is OutcomeKind.EQUAL


def test_closing_ends_pairs_under_way_and_waiting_ones(pool: WorkerPool) -> None:
    honest(pool)
    attacks = attack(pool, 4, soft=60.0)
    assert worker_pids(pool)
    started = time.monotonic()
    pool.close()
    outcomes = [future.result(PATIENCE) for future in attacks]
    assert time.monotonic() - started < PATIENCE / 2
    assert {outcome.kind for outcome in outcomes} == {OutcomeKind.ERROR}
    assert all("closed" in outcome.detail for outcome in outcomes)
    assert eventually(lambda: not worker_pids(pool))
    pool.close()
    with pytest.raises(PoolClosedError):
        honest(pool)
    with pytest.raises(PoolClosedError):
        pool.warm_up()


def test_closing_an_unused_pool_starts_nothing() -> None:
    pool = WorkerPool(2)
    pool.close()
    assert pool.closed
    assert pool.stats.servers == 0


@pytest.mark.parametrize("limits", [(0, 1), (1, 0), (-1, 1), (float("nan"), 1)])
def test_a_limit_that_is_no_time_is_refused(limits: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        WorkerPool(1).start("4", "4", soft_seconds=limits[0], hard_seconds=limits[1])


class TestLanes:
    """The admission rules by themselves."""

    def test_the_cheapest_goes_first_and_equals_go_in_order(self) -> None:
        lanes: Lanes[str] = Lanes(1)
        for item, cost in (("dear", 5.0), ("first", 0.0), ("second", 0.0)):
            lanes.push(item, cost)
        order = []
        while (taken := lanes.take()) is not None:
            order.append(taken[0])
            lanes.leave(taken[1])
        assert order == ["first", "second", "dear"]

    def test_one_more_runs_only_while_all_workers_are_slow(self) -> None:
        lanes: Lanes[int] = Lanes(2)
        for number in range(6):
            lanes.push(number, 0.0)
        assert [lanes.take(), lanes.take(), lanes.take()] == [(0, Lane.FAST), (1, Lane.FAST), None]
        assert lanes.promote()
        assert lanes.take() is None
        assert lanes.promote()
        assert lanes.take() == (2, Lane.FAST)
        assert lanes.take() is None
        assert not lanes.promote()
        assert lanes.busy == 3

    def test_a_waiting_slow_pair_is_not_starved_by_fast_ones(self) -> None:
        lanes: Lanes[str] = Lanes(2)
        lanes.push("slow", 0.0, Lane.SLOW)
        for _ in range(9):
            lanes.push("fast", 0.0)
        assert {lanes.take(), lanes.take()} == {("fast", Lane.FAST), ("slow", Lane.SLOW)}

    def test_draining_returns_everything_that_waits(self) -> None:
        lanes: Lanes[str] = Lanes(1)
        lanes.push("a", 0.0)
        lanes.push("b", 0.0, Lane.SLOW)
        assert sorted(lanes.drain()) == ["a", "b"]
        assert lanes.take() is None
