r"""What follows, as far as it decides how a token is meant; each look is bounded."""

from __future__ import annotations

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.atoms import begins_value
from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind, Token
from verifiers_math.equivalence.reader.tree import Call, Node, Number, Power, Product, Sum, Symbol


def opens_again(cursor: Cursor) -> bool:
    """Whether a bar opens inside bars: ``|2|x| - 3|``, where ``|2|`` makes no sense."""
    before = cursor.tokens[max(cursor.at - 2, 0) : cursor.at]
    if cursor.token.text != "|" or [token.text == "|" for token in before] != [True, False]:
        return False
    if before[1].kind is not Kind.NUMBER or cursor.ahead().kind is not Kind.LETTER:
        return False
    ahead = cursor.tokens[cursor.at + 1 : cursor.at + _LOOK_AHEAD]
    return sum(token.text == "|" for token in ahead) > 1


_LOOK_AHEAD = 40


def goes_on(cursor: Cursor) -> bool:
    r"""Whether dots stand inside a product: ``a_1 a_2 \cdots a_n``, not ``1, 2, 3 \ldots``."""
    behind = cursor.ahead()
    return behind.text == "*" or behind.kind is Kind.NUMBER or begins_value(behind)


def is_remark(cursor: Cursor) -> bool:
    """Whether parentheses with words follow: ``4 (for x > 0)``."""
    return cursor.ahead().text.strip().lower().split(" ")[0] in words.REMARK_WORDS


def closes_interval(behind: Token) -> bool:
    r"""Whether a bracket that looks open closes ``[0, 1[``, by what stands behind it."""
    return (
        behind.kind in (Kind.END, Kind.TEXT, Kind.WORD)
        or behind.text in words.SET_OPERATIONS
        or behind.text in (",", ";", ")", "}", "\\}", "U")
    )


def begins_item(cursor: Cursor) -> bool:
    r"""Whether another item follows without a comma: ``x = 1 y = 2``, ``2k (k \in \mathbb{Z})``."""
    return begins_assignment(cursor) or (cursor.sees("(") and condition_sign(cursor) == "\\in")


def condition_sign(cursor: Cursor) -> str | None:
    """The sign of the relation in parentheses, which are then a condition and no factor."""
    depth = 0
    for at in range(_MAX_CONDITION_TOKENS):
        token = cursor.ahead(at)
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 or token.kind is Kind.END:
            return None
        if depth == 1 and token.text in words.RELATIONS:
            return token.text
    return None


_MAX_CONDITION_TOKENS = 12


def begins_assignment(cursor: Cursor) -> bool:
    """Whether a new equation follows behind a space: ``x = 1 y = 2``."""
    token = cursor.token
    if token.kind is not Kind.LETTER or not token.spaced or cursor.ahead().text != "=":
        return False
    before = cursor.tokens[max(cursor.at - 4, 0) : cursor.at]
    return before[-1].kind is Kind.NUMBER and any(it.text == "=" for it in before)


MODULO_SIGNS = ("\\bmod", "\\mod", "\\pmod")


def takes_times(cursor: Cursor) -> bool:
    """Takes the letter of ``1.5 x 10^3``, which is a sign of multiplication."""
    is_times = (
        cursor.token.text == "x"
        and cursor.tokens[cursor.at - 1].kind is Kind.NUMBER
        and cursor.ahead().text == "10"
        and cursor.ahead(2).text in ("^", "**")
    )
    cursor.at += is_times
    return is_times


def takes_numeral(cursor: Cursor, node: Node) -> bool:
    """Whether a numeral is a factor behind a value: ``(n-2)2^n``, ``2^6 3^5``, ``N2^{-N}``."""
    last = node.factors[-1] if isinstance(node, Product) else node
    raised = cursor.ahead().text == "^"
    if isinstance(last, Symbol | Number):
        return raised and isinstance(last, Symbol)
    return raised or (isinstance(last, Sum | Call | Power) and not cursor.token.spaced)
