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


def with_zeta_values(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Both sides with their values of zeta worked out, where one side alone has a zeta.

    An answer that is nothing else stays as it is: it may be the question.
    """
    sides = _has_zeta(gold), _has_zeta(answer)
    if sides == (True, False):
        return rewrite(gold, _valued), answer
    if sides == (False, True) and not _is_zeta(answer):
        return gold, rewrite(answer, _valued)
    return gold, answer


def _has_zeta(node: Node) -> bool:
    return "zeta" in symbols(node) or (holds(node, Apply) and any(map(_is_zeta, walk(node))))


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
