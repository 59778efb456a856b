"""The soak in its short form: seconds of faults instead of half an hour."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from processes import PATIENCE, ROOT

from benchmarks.soak import GROWTH_BYTES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def test_under_faults_every_honest_answer_is_right_and_nothing_is_left(marker: str) -> None:
    # A process of its own: faults such as a lack of descriptors strike whatever runs in it.
    command = [sys.executable, "-m", "benchmarks", "soak", "--minutes", "0.35", "--json"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=12 * PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["figures"]
    assert figures["wrong"] == []
    assert figures["counts"]["honest"] > 0
    assert sum(figures["faults"].values()) > 0
    assert figures["left"] == {"processes": 0, "threads": 0, "descriptors": 0}
    assert figures["grown_bytes"] < GROWTH_BYTES
