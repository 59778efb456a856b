"""The service on a port: uvicorn, with limits on clients that are slow or will not stop."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from verifiers_math.server.app import create_app
from verifiers_math.server.settings import Settings

_LOG = logging.getLogger("verifiers_math.server")

_REFUSALS = {
    400: ("Bad Request", "malformed_http", "this is no HTTP request, or its head is too large"),
    408: ("Request Timeout", "slow_head", "the head of the request took too long"),
    503: ("Service Unavailable", "too_many_connections", "there are too many connections"),
}


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
    server(host, port, settings).run()


def server(host: str, port: int, settings: Settings) -> uvicorn.Server:
    """The server, not started.

    Args:
        host: As for `run`.
        port: As for `run`.
        settings: As for `run`.
    """
    return uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            host=host,
            port=port,
            http=guarded_protocol(settings),
            ws="none",
            lifespan="on",
            access_log=False,
            server_header=False,
            timeout_keep_alive=settings.idle_seconds,  # type: ignore[arg-type] # passed to call_later
            timeout_graceful_shutdown=settings.shutdown_seconds,  # type: ignore[arg-type]
        )
    )


def guarded_protocol(settings: Settings) -> type[asyncio.Protocol]:
    """uvicorn's protocol, which bounds neither connections nor the time of a head, with bounds.

    Args:
        settings: The limits.
    """

    class GuardedProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type] # chosen at run time
        """One connection."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._timer: asyncio.TimerHandle | None = None
            self._write_timer: asyncio.TimerHandle | None = None
            if len(self.connections) > settings.max_connections:
                self._refuse(503)
                return
            self._expect_head()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if not self._is_idle():
                self._stop_timer()
            elif self._timer is None:
                self._expect_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            self.resume_writing()
            super().connection_lost(exc)

        def pause_writing(self) -> None:
            super().pause_writing()
            # A client that does not read would hold its answer, and a shutdown, for ever.
            abort = self.transport.abort
            self._write_timer = self.loop.call_later(settings.write_seconds, abort)

        def resume_writing(self) -> None:
            if self._write_timer is not None:
                self._write_timer.cancel()
                self._write_timer = None
            super().resume_writing()

        def send_400_response(self, msg: str) -> None:
            self._refuse(400)

        def _is_idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _expect_head(self) -> None:
            self._timer = self.loop.call_later(settings.header_seconds, self._head_is_late)

        def _head_is_late(self) -> None:
            self._timer = None
            if self._is_idle() and not self.transport.is_closing():
                self._refuse(408)

        def _stop_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _refuse(self, status: int) -> None:
            """Answers without the application, and closes; a request under way is given up."""
            self._stop_timer()
            if self.cycle is not None:
                self.cycle.disconnected = True
                self.cycle.message_event.set()
            self.transport.write(_refusal(status))
            self.transport.close()

    return GuardedProtocol


def _refusal(status: int) -> bytes:
    phrase, code, message = _REFUSALS[status]
    body = f'{{"error":{{"code":"{code}","message":"{message}","path":null}}}}'
    head = (
        f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return (head + body).encode("ascii")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
