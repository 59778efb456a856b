"""The soft limit, inside a worker: signals that interrupt the pair.

Each signal's number is also written to a pipe by the interpreter's C code (``set_wakeup_fd``), so
the parent learns of it at once even where no Python code can run, as in a power of big integers.
"""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

from verifiers_math.workers.backstop import Backstop
from verifiers_math.workers.outcome import WALL_FACTOR
from verifiers_math.workers.wire import PREEMPTED

TIMEOUT = "timeout"
REFIRE_SECONDS = 0.05
_SIGNALS = (signal.SIGPROF, signal.SIGALRM, signal.SIGUSR1)


class Interrupted(BaseException):
    """Raised inside a pair; not an Exception, so that ``except Exception`` lets it through."""


class PairTimer:
    """Interrupts the code between ``start`` and ``stop`` when its time is over.

    Attributes:
        reason: Why the pair was interrupted: TIMEOUT, PREEMPTED, or "" if it was not.
    """

    def __init__(self) -> None:
        self.reason = ""
        self._armed = False
        self._slice_end = 0.0
        self._backstop: Backstop | None = None

    def install(self, wake_fd: int) -> None:
        """Takes over the signals of this process; ``wake_fd`` must not block."""
        for number in _SIGNALS:
            signal.signal(number, self._on_signal)
        signal.set_wakeup_fd(wake_fd, warn_on_full_buffer=False)

    def start(self, soft: float, first_slice: float) -> None:
        """Starts the clocks.

        Args:
            soft: CPU seconds for the pair; the backstop is three times as much wall time
                in which this process may run.
            first_slice: CPU seconds after which the parent is told once; 0 for never.
        """
        # The task before this one may have blocked them.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        self.reason = ""
        # Signals that come at the end of the slice and of the limit are told apart by the clock.
        self._slice_end = time.process_time() + (first_slice + soft) / 2 if first_slice else 0.0
        self._backstop = Backstop(os.getpid(), soft * WALL_FACTOR)
        self._armed = True
        signal.setitimer(signal.ITIMER_REAL, self._backstop.seconds, REFIRE_SECONDS)
        if first_slice:
            # Repeating, so that the limit's signal comes even if this one cannot be handled.
            signal.setitimer(signal.ITIMER_PROF, first_slice, soft - first_slice)
        else:
            signal.setitimer(signal.ITIMER_PROF, soft, REFIRE_SECONDS)

    def stop(self) -> None:
        """Stops the clocks; a signal that is still under way does nothing."""
        self._armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if not self._armed:
            return
        if number == signal.SIGUSR1:
            self.reason = self.reason or PREEMPTED
        elif self.reason:
            pass  # the code has swallowed the exception: raise it again
        elif number == signal.SIGPROF and time.process_time() < self._slice_end:
            return
        elif number == signal.SIGALRM and self._backstop and (owed := self._backstop.owed()):
            signal.setitimer(signal.ITIMER_REAL, owed, REFIRE_SECONDS)
            return
        else:
            self.reason = TIMEOUT
        signal.setitimer(signal.ITIMER_PROF, REFIRE_SECONDS, REFIRE_SECONDS)
        raise Interrupted
