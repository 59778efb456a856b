from __future__ import annotations

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.text import compare_text, only_words
from verifiers_math.equivalence.verdict import Status


def says(gold, answer):
    decision = compare_text(gold, answer)
    return None if decision is None else decision.status is Status.CORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Yes", "yes"),
        ("Yes", "YES."),
        ("No", "No such number exists."),
        ("Yes", "True"),
        ("No", r"\text{No}"),
        ("False", "no"),
        ("Yes", "Yes, because 3 < 4"),
        ("Yes", "yes since 3 < 4"),
        ("Yes", "**Yes**, 17 is prime"),
        ("No", "No: it is odd"),
        ("True", "True (by induction)"),
        ("even", "Even."),
        ("Tuesday", r"\textbf{Tuesday}"),
        ("the red ball", "red ball"),
        ("the red one", "red one"),
        ("Red ball", "the red ball"),
        ("not prime", r"\text{Not prime}"),
    ],
)
def test_words_are_the_same_without_case_markup_and_articles(gold, answer):
    assert says(gold, answer) is True


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("Yes", "No"),
        ("Yes", "yes or no"),
        ("Yes", "Yes, no, maybe"),
        ("Yes", "yes, perhaps"),
        ("Yes", "not yes"),
        ("Yes", "maybe yes"),
        ("Yes", "yesterday"),
        ("No", "None"),
        ("No", "North"),
        ("True", "it is true"),
        ("True", "5"),
        ("Tuesday", "Wednesday"),
        ("Tuesday", "Tuesday or Wednesday"),
        ("Tuesday", "not Tuesday"),
        ("even", "odd"),
        ("prime", "7"),
        ("7", "prime"),
    ],
)
def test_other_words_are_different(gold, answer):
    assert says(gold, answer) is False


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("20:34", "20:34:00"),
        ("4:30", "4:30 p.m."),
        ("4:30 p.m.", "4:30 PM"),
        ("16:30", "4:30 p.m."),
        ("12:30 p.m.", "12:30"),
        ("0:15", "12:15 a.m."),
        ("08:05", "8:05"),
    ],
)
def test_a_time_of_day_in_two_habits_is_the_same(gold, answer):
    assert says(gold, answer) is True
    assert says(answer, gold) is True


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("4:30", "4:31"),
        ("4:30 a.m.", "4:30 p.m."),
        ("4:30 a.m.", "16:30"),
        ("12:30 a.m.", "12:30 p.m."),
        ("20:34", "8:34"),
        ("20:34", "20:34:01"),
    ],
)
def test_other_times_are_different(gold, answer):
    assert says(gold, answer) is False


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("2024-01-05", "2024-01-05", True),
        ("1/5/2024", "01/05/2024", True),
        ("2024-01-05", "2024-01-06", False),
        ("1/5/2024", "5/1/2024", False),
        ("2024-01-05", "2018", False),
        ("2018", "2024-01-05", False),
        ("2024-01-05", "1/5/2024", None),
        ("2024-01-05", "5 + x", None),
        ("2024-12-45", "2006", None),
        ("2024-1-5", "2018", None),
    ],
)
def test_dates_are_dates_and_no_differences(gold, answer, same):
    assert says(gold, answer) is same


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("1:20:30", "2:40:60"),
        ("1:10:15", "2:20:30"),
        ("30:40", "60:80"),
        ("3:4", "6:8"),
        ("4:30", "4.5"),
        ("x+1", "1+x"),
        ("5", "5"),
        ("ab", "ba"),
        (r"\alpha", "alpha"),
        (r"\infty", "infinity"),
        ("sin x", "cos x"),
        ("AB", "BA"),
        ("C", "(C)"),
    ],
)
def test_ratios_names_and_formulas_are_left_to_later_stages(gold, answer):
    assert says(gold, answer) is None


def test_words_are_told_from_letters_that_are_multiplied():
    assert only_words("parallelogram")
    assert only_words(r"\text{none of these}")
    assert not only_words("xyz")
    assert not only_words("sqrt x")
    assert not only_words("Omega")


@pytest.mark.parametrize(
    ("gold", "answer"),
    [("a-b-c", "a-c-b"), ("ab-cd", "-cd+ab"), ("xy-x", "x(y-1)"), ("alpha-beta", "-beta+alpha")],
)
def test_letters_with_minus_signs_between_them_are_no_words(gold, answer):
    assert compare_text(gold, answer) is None
    decision = judge(gold, answer, Policy())
    assert decision is not None
    assert decision.status is Status.CORRECT


@pytest.mark.parametrize(
    "answer",
    [
        "Yes (wrong)", "Yes: incorrect", "Yes, never", "Yes; nope", "Yes, impossible",
        "Yes, it isn't", "Yes, it can\u2019t be", "Yes. Refuted.", "Yes, hardly", "Yes, it is not",
        "Yes, probably", "yes, it depends", "Yes, sometimes", "Yes. Unsure.",
        "Yes, because maybe it holds", "Yes or no", "Yes, since no",
    ],
)  # fmt: skip
def test_a_verdict_that_is_hedged_or_taken_back_does_not_count(answer):
    decision = compare_text("Yes", answer)
    assert decision is not None
    assert decision.status is Status.INCORRECT


@pytest.mark.parametrize(
    "answer",
    [
        "No, it is possible", "No. It is possible.", "No, it's possible", "No, they can",
        "No, it is not impossible",
        "No, there is one", "No, there are.", "No, it exists", "No, they do.", "No, it can",
        "No, such numbers exist", "No, that is not false", "No, it is the case",
    ],
)  # fmt: skip
def test_a_no_that_affirms_at_the_end_of_its_clause_does_not_count(answer):
    decision = compare_text("No", answer)
    assert decision is not None
    assert decision.status is Status.INCORRECT


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("No", "No, there is no such triangle."),
        ("No", "No, there is a counterexample"),
        ("No", "No, there are only 3 of them"),
        ("No", "No, it is odd"),
        ("No", "No, it is possible to find a counterexample"),
        ("No", "No, because there is an exception"),
        ("No", "No, such numbers do not exist"),
        ("No", "No such number exists."),
        ("No", "No; no such set exists"),
        ("No", "No, it is impossible"),
        ("No", "No, that is false"),
        ("Yes", "Yes, because it is not zero"),
        ("Yes", "Yes, it is true"),
        ("True", "True, since 7 cannot divide it"),
    ],
)
def test_a_second_word_of_the_same_mind_is_no_hedge(gold, answer):
    decision = compare_text(gold, answer)
    assert decision is not None
    assert decision.status is Status.CORRECT


@pytest.mark.parametrize(
    ("gold", "answer", "equal"),
    [
        (r"\emptyset", r"\text{no solution}", True),
        (r"\text{no solution}", r"\emptyset", True),
        (r"\text{no solution}", r"\text{No solutions}", True),
        (r"\mathbb{R}", r"\text{all real numbers}", True),
        (r"\infty", r"\text{infinity}", True),
        (r"\text{no solution}", "0", False),
        (r"\text{no solution}", r"\text{one solution}", False),
        (r"\mathbb{R}", r"\text{all integers}", False),
    ],
)
def test_words_for_which_there_is_a_symbol_are_that_symbol(gold, answer, equal):
    decision = judge(gold, answer, Policy())
    assert (decision is not None and decision.status is Status.CORRECT) is equal
