from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.evaluators import Aggregate, NumericDiff, wilson_interval


def result(score: float | None, passed: bool | None = None, **extra) -> dict:
    return {"score": score, "passed": score == 1.0 if passed is None else passed, **extra}


RESULTS = st.lists(
    st.builds(
        result,
        st.none() | st.floats(0, 1),
        st.booleans(),
        status=st.sampled_from(["correct", "timeout"]),
        absolute_error=st.floats(0, 1e300),
    ).map(lambda made: made if made["score"] is not None else made | {"passed": False}),
    max_size=30,
)


@given(RESULTS, st.randoms(use_true_random=False))
def test_shards_add_up_to_the_whole_whatever_their_order(results, shuffler):
    whole = Aggregate.of(results)
    mixed = shuffler.sample(results, len(results))
    cut = shuffler.randint(0, len(mixed))
    parts = [Aggregate.of(mixed[cut:]), Aggregate.of(mixed[:cut])]
    merged = Aggregate()
    for part in parts:
        merged.merge(part)
    assert merged == whole
    assert merged.mean_score == whole.mean_score
    assert merged.mean_interval(resamples=20) == whole.mean_interval(resamples=20)


def test_results_without_a_score_are_counted_apart():
    aggregate = Aggregate.of(
        [
            result(1.0, status="correct"),
            result(0.0, status="incorrect"),
            result(None, False, status="timeout"),
        ]
    )
    assert (aggregate.count, aggregate.scored, aggregate.unscored) == (3, 2, 1)
    assert aggregate.pass_rate == aggregate.mean_score == 0.5
    assert aggregate.statuses == {"correct": 1, "incorrect": 1, "timeout": 1}


def test_nothing_scored_has_no_mean():
    aggregate = Aggregate.of([result(None, False)])
    assert aggregate.mean_score is None
    assert aggregate.pass_rate is None
    assert aggregate.pass_interval() is None
    assert aggregate.mean_interval() is None
    assert aggregate.mean_absolute_error is None


def test_the_mean_absolute_error_is_that_of_the_numbers():
    evaluator = NumericDiff()
    golds, predicted = [3, 1, "2"], ["3", "4", "level 2.5"]
    pairs = zip(golds, predicted, strict=True)
    aggregate = Aggregate.of(evaluator.evaluate(*pair) for pair in pairs)
    assert aggregate.mean_absolute_error == pytest.approx((0 + 3 + 0.5) / 3)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_score_outside_of_zero_to_one_is_refused(score):
    with pytest.raises(ValueError, match="from 0 to 1"):
        Aggregate().add(result(score, False))


# Of R's binom.confint(method="wilson"), and of Newcombe's table (1998) for 81 of 263.
@pytest.mark.parametrize(
    ("passed", "count", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_the_wilson_interval_is_that_of_the_literature(passed, count, low, high):
    interval = wilson_interval(passed, count)
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_holds_the_rate(pair):
    passed, count = pair
    low, high = wilson_interval(passed, count)
    assert 0.0 <= low <= passed / count <= high <= 1.0


@pytest.mark.parametrize("bad", [(-1, 4), (5, 4), (0, 0)])
def test_no_rate_has_no_interval(bad):
    with pytest.raises(ValueError, match="is no rate"):
        wilson_interval(*bad)
    with pytest.raises(ValueError, match="confidence"):
        wilson_interval(1, 2, confidence=95)


def test_the_bootstrap_is_seeded_and_narrows_with_the_number_of_results():
    few = Aggregate.of(result(i % 10 / 9, False) for i in range(100))
    many = Aggregate.of(result(i % 10 / 9, False) for i in range(10_000))
    assert few.mean_interval(seed=3) == few.mean_interval(seed=3)
    assert few.mean_interval(seed=3) != few.mean_interval(seed=4)
    narrow, wide = (agg.mean_interval() for agg in (many, few))
    assert wide.high - wide.low == pytest.approx(10 * (narrow.high - narrow.low), rel=0.15)
    assert narrow.low < many.mean_score < narrow.high


def test_the_bootstrap_covers_the_true_mean_about_as_often_as_it_says():
    draw = random.Random(5)
    hits = 0
    for seed in range(200):
        sample = Aggregate.of(result(draw.betavariate(2, 5), False) for _ in range(80))
        low, high = sample.mean_interval(0.9, resamples=200, seed=seed)
        hits += low <= 2 / 7 <= high
    assert 165 <= hits <= 195  # 180 expected


def test_the_figures_are_plain_data():
    aggregate = Aggregate.of([result(1.0, status="correct"), result(None, False, status="limit")])
    figures = json.loads(json.dumps(aggregate.to_dict()))
    assert figures["pass_rate"] == 1.0
    assert figures["unscored"] == 1
    assert figures["statuses"] == {"correct": 1, "limit": 1}
