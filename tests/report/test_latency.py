"""Quantiles and the histogram of times."""

from __future__ import annotations

import pytest

from verifiers_math.report.latency import Latency


def latency_of(*seconds: float) -> Latency:
    times = Latency()
    for each in seconds:
        times.add(each)
    return times


@pytest.mark.parametrize(
    ("share", "seconds"), [(0.01, 0.001), (0.5, 0.050), (0.9, 0.090), (0.99, 0.099), (1.0, 0.100)]
)
def test_quantiles_are_exact_to_a_hundredth(share: float, seconds: float) -> None:
    times = latency_of(*(n / 1000 for n in range(1, 101)))
    assert times.quantile(share) == pytest.approx(seconds, rel=0.01)


def test_one_time_is_every_quantile() -> None:
    times = latency_of(0.25)
    assert times.quantile(0.5) == times.quantile(0.99) == times.least == times.most == 0.25


def test_answers_out_of_the_cache_are_counted_apart() -> None:
    times = latency_of(0.0, 0.0, 0.5)
    assert (times.count, times.cached) == (1, 2)


def test_a_negative_time_is_none() -> None:
    assert latency_of(-1.0).count == 0


def test_no_times_have_no_quantile_and_no_bars() -> None:
    assert latency_of().bars() == []
    with pytest.raises(ValueError, match="no times"):
        latency_of().quantile(0.5)


def test_the_bars_hold_every_time_and_the_gaps_between() -> None:
    times = latency_of(0.001, 0.0011, 0.1)
    bars = times.bars(per_decade=1)
    assert [(round(bar.low, 9), bar.times) for bar in bars] == [
        (0.001, 2),
        (0.01, 0),
        (0.1, 1),
    ]


def test_absurd_times_keep_within_the_histogram() -> None:
    times = latency_of(1e-300, 1e15)
    assert sum(bar.times for bar in times.bars()) == 2
    assert len(times.bars()) < 120
