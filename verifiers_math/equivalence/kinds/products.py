r"""Products whose factors may not change places: ``\vec a \times \vec b`` and ``A^T B``."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.kinds.rewriting import minus, renamed, rewrite
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    holds,
    symbols,
    walk,
)
from verifiers_math.equivalence.reader.vocabulary import GREEK

CROSS = "cross"
"""The name of the call that a product of two vectors is read to."""
MAX_TERMS = 32
"""So many terms in all come of multiplying out: a few factors could make millions."""


def with_order_kept(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Both sides with their products of vectors, or of matrices, as one name each."""
    if holds(gold, Apply) or holds(answer, Apply):
        gold, answer = _without_arrows(gold, answer), _without_arrows(answer, gold)
        gold, answer = _crossed(gold), _crossed(answer)
    if _multiplies_matrices(gold) or _multiplies_matrices(answer):
        gold, answer = rewrite(gold, _in_order), rewrite(answer, _in_order)
    return gold, answer


# --- vectors -----------------------------------------------------------------------------------


_OF_VECTORS = frozenset({CROSS, "curl", "div"})
_ARROW = "vec "


def _without_arrows(node: Node, other: Node) -> Node:
    r"""``\vec F`` as ``F`` where both sides say by a product that it is a vector, one in bold."""
    if not (_takes_vectors(node) and _takes_vectors(other)):
        return node
    letters = {name: name[len(_ARROW) :] for name in symbols(node) if name.startswith(_ARROW)}
    if any(name.startswith(_ARROW) for name in symbols(other)):
        return node
    return node if not symbols(node).isdisjoint(letters.values()) else renamed(node, letters)


def _takes_vectors(node: Node) -> bool:
    return any(isinstance(part, Apply) and part.name in _OF_VECTORS for part in walk(node))


def _crossed(node: Node) -> Node:
    """The tree with its vector products linear in both factors, and the factors sorted."""
    terms = 0

    def change(found: Node) -> Node:
        nonlocal terms
        match found:
            case Apply(name, (left, right)) if name == CROSS:
                lefts, rights = _terms(left), _terms(right)
                terms += len(lefts) * len(rights)
                return found if terms > MAX_TERMS else _multiplied(lefts, rights)
            case _:
                return found

    return rewrite(node, change) if holds(node, Apply) else node


_Terms = list[tuple[Fraction, Node]]


def _multiplied(lefts: _Terms, rights: _Terms) -> Node:
    terms = tuple(
        _scaled(one * other, _sorted(first, second))
        for one, first in lefts
        for other, second in rights
    )
    return terms[0] if len(terms) == 1 else Sum(terms)


def _scaled(factor: Fraction, node: Node) -> Node:
    if abs(factor) != 1:
        return Product((Number(factor), node))
    return node if factor > 0 else minus(node)


def _sorted(left: Node, right: Node) -> Node:
    """``b × a`` as ``-(a × b)``; ``a × a`` is nothing."""
    names = to_latex(left), to_latex(right)
    if names[0] == names[1]:
        return Number(Fraction(0))
    if names[0] < names[1]:
        return Apply(CROSS, (left, right))
    return minus(Apply(CROSS, (right, left)))


def _terms(node: Node) -> _Terms:
    """The terms of a vector, each with the number before it."""
    match node:
        case Sum(terms):
            return [pair for term in terms for pair in _terms(term)]
        case Negative(argument):
            return [(-factor, term) for factor, term in _terms(argument)]
        case Product((Number(value), *rest)):
            inner = rest[0] if len(rest) == 1 else Product(tuple(rest))
            return [(value * factor, term) for factor, term in _terms(inner)]
        case Quotient(top, Number(value)) if value:
            return [(factor / value, term) for factor, term in _terms(top)]
        case _:
            return [(Fraction(1), node)]


# --- matrices ----------------------------------------------------------------------------------


def _multiplies_matrices(node: Node) -> bool:
    """Whether a letter is transposed beside another factor, and ``T`` is no letter elsewhere."""
    if not holds(node, Power) or not holds(node, Product):
        return False
    found = walk(node)
    raised = [
        part.base for part in found if isinstance(part, Power) and part.exponent == _TRANSPOSE
    ]
    if not raised or found.count(_TRANSPOSE) != len(raised):
        return False
    bases = {part.name for part in raised if isinstance(part, Symbol)}
    return any(map(_is_matrix, bases)) or any(
        isinstance(part, Product) and _multiplies_itself(part, bases) for part in found
    )


_TRANSPOSE = Symbol("T")


def _is_matrix(name: str) -> bool:
    return len(name.partition("_")[0]) == 1 and name[0].isupper()


def _multiplies_itself(product: Product, transposed: set[str]) -> bool:
    """Whether a letter stands beside itself transposed: ``x^T A x``, ``v v^T``."""
    return any(isinstance(part, Symbol) and part.name in transposed for part in product.factors)


def _in_order(node: Node) -> Node:
    """A product as its scalars times one name for the others in their order."""
    if not isinstance(node, Product):
        return node
    scalars: list[Node] = []
    others: list[Node] = []
    for factor in node.factors:
        parts = factor.factors if isinstance(factor, Product) else (factor,)
        for part in parts:
            inner = part.arguments if isinstance(part, Apply) and part.name == _ORDERED else (part,)
            (scalars if _is_scalar(part) else others).extend(inner)
    if len(others) < 2:
        return node
    ordered = Apply(_ORDERED, tuple(others))
    return Product((*scalars, ordered)) if scalars else ordered


_ORDERED = "product"


def _is_scalar(node: Node) -> bool:
    match node:
        case Number():
            return True
        case Quotient(top, bottom):
            return _is_scalar(top) and _is_scalar(bottom)
        case Symbol(name):
            return name in GREEK and name.islower()
        case _:
            return False
