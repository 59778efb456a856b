"""Multiple choice: which letter, and whether the value behind it agrees."""

from __future__ import annotations

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.choices import Choice, read_choice, read_several
from verifiers_math.equivalence.policy import Policy

CHOICES = [
    ("C", Choice("C", "")),
    ("(D)", Choice("D", "")),
    (r"\text{(B)}", Choice("B", "")),
    (r"\textbf{(A)}\ 17", Choice("A", "17")),
    ("B. 9", Choice("B", "9")),
    ("Option E", Choice("E", "")),
    ("the correct answer is (A)", Choice("A", "")),
    ("C+1", None),
    ("Ax", None),
    ("a", None),
    ("K", None),
    ("(A) or (B)", None),
    ("(A), (C)", None),
    ("B 9", None),
    (r"\mathrm{E}*2", None),
]


@pytest.mark.parametrize(("text", "choice"), CHOICES)
def test_a_choice_is_a_letter_in_parentheses_or_with_a_mark(
    text: str, choice: Choice | None
) -> None:
    assert read_choice(text) == choice


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("A, C", "AC"),
        ("(B) and (D)", "BD"),
        ("C, A", "AC"),
        ("AC", "AC"),
        ("CA", None),
        ("A", None),
    ],
)
def test_several_choices_are_a_set_of_letters(text: str, letters: str | None) -> None:
    assert read_several(text) == letters


PAIRS = [
    ("C", r"\textbf{(C) } 30", True),
    ("C", "C. 30", True),
    ("C", "D. 30", False),
    (r"\textbf{(C)}\ 30", "30", True),
    (r"\textbf{(C)}\ 30", "C", True),
    (r"\textbf{(C)}\ 30", "(C) 31", False),
    (r"\textbf{(C)}\ 30", "(D) 30", False),
    (r"\textbf{(C)}\ 30", "31", False),
    ("A", "A or B", False),
    ("A", "A, B", False),
    ("BD", "B, D", True),
    ("BD", "B", False),
    ("BAC", "ABC", False),
    ("C", "C+1", False),
    ("C", "c", False),
    ("C", "30", False),
    ("30", r"\textbf{(C)}\ 30", True),
    (r"\frac12", "C. 1/2", True),
]


@pytest.mark.parametrize(("gold", "answer", "equal"), PAIRS)
def test_a_choice_counts_by_its_letter_or_its_value_if_no_part_contradicts(
    gold: str, answer: str, equal: bool
) -> None:
    decision = judge(gold, answer, Policy())
    assert decision is not None
    assert (decision.status == "correct") is equal


@pytest.mark.parametrize("answer", ["(C) 31", "(C)", "C(30)", "E (30)", "(C) 30 or 31"])
def test_only_the_same_value_behind_a_letter_is_a_gold_that_is_no_choice(answer):
    decision = judge("30", answer, Policy())
    assert decision is None or decision.status == "incorrect"


@pytest.mark.parametrize(
    "text",
    [
        "(D) A", "D. Actually B", "D), B", "D: A", "D. not A", "D. A, C, B", "D) 5 C) 6",
        "D: 5 C: 6", "D. / B.", r"\text{D. }5\text{ C. }6", "D. wrong", "(D) is incorrect",
        "D) no, B)", "D. none", "D, but maybe B",
    ],
)  # fmt: skip
def test_a_letter_that_another_part_contradicts_is_no_choice(text):
    assert read_choice(text) is None


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        (r"\text{Option D}", ("D", "")),
        (r"\text{The answer is D}", ("D", "")),
        (r"D \text{ (17)}", ("D", "17")),
        ("D (17)", ("D", "17")),
        ("D. None of the above", ("D", "None of the above")),
        ("D. False", ("D", "False")),
        ("D. No", ("D", "No")),
        ("D. twice a, thrice b.", ("D", "twice a, thrice b")),
        ("(D) 2A+1", ("D", "2A+1")),
    ],
)
def test_a_choice_may_have_words_or_a_value_around_it(text, choice):
    assert read_choice(text) == choice


@pytest.mark.parametrize("text", [r"\text{(B), (D)}", r"\text{B and D}", r"B \text{ and } D", "BD"])
def test_several_choices_may_be_upright(text):
    assert read_several(text) == "BD"
