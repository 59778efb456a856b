"""Who may come in."""

from __future__ import annotations

import hmac
from collections.abc import Collection

from starlette.types import ASGIApp, Receive, Scope, Send

from verifiers_math.server.problems import Problem


def authorised(app: ASGIApp, token: str, open_paths: Collection[str]) -> ASGIApp:
    """An application that wants a bearer token before another is asked.

    The token is compared in constant time.

    Args:
        app: The application.
        token: The token.
        open_paths: Paths for which none is wanted.
    """
    wanted = token.encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in open_paths or _bears(scope, wanted):
            await app(scope, receive, send)
            return
        problem = Problem(
            401,
            "unauthorised",
            "send the header 'Authorization: Bearer <token>' with the service's token",
            headers={"www-authenticate": "Bearer"},
        )
        await problem.response()(scope, receive, send)

    return guarded


def _bears(scope: Scope, wanted: bytes) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    if len(given) != 1:
        return False
    kind, _, token = given[0].partition(b" ")
    return kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), wanted)
