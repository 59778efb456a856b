"""Slow pairs do not keep fast ones waiting."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait

import pytest
from processes import PATIENCE, MakePool, eventually, worker_pids

from verifiers_math.errors import PoolClosedError
from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool
from verifiers_math.workers.lanes import Lane, Lanes


def attack(pool: WorkerPool, count: int, soft: float = 4.0) -> list[Future[Outcome]]:
    """Starts pairs that use up whatever they are given."""
    return [
        pool.start("burn", "600", soft_seconds=soft, hard_seconds=60, cost=1.0)
        for _ in range(count)
    ]


def honest(pool: WorkerPool) -> Outcome:
    """Runs a pair that takes no time."""
    return pool.run("pid", "", soft_seconds=4, hard_seconds=60)


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


def test_a_slow_pair_goes_on_in_place_and_releases_the_caller(pool: WorkerPool) -> None:
    before = honest(pool).detail
    started = time.monotonic()
    future = pool.start("burn", "0.8", soft_seconds=4, hard_seconds=60)
    assert not future.done()
    outcome = future.result(PATIENCE)
    assert outcome.kind is OutcomeKind.EQUAL
    assert time.monotonic() - started > 0.7
    assert honest(pool).detail == before
    assert pool.stats.preempted == 0


def test_a_preempted_pair_runs_again_with_its_full_time(pool: WorkerPool) -> None:
    futures = [pool.start("burn", "0.3", soft_seconds=1, hard_seconds=60) for _ in range(3)]
    outcomes = [future.result(PATIENCE) for future in futures]
    assert {outcome.kind for outcome in outcomes} == {OutcomeKind.EQUAL}
    assert pool.stats.preempted >= 1
    assert min(outcome.seconds for outcome in outcomes) > 0.25


def test_a_pair_that_cannot_be_preempted_costs_its_worker_and_still_runs_again(
    pool: WorkerPool,
) -> None:
    honest(pool)
    futures = [pool.start("spin in C", "", soft_seconds=0.5, hard_seconds=60) for _ in range(2)]
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
            outcome = pool.run("echo", text, soft_seconds=4, hard_seconds=60)
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
