"""Reading a request's body: bounded in size, in time, in depth, and in all bodies together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from verifiers_math.server.problems import Problem, busy, from_decoder, invalid
from verifiers_math.server.settings import Settings

ALWAYS_ADMITTED_BYTES = 64 << 10
"""A body of this size is read however many others there are."""

_DRAIN_SECONDS = 1.0
_CLOSE = {"connection": "close"}

Body = TypeVar("Body")


class Bodies:
    """Reads bodies within the limits; one for the service.

    Args:
        settings: The limits.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held = 0

    async def read(self, scope: Scope, receive: Receive) -> bytes:
        """The body; its room is taken until `release` is told its length.

        Args:
            scope: The request.
            receive: Gives the pieces of its body.

        Raises:
            Problem: It has two lengths (400), is no JSON by its headers (415) or too large (413),
                or there is no room for it now (429).
            ClientDisconnect: The client has gone.
        """
        headers = dict(scope["headers"])
        _check_framing(headers)
        _check_type(headers)
        if _declared_length(headers) > self._settings.max_body_bytes:
            await self._refuse_large(receive)
        chunks = []
        size = 0
        try:
            more = True
            while more:
                chunk, more = await _next_chunk(receive)
                size += len(chunk)
                self._held += len(chunk)
                if size > self._settings.max_body_bytes:
                    await self._refuse_large(receive)
                if size > ALWAYS_ADMITTED_BYTES and self._held > self._settings.max_buffered_bytes:
                    message = "there are too many large bodies at once"
                    raise busy(self._settings.retry_after_seconds, message, **_CLOSE)
                chunks.append(chunk)
        except BaseException:
            self.release(size)
            raise
        return b"".join(chunks)

    def release(self, size: int) -> None:
        """Gives the room of a body back.

        Args:
            size: Its length.
        """
        self._held -= size

    async def _refuse_large(self, receive: Receive) -> None:
        """Reads on for a moment: a client that is still sending would not see the answer."""
        limit = left = self._settings.max_body_bytes
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                more = True
                while more and left >= 0:
                    chunk, more = await _next_chunk(receive)
                    left -= len(chunk)
        raise Problem(413, "too_large", f"the body is larger than {limit} bytes", headers=_CLOSE)


async def _next_chunk(receive: Receive) -> tuple[bytes, bool]:
    """The next piece of the body, and whether there is more of it."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


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
    if type(value) not in _PLAIN and is_deeper(value, max_depth):
        raise invalid(f"the body is nested deeper than {max_depth} levels")
    return value


def is_deeper(value: Any, levels: int) -> bool:
    """Whether lists, objects and structs are nested in one another in more than some levels."""
    members: Iterable[Any]
    if isinstance(value, dict | list):
        if levels == 0:
            return True
        levels -= 1
        members = value.values() if isinstance(value, dict) else value
    else:
        members = msgspec.structs.astuple(value)
    for member in members:  # noqa: SIM110 - every request comes here, and a generator is slow
        if type(member) not in _PLAIN and is_deeper(member, levels):
            return True
    return False


_PLAIN = frozenset({str, int, float, bool, type(None), msgspec.UnsetType})


def _check_framing(headers: Mapping[bytes, bytes]) -> None:
    """A body with two ends: a proxy may see another one than we, and so another next request."""
    if b"transfer-encoding" in headers and b"content-length" in headers:
        message = "a body has a length or is chunked, not both"
        raise Problem(400, "malformed_http", message, headers=_CLOSE)


def _check_type(headers: Mapping[bytes, bytes]) -> None:
    kind = headers.get(b"content-type", b"application/json")
    if kind != b"application/json":
        kind = kind.partition(b";")[0].strip().lower()
    if kind != b"application/json" and not kind.endswith(b"+json"):
        given = kind.decode("latin-1")
        message = f"send JSON with the header 'Content-Type: application/json', not {given!r:.80}"
        raise Problem(415, "wrong_type", message, headers=_CLOSE)
    if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        raise Problem(415, "wrong_type", "a compressed body is not taken", headers=_CLOSE)


def _declared_length(headers: Mapping[bytes, bytes]) -> int:
    declared = headers.get(b"content-length", b"0")
    return int(declared) if declared.isdigit() and len(declared) < 16 else 0
