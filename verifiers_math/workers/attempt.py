"""One pair on one worker, from its dispatch to an answer or a kill."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, field
from enum import Enum, auto

from verifiers_math.promise import Promise
from verifiers_math.workers import wire
from verifiers_math.workers.backstop import FREEZE_SECONDS, Backstop
from verifiers_math.workers.outcome import HARD_LIMIT, WALL_FACTOR, Outcome, OutcomeKind
from verifiers_math.workers.worker import News, Worker

SLICE_SECONDS = 0.25
GRACE_SECONDS = 0.15
"""So long may a worker that was told to stop take for it, not counting time without a core."""
LOOK_SECONDS = 1.0
"""So often is a worker that says nothing looked at; one that is stopped twice is given up."""
_SLICE_WALL_FACTOR = 4
_HARD_DETAIL = HARD_LIMIT + " of {:g} s passed, and the worker was killed"
_SOFT_DETAIL = "the soft limit passed, and the worker was killed since it did not stop"


@dataclass(slots=True, eq=False)
class Job:
    """One pair, with its limits in seconds and the future of its outcome."""

    gold: str
    answer: str
    soft: float
    hard: float
    cost: float
    future: Promise[Outcome] = field(default_factory=Promise)
    deaths: int = 0
    orphaned: int = 0


class Event(Enum):
    """What else than an outcome can come of waiting for a worker."""

    SLICE_OVER = auto()
    PREEMPTED = auto()
    DIED = auto()


class Attempt:
    """Watches a worker at its work on one pair.

    Attributes:
        worker: The worker.
        reusable: Whether the worker is fit for the next pair, once this one has ended.
        killed: Whether the worker was killed because the pair did not end.
    """

    def __init__(self, worker: Worker, job: Job, sliced: bool) -> None:
        self.worker = worker
        self.reusable = False
        self.killed = False
        self._job = job
        self._slice = min(SLICE_SECONDS, job.soft / 10) if sliced else 0.0
        self._started = time.monotonic()
        self._now = self._started  # read once a round, so that no stop falls between two readings
        self._hard_end = self._started + job.hard
        self._grace: Backstop | None = None
        self._grace_end: float | None = None
        # By the wall too: a worker that sleeps, or is starved, must not hold the fast lane.
        self._slice_end = self._started + self._slice * _SLICE_WALL_FACTOR if sliced else None
        self._slice_signal_due = sliced
        self._backstop = Backstop(worker.pid, job.soft * WALL_FACTOR)
        self._look_at = self._started + LOOK_SECONDS
        self._was_stopped = False
        self._preempting = False

    def dispatch(self) -> Event | Outcome | None:
        """Hands the pair to the worker; returns what came of it where that failed."""
        job = self._job
        request = {"gold": job.gold, "answer": job.answer, "soft": job.soft, "slice": self._slice}
        try:
            self.worker.send(wire.pack(request), job.hard)
        except TimeoutError:
            return self._kill(OutcomeKind.HARD_TIMEOUT, _HARD_DETAIL.format(job.hard))
        except OSError:
            return Event.DIED
        return None

    def wait(self) -> Event | Outcome:
        """Waits until the pair has ended, or its first slice has."""
        while True:
            deadlines = (self._hard_end, self._grace_end, self._slice_end, self._look_at)
            until = min(deadline for deadline in deadlines if deadline is not None)
            news = self.worker.listen(until - time.monotonic())
            before, self._now = self._now, time.monotonic()
            self._postpone(self._now - max(until, before))
            if news.reply is not None:
                return self._ended(news.reply)
            slice_over = self._note(news)
            if news.gone:
                return self._gone()
            if (overdue := self._overdue()) is not None:
                return overdue
            if self._is_stopped():
                self.worker.kill()
                return Event.DIED
            if slice_over:
                return Event.SLICE_OVER

    def preempt(self) -> None:
        """Tells the worker to give the pair up; ``wait`` then returns within the grace."""
        self._preempting = True
        self.worker.signal(signal.SIGUSR1)
        self._start_grace()

    def _note(self, news: News) -> bool:
        """Takes in the signals that reached the worker; True when the slice is over."""
        expiries = news.signals.count(signal.SIGPROF)
        slice_signal = self._slice_signal_due and expiries > 0
        if slice_signal:
            self._slice_signal_due = False
            expiries -= 1
        # Of a process that is gone nobody can say what it is owed.
        alarmed = signal.SIGALRM in news.signals and not news.gone and not self._backstop.owed()
        if expiries or alarmed:
            self._start_grace()
        if self._slice_end is None or not (slice_signal or self._now >= self._slice_end):
            return False
        self._slice_end = None
        return True

    def _postpone(self, late: float) -> None:
        """Moves the deadlines where this process itself was stopped, and its workers with it."""
        if late <= FREEZE_SECONDS:
            return
        self._hard_end += late
        if self._grace_end is not None:
            self._grace_end += late
        if self._slice_end is not None:
            self._slice_end += late

    def _is_stopped(self) -> bool:
        """Whether the worker was stopped at this look and at the one before, by whatever signal."""
        if self._now < self._look_at:
            return False
        self._look_at = self._now + LOOK_SECONDS
        before, self._was_stopped = self._was_stopped, self.worker.is_stopped()
        return before and self._was_stopped

    def _start_grace(self) -> None:
        if self._grace is None:
            self._grace = Backstop(self.worker.pid, GRACE_SECONDS)
            self._grace_end = time.monotonic() + GRACE_SECONDS

    def _overdue(self) -> Event | Outcome | None:
        if self._now >= self._hard_end:
            return self._kill(OutcomeKind.HARD_TIMEOUT, _HARD_DETAIL.format(self._job.hard))
        if self._grace is None or self._grace_end is None or self._now < self._grace_end:
            return None
        if owed := self._grace.owed():
            self._grace_end = time.monotonic() + owed
            return None
        return self._end_late()

    def _gone(self) -> Event | Outcome:
        """What it means that the process has ended before we ended it."""
        if self._grace is None:
            return Event.DIED
        # It had been told to stop and went on, while this process got no core, until the kernel's
        # limit on its CPU time.
        return self._end_late()

    def _end_late(self) -> Event | Outcome:
        """Ends a worker that did not stop."""
        outcome = self._kill(OutcomeKind.TIMEOUT, _SOFT_DETAIL)
        return Event.PREEMPTED if self._preempting else outcome

    def _kill(self, kind: OutcomeKind, detail: str) -> Outcome:
        self.worker.kill()
        self.killed = True
        return Outcome(kind, time.monotonic() - self._started, detail)

    def _ended(self, line: bytes) -> Event | Outcome:
        try:
            reply = wire.unpack(line)
            self.reusable = not reply.get("retire")
            if reply["kind"] == wire.PREEMPTED:
                return Event.PREEMPTED
            return Outcome(OutcomeKind(reply["kind"]), float(reply["seconds"]), reply["detail"])
        except (ValueError, TypeError, KeyError) as error:
            self.reusable = False
            return Outcome(OutcomeKind.ERROR, 0.0, f"the worker's reply makes no sense: {error!r}")
