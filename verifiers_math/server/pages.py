"""The page: a few static files, loaded once, under a policy that lets nothing else run or load."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The page's content security policy: its own files and answers, and no markup made of text."""

_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_NAMES: Final = ("page.css", "one.js", "many.js", "api.js", "math.js", "pair.js", "icon.svg")
_FILES: Final = {"/": "index.html"} | {f"/static/{name}": name for name in _NAMES}
PATHS: Final = tuple(_FILES)

_HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def page_routes() -> list[Route]:
    """The routes of the page."""
    folder = files("verifiers_math.server") / "static"
    return [
        _route(path, (folder / name).read_bytes(), _KINDS[name.rpartition(".")[2]])
        for path, name in _FILES.items()
    ]


def _route(path: str, content: bytes, kind: str) -> Route:
    async def serve(request: Request) -> Response:
        return Response(content, headers={**_HEADERS, "content-type": kind})

    return Route(path, serve)
