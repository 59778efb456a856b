"""Expressions with arbitrary constants: ``+ C`` may have another name, and another value."""

from __future__ import annotations

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Finding
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

_ARBITRARY = frozenset({"C", "c", "K", "k", "C_1", "C_2", "c_1", "c_2", "C_0", "c_0", "C'"})


def compare_with_constants(gold: Node, answer: Node) -> Finding:
    """Compares two expressions; where both add an arbitrary constant, up to a constant."""
    gold_rest, answer_rest = _without_constant(gold), _without_constant(answer)
    if gold_rest is not None and answer_rest is not None:
        return _found(differ_by_constant(gold_rest, answer_rest), "the same up to the constant")
    result = compare(gold, _with_names_of(gold, answer))
    return _found(result, "equal as functions of their letters")


def _found(result: Sameness, detail: str) -> Finding:
    if result is Sameness.SAME:
        return Finding(True, detail)
    return Finding(False, "the values differ") if result is Sameness.DIFFERENT else UNKNOWN


def _without_constant(node: Node) -> Node | None:
    """The sum without the arbitrary constant that it adds; None where it adds none."""
    if not isinstance(node, Sum):
        return None
    rest = [term for term in node.terms if _bare_name(term) not in _ARBITRARY]
    if len(rest) != len(node.terms) - 1:
        return None
    constant = next(_bare_name(term) for term in node.terms if _bare_name(term) in _ARBITRARY)
    remainder: Node = rest[0] if len(rest) == 1 else Sum(tuple(rest))
    others = symbols(remainder)
    return remainder if others and constant not in others else None


def _bare_name(term: Node) -> str:
    if isinstance(term, Negative):
        term = term.argument
    return term.name if isinstance(term, Symbol) else ""


def _with_names_of(gold: Node, answer: Node) -> Node:
    """The answer with its arbitrary constant called as in the gold, where just these differ."""
    gold_only = symbols(gold) - symbols(answer)
    answer_only = symbols(answer) - symbols(gold)
    if len(gold_only) != 1 or len(answer_only) != 1 or not gold_only | answer_only <= _ARBITRARY:
        return answer
    if not _is_solution(gold) or not _is_solution(answer):
        return answer
    return renamed(answer, dict(zip(answer_only, gold_only, strict=True)))


def _is_solution(node: Node) -> bool:
    """Whether an arbitrary constant is at home here: it is added, or a function stands beside it.

    ``C e^x`` solves a differential equation; ``abC`` is a product of three letters.
    """
    return any(
        (isinstance(found, Sum) and any(_bare_name(term) in _ARBITRARY for term in found.terms))
        or (isinstance(found, Power) and symbols(found.exponent))
        or isinstance(found, Call)
        for found in walk(node)
    )
