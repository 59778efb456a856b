r"""What can begin a value: numerals, letters, functions, brackets, commands with arguments."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.arguments import argument, subscript, subscript_and_primes
from verifiers_math.equivalence.reader.brackets import (
    angle,
    bars,
    braces,
    ceiling,
    environment,
    floor,
    parentheses,
    set_braces,
)
from verifiers_math.equivalence.reader.cursor import CLOSERS, Cursor
from verifiers_math.equivalence.reader.functions import function_call, known_apply
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Ellipsis,
    InBase,
    Matrix,
    NamedSet,
    Negative,
    Node,
    Number,
    Operator,
    PlusMinus,
    Product,
    Quotient,
    Symbol,
    WithUnit,
    Words,
)

SIGN_POWER = 21
"""How tightly a sign binds what follows: ``-2x`` is ``-(2x)``, ``-x^2`` is ``-(x^2)``."""

Atom = Callable[[Cursor, Token], Node]


def atom(cursor: Cursor) -> Node:
    """Reads what begins at this place.

    Raises:
        ReadError: Nothing that begins a value stands here.
    """
    token = cursor.next()
    reader = _BY_KIND.get(token.kind)
    if reader is None and token.kind in (Kind.SIGN, Kind.COMMAND, Kind.WORD):
        reader = _BY_TEXT.get(token.text)
    if reader is None and token.kind is Kind.COMMAND:
        reader = _other_command
    if reader is None:
        raise ReadError(f"a value cannot begin with {token.text!r}")
    return reader(cursor, token)


def begins_value(token: Token) -> bool:
    """Whether a token begins a value, so that it is a factor of the value before it."""
    if token.kind in _BY_KIND:
        return token.kind not in (Kind.TEXT, Kind.WORD, Kind.NUMBER)
    if token.kind is Kind.COMMAND:
        return token.text not in _NO_FACTOR and token.text not in words.RELATIONS
    return token.kind is Kind.SIGN and token.text in ("(", "{", "[", "|", "\u221a")


_NO_FACTOR = frozenset(
    {
        *words.SET_OPERATIONS,
        *words.SEPARATORS,
        *CLOSERS,
        "\\pm",
        "\\mp",
        "\\bmod",
        "\\pmod",
        "\\%",
        "\\circ",
        "\\prime",
        "\\Rightarrow",
        "\\Leftrightarrow",
        "\\ldots",
        "\\{",
        "\\mod",
        "\\choose",
        "\\over",
        "\\$",
        "\\euro",
        "\\pounds",
    }
)


# --- numerals ----------------------------------------------------------------------------------


def _number(cursor: Cursor, token: Token) -> Node:
    if token.value.denominator == 1 and token.text.isdigit():
        based = _in_base(cursor, token)
        if based is not None:
            return based
        mixed = _mixed(cursor, token)
        if mixed is not None:
            return mixed
    return Number(token.value, token.places)


def _in_base(cursor: Cursor, token: Token) -> Node | None:
    """``1010_2``: a numeral with a base behind it."""
    if not cursor.sees("_"):
        return None
    braced = cursor.ahead().text == "{"
    base = cursor.ahead(2 if braced else 1)
    if base.kind is Kind.TEXT and base.text.strip().isdigit():
        number = int(base.text)
    elif base.kind is Kind.NUMBER and base.text.isdigit():
        number = int(base.text) if braced else int(base.text[:2])
    else:
        return None
    if not 2 <= number <= 36 or any(int(digit) >= number for digit in token.text):
        return None
    cursor.at += 4 if braced else 2
    return InBase(token.text.lstrip("0") or "0", number)


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


# --- letters -----------------------------------------------------------------------------------


def _letter(cursor: Cursor, token: Token) -> Node:
    name = token.text + subscript_and_primes(cursor)
    applied = known_apply(cursor, token.text, name)
    if applied is not None:
        return applied
    if name == "e":
        return Constant("e")
    return Symbol(name)


def _constant(cursor: Cursor, token: Token) -> Node:
    if cursor.sees("_"):
        return Symbol(token.text + subscript_and_primes(cursor))
    return Constant(token.text)


# --- signs -------------------------------------------------------------------------------------


def _minus(cursor: Cursor, token: Token) -> Node:
    argument = cursor.expression(SIGN_POWER)
    if isinstance(argument, Number):
        return Number(-argument.value, argument.places)
    return Negative(argument)


def _plus(cursor: Cursor, token: Token) -> Node:
    return cursor.expression(SIGN_POWER)


def _plus_minus(cursor: Cursor, token: Token) -> Node:
    return PlusMinus(cursor.expression(SIGN_POWER), inverse=token.text == "\\mp")


# --- commands ----------------------------------------------------------------------------------


def _fraction(cursor: Cursor, token: Token) -> Node:
    top = argument(cursor)
    bottom = argument(cursor)
    if top == Symbol("d") and isinstance(bottom, Product) and bottom.factors[0] == top:
        return _operator(cursor, Token(Kind.COMMAND, "\\derivative", token.start, token.end))
    return Quotient(top, bottom)


def _root(cursor: Cursor, token: Token) -> Node:
    index: Node | None = None
    if token.text == "\\sqrt" and cursor.take("["):
        index = cursor.expression()
        cursor.expect("]")
    if cursor.sees("("):
        cursor.next()
        radicand = parentheses(cursor, token)
    elif token.text == "\u221a" and cursor.token.kind is Kind.NUMBER:
        radicand = atom(cursor)
    else:
        radicand = argument(cursor)
    if index is None or index == Number(Fraction(2)):
        return Call("sqrt", (radicand,))
    return Call("root", (radicand, index))


def _binomial(cursor: Cursor, token: Token) -> Node:
    top = argument(cursor)
    return Call("binom", (top, argument(cursor)))


def _accent(cursor: Cursor, token: Token) -> Node:
    start = cursor.token.start
    argument(cursor)
    inner = cursor.text[start : cursor.tokens[cursor.at - 1].end].strip("{} ")
    return Symbol(f"{token.text[1:]} {inner.replace(' ', '')}" + subscript_and_primes(cursor))


def _blackboard(cursor: Cursor, token: Token) -> Node:
    inner = subscript(cursor)
    if inner not in words.BLACKBOARD:
        return Symbol("mathbb " + inner)
    sign = ""
    while cursor.sees("^", "_") and cursor.ahead(1).text in ("+", "-", "*", "{"):
        cursor.next()
        sign += subscript(cursor)
    return NamedSet(inner + sign)


def _figure(cursor: Cursor, token: Token) -> Node:
    r"""``\angle ABC``: a name."""
    letters = ""
    while cursor.token.kind in (Kind.LETTER, Kind.NAME) and cursor.token.text.isupper():
        letters += cursor.next().text + subscript_and_primes(cursor)
    if not letters:
        raise ReadError("an angle has no name")
    return Symbol(f"{token.text[1:]} {letters}")


def _empty(cursor: Cursor, token: Token) -> Node:
    return NamedSet("empty")


def _ellipsis(cursor: Cursor, token: Token) -> Node:
    return Ellipsis()


def _currency(cursor: Cursor, token: Token) -> Node:
    value = cursor.expression(SIGN_POWER)
    return WithUnit(value, token.text)


def _coloured(cursor: Cursor, token: Token) -> Node:
    r"""``\color{red} x`` and ``\textcolor{red}{x}`` are ``x``."""
    if cursor.sees("{"):
        subscript(cursor)
    return atom(cursor)


def _invisible(cursor: Cursor, token: Token) -> Node:
    return atom(cursor)


def _operator(cursor: Cursor, token: Token) -> Node:
    """A big operator takes the rest of the item it stands in."""
    start = token.start
    depth = 0
    while cursor.token.kind is not Kind.END:
        text = cursor.token.text
        if depth == 0 and (text in CLOSERS or text in ("=", ",", ";", "\\le", "<", ">", "\\ge")):
            break
        depth += (text in ("{", "(", "[", "\\{")) - (text in ("}", ")", "]", "\\}"))
        cursor.next()
    end = cursor.tokens[cursor.at - 1].end
    name = words.OPERATORS.get(token.text[1:], token.text[1:])
    return Operator(name, (), "".join(cursor.text[start:end].split()))


def _other_command(cursor: Cursor, token: Token) -> Node:
    name = token.text[1:]
    if name in words.OPERATORS:
        return _operator(cursor, token)
    if name in words.ACCENTS:
        return _accent(cursor, token)
    if name in words.INVISIBLE or name.endswith("boxed"):
        return _invisible(cursor, token)
    raise ReadError(f"the command {token.text} is not known")


def _text(cursor: Cursor, token: Token) -> Node:
    """Upright text where a value is expected: a symbol of one letter, else words."""
    inner = token.text.strip()
    if len(inner) == 1 and inner.isalpha():
        return _letter(cursor, Token(Kind.LETTER, inner, token.start, token.end, token.spaced))
    return Words(" ".join(inner.split()))


def _word(cursor: Cursor, token: Token) -> Node:
    """Words where a value is expected run on to the end of the item or to a relation."""
    start = token.start
    while cursor.token.kind in (Kind.WORD, Kind.TEXT, Kind.LETTER) and not cursor.sees("and", "or"):
        cursor.next()
    return Words(" ".join(cursor.text[start : cursor.tokens[cursor.at - 1].end].split()))


def _matrix_or_rows(cursor: Cursor, token: Token) -> Node:
    return environment(cursor)


def _plain_bars(cursor: Cursor, token: Token) -> Node:
    inner = bars(cursor, token)
    if isinstance(inner, Matrix):
        return Matrix(inner.rows, determinant=True)
    return Call("abs", (inner,))


_BY_KIND: dict[Kind, Atom] = {
    Kind.NUMBER: _number,
    Kind.LETTER: _letter,
    Kind.NAME: _letter,
    Kind.CONSTANT: _constant,
    Kind.FUNCTION: function_call,
    Kind.TEXT: _text,
    Kind.WORD: _word,
}
_BY_TEXT: dict[str, Atom] = {
    "-": _minus,
    "+": _plus,
    "\\pm": _plus_minus,
    "\\mp": _plus_minus,
    "(": parentheses,
    "[": parentheses,
    "]": parentheses,
    "{": braces,
    "\\{": set_braces,
    "\\langle": angle,
    "\\lfloor": floor,
    "\\lceil": ceiling,
    "|": _plain_bars,
    "\\|": _plain_bars,
    "\\begin": _matrix_or_rows,
    "\\frac": _fraction,
    "\\sqrt": _root,
    "\u221a": _root,
    "\\binom": _binomial,
    "\\mathbb": _blackboard,
    "\\emptyset": _empty,
    "\\angle": _figure,
    "\\triangle": _figure,
    "\\ldots": _ellipsis,
    "...": _ellipsis,
    "\\$": _currency,
    "\\euro": _currency,
    "\\pounds": _currency,
    "£": _currency,
    "¥": _currency,
    "₹": _currency,
    "\\color": _coloured,
    "\\textcolor": _coloured,
}
