"""Pass rates, mean rewards and their intervals, by name and along an axis."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from verifiers_math.report.rates import (
    MOST_NAMES,
    MOST_POINTS,
    OTHERS,
    Rate,
    Rates,
    Series,
)


def rate_of(*rewards: float | None) -> Rate:
    rate = Rate()
    for reward in rewards:
        rate.add(reward, None if reward is None else reward >= 1)
    return rate


def test_a_rate_counts_what_passed_of_what_was_scored() -> None:
    rate = rate_of(1.0, 0.0, 1.0, None, 1.0)
    assert (rate.count, rate.scored, rate.passed) == (5, 4, 3)
    assert rate.pass_rate == 0.75
    assert rate.mean == 0.75


def test_shaped_rewards_have_a_mean_beside_the_pass_rate() -> None:
    rate = rate_of(1.5, 0.5, -1.0, 1.0)
    assert rate.pass_rate == 0.5
    assert rate.mean == 0.5
    assert not rate.is_binary


def test_the_interval_of_a_pass_rate_is_wilsons() -> None:
    # By hand for 8 of 10, z = 1.959964: (0.8 + 0.192073 ± 1.959964 · 0.159423) / 1.384146.
    low, high = rate_of(*[1.0] * 8, *[0.0] * 2).pass_interval() or (0, 0)
    assert low == pytest.approx(0.490162, abs=1e-6)
    assert high == pytest.approx(0.943318, abs=1e-6)


def test_the_interval_of_a_mean_is_wilsons_where_rewards_are_zero_and_one() -> None:
    rate = rate_of(1.0, 0.0, 0.0)
    assert rate.mean_interval() == rate.pass_interval()


def test_the_interval_of_a_mean_of_other_rewards_is_the_normal_one() -> None:
    # Mean 2, variance (1 + 0 + 1) / 2 = 1, standard error 1 / sqrt(3).
    low, high = rate_of(1.0, 2.0, 3.0).mean_interval() or (0, 0)
    assert (low, high) == pytest.approx((2 - 1.959964 / 3**0.5, 2 + 1.959964 / 3**0.5))


@pytest.mark.parametrize("rewards", [(), (None,)])
def test_where_nothing_is_scored_there_are_no_rates(rewards: tuple[None, ...]) -> None:
    rate = rate_of(*rewards)
    assert rate.pass_rate is rate.mean is rate.pass_interval() is rate.mean_interval() is None


def test_one_shaped_reward_has_no_interval() -> None:
    assert rate_of(0.3).mean_interval() is None


def test_names_beyond_the_limit_are_counted_together() -> None:
    rates = Rates()
    for place in range(MOST_NAMES + 50):
        rates[f"name {place}"].add(1.0, True)
    assert len(rates.by_name) == MOST_NAMES + 1
    assert rates.by_name[OTHERS].count == 50


def test_the_largest_names_come_first() -> None:
    rates = Rates()
    for name in "abbccc":
        rates[name].add(1.0, True)
    assert [name for name, _ in rates.largest()] == ["c", "b", "a"]


def test_a_few_places_are_points_of_their_own() -> None:
    series = Series("step")
    for step, reward in [(2, 1.0), (1, 0.0), (2, 0.0), (3, None)]:
        series.add(step, reward, None if reward is None else bool(reward))
    points = series.points()
    assert [(point.low, point.high, point.rate.mean) for point in points] == [
        (1, 1, 0.0),
        (2, 2, 0.5),
    ]
    assert series.count == 4


def test_many_steps_fall_into_bins_as_wide_as_a_power_of_two() -> None:
    series = Series("step")
    for step in range(10_000):
        series.add(step, float(step % 2), bool(step % 2))
    points = series.points()
    assert MOST_POINTS / 2 <= len(points) <= MOST_POINTS
    assert series.width == 64
    assert sum(point.rate.count for point in points) == 10_000
    assert (points[1].low, points[1].high, points[1].middle) == (64, 127, 95.5)
    assert points[1].rate.mean == 0.5


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_places_of_any_size_and_order_are_bounded(scale: float) -> None:
    series = Series("time")
    for place in range(5_000):
        series.add(place * 7919 % 5_000 * scale - 2_000 * scale, 1.0, True)
    points = series.points()
    assert 2 <= len(points) <= MOST_POINTS
    assert sum(point.rate.count for point in points) == 5_000
    assert all(a.high < b.low for a, b in pairwise(points))
    assert math.log2(series.width).is_integer()
