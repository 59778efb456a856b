"""Single calls, from any thread and any event loop, gathered into batches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from verifiers_math.promise import Promise

Item = TypeVar("Item")
Result = TypeVar("Result")

GATHER_SECONDS = 0.01
"""How long the first call of a batch waits for others; nothing beside the time of a generation."""


class Gathering(Generic[Item, Result]):
    """Sends the items that come within a moment together.

    A trainer that asks for one reward at a time asks for hundreds at once, and a call of an actor
    costs more than most judgements.

    Args:
        send: Takes a batch and gives a result for each item, in order.
    """

    def __init__(self, send: Callable[[list[Item]], Awaitable[list[Result]]]) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._waiting: list[tuple[Item, Promise[Result]]] = []
        self._sending: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_ending = False

    def submit(self, item: Item) -> Promise[Result]:
        """Takes an item, and gives the promise of its result."""
        promise: Promise[Result] = Promise()
        with self._lock:
            loop = self._loop = self._loop or _start_loop()
            self._waiting.append((item, promise))
            is_first = len(self._waiting) == 1
        if is_first:
            loop.call_soon_threadsafe(loop.call_later, GATHER_SECONDS, self._flush)
        return promise

    def close(self) -> None:
        """Ends the thread, once what is under way has its results; a later item starts another."""
        with self._lock:
            if self._loop is not None and not self._is_ending:
                self._is_ending = True
                asyncio.run_coroutine_threadsafe(self._finish(), self._loop)

    def _flush(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
        sending = asyncio.ensure_future(self._send_all(batch))
        self._sending.add(sending)  # the loop itself holds tasks weakly
        sending.add_done_callback(self._sending.discard)

    async def _send_all(self, batch: list[tuple[Item, Promise[Result]]]) -> None:
        wanted = [(item, promise) for item, promise in batch if _begin(promise)]
        if not wanted:
            return
        try:
            results = await self._send([item for item, _ in wanted])
        except Exception as error:
            if len(wanted) == 1:
                wanted[0][1].set_exception(error)
            else:  # one of them may be at fault, and the others are not to suffer for it
                await asyncio.gather(*(self._send_all([one]) for one in wanted))
            return
        for (_, promise), result in zip(wanted, results, strict=True):
            promise.set_result(result)

    async def _finish(self) -> None:
        while True:
            await asyncio.sleep(2 * GATHER_SECONDS)
            await asyncio.gather(*self._sending)
            with self._lock:
                if not (self._waiting or self._sending):
                    self._loop, self._is_ending = None, False
                    break
        asyncio.get_running_loop().stop()


def _begin(promise: Promise[Result]) -> bool:
    """Whether a result is still wanted."""
    return promise.running() or promise.set_running_or_notify_cancel()


def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()

    def run() -> None:
        try:
            loop.run_forever()
        finally:
            loop.close()

    threading.Thread(target=run, name="verifiers-math-ray", daemon=True).start()
    return loop
