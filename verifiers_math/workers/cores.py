"""How many workers can run at once here."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path

MAX_WORKERS_VARIABLE = "VERIFIERS_MATH_MAX_WORKERS"


def pool_size(max_workers: int) -> int:
    """Returns the number of workers for a pool that asked for ``max_workers``.

    It is at most the number of cores that this process may use, and at most the environment
    variable ``VERIFIERS_MATH_MAX_WORKERS`` (trainers start many processes on one machine).

    Raises:
        ValueError: ``max_workers`` or the variable is not a positive whole number.
    """
    if max_workers < 1:
        raise ValueError(f"max_workers must be at least 1, not {max_workers}")
    bounds = [max_workers, usable_cores()]
    if text := os.environ.get(MAX_WORKERS_VARIABLE, "").strip():
        if not text.isdecimal() or int(text) < 1:
            raise ValueError(f"{MAX_WORKERS_VARIABLE} must be a positive number, not {text!r}")
        bounds.append(int(text))
    return min(bounds)


def usable_cores(
    proc: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")
) -> int:
    """Returns the cores this process may use: by affinity, and by the quota of its cgroups."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, min([cores, *_quotas(proc, root)]))


def _quotas(proc: Path, root: Path) -> list[int]:
    try:
        entries = [line.split(":", 2) for line in proc.read_text().splitlines()]
    except OSError:
        return []
    found: list[int] = []
    for _, controllers, path in (entry for entry in entries if len(entry) == 3):
        if not controllers:  # version 2: one tree for all controllers
            found += _walk(root, path, _read_v2)
        elif "cpu" in controllers.split(","):
            for name in (controllers, "cpu"):
                found += _walk(root / name, path, _read_v1)
    return found


def _walk(root: Path, path: str, read: Callable[[Path], str]) -> list[int]:
    """Reads the quotas from a group up to the root; a container may see only the root's."""
    group = root / path.strip("/")
    found = []
    for directory in {root, group, *group.parents} - set(root.parents):
        try:
            quota, period = read(directory).split()
            if quota not in ("max", "-1"):
                found.append(math.ceil(int(quota) / int(period)))
        except (OSError, ValueError, ZeroDivisionError):
            continue
    return found


def _read_v2(directory: Path) -> str:
    return (directory / "cpu.max").read_text()


def _read_v1(directory: Path) -> str:
    names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    return " ".join((directory / name).read_text().strip() for name in names)
