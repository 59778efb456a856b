r"""Arithmetic that an answer leaves to be done: ``123\times456`` where the gold is a numeral."""

from __future__ import annotations

from verifiers_math.equivalence.reader.tree import (
    Negative,
    Node,
    Number,
    Product,
    Quotient,
    Sum,
    walk,
)


def leaves_arithmetic(tree: Node) -> bool:
    """Returns whether a sum or a product of plain numerals stands anywhere in an answer.

    Powers, roots, factorials, binomials, fractions, ``max``, ``min``, floor and ceiling are values.
    """
    return any(_is_unworked(node) for node in walk(tree))


def _is_unworked(node: Node) -> bool:
    match node:
        case Sum(members) | Product(members):
            return sum(_is_numeral(member) for member in members) > 1
        case _:
            return False


def _is_numeral(node: Node) -> bool:
    match node:
        case Number():
            return True
        case Negative(argument):
            return _is_numeral(argument)
        case Quotient(top, bottom):
            return _is_numeral(top) and _is_numeral(bottom)
        case _:
            return False
