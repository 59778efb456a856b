"""One comparison per kind of answer. So far: quantities."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.decision import Decision, different, equal
from verifiers_math.equivalence.numbers import Quantity
from verifiers_math.equivalence.policy import Policy

STAGE = "number"
SHORT_DIGITS = 6
"""An exact value that a decimal of this many significant digits can state has a short form."""
DOUBLE_DIGITS = 15
"""Digits of a decimal beyond these are noise of double precision."""
_CURRENCY_DIMENSIONS = frozenset("dollar euro sterling rupee yen yuan ruble won baht".split())


def compare_quantities(gold: Quantity, answer: Quantity, policy: Policy) -> Decision:
    """Compares two quantities exactly, then by the policy's rules for units, percent, rounding."""
    if gold.base is not None or answer.base is not None:
        return _compare_bases(gold, answer)
    if _is_unit_for_percent(gold, answer) or _is_unit_for_percent(answer, gold):
        return different(STAGE, "a percent sign is no unit of measurement")
    unit_rule = ""
    gold_value, answer_value = gold.value, answer.value
    if gold.unit is not None and answer.unit is not None:
        if not gold.unit.measures_like(answer.unit):
            return different(STAGE, "the units measure different things")
        if gold.unit.factor != answer.unit.factor:
            return _compare_converted(gold, answer, policy)
    elif gold.unit is not None or answer.unit is not None:
        if not policy.drop_lone_unit:
            return different(STAGE, "only one side has a unit")
        if answer.unit is not None and not answer.unit.adds_nothing(answer.value):
            return different(STAGE, "the words behind the number are no unit")
        unit_rule = "unit"
    if gold_value == answer_value:
        return equal(STAGE, "both are the same number", unit_rule)
    if _is_percent_of_number(gold, answer, policy):
        return equal(STAGE, "the same number, one side with a percent sign", "percent")
    return _compare_rounded(gold, answer, policy)


def _is_unit_for_percent(one: Quantity, other: Quantity) -> bool:
    """``20%`` against ``20 cm``; ``20% more`` still has its sign."""
    return one.percent and not other.percent and other.unit is not None


def _compare_bases(gold: Quantity, answer: Quantity) -> Decision:
    if gold.base == answer.base and gold.value == answer.value:
        return equal(STAGE, "the same number in the same base")
    same_digits = answer.integral and gold.text == (answer.text.lstrip("0") or "0")
    if answer.base is None and same_digits and (gold.value < 0) == (answer.value < 0):
        return equal(STAGE, f"the digits agree, the answer leaves out base {gold.base}", "base")
    return different(STAGE, "not the same number in the same base")


def _compare_converted(gold: Quantity, answer: Quantity, policy: Policy) -> Decision:
    same = gold.measure == answer.measure
    if same and policy.convert_units:
        return equal(STAGE, "the same quantity in another unit", "unit")
    return different(STAGE, "not the same quantity")


def _is_percent_of_number(gold: Quantity, answer: Quantity, policy: Policy) -> bool:
    if not policy.percent_or_number or gold.percent == answer.percent:
        return False
    with_sign, without = (gold, answer) if gold.percent else (answer, gold)
    return with_sign.value * 100 == without.value and without.value > 1


def _compare_rounded(gold: Quantity, answer: Quantity, policy: Policy) -> Decision:
    if gold.is_decimal:
        if _rounds_to_gold(gold, answer, policy):
            return equal(
                STAGE, f"the answer rounds to the gold at its {gold.places} decimals", "rounding"
            )
    elif answer.is_decimal and _states_exact_gold(gold.value, answer, policy):
        return equal(STAGE, "the decimal states the exact gold to enough digits", "rounding")
    return different(STAGE, "the numbers differ")


def _rounds_to_gold(gold: Quantity, answer: Quantity, policy: Policy) -> bool:
    """An exact answer, or a longer decimal, that the gold is the rounded form of."""
    distance, unit = abs(gold.value - answer.value) * 2, Fraction(10) ** -gold.decimals
    if distance > unit or (distance == unit and _rounds_up(gold.value / unit, answer.value / unit)):
        return False
    if not answer.is_decimal:
        return (
            policy.exact_for_decimal_gold
            and gold.significant >= policy.min_gold_significant
            and not has_short_decimal(answer.value)
        )
    return (
        policy.longer_for_decimal_gold
        and answer.decimals > gold.decimals
        and gold.significant >= 3
        and not gold.trailing_zero
        and not (_is_money(gold) or _is_money(answer))
    )


def _rounds_up(gold_units: Fraction, answer_units: Fraction) -> bool:
    """Whether a value half a unit beyond an odd gold is rounded up in every habit."""
    return gold_units.numerator % 2 == 1 and abs(answer_units) > abs(gold_units)


def _states_exact_gold(gold: Fraction, answer: Quantity, policy: Policy) -> bool:
    """A decimal of enough digits, within one unit of its last, for a gold without a short form."""
    if answer.significant < policy.min_significant or has_short_decimal(gold):
        return False
    places = answer.decimals - max(answer.significant - DOUBLE_DIGITS, 0)
    return abs(gold - answer.value) <= Fraction(10) ** -places


def has_short_decimal(value: Fraction) -> bool:
    """Returns whether a value is an integer, or ends within `SHORT_DIGITS` significant digits."""
    if value.denominator == 1:
        return True
    twos = (value.denominator & -value.denominator).bit_length() - 1
    rest, fives = value.denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:  # it never ends
        return False
    digits = abs(value.numerator) * 2 ** max(fives - twos, 0) * 5 ** max(twos - fives, 0)
    return bool(digits < 10**SHORT_DIGITS)


def _is_money(quantity: Quantity) -> bool:
    dimensions = (quantity.unit.dimensions if quantity.unit is not None else None) or ()
    return any(name in _CURRENCY_DIMENSIONS for name, _ in dimensions)
