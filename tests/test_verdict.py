from __future__ import annotations

import json
import pickle

import pytest

from verifiers_math.equivalence.verdict import Status, Verdict


def verdict(status=Status.CORRECT, rule=""):
    return Verdict(
        equal=status is Status.CORRECT,
        status=status,
        stage="number",
        gold="1/2",
        answer="0.5",
        seconds=0.001,
        cached=False,
        detail="both are the same number",
        judge="1/default",
        rule=rule,
    )


def test_a_correct_verdict_is_true_and_worth_one():
    assert verdict()
    assert verdict().reward == 1.0


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.CORRECT])
def test_anything_else_is_false_and_worth_zero(status):
    assert not verdict(status)
    assert verdict(status).reward == 0.0
    assert not verdict(status, rule="unit").lenient


@pytest.mark.parametrize(
    ("status", "scored"),
    [
        (Status.CORRECT, True),
        (Status.INCORRECT, True),
        (Status.NO_ANSWER, True),
        (Status.ANSWER_UNREADABLE, True),
        (Status.GOLD_UNREADABLE, False),
        (Status.LIMIT, False),
        (Status.TIMEOUT, False),
        (Status.ERROR, False),
    ],
)
def test_only_some_statuses_say_something_about_the_answer(status, scored):
    assert verdict(status).scored is scored


def test_a_verdict_by_a_lenient_rule_says_so():
    assert verdict(rule="percent").lenient
    assert not verdict().lenient


def test_it_is_frozen_pickles_and_becomes_json():
    one = verdict(rule="unit")
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.equal = False  # type: ignore[misc]  # the error is what is tested
    plain = json.loads(json.dumps(one.to_dict()))
    assert plain["status"] == "correct"
    assert plain["reward"] == 1.0
    assert plain["rule"] == "unit"
    assert set(plain) == {*Verdict.__dataclass_fields__, "reward"}
