"""Whatever goes wrong, as JSON: ``{"error": {"code", "message", "path"}}``.

``code`` is for programs and does not change; ``message`` is for people; ``path`` names the field
of the body that is at fault (``$.items[3].output``), and is null where none is.
"""

from __future__ import annotations

import http
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from verifiers_math.server.settings import Settings

NOT_KEPT = {"cache-control": "no-store"}
"""For answers that a cache may keep otherwise: those to GET, and 404 and 405."""

_RAW_HEADERS = [
    (b"content-type", b"application/json"),
    (b"x-content-type-options", b"nosniff"),
]


class Json(Response):
    """An answer as JSON. What is not a number (NaN, infinity) becomes null."""

    def __init__(
        self, content: Any, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        # As the base class does, but without its search for headers that are known here.
        self.status_code = status
        self.background = None
        self.body = self.render(content)
        self.raw_headers = [*_RAW_HEADERS, (b"content-length", str(len(self.body)).encode())]
        for name, value in (headers or {}).items():
            self.raw_headers.append((name.encode(), value.encode()))

    def render(self, content: Any) -> bytes:
        """The bytes of the answer."""
        return msgspec.json.encode(content)


class Error(msgspec.Struct):
    """What went wrong.

    Attributes:
        code: For programs: one of the codes in the documentation.
        message: For people: what is wrong, and what would be right.
        path: The field of the body that is at fault, or null.
    """

    code: str
    message: str
    path: str | None = None


class ErrorReply(msgspec.Struct):
    """The answer to a request that was not carried out.

    Attributes:
        error: What went wrong.
    """

    error: Error


class Problem(Exception):
    """A request that cannot be carried out, and the answer that says why.

    Args:
        status: The HTTP status.
        code: For programs.
        message: For people.
        path: The field at fault, as ``$.items[3].output``.
        headers: Headers of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        path: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers
        self.error = Error(code, message, path)

    def response(self) -> Response:
        """The answer."""
        return Json(ErrorReply(self.error), self.status, {**NOT_KEPT, **(self.headers or {})})


def invalid(message: str, path: str | None = None) -> Problem:
    """A body that is JSON but not what is wanted.

    Args:
        message: What is wrong.
        path: The field at fault.
    """
    return Problem(422, "invalid", message, path)


def busy(retry_after_seconds: int, message: str, **headers: str) -> Problem:
    """A service that has too much to do.

    Args:
        retry_after_seconds: What the client is told to wait.
        message: With what.
        **headers: Further headers of the answer.
    """
    return Problem(
        429, "busy", message, headers={"retry-after": str(retry_after_seconds), **headers}
    )


def slow_body(limits: Settings) -> Problem:
    """A body that did not arrive in time; the connection is closed.

    Args:
        limits: The limits.
    """
    message = f"the body took longer than {limits.body_seconds:g} s"
    return Problem(408, "slow_body", message, headers={"connection": "close"})


def truncated() -> Problem:
    """A body whose client has gone before its end: nobody reads this, the counts do."""
    return Problem(400, "truncated", "the body ended before its length")


def internal() -> Problem:
    """An error of ours, whose trace goes to the log and not to the client."""
    return Problem(500, "internal", "the service failed; its log says how")


def late(limits: Settings) -> Problem:
    """A request that could not be answered in time.

    Args:
        limits: The limits.
    """
    message = f"there was no answer within {limits.request_seconds:g} s"
    wait = {"retry-after": str(limits.retry_after_seconds)}
    return Problem(503, "late", message, headers=wait)


# --- errors of the JSON decoder ------------------------------------------------------------------

_AT = re.compile(r" - at `(.*)`$", re.DOTALL)
_BYTE = re.compile(r"\(byte (\d+)\)$")
_NOT_NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"-inf")


def from_decoder(error: Exception, body: bytes) -> Problem:
    """The problem with a body that could not be decoded.

    Args:
        error: What the decoder raised.
        body: The body.
    """
    if isinstance(error, RecursionError):
        return invalid("the body is nested too deep")
    text = str(error)
    if isinstance(error, msgspec.ValidationError):
        at = _AT.search(text)
        return invalid(_AT.sub("", text), at[1] if at else "$")
    at = _BYTE.search(text)
    if at and body.startswith(_NOT_NUMBERS, int(at[1])):
        text = f"NaN and infinity are no JSON (byte {at[1]}); send null, or the text"
    return Problem(400, "malformed_json", text)


# --- where no endpoint answers --------------------------------------------------------------------


async def on_http_exception(request: Request, error: Exception) -> Response:
    """The answer where no route fits, or none of this method; OPTIONS is told the methods."""
    assert isinstance(error, HTTPException)  # noqa: S101 - the table below says so
    allow = (error.headers or {}).get("allow") or (error.headers or {}).get("Allow", "")
    if error.status_code == http.HTTPStatus.METHOD_NOT_ALLOWED:
        methods = ", ".join(sorted({*filter(None, allow.split(", ")), "OPTIONS"}))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={**NOT_KEPT, "allow": methods})
        message = f"{request.scope['path']:.200} takes {methods}"
        return Problem(405, "wrong_method", message, headers={"allow": methods}).response()
    return Problem(error.status_code, "not_found", "there is nothing at this path").response()


async def on_crash(request: Request, error: Exception) -> Response:
    """The answer to an error of ours."""
    return internal().response()


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http_exception,
    Exception: on_crash,
}
"""The answers by exception, as Starlette wants them."""
