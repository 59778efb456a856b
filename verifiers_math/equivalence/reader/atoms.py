r"""What can begin a value: numerals, letters, functions, brackets, commands with arguments."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.arguments import argument, subscript, subscript_and_primes
from verifiers_math.equivalence.reader.bound_letters import bound_form
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
from verifiers_math.equivalence.reader.calls import applied_to_factor, call_of, chance, known_apply
from verifiers_math.equivalence.reader.cursor import CLOSERS, OPEN_BAR, Cursor
from verifiers_math.equivalence.reader.derivatives import differential, slope
from verifiers_math.equivalence.reader.functions import function_call
from verifiers_math.equivalence.reader.numerals import number, plain_number
from verifiers_math.equivalence.reader.printed import constructed
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Call,
    Constant,
    Ellipsis,
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
        raise ReadError(
            "a value is missing at the end"
            if token.kind is Kind.END
            else f"a value cannot begin with {token.text!r}"
        )
    cursor.enter()
    node = reader(cursor, token)
    cursor.leave()
    return node


def begins_value(token: Token) -> bool:
    """Whether a token begins a value, so that it is a factor of the value before it."""
    if token.kind in _BY_KIND:
        return token.kind not in (Kind.TEXT, Kind.WORD, Kind.NUMBER)
    if token.kind is Kind.COMMAND:
        return token.text not in _NO_FACTOR and token.text not in words.RELATIONS
    return token.kind is Kind.SIGN and token.text in _FACTOR_SIGNS


_ROOTS = {"\u221a": 2, "\u221b": 3, "\u221c": 4}
_FACTOR_SIGNS = frozenset("({[|") | {OPEN_BAR, *_ROOTS}
_NO_FACTOR = frozenset(
    {
        *words.SET_OPERATIONS,
        *words.SEPARATORS,
        *words.IMPLIES,
        *CLOSERS,
        "\\pm",
        "\\mp",
        "\\bmod",
        "\\pmod",
        "\\%",
        "\\circ",
        "\\prime",
        "\\ldots",
        "\\{",
        "\\mod",
        "\\choose",
        "\\over",
        "\\$",
        "\\euro",
        "\\pounds",
        "\\tag",
        "\\cross",
    }
)


# --- letters -----------------------------------------------------------------------------------


def _letter(cursor: Cursor, token: Token) -> Node:
    start = cursor.at - 1
    if token.text == "m" and cursor.sees("\\angle"):  # the measure of an angle
        return atom(cursor)
    if token.text == "d" and (named := slope(cursor)) is not None:
        return named
    name = token.text + (_index(cursor, start) or subscript_and_primes(cursor))
    applied = known_apply(cursor, token.text, name, start)
    if applied is not None:
        return applied
    if name == "e":
        return Constant("e")
    return Symbol(name)


def _index(cursor: Cursor, start: int) -> str:
    """The index of ``x1`` or ``a11``, as plain text writes it; not of ``2x3`` or ``N2^n``."""
    index = cursor.token
    if index.kind is not Kind.NUMBER or index.spaced or not index.text.isdigit():
        return ""
    if len(index.text) > _INDEX_DIGITS or cursor.ahead().text in ("^", "**", "_"):
        return ""
    if start > 0 and cursor.tokens[start - 1].kind in (Kind.NUMBER, Kind.LETTER):
        return ""
    if cursor.tokens[start].text in ("e", "i"):  # an exponent that was lost, not a name
        return ""
    cursor.next()
    return "_" + index.text


_INDEX_DIGITS = 2


def _constant(cursor: Cursor, token: Token) -> Node:
    if cursor.sees("_"):
        return Symbol(token.text + subscript_and_primes(cursor))
    return Constant(token.text)


# --- signs -------------------------------------------------------------------------------------


def _minus(cursor: Cursor, token: Token) -> Node:
    argument = cursor.expression(SIGN_POWER)
    if isinstance(argument, Number):
        return Number(-argument.value, argument.places)
    if isinstance(argument, WithUnit) and isinstance(argument.value, Number):  # -$5
        amount = argument.value
        return WithUnit(Number(-amount.value, amount.places), argument.unit)
    return Negative(argument)


def _plus(cursor: Cursor, token: Token) -> Node:
    return cursor.expression(SIGN_POWER)


def _plus_minus(cursor: Cursor, token: Token) -> Node:
    return PlusMinus(cursor.expression(SIGN_POWER), inverse=token.text == "\\mp")


# --- commands ----------------------------------------------------------------------------------


def _fraction(cursor: Cursor, token: Token) -> Node:
    top = argument(cursor)
    bottom = argument(cursor)
    above = differential(top)
    below = differential(bottom) if above is not None and isinstance(bottom, Product) else None
    if below is None:
        return Quotient(top, bottom)
    if isinstance(top, Product):
        return Symbol(f"{above}/{below}")
    return _operator(cursor, Token(Kind.COMMAND, "\\derivative", token.start, token.end))


def _root(cursor: Cursor, token: Token) -> Node:
    index: Node = Number(Fraction(_ROOTS.get(token.text, 2)))
    if token.text in ("\\sqrt", "\u221a") and cursor.take("["):
        index = cursor.expression()
        cursor.expect("]")
    if cursor.sees("("):
        cursor.next()
        radicand = parentheses(cursor, token)
    elif cursor.token.kind is Kind.NUMBER:  # \sqrt13: nobody means a 3 behind the root of 1
        radicand = plain_number(cursor.next())
    else:
        radicand = argument(cursor)
    if index == Number(Fraction(2)):
        return Call("sqrt", (radicand,))
    return Call("root", (radicand, index))


def _binomial(cursor: Cursor, token: Token) -> Node:
    top = argument(cursor)
    return Call("binom", (top, argument(cursor)))


def _accent(cursor: Cursor, token: Token) -> Node:
    start, braced = cursor.token.start, cursor.sees("{")
    if cursor.token.kind is Kind.NUMBER:
        cursor.next()
    else:
        argument(cursor)
    inner = cursor.text[start : cursor.tokens[cursor.at - 1].end]
    inner = _SPACE.sub(_kept, inner[1:-1] if braced else inner)
    return Symbol(f"{token.text[1:]} {inner}" + subscript_and_primes(cursor))


def _blackboard(cursor: Cursor, token: Token) -> Node:
    inner = subscript(cursor)
    if inner not in words.BLACKBOARD:
        if not inner.isalnum():
            raise ReadError("a blackboard letter is missing")
        name = "mathbb " + inner
        return chance(cursor, name) or Symbol(name + subscript_and_primes(cursor))
    sign = ""
    while cursor.sees("_") or (cursor.sees("^") and _is_sign_of_set(cursor)):
        cursor.next()
        sign += subscript(cursor)
    return NamedSet(inner + words.SETS_OF_SIGN.get(sign, sign))


def _is_sign_of_set(cursor: Cursor) -> bool:
    r"""Whether a raised sign follows: ``\mathbb{R}^+``, but not ``\mathbb{R}^2``."""
    at = 2 if cursor.ahead().text == "{" else 1
    return cursor.ahead(at).text in ("+", "-", "*") and (
        at == 1 or cursor.ahead(at + 1).text == "}"
    )


def _macro_set(cursor: Cursor, token: Token) -> Node:
    return NamedSet(token.text[1:])


def _figure(cursor: Cursor, token: Token) -> Node:
    r"""``\angle ABC`` and ``\angle 1``: a name."""
    letters = ""
    while cursor.token.kind in (Kind.LETTER, Kind.NAME) and cursor.token.text.isupper():
        letters += cursor.next().text + subscript_and_primes(cursor)
    if not letters and cursor.token.kind in (Kind.NUMBER, Kind.LETTER, Kind.NAME):
        letters = cursor.next().text
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


def _combination(cursor: Cursor, token: Token) -> Node:
    """``_5C_2`` and ``^5C_2``, the number of combinations; ``_5P_2``, that of permutations."""
    top = argument(cursor)
    sign = cursor.next().text
    if sign not in ("C", "P") or not cursor.take("_"):
        raise ReadError(f"a value cannot begin with {token.text!r}")
    chosen = argument(cursor)
    return Call("binom", (top, chosen)) if sign == "C" else Apply("P", (top, chosen))


def _nabla(cursor: Cursor, token: Token) -> Node:
    r"""``\nabla f``, ``\nabla \cdot F``, ``\nabla \times F`` and ``\nabla^2 f``."""
    name = _NABLA.get(cursor.token.text, "grad")
    if name == "laplacian" and not (cursor.take("^") and cursor.next().text == "2"):
        raise ReadError("a power of nabla other than its square")
    if name in ("div", "curl"):
        cursor.next()
    return applied_to_factor(cursor, name)


_NABLA = {"*": "div", "\\cross": "curl", "^": "laplacian"}


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
        if depth == 0 and (text in CLOSERS or text in _OPERATOR_ENDS or text in cursor.stops):
            break
        depth += (text in ("{", "(", "[", "\\{")) - (text in ("}", ")", "]", "\\}"))
        cursor.next()
    if depth:
        raise ReadError(f"the brackets behind {token.text} do not match")
    end = cursor.tokens[cursor.at - 1].end
    name = words.OPERATORS.get(token.text[1:], token.text[1:])
    text = _SPACE.sub(_kept, cursor.text[start:end])
    return Operator(name, (), bound_form(text), text)


_SPACE = re.compile(r"(\\[A-Za-z]+ )\s*(?=[A-Za-z])|\s+")


def _kept(space: re.Match[str]) -> str:
    """What stays of white space: a command keeps its distance from a letter."""
    return space[1] or ""


_OPERATOR_ENDS = frozenset(
    {
        *words.IMPLIES,
        *(sign for sign, name in words.RELATIONS.items() if name not in ("to", "maps")),
        *(sign for sign in words.SEPARATORS if sign != "&"),
    }
)


def _other_command(cursor: Cursor, token: Token) -> Node:
    name = token.text[1:]
    if name in words.OPERATORS:
        return _operator(cursor, token)
    if name in words.ACCENTS or (name == "underline" and cursor.tokens[cursor.at - 3].text == "^"):
        return _accent(cursor, token)
    if name in words.INVISIBLE or name.endswith("boxed"):
        return _invisible(cursor, token)
    raise ReadError(f"the command {token.text} is not known")


def _text(cursor: Cursor, token: Token) -> Node:
    """Upright text where a value is expected: a symbol of one letter, a function, else words."""
    inner = token.text.strip()
    if len(inner) == 1 and inner.isalpha():
        return _letter(cursor, Token(Kind.LETTER, inner, token.start, token.end, token.spaced))
    if inner.isalpha() and cursor.sees("(", "[") and not cursor.token.spaced:
        if inner not in words.NAMED_CALLS and cursor.sees("("):
            return _spelled_call(cursor, inner)
        return call_of(cursor, words.NAMED_CALLS.get(inner, inner), given=True)
    if inner in words.NAMED_CALLS and cursor.token.kind in (Kind.LETTER, Kind.NAME):
        return applied_to_factor(cursor, words.NAMED_CALLS[inner])
    return Words(plain(inner))


def _word(cursor: Cursor, token: Token) -> Node:
    """Words where a value is expected run on to the end of the item or to a relation."""
    if cursor.sees("(") and not cursor.token.spaced:
        return _spelled_call(cursor, token.text)
    if token.text in words.MODULES and cursor.take("."):
        return atom(cursor)
    if cursor.sees(".") and not cursor.token.spaced and cursor.ahead(2).text == "(":
        return _method(cursor, token.text)
    text = token.text
    while cursor.token.kind in (Kind.WORD, Kind.TEXT, Kind.LETTER) and not cursor.sees("and", "or"):
        text += " " + cursor.next().text  # "\\text{or }x" are two words
    return Words(plain(text))


def plain(text: str) -> str:
    """Words without LaTeX's signs and needless spaces."""
    return " ".join(text.translate(_NO_LATEX).split())


_NO_LATEX = str.maketrans({"\\": " ", "{": None, "}": None})


def _spelled_call(cursor: Cursor, name: str) -> Node:
    """``print(1)``, ``Fraction(1, 2)``."""
    found = call_of(cursor, name)
    if name == "root" and isinstance(found, Apply) and cursor.sees("("):  # root(3)(x)
        return Call("root", (parentheses(cursor, cursor.next()), *found.arguments))
    built = constructed(name, found.arguments) if isinstance(found, Apply) else None
    return found if built is None else built


def _method(cursor: Cursor, name: str) -> Node:
    """``Interval.open(0, 1)``: a constructor with a name of its own."""
    cursor.next()
    return _spelled_call(cursor, f"{name}.{cursor.next().text}")


def _matrix_or_rows(cursor: Cursor, token: Token) -> Node:
    return environment(cursor)


def _bars(cursor: Cursor, token: Token) -> Node:
    inner = bars(cursor, token)
    if isinstance(inner, Matrix):
        return Matrix(inner.rows, determinant=True)
    return Call("abs", (inner,))


_BY_KIND: dict[Kind, Atom] = {
    Kind.NUMBER: number,
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
    "|": _bars,
    "\\|": _bars,
    OPEN_BAR: _bars,
    "_": _combination,
    "^": _combination,
    **{f"\\{letter}": _macro_set for letter in words.BLACKBOARD},
    "\\begin": _matrix_or_rows,
    "\\frac": _fraction,
    "\\sqrt": _root,
    **dict.fromkeys(_ROOTS, _root),
    "\\binom": _binomial,
    "\\mathbb": _blackboard,
    "\\emptyset": _empty,
    "\\angle": _figure,
    "\\triangle": _figure,
    "\\measuredangle": _figure,
    "\\sphericalangle": _figure,
    "\\ldots": _ellipsis,
    "...": _ellipsis,
    "\\$": _currency,
    "\\euro": _currency,
    "\\pounds": _currency,
    "£": _currency,
    "¥": _currency,
    "₹": _currency,
    "\\nabla": _nabla,
    "\\color": _coloured,
    "\\textcolor": _coloured,
}
