"""Fixtures that several test files share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import hypothesis
import pytest

import verifiers_math as vf
from tests.chat_endpoint import ChatEndpoint, chat_endpoint

# On a busy machine any example may take long; what has to be quick is measured in CPU time.
hypothesis.settings.register_profile("busy machine", deadline=None)
hypothesis.settings.load_profile("busy machine")


def pytest_configure() -> None:
    """A shell starts what runs in its background with Ctrl-C ignored, and so would our scripts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def verifier() -> Iterator[vf.Verifier]:
    """A verifier whose workers are started once for the whole run, and closed at its end."""
    with vf.Verifier() as shared:
        yield shared


@pytest.fixture
def endpoint() -> Iterator[ChatEndpoint]:
    """An OpenAI-compatible endpoint of the test's own."""
    with chat_endpoint() as served:
        yield served


@pytest.fixture
def in_environment(endpoint: ChatEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients made without arguments talk to the endpoint."""
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
