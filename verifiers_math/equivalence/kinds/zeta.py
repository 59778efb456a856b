r"""Values of the zeta function that have a closed form: ``\zeta(2)`` is ``\frac{\pi^2}{6}``."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from verifiers_math.equivalence.kinds.rewriting import rewrite
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    holds,
    symbols,
    walk,
)

MAX_ARGUMENT = 20


def with_zeta_values(node: Node, other: Node) -> Node:
    """A side with its values of zeta worked out, where the other side has no zeta."""
    if not holds(node, Apply) or any(map(_is_zeta, walk(other))) or "zeta" in symbols(other):
        return node
    return rewrite(node, _valued)


def _is_zeta(node: Node) -> bool:
    return isinstance(node, Apply) and node.name == "zeta"


def _valued(node: Node) -> Node:
    match node:
        case Apply("zeta", (Number(value),)) if value.denominator == 1:
            return _value(int(value)) or node if abs(value) <= MAX_ARGUMENT else node
        case _:
            return node


def _value(at: int) -> Node | None:
    """The value at an even number, or at one that is not positive."""
    if at <= 0:
        return Number(_bernoulli(1 - at) / (at - 1))
    if at % 2:
        return None
    factor = abs(_bernoulli(at)) * Fraction(2 ** (at - 1), factorial(at))
    return Product((Number(factor), Power(Constant("pi"), Number(Fraction(at)))))


@lru_cache(maxsize=MAX_ARGUMENT + 2)
def _bernoulli(index: int) -> Fraction:
    """The Bernoulli numbers; that of 1 is one half."""
    return 1 - sum(
        (Fraction(comb(index, at)) * _bernoulli(at) / (index - at + 1) for at in range(index)),
        Fraction(0),
    )
