from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifiers_math as vf
from verifiers_math.rubrics.scores import (
    Failure,
    JudgedScore,
    Scores,
    advantages,
    split_group,
    to_score,
)

REWARDS = st.lists(st.none() | st.floats(-1e6, 1e6), max_size=40)


@given(REWARDS, st.booleans())
def test_advantages_are_finite_and_add_up_to_nothing(rewards, scale):
    gains = advantages(rewards, scale)
    assert len(gains) == len(rewards)
    assert all(gain == 0.0 for gain, reward in zip(gains, rewards, strict=True) if reward is None)
    size = max((abs(gain) for gain in gains), default=0.0)
    assert abs(math.fsum(gains)) <= 1e-9 * max(1.0, size) * max(1, len(gains))


@given(REWARDS)
def test_unscored_rewards_change_nothing_for_the_others(rewards):
    known = [reward for reward in rewards if reward is not None]
    gains = advantages(rewards, scale=True)
    kept = [gain for gain, reward in zip(gains, rewards, strict=True) if reward is not None]
    assert kept == advantages(known, scale=True)


ADVANTAGES = [
    ([], False, []),
    ([5.0], False, [0.0]),
    ([5.0], True, [0.0]),
    ([None, None], True, [0.0, 0.0]),
    ([0.0, 1.0, None], False, [-0.5, 0.5, 0.0]),
    ([0.0, 1.0], True, [-0.5 / (math.sqrt(0.5) + 1e-4), 0.5 / (math.sqrt(0.5) + 1e-4)]),
    ([1.6e308, 1.7e308], False, [-0.05e308, 0.05e308]),
]


@pytest.mark.parametrize(("rewards", "scale", "gains"), ADVANTAGES)
def test_advantages_of_known_groups(rewards, scale, gains):
    assert advantages(rewards, scale) == pytest.approx(gains)


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.floats()))
def test_a_score_is_a_finite_float_or_a_named_error(value):
    try:
        score = to_score(value)
    except vf.RewardValueError as error:
        score, reason = 0.0, str(error)
    else:
        reason = "returned a number"
    assert type(score) is float
    assert math.isfinite(score)
    assert reason.startswith("returned ")


@given(st.lists(st.integers(), max_size=5), st.integers(0, 5))
def test_a_group_is_split_only_into_as_many_as_there_are(values, size):
    if len(values) == size:
        assert split_group(values, size) == values
        assert split_group(iter(values), size) == values
    else:
        with pytest.raises(vf.RewardValueError, match=f"{len(values)} scores for {size}"):
            split_group(values, size)


def test_a_judged_score_is_a_float_that_keeps_its_verdict():
    verdict = vf.Verdict(
        True, vf.Status.CORRECT, "number", "4", "4", 0.0, False, "because", "1/default"
    )
    score = pickle.loads(pickle.dumps(JudgedScore.of(verdict)))
    assert score == 1.0
    assert score.verdict == verdict
    assert to_score(score) == to_score(verdict) == 1.0


def test_a_failure_says_its_kind_and_message():
    assert Failure(ValueError("no")).reason == "ValueError: no"
    assert Failure(ValueError()).reason == "ValueError"
    assert Failure(vf.RewardValueError("returned None")).reason == "returned None"


def test_scores_are_added_by_name():
    scores = Scores(1.0, {"a": 1.0}, {"a": "x"})
    scores.add(Scores(2.0, {"a": 2.0, "b": 3.0}, {"a": "y", "b": "z"}))
    assert scores == Scores(3.0, {"a": 3.0, "b": 3.0}, {"a": "x; y", "b": "z"})
    scores.add(Scores(None))
    scores.add(Scores(1.0))
    assert scores.reward is None
