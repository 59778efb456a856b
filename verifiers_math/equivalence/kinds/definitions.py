r"""Functions that an answer defines: ``f(x) = x^2``, ``f: x \mapsto x^2``, ``x \mapsto x^2``."""

from __future__ import annotations

from verifiers_math.equivalence.kinds.rewriting import renamed
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Listing,
    NamedSet,
    Node,
    Ratio,
    Relation,
    Symbol,
    symbols,
)


def as_definition(node: Node, other: Node) -> Node:
    r"""``x \mapsto x^2`` as ``f(x) = x^2``; a function without a name takes that of the other side.

    A constant is no definition: ``x \mapsto 4`` says nothing of 4.
    """
    if not isinstance(node, Relation | Listing):
        return node
    node = _without_signature(node)
    match node:
        case Relation((Ratio((Symbol(f), Symbol(name) as given)), value), ("maps",)) if (
            name in symbols(value)
        ):
            return Relation((Apply(f, (given,)), value), ("=",))
        case Relation((Symbol(name) as given, value), ("maps",)) if name in symbols(value):
            return Relation((Apply(_function_of(other), (given,)), value), ("=",))
        case _:
            return node


def _without_signature(node: Node) -> Node:
    r"""``f: \mathbb{R} \to \mathbb{R}, f(x) = x^2`` as its last part, called by its name."""
    match node:
        case Listing((Relation((Ratio((name, NamedSet())), NamedSet()), ("to",)), definition)):
            match definition:
                case Relation((Symbol() as given, value), ("maps",)):
                    return Relation((Ratio((name, given)), value), ("maps",))
                case Relation((Apply() | Ratio(), _), ("=" | "maps",)):
                    return definition
                case _:
                    return node
        case _:
            return node


def _function_of(node: Node) -> str:
    """The name of the function that a side defines; one that has none is called ``f``."""
    match node:
        case Relation((Apply(name), *_)) | Relation((Ratio((Symbol(name), _)), _), ("maps",)):
            return name
        case _:
            return "f"


def with_argument_of(gold: Node, answer: Node) -> Node:
    """``f(t) = t^2`` with the gold's letter: what a function is given has any name."""
    match gold, answer:
        case Relation((Apply(f, (Symbol(old),)), *_)), Relation((Apply(g, (Symbol(new),)), *_)):
            free = old not in symbols(answer) and new not in symbols(gold)
            free = free and not (old[:1].isupper() or new[:1].isupper())  # P(A) is not P(B)
            answer = renamed(answer, {new: old}) if f == g and free else answer
            return _with_factor_of(gold, answer, old) if f == g else answer
        case _:
            return answer


_CONSTANTS = frozenset("cCkK")


def _with_factor_of(gold: Node, answer: Node, argument: str) -> Node:
    """``f(x) = kx`` where the gold says ``f(x) = cx``: c, C, k and K are any constant."""
    golds, answers = (symbols(node) - {argument} for node in (gold, answer))
    if golds == answers or len(golds) != 1 or len(answers) != 1 or not golds <= _CONSTANTS:
        return answer
    (name,), (found,) = golds, answers
    return renamed(answer, {found: name}) if found in _CONSTANTS | {"a", "b", "m"} else answer
