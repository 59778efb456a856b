"""Assignments, equations and chains: what names a value, and which equations are one."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from verifiers_math.equivalence.identity import ByIdentity
from verifiers_math.equivalence.kinds.asides import is_name
from verifiers_math.equivalence.kinds.collections import (
    compare_unordered,
    items_of,
    spread,
    values_of,
)
from verifiers_math.equivalence.kinds.constants import with_constant_of
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.matrices import determinants_expanded
from verifiers_math.equivalence.kinds.rewriting import (
    at_point,
    difference,
    expanded,
    has_plus_minus,
    renamed,
    replaced,
    without_calls,
)
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Brackets,
    Call,
    Constant,
    Listing,
    Matrix,
    NamedSet,
    Negative,
    Node,
    Number,
    Operator,
    Power,
    Product,
    Quotient,
    Ratio,
    Relation,
    SetOperation,
    Sum,
    Symbol,
    Words,
    holds,
    is_expression,
    symbols,
    walk,
)
from verifiers_math.equivalence.sampling import Sameness, approximate, compare, proportional


class Assignment(NamedTuple):
    """``name = value``; the chain's other members stand in ``links``."""

    name: str
    value: Node
    links: tuple[Node, ...] = ()


_SLOPE = re.compile(r"d([a-z])/d[xt]")
"""``dy/dx``, which is also written ``y'``."""


def _has_arrow(name: str) -> bool:
    r"""Whether a name has an arrow: ``\vec a``."""
    return name.startswith(("vec ", "overrightarrow "))


def name_of(node: Node) -> str | None:
    """The name that a left side gives: a letter, ``f(x)``, ``|AB|``, words; None if it is none."""
    match node:
        case Symbol(name):
            slope = _SLOPE.fullmatch(name)
            return f"{slope[1]}'" if slope else name
        case Constant("e" | "i" as name):
            return name
        case Apply(name, arguments):
            inside = ";".join(_text(argument) for argument in arguments)  # a comma parts names
            return f"{name}({inside})"
        case Power(Symbol("sigma"), Number(exponent)) if exponent == 2:  # a variance
            return "sigma^2"
        case Product((Symbol(one), Symbol(other)), True) if _has_arrow(one) and _has_arrow(other):
            return f"{one} . {other}"
        case SetOperation(operation, sets) if all(isinstance(part, Symbol) for part in sets):
            return f"{operation} of {';'.join(map(_text, sets))}"  # A ∩ B
        case Product((Symbol("E" | "mathbb E"), moment), False):  # E[X], E[X^2]
            return _expectation(moment)
        case Call("abs", (Symbol(name),)) if len(name) > 1:
            return name
        case Call("abs", (Apply("cross") as product,)):
            return f"|{name_of(product)}|"
        case Call("abs", (Symbol(name),)) if name.isupper():  # how many a set holds
            return f"|{name}|"
        case Words(text):
            return text.lower() if is_name(text) else None
        case Brackets("(", ")", items) if all(isinstance(item, Symbol) for item in items):
            return ",".join(_text(item) for item in items)
        case Ratio(parts) if all(isinstance(part, Symbol) for part in parts):
            return ":".join(_text(part) for part in parts)
        case Quotient(Symbol(top), Symbol(bottom)) if len(top) > 1 and len(bottom) > 1:
            return f"{top}/{bottom}"
        case _:
            return None


def _expectation(moment: Node) -> str | None:
    match moment:
        case Symbol(name) if name[:1].isupper():
            return f"E({name})"
        case Power(Symbol(name), Number()) if name[:1].isupper():
            return f"E({_text(moment)})"
        case _:
            return None


def _text(node: Node) -> str:
    match node:
        case Symbol(name) | Constant(name):
            return name
        case Number(value):
            return str(value)
        case _:
            return to_latex(node)


def as_assignment(node: Node) -> Assignment | None:
    r"""Reads ``x = 4``, ``f(x) = 2x``, ``x = 1 + 2 = 3``, ``4 = x`` and ``x \in \mathbb{Z}``."""
    if not isinstance(node, Relation):
        return None
    last = node.members[-1]
    name = name_of(node.members[0]) or _name_of_matrix(node.members[0], last)
    if node.signs == ("in",) and name is not None and isinstance(last, NamedSet):
        return Assignment(name, last)
    if set(node.signs) != {"="}:
        return None
    if name is not None and ("," not in name or isinstance(last, Brackets | Matrix)):
        return Assignment(name, last, node.members[1:-1])
    if len(node.members) == 2 and isinstance(last, Symbol) and not symbols(node.members[0]):
        return Assignment(last.name, node.members[0])
    return None


def _name_of_matrix(node: Node, value: Node) -> str | None:
    """``A^T`` and ``A^{-1}`` are names of a matrix, and of nothing else."""
    match node, value:
        case Power(Symbol(name), Symbol("T")), Matrix():
            return f"{name}^T"
        case Power(Symbol(name), Number(exponent)), Matrix() if exponent == -1:
            return f"{name}^-1"
        case _:
            return None


def chain_value(node: Relation, same: Compare) -> Node | None:
    """The last member of a chain of constants of which no link is disproved: ``2 + 2 = 4``.

    None where a left side with letters names nothing (``x^2 = 7``), or a link does not hold.
    """
    if set(node.signs) - {"="} or any(symbols(member) for member in node.members):
        return None
    if _is_opaque(node) or holds(node, Apply, NamedSet, SetOperation, Words):
        return None
    last = node.members[-1]
    links = map(determinants_expanded, node.members[:-1])
    if any(same(link, last).same is False for link in links):
        return None
    return last


def links_hold(assignment: Assignment, same: Compare) -> bool:
    """Whether every link of a chain may stand: it does not give the name a value of its own.

    A link that repeats the name (``x = 4 + x = 3``) is another equation run into this one. A link
    with letters of its own has to be a formula; any other must not be disproved.
    """
    return all(_link_holds(link, assignment, same) for link in assignment.links)


def _link_holds(link: Node, assignment: Assignment, same: Compare) -> bool:
    name, value = assignment.name, assignment.value
    if any(name_of(found) == name for found in walk(link)):
        return False
    if name.isalpha() and set(name) <= symbols(link) and not set(name) <= symbols(value):
        return False  # AB = 4xAB
    if holds(link, NamedSet, SetOperation) and not holds(value, NamedSet, SetOperation):
        return False
    if holds(link, Words) or symbols(link) - symbols(value):
        return _is_formula(link)
    return same(link, value).same is not False


def _is_formula(link: Node) -> bool:
    r"""``\pi r^2`` and ``ab/2`` tell what is calculated; ``5y`` and ``y + 4`` state a number."""
    match link:
        case Number():
            return False
        case Product(factors):
            rest = [factor for factor in factors if not _is_coefficient(factor)]
            whole = any(map(_is_whole, factors))
            return bool(rest) and not (whole and len(rest) == 1) and all(map(_is_formula, rest))
        case Quotient(top, bottom):
            return _is_formula(top) and (_is_coefficient(bottom) or _is_formula(bottom))
        case Power(base, _):
            return _is_formula(base)
        case Sum(terms):
            return all(map(_is_formula, terms))
        case Negative(argument):
            return _is_formula(argument)
        case Call("max" | "min" | "gcd" | "lcm" | "mod", arguments):
            return all(map(_is_formula, arguments))
        case Call():
            return bool(symbols(link))
        case Words(text):
            return is_name(text)
        case _:
            return isinstance(link, Symbol | Constant | Apply)


def _is_whole(node: Node) -> bool:
    match node:
        case Number(value):
            return value.denominator == 1
        case Quotient(Number(top), Number(bottom)) if bottom:
            return (top / bottom).denominator == 1
        case _:
            return False


def _is_coefficient(node: Node) -> bool:
    match node:
        case Number():
            return True
        case Quotient(Number(), Number()):
            return True
        case _:
            return False


# --- several assignments -----------------------------------------------------------------------


def as_assignments(node: Node) -> list[Assignment] | None:
    r"""``x = 3, y = 5`` as assignments; None where it is none.

    ``x = 1, 2`` and ``x \in \{1, 2\}`` give one name to both values.
    """
    if isinstance(node, Relation):
        return _of_relation(node)
    if not isinstance(node, Listing | Brackets) or not node.items:
        return None
    if isinstance(node, Brackets) and (node.left not in "({" or node.left == "<"):
        return None
    found: list[Assignment] = []
    for item in node.items:
        assignments = _of_relation(item) if isinstance(item, Relation) else None
        if assignments is not None:
            found += assignments
        elif found and not isinstance(item, Relation):
            found.append(Assignment(found[-1].name, item))
        else:
            return None
    return _solutions(found)


def is_either(node: Node, assignments: list[Assignment]) -> bool:
    """Whether one of several names has its value: ``x = 3 or y = 4`` is no pair."""
    if not isinstance(node, Listing) or node.joiner != "or":
        return False
    names = {assignment.name for assignment in assignments}
    return len(names) == len(assignments) > 1 and not _are_roots(assignments)


def _of_relation(node: Relation) -> list[Assignment] | None:
    match node:
        case Relation((name, Brackets("{", "}", items)), ("in",)):
            known = name_of(name)
            return [Assignment(known, item) for item in items] if known and items else None
        case _:
            one = as_assignment(node)
            return None if one is None else [_sorted(one)]


def _sorted(assignment: Assignment) -> Assignment:
    """``(y, x) = (5, 3)`` as ``(x, y) = (3, 5)``."""
    names, value = assignment.name.split(","), assignment.value
    if len(names) == 1 or not isinstance(value, Brackets) or len(value.items) != len(names):
        return assignment
    if not _run_on(sorted(names)):
        return assignment
    order = sorted(range(len(names)), key=names.__getitem__)
    items = tuple(value.items[at] for at in order)
    return Assignment(
        ",".join(names[at] for at in order), Brackets("(", ")", items), assignment.links
    )


def spelled_out(node: Node) -> list[Assignment] | None:
    """``x = y = 3`` as ``x = 3, y = 3``; others as they stand."""
    match node:
        case Relation((*names, value)) if len(names) > 1 and not symbols(value):
            if set(node.signs) == {"="} and all(isinstance(name, Symbol) for name in names):
                return [Assignment(_text(name), value) for name in names]
    return as_assignments(node)


def _solutions(found: list[Assignment]) -> list[Assignment]:
    """``x = 1, y = 2 or x = 3, y = 4`` as two values of ``(x, y)``; others stay as they are."""
    groups: list[dict[str, Assignment]] = []
    for assignment in found:
        if not groups or assignment.name in groups[-1]:
            groups.append({})
        groups[-1][assignment.name] = assignment
    names = list(groups[0]) if groups else []
    if len(groups) < 2 or len(names) < 2 or any(set(group) != set(names) for group in groups):
        return found
    if _run_on(sorted(names)):
        names.sort()
    return [
        Assignment(
            ",".join(names),
            Brackets("(", ")", tuple(group[name].value for name in names)),
        )
        for group in groups
    ]


def _of_tuples(assignments: list[Assignment]) -> list[Assignment]:
    """``(x, y) = (3, 5)`` as two assignments."""
    if len(assignments) != 1:
        return assignments
    names, value = assignments[0].name.split(","), assignments[0].value
    if len(names) == 1 or not isinstance(value, Brackets) or len(value.items) != len(names):
        return assignments
    return [Assignment(name, item) for name, item in zip(names, value.items, strict=True)]


def compare_assignments(gold: list[Assignment], answer: list[Assignment], same: Compare) -> Finding:
    """Values bound to their names; several values of one name in any order."""
    gold_values, answer_values = _by_name(_of_tuples(gold)), _by_name(_of_tuples(answer))
    if len(gold) == len(answer) == 1 and _is_call_of(gold[0].name, answer[0].name):
        return same(gold[0].value, answer[0].value)
    if len(gold) > 1 and _are_roots([*gold, *answer]):
        return compare_unordered(_values(gold), _values(answer), same, as_sets=False)
    if set(gold_values) != set(answer_values):
        return Finding(False, "the names are not the same")
    parts = (
        compare_unordered(tuple(values), tuple(answer_values[name]), same, as_sets=False)
        for name, values in gold_values.items()
    )
    return all_of(parts, "the same value for every name")


def _is_call_of(first: str, second: str) -> bool:
    """Whether one name is the other with its argument: ``V(r)`` and ``V``."""
    short, long = sorted((first, second), key=len)
    return long.startswith(f"{short}(") and "'" not in long


def _by_name(assignments: list[Assignment]) -> dict[str, list[Node]]:
    table: dict[str, list[Node]] = {}
    for assignment in assignments:
        table.setdefault(assignment.name, []).extend(values_of(assignment.value))
    return table


def _values(assignments: list[Assignment]) -> tuple[Node, ...]:
    return tuple(value for assignment in assignments for value in values_of(assignment.value))


_UNKNOWNS = frozenset("x y z t u w r lambda".split())


def _are_roots(assignments: list[Assignment]) -> bool:
    """Whether all are values of one unknown: ``x_1 = 3, x_2 = -2``, or ``x = 3, x = -2``.

    ``a_1 = 3, a_2 = -2`` are members of a sequence.
    """
    names = {assignment.name for assignment in assignments}
    stems = {name.partition("_")[0] for name in names}
    return len(names) == 1 or (len(stems) == 1 and stems <= _UNKNOWNS)


def values_in_order(assignments: list[Assignment], *, roots_free: bool) -> tuple[Node, ...] | None:
    """The values in the order of their names where these have one, else as they were written.

    Args:
        assignments: The assignments.
        roots_free: Whether ``x_1`` and ``x_2`` are two values of one unknown.

    Returns:
        The values; None where one unknown has several.
    """
    names = [assignment.name for assignment in assignments]
    if len(set(names)) != len(names):
        return None
    if roots_free and len(names) > 1 and _are_roots(assignments):
        return None
    if _run_on(sorted(names)):
        assignments = sorted(assignments, key=lambda assignment: assignment.name)
    return tuple(assignment.value for assignment in assignments)


def _run_on(names: list[str]) -> bool:
    """Whether names follow each other, as x, y, z and a_1, a_2 do: they have an order then."""
    letters = [ord(name) for name in names if len(name) == 1]
    if len(letters) == len(names):
        return letters[-1] - letters[0] == len(letters) - 1
    return len({name.partition("_")[0] for name in names}) == 1


def compare_with_values(
    assignments: list[Assignment], values: Node, same: Compare, *, swapped: bool
) -> Finding:
    """Assignments against a bare tuple or list."""
    is_tuple = isinstance(values, Brackets) and values.left != "{"
    in_order = values_in_order(_of_tuples(assignments), roots_free=not is_tuple)
    if in_order is None and is_tuple:
        return Finding(False, "a pair in brackets is not two values of one letter")
    others = items_of(values)
    mine = _values(assignments) if in_order is None else _with_signs(in_order)
    if in_order is None or len(mine) > 1:
        pair = (others, mine) if swapped else (mine, others)
        return compare_unordered(*pair, same, as_sets=False)
    if isinstance(values, Brackets) and values.left == "{":
        return Finding(False, "a set does not say which value belongs to which name")
    if len(others) != len(in_order):
        return Finding(False, f"{len(others)} values for {len(in_order)} names")
    pairs = zip(in_order, others, strict=True)
    return all_of(
        (same(b, a) if swapped else same(a, b) for a, b in pairs),
        "the values in order of their names",
    )


def holds_equations(node: Node) -> bool:
    """Whether a list or a set has members that are equations themselves."""
    return isinstance(node, Brackets | Listing) and any(
        isinstance(item, Relation) for item in node.items
    )


def _with_signs(values: tuple[Node, ...]) -> tuple[Node, ...]:
    r"""``x = \pm 1, y = 2`` as the two tuples that it means."""
    return spread(Brackets("(", ")", values))


# --- equations ---------------------------------------------------------------------------------


def compare_equations(gold: Node, answer: Node, same: Compare) -> Finding:
    """Equations are the same with sides moved, or multiplied by a number that is not zero."""
    if not (isinstance(gold, Relation) and isinstance(answer, Relation)):
        return UNKNOWN
    if has_plus_minus(gold) or has_plus_minus(answer):
        if any(
            isinstance(found, Relation)
            for node in (*gold.members, *answer.members)
            for found in walk(node)
        ):
            return UNKNOWN
        return compare_unordered(expanded(gold), expanded(answer), same, as_sets=False)
    if gold.signs != ("=",) or answer.signs != ("=",):
        return compare_members(gold, answer, same)
    answer = _with_constant_renamed(gold, answer)
    in_place = compare_members(gold, answer, same)
    sides = [_sides_moved(gold), _sides_moved(answer)]
    if not symbols(sides[0]) and not symbols(sides[1]):
        return _between_constants(gold, answer, in_place)
    if in_place.same:
        return in_place
    plain = [is_expression(side) for side in sides]
    if plain[0] != plain[1] and not any(_is_opaque(node) for node in (gold, answer)):
        return Finding(False, "one side is an equation between values, the other is not")
    if not all(plain):
        return UNKNOWN
    result = proportional(sides[0], sides[1])
    if result is Sameness.SAME and not (symbols(sides[0]) and symbols(sides[1])):
        return Finding(False, "one of the equations says nothing about its letters")
    if result is Sameness.SAME:
        return Finding(True, "the same equation with its sides moved or multiplied")
    if result is Sameness.DIFFERENT and symbols(sides[0]) != symbols(sides[1]):
        return Finding(False, "equations of other letters")
    return Finding(False, "not the same equation") if result is Sameness.DIFFERENT else UNKNOWN


def _with_constant_renamed(gold: Relation, answer: Relation) -> Relation:
    """``x^2 + y^2 = c`` with the gold's constant, where several letters are related."""
    names = with_constant_of(gold.members, answer.members)
    if not names or len(symbols(gold)) < 3:
        return answer
    return Relation(tuple(renamed(member, names) for member in answer.members), answer.signs)


def _difference(equation: Relation) -> Node:
    left, right = map(without_calls, equation.members)
    return difference(left, right)


_sides_moved = ByIdentity(_difference, room=256)
"""The difference of an equation's sides: one tree for all answers that a gold is compared with."""


def _is_opaque(node: Node) -> bool:
    return holds(node, Operator, Words)


def _between_constants(gold: Relation, answer: Relation, in_place: Finding) -> Finding:
    r"""``\log_3 27 = 3`` is a statement, not a value: another true one is another statement."""
    if in_place.same is None:
        return UNKNOWN
    if in_place.same is False or {*gold.members} != {*answer.members}:
        return Finding(False, "another equation between numbers")
    return Finding(True, "the same equation between numbers")


def compare_members(gold: Node, answer: Node, same: Compare) -> Finding:
    """Compares two relations with the same signs, member by member."""
    if not (isinstance(gold, Relation) and isinstance(answer, Relation)):
        return UNKNOWN
    if set(gold.signs) != set(answer.signs):
        return Finding(False, "the relations are not the same")
    if gold.signs != answer.signs or len(gold.members) != len(answer.members):
        return UNKNOWN
    pairs = zip(gold.members, answer.members, strict=True)
    return all_of((same(a, b) for a, b in pairs), "the same relation, member by member")


def is_solved(assignment: Assignment) -> bool:
    """Whether the value is a constant, so that only it, and no other equation, is meant."""
    return not symbols(assignment.value)


def says_nothing(equation: Relation) -> bool:
    """Whether an equation holds, or fails, whatever its letters are: ``0 = 0``, ``x = x``."""
    if equation.signs != ("=",):
        return False
    side = difference(*map(without_calls, equation.members))
    if not symbols(side):
        return True
    return is_expression(side) and compare(side, Number(Fraction(0))) is Sameness.SAME


def contradicts_curve(gold: Assignment, answer: Relation) -> bool:
    """Whether a point of the gold's curve ``y = f(x)`` does not satisfy the answer's equation."""
    if says_nothing(answer):
        return True
    if gold.name in symbols(gold.value) or answer.signs != ("=",):
        return False
    side = replaced(difference(*answer.members), gold.name, gold.value)
    if not is_expression(side):
        return False
    return compare(side, Number(Fraction(0))) is Sameness.DIFFERENT


def may_be_one_curve(gold: list[Assignment], answer: list[Assignment]) -> bool:
    """Whether two assignments with other names or values may still be the same equation."""
    if len(gold) != 1 or len(answer) != 1 or is_solved(gold[0]):
        return False
    explicit = all(item.name not in symbols(item.value) for item in (*gold, *answer))
    return not (explicit and gold[0].name == answer[0].name)


_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}


def compare_inequalities(gold: Node, answer: Node, same: Compare) -> Finding:
    """Inequalities between expressions of several letters: member by member, from either end."""
    if not (isinstance(gold, Relation) and isinstance(answer, Relation)):
        return UNKNOWN
    straight = compare_members(gold, answer, same)
    if straight.same or any(sign not in _FLIPPED for sign in answer.signs):
        return straight
    turned = Relation(answer.members[::-1], tuple(_FLIPPED[sign] for sign in answer.signs[::-1]))
    reversed_ = compare_members(gold, turned, same)
    if reversed_.same:
        return reversed_
    if len(gold.signs) == len(answer.signs) == 1:
        return _moved(gold, answer)
    plain = all(isinstance(member, Symbol | Number) for member in (*gold.members, *answer.members))
    return Finding(False, "the chains differ") if plain else UNKNOWN


def _moved(gold: Relation, answer: Relation) -> Finding:
    """One inequality each: sides moved, or multiplied by a positive number."""
    sides = []
    for relation in (gold, answer):
        left, right = map(without_calls, relation.members)
        turned = relation.signs[0] in (">", ">=")
        sides.append(difference(right, left) if turned else difference(left, right))
    strict = [relation.signs[0] in ("<", ">") for relation in (gold, answer)]
    if not all(is_expression(side) for side in sides) or "!=" in (*gold.signs, *answer.signs):
        return UNKNOWN
    result = proportional(sides[0], sides[1])
    if result is Sameness.UNKNOWN:
        return UNKNOWN
    if result is Sameness.DIFFERENT or strict[0] != strict[1]:
        return Finding(False, "not the same inequality")
    factor = _factor_at_a_point(sides[0], sides[1])
    if factor is None:
        return UNKNOWN
    return Finding(factor > 0, "the same inequality" if factor > 0 else "the other direction")


def _factor_at_a_point(first: Node, second: Node) -> Fraction | None:
    """``first / second`` at one point, where both are known to be proportional."""
    names = sorted(symbols(first) | symbols(second))
    for shift in range(3):
        place = {name: Fraction(7 * at + 5 + shift, 3 + at) for at, name in enumerate(names)}
        values = [approximate(at_point(side, place)) for side in (first, second)]
        if values[0] and values[1]:
            return values[0] / values[1]
    return None
