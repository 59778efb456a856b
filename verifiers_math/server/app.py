"""The application: routes, what surrounds them, and the one judge behind them all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from verifiers_math import __version__
from verifiers_math.server import metrics as counts
from verifiers_math.server.bodies import Bodies, decode
from verifiers_math.server.evaluating import EvaluateRequest, evaluate, known_evaluators
from verifiers_math.server.explaining import ExplainRequest, explain
from verifiers_math.server.guards import authorised
from verifiers_math.server.openapi import describe
from verifiers_math.server.pages import PATHS as PAGE_PATHS
from verifiers_math.server.pages import page_routes
from verifiers_math.server.problems import HANDLERS, NOT_KEPT, Json, late, slow_body
from verifiers_math.server.settings import Settings
from verifiers_math.server.trainers import TRAINER_ENDPOINTS, load
from verifiers_math.verifier import share_verifier

OPEN_PATHS = frozenset({*PAGE_PATHS, "/healthz", "/openapi.json"})
"""What needs no token: the page's files, and what monitors and clients look at first."""

_LARGE_BODY_BYTES = 256 << 10
_NICENESS = 10
"""Workers stand back behind the loop, which serves everybody."""

Value = TypeVar("Value")
Handle = Callable[[Any], Awaitable[Any]]


def create_app(settings: Settings | None = None) -> ASGIApp:
    """Makes the service as an ASGI application.

    While it runs, its verifier is the one that `verifiers_math.verifier.default_verifier` gives,
    so that every endpoint and adapter uses the same workers, under the same limits.

    Args:
        settings: The limits, and the token; the defaults where there are none.
    """
    return Service(settings or Settings()).app


class Service:
    """One service: its judge, its counts, its application.

    Args:
        settings: The limits, and the token.

    Attributes:
        app: The application.
        verifier: The judge.
        metrics: The counts.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._bodies = Bodies(settings)
        routes = [*self._api(), *self._about(), *page_routes()]
        self.metrics = counts.Metrics([route.path for route in routes])
        self.verifier = counts.CountedVerifier(
            self.metrics,
            max_processes=settings.max_workers,
            timeout_seconds=settings.timeout_seconds,
            memory_bytes=settings.memory_bytes,
            max_waiting=settings.max_waiting,
            niceness=_NICENESS,
        )
        self.metrics.watch(self.verifier)
        inner = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=self._lifespan)
        inner.router.redirect_slashes = False
        inner.state.settings = settings
        app: ASGIApp = inner
        if settings.token is not None:
            app = authorised(app, settings.token, OPEN_PATHS)
        self.app = self.metrics.around(app)

    def _api(self) -> list[Route]:
        """What judges."""
        anything: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
        trainers = [
            self._post(endpoint.path, anything, load(endpoint)) for endpoint in TRAINER_ENDPOINTS
        ]
        return [
            self._post(
                "/api/v1/evaluate",
                msgspec.json.Decoder(EvaluateRequest),
                lambda request: evaluate(request, self.settings.max_items),
            ),
            self._post(
                "/api/v1/explain",
                msgspec.json.Decoder(ExplainRequest),
                lambda request: explain(request, self.verifier),
            ),
            *trainers,
        ]

    def _about(self) -> list[Route]:
        """What tells about the service."""
        described = Json(describe()).body

        async def openapi(request: Request) -> Response:
            return Json(msgspec.Raw(bytes(described)), headers=NOT_KEPT)

        async def evaluators(request: Request) -> Response:
            return Json({"evaluators": known_evaluators()}, headers=NOT_KEPT)

        async def health(request: Request) -> Response:
            return Json(
                {
                    "status": "ok",
                    "version": __version__,
                    "workers": self.verifier.stats.workers,
                    "pairs_waiting": self.verifier.waiting,
                },
                headers=NOT_KEPT,
            )

        async def metrics(request: Request) -> Response:
            headers = {"content-type": counts.CONTENT_TYPE, **NOT_KEPT}
            return Response(self.metrics.page(), headers=headers)

        return [
            Route("/api/v1/evaluators", evaluators),
            Route("/healthz", health),
            Route("/metrics", metrics),
            Route("/openapi.json", openapi),
        ]

    def _post(self, path: str, decoder: msgspec.json.Decoder[Value], handle: Handle) -> Route:
        """A route that reads a body, hands it on, and answers in time."""
        limits = self.settings

        async def answer(request: Request) -> Response:
            body = None
            try:
                async with asyncio.timeout(limits.body_seconds) as deadline:
                    body = await self._bodies.read(request)
                    now = asyncio.get_running_loop().time()
                    deadline.reschedule(now + limits.request_seconds)
                    if len(body) > _LARGE_BODY_BYTES:
                        value = await asyncio.to_thread(decode, body, decoder, limits.max_depth)
                    else:
                        value = decode(body, decoder, limits.max_depth)
                    return Json(await handle(value))
            except TimeoutError:
                raise (slow_body(limits) if body is None else late(limits)) from None
            finally:
                self._bodies.release(len(body or b""))

        return Route(path, answer, methods=["POST"])

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        before = share_verifier(self.verifier)
        warming = asyncio.create_task(asyncio.to_thread(self.verifier.warm_up))
        try:
            yield
        finally:
            share_verifier(before)
            await asyncio.gather(warming, return_exceptions=True)
            self.verifier.close()
