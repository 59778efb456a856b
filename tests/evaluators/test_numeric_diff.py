from __future__ import annotations

import math
import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.evaluators import NumericDiff


def test_the_documented_pair_gives_the_documented_score():
    expected = {"score": 0.99996, "label": "close", "passed": True}
    assert NumericDiff().score(0.0302, 0.03024) == expected
    assert NumericDiff().score("0.0302", "0.03024") == expected
    assert NumericDiff().score("0.03024", "it is 0.0302.") == expected


def test_other_denominators_are_other_formulas():
    by_sum = NumericDiff(denominator="sum").score(0.0302, 0.03024)
    by_max = NumericDiff(denominator="max").score(0.0302, 0.03024)
    assert round(by_sum["score"], 5) == 0.99934
    assert round(by_max["score"], 5) == 0.99868
    assert by_sum["passed"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("\u22125", -5),
        ("5.", 5),
        (".5", Fraction(1, 2)),
        ("It is 5.", 5),
        ("$1,234.50", Fraction(2469, 2)),
        ("1,234,567", 1234567),
        (r"1{,}234", 1234),
        (r"1\,234", 1234),
        ("1\u202f234", 1234),
        ("1,2", 1),
        ("1,2345", 1),
        ("3/4", Fraction(3, 4)),
        ("-3 / 4", Fraction(-3, 4)),
        ("3/-4", Fraction(-3, 4)),
        ("1.5e3", 1500),
        ("1E-2", Fraction(1, 100)),
        ("2e2/4e1", 5),
        (r"3 \times 10^{2}", 300),
        ("3×10²", 300),
        ("10^{-3}", Fraction(1, 1000)),
        (r"-10^{2}", -100),
        (r"\frac{1}{4}", Fraction(1, 4)),
        (r"-\dfrac{1}{4}", Fraction(-1, 4)),
        (r"so $\frac{-1}{4}$ then 7", Fraction(-1, 4)),
        ("½", Fraction(1, 2)),
        ("10-5", 10),
        ("- 5 apples", 5),
        ("GPT4 says 7", 7),
        ("x_1 = 7", 7),
        ("答案是7", 7),
        ("5 km", 5),
        ("25%", 25),
        (7, 7),
        (Decimal("0.25"), Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
        (0.1, Fraction(1, 10)),
    ],
    ids=str,
)
def test_the_first_numeric_token_counts(text, value):
    assert NumericDiff().score(value, text)["label"] == "equal"
    assert NumericDiff().score(value + 1, text)["label"] != "equal"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (None, "is missing"),
        ("", "is missing"),
        (" \n", "is missing"),
        ("no number", "holds no number"),
        ("GPT4", "holds no number"),
        (float("nan"), "is not finite: nan"),
        (float("inf"), "is not finite: inf"),
        (Decimal("-Infinity"), "is not finite"),
        (Decimal("sNaN"), "is not finite"),
        (Decimal("1E-99999999"), r"holds a number beyond 10\^4000"),
        ("NaN", "is not finite: NaN"),
        ("-inf", "is not finite: -inf"),
        (r"\infty", "is not finite"),
        ("1e999999999", r"holds a number beyond 10\^4000"),
        ("10^{5000}", r"holds a number beyond 10\^4000"),
        ("1" * 2000, "holds a number of more than 1000 digits"),
        ("1/0", "divides by zero"),
        (r"\frac{1}{0.0}", "divides by zero"),
        (True, "is neither a number nor text, but bool"),
        ([1], "is neither a number nor text, but list"),
    ],
    ids=lambda value: f"{value!s:.12}",
)
def test_what_is_no_finite_number_is_an_error_that_names_the_side(value, fault):
    with pytest.raises(ValueError, match=f"^expected {fault}"):
        NumericDiff().score(value, 1)
    with pytest.raises(ValueError, match=f"^output {fault}"):
        NumericDiff().score(1, value)


def test_a_result_without_a_number_has_no_score_and_says_whose_fault_it_is():
    no_gold = NumericDiff().evaluate("none", "5")
    assert (no_gold["score"], no_gold["status"]) == (None, "gold_unreadable")
    assert no_gold["detail"] == "expected holds no number"
    no_output = NumericDiff().evaluate("5", "none")
    assert (no_output["score"], no_output["status"]) == (None, "answer_unreadable")
    assert not no_output["passed"]


def test_a_result_has_the_absolute_error_and_the_nearest_gold_counts():
    result = NumericDiff().evaluate(["3", "10"], "8")
    assert result["absolute_error"] == 2.0
    assert result["score"] == pytest.approx(0.8)
    assert (result["label"], result["passed"]) == ("far", False)


def test_the_threshold_decides_what_passes():
    assert NumericDiff(threshold=0.8).score(10, 8) == {
        "score": 0.8,
        "label": "close",
        "passed": True,
    }
    assert not NumericDiff(threshold=0.81).score(10, 8)["passed"]
    assert NumericDiff(threshold=1.0).score(10, 10)["passed"]


def test_numbers_that_differ_by_less_than_a_float_tells_are_close_and_not_equal():
    result = NumericDiff().score(1, "1." + "0" * 40 + "1")
    assert (result["score"], result["label"]) == (1.0, "close")


def test_unknown_settings_are_refused():
    with pytest.raises(ValueError, match="'unit', 'max', 'sum', not 'mean'"):
        NumericDiff(denominator="mean")
    with pytest.raises(ValueError, match="threshold"):
        NumericDiff(threshold=1.5)


NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False)
)


@given(NUMBERS, NUMBERS, st.sampled_from(["unit", "max", "sum"]))
def test_scores_are_symmetric_and_from_zero_to_one(one, other, denominator):
    evaluator = NumericDiff(denominator=denominator)
    result = evaluator.score(one, other)
    assert 0.0 <= result["score"] <= 1.0
    assert result == evaluator.score(other, one)
    assert evaluator.score(one, one)["score"] == 1.0


@given(NUMBERS, NUMBERS)
def test_the_score_is_the_documented_formula(one, other):
    a, b = Fraction(str(one)), Fraction(str(other))
    formula = max(0, 1 - abs(a - b) / max(abs(a), abs(b), 1))
    assert math.isclose(NumericDiff().score(one, other)["score"], formula, abs_tol=1e-15)


@given(st.text(st.sampled_from("0123456789.,eE+-/ \\frac{}^*_xn"), max_size=40))
def test_no_text_is_anything_but_a_number_or_a_clear_error(text):
    result = NumericDiff().evaluate("1", text)
    assert result["score"] is None or 0.0 <= result["score"] <= 1.0


@pytest.mark.parametrize(
    "text",
    ["1," * 200_000, "1,111" * 100_000, "." * 400_000, "-" * 400_000, "1/" * 200_000, "x" * 10**6],
    ids=lambda text: text[:5],
)
def test_hostile_text_takes_linear_time(text):
    began = time.process_time()
    NumericDiff().evaluate("1", text)
    assert time.process_time() - began < 5
