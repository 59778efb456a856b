r"""Conditions behind an answer that the gold does not know: which leave a value as it is.

``x > 0``, ``n \ge 3`` and ``-1 < x < 1`` say where a value is meant or defined; ``x > 7`` behind
``cx`` leaves out numbers for which the gold's value is as good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from verifiers_math.equivalence.kinds.rewriting import at_point
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Listing,
    Node,
    Number,
    Relation,
    Symbol,
    Words,
    facts,
    is_expression,
    symbols,
    walk,
)
from verifiers_math.equivalence.sampling import approximate

_LOWER, _UPPER = (">", ">="), ("<", "<=")
_BOUNDING = (*_LOWER, *_UPPER, "=")
_NATURAL = frozenset(map(Fraction, (-1, 0, 1)))
"""Bounds of signs, of counting, of probabilities and of convergence."""
_COUNTS = frozenset("knmpqN")
MAX_FIRST = 5
"""A letter that counts may begin here: the sides of a polygon do at 3."""
_WORDS = re.compile(r"\\text ?\{[^{}]*\}|(?<![\\A-Za-z])[A-Za-z]{2,}|[()$]|\\[,;: ]")


def restricts(condition: Node, value: Node, declared: frozenset[str] = frozenset()) -> bool:
    """Whether a condition leaves out numbers for which the value is as good.

    Args:
        condition: A relation, several of them, or words with one.
        value: What stands before it.
        declared: Letters of which the gold says what they run through.
    """
    if isinstance(condition, Words):
        read_condition = read(_WORDS.sub(" ", condition.text).strip(" ,;."))
        if isinstance(read_condition, Unreadable):
            return False
        condition = read_condition
    stated = value.members[-1] if isinstance(value, Relation) else value
    if not is_expression(stated):
        return False
    parts = condition.items if isinstance(condition, Listing) else (condition,)
    return any(
        letter in declared or not _is_usual(letter, bound, is_lower, stated)
        for part in parts
        for letter, bound, is_lower in _bounds(part)
        if letter in symbols(stated)
    )


def _bounds(node: Node) -> Iterator[tuple[str, Node, bool]]:
    """Each letter of a condition with a constant beside it, and whether that bounds it below."""
    match node:
        case Relation((Symbol(name), Brackets(opening, _, items)), ("in",)):
            for at, end in enumerate(items):
                yield name, end, opening != "{" and at == 0
        case Relation():
            for sign, (left, right) in zip(node.signs, pairwise(node.members), strict=True):
                if sign in _BOUNDING:
                    yield from _beside(left, right, is_lower=sign in _LOWER)
                    yield from _beside(right, left, is_lower=sign in _UPPER)


def _beside(side: Node, bound: Node, *, is_lower: bool) -> Iterator[tuple[str, Node, bool]]:
    """The letter of one side, alone or between bars, where the other is its bound."""
    inner = side.arguments[0] if isinstance(side, Call) and side.name == "abs" else side
    if isinstance(inner, Symbol) and not symbols(bound):
        yield inner.name, bound, is_lower


def _is_usual(letter: str, bound: Node, is_lower: bool, value: Node) -> bool:
    """Whether nobody wonders at a bound: of a sign, a count, an angle, or where the value ends."""
    if not is_expression(bound) or "pi" in facts(bound).constants:
        return True
    place = approximate(bound)
    if place is None or place in _NATURAL:
        return True
    if is_lower and letter in _COUNTS and place.denominator == 1 and place <= MAX_FIRST:
        return True
    if symbols(value) == {letter}:
        return not approximate(at_point(value, {letter: place}))
    return any(isinstance(part, Number) and part.value == place for part in walk(value))
