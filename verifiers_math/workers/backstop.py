"""The wall clock of a pair, which its worker and its parent keep alike.

The soft limit counts CPU time, so a pair that sleeps would never reach it: the backstop ends that
one. It must not end a pair whose process was kept from running, by a busy machine, a debugger,
Ctrl-Z or a paused container: such time is not the pair's, and is given back.
"""

from __future__ import annotations

import time
from pathlib import Path

FREEZE_SECONDS = 1.0
"""An alarm that is later than this shows that its process was stopped."""
_LEAST_SHARE = 0.05
"""Less than this share of the time is not given back: no process always runs at once."""


class Backstop:
    """So much wall time for a pair.

    Args:
        pid: The worker.
        seconds: Wall seconds in which the worker runs, sleeps or waits for something of its own.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self.seconds = seconds
        self._pid = pid
        self._end = time.monotonic() + seconds
        self._waited = waited_seconds(pid)

    def owed(self) -> float:
        """Once the alarm has come: the seconds to give back, for which the clock starts again.

        Returns:
            0.0 where the time is over.
        """
        now = time.monotonic()
        if now < self._end:  # one more of the alarms for which time was just given back
            return self._end - now
        waited = waited_seconds(self._pid)
        owed = waited - self._waited
        if now > self._end + FREEZE_SECONDS:
            owed = max(owed, self.seconds)
        if owed < self.seconds * _LEAST_SHARE:
            return 0.0
        self._end, self._waited = now + owed, waited
        return owed


def waited_seconds(pid: int) -> float:
    """How long a process has been ready to run without a core, since it began.

    Returns:
        Seconds; 0.0 where the kernel does not tell (Linux does), or the process is gone.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
