"""The soak in its short form: seconds of faults instead of half an hour."""

from __future__ import annotations

import sys

import pytest

from benchmarks.soak import GROWTH_BYTES, growth, soak

SECONDS = 20.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


def test_under_faults_every_honest_answer_is_right_and_nothing_is_left() -> None:
    run, left = soak(SECONDS, seed=2)
    assert run.wrong == []
    assert run.counts["honest"] > 0
    assert run.faults.total() > 0
    assert left == {"processes": 0, "threads": 0, "descriptors": 0}
    assert growth(run) < GROWTH_BYTES
