"""Sets of reals: intervals, inequalities, set-builders and their unions as one normal form."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from typing import NamedTuple

from verifiers_math.equivalence.kinds.finding import Compare, Finding, all_of
from verifiers_math.equivalence.kinds.rewriting import (
    expanded,
    has_plus_minus,
    minus,
    without_calls,
)
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Constant,
    Listing,
    Matrix,
    NamedSet,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Relation,
    SetBuilder,
    SetOperation,
    Symbol,
    is_expression,
    symbols,
)
from verifiers_math.equivalence.sampling import approximate, order

MAX_INTERVALS = 32
"""Unions of more intervals are not brought to a normal form."""
ORDER_DIGITS = 20
CLOSE = Fraction(1, 10**15)
"""Ends that differ by more than this part of their size are told apart by their digits."""
INFINITY: Node = Constant("infinity")
MINUS_INFINITY: Node = Negative(Constant("infinity"))


class Interval(NamedTuple):
    """The reals between two constants; an infinite end is always open."""

    low: Node
    high: Node
    low_closed: bool
    high_closed: bool


class Region(NamedTuple):
    """A union of intervals, and the letter that they are the values of, if one is named."""

    intervals: tuple[Interval, ...]
    name: str | None = None


class NotOrdered(Exception):
    """Two ends cannot be compared, or there are too many, so that a union has no normal form."""


EVERYTHING = Interval(MINUS_INFINITY, INFINITY, False, False)
_NAMED = {
    "R": (EVERYTHING,),
    "empty": (),
    "R+": (Interval(Number(Fraction(0)), INFINITY, False, False),),
    "R_+": (Interval(Number(Fraction(0)), INFINITY, False, False),),
    "R-": (Interval(MINUS_INFINITY, Number(Fraction(0)), False, False),),
}


@lru_cache(maxsize=1024)
def as_region(node: Node) -> Region | None:
    """Reads a node as a set of reals; None where it is none, or its ends cannot be compared."""
    try:
        region = _read(without_calls(node))
        return None if region is None else _normal(region)
    except NotOrdered:
        return None


def readings(node: Node) -> tuple[Region, ...]:
    """What an inequality may mean: ``x > a`` says something about ``x``, or about ``a``."""
    match node:
        case Relation((Symbol() as left, Symbol() as right), (sign,)) if sign in _FLIPPED:
            return (
                Region(_half_line(sign, right), left.name),
                Region(_half_line(_FLIPPED[sign], left), right.name),
            )
        case _:
            region = as_region(node)
            return () if region is None else (region,)


def is_no_region(node: Node) -> bool:
    """Whether a pair or a set in brackets holds what no set of reals has for ends or members."""
    return isinstance(node, Brackets) and (
        any(isinstance(item, Brackets | NamedSet | Relation | Matrix) for item in node.items)
        or (node.left != "{" and not symbols(node))
    )


def _normal(region: Region) -> Region:
    return Region(_merged(region.intervals), region.name)


def compare_regions(gold: Region, answer: Region, same: Compare) -> Finding:
    """The same intervals with the same ends, closed and open alike."""
    if gold.name and answer.name and gold.name != answer.name:
        return Finding(False, "the letters are not the same")
    if len(gold.intervals) != len(answer.intervals):
        return Finding(False, "not the same set of numbers")
    findings: list[Finding] = []
    for left, right in zip(gold.intervals, answer.intervals, strict=True):
        if left[2:] != right[2:]:
            return Finding(False, "an end is open on one side and closed on the other")
        findings += [_same_end(left.low, right.low, same), _same_end(left.high, right.high, same)]
    return all_of(findings, "the same set of numbers")


def _same_end(gold: Node, answer: Node, same: Compare) -> Finding:
    infinite = [end in (INFINITY, MINUS_INFINITY) for end in (gold, answer)]
    if any(infinite):
        return Finding(gold == answer, "the same end" if gold == answer else "another end")
    return same(gold, answer)


# --- reading -----------------------------------------------------------------------------------


def _read(node: Node) -> Region | None:
    match node:
        case NamedSet(name):
            return Region(_NAMED[name]) if name in _NAMED else None
        case Brackets():
            return _brackets(node)
        case Relation():
            return _relation(node)
        case SetBuilder(element, condition):
            return _set_builder(element, condition)
        case SetOperation(name, sets):
            return _operation(name, sets)
        case Listing(items, joiner):
            return _conditions(items, joiner)
        case _:
            return None


def _brackets(node: Brackets) -> Region | None:
    """An interval, or a set of single numbers."""
    if node.left == "{":
        if not all(is_expression(item) and not symbols(item) for item in node.items):
            return None
        return Region(tuple(Interval(item, item, True, True) for item in node.items))
    if len(node.items) != 2 or node.left == "<":
        return None
    low, high = (_end(item) for item in node.items)
    if not (is_expression(low) and is_expression(high)):
        return None
    low_closed = node.left == "[" and low != MINUS_INFINITY
    high_closed = node.right == "]" and high != INFINITY
    interval = Interval(low, high, low_closed, high_closed)
    return None if _is_empty(interval) else Region((interval,))  # a point's coordinates then


def is_solved(region: Region) -> bool:
    """Whether all ends of a region are constants."""
    return not any(symbols(end) for interval in region.intervals for end in interval[:2])


def is_unbounded(region: Region) -> bool:
    """Whether an end of the region is infinite."""
    return any(
        interval.low == MINUS_INFINITY or interval.high == INFINITY for interval in region.intervals
    )


def _end(node: Node) -> Node:
    """An end with one spelling for infinity."""
    if isinstance(node, Negative) and node.argument == INFINITY:
        return MINUS_INFINITY
    return node


def _set_builder(element: Node, condition: Node) -> Region | None:
    region = _read(condition)
    if isinstance(element, Relation) and element.signs == ("in",):
        outer = _read(element)
        element = element.members[0]
        if outer is None:
            return None
        if region is not None:
            region = Region(_intersected(outer.intervals, region.intervals), region.name)
    if region is None or not isinstance(element, Symbol):
        return None
    return Region(region.intervals) if region.name in (None, element.name) else None


def _operation(name: str, sets: tuple[Node, ...]) -> Region | None:
    regions = [_read(part) for part in sets]
    result: tuple[Interval, ...] | None = None
    for region in regions:
        if region is None:
            return None
        if result is None:
            result = region.intervals
        elif name == "union":
            result = (*result, *region.intervals)
        elif name == "intersection":
            result = _intersected(result, region.intervals)
        else:
            result = _intersected(result, _complement(region.intervals))
    return None if result is None else Region(result)


def _conditions(items: tuple[Node, ...], joiner: str) -> Region | None:
    """Inequalities: ``or`` unites; ``and`` and commas intersect, unless nothing would be left."""
    items = _spelled_out(items)
    regions = [_read(item) for item in items]
    intervals: list[tuple[Interval, ...]] = []
    names: set[str] = set()
    for item, region in zip(items, regions, strict=True):
        if region is None or isinstance(item, Brackets | NamedSet):
            return None
        intervals.append(region.intervals)
        names |= {region.name} if region.name else set()
    if len(names) > 1:
        return None
    name = names.pop() if names else None
    united = tuple(interval for group in intervals for interval in group)
    if joiner == "or":
        return Region(united, name)
    both = intervals[0]
    for group in intervals[1:]:
        both = _intersected(both, group)
    return Region(both if both or joiner == "and" else united, name)


def _spelled_out(items: tuple[Node, ...]) -> tuple[Node, ...]:
    r"""``x \ne 1, 2`` as ``x \ne 1, x \ne 2``."""
    match items:
        case (Relation((name, first), ("!=",)), *rest):
            if any(isinstance(item, Relation) for item in rest):
                return items
            values = (value for item in (first, *rest) for value in expanded(item))
            return tuple(Relation((name, value), ("!=",)) for value in values)
        case _:
            return items


# --- inequalities ------------------------------------------------------------------------------

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!=", "=": "="}


def _relation(node: Relation) -> Region | None:
    if node.signs == ("in",):
        region = _read(node.members[1])
        name = node.members[0]
        if region is None or not isinstance(name, Symbol):
            return None
        return Region(region.intervals, name.name)
    if any(sign not in _FLIPPED for sign in node.signs):
        return None
    if node.signs == ("!=",) and has_plus_minus(node.members[1]):
        items = _spelled_out((node,))
        return None if has_plus_minus(items[0]) else _conditions(items, "and")
    between = _between(node)
    if between is not None:
        return between
    result: tuple[Interval, ...] = (EVERYTHING,)
    names: set[str] = set()
    for left, sign, right in zip(node.members, node.signs, node.members[1:], strict=False):
        solved = _solved(left, sign, right)
        if solved is None:
            return None
        names.add(solved[0])
        result = _intersected(result, solved[1])
    return Region(result, names.pop() or None) if len(names) == 1 else None


def _between(node: Relation) -> Region | None:
    """``a < x < b``, its ends in letters: the letter in the middle is meant."""
    match node:
        case Relation((low, Symbol(name), high), (first, second)) if symbols(low) | symbols(high):
            if name in symbols(low) | symbols(high):
                return None
            if {first, second} <= {">", ">="}:
                low, high, first, second = high, low, _FLIPPED[second], _FLIPPED[first]
            if not {first, second} <= {"<", "<="} or not (
                is_expression(low) and is_expression(high)
            ):
                return None
            return Region((Interval(_end(low), _end(high), first == "<=", second == "<="),), name)
        case _:
            return None


def _solved(left: Node, sign: str, right: Node) -> tuple[str, tuple[Interval, ...]] | None:
    """One inequality between a letter, or a numeric multiple of it, and a constant."""
    if not symbols(left) and symbols(right):
        left, right, sign = right, left, _FLIPPED[sign]
    right = _end(right)
    if symbols(right) - {""} and not _is_free_end(left, right):
        return None
    if not is_expression(right):
        return None
    match left:
        case Symbol(name):
            return name, _half_line(sign, right)
        case Negative(argument):
            return _solved(argument, _FLIPPED[sign], minus(right))
        case Product((Number(factor), Symbol(name))) if factor:
            sign = sign if factor > 0 else _FLIPPED[sign]
            return name, _half_line(sign, Quotient(right, Number(factor)))
        case Quotient(Symbol(name), Number(factor)) if factor > 0:
            return name, _half_line(sign, Product((right, Number(factor))))
        case Call("abs", (Symbol(name),)) | Power(Symbol(name), Number(Fraction(numerator=2))):
            return _symmetric(name, left, sign, right)
        case _:
            return None


def _is_free_end(left: Node, right: Node) -> bool:
    """Whether a letter is compared with an expression in other letters: ``x < a + 1``."""
    return (
        isinstance(left, Symbol)
        and left.name not in symbols(right)
        and not isinstance(right, Symbol)
    )


def _half_line(sign: str, end: Node) -> tuple[Interval, ...]:
    below = Interval(MINUS_INFINITY, end, False, sign == "<=")
    above = Interval(end, INFINITY, sign == ">=", False)
    match sign:
        case "<" | "<=":
            return (below,)
        case ">" | ">=":
            return (above,)
        case "=":
            return (Interval(end, end, True, True),)
        case _:
            return (below, above)


def _symmetric(
    name: str, left: Node, sign: str, right: Node
) -> tuple[str, tuple[Interval, ...]] | None:
    """``|x| < a`` and ``x^2 < a`` with a positive constant ``a``."""
    if order(right, Number(Fraction(0))) != 1:
        return None
    end = right if isinstance(left, Call) else Call("sqrt", (right,))
    closed = sign in ("<=", ">=")
    if sign in ("<", "<="):
        return name, (Interval(minus(end), end, closed, closed),)
    if sign in (">", ">="):
        below = Interval(MINUS_INFINITY, minus(end), False, closed)
        return name, (below, Interval(end, INFINITY, closed, False))
    return None


# --- the normal form ---------------------------------------------------------------------------


def _order(first: Node, second: Node) -> int:
    """-1, 0 or 1.

    Raises:
        NotOrdered: Nobody knows.
    """
    if first == second:
        return 0
    if first == MINUS_INFINITY or second == INFINITY:
        return -1
    if first == INFINITY or second == MINUS_INFINITY:
        return 1
    sizes = _size(first), _size(second)
    if sizes[0] is not None and sizes[1] is not None:
        gap, scale = sizes[0] - sizes[1], max(abs(sizes[0]), abs(sizes[1]))
        if abs(gap) > scale * CLOSE:
            return 1 if gap > 0 else -1
    result = order(first, second)
    if result is None:
        raise NotOrdered
    return result


@lru_cache(maxsize=1024)
def _size(node: Node) -> Fraction | None:
    if isinstance(node, Number):
        return node.value
    return approximate(node, ORDER_DIGITS)


def _is_empty(interval: Interval) -> bool:
    if symbols(interval.low) or symbols(interval.high):
        return False
    position = _order(interval.low, interval.high)
    return position > 0 or (position == 0 and not (interval.low_closed and interval.high_closed))


def _merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Sorted, without empty ones, overlapping and touching ones joined."""
    intervals = tuple(intervals)
    if len(intervals) > MAX_INTERVALS:
        raise NotOrdered
    ordered = sorted(
        (interval for interval in intervals if not _is_empty(interval)),
        key=cmp_to_key(_by_low_end),
    )
    merged: list[Interval] = []
    for interval in ordered:
        if merged and _touch(merged[-1], interval):
            merged[-1] = _joined(merged[-1], interval)
        else:
            merged.append(interval)
    return tuple(merged)


def _by_low_end(first: Interval, second: Interval) -> int:
    return _order(first.low, second.low) or second.low_closed - first.low_closed


def _touch(first: Interval, second: Interval) -> bool:
    position = _order(first.high, second.low)
    return position > 0 or (position == 0 and (first.high_closed or second.low_closed))


def _joined(first: Interval, second: Interval) -> Interval:
    position = _order(first.high, second.high)
    if position < 0:
        return Interval(first.low, second.high, first.low_closed, second.high_closed)
    closed = first.high_closed or (position == 0 and second.high_closed)
    return Interval(first.low, first.high, first.low_closed, closed)


def _intersected(first: tuple[Interval, ...], second: tuple[Interval, ...]) -> tuple[Interval, ...]:
    if len(first) * len(second) > 2 * MAX_INTERVALS:
        raise NotOrdered
    pieces = (_common(left, right) for left in first for right in second)
    return tuple(piece for piece in pieces if not _is_empty(piece))


def _common(first: Interval, second: Interval) -> Interval:
    low_order = _order(first.low, second.low)
    low, low_closed = (
        (first.low, first.low_closed) if low_order > 0 else (second.low, second.low_closed)
    )
    if low_order == 0:
        low_closed = first.low_closed and second.low_closed
    high_order = _order(first.high, second.high)
    high, high_closed = (
        (first.high, first.high_closed) if high_order < 0 else (second.high, second.high_closed)
    )
    if high_order == 0:
        high_closed = first.high_closed and second.high_closed
    return Interval(low, high, low_closed, high_closed)


def _complement(intervals: tuple[Interval, ...]) -> tuple[Interval, ...]:
    gaps: list[Interval] = []
    low, low_closed = MINUS_INFINITY, False
    for interval in _merged(intervals):
        gaps.append(Interval(low, interval.low, low_closed, not interval.low_closed))
        low, low_closed = interval.high, not interval.high_closed
    gaps.append(Interval(low, INFINITY, low_closed, False))
    return tuple(
        gap
        for gap in gaps
        if gap.low != INFINITY and gap.high != MINUS_INFINITY and not _is_empty(gap)
    )
