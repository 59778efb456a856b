"""What takes a body and answers it: decoded, handed on, in time, as JSON whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from verifiers_math.errors import VerifierBusyError
from verifiers_math.server.bodies import Bodies, decode
from verifiers_math.server.problems import (
    Json,
    Problem,
    busy,
    internal,
    late,
    slow_body,
    truncated,
)
from verifiers_math.server.settings import Settings
from verifiers_math.server.side_loop import SideLoop

LARGE_BODY_BYTES = 16 << 10
"""A larger body is handled beside the loop: what is done with it may take milliseconds."""

Handle = Callable[[Any], Awaitable[Any]]


class Endpoint:
    """An ASGI application for the POSTs to one path.

    Args:
        decoder: What makes a value of a body.
        handle: What makes an answer of the value, for `msgspec` to encode.
        bodies: Reads the bodies.
        side_loop: Where those that are large are handled.
        limits: The limits.
    """

    def __init__(
        self,
        decoder: msgspec.json.Decoder[Any],
        handle: Handle,
        bodies: Bodies,
        side_loop: SideLoop,
        limits: Settings,
    ) -> None:
        self._decoder = decoder
        self._handle = handle
        self._bodies = bodies
        self._side_loop = side_loop
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        try:
            answer: Response = await self._answer(scope, receive)
        except Problem as problem:
            answer = problem.response()
        except ClientDisconnect:
            answer = truncated().response()
        except VerifierBusyError as error:
            message = f"{error}; answers that need none are served"
            answer = busy(self._limits.retry_after_seconds, message).response()
        except Exception:
            await internal().response()(scope, receive, send)
            raise  # for the log
        await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        limits = self._limits
        body = None
        try:
            async with asyncio.timeout(limits.body_seconds) as deadline:
                body = await self._bodies.read(scope, receive)
                now = asyncio.get_running_loop().time()
                deadline.reschedule(now + limits.request_seconds)
                if len(body) > LARGE_BODY_BYTES:
                    return await self._side_loop.run(self._handled(body))
                return await self._handled(body)
        except TimeoutError:
            raise (slow_body(limits) if body is None else late(limits)) from None
        finally:
            self._bodies.release(len(body or b""))

    async def _handled(self, body: bytes) -> Response:
        return Json(await self._handle(decode(body, self._decoder, self._limits.max_depth)))
