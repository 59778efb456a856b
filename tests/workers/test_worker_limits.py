"""Each way in which a pair can go wrong ends in its outcome, and the next pair is served."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import (
    PATIENCE,
    MakePool,
    alive,
    eventually,
    kill,
    server_pid,
    waiting_at,
    worker_pids,
)

from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool, attempt
from verifiers_math.workers.core import MAX_DEATHS

PATIENT = {"soft_seconds": 2 * PATIENCE, "hard_seconds": 4 * PATIENCE}


def run(
    pool: WorkerPool, gold: str, answer: str = "", soft: float = 5, hard: float = 4 * PATIENCE
) -> Outcome:
    """Runs one pair with generous limits."""
    return pool.run(gold, answer, soft_seconds=soft, hard_seconds=hard)


def pid(pool: WorkerPool) -> int:
    """Runs a pair that tells which process ran it: so the slot is free, and it works."""
    outcome = run(pool, "pid")
    assert outcome.kind is OutcomeKind.EQUAL
    return int(outcome.detail)


def test_a_pair_that_can_be_interrupted_ends_at_the_soft_limit_and_the_worker_stays(
    pool: WorkerPool,
) -> None:
    before = pid(pool)
    kept = False
    for _ in range(5):  # a loaded machine may delay the answer beyond the grace
        outcome = run(pool, "burn", "60", soft=0.3)
        assert outcome.kind is OutcomeKind.TIMEOUT
        after = pid(pool)
        kept, before = after == before, after
        if kept:
            break
    assert kept
    assert pool.stats.timeouts >= 1


@pytest.mark.parametrize("stubborn", ["spin in C", "swallow"])
def test_a_pair_that_cannot_be_interrupted_is_killed_at_the_soft_limit(
    pool: WorkerPool, stubborn: str
) -> None:
    before = pid(pool)
    started = time.monotonic()
    outcome = run(pool, stubborn, soft=0.2)
    assert outcome.kind is OutcomeKind.TIMEOUT
    assert time.monotonic() - started < PATIENCE
    assert "killed" in outcome.detail
    assert pid(pool) != before
    assert pool.stats.kills == 1


def test_a_result_after_a_swallowed_timeout_does_not_count(pool: WorkerPool) -> None:
    assert run(pool, "swallow once", soft=0.2).kind is OutcomeKind.TIMEOUT
    pid(pool)


def test_a_worker_whose_timer_is_blocked_is_killed_at_the_hard_limit(pool: WorkerPool) -> None:
    before = pid(pool)
    outcome = run(pool, "spin deaf", soft=0.1, hard=0.8)
    assert outcome.kind is OutcomeKind.HARD_TIMEOUT
    assert "hard limit" in outcome.detail
    assert outcome.seconds >= 0.8
    assert pid(pool) != before
    assert pool.stats.hard_timeouts == 1


def test_a_sandbox_without_process_handles_does_not_save_a_stuck_worker(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise PermissionError

    before = pid(pool)
    with monkeypatch.context() as patch:
        patch.setattr(signal, "pidfd_send_signal", refuse)
        assert run(pool, "spin deaf", hard=0.3).kind is OutcomeKind.HARD_TIMEOUT
    assert eventually(lambda: not alive(before))


def test_a_stopped_worker_is_killed_at_the_hard_limit_even_before_it_takes_the_pair(
    pool: WorkerPool,
) -> None:
    stopped = pid(pool)
    os.kill(stopped, signal.SIGSTOP)
    large = "x" * (4 << 20)  # more than the socket holds
    assert run(pool, "echo", large, hard=0.3).kind is OutcomeKind.HARD_TIMEOUT
    assert pid(pool) != stopped


def test_a_task_that_blocks_the_signals_does_not_switch_the_limit_off_for_the_next(
    pool: WorkerPool,
) -> None:
    before = pid(pool)
    assert run(pool, "block and return").kind is OutcomeKind.EQUAL
    assert pid(pool) == before
    assert run(pool, "burn", "60", soft=0.2).kind is OutcomeKind.TIMEOUT


def test_a_pair_that_sleeps_ends_at_three_times_the_soft_limit(pool: WorkerPool) -> None:
    pid(pool)
    started = time.monotonic()
    assert run(pool, "sleep", "60", soft=0.2).kind is OutcomeKind.TIMEOUT
    assert 0.55 < time.monotonic() - started < PATIENCE


def test_the_soft_limit_does_not_count_the_time_a_worker_is_kept_waiting(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempt, "LOOK_SECONDS", PATIENCE)  # nobody is to replace it
    victim = pid(pool)
    future = pool.start("burn", "0.2", soft_seconds=1.5, hard_seconds=4 * PATIENCE)
    os.kill(victim, signal.SIGSTOP)
    time.sleep(1.6)  # longer than the limit by the wall
    os.kill(victim, signal.SIGCONT)
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert pid(pool) == victim


def test_the_soft_limit_is_unmoved_while_other_processes_load_the_machine(pool: WorkerPool) -> None:
    pid(pool)
    hogs = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        outcome = run(pool, "burn", "0.5", soft=4.0)
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()
    assert outcome.kind is OutcomeKind.EQUAL
    assert outcome.seconds == pytest.approx(0.5, abs=0.3)


def test_forty_slow_answers_on_one_worker_are_all_equal_since_the_queue_counts_for_nothing(
    pool: WorkerPool,
) -> None:
    # All of them take longer than the hard limit, and each a small part of it, so that a busy
    # machine brings none to it.
    futures = [pool.start("burn", "0.15", soft_seconds=1.0, hard_seconds=5.5) for _ in range(40)]
    assert {future.result(3 * PATIENCE).kind for future in futures} == {OutcomeKind.EQUAL}
    assert pool.stats.deaths == 0  # the kernel's own limit on the CPU time was raised each time


def test_a_worker_killed_while_idle_is_replaced_unnoticed(pool: WorkerPool) -> None:
    before = pid(pool)
    os.kill(before, signal.SIGKILL)
    assert eventually(lambda: not alive(before))
    assert pid(pool) != before
    assert pool.stats.deaths == 0  # it cost no pair its second try


def test_a_worker_killed_at_work_costs_its_pair_one_more_try(
    pool: WorkerPool, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    future = pool.start("wait for", str(flag), **PATIENT)
    assert eventually(lambda: bool(waiting_at(flag)))
    (killed,) = waiting_at(flag)
    kill(killed)
    flag.touch()
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert len(waiting_at(flag)) == 2
    assert pool.stats.deaths == 1


def test_a_fork_server_killed_from_outside_is_replaced(pool: WorkerPool) -> None:
    before = pid(pool)
    process = pool._core._launcher._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    assert eventually(lambda: pid(pool) != before)  # its workers end with it
    assert pool.stats.servers == 2


def test_a_pair_is_not_blamed_for_workers_that_end_with_their_fork_server(
    pool: WorkerPool, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    future = pool.start("wait for", str(flag), **PATIENT)
    known: set[int] = set()
    for _ in range(MAX_DEATHS + 1):
        assert eventually(lambda known=known: bool(waiting_at(flag) - known))
        (worker,) = waiting_at(flag) - known
        known = known | {worker}
        kill(server_pid(pool))
        assert eventually(lambda worker=worker: not alive(worker))
    flag.touch()
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert len(waiting_at(flag) - known) == 1


def test_a_pair_that_crashes_two_workers_is_given_up(pool: WorkerPool) -> None:
    assert run(pool, "segfault").kind is OutcomeKind.CRASHED
    assert pool.stats.deaths == 2
    pid(pool)


def test_a_pair_that_crashes_once_is_judged_by_a_fresh_worker(
    pool: WorkerPool, tmp_path: Path
) -> None:
    before = pid(pool)
    outcome = run(pool, "segfault once", str(tmp_path / "flag"))
    assert outcome.kind is OutcomeKind.EQUAL
    assert int(outcome.detail) != before


def test_a_memory_blow_up_is_its_own_outcome_and_the_worker_is_replaced(
    make_pool: MakePool,
) -> None:
    pool = make_pool(memory_bytes=256 << 20)
    before = pid(pool)
    assert run(pool, "allocate", str(1 << 30)).kind is OutcomeKind.MEMORY
    assert pid(pool) != before
    assert run(pool, "allocate", str(16 << 20)).detail == str(16 << 20)


def test_a_worker_that_has_grown_large_retires_after_its_pair(make_pool: MakePool) -> None:
    pool = make_pool(memory_bytes=256 << 20)
    before = pid(pool)
    assert run(pool, "allocate", str(160 << 20)).kind is OutcomeKind.EQUAL
    assert pid(pool) != before


@pytest.mark.parametrize(
    ("gold", "detail"),
    [
        ("raise", "ValueError: invalid literal for int() with base 10: 'x'"),
        ("raise object", "LookupError"),  # str() of its argument never ends
        ("leave", "SystemExit"),
    ],
)
def test_an_exception_is_an_outcome_that_names_it(pool: WorkerPool, gold: str, detail: str) -> None:
    before = pid(pool)
    outcome = run(pool, gold, "x")
    assert (outcome.kind, outcome.detail) == (OutcomeKind.ERROR, detail)
    assert pid(pool) == before


@pytest.mark.parametrize("text", ["", "\n\r\x00", "ü€\U0001f600", "\ud800 alone", "y" * (3 << 20)])
def test_any_text_reaches_the_worker_and_comes_back(pool: WorkerPool, text: str) -> None:
    assert run(pool, "echo", text).detail == text


def test_one_worker_serves_many_pairs(pool: WorkerPool) -> None:
    first = pid(pool)
    assert {pid(pool) for _ in range(50)} == {first}
    assert worker_pids(pool) == {first}
    assert pool.stats.pairs == 51


def test_kills_leak_no_descriptor(pool: WorkerPool) -> None:
    pid(pool)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(15):
        assert run(pool, "spin deaf", soft=5, hard=0.05).kind is OutcomeKind.HARD_TIMEOUT
    assert run(pool, "segfault").kind is OutcomeKind.CRASHED
    pid(pool)
    assert len(os.listdir("/proc/self/fd")) == before
    pool.close()
    assert len(os.listdir("/proc/self/fd")) < before
