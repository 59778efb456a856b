r"""Arguments of commands, and the subscripts and primes of names."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.reader.brackets import group
from verifiers_math.equivalence.reader.cursor import OPEN_BAR, Cursor
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import Constant, Node, Number, Symbol


def argument(cursor: Cursor) -> Node:
    """One argument of a command: a group in braces, or a single token (one digit of a numeral)."""
    if cursor.sees("{"):
        return group(cursor)
    token = cursor.token
    if token.kind is Kind.NUMBER and token.text.isdigit() and len(token.text) > 1:
        return _first_digit(cursor, token)
    if token.kind is Kind.NUMBER:
        cursor.next()
        return Number(token.value, token.places)
    if token.kind is Kind.LETTER:
        cursor.next()
        return Constant("e") if token.text == "e" else Symbol(token.text)
    if token.kind in _ARGUMENT_KINDS or token.text in _ARGUMENT_SIGNS:
        return cursor.grammar.atom(cursor)
    raise ReadError(f"an argument cannot begin with {token.text!r}")


_ARGUMENT_KINDS = (Kind.NAME, Kind.CONSTANT, Kind.COMMAND, Kind.FUNCTION)
_ARGUMENT_SIGNS = frozenset("(|\u221a\u221b\u221c") | {OPEN_BAR}


def _first_digit(cursor: Cursor, token: Token) -> Node:
    r"""``\frac12`` reads ``1`` and leaves ``2``."""
    rest = token.text[1:]
    cursor.tokens[cursor.at] = Token(
        Kind.NUMBER, rest, token.start + 1, token.end, False, Fraction(int(rest))
    )
    return Number(Fraction(int(token.text[0])))


def subscript_and_primes(cursor: Cursor) -> str:
    """The rest of a name: ``_1``, ``_{max}``, ``'``; spaces and braces do not count."""
    name = ""
    while True:
        if cursor.take("'", "\\prime"):
            name += "'"
        elif cursor.sees("_"):
            cursor.next()
            name += "_" + subscript(cursor)
        elif cursor.sees("^") and (primes := _raised_primes(cursor)):
            name += primes
        elif cursor.sees("^") and (star := _raised_star(cursor) or _raised_order(cursor)):
            name += star
        else:
            return name


def _raised_primes(cursor: Cursor) -> str:
    r"""Takes ``^\prime`` or ``^{\prime\prime}``."""
    if cursor.ahead().text in _PRIMES:
        cursor.at += 2
        return "'"
    count = 0
    if cursor.ahead().text == "{":
        while cursor.ahead(2 + count).text in _PRIMES:
            count += 1
    if not count or cursor.ahead(2 + count).text != "}":
        return ""
    cursor.at += count + 3
    return "'" * count


def _raised_star(cursor: Cursor) -> str:
    """Takes ``^*`` or ``^{*}`` of a name that a relation follows: ``x^* = 7``."""
    length = 4 if cursor.ahead().text == "{" else 2
    if cursor.ahead(length // 2).text != "*" or cursor.ahead(length).text not in ("=", "\\in"):
        return ""
    cursor.at += length
    return "*"


def _raised_order(cursor: Cursor) -> str:
    """Takes ``^{(4)}`` or ``^{[n]}``, the order of a derivative or the number of a member."""
    if cursor.ahead(2).text not in ("(", "["):
        return ""
    order = cursor.ahead(3).text
    around = "".join(cursor.ahead(at).text for at in (1, 2, 4, 5))
    if around not in ("{()}", "{[]}") or not order.isalnum():
        return ""
    cursor.at += 6
    return f"^({order})"


_PRIMES = ("'", "\\prime")


def subscript(cursor: Cursor) -> str:
    """The text of a subscript, without its braces."""
    token = cursor.next()
    if token.text != "{":
        if token.kind in (Kind.END, Kind.SIGN) and token.text not in ("+", "-", "*"):
            raise ReadError("a subscript is missing")
        return token.text.strip("\\ ")
    pieces: list[str] = []
    depth = 1
    while depth:
        token = cursor.next()
        if token.kind is Kind.END:
            raise ReadError("a subscript never ends")
        depth += (token.text == "{") - (token.text == "}")
        if token.text not in ("{", "}"):
            pieces.append(token.text.strip("\\ "))
    return "".join(pieces)
