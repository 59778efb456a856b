r"""Numerals in a text: mixed numbers, and numbers in a base."""

from __future__ import annotations

import re
from fractions import Fraction

from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind, Token
from verifiers_math.equivalence.reader.tree import InBase, Node, Number


def number(cursor: Cursor, token: Token) -> Node:
    """A numeral, with the fraction or the base that belongs to it."""
    if not cursor.at_usual_end() and token.value.denominator == 1 and token.text.isdigit():
        based = _in_base(cursor, token)
        if based is not None:
            return based
        mixed = _mixed(cursor, token)
        if mixed is not None:
            return mixed
    return Number(token.value, token.places)


_DIGITS = re.compile(r"[0-9A-F]+")


def _in_base(cursor: Cursor, token: Token) -> Node | None:
    """``1010_2``, ``3F_{16}``: digits with a base behind them."""
    digits, length = token.text, 0
    while _DIGITS.fullmatch(cursor.ahead(length).text) and not cursor.ahead(length).spaced:
        digits += cursor.ahead(length).text
        length += 1
    base = base_at(cursor, length)
    if base is None:
        return None
    number, taken = base
    if any(int(digit, 36) >= number for digit in digits):
        return None
    cursor.at += length + taken
    return InBase(digits.lstrip("0") or "0", number)


def base_at(cursor: Cursor, at: int) -> tuple[int, int] | None:
    """The base that stands as a subscript some tokens ahead, and the tokens that it takes."""
    if cursor.ahead(at).text != "_":
        return None
    braced = cursor.ahead(at + 1).text == "{"
    base = cursor.ahead(at + 2 if braced else at + 1)
    if braced and cursor.ahead(at + 3).text != "}":
        return None
    if base.kind is Kind.NUMBER and base.text.isdigit() and len(base.text) <= 2:
        number = int(base.text)
    else:
        number = _BASE_WORDS.get(base.text.strip().lower(), 0)
    return (number, 4 if braced else 2) if 2 <= number <= 36 else None


_BASE_WORDS = {
    name: number + 2
    for number, name in enumerate("two three four five six seven eight nine ten".split())
} | {"twelve": 12, "sixteen": 16}


def _mixed(cursor: Cursor, token: Token) -> Node | None:
    r"""``1\frac{1}{2}`` and ``1 1/2``: a proper fraction of plain numerals behind an integer."""
    if cursor.sees("\\frac"):
        pieces = _plain_fraction(cursor)
    elif cursor.token.spaced and cursor.token.kind is Kind.NUMBER and cursor.ahead().text == "/":
        pieces = (cursor.token, cursor.ahead(2), 3)
    else:
        return None
    if pieces is None:
        return None
    top, bottom, length = pieces
    whole = all(piece.kind is Kind.NUMBER and piece.text.isdigit() for piece in (top, bottom))
    if not whole or not 0 < top.value < bottom.value:
        return None
    cursor.at += length
    return Number(token.value + Fraction(top.value, bottom.value))


def _plain_fraction(cursor: Cursor) -> tuple[Token, Token, int] | None:
    r"""The numerals of ``\frac{1}{2}``, ``\frac12`` or ``\frac1{2}``, and the tokens it takes."""
    found: list[Token] = []
    at = 1
    while len(found) < 2:
        token = cursor.ahead(at)
        if token.text == "{" and cursor.ahead(at + 2).text == "}":
            found.append(cursor.ahead(at + 1))
            at += 3
        elif (
            token.kind is Kind.NUMBER
            and not found
            and len(token.text) == 2
            and token.text.isdigit()
        ):
            pair = [
                Token(Kind.NUMBER, digit, token.start, token.end, False, Fraction(int(digit)))
                for digit in token.text
            ]
            return pair[0], pair[1], at + 1
        elif token.kind is Kind.NUMBER and len(token.text) == 1:
            found.append(token)
            at += 1
        else:
            return None
    return found[0], found[1], at


def plain_number(token: Token) -> Node:
    """A numeral by itself."""
    return Number(token.value, token.places)
