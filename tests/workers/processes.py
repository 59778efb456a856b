"""What these tests need to know of processes, read from /proc."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from verifiers_math.workers import WorkerPool

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

MakePool = Callable[..., WorkerPool]
RunScript = Callable[..., subprocess.CompletedProcess[str]]

PATIENCE = 60.0
"""Seconds for whatever must happen some time; generous, since the machine may be loaded."""


def worker_pids(pool: WorkerPool) -> set[int]:
    """Returns the process ids of a pool's workers."""
    return {worker.pid for worker in pool._core._workers}


def server_pid(pool: WorkerPool) -> int:
    """Returns the process id of a pool's fork server."""
    process = pool._core._launcher._process
    assert process is not None
    return process.pid


def pool_pids(pool: WorkerPool) -> set[int]:
    """Returns the process ids of a pool's workers and fork server."""
    return {server_pid(pool), *worker_pids(pool)}


def state_of(pid: int) -> str:
    """The letter that tells what a process does; X where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not yet reaped does not."""
    return state_of(pid) not in "ZX"


def stop(pid: int) -> None:
    """Stops a process, and waits until it stands."""
    os.kill(pid, signal.SIGSTOP)
    assert eventually(lambda: state_of(pid) == "T")


def kill(pid: int) -> None:
    """Kills a process, and waits until it has ended."""
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: not alive(pid))


def marked(marker: str) -> set[int]:
    """Returns the running processes whose first environment held ``marker``."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if marker.encode() in environment and alive(int(entry.name)):
                found.add(int(entry.name))
    return found


def descriptors() -> set[int]:
    """Returns the open descriptors of this process."""
    listed = [int(name) for name in os.listdir("/proc/self/fd")]
    return {number for number in listed if os.path.lexists(f"/proc/self/fd/{number}")}


def waiting_at(flag: Path) -> set[int]:
    """Returns the processes that have begun to wait for a flag, as the task "wait for" does."""
    return {int(path.suffix[1:]) for path in flag.parent.glob(f"{flag.name}.*")}


def eventually(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Waits until ``condition`` holds; False if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def write_script(directory: Path, source: str) -> str:
    """Writes a script that finds the package and the tasks, and returns its path."""
    path = directory / "script.py"
    head = f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(HERE)!r}]\n"
    head += "from verifiers_math.workers import WorkerPool\n"
    head += f"LIMITS = {{'soft_seconds': {2 * PATIENCE}, 'hard_seconds': {4 * PATIENCE}}}\n"
    path.write_text(head + source)
    return str(path)
