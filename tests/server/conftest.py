"""The service, in this process behind a test client, or in one of its own on a free port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving import RunningService


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    """A client of one service, whose workers are started once for the whole run."""
    from starlette.testclient import TestClient

    from verifiers_math.server import create_app

    with TestClient(create_app(), raise_server_exceptions=False) as made:
        yield made


@pytest.fixture
def client_of() -> Iterator[Callable[..., Any]]:
    """Makes clients of services with other settings."""
    from starlette.testclient import TestClient

    from verifiers_math.server import Settings, create_app

    def make(**settings: Any) -> TestClient:
        return TestClient(create_app(Settings(**settings)), raise_server_exceptions=False)

    return make


@pytest.fixture
def serve() -> Iterator[Callable[..., RunningService]]:
    """Starts services in processes of their own, and ends them with all that they started."""
    running: list[RunningService] = []

    def start(**settings: Any) -> RunningService:
        running.append(RunningService(settings))
        return running[-1]

    yield start
    for service in running:
        service.end()
