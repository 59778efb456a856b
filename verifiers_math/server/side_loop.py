"""An event loop in a thread, for what would hold up the one that serves everybody."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Event, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


class SideLoop:
    """A second event loop, which takes turns at the interpreter with the first.

    Until it is started, everything runs where it is asked for.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._ended = asyncio.Event()

    def start(self) -> None:
        """Starts the loop."""
        started = Event()
        work = self._until_ended(started)
        self._thread = Thread(target=asyncio.run, args=(work,), name="side-loop", daemon=True)
        self._thread.start()
        started.wait()

    def end(self) -> None:
        """Ends the loop; what still runs in it is cancelled."""
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._ended.set)
            self._loop = None
            self._thread.join()

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What a coroutine gives that runs in the loop; who cancels this cancels it.

        Args:
            work: The coroutine.
        """
        if self._loop is None:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def _until_ended(self, started: Event) -> None:
        self._loop = asyncio.get_running_loop()
        started.set()
        await self._ended.wait()
