"""The pool of workers, as its users see it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import Future

from verifiers_math.promise import Promise
from verifiers_math.workers import lifetime
from verifiers_math.workers.attempt import Job
from verifiers_math.workers.core import Core
from verifiers_math.workers.cores import pool_size
from verifiers_math.workers.outcome import Outcome, PoolStats


class WorkerPool:
    """Runs a task on pairs of texts in processes that can be killed.

    Making a pool starts nothing: the first pair starts the fork server (about a second) and one
    worker; more workers start when they are needed. It may be used from any thread. After a fork
    the child's pool has no process yet and starts its own. The processes end with ``close``, with
    the pool, at interpreter exit, and with the process that owns them, however it ends.

    Example:
        >>> pool = WorkerPool()
        >>> pool.run(r"(x+1)^2", "x^2+2x+1", soft_seconds=5, hard_seconds=120).kind
        <OutcomeKind.EQUAL: 'equal'>
        >>> pool.close()

    Attributes:
        size: The number of workers; one more runs only while as many slow pairs do.
    """

    def __init__(
        self,
        max_workers: int = 50,
        *,
        memory_bytes: int = 2 << 30,
        niceness: int = 0,
        task: str = "verifiers_math.workers.symbolic:verify_pair",
    ) -> None:
        """Starts nothing yet.

        Args:
            max_workers: The wanted number of workers; ``size`` is at most the number of cores that
                this process may use, and at most ``VERIFIERS_MATH_MAX_WORKERS``.
            memory_bytes: What a worker may allocate beyond what it starts with.
            niceness: By how much workers stand back behind this process where cores are scarce,
                as ``os.nice`` takes it.
            task: The function that workers run, as "module:function"; it gets gold and answer and
                returns an Outcome, whose seconds are then replaced by measured ones.

        Raises:
            ValueError: A number is not positive, in an argument or in the environment.
        """
        if memory_bytes < 1:
            raise ValueError(f"memory_bytes must be positive, not {memory_bytes}")
        self.size = pool_size(max_workers)
        self._settings = (task, memory_bytes, niceness)
        self._closed = False
        self._renew()
        lifetime.adopt(self)

    def start(
        self,
        gold: str,
        answer: str,
        *,
        soft_seconds: float,
        hard_seconds: float,
        cost: float = 0.0,
        on_done: Callable[[Future[Outcome]], object] | None = None,
    ) -> Promise[Outcome]:
        """Starts the verification of one pair.

        The calling thread, if it is not the main one, drives a free worker for the pair's first
        slice (at most 0.25 s of CPU time); it is not held up longer: where no worker is free, or
        the pair is slow, the future is completed later by a thread of the pool.

        Args:
            gold: The reference answer.
            answer: The answer to compare with it.
            soft_seconds: The limit on the worker's CPU time for this pair; the backstop is three
                times as much wall time. Time in a queue never counts.
            hard_seconds: The limit on the wall time from the pair's dispatch to a worker.
            cost: A cheap estimate; of the pairs that wait, those of lower cost go first.
            on_done: Called with the outcome's future by the thread that drives the worker, so
                never in the main thread, where a signal's handler may break it off.

        Returns:
            The promise of the outcome. A failure of any kind is an outcome, not an exception.

        Raises:
            PoolClosedError: The pool is closed.
            ValueError: A limit is not positive.
        """
        if not (soft_seconds > 0 and hard_seconds > 0):
            raise ValueError("the limits must be positive numbers of seconds")
        job = Job(gold, answer, soft_seconds, hard_seconds, cost)
        if on_done is not None:
            job.future.add_done_callback(on_done)
        self._core.submit(job)
        return job.future

    def run(
        self,
        gold: str,
        answer: str,
        *,
        soft_seconds: float,
        hard_seconds: float,
        cost: float = 0.0,
    ) -> Outcome:
        """Verifies one pair: ``start`` and the wait for its outcome; same arguments and errors."""
        return self.start(
            gold, answer, soft_seconds=soft_seconds, hard_seconds=hard_seconds, cost=cost
        ).result()

    def warm_up(self) -> None:
        """Starts the fork server and all workers, so that the first pairs need not wait for them.

        Where that is impossible nothing happens: each pair's outcome then says why.

        Raises:
            PoolClosedError: The pool is closed.
        """
        self._core.warm_up()

    def close(self) -> None:
        """Ends all workers at once; pairs under way end in an outcome that says so. Idempotent."""
        self._closed = True
        self._core.close()

    @property
    def closed(self) -> bool:
        """Whether the pool has been closed."""
        return self._closed

    @property
    def stats(self) -> PoolStats:
        """A copy of the pool's counts."""
        return self._core.snapshot()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(size={self.size}, task={self._settings[0]!r})"

    def _renew(self) -> None:
        self._core = Core(self.size, *self._settings)
        # Holds the core, never the pool, as the pool's own threads do: so the pool can be
        # collected while they run.
        self._finalizer = weakref.finalize(self, Core.close, self._core, collected=True)
        self._finalizer.atexit = False  # the exit hook does it, earlier

    def _after_fork(self) -> None:
        self._finalizer.detach()
        self._core.abandon()
        self._renew()
        if self._closed:
            self._core.close()
