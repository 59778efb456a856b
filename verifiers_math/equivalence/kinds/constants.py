"""Expressions with arbitrary constants: ``+ C`` may have another name, and another value."""

from __future__ import annotations

from itertools import permutations

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Finding, any_of
from verifiers_math.equivalence.kinds.rewriting import renamed
from verifiers_math.equivalence.reader.tree import (
    Call,
    Negative,
    Node,
    Power,
    Sum,
    Symbol,
    symbols,
    walk,
)
from verifiers_math.equivalence.sampling import Sameness, compare, differ_by_constant

_PLAIN = frozenset({"C", "C'", "C_0", "C_1", "C_2", "C_3", "c_1", "c_2", "c_3"})
"""Names that say of themselves that they are arbitrary constants."""
_ARBITRARY = _PLAIN | {"c", "K", "k", "c_0"}
_NUMBERED = frozenset({"C_1", "C_2", "C_3", "c_1", "c_2", "c_3", "A", "B", "D", "K_1", "K_2"})
MAX_NUMBERED = 3


def compare_with_constants(gold: Node, answer: Node, *, rename: bool) -> Finding:
    """Compares two expressions; where both add an arbitrary constant, up to a constant.

    Args:
        gold: The gold's expression.
        answer: The answer's expression.
        rename: Whether an arbitrary constant may have another name.
    """
    gold_rest, answer_rest = _without_constant(gold), _without_constant(answer)
    if gold_rest is not None and answer_rest is not None:
        names = (symbols(gold) | symbols(answer)) & _ARBITRARY
        if names & _PLAIN or (_has_function(gold_rest) and _has_function(answer_rest)):
            return _found(differ_by_constant(gold_rest, answer_rest), "the same up to the constant")
    return any_of(
        _found(compare(gold, spelling), "equal as functions of their letters")
        for spelling in (_spellings(gold, answer) if rename else (answer,))
    )


def with_constant_of(gold: tuple[Node, ...], answer: tuple[Node, ...]) -> dict[str, str]:
    """How an arbitrary constant that is one side of an equation is called in the gold's."""
    golds, answers = (
        [node.name for node in members if isinstance(node, Symbol) and node.name in _ARBITRARY]
        for members in (gold, answer)
    )
    used = frozenset().union(*map(symbols, gold))
    if len(golds) != 1 or len(answers) != 1 or golds == answers or answers[0] in used:
        return {}
    return {} if any(golds[0] in symbols(node) for node in answer) else {answers[0]: golds[0]}


def _found(result: Sameness, detail: str) -> Finding:
    if result is Sameness.SAME:
        return Finding(True, detail)
    return Finding(False, "the values differ") if result is Sameness.DIFFERENT else UNKNOWN


def _without_constant(node: Node) -> Node | None:
    """The sum without the arbitrary constant that it adds; None where it adds none.

    Where A or B stand beside it, C is one of several quantities.
    """
    if not isinstance(node, Sum):
        return None
    rest = [term for term in node.terms if _bare_name(term) not in _ARBITRARY]
    if len(rest) != len(node.terms) - 1:
        return None
    constant = next(_bare_name(term) for term in node.terms if _bare_name(term) in _ARBITRARY)
    remainder: Node = rest[0] if len(rest) == 1 else Sum(tuple(rest))
    others = symbols(remainder)
    if not others or constant in others or others & {"A", "B"}:
        return None
    return remainder


def _bare_name(term: Node) -> str:
    if isinstance(term, Negative):
        term = term.argument
    return term.name if isinstance(term, Symbol) else ""


def _spellings(gold: Node, answer: Node) -> tuple[Node, ...]:
    """The answer, its arbitrary constants called as in the gold; several may change places."""
    golds, answers = symbols(gold), symbols(answer)
    if golds == answers and golds.isdisjoint(_NUMBERED):
        return (answer,)
    gold_only, answer_only = golds - answers, answers - golds
    numbered = [sorted(symbols(node) & _NUMBERED) for node in (gold, answer)]
    if _are_numbered(numbered[0], numbered[1], gold_only, answer_only):
        orders = permutations(numbered[0])
        return tuple(
            renamed(answer, dict(zip(numbered[1], order, strict=True))) for order in orders
        )
    arbitrary = _ARBITRARY | _NUMBERED if gold_only <= _PLAIN else _ARBITRARY
    if len(gold_only) != 1 or len(answer_only) != 1 or not gold_only | answer_only <= arbitrary:
        return (answer,)
    spelling = renamed(answer, dict(zip(answer_only, gold_only, strict=True)))
    is_solution = _is_solution(gold) and (_is_solution(answer) or _is_solution(spelling))
    return (spelling if is_solution else answer,)


def _are_numbered(
    gold: list[str], answer: list[str], gold_only: frozenset[str], answer_only: frozenset[str]
) -> bool:
    """Whether both sides have as many numbered constants, and no other letter differs."""
    return (
        2 <= len(gold) == len(answer) <= MAX_NUMBERED
        and bool({"C_1", "c_1"} & {*gold, *answer})
        and gold_only <= {*gold}
        and answer_only <= {*answer}
    )


def _is_solution(node: Node) -> bool:
    """Whether an arbitrary constant is at home here: it is added, or a function stands beside it.

    ``C e^x`` solves a differential equation; ``abC`` is a product of three letters.
    """
    adds_it = any(
        isinstance(found, Sum) and any(_bare_name(term) in _ARBITRARY for term in found.terms)
        for found in walk(node)
    )
    return (adds_it and bool(symbols(node) & _PLAIN)) or _has_function(node)


def _has_function(node: Node) -> bool:
    return any(
        isinstance(found, Call) or (isinstance(found, Power) and bool(symbols(found.exponent)))
        for found in walk(node)
    )
