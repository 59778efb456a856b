r"""The tokenizer: a tidied answer as a list of small tokens, in one pass.

Numerals are read here as exact values (thousands, repeating decimals, scientific notation), runs
of letters are taken apart into functions, names, units and words.
"""

from __future__ import annotations

import re
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from verifiers_math.equivalence.numbers import repeating_decimal
from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.limits import MAX_DIGITS, MAX_TOKENS
from verifiers_math.equivalence.units import SINGLE_LETTERS, is_unit_word


class ReadError(Exception):
    """The text cannot be read; the message says why. Never leaves the reader."""


class Kind(IntEnum):
    """What a token is."""

    NUMBER = 1
    LETTER = 2
    NAME = 3
    FUNCTION = 4
    CONSTANT = 5
    COMMAND = 6
    TEXT = 7
    WORD = 8
    SIGN = 9
    END = 10


_ZERO = Fraction(0)


class Token(NamedTuple):
    r"""One token.

    Attributes:
        kind: What it is.
        text: Its text: a sign, a command with its backslash, a word, the content of ``\text``.
        start: Where it begins in the tidied text.
        end: Where it ends.
        spaced: Whether white space stands before it.
        value: The value of a numeral.
        places: The written decimal places of a decimal numeral; None for an exact one.
    """

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool = False
    value: Fraction = _ZERO
    places: int | None = None


_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<repeating>\d*\.\d*(?:\\overline ?\{\d+\}|\\dot ?\{?\d\}?(?:\d*\\dot ?\{?\d\}?)?|\(\d+\)"
    r"|(?<=\d)\\ldots(?![A-Za-z])|(?<=\d)\.\.\.))"
    r"|(?P<number>[1-9]\d{0,2}(?:,\d{3}){1,99}(?:\.\d+)?(?![\d,])"
    r"|[1-9]\d{0,2}(?: \d{3}){1,99}(?:\.\d+)?(?!\d)|[1-9]\d{0,2}(?:_\d{3}){1,99}(?!\d)"
    r"|[1-9]\d{0,2}(?:\.\d{3}){1,99},\d+(?![\d,]|\.\d)|[1-9]\d{0,2}(?:\.\d{3}){2,99}(?![\d.])"
    r"|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+(?![\dA-Za-z.]))?)"
    r"|(?P<text>\\text ?\{(?P<content>(?:[^{}]++|\{[^{}]*+\})*+)\})"
    r"|(?P<rows>\\\\(?: ?\[ ?-?[\d.]+ ?(?:pt|ex|em|mm|cm|in|mu) ?\])?)"
    r"|(?P<command>\\not ?=|\\[A-Za-z]+|\\.)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<sign>\*\*|<=|>=|=<|=/=|(?<![\d)])!=(?!=)|==|:=|<>|\.\.\.|.)",
    re.DOTALL,
)


def tokenize(text: str) -> tuple[str, list[Token]]:
    r"""Takes a tidied text apart.

    Returns:
        The text (upright numbers stand free in it: ``\text{5 and 7}``), and its tokens, an end
        token behind them.

    Raises:
        ReadError: The text has too many tokens, or a numeral too many digits.
    """
    text = _UPRIGHT_NUMBERS.sub(r" \1 ", text)
    tokens: list[Token] = []
    brackets: list[bool] = []  # of each open bracket, whether commas separate items inside
    spaced = False
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            spaced = True
            continue
        found = match[0]
        if kind == "sign":
            if found in _BRACKETS:
                _follow(brackets, found, tokens)
            tokens.append(Token(Kind.SIGN, found, *match.span(), spaced))
        elif kind == "number":
            if "," in found and any(brackets[-1:]):
                tokens.extend(_items(found, match.start(), spaced))
            else:
                tokens.append(_number(found, *match.span(), spaced))
        elif kind == "word":
            tokens.extend(_letters(match, spaced))
        else:
            if found in _BRACKETS:
                _follow(brackets, found, tokens)
            tokens.append(_make(kind, match, spaced))
        spaced = False
        if len(tokens) > MAX_TOKENS:
            raise ReadError(f"more than {MAX_TOKENS} tokens")
    tokens.append(Token(Kind.END, "", len(text), len(text), spaced))
    return text, tokens


_UPRIGHT_NUMBERS = re.compile(
    r"\\text ?\{((?=[^{}\d]*\d)[\s\d.,;+/-]++(?:(?:and|or|to)[\s\d.,;+/-]++)*+)\}"
)
"""Upright text that is numbers after all: ``\\text{5 and 7}``."""


_BRACKETS = frozenset(("(", "[", "\\{", "{", ")", "]", "\\}", "}"))


def _follow(brackets: list[bool], text: str, tokens: list[Token]) -> None:
    r"""Keeps account of the open brackets: ``(1,234)`` is a pair, ``\frac{1,234}{5}`` is none."""
    if text in ("(", "[", "\\{"):
        brackets.append(True)
    elif text == "{":
        before = tokens[-1] if tokens else None
        is_argument = before is not None and (
            before.kind in (Kind.COMMAND, Kind.FUNCTION) or before.text in ("}", "^", "_", "]")
        )
        brackets.append(not is_argument)
    elif text in (")", "]", "\\}", "}") and brackets:
        brackets.pop()


_ITEM = re.compile(r"[\d.]+|,")


def _items(text: str, start: int, spaced: bool) -> list[Token]:
    """``1,234`` where a comma separates items: two numerals, not one."""
    tokens: list[Token] = []
    for match in _ITEM.finditer(text):
        at, end = start + match.start(), start + match.end()
        if match[0] == ",":
            tokens.append(Token(Kind.SIGN, ",", at, end))
        else:
            tokens.append(_number(match[0], at, end, spaced and not tokens))
    return tokens


def _make(kind: str | None, match: re.Match[str], spaced: bool) -> Token:
    """The token of a command, of upright text, or of a decimal that repeats."""
    if kind == "command":
        return _command(match, spaced)
    start, end = match.span()
    if kind == "repeating":
        return _repeating(match[0], start, end, spaced)
    if kind == "rows":
        return Token(Kind.COMMAND, "\\\\", start, end, spaced)
    return _upright(match["content"], start, end, spaced)


# --- numerals ----------------------------------------------------------------------------------

_SMALL_DIGITS = 6
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")


@lru_cache(maxsize=2048)
def _small(text: str) -> Fraction:
    return Fraction(int(text))


def _number(text: str, start: int, end: int, spaced: bool) -> Token:
    if end - start < _SMALL_DIGITS and text.isdigit():
        return Token(Kind.NUMBER, text, start, end, spaced, _small(text))
    if end - start > MAX_DIGITS:
        raise ReadError(f"a numeral of more than {MAX_DIGITS} digits")
    plain = text
    if _EUROPEAN.fullmatch(text):
        plain = text.replace(".", "").replace(",", ".")
    plain = plain.replace(",", "").replace(" ", "").replace("_", "")
    mantissa, _, exponent = plain.lower().partition("e")
    whole, point, decimals = mantissa.partition(".")
    value = Fraction(int((whole + decimals) or "0"), 10 ** len(decimals))
    places = len(decimals) if point and decimals else None
    if exponent:
        power = int(exponent)
        if abs(power) > MAX_DIGITS:
            raise ReadError("a numeral with a huge exponent")
        value *= Fraction(10) ** power
        places = None if places is None or places <= power else places - power
    return Token(Kind.NUMBER, text, start, end, spaced, value, places)


def _repeating(text: str, start: int, end: int, spaced: bool) -> Token:
    value = repeating_decimal(text)
    if value is None:
        raise ReadError("a decimal with an ellipsis and no period")
    return Token(Kind.NUMBER, text, start, end, spaced, value)


# --- words -------------------------------------------------------------------------------------


def _upright(content: str, start: int, end: int, spaced: bool) -> Token:
    """Upright text: a function, a sign, a letter, a connective, or words."""
    inner = content.strip()
    if inner in words.FUNCTIONS:
        return Token(Kind.FUNCTION, words.FUNCTIONS[inner], start, end, spaced)
    if inner in words.UPRIGHT_OPERATORS or inner in ("bmod", "pmod"):
        return Token(Kind.COMMAND, "\\" + inner, start, end, spaced)
    if inner == "\\%":
        return Token(Kind.COMMAND, inner, start, end, spaced)
    if inner == "mod":
        return Token(Kind.COMMAND, "\\bmod", start, end, spaced)
    if inner in _UPRIGHT_SIGNS:
        return Token(Kind.SIGN, inner, start, end, spaced)
    if len(inner) == 1 and inner.islower() and inner not in SINGLE_LETTERS:
        return Token(Kind.LETTER, inner, start, end, spaced)
    connective = inner.strip(" ,;").lower()
    if connective in _CONNECTIVES:
        return Token(Kind.WORD, connective, start, end, spaced)
    return Token(Kind.TEXT, content.replace("{", "").replace("}", ""), start, end, spaced)


_UPRIGHT_SIGNS = frozenset(",;:=+-*/()[]|<>!'")


def _command(match: re.Match[str], spaced: bool) -> Token:
    text = match[0].replace(" ", "")
    name, start, end = text[1:], match.start(), match.end()
    if name in words.FUNCTIONS and not (name in words.LIST_FUNCTIONS and _has_limit(match)):
        return Token(Kind.FUNCTION, words.FUNCTIONS[name], start, end, spaced)
    if name in ("pi", "infty", "infinity"):
        return Token(Kind.CONSTANT, words.CONSTANTS[name], start, end, spaced)
    if name in words.GREEK:
        return Token(Kind.NAME, words.SAME_LETTER.get(name, name), start, end, spaced)
    if name in words.UNIONS and not _has_limit(match):
        return Token(Kind.COMMAND, words.UNIONS[name], start, end, spaced)
    return Token(Kind.COMMAND, text, start, end, spaced)


_LIMIT = re.compile(r"\s*_")


def _has_limit(match: re.Match[str]) -> bool:
    r"""Whether a command has a range below it: ``\max_{x}``, ``\bigcup_{k}``."""
    return _LIMIT.match(match.string, match.end()) is not None


_BEFORE_SET = re.compile(r"(?<![A-Za-z\d] )(?<![A-Za-z\\\d])[A-Za-z] \Z")
"""A letter before ``in``, as in ``x in (2, 5]``; behind a number it may be a unit."""
_CONNECTIVES = frozenset({"and", "or", "to"})
_ARGUMENT = re.compile(r"\s*[({\[_^\\]")
_SPELLED_COMMANDS = {"mod": "\\bmod", "binom": "\\binom", "frac": "\\frac", "union": "\\cup"}


def _letters(match: re.Match[str], spaced: bool) -> list[Token]:
    """A run of letters: a function, a constant, a unit, a name of capitals, a word, or letters."""
    run, start, end = match[0], match.start(), match.end()
    if len(run) == 1:
        return [Token(Kind.LETTER, run, start, end, spaced)]
    follows = _ARGUMENT.match(match.string, end) is not None
    if run in words.FUNCTIONS and (follows or run not in words.PROSE_FUNCTIONS):
        return [Token(Kind.FUNCTION, words.FUNCTIONS[run], start, end, spaced)]
    if run in words.NAMED_CALLS and match.string[end : end + 1] in ("(", "["):
        return [Token(Kind.TEXT, run, start, end, spaced)]
    if run in words.CONSTANTS:
        return [Token(Kind.CONSTANT, words.CONSTANTS[run], start, end, spaced)]
    if run == "in" and _BEFORE_SET.search(match.string, max(start - 3, 0), start) and follows:
        return [Token(Kind.COMMAND, "\\in", start, end, spaced)]
    if run in words.SHORT_CONSTRUCTORS and match.string.startswith("(", end):
        return [Token(Kind.WORD, run, start, end, spaced)]
    if run in words.GREEK_WORDS:
        return [Token(Kind.NAME, words.SAME_LETTER.get(run, run), start, end, spaced)]
    if run == "sqrt":
        return [Token(Kind.SIGN, "\u221a", start, end, spaced)]
    if run == "cbrt":
        return [Token(Kind.SIGN, "\u221b", start, end, spaced)]
    if run in words.OPERATORS and follows:
        return [Token(Kind.COMMAND, "\\" + run, start, end, spaced)]
    if run in _SPELLED_COMMANDS:
        return [Token(Kind.COMMAND, _SPELLED_COMMANDS[run], start, end, spaced)]
    if run.isupper() and run.lower() not in _SHOUTED:
        return [Token(Kind.NAME, run, start, end, spaced)]
    if len(run) == 2 and _stands_in_formula(match):
        return _taken_apart(run, start, spaced)
    if run in _CONNECTIVES or run == "pct" or is_unit_word(run):
        return [Token(Kind.WORD, run, start, end, spaced)]
    pieces = _taken_apart(run, start, spaced)
    return [Token(Kind.WORD, run, start, end, spaced)] if _is_word(run, pieces) else pieces


_BEFORE_FACTOR = re.compile(r"(?:[-+*/=^{]|\\(?:sin|cos|tan|ln|log|exp))\s*\Z")
_BEHIND_FACTOR = re.compile(r"[_^]|\s*(?:[+*/=]|\\?(?:sin|cos|tan|sqrt|frac)(?![A-Za-z]))")
_SENTENCE_GOES_ON = re.compile(r"\s[A-Za-z]{2}")
_LOOK_BEHIND = 8
_LENGTHS = frozenset("in ft cm mm km dm yd mi".split())


def _stands_in_formula(match: re.Match[str]) -> bool:
    r"""Whether two letters that may be a word or a unit are factors: ``ax + by``, ``mg\sin x``.

    Behind a number a unit stays one; only lengths are squared.
    """
    run, text, (start, end) = match[0], match.string, match.span()
    is_unit = is_unit_word(run)
    if not is_unit and run.lower() not in _SHORT_WORDS and run.lower() not in words.REMARK_WORDS:
        return False
    before = text[max(start - _LOOK_BEHIND, 0) : start]
    opens = before[-1:] == "(" and text[end : end + 1] == ")"
    if _BEFORE_FACTOR.search(before) and not _SENTENCE_GOES_ON.match(text, end):
        opens = True
    behind = _BEHIND_FACTOR.match(text, end)
    if not is_unit:
        return opens or behind is not None or before[-1:].isdigit()
    raised = behind is not None and behind[0] == "^" and run not in _LENGTHS
    return opens or raised or (not before.strip() and behind is not None)


_SHOUTED = frozenset("yes true false even odd none all".split())
"""Words that may stand in capitals; other capitals are names."""


def _is_word(run: str, pieces: list[Token]) -> bool:
    """Whether a run of letters is a word, and not a product of letters or a function with one."""
    if run.lower() in words.REMARK_WORDS:
        return True
    if pieces[0].kind is Kind.FUNCTION and len(run) <= len(pieces[0].text) + 2:
        return False
    return (len(run) >= 4 or run.lower() in _SHORT_WORDS) and not _is_formula(pieces)


def _is_formula(pieces: list[Token]) -> bool:
    """Whether functions and single letters take turns: ``xsinx``, ``sinxcosx``."""
    kinds = [piece.kind for piece in pieces]
    if pieces[0].text in _FACTORS:
        kinds = kinds[1:]
    return (
        len(kinds) > 1
        and all((kind is Kind.FUNCTION) == (at % 2 == 0) for at, kind in enumerate(kinds))
        and len(kinds) % 2 == 0
    )


_FACTORS = frozenset("xyzt")
_SHORT_WORDS = frozenset(
    (
        "yes no odd all one two six ten any not the has is are of at by on in an be it nan per off "
        "out sum max min arg"
    ).split()
)


def _taken_apart(run: str, start: int, spaced: bool) -> list[Token]:
    """``sinx`` as ``sin x``, ``xy`` as ``x y``, ``pix`` as ``pi x``."""
    tokens: list[Token] = []
    at = 0
    while at < len(run):
        name = next((it for it in words.SHORT_FUNCTIONS if run.startswith(it, at)), None)
        if name is not None:
            piece = Token(Kind.FUNCTION, name, start + at, start + at + len(name), spaced)
        elif run.startswith("pi", at):
            piece = Token(Kind.CONSTANT, "pi", start + at, start + at + 2, spaced)
        elif greek := next((it for it in _LONG_GREEK if run.startswith(it, at)), None):
            piece = Token(Kind.NAME, greek, start + at, start + at + len(greek), spaced)
        else:
            piece = Token(Kind.LETTER, run[at], start + at, start + at + 1, spaced)
        tokens.append(piece)
        at = piece.end - start
        spaced = False
    return tokens


_LONG_GREEK = ("theta", "alpha", "beta", "gamma", "omega", "lambda")
