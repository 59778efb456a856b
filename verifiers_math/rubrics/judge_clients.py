"""Clients of an OpenAI-compatible endpoint: one for each event loop, closed when the loop ends.

A client's connections belong to the loop that opened them, while a rubric may be used by several
loops, one after another (``asyncio.run`` for each batch) or in several threads.
"""

from __future__ import annotations

import asyncio
import os
import sys
import weakref
from collections.abc import AsyncGenerator
from importlib.util import find_spec
from typing import Any, Final

from verifiers_math.errors import JudgeError

_PLAIN_TRANSPORT: Final = "AsyncHttpxClientWrapper"
"""The class of the transport that openai 2 and 3 make by themselves: one that holds no choices of
the user's, so that another of its kind does as well."""


class LoopClients:
    """Gives each event loop a client.

    It can be used from any thread and after a fork. Pickled, its clients do not travel.

    Args:
        given: An ``openai.AsyncOpenAI``, what behaves like one, or a function that makes one; None
            for ``openai.AsyncOpenAI()``. Each loop has its own copy, or what the function makes.
            A client with a transport of the user's, or of another kind, cannot be copied: it is
            used as it is, and left open.

    Raises:
        ImportError: If no client is given and the openai package is not installed.
        TypeError: If it is a synchronous client, or no client at all.
    """

    def __init__(self, given: Any = None) -> None:
        _check(given)
        self._given = given
        self._closed = False
        self._make_anew()

    def _make_anew(self) -> None:
        """What belongs to one process, and is neither inherited by a fork nor pickled."""
        self._default: Any = None
        self._lives: _Lives = {}
        self._pid = os.getpid()
        # Without a client to close them, connections would be left open.
        weakref.finalize(self, _end_all, self._lives, self._pid).atexit = False

    def __reduce__(self) -> tuple[type[LoopClients], tuple[Any]]:
        self.check_picklable()
        return LoopClients, (self._given,)

    def check_picklable(self) -> None:
        """Refuse to be pickled with a client.

        Raises:
            TypeError: If a client was given, and not a function that makes one.
        """
        if not isinstance(self.offered(), LoopClient):
            raise TypeError(
                "a judge_client cannot be pickled with its connections and keys; give a function "
                "that makes the client (judge_client=make_client), or none, so that each process "
                "reads OPENAI_API_KEY and OPENAI_BASE_URL"
            )

    def offered(self) -> Any:
        """What reward functions get as ``judge_client``: the client given, or a `LoopClient`."""
        if self._given is None or _is_factory(self._given):
            return LoopClient(self)
        return self._given

    def warm_up(self) -> None:
        """Make what the loops' clients are copied from, so that what is missing shows now.

        Raises:
            openai.OpenAIError: If no client was given and there is no API key.
        """
        if self._given is None and self._default is None:
            import openai  # half a second, and an extra

            self._default = openai.AsyncOpenAI()

    def here(self) -> Any:
        """The running event loop's client.

        Raises:
            JudgeError: If they have been closed.
            RuntimeError: If no event loop is running.
        """
        if self._pid != os.getpid():
            self._make_anew()
        if self._closed:
            raise JudgeError("the judge has been closed")
        loop = asyncio.get_running_loop()
        life = self._lives.get(loop)
        if life is None:
            self._forget_dead_loops()
            life = self._lives[loop] = _Life(*self._new_client(), self._lives)
        return life.client

    def close(self) -> None:
        """Close the clients that were made here, each in its loop; asking later is an error."""
        self._closed = True
        _end_all(self._lives, self._pid)

    async def aclose(self) -> None:
        """`close`, and wait for the running event loop's own client."""
        life = self._lives.pop(asyncio.get_running_loop(), None)
        self.close()
        if life is not None:
            await life.end()

    def _forget_dead_loops(self) -> None:
        """Those that were closed without ending their generators, as ``asyncio.run`` does it."""
        for loop in list(self._lives):
            if loop.is_closed():
                self._lives.pop(loop, None)

    def _new_client(self) -> tuple[Any, bool]:
        """A client for one loop, and whether it is to be closed with it."""
        if _is_factory(self._given):
            return _without_retries(self._given()), True
        self.warm_up()
        client = self._default if self._given is None else self._given
        if not _is_plain(client):
            return _without_retries(client), False
        import openai

        transport = openai.DefaultAsyncHttpxClient()
        return client.copy(http_client=transport, max_retries=0), True


class LoopClient:
    """Stands for the client of whichever event loop is running.

    Reward functions get it as ``judge_client`` where the user gave no client.
    """

    def __init__(self, clients: LoopClients) -> None:
        self._clients = clients

    def __reduce__(self) -> tuple[type[LoopClient], tuple[LoopClients]]:
        return LoopClient, (self._clients,)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._clients.here(), name)


class _Life:
    """A client, and the generator that closes it with its loop.

    ``asyncio.run``, and whatever else ends a loop in good order, ends the generators begun in it.
    """

    def __init__(self, client: Any, is_ours: bool, lives: _Lives) -> None:
        self.client = client
        self._is_ours = is_ours
        self._lives = lives
        self._life = self._live()
        _begin(self._life)

    async def _live(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._lives.pop(asyncio.get_running_loop(), None)
            if self._is_ours:
                await self.client.close()

    async def end(self) -> None:
        await self._life.aclose()


_Lives = dict[asyncio.AbstractEventLoop, _Life]


def _end_all(lives: _Lives, pid: int) -> None:
    """Closes clients in the loops that are theirs; a forked child has no part in them."""
    for loop, life in list(lives.items()):
        if loop.is_running() and pid == os.getpid():  # else it ends the generator by itself
            asyncio.run_coroutine_threadsafe(life.end(), loop)


def _begin(generator: AsyncGenerator[None, None]) -> None:
    """Runs a generator to its first ``yield``, before which it does not wait, without a task."""
    try:
        generator.__anext__().__await__().send(None)
    except StopIteration:
        return
    raise AssertionError("it waits before its first yield")


def _check(given: Any) -> None:
    if given is None:
        if find_spec("openai") is None:
            raise ImportError(
                "the judge needs the openai package: pip install 'verifiers-math[judge]', or give "
                "a judge_client of your own"
            )
        return
    openai = sys.modules.get("openai")
    if openai is not None and isinstance(given, openai.OpenAI):
        raise TypeError(
            "judge_client is an AsyncOpenAI: a synchronous client would stop the event loop"
        )
    if not _is_factory(given) and not hasattr(given, "chat"):
        raise TypeError(
            "judge_client is an AsyncOpenAI, or a function that makes one, not "
            f"{type(given).__name__}"
        )


def _is_factory(given: Any) -> bool:
    return callable(given) and (isinstance(given, type) or not hasattr(given, "chat"))


def _is_openai(client: Any) -> bool:
    openai = sys.modules.get("openai")
    return openai is not None and isinstance(client, openai.AsyncOpenAI)


def _is_plain(client: Any) -> bool:
    """Whether it is one of openai's own, with openai's own transport."""
    transport = getattr(client, "_client", None)
    return _is_openai(client) and type(transport).__name__ == _PLAIN_TRANSPORT


def _without_retries(client: Any) -> Any:
    """The same client, if it is openai's, without retries: they are made where time is kept."""
    return client.copy(max_retries=0) if _is_openai(client) else client
