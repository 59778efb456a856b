"""The service on a port."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import ipaddress
import logging
import socket
import sys
from dataclasses import replace
from typing import Any

import uvicorn

from verifiers_math.server.app import create_app
from verifiers_math.server.connections import guarded_connection
from verifiers_math.server.settings import Settings

_LOG = logging.getLogger("verifiers_math.server")
_BACKLOG = 128
"""Connections that may wait to be accepted, and that are accepted in one turn of the loop."""
_OTHER_DESCRIPTORS = 64
"""What workers, files and refused connections need besides the connections."""
_OUT_OF_DESCRIPTORS = frozenset({errno.EMFILE, errno.ENFILE})
_SILENT_SECONDS = 60.0


def run(host: str = "127.0.0.1", port: int = 8000, settings: Settings | None = None) -> None:
    """Serves until it is told to end (SIGINT, SIGTERM), and finishes what it took.

    Args:
        host: The address to listen at. Others than this machine can reach it only if this is not
            the loopback address.
        port: The port; 0 for a free one, which the log names.
        settings: The limits, and the token.

    Raises:
        SystemExit: The address cannot be listened at.
    """
    settings = settings or Settings()
    if settings.token is None and not _is_loopback(host):
        _LOG.warning("listening at %s without a token: whoever reaches it can use it", host)
    settings = _within_descriptors(settings)
    _favour_the_loop()
    with contextlib.suppress(KeyboardInterrupt):  # raised again after the graceful end
        server(host, port, settings).run()


def server(host: str, port: int, settings: Settings) -> uvicorn.Server:
    """The server, not started.

    Args:
        host: As for `run`.
        port: As for `run`.
        settings: As for `run`.
    """
    return Server(
        uvicorn.Config(
            create_app(settings),
            host=host,
            port=port,
            http=guarded_connection(settings),
            ws="none",
            lifespan="on",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            timeout_keep_alive=settings.idle_seconds,  # type: ignore[arg-type] # passed to call_later
            timeout_graceful_shutdown=settings.shutdown_seconds,  # type: ignore[arg-type]
        )
    )


class Server(uvicorn.Server):
    """A server that says once in a while, and not thousands of times, that it has no descriptor."""

    _silent_until = 0.0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await super().startup(sockets)

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _OUT_OF_DESCRIPTORS:
            loop.default_exception_handler(context)
        elif loop.time() >= self._silent_until:
            self._silent_until = loop.time() + _SILENT_SECONDS
            _LOG.error("there is no descriptor for another connection: %s", error)


def _within_descriptors(settings: Settings) -> Settings:
    """Asks for the descriptors that so many connections need, or allows fewer of them."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return settings
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.max_connections + _BACKLOG + _OTHER_DESCRIPTORS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return settings
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = max(1, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _BACKLOG - _OTHER_DESCRIPTORS)
    if room >= settings.max_connections:
        return settings
    _LOG.warning("the limit of descriptors leaves room for %s connections", room)
    return replace(settings, max_connections=room)


def _favour_the_loop() -> None:
    """Shortens what the event loop waits for: judging threads, and collections of a full cache."""
    sys.setswitchinterval(0.0002)
    gc.set_threshold(50_000, 20, 100)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
