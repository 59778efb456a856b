from __future__ import annotations

import dataclasses
import inspect
import pickle

import pytest

from tests.pure_verdicts import says
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy


@pytest.mark.parametrize(
    ("gold", "answer", "tightened"),
    [
        (r"\frac13", "0.333333", Policy(min_significant=7)),
        ("0.33", r"\frac13", Policy(exact_for_decimal_gold=False)),
        ("0.33", r"\frac13", Policy(min_gold_significant=3)),
        ("2.718", "2.71828", Policy(longer_for_decimal_gold=False)),
        ("25", r"25\%", Policy(percent_or_number=False)),
        ("5", "5 cm", Policy(drop_lone_unit=False)),
        ("1 m", "100 cm", Policy(convert_units=False)),
    ],
)
def test_each_lenient_rule_can_be_switched_off(gold, answer, tightened):
    assert says(gold, answer, DEFAULT_POLICY) is True
    assert says(gold, answer, tightened) is False


def test_fewer_digits_can_be_allowed():
    assert says(r"\frac13", "0.333", DEFAULT_POLICY) is False
    assert says(r"\frac13", "0.333", Policy(min_significant=3)) is True


def test_an_unevaluated_operator_can_be_allowed():
    sum_of_ten = r"\sum_{k=1}^{10} k"
    assert says("55", sum_of_ten, DEFAULT_POLICY) is False
    assert says("55", sum_of_ten, Policy(allow_unevaluated=True)) is not False


def test_the_label_tells_policies_apart_and_is_stable():
    assert DEFAULT_POLICY.label == Policy().label == "default"
    other = Policy(min_significant=3)
    assert other.label == Policy(min_significant=3).label != "default"
    assert other.label != Policy(min_significant=4).label


def test_a_policy_is_a_frozen_hashable_value_that_pickles():
    assert Policy(min_significant=3) == Policy(min_significant=3)
    assert len({Policy(), Policy(), Policy(convert_units=False)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        Policy().min_significant = 1  # type: ignore[misc]  # the error is what is tested
    labelled = Policy(min_significant=3)
    assert labelled.label
    assert pickle.loads(pickle.dumps(labelled)) == labelled


def test_every_choice_has_a_default_and_a_line_of_documentation():
    for field in dataclasses.fields(Policy):
        assert field.default is not dataclasses.MISSING
        assert f"    {field.name}: " in (inspect.getdoc(Policy) or "")


@pytest.mark.parametrize(
    ("gold", "answer", "tightened"),
    [
        ("(3, 5)", "3, 5", Policy(list_is_tuple=False)),
        ("0.111", "0,111", Policy(decimal_comma=False)),
        ("12", "The number of ways is 12", Policy(sentences=False)),
        (r"Ce^{2x}", r"ke^{2x}", Policy(rename_constants=False)),
        ("56088", r"123\times456", Policy(values_only=True)),
    ],
)
def test_each_reading_can_be_switched_off(gold, answer, tightened):
    assert says(gold, answer, DEFAULT_POLICY) is True
    assert says(gold, answer, tightened) is not True


@pytest.mark.parametrize(
    "answer", ["56088", "2^{10}", "5!", r"\frac{7}{2}", r"\sqrt{2}", r"\binom{5}{2}"]
)
def test_powers_roots_factorials_and_fractions_are_values_in_strict(answer):
    assert says(answer, answer + r"\,", Policy.strict()) is True
