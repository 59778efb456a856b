"""What befalls the processes from outside costs no honest pair its answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest
from processes import PATIENCE, RunScript, alive, eventually, server_pid, write_script

from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool, backstop, core, wire
from verifiers_math.workers.attempt import Attempt, Job
from verifiers_math.workers.backstop import FREEZE_SECONDS, Backstop, waited_seconds
from verifiers_math.workers.worker import News, Worker

LIMITS = {"soft_seconds": 30, "hard_seconds": 120}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def test_a_pair_whose_worker_is_stopped_runs_again_on_another(pool: WorkerPool) -> None:
    stopped = int(pool.run("pid", "", **LIMITS).detail)
    future = pool.start("burn", "0.5", **LIMITS)
    os.kill(stopped, signal.SIGSTOP)
    assert future.result(2 * PATIENCE).kind is OutcomeKind.EQUAL
    assert eventually(lambda: not alive(stopped))
    assert pool.run("pid", "", **LIMITS).detail != str(stopped)


def test_a_worker_that_is_stopped_for_a_moment_goes_on(pool: WorkerPool) -> None:
    paused = int(pool.run("pid", "", **LIMITS).detail)
    future = pool.start("burn", "0.3", **LIMITS)
    os.kill(paused, signal.SIGSTOP)
    time.sleep(0.4)
    os.kill(paused, signal.SIGCONT)
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL


def test_a_fork_server_that_is_stopped_is_replaced(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifiers_math.workers.launcher.FORK_SECONDS", 1.0)
    worker = int(pool.run("pid", "", **LIMITS).detail)
    stopped = server_pid(pool)
    os.kill(stopped, signal.SIGSTOP)
    os.kill(worker, signal.SIGKILL)
    assert eventually(lambda: not alive(worker))
    assert pool.run("echo", "served", **LIMITS).detail == "served"
    assert server_pid(pool) != stopped
    assert eventually(lambda: not alive(stopped))


def test_a_trainer_that_is_stopped_with_its_workers_loses_no_pair(
    tmp_path: Path, marker: str
) -> None:
    path = write_script(
        tmp_path,
        """
pool = WorkerPool(1, task="worker_tasks:act")
pool.warm_up()
future = pool.start("burn", "0.8", soft_seconds=1.0, hard_seconds=8.0)
print("begun", flush=True)
print(future.result().kind, flush=True)
""",
    )
    trainer = subprocess.Popen(
        [sys.executable, path], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert trainer.stdout is not None
    assert trainer.stdout.readline() == "begun\n"
    os.killpg(trainer.pid, signal.SIGSTOP)
    time.sleep(9.0)  # longer than both limits by the wall
    os.killpg(trainer.pid, signal.SIGCONT)
    out, _ = trainer.communicate(timeout=2 * PATIENCE)
    assert out == "equal\n"


def test_signals_whose_handler_raises_leave_no_slot_taken(run_script: RunScript) -> None:
    result = run_script("""
import random, signal

class Stop(Exception):
    pass

def stop(*_):
    raise Stop

signal.signal(signal.SIGALRM, stop)
pool = WorkerPool(1, task="worker_tasks:act")
pool.warm_up()
stopped = 0
for _ in range(300):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.006))
        pool.run("echo", "", **LIMITS)
        pool.run("burn", "0.004", **LIMITS)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Stop:
        stopped += 1
print(stopped > 20, pool.run("echo", "served", **LIMITS).detail)
""")
    assert result.stdout.split() == ["True", "served"]


def test_a_pair_waits_while_descriptors_have_run_out(run_script: RunScript) -> None:
    result = run_script("""
import os, resource, signal, threading, time

pool = WorkerPool(1, task="worker_tasks:act")
worker = int(pool.run("pid", "", **LIMITS).detail)
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
before = len(os.listdir("/proc/self/fd"))
resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
os.kill(worker, signal.SIGKILL)
timer = threading.Timer(1.5, resource.setrlimit, (resource.RLIMIT_NOFILE, (soft, hard)))
timer.start()
started = time.monotonic()
print(pool.run("echo", "served", **LIMITS).detail, time.monotonic() - started > 1)
timer.join()
print(len(os.listdir("/proc/self/fd")) <= before)
""")
    assert result.stdout.split() == ["served", "True", "True"]


def test_where_the_trouble_lasts_the_pool_says_so_and_later_pairs_do_not_wait(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "PATIENCE_SECONDS", 0.5)
    worker = int(pool.run("pid", "", **LIMITS).detail)
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    os.kill(server_pid(pool), signal.SIGKILL)
    assert eventually(lambda: not alive(worker))
    started = time.monotonic()
    assert pool.run("echo", "", **LIMITS).kind is OutcomeKind.UNAVAILABLE
    assert time.monotonic() - started >= 0.5
    for _ in range(200):  # would be 100 s if each of them waited
        assert pool.run("echo", "", **LIMITS).kind is OutcomeKind.UNAVAILABLE
    assert time.monotonic() - started < PATIENCE


class Clock:
    """A time, and how long a process has waited, to be set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic()
        self.waited = 7.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        monkeypatch.setattr(backstop, "waited_seconds", lambda _: self.waited)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clocks that a backstop looks at."""
    return Clock(monkeypatch)


def test_time_spent_in_the_run_queue_is_given_back(clock: Clock) -> None:
    kept = Backstop(os.getpid(), 10.0)
    clock.now += 10.0
    clock.waited += 2.0
    assert kept.owed() == 2.0
    clock.now += 0.5  # the alarm repeats, as it does until it is heard
    assert kept.owed() == pytest.approx(1.5)
    clock.now += 1.5
    clock.waited += 0.1  # no process always runs at once
    assert kept.owed() == 0.0


def test_a_pair_that_sleeps_is_owed_nothing(clock: Clock) -> None:
    kept = Backstop(os.getpid(), 10.0)
    clock.now += 10.0
    assert kept.owed() == 0.0


def test_an_alarm_that_comes_much_too_late_starts_the_clock_again(clock: Clock) -> None:
    kept = Backstop(os.getpid(), 10.0)
    clock.now += 10.0 + 2 * FREEZE_SECONDS
    assert kept.owed() == 10.0
    clock.now += 10.0
    assert kept.owed() == 0.0


class Scripted:
    """A worker that says these things, one a look."""

    pid = -1

    def __init__(self, *replies: bytes | None) -> None:
        self.replies = list(replies)

    def listen(self, _: float) -> News:
        return News(reply=self.replies.pop(0))

    def is_stopped(self) -> bool:
        return False


def test_a_stop_between_the_dispatch_and_the_wait_does_not_count(clock: Clock) -> None:
    reply = wire.pack({"kind": "equal", "seconds": 0.1, "detail": ""})
    job = Job("gold", "answer", soft=1.0, hard=8.0, cost=0.0)
    attempt = Attempt(cast(Worker, Scripted(None, reply)), job, sliced=False)
    clock.now += 9.0
    assert cast(Outcome, attempt.wait()).kind is OutcomeKind.EQUAL


def test_the_waiting_of_a_process_that_is_gone_is_not_known() -> None:
    assert waited_seconds(os.getpid()) >= 0.0
    assert waited_seconds(-1) == 0.0
