r"""The operations that a text holds, each in one form whatever its spelling.

``17/34``, ``\frac{17}{34}`` and ``17:34`` are one operation, and so are ``(x-1)(x+1)`` and
``(1+x)(x-1)``. Nothing is worked out: ``2\cdot3`` and ``6`` stay two things.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from verifiers_math.equivalence.kinds.counting import with_counted
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Constant,
    Ellipsis,
    InBase,
    NamedSet,
    Negative,
    Node,
    Number,
    Operator,
    Power,
    Product,
    Quotient,
    Ratio,
    Relation,
    SetOperation,
    Sum,
    Symbol,
    Words,
    children,
)

Form: TypeAlias = tuple[object, ...]
"""What an operation is, and the forms of what it is applied to."""

MAX_FORMULAS = 24
MAX_FORMULA_CHARS = 200
"""The formulas of a question that are looked at: the last ones, and short ones."""

_OPERATIONS = (Sum, Product, Quotient, Power, Call, Operator, Ratio, Relation, SetOperation)


def operation_stands_in(gold: str, answer: str, prompt: str) -> bool:
    """Returns whether an answer is an operation that the prompt holds, and the gold does not.

    Args:
        gold: The gold as it was written.
        answer: The value that the answer states.
        prompt: The question as the model saw it.
    """
    tree = _read(answer)
    if isinstance(tree, Unreadable):
        return False
    tree = _unwrapped(tree)
    inner = tree.argument if isinstance(tree, Negative) else tree
    return isinstance(inner, _OPERATIONS) and _stands_in(tree, gold, prompt)


def value_stands_in(gold: str, answer: str, prompt: str) -> bool:
    """Returns whether an answer is a value in the form that the prompt has, and the gold has not.

    Args:
        gold: The gold as it was written.
        answer: The value that the answer states.
        prompt: The question as the model saw it.
    """
    tree = _read(answer)
    return not isinstance(tree, Unreadable) and _stands_in(tree, gold, prompt)


def holds_operation(gold: str, answer: str) -> bool:
    """Returns whether an answer is an operation of the gold in another spelling.

    Args:
        gold: The gold as it was written.
        answer: The value that the answer states.
    """
    tree, wanted = _read(answer), _read(gold)
    if isinstance(tree, Unreadable) or isinstance(wanted, Unreadable):
        return False
    tree = _unwrapped(tree)
    return not isinstance(tree, Number) and _form(tree) in _forms(wanted)


def _stands_in(tree: Node, gold: str, prompt: str) -> bool:
    wanted, form = _read(gold), _form(tree)
    if not isinstance(wanted, Unreadable) and form in _forms(wanted):
        return False
    return form in _asked_for(prompt)


def _read(text: str) -> Node | Unreadable:
    tree = read(text)
    return tree if isinstance(tree, Unreadable) else with_counted(tree)


def _unwrapped(tree: Node) -> Node:
    r"""``\{x^2-1\}`` and ``[x^2-1]`` as what they hold."""
    while isinstance(tree, Brackets) and len(tree.items) == 1:
        tree = tree.items[0]
    return tree


# --- the formulas of a question ----------------------------------------------------------------

_WORDS = re.compile(
    r"(?<![\\A-Za-z{])[A-Za-z]{2,}(?![A-Za-z]*[({\[_^])"  # but sqrt(2), lim_{x}
    r"|\$+|\\[()\[\]]|[.,;:!?]+(?=\s|$)|\n"
)
"""What parts the formulas of a question."""


@lru_cache(maxsize=64)
def _asked_for(prompt: str) -> frozenset[Form]:
    """The forms of all operations in the formulas of a prompt."""
    pieces = (piece.strip() for piece in _WORDS.split(prompt))
    formulas = [piece for piece in pieces if 2 <= len(piece) <= MAX_FORMULA_CHARS]
    trees = map(_read, formulas[-MAX_FORMULAS:])
    return frozenset().union(*(_forms(tree) for tree in trees if not isinstance(tree, Unreadable)))


def _forms(tree: Node) -> set[Form]:
    found: set[Form] = set()
    _collect(tree, found)
    return found


def _form(tree: Node) -> Form:
    return _collect(tree, set())


# --- one form for one operation ----------------------------------------------------------------

_ONE = ("number", Fraction(1))
_ZERO = ("number", Fraction(0))
_LEAVES = (Symbol, Constant, InBase, NamedSet, Words, Ellipsis)
_MIRRORED = {">": "<", ">=": "<="}


def _collect(node: Node, found: set[Form]) -> Form:
    """The form of a node; those of all that is below it are added to ``found``."""
    form = _form_of(node, [_collect(child, found) for child in children(node)])
    found.add(form)
    return form


def _form_of(node: Node, below: list[Form]) -> Form:
    match node:
        case Number(value, None) if value.denominator > 1:  # 1 1/2, or 0.333...
            return ("mixed", value)
        case Number(value):
            return ("number", value)
        case Negative():
            return _negative(below[0])
        case Sum():
            return _sum(below)
        case Product():
            return _product(below)
        case Quotient() | Ratio() if len(below) == 2:
            return _quotient(*below)
        case Power():
            return _power(*below)
        case Call(name):
            return _call(name, below)
        case Relation(_, signs):
            return _relation(list(signs), below)
        case SetOperation(name):
            return (name, *_sorted(below))
        case Brackets() if len(below) == 1:
            return below[0]
        case _ if isinstance(node, _LEAVES) or not below:
            return ("leaf", node)
        case _:
            return (type(node).__name__, *below)


def _sorted(forms: Iterable[Form]) -> list[Form]:
    return sorted(forms, key=repr)


def _negative(form: Form) -> Form:
    match form:
        case ("number", Fraction() as value):
            return ("number", -value)
        case ("negative", tuple() as argument):
            return argument
        case ("sum", *terms):
            return _sum([_negative(term) for term in terms if isinstance(term, tuple)])
        case _:
            return ("negative", form)


def _spread(name: str, forms: Iterable[Form], neutral: Form) -> list[Form]:
    """Terms or factors, those of sums in sums among them, without what changes nothing."""
    spread: list[Form] = []
    for form in forms:
        inner = form[1:] if form[0] == name else (form,)
        spread += [it for it in inner if isinstance(it, tuple) and it != neutral]
    return spread


def _sum(terms: list[Form]) -> Form:
    terms = _spread("sum", terms, _ZERO)
    return ("sum", *_sorted(terms)) if len(terms) > 1 else (terms or [_ZERO])[0]


def _product(factors: list[Form]) -> Form:
    factors = _spread("product", factors, _ONE)
    bottoms = [it[2] for it in factors if it[0] == "quotient"]
    if bottoms:
        tops = [it[1] if it[0] == "quotient" else it for it in factors]
        return _quotient(_product(_forms_of(tops)), _product(_forms_of(bottoms)))
    counted = Counter(factors)
    powers = [_power(it, ("number", Fraction(times))) for it, times in counted.items()]
    return ("product", *_sorted(powers)) if len(powers) > 1 else (powers or [_ONE])[0]


def _forms_of(values: Iterable[object]) -> list[Form]:
    return [value for value in values if isinstance(value, tuple)]


def _quotient(top: Form, bottom: Form) -> Form:
    if bottom == _ONE:
        return top
    if _is_negative(top) and _is_negative(bottom):
        top, bottom = _negative(top), _negative(bottom)
    return ("quotient", top, bottom)


def _is_negative(form: Form) -> bool:
    return form[0] == "negative" or (form[0] == "number" and str(form[1]).startswith("-"))


def _power(base: Form, exponent: Form) -> Form:
    match exponent:
        case ("number", Fraction(numerator=1, denominator=1)):
            return base
        case ("number", Fraction(numerator=-1, denominator=1)):
            return _quotient(_ONE, base)
        case ("number", Fraction(numerator=1) as value):
            return ("root", base, ("number", Fraction(value.denominator)))
        case ("quotient", ("number", Fraction(numerator=1, denominator=1)), index):
            return ("root", base, index)
        case _:
            return base if base == _ONE else ("power", base, exponent)


def _call(name: str, arguments: list[Form]) -> Form:
    if name == "sqrt":
        return ("root", *arguments, ("number", Fraction(2)))
    return (name, *arguments)


def _relation(signs: list[str], members: list[Form]) -> Form:
    if any(sign in _MIRRORED for sign in signs):
        signs, members = [_MIRRORED.get(sign, sign) for sign in reversed(signs)], members[::-1]
    if set(signs) == {"="}:
        members = _sorted(members)
    return ("relation", tuple(signs), *members)
