"""The tree that an answer is read to: a handful of frozen nodes.

Expressions are made of `Number`, `Symbol`, `Constant`, `Sum`, `Product`, `Quotient`, `Power`,
`Negative`, `PlusMinus` and `Call`. The other nodes hold what is more than one value: relations,
brackets, lists, sets of reals, matrices, words, units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral.

    Attributes:
        value: Its exact value (a repeating decimal's too).
        places: Written decimal places of a decimal; None for an integer or an exact form.
    """

    value: Fraction
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A letter or a name, with its subscript and primes: ``x``, ``alpha``, ``x_1``, ``AB``."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """``pi``, ``e``, ``i`` (the imaginary unit) or ``infinity``."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more terms."""

    terms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two or more factors.

    Attributes:
        factors: The factors, in order.
        explicit: Whether a multiplication sign stands between them.
    """

    factors: tuple[Node, ...]
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Quotient:
    """``top / bottom``."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power:
    """``base ^ exponent``."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Negative:
    """``-argument``."""

    argument: Node


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """``±argument``: a value of its own, or a term of a sum (``inverse`` for ``∓``)."""

    argument: Node
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A known function of one or more arguments.

    Names: ``sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth
    sech csch arsinh arcosh artanh arcoth arsech arcsch exp ln log sqrt root abs floor ceil sgn
    factorial double_factorial binom gcd lcm mod max min re im conj arg gamma``. ``log`` has its
    base as a second argument where one is written; ``root`` is ``(radicand, index)``; ``mod`` is
    the operator ``a mod b``.
    """

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """A function that only the problem knows: ``f(x)``, ``P(A, B)``."""

    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """A big operator, unevaluated: ``sum prod int lim det``, a derivative, ``max`` over a range.

    Attributes:
        name: Which one.
        parts: What it is applied to and its limits, as far as they were read.
        form: The operator with its bound letter under one name: what is compared.
        text: The operator as it was written, without the spaces that mean nothing.
    """

    name: str
    parts: tuple[Node, ...]
    form: str
    text: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Relation:
    """A chain of relations: ``members[0] signs[0] members[1] signs[1] …``.

    Signs: ``= != < <= > >= ~ equiv in notin subset``; ``~`` is "approximately".
    """

    members: tuple[Node, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brackets:
    """Items in brackets that are more than grouping: a tuple, an interval, a set, a vector.

    Attributes:
        left: ``(``, ``[``, ``{`` or ``<``; ``]`` for a French open interval.
        right: ``)``, ``]``, ``}`` or ``>``; ``[`` for a French open interval.
        items: What stands between the commas or semicolons.
    """

    left: str
    right: str
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Items without brackets, joined by ``,``, ``;``, ``and``, ``or``.

    Attributes:
        items: The items, in order.
        joiner: ``","``, ``"and"`` or ``"or"``; ``or`` where any of the joiners is.
    """

    items: tuple[Node, ...]
    joiner: str = ","


@dataclass(frozen=True, slots=True)
class SetBuilder:
    """``{element | condition}``; the condition may be a `Listing` of conditions."""

    element: Node
    condition: Node


@dataclass(frozen=True, slots=True)
class SetOperation:
    """``union``, ``intersection`` or ``difference`` of two or more sets."""

    name: str
    sets: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class NamedSet:
    """``R Z N Q C`` (also with ``+``, ``-``, ``*``: ``R+``) or ``empty``."""

    name: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of entries, all of one length; ``determinant`` for bars around them."""

    rows: tuple[tuple[Node, ...], ...]
    determinant: bool = False


@dataclass(frozen=True, slots=True)
class WithUnit:
    r"""A value with the text of its unit or currency (``cm``, ``\text{ cm}^2``, ``\$``)."""

    value: Node
    unit: str


@dataclass(frozen=True, slots=True)
class Percent:
    """``value %``."""

    value: Node


@dataclass(frozen=True, slots=True)
class Degrees:
    """``value °``, an angle."""

    value: Node


@dataclass(frozen=True, slots=True)
class InBase:
    """Digits in a base: ``1010_2``."""

    digits: str
    base: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """``a : b``, or ``a : b : c``."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Text that is no mathematics."""

    text: str


@dataclass(frozen=True, slots=True)
class Qualified:
    """A value with a condition or a remark in words behind it: ``2k, k ∈ Z``; ``4 (for x > 0)``."""

    value: Node
    remark: Node


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """``…`` as an item or a term."""


Node = (
    Number
    | Symbol
    | Constant
    | Sum
    | Product
    | Quotient
    | Power
    | Negative
    | PlusMinus
    | Call
    | Apply
    | Operator
    | Relation
    | Brackets
    | Listing
    | SetBuilder
    | SetOperation
    | NamedSet
    | Matrix
    | WithUnit
    | Percent
    | Degrees
    | InBase
    | Ratio
    | Words
    | Qualified
    | Ellipsis
)

Unary = Negative | PlusMinus


def _matrix_entries(node: Matrix) -> tuple[Node, ...]:
    return tuple(entry for row in node.rows for entry in row)


_CHILDREN: dict[type, Callable[[Any], tuple[Node, ...]]] = {
    Sum: attrgetter("terms"),
    Product: attrgetter("factors"),
    Quotient: attrgetter("top", "bottom"),
    Power: attrgetter("base", "exponent"),
    Negative: lambda node: (node.argument,),
    PlusMinus: lambda node: (node.argument,),
    Call: attrgetter("arguments"),
    Apply: attrgetter("arguments"),
    Operator: attrgetter("parts"),
    Ratio: attrgetter("parts"),
    Relation: attrgetter("members"),
    Brackets: attrgetter("items"),
    Listing: attrgetter("items"),
    SetBuilder: attrgetter("element", "condition"),
    SetOperation: attrgetter("sets"),
    Matrix: _matrix_entries,
    WithUnit: lambda node: (node.value,),
    Percent: lambda node: (node.value,),
    Degrees: lambda node: (node.value,),
    Qualified: attrgetter("value", "remark"),
}
"""What stands directly below a node, by its type; other nodes are leaves."""


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, in order."""
    below = _CHILDREN.get(type(node))
    return () if below is None else below(node)


def walk(node: Node) -> list[Node]:
    """The node and all below it, parents first; not recursive, so any depth will do."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        current = waiting.pop()
        found.append(current)
        below = _CHILDREN.get(type(current))
        if below is not None:
            waiting.extend(reversed(below(current)))
    return found


def depth(node: Node) -> int:
    """How many levels a tree has; not recursive, so any depth will do."""
    level, deepest = [node], 0
    while level:
        deepest += 1
        level = [child for parent in level for child in children(parent)]
    return deepest


class Facts(NamedTuple):
    """What is asked of a tree again and again.

    Attributes:
        types: The types of its nodes.
        symbols: The names of its symbols.
        constants: The names of its constants.
    """

    types: frozenset[type]
    symbols: frozenset[str]
    constants: frozenset[str]


_MAX_REMEMBERED = 1024
_remembered: dict[int, tuple[Node, Facts]] = {}


def facts(node: Node) -> Facts:
    """The facts of a tree, found in one walk and remembered for a while.

    They are remembered by the identity of the tree, which is kept alive so long.
    """
    known = _remembered.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    nodes = walk(node)
    types = frozenset(map(type, nodes))
    names = _names(nodes, Symbol) if Symbol in types else _NOTHING
    result = Facts(types, names, _names(nodes, Constant) if Constant in types else _NOTHING)
    if len(_remembered) >= _MAX_REMEMBERED:
        _remembered.clear()
    _remembered[id(node)] = (node, result)
    return result


_NOTHING: frozenset[str] = frozenset()


def _names(nodes: list[Node], kind: type[Symbol] | type[Constant]) -> frozenset[str]:
    return frozenset([found.name for found in nodes if type(found) is kind])


def symbols(node: Node) -> frozenset[str]:
    """The names of the symbols in a tree."""
    return facts(node).symbols


EXPRESSION_TYPES: frozenset[type] = frozenset(
    {
        Number,
        Symbol,
        Constant,
        Sum,
        Product,
        Quotient,
        Power,
        Negative,
        Call,
        Degrees,
        Percent,
    }
)


def is_expression(node: Node) -> bool:
    """Whether the whole tree is one value: nothing that holds several, and nothing unevaluated."""
    return facts(node).types <= EXPRESSION_TYPES


def holds(node: Node, *types: type) -> bool:
    """Whether a node of one of these types stands anywhere in a tree."""
    return not facts(node).types.isdisjoint(types)
