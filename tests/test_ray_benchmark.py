"""The parts of the benchmark of Ray that need no Ray."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import ray as benchmark
from benchmarks.grpo_batch import make_batch


def test_without_ray_it_is_skipped_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "find_spec", lambda name: None)
    assert "skipped: Ray is not installed" in str(benchmark.run(argparse.Namespace()))


def test_batches_are_judged_and_compared_with_their_labels() -> None:
    batches = [make_batch("usual", groups=4, seed=7), make_batch("usual", groups=4, seed=8)]
    cost = benchmark.in_this_process(batches)
    assert (cost.answers, cost.wrong) == (128, 0)
    assert 0 < cost.caller_seconds <= cost.cpu_seconds
    table = str(benchmark.cost_table("Title", {"here": [cost], "there": [cost]}))
    assert "| here  |     128 |     0 |" in table
    assert "1.00x" in table


def test_both_files_hold_the_same_rollouts(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    labels = benchmark.write_rollouts(tmp_path, 40, seed=3)
    benchmark.file_in_this_process(tmp_path)
    assert dict(benchmark.line_rewards(tmp_path)) == dict(enumerate(map(float, labels)))
    assert pq.read_table(tmp_path / "rollouts.parquet")["id"].to_pylist() == list(range(40))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_cpu_time_of_a_process_that_has_ended_counts() -> None:
    watch = benchmark.Watch()
    burn = "import time\nwhile time.process_time() < 1: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
    watch.stop()
    assert watch.cpu_seconds > 0.3
    assert watch.peak_bytes > 0
