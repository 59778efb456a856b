"""Fixtures that several test files share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import verifiers_math as vf


@pytest.fixture(scope="session")
def verifier() -> Iterator[vf.Verifier]:
    """A verifier whose workers are started once for the whole run, and closed at its end."""
    with vf.Verifier() as shared:
        yield shared
