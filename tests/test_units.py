from __future__ import annotations

from fractions import Fraction

import pytest

from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.units import MAX_UNIT_CHARS, alters_number, read_unit


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 cm", r"5\text{ cm}"),
        ("5 cm", r"5\,\mathrm{cm}"),
        ("5cm", "5 centimetres"),
        ("5 m", r"5\text{ meters}"),
        ("1 m", "100 cm"),
        ("1 km", "1000 m"),
        ("1 ft", "12 inches"),
        ("1 mile", "5280 feet"),
        ("1 h", "60 min"),
        ("1 week", "7 days"),
        ("1 year", "12 months"),
        ("1 kg", r"1000\text{ g}"),
        ("1 lb", "16 oz"),
        (r"1\text{ L}", r"1000\text{ cm}^3"),
        (r"1\text{ m}^2", r"10000\text{ cm}^2"),
        (r"1\text{ m}^{2}", r"1\text{ square meter}"),
        (r"1\text{ ft}^3", r"1\text{ cubic foot}"),
        (r"36\text{ km/h}", r"10\text{ m/s}"),
        (r"60\text{ miles per hour}", r"60\text{ miles/hour}"),
        (r"5\text{ m/s}", r"5\text{ m s}^{-1}"),
        (r"\$5", "5 dollars"),
        ("$5", "5 USD"),
        (r"\$0.50", "50 cents"),
        (r"\$0.50", "50¢"),
        ("€5", "5€"),
        ("€5", "5 euros"),
        ("30°", "30 degrees"),
        ("30°", r"30^{\circ}"),
        (r"8\text{ N}", r"8\text{ newtons}"),
        (r"3\text{ kJ}", r"3000\text{ J}"),
        (r"4\text{ kW}", r"4000\text{ watts}"),
        (r"1\text{ J}", r"1\text{ N m}"),
        ("45 mph", "45 miles per hour"),
        ("70 km/h", r"70\,\frac{\text{km}}{\text{h}}"),
        ("3 hours 15 minutes", "195 minutes"),
        ("3 h 15 min", "3.25 hours"),
        ("3 hours and 15 minutes", r"3\text{ hours }15\text{ minutes}"),
        ("4 feet 3 inches", "51 inches"),
        ("20°C", r"20\,^\circ\mathrm{C}"),
        ("20 degrees Celsius", r"20^\circ\text{C}"),
        ("US$7", r"\$7"),
        ("Rs 7", "7 rupees"),
        ("7 (pears)", r"7\text{ pears}"),
        ("7个", "7 个"),
        (r"5\text{ apples}", r"5\text{ apple}"),
        (r"5\text{ Apples}", r"5\text{ apples}"),
    ],
)
def test_one_measure_in_two_spellings_is_the_same(one, other):
    a, b = read_quantity(one), read_quantity(other)
    assert a is not None and a.unit is not None  # noqa: PT018 - the second half needs the first
    assert b is not None and b.unit is not None  # noqa: PT018 - the second half needs the first
    assert a.unit.measures_like(b.unit)
    assert a.measure == b.measure


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\text{ cm}", r"\text{ kg}"),
        (r"\text{ cm}", r"\text{ cm}^2"),
        (r"\text{ m/s}", r"\text{ ms}"),
        (r"\text{ m/s}", r"\text{ m}"),
        (r"\text{ apples}", r"\text{ pears}"),
        (r"\text{ apples}", r"\text{ cm}"),
        (r"\text{ dollars}", r"\text{ euros}"),
        (r"\text{ degrees}", r"\text{ radians}"),
        (r"\text{ C}", r"\text{ F}"),
    ],
)
def test_units_that_measure_other_things_differ(one, other):
    a, b = read_unit(one), read_unit(other)
    assert a is not None
    assert b is not None
    assert not a.measures_like(b)


def test_a_prefix_keeps_its_case():
    mega, milli = read_unit(r"\text{ MW}"), read_unit(r"\text{ mW}")
    assert mega is not None
    assert milli is not None
    assert mega.factor == milli.factor * 10**9


@pytest.mark.parametrize(
    "text",
    [
        "3 m and 20 cm", "20 minutes 3 hours", "3 hours 75 minutes", "3 hours 15 cm", "3 h 2",
        "4 apples 3 inches", "7 (twelve)", "7 (wrong)",
    ],
)  # fmt: skip
def test_what_does_not_add_up_to_one_measure_is_no_quantity(text):
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    "word",
    [
        "seventeen", "ninety", "zero", "lakh", "septillion", "sixteenths", "thirteenth",
        "twentieth", "halves", "Squared", "root", "inverse", "gross", "over", "permille", "March",
        "log", "minus", "fold", "th", "myriads", "halfs",
    ],
)  # fmt: skip
def test_a_word_that_makes_another_number_is_no_unit(word):
    assert alters_number(word)
    assert read_unit(rf"\text{{ {word}}}") is None


@pytest.mark.parametrize("word", ["apples", "seconds", "points", "roots", "squares", "months"])
def test_a_noun_leaves_a_number_as_it_is(word):
    assert not alters_number(word)
    assert read_unit(rf"\text{{ {word}}}") is not None


@pytest.mark.parametrize("text", [r"\text{K}", r"\text{M}", r"\text{ M}", r"\text{B}"])
def test_letters_for_thousands_and_millions_are_no_units(text):
    assert read_unit(text) is None


@pytest.mark.parametrize(
    "text", [" g", " m", " h", " L", " s", "cm", " cm", r"\text{m}", r"\text{ N}"]
)
def test_a_listed_letter_after_a_space_and_anything_upright_is_a_unit(text):
    assert read_unit(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "m", "s", "x", " x", " apples", "xy", " sin", r"x\text{ cm}", r"\text{x}",
        r"\text{i}", r"\text{ or }", r"\text{ if x is odd}", r"\text{ million}", r"\text{ thirds}",
        r"\text{ squared}", r"\text{ cm}+1", "cm!", "/", "^2", r"\text{}", r"\frac{m}{s}",
        r"\text{ square}", "cm" * MAX_UNIT_CHARS,
    ],
)  # fmt: skip
def test_letters_numbers_conditions_and_broken_text_are_no_units(text):
    assert read_unit(text) is None


def test_factors_are_exact():
    inch = read_unit(" in")
    assert inch is not None
    assert inch.factor == Fraction(254, 10000)
