"""The way of an undecided pair to math_verify and back: threads, workers, and one run a pair."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock, current_thread, main_thread
from time import perf_counter
from typing import Final, Literal

from verifiers_math.equivalence.cascade import judge_as_text
from verifiers_math.equivalence.cost import expected_cost
from verifiers_math.equivalence.decision import Decision
from verifiers_math.equivalence.verdict import Status
from verifiers_math.errors import PoolClosedError, VerifierBusyError
from verifiers_math.promise import Promise
from verifiers_math.workers import (
    HARD_LIMIT,
    WALL_FACTOR,
    Outcome,
    OutcomeKind,
    PoolStats,
    WorkerPool,
)

STAGE: Final = "math_verify"
Isolation = Literal["process", "thread"]
Pair = tuple[str, str]
OnDecision = Callable[[Decision], None]
Recall = Callable[[], Decision | None]


class SymbolicStage:
    """Asks math_verify, in a worker that can be killed, about pairs that no pure stage decides.

    Making one starts nothing. It belongs to one process: after a fork the child makes its own.

    Args:
        timeout_seconds: The soft limit: CPU seconds of a worker on one pair.
        hard_timeout_seconds: Wall seconds after which a worker is killed whatever it does.
        max_workers: Threads that carry pairs, and a bound on the worker processes.
        memory_bytes: Memory that one worker may use.
        isolation: ``"process"`` or ``"thread"``; see `Verifier`.
        as_text: Whether the normal forms decide where no worker is to be had.
        max_waiting: Pairs that may be under way at once; None for any number.
        max_processes: A bound on the worker processes alone; None for ``max_workers``.
        niceness: By how much workers stand back behind this process, as ``os.nice`` takes it.

    Attributes:
        timeout_seconds: The soft limit of the pairs that are asked about from now on.
        hard_timeout_seconds: Their hard limit.
    """

    def __init__(
        self,
        *,
        timeout_seconds: float,
        hard_timeout_seconds: float,
        max_workers: int,
        memory_bytes: int,
        isolation: Isolation,
        as_text: bool,
        max_waiting: int | None = None,
        max_processes: int | None = None,
        niceness: int = 0,
    ) -> None:
        self.timeout_seconds = timeout_seconds
        self.hard_timeout_seconds = hard_timeout_seconds
        self._max_workers = max_workers
        self._isolation = isolation
        self._as_text = as_text
        self._max_waiting = max_waiting
        self._lock = Lock()
        self._closed = False
        self._has_warned = False
        self._running: dict[Pair, Promise[Decision]] = {}
        self._executor: ThreadPoolExecutor | None = None
        self._pool = WorkerPool(
            max_processes or max_workers, memory_bytes=memory_bytes, niceness=niceness
        )

    @property
    def executor(self) -> ThreadPoolExecutor:
        """The threads, started as they are needed.

        Raises:
            PoolClosedError: The stage is closed.
        """
        with self._lock:
            if self._closed:
                raise PoolClosedError("this verifier has been closed")
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._max_workers, "verifiers-math")
            return self._executor

    @property
    def waiting(self) -> int:
        """The distinct pairs that are under way: in a worker, or waiting for one."""
        return len(self._running)

    @property
    def stats(self) -> PoolStats:
        """A copy of the worker pool's counts."""
        return self._pool.stats

    def warm_up(self) -> None:
        """Starts the workers, so that the first pair does not wait for them.

        Raises:
            PoolClosedError: The stage is closed.
        """
        if self._isolation == "process":
            self._pool.warm_up()

    def close(self) -> None:
        """Ends workers and threads at once; pairs under way end with an error status."""
        with self._lock:
            self._closed = True
            executor, self._executor = self._executor, None
            waiting = list(self._running.items())
        self._pool.close()
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)
        for pair, promise in waiting:
            self._settle(pair, promise, _failed("the verifier was closed"))

    def ask(
        self,
        gold: str,
        answer: str,
        remember: OnDecision,
        here: bool,
        recall: Recall = lambda: None,
    ) -> Promise[Decision]:
        """Sets a pair going, or joins those that wait for the same pair already.

        Args:
            gold: The gold, unboxed.
            answer: The final answer, unboxed.
            remember: Called once with a decision that would come out the same another time.
            here: Whether this thread carries the pair, instead of one of `executor`.
            recall: What ``remember`` has kept: the pair may have been decided since the caller
                looked, and is then not run again.

        Returns:
            A promise that always ends with a decision, never with an exception.

        Raises:
            VerifierBusyError: The pair is new, and there is no room for it.
        """
        pair = (gold, answer)
        promise: Promise[Decision] = Promise()
        try:
            with self._lock:
                running = self._running.get(pair)
                if running is not None:
                    return running
                known = recall()
                if known is None:
                    self._check_room(answer)
                    self._running[pair] = promise
            if known is not None:
                promise.set_result(known)
                return promise
            if here:
                self._carry(pair, promise, remember)
            else:
                self.executor.submit(self._carry, pair, promise, remember)
        except VerifierBusyError:
            raise
        except BaseException as reason:  # Ctrl-C must not leave those waiting who joined
            is_over = type(reason) in _OVER
            self._settle(pair, promise, _failed(str(reason) if is_over else "it was interrupted"))
            if not is_over:
                raise
        return promise

    def _check_room(self, answer: str) -> None:
        if self._max_waiting is None:
            return
        # Half of the room is kept for answers that look honest, or attacks would take it all.
        costly = expected_cost(answer) > 0
        room = -(-self._max_waiting // 2) if costly else self._max_waiting
        if len(self._running) >= room:
            raise VerifierBusyError(f"{len(self._running)} pairs wait for a worker already")

    def _carry(self, pair: Pair, promise: Promise[Decision], remember: OnDecision) -> None:
        """Blocks for the pair's first slice of time at most; the pool goes on by itself."""
        if self._isolation == "thread":
            self._finish(pair, promise, remember, _call_here(pair, self.timeout_seconds))
            return
        gold, answer = pair
        try:
            self._pool.start(
                gold,
                answer,
                soft_seconds=self.timeout_seconds,
                hard_seconds=self.hard_timeout_seconds,
                cost=expected_cost(answer),
                on_done=lambda done: self._take(pair, promise, remember, done),
            )
        except Exception as reason:
            if type(reason) not in _OVER and current_thread() is main_thread():
                raise  # of a signal's handler, such as a trainer's own time limit
            self._settle(pair, promise, _failed(f"{type(reason).__name__}: {reason}"))

    def _take(
        self, pair: Pair, promise: Promise[Decision], remember: OnDecision, done: Future[Outcome]
    ) -> None:
        reason = None if done.cancelled() else done.exception()
        if done.cancelled() or reason is not None:
            self._settle(pair, promise, _failed(f"the worker pool failed: {reason!r}"))
        else:
            self._finish(pair, promise, remember, done.result())

    def _finish(
        self, pair: Pair, promise: Promise[Decision], remember: OnDecision, outcome: Outcome
    ) -> None:
        status, meaning = _MEANING[outcome.kind]
        decision = Decision(status, STAGE, outcome.detail or meaning)
        if outcome.kind is OutcomeKind.UNAVAILABLE and self._as_text:
            decision = self._decided_as_text(pair, decision.detail)
        if self._is_lasting(outcome):
            remember(decision)
        self._settle(pair, promise, decision)

    def _decided_as_text(self, pair: Pair, reason: str) -> Decision:
        """What the normal forms say; the log tells once why nothing better was asked."""
        if not self._has_warned:
            self._has_warned = True
            import logging  # rare, and an import of the package shall not pay for it

            logging.getLogger(__name__).warning(
                "no worker for computer algebra is to be had, so answers in another form than the "
                "gold's may count as wrong: %s (said once)",
                reason,
            )
        decision = judge_as_text(*pair)
        return decision._replace(detail=f"{decision.detail} ({reason})")

    def _is_lasting(self, outcome: Outcome) -> bool:
        """Whether another time would bring the same.

        A pair that was stopped by the wall-clock backstop may have been starved by other work: its
        CPU time, or where it had to be killed its wall time, is out of the soft limit's range.
        """
        if outcome.kind is OutcomeKind.TIMEOUT:
            used = outcome.seconds / self.timeout_seconds
            return _ROUNDING <= used < WALL_FACTOR
        return outcome.kind in _LASTING

    def _settle(self, pair: Pair, promise: Promise[Decision], decision: Decision) -> None:
        with self._lock:
            if self._running.get(pair) is not promise:  # settled already, by closing
                return
            del self._running[pair]
        promise.set_result(decision)


_MEANING: dict[OutcomeKind, tuple[Status, str]] = {
    OutcomeKind.EQUAL: (Status.CORRECT, "math_verify finds both equal"),
    OutcomeKind.DIFFERENT: (Status.INCORRECT, "math_verify finds them different"),
    OutcomeKind.GOLD_UNREADABLE: (Status.GOLD_UNREADABLE, "math_verify cannot read the gold"),
    OutcomeKind.ANSWER_UNREADABLE: (Status.ANSWER_UNREADABLE, "math_verify cannot read the answer"),
    OutcomeKind.TIMEOUT: (Status.TIMEOUT, "the worker used up its CPU time"),
    OutcomeKind.HARD_TIMEOUT: (Status.TIMEOUT, f"{HARD_LIMIT} passed, and the worker was killed"),
    OutcomeKind.MEMORY: (Status.LIMIT, "the worker used up its memory"),
    OutcomeKind.CRASHED: (Status.ERROR, "one worker after the other died on this pair"),
    OutcomeKind.ERROR: (Status.ERROR, "math_verify raised an exception"),
    OutcomeKind.UNAVAILABLE: (Status.ERROR, "no worker could be started"),
}
_OVER = (PoolClosedError, RuntimeError)  # what a closed pool and an interpreter at its end raise
_ROUNDING = 0.95  # the clocks of a process are coarse
_LASTING = frozenset(_MEANING) - {
    OutcomeKind.TIMEOUT,
    OutcomeKind.HARD_TIMEOUT,
    OutcomeKind.CRASHED,
    OutcomeKind.ERROR,
    OutcomeKind.UNAVAILABLE,
}


def _failed(reason: str) -> Decision:
    return Decision(Status.ERROR, STAGE, reason)


def _call_here(pair: Pair, timeout_seconds: float) -> Outcome:
    """math_verify in this thread: it cannot be stopped, its time is only looked at afterwards."""
    begin = perf_counter()
    try:
        from verifiers_math.workers.symbolic import verify_pair

        outcome = verify_pair(*pair)
    except ImportError as reason:
        return Outcome(OutcomeKind.UNAVAILABLE, 0.0, str(reason))
    except Exception as reason:
        return Outcome(OutcomeKind.ERROR, perf_counter() - begin, type(reason).__name__)
    seconds = perf_counter() - begin
    if seconds > timeout_seconds:
        return Outcome(OutcomeKind.TIMEOUT, seconds, "math_verify took longer than the limit")
    return outcome
