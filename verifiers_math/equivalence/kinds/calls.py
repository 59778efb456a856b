"""Functions that only the problem knows: one spelling for those that are given the same."""

from __future__ import annotations

from verifiers_math.equivalence.kinds.rewriting import rewrite
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Node,
    Operator,
    Relation,
    SetOperation,
    Symbol,
    Words,
    holds,
    is_expression,
    walk,
)
from verifiers_math.equivalence.sampling import Sameness, compare

MAX_ARGUMENTS = 12
"""Pairs of arguments that are compared by evaluation."""


def with_calls_agreed(gold: Node, answer: Node) -> tuple[Node, Node]:
    r"""Both sides with one spelling for each call: ``f(1+x)`` is ``f(x+1)``.

    What is given stands for itself: ``P(A \cap B)`` is a letter of its own, as ``E[X^2]`` is.
    """
    if not holds(gold, Apply) and not holds(answer, Apply):
        return gold, answer
    if holds(gold, Apply) and holds(answer, Apply):
        answer = _with_calls_of(gold, answer)
    return _closed(gold), _closed(answer)


def _with_calls_of(gold: Node, answer: Node) -> Node:
    """The answer with the gold's spelling of each call."""
    golds = dict.fromkeys(node for node in walk(gold) if isinstance(node, Apply))
    left = MAX_ARGUMENTS

    def change(found: Node) -> Node:
        nonlocal left
        if left <= 0 or not isinstance(found, Apply) or found in golds:
            return found
        for known in golds:
            if known.name != found.name or len(known.arguments) != len(found.arguments):
                continue
            left -= len(found.arguments)
            if all(map(_is_same, known.arguments, found.arguments)):
                return known
        return found

    return rewrite(answer, change)


def _is_same(gold: Node, answer: Node) -> bool:
    match gold, answer:
        case _ if gold == answer:
            return True
        case SetOperation(name, golds), SetOperation(other, answers):
            return name == other != "difference" and {*golds} == {*answers}
        case _ if is_expression(gold) and is_expression(answer):
            return compare(gold, answer) is Sameness.SAME
        case _:
            return False


def _closed(node: Node) -> Node:
    """The tree with events and conditions in calls as names: nothing in them is evaluated."""

    def change(found: Node) -> Node:
        if not isinstance(found, Apply) or not holds(found, Relation, SetOperation):
            return found
        if holds(found, Operator, Words):
            return found
        return Apply(found.name, tuple(Symbol(to_latex(part)) for part in found.arguments))

    return rewrite(node, change)
