"""Connections that end: uvicorn's, which wait for ever for a head, or for an answer to be read."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from verifiers_math.server.settings import Settings

_REFUSALS = {
    400: ("Bad Request", "malformed_http", "this is no HTTP request, or its head is too large"),
    408: ("Request Timeout", "slow_head", "the head of the request took too long"),
    503: ("Service Unavailable", "too_many_connections", "there are too many connections"),
}


def guarded_connection(settings: Settings) -> type[asyncio.Protocol]:
    """The class of connections with these limits, for uvicorn.

    Args:
        settings: The limits.
    """
    return type("LimitedConnection", (GuardedConnection,), {"limits": settings})


class GuardedConnection(AutoHTTPProtocol):  # type: ignore[misc,valid-type] # h11 or httptools
    """One connection: bounded in the time of a head and of an unread answer, and in number.

    Attributes:
        limits: The limits; a subclass sets them, since uvicorn makes the connections.
    """

    limits: ClassVar[Settings]

    _head_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Starts the clock, or refuses what is too much."""
        super().connection_made(JoinedWrites(transport, self.loop))
        if len(self.connections) > self.limits.max_connections:
            self._refuse(503)
        else:
            self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Stops the clock once a head is complete."""
        super().data_received(data)
        if not self._is_idle():
            self._stop_head_timer()
        elif self._head_timer is None:
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clocks."""
        self._stop_head_timer()
        self._stop_write_timer()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Starts a clock: a client that does not read would hold its answer, and a shutdown."""
        super().pause_writing()
        abort = self.transport.abort
        self._write_timer = self.loop.call_later(self.limits.write_seconds, abort)

    def resume_writing(self) -> None:
        """Stops that clock: the client reads."""
        self._stop_write_timer()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no HTTP."""
        self._refuse(400)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _expect_head(self) -> None:
        seconds = self.limits.header_seconds
        self._head_timer = self.loop.call_later(seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        self._head_timer = None
        if self._is_idle() and not self.transport.is_closing():
            self._refuse(408)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _refuse(self, status: int) -> None:
        """Answers without the application, and closes; a request under way is given up."""
        self._stop_head_timer()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(_refusal(status))
        self.transport.close()


class JoinedWrites:
    """A transport that sends what is written within one turn of the loop together.

    uvicorn writes head and body of an answer apart; each call of the kernel costs as much as
    judging a short answer, and gives the interpreter away while another thread judges.

    Args:
        transport: The transport; whatever else is asked of this one, it is asked.
        loop: Its loop.
    """

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._chunks: list[bytes] = []
        # What every request asks for; the rest goes through `__getattr__`, which is slow.
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading

    def write(self, data: bytes) -> None:
        """Sends data soon, and before the connection is closed."""
        if not self._chunks:
            self._loop.call_soon(self._flush)
        self._chunks.append(data)

    def close(self) -> None:
        """Closes once everything is sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._chunks:
            self._transport.write(b"".join(self._chunks))
            self._chunks.clear()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def _refusal(status: int) -> bytes:
    phrase, code, message = _REFUSALS[status]
    body = f'{{"error":{{"code":"{code}","message":"{message}","path":null}}}}'
    head = (
        f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return (head + body).encode("ascii")
