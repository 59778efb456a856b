"""Single values: numbers, expressions, with percent signs, units, degrees, bases; ratios."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import partial

from verifiers_math.equivalence.compare import compare_quantities
from verifiers_math.equivalence.identity import ByIdentity
from verifiers_math.equivalence.kinds.asides import is_aside
from verifiers_math.equivalence.kinds.constants import compare_with_constants
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.parameters import COUNTING, linear_in, same_family
from verifiers_math.equivalence.kinds.rewriting import without_calls
from verifiers_math.equivalence.numbers import Quantity
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader import read
from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Degrees,
    InBase,
    Negative,
    Node,
    Number,
    Percent,
    Power,
    Product,
    Quotient,
    Ratio,
    Symbol,
    WithUnit,
    facts,
    is_expression,
    symbols,
)
from verifiers_math.equivalence.sampling import Sameness, approximate, compare
from verifiers_math.equivalence.units import CURRENCIES, Unit, read_unit
from verifiers_math.equivalence.verdict import Status

APPROXIMATE_DIGITS = 40
_IN_DEGREES = (("angle", 1),)
_IN_RADIANS = (("radian", 1),)


def compare_values(
    gold: Node, answer: Node, policy: Policy, integers: frozenset[str] = frozenset()
) -> Finding:
    """Compares two single values: units first, then numbers as quantities, then expressions.

    Args:
        gold: The gold.
        answer: The answer.
        policy: What counts as the same.
        integers: Letters that run through all integers, so that a family is one value.
    """
    if isinstance(gold, Number) and isinstance(answer, Number):
        return _compare_numbers(gold, answer, policy)
    infinite = _compare_infinite(gold, answer)
    if infinite is not None:
        return infinite
    finding = _compare_finite(gold, answer, policy)
    if finding.same is False and integers and same_family(gold, answer, integers):
        return Finding(True, "the same values for all integers")
    return finding


def _compare_numbers(gold: Number, answer: Number, policy: Policy) -> Finding:
    """Most values are numerals, and most of these are exact."""
    if gold.places is None and answer.places is None:
        same = gold.value == answer.value
        return Finding(same, "both are the same number" if same else "the numbers differ")
    quantities = _numeral(gold.value, gold.places), _numeral(answer.value, answer.places)
    return _as_finding(*quantities, policy)


_INFINITY = Constant("infinity")
_INFINITIES: tuple[Node, ...] = (_INFINITY, Negative(_INFINITY))


def _compare_infinite(gold: Node, answer: Node) -> Finding | None:
    """Infinity equals itself alone, and is nothing to calculate with; None where there is none."""
    found = ["infinity" in facts(node).constants for node in (gold, answer)]
    if not any(found):
        return None
    if gold in _INFINITIES and answer in _INFINITIES:
        return Finding(gold == answer, "infinity" if gold == answer else "the other infinity")
    if gold in _INFINITIES or answer in _INFINITIES or not all(found):
        return Finding(False, "infinity is no number")
    return UNKNOWN


def _compare_finite(gold: Node, answer: Node, policy: Policy) -> Finding:
    if isinstance(gold, InBase) or isinstance(answer, InBase):
        finding = _as_finding(_quantity(gold), _quantity(answer), policy)
        return finding if finding.same is not None else Finding(False, "not the same base")
    gold_core, gold_unit = _measure(gold, answer)
    answer_core, answer_unit = _measure(answer, gold)
    if isinstance(gold_core, Degrees) or isinstance(answer_core, Degrees):
        units = {unit.dimensions for unit in (gold_unit, answer_unit) if unit is not None}
        if units <= {_IN_DEGREES}:
            return _compare_angles(gold_core, answer_core, policy, named=bool(units))
        if units == {_IN_RADIANS}:
            return _compare_in_radians(gold_core, answer_core)
        return Finding(False, "the units measure different things")
    gold_core, answer_core = without_calls(gold_core), without_calls(answer_core)
    if not (is_expression(gold_core) and is_expression(answer_core)):
        return Finding(True, "the same structure") if gold_core == answer_core else UNKNOWN
    unit_rule = ""
    if gold_unit is not None and answer_unit is not None:
        if not gold_unit.measures_like(answer_unit):
            return Finding(False, "the units measure different things")
        factor = gold_unit.factor / answer_unit.factor
        if factor != 1 and not policy.convert_units:
            return Finding(False, "not the same unit")
        if isinstance(gold_core, Number):  # as it is written: it may be rounded
            answer_core = _scaled(answer_core, 1 / factor)
        else:
            gold_core = _scaled(gold_core, factor)
    elif gold_unit is not None or answer_unit is not None:
        if not policy.drop_lone_unit:
            return Finding(False, "only one side has a unit")
        if (
            answer_unit is not None
            and answer_unit.dimensions is None
            and not is_aside(_unit_of(answer))
        ):
            return Finding(False, "the words behind the value are no unit")
        unit_rule = "unit"
    finding = _compare_plain(gold_core, answer_core, policy, gold_unit)
    return finding._replace(rule=finding.rule or unit_rule) if finding.same else finding


def _measure(node: Node, other: Node) -> tuple[Node, Unit | None]:
    """The value without its unit or currency, and the unit.

    What may be letters is no unit where the other side has the same letters: ``3 m`` and ``3m``.
    """
    if not isinstance(node, WithUnit):
        return node, None
    as_letters = _unit_as_letters(node.unit)
    if as_letters is not None and symbols(as_letters) <= symbols(other):
        return Product((node.value, as_letters)), None
    text = CURRENCIES.get(node.unit)
    unit = read_unit(f"\\text{{{text}}}" if text else " " + node.unit)
    return node.value, unit


def _unit_of(node: Node) -> str:
    return node.unit if isinstance(node, WithUnit) else ""


_UPRIGHT = re.compile(r"\\text ?\{([^{}]*)\}")


def _unit_as_letters(unit: str) -> Node | None:
    """The text of a unit read as an expression in letters; None where it is none."""
    tree = read(_UPRIGHT.sub(r" \1 ", unit))
    return tree if isinstance(tree, Symbol | Power | Product | Quotient) else None


def _scaled(node: Node, factor: Fraction) -> Node:
    return node if factor == 1 else Product((Number(factor), node))


def _compare_plain(gold: Node, answer: Node, policy: Policy, unit: Unit | None) -> Finding:
    gold_quantity, answer_quantity = _quantity(gold), _quantity(answer)
    if gold_quantity is not None and answer_quantity is not None:
        return _as_finding(
            _with_unit(gold_quantity, unit), _with_unit(answer_quantity, unit), policy
        )
    finding = compare_with_constants(gold, answer, rename=policy.rename_constants)
    if finding.same is not False or symbols(gold) or symbols(answer):
        return finding
    rounded = _compare_rounded(gold, answer, policy, unit)
    return rounded if rounded.same else finding


def _compare_rounded(gold: Node, answer: Node, policy: Policy, unit: Unit | None) -> Finding:
    """An exact constant against a decimal: by the policy's rules for rounding."""
    sides = gold, answer
    written = [_quantity(node) for node in sides]
    if not any(quantity is not None and quantity.is_decimal for quantity in written):
        return UNKNOWN
    quantities = []
    for node, quantity in zip(sides, written, strict=True):
        if quantity is None:
            value = _approximation(node)
            if value is None:
                return UNKNOWN
            quantity = Quantity(value)
        quantities.append(_with_unit(quantity, unit))
    return _as_finding(quantities[0], quantities[1], policy)


_approximation = ByIdentity(partial(approximate, digits=APPROXIMATE_DIGITS), room=256)


def _with_unit(quantity: Quantity, unit: Unit | None) -> Quantity:
    return quantity if quantity.unit is unit else replace(quantity, unit=unit)


def rounds_to(exact: Node, decimal: Node) -> bool:
    """Whether a written number is another constant, rounded or cut off at its last place.

    An integer of one digit is no approximation of anything.
    """
    written = _quantity(decimal)
    if written is None or written.significant < 2 or not is_expression(exact):
        return False
    value = _approximation(exact)
    return value is not None and abs(value - written.value) < Fraction(10) ** -written.decimals


def _as_finding(gold: Quantity | None, answer: Quantity | None, policy: Policy) -> Finding:
    if gold is None or answer is None:
        return UNKNOWN
    decision = compare_quantities(gold, answer, policy)
    equal = decision.status is Status.CORRECT
    percent = ""
    if equal and gold.percent != answer.percent:
        percent = "number" if decision.rule == "percent" else "value"
    return Finding(equal, decision.detail, decision.rule, percent)


def _quantity(node: Node) -> Quantity | None:
    """A numeral, or a quotient of numerals, as a quantity."""
    match node:
        case Number(value, places):
            return _numeral(value, places)
        case Percent(argument):
            inner = _quantity(argument)
            if inner is None or inner.percent or inner.base is not None:
                return None
            return replace(
                inner,
                value=inner.value / 100,
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


def _compare_angles(gold: Node, answer: Node, policy: Policy, *, named: bool) -> Finding:
    """Degrees against degrees, against the bare number, and exactly against radians.

    Args:
        gold: The gold.
        answer: The answer.
        policy: What counts as the same.
        named: Whether the other side says "degrees" in words.
    """
    if isinstance(gold, Degrees) and isinstance(answer, Degrees):
        return compare_values(gold.value, answer.value, policy)
    gold_value = gold.value if isinstance(gold, Degrees) else gold
    answer_value = answer.value if isinstance(answer, Degrees) else answer
    bare = compare_values(gold_value, answer_value, policy)
    if named:
        return bare
    if bare.same and policy.drop_lone_unit:
        return bare._replace(rule=bare.rule or "unit")
    if not (is_expression(gold_value) and is_expression(answer_value)):
        return UNKNOWN
    return _compare_in_radians(gold, answer)


def _compare_in_radians(gold: Node, answer: Node) -> Finding:
    exact = compare(_in_radians(gold), _in_radians(answer))
    if exact is Sameness.SAME:
        return Finding(True, "degrees and radians of one angle")
    return Finding(False, "not the same angle") if exact is Sameness.DIFFERENT else UNKNOWN


def _in_radians(node: Node) -> Node:
    if not isinstance(node, Degrees):
        return node
    return Quotient(Product((node.value, Constant("pi"))), Number(Fraction(180)))


def compare_ratios(gold: Node, answer: Node, same: Compare) -> Finding:
    """Ratios up to a common factor; ``3 : 1`` is 3; where all parts are 0 there is no ratio."""
    if not (isinstance(gold, Ratio) and isinstance(answer, Ratio)):
        quotients = [_as_quotient(node) for node in (gold, answer)]
        if quotients[0] is None or quotients[1] is None:
            return Finding(False, "the ratio is not one value")
        return same(quotients[0], quotients[1])
    golds, answers = gold.parts, answer.parts
    if len(golds) != len(answers):
        return Finding(False, "the ratios have different lengths")
    pivot = next((at for at, part in enumerate(golds) if not _is_zero(part)), None)
    if pivot is None or _is_zero(answers[pivot]) or (len(golds) == 2 and _is_zero(golds[1])):
        return Finding(False, "not the same ratio")
    pairs = (
        same(_times(golds[pivot], other), _times(part, answers[pivot]))
        for at, (part, other) in enumerate(zip(golds, answers, strict=True))
        if at != pivot
    )
    return all_of(pairs, "the same ratio")


def _as_quotient(node: Node) -> Node | None:
    if not isinstance(node, Ratio):
        return node
    if len(node.parts) != 2 or _is_zero(node.parts[1]):
        return None
    top, bottom = node.parts
    return top if bottom == Number(Fraction(1)) else Quotient(top, bottom)


def _times(first: Node, second: Node) -> Node:
    if isinstance(first, Number) and isinstance(second, Number):
        return Number(first.value * second.value)
    return Product((first, second))


def _is_zero(node: Node) -> bool:
    return is_expression(node) and compare(node, Number(Fraction(0))) is Sameness.SAME


def compare_congruences(gold: Node, answer: Node, same: Compare) -> Finding:
    """``a (mod m)``: one modulus, and a difference that it divides; ``7k + 3`` is 3 (mod 7)."""
    residues = [_residue(node) for node in (gold, answer)]
    if residues[0] is not None and residues[1] is not None:
        (first, modulus), (second, other) = residues[0], residues[1]
        congruent = modulus == other and (first - second) % modulus == 0
        return Finding(congruent, "the same residue class" if congruent else "another residue")
    match gold, answer:
        case Call("pmod", golds), Call("pmod", answers):
            return all_of(map(same, golds, answers), "the same residue and modulus")
        case _:
            return Finding(False, "a value is no residue class")


def _residue(node: Node) -> tuple[Fraction, Fraction] | None:
    """The residue and the modulus of ``a (mod m)``, or of ``m k + a`` for all integers ``k``."""
    match node:
        case Call("pmod", (residue, modulus)):
            found = approximate(residue), approximate(modulus)
        case _ if len(symbols(node)) == 1 and symbols(node) <= COUNTING and is_expression(node):
            found = linear_in(node, *symbols(node))
        case _:
            return None
    if found[0] is None or not found[1] or abs(found[1]) == 1:  # every integer is 0 (mod 1)
        return None
    return found[0], abs(found[1])
