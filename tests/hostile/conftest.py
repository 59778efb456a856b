"""Pools whose workers run the watching tasks of these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from verifiers_math.workers import WorkerPool


@pytest.fixture(scope="module", params=["watched_pure", "watched_symbolic"])
def watched(request: pytest.FixtureRequest) -> Iterator[WorkerPool]:
    """Workers that report what a pair makes the interpreter do."""
    pool = WorkerPool(2, task=f"hostile_tasks:{request.param}")
    yield pool
    pool.close()


@pytest.fixture
def probes() -> Iterator[WorkerPool]:
    """Workers that do what they should not."""
    pool = WorkerPool(1, task="hostile_tasks:probe")
    yield pool
    pool.close()
