"""Pools on real processes, each closed after its test, with nothing left behind."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import (
    PATIENCE,
    MakePool,
    RunScript,
    alive,
    eventually,
    marked,
    pool_pids,
    write_script,
)

from verifiers_math.workers import WorkerPool


@pytest.fixture
def make_pool() -> Iterator[MakePool]:
    """Makes pools whose workers run the tasks of these tests."""
    pools: list[WorkerPool] = []

    def make(max_workers: int = 1, task: str = "worker_tasks:act", **options: int) -> WorkerPool:
        pools.append(WorkerPool(max_workers, task=task, **options))
        return pools[-1]

    yield make
    started = [pool for pool in pools if pool._core._launcher._process is not None]
    pids = {pid for pool in started for pid in pool_pids(pool)}
    for pool in pools:
        pool.close()
    assert eventually(lambda: not any(alive(pid) for pid in pids))


@pytest.fixture
def pool(make_pool: MakePool) -> WorkerPool:
    """One worker with the tasks of these tests."""
    return make_pool()


@pytest.fixture
def marker(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A text in the environment of every process that the test starts; none may be left."""
    text = f"marker-{uuid.uuid4().hex}"
    monkeypatch.setenv("WORKER_TEST_MARKER", text)
    yield text
    assert eventually(lambda: not marked(text))


@pytest.fixture
def run_script(tmp_path: Path, marker: str) -> RunScript:
    """Runs an unguarded script to its end; nothing that it started may outlive it."""

    def run(source: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        path = write_script(tmp_path, source)
        result = subprocess.run(
            [sys.executable, "-X", "dev", path],
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
            check=False,
        )
        assert not check or result.returncode == 0, result.stderr
        assert eventually(lambda: not marked(marker))
        return result

    return run


@pytest.fixture(scope="session", autouse=True)
def _no_bound() -> Iterator[None]:
    """Keeps an environment's own bound from changing the pools under test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("VERIFIERS_MATH_MAX_WORKERS", raising=False)
        yield
