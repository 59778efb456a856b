"""How scoring runs: rollouts at once, sync functions in threads, and all of it from sync code."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")

PATIENCE_SECONDS = 0.01
"""How long one thread works on a group's sync functions before others join in."""

MAX_THREADS = 32
"""The most threads that share a group's sync functions (the event loop's executor may hold
fewer)."""


class Slots:
    """A limit on how many rollouts are worked on at once, in each event loop.

    Args:
        limit: The number of slots; None for no limit.

    Raises:
        ValueError: If the limit is below 1.
    """

    def __init__(self, limit: int | None) -> None:
        if limit is not None and limit < 1:
            raise ValueError(f"max_concurrency must be at least 1, not {limit}")
        self.limit = limit
        self._semaphores: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = (
            WeakKeyDictionary()
        )

    def __reduce__(self) -> tuple[type[Slots], tuple[int | None]]:
        return Slots, (self.limit,)  # semaphores belong to loops, and loops to a process

    def take(self) -> AbstractAsyncContextManager[None]:
        """A slot of the running loop, held for the length of an ``async with`` block."""
        if self.limit is None:
            return _FREE
        loop = asyncio.get_running_loop()
        semaphore = self._semaphores.get(loop)
        if semaphore is None:
            semaphore = self._semaphores[loop] = asyncio.Semaphore(self.limit)
        return semaphore


_FREE: AbstractAsyncContextManager[None] = contextlib.nullcontext()


BATCH = 8
"""Coroutines that start in one turn of the event loop. Those that never wait, as a judge of short
answers does, run to their end in it, and a thousand at once would hold the loop for a tenth of a
second."""


async def gather(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines at once; where one raises, the others are cancelled and waited for.

    Args:
        coroutines: What to run.

    Returns:
        Their results, in order.
    """
    waiting = deque(coroutines)
    tasks: list[asyncio.Future[T]] = []
    try:
        while waiting:
            tasks.append(asyncio.ensure_future(waiting.popleft()))
            if len(tasks) % BATCH == 0:
                await asyncio.sleep(0)
        for task in tasks:
            if task.done():
                task.result()  # raises at once where it failed, though others may go on
        await asyncio.gather(*(task for task in tasks if not task.done()))
        return [task.result() for task in tasks]
    except BaseException:
        for coroutine in waiting:
            coroutine.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


async def run_in_threads(items: Sequence[T], work: Callable[[T], bool], slots: Slots) -> None:
    """Work on items in the event loop's threads, in copies of the caller's context.

    One thread takes item after item, so that cheap work costs one hop in all. Where that takes
    longer than `PATIENCE_SECONDS`, other threads take from the same queue.

    Args:
        items: What to work on.
        work: Called with each item; it must not raise. True stops what has not begun.
        slots: The limit on what is worked on at once.
    """
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    queue = deque(items)

    def drain() -> None:
        while True:
            try:
                item = queue.popleft()
            except IndexError:
                return
            if context.copy().run(work, item):
                queue.clear()

    async def hop() -> None:
        async with slots.take():
            await loop.run_in_executor(None, drain)

    if len(items) == 1:
        await hop()
        return
    first = asyncio.ensure_future(hop())
    try:
        await asyncio.wait([first], timeout=PATIENCE_SECONDS)
        helpers = min(MAX_THREADS, slots.limit or MAX_THREADS, len(queue) + 1) - 1
        await gather([hop() for _ in range(helpers)])
        await first
    except BaseException:
        queue.clear()  # the thread that is at work cannot be stopped, but it takes nothing new
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        raise


def run_blocking(function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function from sync code, also where this thread's event loop is running.

    Args:
        function: Called without arguments, in the loop that will run it.

    Returns:
        The coroutine's result.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run_in_new_loop(function)
    return _run_in_new_thread(lambda: _run_in_new_loop(function))


def _run_in_new_loop(function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    # With a factory the runner leaves the thread's current event loop as it was.
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(function())


def _run_in_new_thread(function: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(context.run(function))
        except BaseException as error:  # handed to the thread that waits
            errors.append(error)

    context = contextvars.copy_context()
    thread = threading.Thread(target=target, name="verifiers-math-sync", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
