"""Answers of several parts: what is a label, and which part belongs to which."""

from __future__ import annotations

import pytest

from tests.pure_verdicts import each_pair, says
from verifiers_math.equivalence.parts import read_named, read_parts, split_items

PARTS = [
    ("(a) 3 (b) 5", ("3", "5")),
    ("(b) 5 (a) 3", ("3", "5")),
    ("a) 3; b) 5", ("3", "5")),
    (r"\text{(i) } 12 \text{ (ii) } \frac{1}{3}", ("12", r"\frac{1}{3}")),
    (r"\text{Part (a): } 4 \text{; Part (b): } 9", ("4", "9")),
    ("(1) x>2; (2) [1, 3]", ("x>2", "[1, 3]")),
    ("(i) (1, 2) (ii) (3, 4)", ("(1, 2)", "(3, 4)")),
]


@pytest.mark.parametrize(("text", "parts"), PARTS)
def test_labels_part_an_answer(text, parts):
    assert read_parts(text) == parts


@pytest.mark.parametrize(
    "text",
    ["(a) 3", "(a) 3 (c) 5", "(a)(b)", "(i), (ii)", "(1)(2)(3)", "(1) 3 (2) 5", "f(a) + f(b)", "3"],
)
def test_what_is_no_list_of_labelled_parts(text):
    assert read_parts(text) is None


def test_numbers_in_brackets_are_labels_beside_labelled_parts():
    assert read_parts("(1) 3 (2) 5", beside_parts=True) == ("3", "5")


def test_commas_inside_brackets_part_nothing():
    assert split_items(r"(1, 2), \{3; 4\}; f(x, y)") == ("(1, 2)", r"\{3; 4\}", "f(x, y)")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (r"\text{width } 4, \text{ length } 9", {"width": "4", "length": "9"}),
        ("Length = 9, width is 4", {"length": "9", "width": "4"}),
        (r"slope = 2, $y$-intercept = $-3$", {"slope": "2", "y-intercept": "-3"}),
        ("7 boys and 5 girls", {"boys": "7", "girls": "5"}),
        ("x = 3, y = 4", None),
        ("area 5, area 7", None),
        ("3, 4", None),
        ("width 4", None),
    ],
)
def test_words_name_values(text, named):
    assert read_named(text) == named


SAME = [
    ("(a) 3 (b) 5", "(i) 3, (ii) 5"),
    ("(a) 3 (b) 5", "3, 5"),
    ("3, 5", "(a) 3, (b) 5"),
    (r"\text{Tom: } \$12, \text{ Ann: } \$18", r"Ann: \$18, Tom: \$12"),
    (r"\text{center } (1, -2), \text{ radius } 3", "Radius: 3, center: (1,-2)"),
]
DIFFERENT = [
    ("(a) 3 (b) 5", "(a) 5 (b) 3"),
    ("(a) 3 (b) 5", "(b) 3 (a) 5"),
    ("(a) 3 (b) 5", "(a) 3"),
    ("3", "(a) 3 (b) 5"),
    (r"\text{Tom: } \$12, \text{ Ann: } \$18", r"Ann: \$12, Tom: \$18"),
    ("7 boys and 5 girls", "5 boys and 7 girls"),
]


@each_pair(same=SAME, different=DIFFERENT)
def test_parts_are_compared_with_the_parts_of_their_name(gold, answer, verdicts):
    assert says(gold, answer) in verdicts


def test_a_part_without_a_readable_answer_is_not_the_gold():
    assert says("(a) 3 (b) 5", "(a) 3 (b) maybe") is False
