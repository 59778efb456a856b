"""A future that a main thread may wait for, whose signals' handlers may raise at any time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class Promise(Future[T]):
    """A future that stays whole when Ctrl-C, or a trainer's own timeout, breaks a wait for it.

    The standard library's waits in a condition that is written in Python. A handler that raises in
    there leaves its lock taken, which stops whoever sets the result, or is hidden by a
    RuntimeError, "cannot release un-acquired lock". (Source: Python's issue 29988 and
    `threading.Condition.wait`.) Here only those who settle a promise take that lock; who waits has
    a lock of their own.
    """

    def __init__(self) -> None:
        super().__init__()
        self._settled = False
        self._given: tuple[T] | None = None
        self._calls: list[Callable[[Future[T]], object]] = []

    def result(self, timeout: float | None = None) -> T:
        """Waits for the result, as `Future.result` does."""
        self._wait(timeout)
        return super().result(0) if self._given is None else self._given[0]

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Waits for the end, as `Future.exception` does."""
        self._wait(timeout)
        return super().exception(0)

    def set_result(self, result: T) -> None:
        """Ends all waits with a result."""
        super().set_result(result)
        self._given = (result,)
        self._settle()

    def set_exception(self, exception: BaseException | None) -> None:
        """Ends all waits with an exception."""
        super().set_exception(exception)
        self._settle()

    def cancel(self) -> bool:
        """Ends all waits with a cancellation, unless the work has begun."""
        cancelled = super().cancel()
        if cancelled:
            self._settle()
        return cancelled

    def add_done_callback(self, fn: Callable[[Future[T]], object]) -> None:
        """Has a function called at the end, or now where that is past.

        Raises:
            Exception: Whatever is raised in a call now. A future logs it and goes on, but it may be
                of a signal's handler, whose time limit would so be lost.
        """
        self._calls.append(fn)
        if self._settled and _taken(self._calls, fn):
            fn(self)

    def _wait(self, timeout: float | None) -> None:
        if self._settled:
            return
        gate = Lock()
        gate.acquire()

        def open_gate(_: Future[T]) -> None:
            gate.release()

        self._calls.append(open_gate)
        # Where it has been settled meanwhile there is nothing to wait for, and nothing to call: an
        # exception of a signal's handler would be logged as the callback's, and the gate stay shut.
        if self._settled or gate.acquire(timeout=-1 if timeout is None else max(0.0, timeout)):
            return
        if _taken(self._calls, open_gate):  # else it is being settled
            raise TimeoutError

    def _settle(self) -> None:
        """Calls what waits. Who comes after the mark calls for themselves, and nothing twice."""
        self._settled = True
        for fn in list(self._calls):
            if _taken(self._calls, fn):
                super().add_done_callback(fn)  # calls at once, and logs what it raises


def _taken(calls: list[Any], fn: Any) -> bool:
    """Whether this thread has taken the call from the list, which is one step for all threads."""
    try:
        calls.remove(fn)
    except ValueError:
        return False
    return True


def submit(
    executor: Executor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> Promise[T]:
    """`Executor.submit` for those that wait in a main thread.

    Raises:
        RuntimeError: The executor is shut down.
    """
    promise: Promise[T] = Promise()

    def run() -> None:
        if not promise.set_running_or_notify_cancel():
            return
        try:
            promise.set_result(function(*args, **kwargs))
        except BaseException as error:  # handed to whoever waits
            promise.set_exception(error)

    executor.submit(run)
    return promise
