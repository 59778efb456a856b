from __future__ import annotations

from fractions import Fraction

import pytest

from verifiers_math.equivalence.number_words import MAX_CHARS, in_digits, spelled_number


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("zero", 0),
        ("twelve", 12),
        ("Forty-Two", 42),
        ("ninety nine", 99),
        ("one hundred and five", 105),
        ("a hundred", 100),
        ("two thousand five hundred", 2500),
        ("one million two hundred thousand", 1_200_000),
        ("minus three", -3),
        ("negative one half", Fraction(-1, 2)),
        ("half", Fraction(1, 2)),
        ("a quarter", Fraction(1, 4)),
        ("two-thirds", Fraction(2, 3)),
        ("three halves", Fraction(3, 2)),
        ("two and a half", Fraction(5, 2)),
        ("one hundred and one third", 100 + Fraction(1, 3)),
    ],
)
def test_a_number_in_words_has_its_value(words, value):
    assert spelled_number(words) == value


@pytest.mark.parametrize(
    "words",
    """
    third|twelfth|twenty-fifth|seven eleven|twenty one two|two to one|one or two|hundred|a|an|and
    |one and|and one|three hundred hundred|one thousand thousand|minus|minus minus one|no|none
    |two thousand million|twelve eggs|one two thirds|thirteen third|zero halves
    """.replace("\n", "")
    .replace("    ", "")
    .split("|"),
)
def test_anything_else_is_no_number(words):
    assert spelled_number(words) is None
    assert in_digits(words) == words


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        (r"\text{twelve}", "12"),
        (r"\text{ One-half }", r"\frac{1}{2}"),
        ("minus two thirds", r"-\frac{2}{3}"),
        ("x", "x"),
        ("12", "12"),
        ("", ""),
    ],
)
def test_a_number_in_words_is_written_as_a_numeral(text, digits):
    assert in_digits(text) == digits


def test_a_long_text_is_no_number():
    words = "one " * MAX_CHARS + "million"
    assert in_digits(words) == words
