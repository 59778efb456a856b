"""Workers run wherever a trainer does, and end with it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from processes import (
    PATIENCE,
    MakePool,
    RunScript,
    alive,
    descriptors,
    eventually,
    marked,
    pool_pids,
    server_pid,
    worker_pids,
    write_script,
)

from verifiers_math.workers import OutcomeKind, WorkerPool

LIMITS = {"soft_seconds": 5.0, "hard_seconds": 4 * PATIENCE}


def test_making_a_pool_starts_nothing(pool: WorkerPool) -> None:
    assert pool._core._launcher._process is None
    assert pool.stats.started == 0


def test_warming_up_starts_all_workers_once(make_pool: MakePool) -> None:
    pool = make_pool(2)
    pool.warm_up()
    pids = worker_pids(pool)
    assert len(pids) == pool.size
    pool.warm_up()
    assert pool.run("pid", "", **LIMITS).detail in {str(pid) for pid in pids}
    assert pool.stats.started == pool.size


def test_event_loops_one_after_another_share_a_pool(pool: WorkerPool) -> None:
    async def judge_some() -> list[str]:
        futures = [pool.start("echo", str(number), **LIMITS) for number in range(5)]
        return [(await asyncio.wrap_future(future)).detail for future in futures]

    for _ in range(3):
        assert asyncio.run(judge_some()) == ["0", "1", "2", "3", "4"]


def test_a_forked_child_makes_its_own_workers_and_leaves_the_parents_alone(
    pool: WorkerPool,
) -> None:
    mine = pool.run("pid", "", **LIMITS).detail
    slow = pool.start("burn", "1", **LIMITS)  # a thread of the pool is at work during the fork
    child = os.fork()
    if child == 0:
        try:
            theirs = pool.run("pid", "", **LIMITS).detail
            inherited = pool.stats.servers != 1
            pool.close()
            os._exit(0 if theirs not in ("", mine) and not inherited else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert slow.result(PATIENCE).kind is OutcomeKind.EQUAL
    assert pool.run("pid", "", **LIMITS).detail == mine


def test_a_forked_child_does_not_keep_the_parents_workers_alive(make_pool: MakePool) -> None:
    pool = make_pool()
    before = descriptors()
    pool.run("pid", "", **LIMITS)
    pids, ours = pool_pids(pool), descriptors() - before
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, b"kept" if ours & descriptors() else b"closed")
        time.sleep(3 * PATIENCE)
        os._exit(0)
    try:
        assert os.read(read, 10) == b"closed"
        pool.close()
        assert eventually(lambda: not any(alive(pid) for pid in pids))
    finally:
        os.close(read)
        os.close(write)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_collecting_an_unclosed_pool_ends_its_processes() -> None:
    pool = WorkerPool(1, task="worker_tasks:act")
    pool.warm_up()
    slow = pool.start("burn", "600", soft_seconds=PATIENCE, hard_seconds=600)
    pids = pool_pids(pool)
    assert all(alive(pid) for pid in pids)
    del pool
    gc.collect()
    assert eventually(lambda: not any(alive(pid) for pid in pids))
    assert slow.result(PATIENCE).kind is OutcomeKind.ERROR


def test_interrupting_the_terminal_does_not_end_the_workers(pool: WorkerPool) -> None:
    before = pool.run("pid", "", **LIMITS).detail
    for pid in pool_pids(pool):
        os.kill(pid, signal.SIGINT)
    assert pool.run("pid", "", **LIMITS).detail == before
    assert alive(server_pid(pool))


def test_ctrl_c_while_a_pair_runs_frees_its_slot(run_script: RunScript) -> None:
    result = run_script("""
import os, signal, threading, time
pool = WorkerPool(1, task="worker_tasks:act")
pool.warm_up()

def interrupt():
    while not pool._core._lanes.busy:
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)

try:
    threading.Thread(target=interrupt).start()
    pool.run("spin deaf", "", **LIMITS)
except KeyboardInterrupt:
    print("interrupted", pool.run("echo", "served", **LIMITS).detail)
""")
    assert result.stdout == "interrupted served\n"


def test_an_unguarded_script_can_use_workers_and_hears_nothing_from_them(
    run_script: RunScript,
) -> None:
    result = run_script("""
print("once")
pool = WorkerPool(2)
print(pool.run("x^2-1", "(x-1)(x+1)", **LIMITS).kind)
print("sympy" in sys.modules, "math_verify" in sys.modules, "asyncio" in sys.modules)
""")
    assert result.stdout.splitlines() == ["once", "equal", "False False False"]
    assert result.stderr == ""


def test_modules_in_the_working_directory_do_not_disturb_the_fork_server(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "socket", "signal"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('the wrong module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", ".")  # as a relative path of the trainer's would be
    assert pool.run("echo", "served", **LIMITS).detail == "served"


def test_a_trainer_that_ignores_its_children_and_turns_warnings_into_errors_can_use_workers(
    run_script: RunScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    result = run_script("""
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
pool = WorkerPool(1)
print(pool.run("4", "4", **LIMITS).kind)
for worker in list(pool._core._workers):
    worker.kill()
time.sleep(0.1)
print(pool.run("4", "4", **LIMITS).kind)
pool.close()
""")
    assert result.stdout.split() == ["equal", "equal"]


def test_a_daemonic_process_can_use_workers(run_script: RunScript) -> None:
    result = run_script("""
import multiprocessing
pool = WorkerPool(1, task="worker_tasks:act")
print("parent", pool.run("echo", "served", **LIMITS).detail, flush=True)

def work():
    print("inherited", pool.run("echo", "served", **LIMITS).detail)
    own = WorkerPool(1, task="worker_tasks:act")
    print("own", own.run("echo", "served", **LIMITS).detail, flush=True)

process = multiprocessing.get_context("fork").Process(target=work, daemon=True)
process.start()
process.join()
print(process.exitcode)
""")
    assert result.stdout.split() == [
        "parent",
        "served",
        "inherited",
        "served",
        "own",
        "served",
        "0",
    ]


@pytest.mark.parametrize("ending", ["", "sys.exit()", "raise SystemExit(0)"])
def test_the_interpreter_exits_promptly_though_jobs_are_stuck(
    run_script: RunScript, ending: str
) -> None:
    result = run_script(f"""
import time
from concurrent.futures import ThreadPoolExecutor
pool = WorkerPool(2, task="worker_tasks:act")
executor = ThreadPoolExecutor(4)
pool.warm_up()
futures = [executor.submit(pool.run, "spin deaf", "", **LIMITS) for _ in range(4)]
futures += [executor.submit(pool.run, "sleep", "600", **LIMITS) for _ in range(4)]
time.sleep(0.3)
print(time.monotonic(), flush=True)
{ending}
""")
    assert time.monotonic() - float(result.stdout) < PATIENCE  # the limits of the jobs are above it
    assert result.stderr == ""


def test_nothing_outlives_a_parent_that_is_killed(tmp_path: Path, marker: str) -> None:
    path = write_script(
        tmp_path,
        """
import threading
pool = WorkerPool(2, task="worker_tasks:act")
pool.warm_up()
for gold in ("spin deaf", "sleep"):
    threading.Thread(target=pool.run, args=(gold, "600"), kwargs=LIMITS, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
""",
    )
    script = subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE)
    assert script.stdout is not None
    assert script.stdout.readline() == b"ready\n"
    assert len(marked(marker)) >= 3  # the script, its server, its workers
    script.kill()
    script.wait()
    script.stdout.close()
    assert eventually(lambda: not marked(marker))


def test_honest_jobs_pass_under_a_cpu_limit_smaller_than_their_sum(run_script: RunScript) -> None:
    result = run_script("""
import resource
resource.setrlimit(resource.RLIMIT_CPU, (3, 3))
pool = WorkerPool(1, task="worker_tasks:act")
limits = {"soft_seconds": 0.5, "hard_seconds": 60}
outcomes = [pool.run("burn", "0.035", **limits) for _ in range(100)]
print({outcome.kind.value for outcome in outcomes}, sum(o.seconds for o in outcomes) > 3)
print(pool.stats.deaths, pool.stats.started > 1)
""")
    assert result.stdout.splitlines() == ["{'equal'} True", "0 True"]


def test_a_pool_that_may_start_no_process_says_so(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    for _ in range(2):  # the second time from memory
        outcome = pool.run("4", "4", **LIMITS)
        assert outcome.kind is OutcomeKind.UNAVAILABLE
        assert "No such file" in outcome.detail
    pool.warm_up()


def test_a_pool_that_may_start_no_thread_says_so(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    outcome = pool.run("4", "4", **LIMITS)
    assert (outcome.kind, outcome.detail) == (OutcomeKind.UNAVAILABLE, "no thread can be started")


def test_programs_started_later_inherit_no_descriptor(pool: WorkerPool) -> None:
    before = descriptors()
    pool.run("echo", "", **LIMITS)
    ours = descriptors() - before
    assert len(ours) >= 3
    assert not any(os.get_inheritable(descriptor) for descriptor in ours)


def test_a_fork_that_fails_is_an_outcome(make_pool: MakePool) -> None:
    outcome = make_pool(task="unforkable_task:act").run("4", "4", **LIMITS)
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert "cannot start a worker: Resource temporarily unavailable" in outcome.detail


@pytest.mark.parametrize("task", ["no_such_module:act", "worker_tasks:no_such_function"])
def test_a_task_that_cannot_be_loaded_is_an_outcome(make_pool: MakePool, task: str) -> None:
    outcome = make_pool(task=task).run("4", "4", **LIMITS)
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert "no_such" in outcome.detail


def test_a_platform_without_fork_is_told_so(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fork")
    outcome = pool.run("4", "4", **LIMITS)
    assert outcome.kind is OutcomeKind.UNAVAILABLE
    assert "fork" in outcome.detail


def test_without_the_signals_and_calls_of_unix_a_pair_is_unavailable(
    run_script: RunScript,
) -> None:
    names = "['os.fork', 'os.register_at_fork', 'signal.SIGPROF', 'signal.SIGALRM', "
    names += "'signal.SIGUSR1', 'signal.setitimer', 'select.poll', 'os.sched_getaffinity']"
    result = run_script(f"""
import os, select, signal
for name in list(sys.modules):
    if name.startswith("verifiers_math"):
        del sys.modules[name]
for name in {names}:
    module, _, attribute = name.partition(".")
    delattr(sys.modules[module], attribute)
sys.modules["resource"] = None
from verifiers_math.workers import WorkerPool
outcome = WorkerPool(1).run("4", "4", **LIMITS)
print(outcome.kind, outcome.detail)
""")
    assert result.stdout.startswith("unavailable workers need a platform with fork")


def test_a_pool_shows_its_size_and_task(pool: WorkerPool) -> None:
    assert repr(pool) == "WorkerPool(size=1, task='worker_tasks:act')"


@pytest.mark.parametrize("niceness", [0, 7])
def test_workers_stand_back_by_their_niceness(make_pool: MakePool, niceness: int) -> None:
    pool = make_pool(niceness=niceness)
    pool.warm_up()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for pid in worker_pids(pool):
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + niceness, 19)
