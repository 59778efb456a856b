"""Reading a request's body: bounded in size, in time, in depth, and in all bodies together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from verifiers_math.server.problems import Problem, busy, from_decoder, invalid
from verifiers_math.server.settings import Settings

ALWAYS_ADMITTED_BYTES = 64 << 10
"""A body of this size is read however many others there are."""

_DRAIN_SECONDS = 1.0
_CLOSE = {"connection": "close"}

Body = TypeVar("Body")


@dataclass(slots=True)
class _Hold:
    """What one body takes of the room for all."""

    bytes: int = 0


class Bodies:
    """Reads bodies within the limits; one for the service.

    Args:
        settings: The limits.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held = 0

    @asynccontextmanager
    async def read(self, request: Request) -> AsyncIterator[bytes]:
        """The body, as long as it is needed.

        Args:
            request: The request.

        Raises:
            Problem: It is no JSON by its headers (415), too large (413), too slow (408), or there
                is no room for it now (429).
            ClientDisconnect: The client has gone.
        """
        _check_type(request)
        hold = _Hold()
        try:
            try:
                async with asyncio.timeout(self._settings.body_seconds):
                    body = await self._collect(request, hold)
            except TimeoutError:
                message = f"the body took longer than {self._settings.body_seconds:g} s"
                raise Problem(408, "slow_body", message, headers=_CLOSE) from None
            yield body
        finally:
            self._held -= hold.bytes

    async def _collect(self, request: Request, hold: _Hold) -> bytes:
        if _declared_length(request) > self._settings.max_body_bytes:
            await self._refuse_large(request)
        chunks = []
        async for chunk in _chunks(request):
            hold.bytes += len(chunk)
            self._held += len(chunk)
            if hold.bytes > self._settings.max_body_bytes:
                await self._refuse_large(request)
            if hold.bytes > ALWAYS_ADMITTED_BYTES and self._held > self._settings.max_buffered_bytes:
                message = "there are too many large bodies at once"
                raise busy(self._settings.retry_after_seconds, message, **_CLOSE)
            chunks.append(chunk)
        return b"".join(chunks)

    async def _refuse_large(self, request: Request) -> None:
        """Reads on for a moment: a client that is still sending would not see the answer."""
        limit = left = self._settings.max_body_bytes
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                async for chunk in _chunks(request):
                    left -= len(chunk)
                    if left < 0:
                        break
        raise Problem(413, "too_large", f"the body is larger than {limit} bytes", headers=_CLOSE)


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    """The body as it comes in, from where it has been read to."""
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        yield message.get("body", b"")
        more = message.get("more_body", False)


def decode(body: bytes, decoder: msgspec.json.Decoder[Body], max_depth: int) -> Body:
    """The body as what its decoder makes of it.

    Args:
        body: The bytes.
        decoder: Of a struct, or of anything.
        max_depth: The deepest nesting of lists and objects that are not described by a struct.

    Raises:
        Problem: It is no JSON, not what is wanted, or nested too deep.
    """
    try:
        value = decoder.decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise from_decoder(error, body) from None
    if is_deeper(value, max_depth):
        raise invalid(f"the body is nested deeper than {max_depth} levels")
    return value


def is_deeper(value: Any, levels: int) -> bool:
    """Whether lists, objects and structs are nested in one another in more than some levels."""
    if isinstance(value, dict):
        return levels == 0 or any(is_deeper(member, levels - 1) for member in value.values())
    if isinstance(value, list):
        return levels == 0 or any(is_deeper(member, levels - 1) for member in value)
    if isinstance(value, msgspec.Struct):
        return any(is_deeper(getattr(value, name), levels) for name in value.__struct_fields__)
    return False


def _check_type(request: Request) -> None:
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        message = f"send JSON with the header 'Content-Type: application/json', not {kind!r:.80}"
        raise Problem(415, "wrong_type", message, headers=_CLOSE)
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise Problem(415, "wrong_type", "a compressed body is not taken", headers=_CLOSE)


def _declared_length(request: Request) -> int:
    declared = request.headers.get("content-length", "0")
    return int(declared) if declared.isdecimal() and len(declared) < 16 else 0
