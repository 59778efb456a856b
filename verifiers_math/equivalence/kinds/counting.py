r"""Choices in the notations of schools: ``C(10, 3)`` and ``C_{10}^3``, ``P(n, k)`` and ``A_n^k``.

``C`` is a letter like any other, so it counts things only where no other ``C`` is left. ``P`` and
``A`` are points and probabilities more often, so they count only beside factorials or a number.
"""

from __future__ import annotations

import re
from fractions import Fraction

from verifiers_math.equivalence.kinds.rewriting import rewrite
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Brackets,
    Call,
    Matrix,
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


def with_binomials(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Both sides with ``C(n, k)`` and ``C_n^k`` read as numbers.

    They stay as they are where a letter is left over that the other side may know.
    """
    if not (_may_count(gold) or _may_count(answer)):
        return gold, answer
    counted = with_counted(gold), with_counted(answer)
    return (gold, answer) if any(map(_may_count, counted)) else counted


def with_permutations(gold: Node, answer: Node) -> tuple[Node, Node]:
    """Both sides with ``P(n, k)`` and ``A_n^k`` as factorials, where the other side has those.

    A gold is also worked out against a number. An answer is not: ``P(5, 2)`` is the question.
    """
    kinds: tuple[type[Node], ...] = (Symbol,) if _has_factorial(answer) else ()
    if isinstance(answer, Number):
        kinds = (Number,)
    return _arranged(gold, kinds), _arranged(answer, (Symbol,) if _has_factorial(gold) else ())


def _has_factorial(node: Node) -> bool:
    return holds(node, Call) and any(
        isinstance(found, Call) and found.name == "factorial" for found in walk(node)
    )


def _arranged(node: Node, kinds: tuple[type[Node], ...]) -> Node:
    """A side with its signs of permutations worked out, whose two parts are of these kinds."""
    if not kinds or not holds(node, Apply, Power):
        return node

    def change(found: Node) -> Node:
        parts = _parts(found)
        if parts is None or not all(isinstance(part, kinds) for part in parts):
            return found
        count, chosen = parts
        is_number = isinstance(count, Number)
        if is_number and not (_fits(count, chosen) and chosen != _ONE):  # P(3, 1) is a point
            return found
        return Quotient(_factorial(count), _factorial(Sum((count, Negative(chosen)))))

    return rewrite(node, change)


def _factorial(node: Node) -> Node:
    return Call("factorial", (node,))


_ONE = Number(Fraction(1))


def _parts(node: Node) -> tuple[Node, Node] | None:
    """What is counted, and how many are chosen, in a sign of permutations."""
    match node:
        case Apply("P", (count, chosen)):
            return count, chosen
        case Power(Symbol(name), chosen) if name[:2] in ("A_", "P_"):
            found = _index(name[2:])
            return None if found is None else (found, chosen)
        case _:
            return None


def with_counted(node: Node) -> Node:
    """A tree with ``C(n, k)`` and ``C_n^k`` as binomials."""
    return rewrite(node, _counted) if _may_count(node) else node


def _may_count(node: Node) -> bool:
    return any(map(may_choose, symbols(node)))


def may_choose(name: str) -> bool:
    """Whether a name may be the sign of a binomial."""
    return name == "C" or name.startswith("C_")


def _counted(node: Node) -> Node:
    match node:
        case Product((*before, Symbol("C"), Brackets("(", ")", (top, bottom)))):
            number = Call("binom", (top, bottom))
            return Product((*before, number), node.explicit) if before else number
        case Power(Symbol(name), chosen) if name.startswith("C_"):
            count = _index(name[2:])
            fits = count is not None and _fits(count, chosen)
            return Call("binom", (count, chosen)) if fits and count is not None else node
        case _:
            return node


_INDEX = re.compile(r"(?P<number>\d{1,4})|(?P<times>\d)?(?P<letter>[a-z])(?P<more>[-+]\d{1,4})?")


def _index(text: str) -> Node | None:
    """What stands below: a number, a letter, or a letter and a number."""
    match = _INDEX.fullmatch(text)
    if match is None:
        return None
    if match["number"]:
        return Number(Fraction(int(match["number"])))
    letter: Node = Symbol(match["letter"])
    if match["times"]:
        letter = Product((Number(Fraction(int(match["times"]))), letter))
    return Sum((letter, Number(Fraction(int(match["more"]))))) if match["more"] else letter


def _fits(count: Node, chosen: Node) -> bool:
    """Whether ``C_n^k`` can be meant: ``C_1^2`` is the square of a constant."""
    if isinstance(count, Number) and isinstance(chosen, Number):
        return 3 <= count.value >= chosen.value >= 0
    return not isinstance(count, Number) and isinstance(chosen, Number | Symbol)


def as_column(node: Node, other: Node) -> Node:
    r"""``\binom{1}{2}`` against a column of two entries, which is set in the same way."""
    match node, other:
        case Call("binom", (top, bottom)), Matrix(((_,), (_,)), False):
            return Matrix(((top,), (bottom,)))
        case _:
            return node
