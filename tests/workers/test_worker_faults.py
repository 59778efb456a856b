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
from processes import (
    PATIENCE,
    RunScript,
    alive,
    eventually,
    kill,
    server_pid,
    stop,
    waiting_at,
    write_script,
)

from verifiers_math.workers import (
    Outcome,
    OutcomeKind,
    WorkerPool,
    attempt,
    backstop,
    core,
    wire,
)
from verifiers_math.workers.attempt import GRACE_SECONDS, Attempt, Event, Job
from verifiers_math.workers.backstop import FREEZE_SECONDS, Backstop, waited_seconds
from verifiers_math.workers.worker import News, Worker

LIMITS = {"soft_seconds": 2 * PATIENCE, "hard_seconds": 4 * PATIENCE}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def test_a_pair_whose_worker_is_stopped_runs_again_on_another(
    pool: WorkerPool, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    future = pool.start("wait for", str(flag), **LIMITS)
    assert eventually(lambda: bool(waiting_at(flag)))
    (stopped,) = waiting_at(flag)
    stop(stopped)
    flag.touch()
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert waiting_at(flag) > {stopped}
    assert eventually(lambda: not alive(stopped))
    assert pool.run("pid", "", **LIMITS).detail != str(stopped)


def test_a_worker_that_is_stopped_for_a_moment_goes_on(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the machine makes the moment long, two looks must not fall into it.
    monkeypatch.setattr(attempt, "LOOK_SECONDS", PATIENCE)
    flag = tmp_path / "flag"
    future = pool.start("wait for", str(flag), **LIMITS)
    assert eventually(lambda: bool(waiting_at(flag)))
    (paused,) = waiting_at(flag)
    stop(paused)
    flag.touch()
    time.sleep(0.4)
    assert not future.done()
    os.kill(paused, signal.SIGCONT)
    assert future.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert waiting_at(flag) == {paused}


def test_a_fork_server_that_is_stopped_is_replaced(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifiers_math.workers.launcher.FORK_SECONDS", 1.0)
    worker = int(pool.run("pid", "", **LIMITS).detail)
    stopped = server_pid(pool)
    stop(stopped)
    kill(worker)
    assert pool.run("echo", "served", **LIMITS).detail == "served"
    assert server_pid(pool) != stopped
    assert eventually(lambda: not alive(stopped))


def test_a_fork_server_that_gets_no_core_is_waited_for(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifiers_math.workers.launcher.FORK_SECONDS", 0.2)
    # Whoever waits is taken to have been ready to run all the time.
    monkeypatch.setattr(backstop, "waited_seconds", lambda _: time.monotonic())
    worker = int(pool.run("pid", "", **LIMITS).detail)
    starved = server_pid(pool)
    stop(starved)
    kill(worker)
    future = pool.start("echo", "served", **LIMITS)
    time.sleep(1.0)  # much longer than it is given
    assert not future.done()
    os.kill(starved, signal.SIGCONT)
    assert future.result(PATIENCE).detail == "served"
    assert server_pid(pool) == starved


def test_a_trainer_that_is_stopped_with_its_workers_loses_no_pair(
    tmp_path: Path, marker: str
) -> None:
    path = write_script(
        tmp_path,
        """
pool = WorkerPool(1, task="worker_tasks:act")
pool.warm_up()
future = pool.start("burn", "0.4", soft_seconds=1.0, hard_seconds=8.0)
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
started = time.monotonic()
timer.start()
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
    """A worker of these news, one a look, and stopped at the looks of these numbers."""

    pid = -1

    def __init__(self, *news: News, clock: Clock, stopped: tuple[int, ...] = ()) -> None:
        self.news = list(news)
        self.clock = clock
        self.stopped = stopped
        self.looks = 0
        self.signals: list[int] = []

    def listen(self, seconds: float) -> News:
        self.clock.now += max(0.0, seconds)
        return self.news.pop(0)

    def is_stopped(self) -> bool:
        self.looks += 1
        return self.looks in self.stopped

    def signal(self, number: int) -> None:
        self.signals.append(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)


JOB = Job("gold", "answer", soft=1.0, hard=8.0, cost=0.0)
REPLY = News(reply=wire.pack({"kind": "equal", "seconds": 0.1, "detail": ""}))


@pytest.mark.parametrize(("stopped", "given_up"), [((2,), False), ((2, 4), False), ((2, 3), True)])
def test_only_a_worker_that_is_stopped_at_two_looks_in_a_row_is_given_up(
    clock: Clock, stopped: tuple[int, ...], given_up: bool
) -> None:
    worker = Scripted(*[News()] * 5, REPLY, clock=clock, stopped=stopped)
    end = Attempt(cast(Worker, worker), JOB, sliced=False).wait()
    assert (end is Event.DIED) is given_up
    assert worker.signals == [signal.SIGKILL] * given_up


def test_who_is_told_to_stop_and_gets_no_core_is_given_the_time_back(clock: Clock) -> None:
    worker = Scripted(*[News()] * 9, clock=clock)
    told = Attempt(cast(Worker, worker), JOB, sliced=False)
    told.preempt()
    begun = clock.now
    clock.waited += 2 * GRACE_SECONDS  # in which the worker was ready to run, and did not
    assert told.wait() is Event.PREEMPTED
    assert clock.now - begun == pytest.approx(3 * GRACE_SECONDS)
    assert worker.signals == [signal.SIGUSR1, signal.SIGKILL]


@pytest.mark.parametrize(
    ("signals", "expected"),
    [
        ([], Event.DIED),
        ([signal.SIGALRM], Event.DIED),  # it may have had time to come
        ([signal.SIGPROF], OutcomeKind.TIMEOUT),
    ],
)
def test_a_pair_whose_time_was_up_when_its_worker_died_is_a_timeout(
    clock: Clock, signals: list[int], expected: Event | OutcomeKind
) -> None:
    worker = Scripted(News(signals=bytes(signals), gone=True), clock=clock)
    end = Attempt(cast(Worker, worker), JOB, sliced=False).wait()
    assert (end.kind if isinstance(end, Outcome) else end) is expected


def test_a_pair_whose_worker_died_when_told_to_make_room_runs_again(clock: Clock) -> None:
    told = Attempt(cast(Worker, Scripted(News(gone=True), clock=clock)), JOB, sliced=False)
    told.preempt()
    assert told.wait() is Event.PREEMPTED


def test_a_stop_between_the_dispatch_and_the_wait_does_not_count(clock: Clock) -> None:
    begun = Attempt(cast(Worker, Scripted(News(), REPLY, clock=clock)), JOB, sliced=False)
    clock.now += 9.0
    assert cast(Outcome, begun.wait()).kind is OutcomeKind.EQUAL


def test_the_waiting_of_a_process_that_is_gone_is_not_known() -> None:
    assert waited_seconds(os.getpid()) >= 0.0
    assert waited_seconds(-1) == 0.0
