r"""Known functions with their powers and bases."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.arguments import argument
from verifiers_math.equivalence.reader.brackets import braces, parentheses, set_braces
from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Constant,
    Listing,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)

_BASES = {"lg": Number(Fraction(10)), "lb": Number(Fraction(2))}


def function_call(cursor: Cursor, token: Token) -> Node:
    r"""A function with its argument: ``\sin^2 x``, ``\log_2 8``, ``\max(a, b)``, ``sin 2x``."""
    name, power = token.text, None
    base: Node | None = _BASES.get(name) or _base_in_name(cursor, token)
    while cursor.sees("^", "_"):
        if cursor.next().text == "_":
            base = argument(cursor)
        else:
            power = cursor.grammar.exponent(cursor)
    if name in _BASES:
        name = "log"
    if base is not None and name not in ("log", "ln"):
        raise ReadError(f"{name} has no base")
    if power == Number(Fraction(-1)) and name in words.INVERSES:
        name, power = words.INVERSES[name], None
    arguments = _arguments(cursor, name)
    if name == "cis":
        return _cis(arguments[0], power)
    if name == "log" and base is None:
        arguments = _with_base(arguments)
    if base is not None:
        name, arguments = "log", (*arguments, base)
    call = Call(name, arguments)
    return call if power is None else Power(call, power)


def _base_in_name(cursor: Cursor, token: Token) -> Node | None:
    """``log2(8)``, ``log10(x)``: the base right behind the plain name."""
    base = cursor.token
    plain = token.text == "log" and cursor.text[token.start : token.end] == "log"
    if not plain or base.spaced or base.text not in ("2", "10") or cursor.ahead().text != "(":
        return None
    cursor.next()
    return Number(base.value)


def _with_base(arguments: tuple[Node, ...]) -> tuple[Node, ...]:
    """``log(8, 2)``, as algebra systems write it."""
    match arguments:
        case (Brackets("(", ")", (inside, base)),):
            return (inside, base)
        case _:
            return arguments


def _cis(angle: Node, power: Node | None) -> Node:
    r"""``cis x`` is ``\cos x + i \sin x``."""
    value: Node = Sum((Call("cos", (angle,)), Product((Symbol("i"), Call("sin", (angle,))))))
    return value if power is None else Power(value, power)


def _arguments(cursor: Cursor, name: str) -> tuple[Node, ...]:
    if name in words.LIST_FUNCTIONS:
        inside = _enclosed(cursor)
        if isinstance(inside, Brackets | Listing):
            return inside.items
        return (inside,)
    if cursor.sees("(", "[", "{"):
        return (_enclosed(cursor),)
    return (_juxtaposed(cursor, name),)


def _enclosed(cursor: Cursor) -> Node:
    token = cursor.next()
    if token.text in ("(", "["):
        return parentheses(cursor, token)
    if token.text == "{":
        return braces(cursor, token)
    if token.text == "\\{":
        return set_braces(cursor, token)
    raise ReadError("the arguments of a function are missing")


def _juxtaposed(cursor: Cursor, name: str) -> Node:
    """An argument without brackets: factors up to a sign, a function or a bracket."""
    negative = cursor.take("-")
    factors = [cursor.grammar.factor(cursor)]
    while cursor.grammar.continues_argument(cursor, factors):
        factors.append(cursor.grammar.factor(cursor))
    node = factors[0] if len(factors) == 1 else Product(tuple(factors))
    is_constant = all(isinstance(factor, Number | Constant) for factor in factors)
    halves_logarithm = cursor.token.spaced and name in ("ln", "log")  # ln 2 / 2
    if is_constant and cursor.sees("/") and not halves_logarithm:
        node = _over_numeral(cursor, node)
    if not negative:
        return node
    return Product((Number(Fraction(-1)), node))


def _over_numeral(cursor: Cursor, top: Node) -> Node:
    r"""``\sin \pi/6`` is the sine of a constant; ``\sin x/2`` is half a sine."""
    bottom = cursor.ahead()
    if bottom.kind is not Kind.NUMBER:
        return top
    cursor.at += 2
    return Quotient(top, Number(bottom.value, bottom.places))
