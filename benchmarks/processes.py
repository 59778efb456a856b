"""The processes below this one, as Linux's ``/proc`` shows them."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """A process that is not mistaken for a later one of the same number.

    Attributes:
        pid: Its number.
        parent: Its parent's number.
        started: Its start in clock ticks after boot.
    """

    pid: int
    parent: int
    started: int

    @property
    def is_alive(self) -> bool:
        """Whether it still runs (a zombie does not)."""
        found = _read(self.pid)
        return found is not None and found.started == self.started


def _read(pid: int) -> Process | None:
    try:
        stat = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    # The name in parentheses may hold spaces and parentheses itself.
    fields = stat.rpartition(")")[2].split()
    if fields[0] in ("Z", "X"):
        return None
    return Process(pid, int(fields[1]), int(fields[19]))


def descendants(pid: int | None = None) -> frozenset[Process]:
    """All living processes below one, by default below this one."""
    children: dict[int, list[Process]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (process := _read(int(entry.name))) is not None:
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [os.getpid() if pid is None else pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return frozenset(found)


def still_alive(processes: frozenset[Process], within_seconds: float) -> list[Process]:
    """Those that still run after a while; returns as soon as none does."""
    deadline = monotonic() + within_seconds
    while True:
        alive = [process for process in processes if process.is_alive]
        if not alive or monotonic() > deadline:
            return alive
        sleep(0.02)


def memory(pid: int, key: str = "VmRSS") -> int:
    """Resident memory of a process in bytes, ``VmHWM`` for its peak; 0 where it is gone."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    for line in lines:
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return 0


def reset_peaks() -> None:
    """Let the peak memory of all processes below this one count from now."""
    for process in descendants():
        # It may be gone by now, or belong to somebody else.
        with suppress(OSError):
            (PROC / str(process.pid) / "clear_refs").write_text("5")


def own_cpu_seconds(process: Process) -> float:
    """CPU time of one process without those below it; 0 where it is gone."""
    try:
        stat = (PROC / str(process.pid) / "stat").read_text(errors="replace")
    except OSError:
        return 0.0
    fields = stat.rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """CPU time of this process, those below it, and those of them that ended."""
    ticks = 0
    for pid in (os.getpid(), *(process.pid for process in descendants())):
        with suppress(OSError):
            stat = (PROC / str(pid) / "stat").read_text(errors="replace")
            ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
