r"""Derivatives in their quotient form: ``dy/dx`` and ``\frac{d^2y}{dx^2}`` are names."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind
from verifiers_math.equivalence.reader.tree import Node, Number, Power, Product, Symbol


def slope(cursor: Cursor) -> Node | None:
    """``dy/dx``, behind its first letter."""
    below, slash, d, beside = (cursor.ahead(at) for at in range(4))
    letters = (below, d, beside)
    if slash.text != "/" or d.text != "d" or any(it.kind is not Kind.LETTER for it in letters):
        return None
    cursor.at += 4
    return Symbol(f"d{below.text}/d{beside.text}")


_DIFFERENTIAL = frozenset(
    {
        *(Symbol(name) for name in ("d", "partial")),
        *(
            Power(Symbol(name), Number(Fraction(order)))
            for name in ("d", "partial")
            for order in range(2, 5)
        ),
    }
)


def differential(node: Node) -> str | None:
    r"""``dy``, ``d^2y`` or ``dx^2`` as text; None where a node is none."""
    factors = node.factors if isinstance(node, Product) else (node,)
    first = factors[0]
    if len(factors) > 2 or not isinstance(first, Symbol | Power) or first not in _DIFFERENTIAL:
        return None
    pieces: list[str] = []
    for factor in factors:
        match factor:
            case Symbol(name):
                pieces.append(name)
            case Power(Symbol(name), Number(order)):
                pieces.append(f"{name}{order}")
            case _:
                return None
    return "".join(pieces)
