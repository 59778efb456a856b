"""The state of a pool in one process: who runs what, and what becomes of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import InvalidStateError
from dataclasses import dataclass, replace
from queue import SimpleQueue

from verifiers_math.errors import PoolClosedError
from verifiers_math.workers.attempt import Attempt, Event, Job
from verifiers_math.workers.lanes import Lane, Lanes
from verifiers_math.workers.launcher import Launcher, StartError
from verifiers_math.workers.outcome import Outcome, OutcomeKind, PoolStats
from verifiers_math.workers.worker import Worker

MAX_DEATHS = 2
"""A pair whose workers have died so often is given up."""
_MAX_ORPHANED = 5
"""The same for workers that ended with their fork server, which is not the pair's doing."""
PATIENCE_SECONDS = 60.0
"""A pool that has had workers waits so long for the next one before it says that there is none."""
_CLOSE_LOCK_SECONDS = 1.0
_RETRY_SECONDS = 0.1
_CLOSED = Outcome(OutcomeKind.ERROR, 0.0, "the pool was closed")
_NO_THREAD = Outcome(OutcomeKind.UNAVAILABLE, 0.0, "no thread can be started")
_CRASHED = "one worker after the other died on this pair"


@dataclass(slots=True, eq=False)
class _Turn:
    """A job that has been admitted to a lane, with its running attempt if it has one.

    Once ``over``, the thread that drives it has nothing more to do with the job.
    """

    job: Job
    lane: Lane
    attempt: Attempt | None = None
    over: bool = False


class Core:
    """The state of a pool in one process, shared by its callers and by its own threads."""

    def __init__(self, size: int, task: str, memory_bytes: int, niceness: int) -> None:
        self._size = size
        self._launcher = Launcher(task, memory_bytes, niceness)
        self._lock = threading.Lock()
        # What our threads rest at. No `Condition`, which is written in Python: a signal's handler
        # that raises within its `notify` leaves the call, and the next one, without effect.
        self._wakes: SimpleQueue[None] = SimpleQueue()
        self._lanes: Lanes[Job] = Lanes(size)
        self._turns: deque[_Turn] = deque()  # admitted, waiting for one of our threads
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._threads = 0
        self._resting = 0
        self._closed = False
        self._stats = PoolStats()
        self._without_since: float | None = None

    def submit(self, job: Job) -> None:
        """Runs the first slice here where a worker is free, else leaves the job to a thread.

        The main thread never takes a slot: a signal's handler, as of Ctrl-C or of a trainer's own
        timeout, may raise there at any place, and would leave it taken for ever.
        """
        with self._lock:
            if self._closed:
                raise PoolClosedError("the worker pool is closed")
            if not self._threads and not self._start_thread():
                job.future.set_result(_NO_THREAD)
                return
            self._lanes.push(job, job.cost)
            if threading.current_thread() is threading.main_thread():
                self._summon()
                return
            admitted = self._lanes.take()
        if admitted is not None:
            self._drive(_Turn(*admitted), ours=False)

    def warm_up(self) -> None:
        """Starts as many workers as are missing."""
        while True:
            with self._lock:
                if self._closed:
                    raise PoolClosedError("the worker pool is closed")
                if len(self._workers) >= self._size:
                    return
            try:
                worker = self._hire()
            except StartError:
                return
            with self._lock:
                surplus = self._closed or len(self._workers) > self._size
                self._settle(worker, reusable=not surplus)

    def close(self, collected: bool = False) -> None:
        """Kills everything; a collection must not wait for a lock its own thread may hold."""
        self._closed = True
        self._wakes.put(None)  # one of our threads does what may have to be left to it
        for worker in list(self._workers):
            worker.kill()
        self._launcher.close()
        if self._lock.acquire(timeout=0 if collected else _CLOSE_LOCK_SECONDS):
            waiting = self._clear()
            self._lock.release()
            _close_futures(waiting)

    def abandon(self) -> None:
        """In a forked child: gives back the parent's descriptors, whoever held the locks."""
        self._closed = True
        self._launcher.abandon()
        for worker in list(self._workers):
            worker.abandon()

    def snapshot(self) -> PoolStats:
        """Returns a copy of the counts."""
        return replace(self._stats, servers=self._launcher.servers, workers=len(self._workers))

    def _clear(self) -> list[Job]:
        """After closing, under the lock: forgets what waits, and lets our threads end."""
        waiting = self._lanes.drain()
        waiting += [turn.job for turn in self._turns if turn.attempt is None]
        for turn in [turn for turn in self._turns if turn.attempt is None]:
            self._turns.remove(turn)
        for worker in self._idle:
            self._workers.discard(worker)
            worker.close()
        self._idle.clear()
        for _ in range(self._resting):
            self._wake()
        return waiting

    def _loop(self) -> None:
        """One of our threads: takes admitted turns until the pool is closed."""
        while (turn := self._next_turn()) is not None:
            self._drive(turn, ours=True)

    def _next_turn(self) -> _Turn | None:
        """Rests until there is a turn to take; None once the pool is closed."""
        while True:
            with self._lock:
                if (turn := self._admitted()) is not None:
                    self._admit()  # who saw this thread resting may have left more to it
                    return turn
                if self._closed:
                    self._threads -= 1
                    waiting = self._clear()  # whoever closed may have had to leave this to us
                    break
                self._resting += 1
            self._wakes.get()
            with self._lock:
                self._resting -= 1
        _close_futures(waiting)
        return None

    def _admitted(self) -> _Turn | None:
        """Under the lock: a turn that waits for one of our threads, or the next to be admitted."""
        if self._turns:
            return self._turns.popleft()
        admitted = None if self._closed else self._lanes.take()
        return None if admitted is None else _Turn(*admitted)

    def _admit(self) -> None:
        """Under the lock: passes on whatever may run now to our threads."""
        while (admitted := self._lanes.take()) is not None:
            self._pass_on(_Turn(*admitted))

    def _pass_on(self, turn: _Turn) -> None:
        self._turns.append(turn)
        if self._resting >= len(self._turns):
            self._wake()
        elif self._threads <= self._size:  # no more turns than size + 1 are ever under way
            self._start_thread()  # if that fails, those there are take the turn in time

    def _summon(self) -> None:
        """Has one of our threads look for what may run."""
        if self._resting:
            self._wake()
        elif self._threads <= self._size:
            self._start_thread()

    def _wake(self) -> None:
        """Under the lock: has one that rests look for turns; none is lost, and some see nothing."""
        if self._wakes.qsize() < self._resting:
            self._wakes.put(None)

    def _start_thread(self) -> bool:
        thread = threading.Thread(target=self._loop, name="verifiers-math-workers", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            if "un-acquired" in str(error) and error.__context__ is not None:
                raise error.__context__ from None  # of a signal's handler, hidden: see Promise
            return False  # too many of them, or the interpreter is shutting down
        self._threads += 1
        return True

    def _drive(self, turn: _Turn, ours: bool) -> None:
        """Sees a turn through; in a caller's thread only until its first slice is over."""
        try:
            while not self._step(turn, ours):
                pass
        except BaseException as error:  # such as Ctrl-C in a caller's thread: free the slot
            if not turn.over:
                self._finish(turn, Outcome(OutcomeKind.ERROR, 0.0, f"interrupted: {error!r}"))
            if not ours:
                raise

    def _step(self, turn: _Turn, ours: bool) -> bool:
        """Takes a turn one event further; True when it is over for this thread."""
        attempt = turn.attempt
        result = self._begin(turn) if attempt is None else attempt.wait()
        if result is None:
            return False
        if isinstance(result, Outcome):
            self._finish(turn, result)
            return True
        if result is Event.SLICE_OVER and attempt is not None:
            return self._slice_over(turn, attempt, ours)
        if result is Event.PREEMPTED:
            self._leave(turn, None)
            return True
        return self._died(turn)

    def _begin(self, turn: _Turn) -> Event | Outcome | None:
        job = turn.job
        if not job.future.running() and not job.future.set_running_or_notify_cancel():
            return _CLOSED  # cancelled while it waited: nobody will see this outcome
        try:
            worker = self._take_worker()
        except StartError as error:
            if self._closed:
                return _CLOSED
            if self._may_pass():
                time.sleep(_RETRY_SECONDS)
                return None  # to begin again; meanwhile another pair may have left its worker
            return Outcome(OutcomeKind.UNAVAILABLE, 0.0, str(error))
        turn.attempt = Attempt(worker, job, sliced=turn.lane is Lane.FAST)
        return turn.attempt.dispatch()

    def _may_pass(self) -> bool:
        """Whether it is a passing trouble that no worker is to be had: no memory, no descriptors.

        One clock for all pairs: where it lasts, the others need not wait as the first ones did.
        """
        if not self._stats.started:
            return False
        now = time.monotonic()
        if self._without_since is None:
            self._without_since = now
        return now - self._without_since < PATIENCE_SECONDS

    def _slice_over(self, turn: _Turn, attempt: Attempt, ours: bool) -> bool:
        with self._lock:
            if not self._lanes.promote():
                attempt.preempt()
                return False
            turn.lane = Lane.SLOW
            self._admit()
            if not ours:
                turn.over = True
                self._pass_on(_Turn(turn.job, turn.lane, attempt))
            return not ours

    def _died(self, turn: _Turn) -> bool:
        if self._closed:
            self._finish(turn, _CLOSED)
            return True
        job, attempt = turn.job, turn.attempt
        orphaned = attempt is not None and attempt.worker.is_orphaned()
        job.orphaned += orphaned
        job.deaths += not orphaned
        if job.deaths >= MAX_DEATHS or job.orphaned >= _MAX_ORPHANED:
            self._finish(turn, Outcome(OutcomeKind.CRASHED, 0.0, _CRASHED))
            return True
        turn.attempt = None
        with self._lock:
            self._stats.deaths += 1
            if attempt is not None:
                self._settle(attempt.worker, reusable=False)
        return False

    def _finish(self, turn: _Turn, outcome: Outcome) -> None:
        """Frees the slot first, so that it is free when the outcome is seen."""
        self._leave(turn, outcome)
        if not turn.job.future.cancelled():
            turn.job.future.set_result(outcome)

    def _leave(self, turn: _Turn, outcome: Outcome | None) -> None:
        """Frees the slot and the worker, and admits what waits; no outcome means: run again."""
        waiting: list[Job] = []
        attempt, turn.attempt = turn.attempt, None
        with self._lock:
            turn.over = True
            self._lanes.leave(turn.lane)
            if attempt is not None:
                self._stats.kills += attempt.killed
                self._settle(attempt.worker, attempt.reusable)
            if outcome is None:
                self._stats.preempted += 1
                self._lanes.push(turn.job, turn.job.cost, Lane.SLOW)
            else:
                self._count(outcome)
            if self._closed:
                waiting = self._clear()
            else:
                self._admit()
        _close_futures(waiting)

    def _count(self, outcome: Outcome) -> None:
        self._stats.pairs += 1
        self._stats.timeouts += outcome.kind is OutcomeKind.TIMEOUT
        self._stats.hard_timeouts += outcome.kind is OutcomeKind.HARD_TIMEOUT
        self._stats.deaths += outcome.kind is OutcomeKind.CRASHED

    def _take_worker(self) -> Worker:
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                return self._hire()
            if worker.is_healthy():
                return worker
            with self._lock:  # it was killed from outside while it was idle
                self._settle(worker, reusable=False)

    def _hire(self) -> Worker:
        worker = self._launcher.spawn()
        with self._lock:
            self._workers.add(worker)
            self._stats.started += 1
            self._without_since = None
            if not self._closed:
                return worker
            self._settle(worker, reusable=False)
        raise StartError("the pool is closed")

    def _settle(self, worker: Worker, reusable: bool) -> None:
        """Under the lock: keeps a worker for the next pair, or ends it."""
        surplus = len(self._workers) > self._size and self._lanes.running[Lane.SLOW] < self._size
        if reusable and not surplus and not self._closed:
            self._idle.append(worker)
        else:
            self._workers.discard(worker)
            worker.close()


def _close_futures(jobs: list[Job]) -> None:
    for job in jobs:
        try:
            job.future.set_result(_CLOSED)
        except InvalidStateError:  # cancelled
            continue
