"""The application: routes, what surrounds them, and the one judge behind them all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from verifiers_math import __version__
from verifiers_math.server import metrics as counts
from verifiers_math.server.bodies import Bodies
from verifiers_math.server.endpoints import Endpoint, Handle
from verifiers_math.server.evaluating import EvaluateRequest, evaluate, known_evaluators
from verifiers_math.server.explaining import ExplainRequest, explain
from verifiers_math.server.guards import authorised
from verifiers_math.server.openapi import describe
from verifiers_math.server.pages import PATHS as PAGE_PATHS
from verifiers_math.server.pages import page_routes
from verifiers_math.server.problems import HANDLERS, NOT_KEPT, Json
from verifiers_math.server.settings import Settings
from verifiers_math.server.side_loop import SideLoop
from verifiers_math.server.trainers import TRAINER_ENDPOINTS, load
from verifiers_math.verifier import share_verifier

OPEN_PATHS = frozenset({*PAGE_PATHS, "/healthz", "/openapi.json"})
"""What needs no token: the page's files, and what monitors and clients look at first."""

_NICENESS = 7
"""Workers stand back behind the loop, which serves everybody."""


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
        self._side_loop = SideLoop()
        endpoints = self._endpoints()
        posts = [Route(path, endpoint, methods=["POST"]) for path, endpoint in endpoints.items()]
        routes = [*posts, *self._about(), *page_routes()]
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
        app = _posts_first(endpoints, inner)
        if settings.token is not None:
            app = authorised(app, settings.token, OPEN_PATHS)
        self.app = self.metrics.around(app)

    def _endpoints(self) -> dict[str, Endpoint]:
        """What judges, by path."""

        def endpoint(decoder: msgspec.json.Decoder[Any], handle: Handle) -> Endpoint:
            return Endpoint(decoder, handle, self._bodies, self._side_loop, self.settings)

        anything: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
        return {
            "/api/v1/evaluate": endpoint(
                msgspec.json.Decoder(EvaluateRequest),
                lambda request: evaluate(request, self.settings.max_items),
            ),
            "/api/v1/explain": endpoint(
                msgspec.json.Decoder(ExplainRequest),
                lambda request: explain(request, self.verifier),
            ),
            **{trainer.path: endpoint(anything, load(trainer)) for trainer in TRAINER_ENDPOINTS},
        }

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

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        before = share_verifier(self.verifier)
        self._side_loop.start()
        warming = asyncio.create_task(asyncio.to_thread(self.verifier.warm_up))
        try:
            yield
        finally:
            share_verifier(before)
            await asyncio.gather(warming, return_exceptions=True)
            self.verifier.close()
            await asyncio.to_thread(self._side_loop.end)


def _posts_first(endpoints: Mapping[str, Endpoint], others: ASGIApp) -> ASGIApp:
    """An application that gives a POST to its endpoint, without a search among the routes."""

    async def dispatch(scope: Scope, receive: Receive, send: Send) -> None:
        is_post = scope["type"] == "http" and scope["method"] == "POST"
        app = endpoints.get(scope["path"], others) if is_post else others
        await app(scope, receive, send)

    return dispatch
