"""Rewriting of trees: plus-minus expanded, letters renamed, the imaginary unit made one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from operator import is_not

from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Brackets,
    Call,
    Constant,
    Degrees,
    Listing,
    Matrix,
    Negative,
    Node,
    Number,
    Percent,
    PlusMinus,
    Power,
    Product,
    Qualified,
    Quotient,
    Ratio,
    Relation,
    SetBuilder,
    SetOperation,
    Sum,
    Symbol,
    WithUnit,
    holds,
    symbols,
)

Change = Callable[[Node], Node]

_TUPLE_FIELDS: dict[type, str] = {
    Sum: "terms",
    Product: "factors",
    Call: "arguments",
    Apply: "arguments",
    Relation: "members",
    Brackets: "items",
    Listing: "items",
    SetOperation: "sets",
    Ratio: "parts",
}
_SINGLE_FIELDS: dict[type, tuple[str, ...]] = {
    Quotient: ("top", "bottom"),
    Power: ("base", "exponent"),
    Negative: ("argument",),
    PlusMinus: ("argument",),
    SetBuilder: ("element", "condition"),
    WithUnit: ("value",),
    Percent: ("value",),
    Degrees: ("value",),
    Qualified: ("value", "remark"),
}


def rewrite(node: Node, change: Change) -> Node:
    """The tree with every node changed, children first. The reader bounds the depth.

    What does not change stays the same object, so that what is remembered of it holds.
    """
    kind = type(node)
    if kind in _TUPLE_FIELDS:
        field = _TUPLE_FIELDS[kind]
        before: tuple[Node, ...] = getattr(node, field)
        inside = tuple([rewrite(child, change) for child in before])
        if any(map(is_not, inside, before)):
            node = replace(node, **{field: inside})  # type: ignore[arg-type] # by the table above
    elif kind in _SINGLE_FIELDS:
        inner = {name: getattr(node, name) for name in _SINGLE_FIELDS[kind]}
        changed = {name: rewrite(child, change) for name, child in inner.items()}
        if any(map(is_not, changed.values(), inner.values())):
            node = replace(node, **changed)  # type: ignore[arg-type] # by the table above
    elif isinstance(node, Matrix):
        rows = tuple(tuple(rewrite(entry, change) for entry in row) for row in node.rows)
        node = replace(node, rows=rows)
    return change(node)


def renamed(node: Node, names: dict[str, str]) -> Node:
    """The tree with symbols renamed."""
    if symbols(node).isdisjoint(names):
        return node

    def change(found: Node) -> Node:
        if isinstance(found, Symbol) and found.name in names:
            return Symbol(names[found.name])
        return found

    return rewrite(node, change)


def replaced(node: Node, name: str, value: Node) -> Node:
    """The tree with a value for one symbol."""
    return rewrite(node, lambda found: value if found == Symbol(name) else found)


def at_point(node: Node, place: dict[str, Fraction]) -> Node:
    """The tree with numbers for its symbols."""

    def change(found: Node) -> Node:
        if isinstance(found, Symbol) and found.name in place:
            return Number(place[found.name])
        return found

    return rewrite(node, change)


def without_calls(node: Node) -> Node:
    """The tree with ``f(x)`` as one symbol, so that it can be sampled like any letter."""
    if not holds(node, Apply):
        return node

    def change(found: Node) -> Node:
        if isinstance(found, Apply):
            return Symbol(f"{found.name}({','.join(map(to_latex, found.arguments))})")
        return found

    return rewrite(node, change)


def with_imaginary_unit(node: Node, letter: str) -> Node:
    """The tree with a letter read as the imaginary unit."""
    if letter not in symbols(node):
        return node

    def change(found: Node) -> Node:
        return Constant("i") if found == Symbol(letter) else found

    return rewrite(node, change)


def has_plus_minus(node: Node) -> bool:
    """Whether a plus-minus sign stands anywhere in the tree."""
    return holds(node, PlusMinus)


def expanded(node: Node) -> tuple[Node, ...]:
    """The two values of a node with plus-minus signs, which all go together; else itself."""
    if not has_plus_minus(node):
        return (node,)
    return (_with_signs(node, positive=True), _with_signs(node, positive=False))


def _with_signs(node: Node, *, positive: bool) -> Node:
    def change(found: Node) -> Node:
        if not isinstance(found, PlusMinus):
            return found
        return found.argument if found.inverse != positive else minus(found.argument)

    return rewrite(node, change)


def minus(node: Node) -> Node:
    """The negative of a node."""
    if isinstance(node, Number):
        return Number(-node.value, node.places)
    return node.argument if isinstance(node, Negative) else Negative(node)


def difference(left: Node, right: Node) -> Node:
    """``left - right``, without a zero."""
    if right == Number(Fraction(0)):
        return left
    return Sum((left, minus(right)))
