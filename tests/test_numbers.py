from __future__ import annotations

import random
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.equivalence.compare import has_short_decimal
from verifiers_math.equivalence.numbers import MAX_NUMERAL_CHARS, _quantity, read_quantity

F = Fraction

VALUES = [
    # integers and thousands in every habit
    ("42", 42),
    ("007", 7),
    ("+7", 7),
    ("-0", 0),
    ("− 5", -5),
    ("–5", -5),
    ("1,234", 1234),
    ("1{,}234", 1234),
    ("1,\\!234", 1234),
    (r"11,\! 111,\! 100", 11111100),
    (r"1\,234", 1234),
    (r"1\;234", 1234),
    ("1~234", 1234),
    ("1\u202f234", 1234),
    ("1 000 000", 10**6),
    ("1.000.000", 10**6),
    ("1'234'567", 1234567),
    ("1_234_567", 1234567),
    ("12,34,567", 1234567),
    ("1,234,567.89", F("1234567.89")),
    ("1.234,56", F("1234.56")),
    ("1.234.567,8", F("1234567.8")),
    ("٤٢", 42),
    ("４２", 42),
    # decimals
    ("0.5", F(1, 2)),
    (".5", F(1, 2)),
    ("5.", 5),
    ("5.0", 5),
    ("-.25", F(-1, 4)),
    # repeating decimals
    (r"0.\overline{3}", F(1, 3)),
    (r"0.\bar{3}", F(1, 3)),
    ("0.(3)", F(1, 3)),
    ("0.333...", F(1, 3)),
    (r"0.333\ldots", F(1, 3)),
    ("0.333…", F(1, 3)),
    (r"0.1\overline{6}", F(1, 6)),
    ("0.1666...", F(1, 6)),
    ("0.121212...", F(4, 33)),
    (r"2.\overline{142857}", F(15, 7)),
    (r".\overline{09}", F(1, 11)),
    (r"-0.\overline{9}", -1),
    # fractions and mixed numbers
    ("3/4", F(3, 4)),
    (" 3 / 4 ", F(3, 4)),
    (r"\frac34", F(3, 4)),
    (r"\dfrac{3}{4}", F(3, 4)),
    (r"\frac3{4}", F(3, 4)),
    (r"\frac{-3}{4}", F(-3, 4)),
    (r"\frac{3}{-4}", F(-3, 4)),
    (r"-\frac{-3}{-4}", F(-3, 4)),
    (r"\frac{1,000}{3}", F(1000, 3)),
    (r"\frac{0.5}{2}", F(1, 4)),
    ("¾", F(3, 4)),
    (r"1\frac34", F(7, 4)),
    (r"1 \frac{3}{4}", F(7, 4)),
    ("1 3/4", F(7, 4)),
    ("1¾", F(7, 4)),
    ("-1¾", F(-7, 4)),
    # scientific notation and powers
    (r"1.5\times10^{3}", 1500),
    (r"1.5 \cdot 10^3", 1500),
    ("1.5 × 10³", 1500),
    ("1.5 x 10^3", 1500),
    ("5*10^{-2}", F(1, 20)),
    ("5e-2", F(1, 20)),
    ("1E+3", 1000),
    ("10^6", 10**6),
    ("10⁶", 10**6),
    ("2^{10}", 1024),
    ("2**10", 1024),
    ("2^{-1}", F(1, 2)),
    ("-2^2", -4),
    ("2²", 4),
    # percent, wrappers
    ("50%", F(1, 2)),
    (r"50\%", F(1, 2)),
    (r"12.5 \%", F(1, 8)),
    (r"\frac12\%", F(1, 200)),
    ("50 percent", F(1, 2)),
    (r"50\text{ percent}", F(1, 2)),
    ("(5)", 5),
    ("{5}", 5),
    ("$5$", 5),
    (r"\(5\)", 5),
    ("=5", 5),
    (r"\approx 5", 5),
    # words of size
    (r"1.5\text{ million}", 1500000),
    ("2 thousand", 2000),
    (r"3\text{ dozen}", 36),
    (r"\$5\text{ billion}", 5 * 10**9),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_numeral_has_its_exact_value(text, value):
    quantity = read_quantity(text)
    assert quantity is not None
    assert quantity.value == value


NO_QUANTITY = [
    "", " ", "x", "pi", ".", "-", "1,2", "1, 234", "12,34", "1,234,5678", "1234,567", "0,5",
    "10,000,00", "1 2", "1 0 0 0", "1 00", "1;2", r"1\quad 234", r"1\\234", r"1\newline234",
    "$1$$2$", r"\(1\)\(2\)", "5 - 3", "5-3", "5+3", "2*3", r"2\times3", "3/4/5", "1/2/2024",
    "2024-01-02", "1.2.3", "3:4", "20:34", "(1,2)", "[5]", r"\{5\}", "|5|", "5!", "5'",
    "5°'", "5-", "--5", "+-5", "-(-5)", "(2)(3)", "2(3)", "2x", "7s", "5m", "2e", "2e3x", "2i",
    r"2\pi", r"\sqrt2", "x=5", "5=5", "5<6", "1/0", r"\frac{1}{0}", r"\frac{0}{0}", "0^0",
    "0^{-1}", "2^{0.5}", "2^x", "2^3^4", "(-2)^2", r"\frac{1}{2}3", r"\frac{a}{2}", r"1\frac{3}{2}",
    r"0.12\ldots", "3.14159...", "0.100...", r"0.3\overline{}", "1_23_4", "1__000", "0x10", "①",
    "٣,٤", r"5 \text{ or } 6", "5 or 6", "5 and 6", r"3 \text{ if } x>0", r"\text{not } 5",
    r"5\text{ not}", "5 apples and 3 pears", "5 apples", r"5x\text{ cm}", r"5\mathrm{i}",
    r"5\mathrm{e}", r"5\text{x}", r"5\text{ tenths}", r"5\text{ squared}", r"5\text{ factorial}",
    r"5\text{ pi}", r"5\text{ plus}", r"5\text{ more}", r"5\text{ hundred thousand}",
    "5 sin", "5%%", "5% of 10", "23_3", "19_8", "2_1", "5_37", "1.5_7", "10_", r"2\min",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_QUANTITY)
def test_a_number_is_never_cut_out_of_something_else(text):
    assert read_quantity(text) is None


@pytest.mark.parametrize(
    ("text", "places", "significant", "trailing_zero"),
    [
        ("5", 0, 1, False),
        ("0.50", 2, 2, True),
        ("0.333", 3, 3, False),
        ("12.5%", 3, 3, False),
        ("1.25e-3", 5, 3, False),
        ("1.25e3", 0, 3, False),
        ("1.25 million", 0, 3, False),
        ("0.0070", 4, 2, True),
    ],
)
def test_a_decimal_keeps_its_written_digits(text, places, significant, trailing_zero):
    quantity = read_quantity(text)
    assert quantity is not None
    assert quantity.decimals == places
    assert quantity.significant == significant
    assert quantity.trailing_zero is trailing_zero


@pytest.mark.parametrize("text", ["1/3", r"\frac13", r"0.\overline{3}", "33%", "2^{-3}", "5e-2"])
def test_exact_forms_are_no_decimals(text):
    quantity = read_quantity(text)
    assert quantity is not None
    assert not quantity.is_decimal


@pytest.mark.parametrize(
    ("text", "base", "value"),
    [
        ("1011_2", 2, 11),
        ("1011_{2}", 2, 11),
        (r"1011_{\text{2}}", 2, 11),
        ("4210_7", 7, 1477),
        ("-12_7", 7, -9),
        ("FF_{16}", 16, 255),
        ("1011₂", 2, 11),
        (r"1011_{\text{two}}", 2, 11),
        (r"1011_{two}", 2, 11),
        ("12 base 7", 7, 9),
        (r"12\text{ (base seven)}", 7, 9),
        (r"12\text{ base }7", 7, 9),
    ],
)
def test_a_number_may_say_its_base(text, base, value):
    quantity = read_quantity(text)
    assert quantity is not None
    assert (quantity.base, quantity.value) == (base, value)


@pytest.mark.parametrize(
    "text",
    [
        "9" * (MAX_NUMERAL_CHARS + 1),
        "10^{99999999}",
        "9^{9999999}",
        "1e999999999",
        "1e-999999999",
        "2^{-99999999}",
        r"5\times10^{-99999999}",
    ],
)
def test_a_value_too_large_to_write_out_is_not_read(text):
    assert read_quantity(text) is None


def test_long_texts_stay_out_of_the_memory_of_numerals():
    before = _quantity.cache_info().currsize
    assert read_quantity("1" * 10**6) is None
    assert _quantity.cache_info().currsize == before


@pytest.mark.parametrize(
    ("value", "short"),
    [
        (F(7), True),
        (F(10**30), True),
        (F(1, 8), True),
        (F("0.123456"), True),
        (F("0.1234567"), False),
        (F("1.5e-20"), True),
        (F(1, 10**4000), True),
        (F(1, 2**40), False),
        (F(1, 3), False),
        (F(-3, 4), True),
        (F("1234.5678"), False),
    ],
)
def test_a_short_decimal_form_ends_within_six_significant_digits(value, short):
    assert has_short_decimal(value) is short


@given(st.integers(-(10**30), 10**30))
def test_every_integer_is_read_in_every_habit(number):
    for text in (
        str(number),
        f"{number:,}",
        f"{number:_}",
        f"${number}$",
        f"{number:,}".replace(",", r"\,"),
    ):
        quantity = read_quantity(text)
        assert quantity is not None
        assert quantity.value == number


@given(st.integers(-9999, 9999), st.integers(1, 9999))
def test_every_fraction_is_read_in_every_habit(top, bottom):
    for text in (
        f"{top}/{bottom}",
        rf"\frac{{{top}}}{{{bottom}}}",
        rf"\dfrac{{{top}}}{{{bottom}}}",
    ):
        quantity = read_quantity(text)
        assert quantity is not None
        assert quantity.value == Fraction(top, bottom)


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=8, min_value=-(10**9), max_value=10**9
    )
)
def test_every_decimal_is_read_exactly(number):
    quantity = read_quantity(f"{number:f}")
    assert quantity is not None
    assert quantity.value == Fraction(number)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_any_text_is_a_quantity_or_none(text):
    quantity = read_quantity(text)
    assert quantity is None or isinstance(quantity.value, Fraction)


def test_a_numeral_with_one_character_more_is_another_number_or_none():
    """Deleting or doubling a digit of a plain numeral never leaves its value unnoticed."""
    draw = random.Random(1)
    for _ in range(2000):
        digits = str(draw.randrange(1, 10**6))
        at = draw.randrange(len(digits))
        doubled = digits[:at] + draw.choice("123456789,. :;'-+*/x^_ ") + digits[at:]
        changed = read_quantity(doubled)
        if changed is not None and changed.value == int(digits):
            plain = re.sub("[,' _]", "", doubled.strip(" .,;+"))
            assert plain == digits, doubled
