"""What the operating system enforces on a worker."""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

CPU_MARGIN_SECONDS = 2
_PR_SET_PDEATHSIG = 1
_LINUX = sys.platform.startswith("linux")
_LIBC = ctypes.CDLL(None, use_errno=True) if _LINUX else None


def die_with_parent(parent: int) -> None:
    """Has the kernel kill this process when its parent ``parent`` ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), *[ctypes.c_ulong(0)] * 3)
    if os.getppid() != parent:
        os._exit(0)


def limit_process(memory_bytes: int, on_excess: Callable[[], None]) -> None:
    """Limits the memory of this process to ``memory_bytes`` more than it has now; no core files.

    Where the kernel does not limit the address space (macOS), ``on_excess`` is called from a
    thread when the process has grown beyond the limit.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not _LINUX:
        watch_memory(memory_bytes, on_excess)
        return
    with contextlib.suppress(OSError):  # when memory runs out, a worker is to go, not the trainer
        Path("/proc/self/oom_score_adj").write_text("500")
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (_within(size + memory_bytes, hard), hard))


def watch_memory(memory_bytes: int, on_excess: Callable[[], None], every: float = 0.1) -> None:
    """Calls ``on_excess`` from a thread when the process has grown by ``memory_bytes``."""
    limit = peak_bytes() + memory_bytes

    def watch() -> None:
        while peak_bytes() <= limit:
            time.sleep(every)
        on_excess()

    threading.Thread(target=watch, daemon=True).start()


def allow_cpu(seconds: float) -> None:
    """Lets the kernel kill this process when it has used ``seconds`` and a margin from now on.

    The kernel's limit counts the whole life of the process, so it is raised before each pair.
    """
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = math.ceil(time.process_time() + seconds + CPU_MARGIN_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (_within(wanted, hard), hard))


def has_cpu_for(seconds: float) -> bool:
    """Whether a hard limit of the environment leaves the CPU time for one more such pair."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    return hard == resource.RLIM_INFINITY or (
        time.process_time() + seconds + CPU_MARGIN_SECONDS <= hard
    )


def peak_bytes() -> int:
    """Returns the largest resident size that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _within(wanted: int, hard: int) -> int:
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
