"""Objects as algebra systems and Python print them: ``Eq(x, 2)``, ``FiniteSet(1, 2)``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Matrix,
    Node,
    Number,
    Power,
    Quotient,
    Relation,
    SetOperation,
    Words,
)

Arguments = tuple[Node, ...]


def constructed(name: str, arguments: Arguments) -> Node | None:
    """What a printed call stands for; None where its name or its arguments are not known.

    Args:
        name: The name before the parentheses.
        arguments: What stands between them.
    """
    build = _BUILDERS.get(name)
    return None if build is None else build(arguments)


def _two(build: Callable[[Node, Node], Node]) -> Callable[[Arguments], Node | None]:
    return lambda arguments: build(*arguments) if len(arguments) == 2 else None


def _relation(sign: str) -> Callable[[Arguments], Node | None]:
    return _two(lambda left, right: Relation((left, right), (sign,)))


def _set(arguments: Arguments) -> Node:
    return Brackets("{", "}", arguments)


def _tuple(arguments: Arguments) -> Node | None:
    return Brackets("(", ")", arguments) if len(arguments) > 1 else None


def _only(arguments: Arguments) -> Node | None:
    return arguments[0] if len(arguments) == 1 else None


def _factorial(arguments: Arguments) -> Node | None:
    return Call("factorial", arguments) if len(arguments) == 1 else None


def _members(arguments: Arguments) -> Node | None:
    """``set([1, 2])``: the members of a list."""
    match arguments:
        case (Brackets("[", "]", items),):
            return _set(items)
        case _:
            return _set(arguments) if len(arguments) == 1 else None


def _array(arguments: Arguments) -> Node | None:
    """``Matrix([[1, 2], [3, 4]])``; ``Matrix([1, 2])`` is a column."""
    match arguments:
        case (Brackets("[", "]", items) as rows,):
            return rows if isinstance(items[0], Brackets) else Brackets("(", ")", items)
        case _:
            return None


def _diagonal(entries: Arguments) -> Node:
    size = range(len(entries))
    return Matrix(tuple(tuple(entries[row] if row == at else _ZERO for at in size) for row in size))


_ZERO = Number(Fraction(0))


def _union(arguments: Arguments) -> Node | None:
    return SetOperation("union", arguments) if len(arguments) > 1 else None


_ENDS = {"False": "[]", "True": "()"}
"""The brackets at an end of an interval, by what is said of its being open."""


def _interval(arguments: Arguments) -> Node | None:
    """``Interval(0, 1)`` is closed; ``Interval(0, 1, True, False)`` says where it is open."""
    low, high, *openness = arguments if len(arguments) > 1 else (None, None)
    if low is None or high is None or len(openness) > 2:
        return None
    said = [end.text for end in openness if isinstance(end, Words) and end.text in _ENDS]
    if len(said) != len(openness):
        return None
    left, right = [*said, "False", "False"][:2]
    return Brackets(_ENDS[left][0], _ENDS[right][1], (low, high))


def _interval_of(left: str, right: str) -> Callable[[Arguments], Node | None]:
    return _two(lambda low, high: Brackets(left, right, (low, high)))


_BUILDERS: dict[str, Callable[[Arguments], Node | None]] = {
    "Fraction": _two(Quotient),
    "Rational": _two(Quotient),
    "Integer": _only,
    "Float": _only,
    "Pow": _two(Power),
    "pow": _two(Power),
    "factorial": _factorial,
    "root": _two(lambda radicand, index: Call("root", (radicand, index))),
    "binomial": _two(lambda top, bottom: Call("binom", (top, bottom))),
    "comb": _two(lambda top, bottom: Call("binom", (top, bottom))),
    "Tuple": _tuple,
    "Point": _tuple,
    "FiniteSet": _set,
    "set": _members,
    "Matrix": _array,
    "array": _array,
    "diag": _diagonal,
    "Interval": _interval,
    "Interval.open": _interval_of("(", ")"),
    "Interval.Lopen": _interval_of("(", "]"),
    "Interval.Ropen": _interval_of("[", ")"),
    "Union": _union,
    "Eq": _relation("="),
    "Ne": _relation("!="),
}
