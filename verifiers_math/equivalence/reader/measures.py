r"""Units, temperature scales and bases behind a value."""

from __future__ import annotations

from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.numerals import base_at
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import Degrees, InBase, Node, Number, Percent, WithUnit
from verifiers_math.equivalence.units import read_unit


def temperature(cursor: Cursor, node: Node) -> Node | None:
    r"""``25^\circ C``: the temperature scale behind the sign."""
    scale = _SCALES.get(cursor.token.text.strip())
    if scale is None or cursor.ahead().text in ("=", "^", "_"):
        return None
    cursor.next()
    return WithUnit(node, f"\\text{{ {scale}}}")


_SCALES = {"C": "celsius", "F": "fahrenheit"}


def based(cursor: Cursor, node: Number) -> Node:
    """``(1010)_2``: a base behind parentheses."""
    base = base_at(cursor, 0)
    if base is None or node.value < 0 or node.value.denominator > 1:
        raise ReadError("a subscript stands behind a number")
    digits = str(node.value)
    if any(int(digit) >= base[0] for digit in digits):
        raise ReadError("a digit is too large for its base")
    cursor.at += base[1]
    return InBase(digits, base[0])


_UNIT_ENDS = frozenset(
    {",", ";", ")", "]", "}", "\\}", "=", "<", ">", "\\le", "\\ge", "\\approx", "&"}
)
_MAX_UNIT_TOKENS = 12


def unit_ahead(cursor: Cursor) -> tuple[str, int] | None:
    """The text of a unit that stands from here to the end of the item, and its tokens."""
    token = cursor.token
    starts = token.kind in (Kind.TEXT, Kind.WORD) or token.text in ("min", "sec", "deg")
    if not starts and not (token.kind is Kind.LETTER and token.spaced and _lone_numeral(cursor)):
        return None
    length = 0
    while length <= _MAX_UNIT_TOKENS:
        ahead = cursor.ahead(length) if length else token
        closing = ahead.text in _UNIT_ENDS and not (ahead.text == "}" and _opened(cursor, length))
        if ahead.kind is Kind.END or closing or ahead.text in cursor.stops or _joins(ahead):
            break
        length += 1
    if not 0 < length <= _MAX_UNIT_TOKENS:
        return None
    text = _flat(cursor, length)
    return (text, length) if read_unit(" " + text) is not None else None


def _flat(cursor: Cursor, length: int) -> str:
    r"""The text of a unit without braces inside its upright parts: ``\text{m/s^{2}}``."""
    pieces: list[str] = []
    for at in range(length):
        token = cursor.ahead(at)
        text = f"\\text{{{token.text}}}" if token.kind is Kind.TEXT else token.text
        if text == "*":  # units multiply without a sign
            text = " "
        pieces.append(" " + text if token.spaced and at else text)
    return "".join(pieces).rstrip()


_ITEM_STARTS = frozenset(
    {",", ";", "=", "-", "+", "\\approx", "\\le", "\\ge", "<", ">", "and", "or"}
)


def _lone_numeral(cursor: Cursor) -> bool:
    """Whether all that stands before, in this item, is a numeral: only then is a letter a unit."""
    before = cursor.tokens[cursor.at - 1]
    if before.kind is not Kind.NUMBER:
        return False
    return cursor.at == 1 or cursor.tokens[cursor.at - 2].text in _ITEM_STARTS


def _opened(cursor: Cursor, length: int) -> bool:
    """Whether a closing brace belongs to the exponent of a unit."""
    inside = [cursor.ahead(at).text for at in range(1, length)]
    return inside.count("{") > inside.count("}")


def _joins(token: Token) -> bool:
    return token.kind is Kind.WORD and token.text in ("and", "or")


def with_unit(node: Node, text: str) -> Node:
    """A value with the unit behind it; degrees and percent have nodes of their own."""
    unit = read_unit(" " + text)
    if unit is not None and unit.label in ("degree^1", "deg^1"):
        return Degrees(node)
    if unit is not None and unit.label in ("percent^1", "cent^-1"):
        return Percent(node)
    return WithUnit(node, text)
