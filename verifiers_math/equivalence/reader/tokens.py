r"""The tokenizer: a tidied answer as a list of small tokens, in one pass.

Numerals are read here as exact values (thousands, repeating decimals, scientific notation), runs
of letters are taken apart into functions, names, units and words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from verifiers_math.equivalence.numbers import repeating_decimal
from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.limits import MAX_DIGITS, MAX_TOKENS
from verifiers_math.equivalence.units import is_unit_word


class ReadError(Exception):
    """The text cannot be read; the message says why. Never leaves the reader."""


class Kind(Enum):
    """What a token is."""

    NUMBER = "number"
    LETTER = "letter"
    NAME = "name"
    FUNCTION = "function"
    CONSTANT = "constant"
    COMMAND = "command"
    TEXT = "text"
    WORD = "word"
    SIGN = "sign"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
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
    value: Fraction = Fraction(0)
    places: int | None = None


_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<repeating>\d*\.\d*(?:\\overline ?\{\d+\}|\\dot ?\{?\d\}?(?:\d*\\dot ?\{?\d\}?)?|\(\d+\)"
    r"|(?<=\d)\\ldots(?![A-Za-z])|(?<=\d)\.\.\.))"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])"
    r"|\d{1,3}(?: \d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:_\d{3})+(?!\d)"
    r"|\d{1,3}(?:\.\d{3})+,\d+(?![\d,])|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+(?![\dA-Za-z.]))?)"
    r"|(?P<text>\\text ?\{(?P<content>[^{}]*)\})"
    r"|(?P<command>\\not ?=|\\[A-Za-z]+|\\\\|\\.)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<sign>\*\*|<=|>=|=<|=/=|!=(?!=)|==|:=|<>|\.\.\.|.)",
    re.DOTALL,
)


def tokenize(text: str) -> list[Token]:
    """Returns the tokens of a tidied text, with an end token behind them.

    Raises:
        ReadError: The text has too many tokens, or a numeral too many digits.
    """
    tokens: list[Token] = []
    spaced = False
    depth = 0
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:  # the last alternative takes any character
            raise ReadError("a character cannot be read")
        kind = match.lastgroup if match.lastgroup != "content" else "text"
        if kind == "space":
            spaced = True
            at = match.end()
            continue
        if kind == "number" and depth and "," in match[0]:
            match = _PLAIN_NUMBER.match(text, at) or match
        depth += _nesting(match[0])
        if kind == "text" and _holds_numbers(match["content"]):
            text = f"{text[:at]} {match['content']} {text[match.end() :]}"
            continue
        tokens.extend(_make(str(kind), match, spaced))
        spaced = False
        at = match.end()
        if len(tokens) > MAX_TOKENS:
            raise ReadError(f"more than {MAX_TOKENS} tokens")
    tokens.append(Token(Kind.END, "", len(text), len(text), spaced))
    return tokens


_NUMBERS = re.compile(r"[\s\d.,;+/-]*\d[\s\d.,;+/-]*(?:(?:and|or|to)[\s\d.,;+/-]+)*")


def _holds_numbers(content: str) -> bool:
    r"""Whether upright text is numbers after all: ``\text{5 and 7}``."""
    return _NUMBERS.fullmatch(content) is not None


_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def _nesting(text: str) -> int:
    """How a token changes the depth of brackets, inside which a comma separates items."""
    if text in ("(", "[", "\\{", "{"):
        return 1
    return -1 if text in (")", "]", "\\}", "}") else 0


def _make(kind: str, match: re.Match[str], spaced: bool) -> list[Token]:
    start, end = match.span()
    if kind == "number":
        return [_number(match[0], start, end, spaced)]
    if kind == "repeating":
        return [_repeating(match[0], start, end, spaced)]
    if kind == "text":
        return [_upright(match["content"], start, end, spaced)]
    if kind == "word":
        return _letters(match[0], start, spaced)
    if kind == "command":
        return [_command(match[0].replace(" ", ""), start, end, spaced)]
    return [Token(Kind.SIGN, match[0], start, end, spaced)]


# --- numerals ----------------------------------------------------------------------------------

_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+")


def _number(text: str, start: int, end: int, spaced: bool) -> Token:
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
        places = None if places is None else max(places - power, 0)
    return Token(Kind.NUMBER, text, start, end, spaced, value, places)


def _repeating(text: str, start: int, end: int, spaced: bool) -> Token:
    value = repeating_decimal(text)
    if value is None:
        raise ReadError("a decimal with an ellipsis and no period")
    return Token(Kind.NUMBER, text, start, end, spaced, value)


# --- words -------------------------------------------------------------------------------------


def _upright(content: str, start: int, end: int, spaced: bool) -> Token:
    """Upright text: a function, a name of one letter, or words."""
    inner = content.strip()
    if inner in words.FUNCTIONS:
        return Token(Kind.FUNCTION, words.FUNCTIONS[inner], start, end, spaced)
    if inner in words.OPERATORS:
        return Token(Kind.COMMAND, "\\" + inner, start, end, spaced)
    if inner in ("mod", "bmod"):
        return Token(Kind.COMMAND, "\\bmod", start, end, spaced)
    if inner.lower() in _CONNECTIVES:
        return Token(Kind.WORD, inner.lower(), start, end, spaced)
    if inner in (",", ";"):
        return Token(Kind.SIGN, inner, start, end, spaced)
    return Token(Kind.TEXT, content, start, end, spaced)


def _command(text: str, start: int, end: int, spaced: bool) -> Token:
    name = text[1:]
    if name in words.FUNCTIONS:
        return Token(Kind.FUNCTION, words.FUNCTIONS[name], start, end, spaced)
    if name in words.CONSTANTS:
        return Token(Kind.CONSTANT, words.CONSTANTS[name], start, end, spaced)
    if name in words.GREEK:
        return Token(Kind.NAME, words.SAME_LETTER.get(name, name), start, end, spaced)
    return Token(Kind.COMMAND, text, start, end, spaced)


_CONNECTIVES = frozenset({"and", "or", "to"})


def _letters(run: str, start: int, spaced: bool) -> list[Token]:
    """A run of letters: a function, a constant, a unit, a name of capitals, a word, or letters."""
    end = start + len(run)
    if len(run) == 1:
        return [Token(Kind.LETTER, run, start, end, spaced)]
    for table, kind in ((words.FUNCTIONS, Kind.FUNCTION), (words.CONSTANTS, Kind.CONSTANT)):
        if run in table:
            return [Token(kind, table[run], start, end, spaced)]
    if run in words.GREEK_WORDS:
        return [Token(Kind.NAME, words.SAME_LETTER.get(run, run), start, end, spaced)]
    if run in words.OPERATORS or run in ("sqrt", "mod", "binom", "frac"):
        return [Token(Kind.COMMAND, "\\" + run.replace("mod", "bmod"), start, end, spaced)]
    if run in _CONNECTIVES or run == "pct" or is_unit_word(run) or _is_word(run):
        return [Token(Kind.WORD, run, start, end, spaced)]
    if run.isupper():
        return [Token(Kind.NAME, run, start, end, spaced)]
    return _taken_apart(run, start, spaced)


def _is_word(run: str) -> bool:
    """Whether a run of letters is a word, and not a product of letters or a function with one."""
    if run.lower() in words.REMARK_WORDS:
        return True
    if run.startswith(words.SHORT_FUNCTIONS) and len(run) <= _longest_prefix(run) + 2:
        return False
    return len(run) >= 4 or run.lower() in _SHORT_WORDS


_SHORT_WORDS = frozenset(
    (
        "yes no odd all one two six ten any not the is are of at by on in an be it nan per off"
    ).split()
)


def _longest_prefix(run: str) -> int:
    return max(len(name) for name in words.SHORT_FUNCTIONS if run.startswith(name))


def _taken_apart(run: str, start: int, spaced: bool) -> list[Token]:
    """``sinx`` as ``sin x``, ``xy`` as ``x y``, ``pix`` as ``pi x``."""
    tokens: list[Token] = []
    at = 0
    while at < len(run):
        rest = run[at:]
        name = next((name for name in words.SHORT_FUNCTIONS if rest.startswith(name)), None)
        if name is None and rest.startswith("pi"):
            piece = Token(Kind.CONSTANT, "pi", start + at, start + at + 2, spaced)
        elif name is not None:
            piece = Token(Kind.FUNCTION, name, start + at, start + at + len(name), spaced)
        else:
            piece = Token(Kind.LETTER, run[at], start + at, start + at + 1, spaced)
        tokens.append(piece)
        at = piece.end - start
        spaced = False
    return tokens
