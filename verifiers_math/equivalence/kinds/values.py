"""Single values: numbers, expressions, with percent signs, units, degrees, bases; ratios."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from verifiers_math.equivalence.compare import compare_quantities
from verifiers_math.equivalence.kinds.constants import compare_with_constants
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.rewriting import without_calls
from verifiers_math.equivalence.numbers import Quantity
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Degrees,
    InBase,
    Negative,
    Node,
    Number,
    Percent,
    Product,
    Quotient,
    Ratio,
    Symbol,
    WithUnit,
    is_expression,
    symbols,
)
from verifiers_math.equivalence.sampling import Sameness, approximate, compare
from verifiers_math.equivalence.units import CURRENCIES, Unit, read_unit
from verifiers_math.equivalence.verdict import Status

APPROXIMATE_DIGITS = 40


def compare_values(gold: Node, answer: Node, policy: Policy) -> Finding:
    """Compares two single values: units first, then numbers as quantities, then expressions."""
    if isinstance(gold, InBase) or isinstance(answer, InBase):
        return _as_finding(_quantity(gold), _quantity(answer), policy)
    gold_core, gold_unit = _measure(gold, answer)
    answer_core, answer_unit = _measure(answer, gold)
    if isinstance(gold_core, Degrees) or isinstance(answer_core, Degrees):
        return _compare_angles(gold_core, answer_core, policy)
    gold_core, answer_core = without_calls(gold_core), without_calls(answer_core)
    if not (is_expression(gold_core) and is_expression(answer_core)):
        return Finding(True, "the same structure") if gold_core == answer_core else UNKNOWN
    unit_rule = ""
    if gold_unit is not None and answer_unit is not None:
        if not gold_unit.measures_like(answer_unit):
            return Finding(False, "the units measure different things")
        gold_core = _scaled(gold_core, gold_unit.factor / answer_unit.factor)
    elif gold_unit is not None or answer_unit is not None:
        if not policy.drop_lone_unit:
            return Finding(False, "only one side has a unit")
        unit_rule = "unit"
    finding = _compare_plain(gold_core, answer_core, policy, gold_unit)
    return finding._replace(rule=finding.rule or unit_rule) if finding.same else finding


def _measure(node: Node, other: Node) -> tuple[Node, Unit | None]:
    """The value without its unit or currency, and the unit.

    A single letter is no unit where the other side has it as a variable: ``3 m`` and ``3m``.
    """
    if not isinstance(node, WithUnit):
        return node, None
    if node.unit in symbols(other):
        return Product((node.value, Symbol(node.unit))), None
    text = CURRENCIES.get(node.unit)
    unit = read_unit(f"\\text{{{text}}}" if text else " " + node.unit)
    return node.value, unit


def _scaled(node: Node, factor: Fraction) -> Node:
    return node if factor == 1 else Product((Number(factor), node))


def _compare_plain(gold: Node, answer: Node, policy: Policy, unit: Unit | None) -> Finding:
    gold_quantity, answer_quantity = _quantity(gold), _quantity(answer)
    if gold_quantity is not None and answer_quantity is not None:
        return _as_finding(
            replace(gold_quantity, unit=unit), replace(answer_quantity, unit=unit), policy
        )
    finding = compare_with_constants(gold, answer)
    if finding.same is not False or symbols(gold) or symbols(answer):
        return finding
    rounded = _compare_rounded(gold, answer, policy, unit)
    return rounded if rounded.same else finding


def _compare_rounded(gold: Node, answer: Node, policy: Policy, unit: Unit | None) -> Finding:
    """An exact constant against a decimal: by the policy's rules for rounding."""
    quantities = []
    for node in (gold, answer):
        quantity = _quantity(node)
        if quantity is None:
            value = approximate(node, APPROXIMATE_DIGITS)
            if value is None:
                return UNKNOWN
            quantity = Quantity(value, unit=unit)
        quantities.append(replace(quantity, unit=unit))
    if not any(quantity.is_decimal for quantity in quantities):
        return UNKNOWN
    return _as_finding(quantities[0], quantities[1], policy)


def _as_finding(gold: Quantity | None, answer: Quantity | None, policy: Policy) -> Finding:
    if gold is None or answer is None:
        return UNKNOWN
    decision = compare_quantities(gold, answer, policy)
    return Finding(decision.status is Status.CORRECT, decision.detail, decision.rule)


def _quantity(node: Node) -> Quantity | None:
    """A numeral, or a quotient of numerals, as a quantity."""
    match node:
        case Number(value, places):
            return _numeral(value, places)
        case Percent(Number(value, places)):
            inner = _numeral(value, places)
            return replace(
                inner,
                value=value / 100,
                places=None if inner.places is None else inner.places + 2,
                percent=True,
                integral=False,
            )
        case Negative(argument):
            inner_quantity = _quantity(argument)
            if inner_quantity is None or inner_quantity.base is not None:
                return None
            return replace(inner_quantity, value=-inner_quantity.value)
        case Quotient(Number(top), Number(bottom)) if bottom:
            return Quantity(top / bottom)
        case InBase(digits, base):
            return Quantity(Fraction(int(digits, base)), base=base, text=digits, integral=True)
        case _:
            return None


def _numeral(value: Fraction, places: int | None) -> Quantity:
    if places is None and value.denominator == 1:
        digits = str(abs(value.numerator))
        return Quantity(value, 0, len(digits), text=digits, integral=True)
    if places is None:
        return Quantity(value)
    digits = str(abs(value.numerator * 10**places // value.denominator))
    written = digits.lstrip("0") or "0"
    return Quantity(value, places, len(written), written.endswith("0"), text=digits)


def _compare_angles(gold: Node, answer: Node, policy: Policy) -> Finding:
    """Degrees against degrees, against the bare number, and exactly against radians."""
    if isinstance(gold, Degrees) and isinstance(answer, Degrees):
        return compare_values(gold.value, answer.value, policy)
    gold_value = gold.value if isinstance(gold, Degrees) else gold
    answer_value = answer.value if isinstance(answer, Degrees) else answer
    bare = compare_values(gold_value, answer_value, policy)
    if bare.same and policy.drop_lone_unit:
        return bare._replace(rule=bare.rule or "unit")
    if not (is_expression(gold_value) and is_expression(answer_value)):
        return UNKNOWN
    exact = compare(_in_radians(gold), _in_radians(answer))
    if exact is Sameness.SAME:
        return Finding(True, "degrees and radians of one angle")
    return Finding(False, "not the same angle") if exact is Sameness.DIFFERENT else UNKNOWN


def _in_radians(node: Node) -> Node:
    if not isinstance(node, Degrees):
        return node
    return Quotient(Product((node.value, Constant("pi"))), Number(Fraction(180)))


def compare_ratios(gold: Node, answer: Node, same: Compare) -> Finding:
    """Ratios up to a common factor; ``3 : 1`` is 3."""
    gold_parts = gold.parts if isinstance(gold, Ratio) else (gold, Number(Fraction(1)))
    answer_parts = answer.parts if isinstance(answer, Ratio) else (answer, Number(Fraction(1)))
    if len(gold_parts) != len(answer_parts):
        return Finding(False, "the ratios have different lengths")
    pairs = [
        same(Product((gold_parts[0], answer_part)), Product((gold_part, answer_parts[0])))
        for gold_part, answer_part in zip(gold_parts[1:], answer_parts[1:], strict=True)
    ]
    return all_of(pairs, "the same ratio")


def compare_congruences(gold: Node, answer: Node, same: Compare) -> Finding:
    """``a (mod m)``: one modulus, and a difference that it divides."""
    if not (isinstance(gold, Call) and isinstance(answer, Call)):
        return UNKNOWN
    modulus = same(gold.arguments[1], answer.arguments[1])
    if not modulus.same:
        return modulus
    numbers = [
        node.value for node in (*gold.arguments, answer.arguments[0]) if isinstance(node, Number)
    ]
    if len(numbers) == 3 and numbers[1]:
        congruent = (numbers[0] - numbers[2]) % numbers[1] == 0
        return Finding(congruent, "the same residue" if congruent else "not the same residue")
    return same(gold.arguments[0], answer.arguments[0])
