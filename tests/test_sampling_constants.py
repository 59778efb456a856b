"""Values of real constants, and their order."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.sampling_trees import tree
from verifiers_math.equivalence.sampling import approximate, order

DIGITS = {
    "pi": "3.141592653589793238462643383279502884197169399375105820974944592307",
    "e": "2.718281828459045235360287471352662497757247093699959574966967627724",
    "sqrt(2)": "1.414213562373095048801688724209698078569671875376948073176679737990",
    "ln(2)": "0.693147180559945309417232121458176568075500134360255254120680009493",
    "sin(1)": "0.841470984807896506652502321630298999622563060798371065672751709991",
    "root(-2, 3)": "-1.259921049894873164767210607278228350570251464701507980081975112155",
    "gamma(1/2)": "1.772453850905516027298167483341145182797549456122387128213807789852",
    "(1 + sqrt(5))/2": "1.618033988749894848204586834365638117720309179805762862135448622705",
}


@pytest.mark.parametrize("text", DIGITS)
@pytest.mark.parametrize("digits", [5, 40, 60])
def test_values_are_right_to_the_digits_asked_for(text, digits):
    value = approximate(tree(text), digits)
    expected = Fraction(DIGITS[text])
    assert value is not None
    assert abs(value - expected) <= abs(expected) / 10**digits


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/3", Fraction(1, 3)),
        ("sqrt(4)/6", Fraction(1, 3)),
        ("factorial(30)", Fraction(265252859812191058636308480000000)),
        ("1 - sin(1)**2 - cos(1)**2", Fraction(0)),
        ("sqrt(2)*sqrt(3) - sqrt(6)", Fraction(0)),
        ("e**(i*pi) + 1", Fraction(0)),
        ("10**(-300)", Fraction(1, 10**300)),
    ],
)
def test_exact_values_and_zero_are_exact(text, value):
    assert approximate(tree(text)) == value


def test_cancellation_costs_no_digits():
    value = approximate(tree("sqrt(10**60 + 1) - 10**30"), 30)
    assert value is not None
    assert abs(value * 2 * 10**30 - 1) < Fraction(1, 10**29)


def test_a_real_value_may_be_reached_through_complex_ones():
    value = approximate(tree("i**i"), 20)
    expected = approximate(tree("e**(-pi/2)"), 40)
    assert value is not None
    assert expected is not None
    assert abs(value - expected) < Fraction(1, 10**20)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "i",
        "1 + sqrt(-2)",
        "inf",
        "1/0",
        "ln(0)",
        "9**(9**9)",
        "e**(-10**9)",
        "log(7)",
        "foo(1)",
    ],
)
def test_what_is_no_real_constant_or_too_large_has_no_value(text):
    assert approximate(tree(text)) is None


ORDERS = [
    ("1/3", "1/2"),
    ("-inf", "inf"),
    ("-inf", "-10**100"),
    ("9**(9**9)", "inf"),
    ("sqrt(2)", "3/2"),
    ("-sqrt(3)", "-sqrt(2)"),
    ("pi", "355/113"),
    ("262537412640768743", "e**(pi*sqrt(163))"),
    ("e**(pi*sqrt(163))", "262537412640768744"),
    ("10**20", "sqrt(10**40 + 1)"),
    ("9**(9**8)", "9**(9**9)"),
    ("8**(9**(9**9))", "9**(9**(9**9))"),
    ("-(9**(9**(9**9)))", "-(9**(9**(9**8)))"),
    ("e**pi - pi", "20"),
    ("log(2, 10)", "ln(2)"),
    ("log(2)", "log(3)"),
    ("factorial(1000)", "1000**1000"),
]


@pytest.mark.parametrize(("low", "high"), ORDERS)
def test_constants_are_ordered(low, high):
    assert order(tree(low), tree(high)) == -1
    assert order(tree(high), tree(low)) == 1
    assert order(tree(low), tree(low)) == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [("sqrt(8)", "2*sqrt(2)"), ("tan(pi/4)", "1"), ("inf", "2*inf"), ("arctan(1)", "deg(45)")],
)
def test_equal_constants_are_neither_below_nor_above(first, second):
    assert order(tree(first), tree(second)) == 0


@pytest.mark.parametrize(
    ("first", "second"), [("x", "1"), ("i", "1"), ("1/0", "1"), ("log(5)", "1"), ("inf - inf", "0")]
)
def test_what_has_no_order_is_left_open(first, second):
    assert order(tree(first), tree(second)) is None
    assert order(tree(second), tree(first)) is None
