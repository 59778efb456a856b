r"""Plain mathematics as LaTeX, for an algebra system that reads LaTeX alone.

``sin^2(x)``, ``sqrt(2)/2``, ``pi/4``, ``2*x**2`` and ``√3`` are what models write outside LaTeX.
"""

from __future__ import annotations

import re

from verifiers_math.equivalence.normalize import tidy

_FUNCTIONS = (
    "arcsin arccos arctan sinh cosh tanh sin cos tan cot sec csc log ln exp max min "
    "pi alpha beta gamma delta theta lambda mu sigma omega phi infty"
).split()
_PLAIN = re.compile(rf"(?<![\\A-Za-z])({'|'.join(_FUNCTIONS)})(?![A-Za-z])")
_INVERSE = re.compile(r"(?<![\\A-Za-z])a(sin|cos|tan)(?![A-Za-z])")
_INFINITY = re.compile(r"(?<![\\A-Za-z])(?:inf|infinity|oo)(?![A-Za-z])")
_ROOT_SIGN = re.compile(r"\u221a\s?(\d+|[A-Za-z])")
_ROOT = re.compile(r"(?<![A-Za-z])(?:\\?sqrt|\u221a)\s?\(")
_EXPONENT = re.compile(r"\^\s?\(")
_GROUP = re.compile(r"[()]")


def to_latex(text: str) -> str:
    r"""Returns an answer as LaTeX, with one spelling for each command.

    Examples:
        >>> to_latex("sqrt(3)/2")
        '\\sqrt{3}/2'
        >>> to_latex("sin^2(x)")
        '\\sin^2(x)'
    """
    text = tidy(text).replace("**", "^")
    text = _INFINITY.sub(r"\\infty", _INVERSE.sub(r"\\arc\1", _PLAIN.sub(r"\\\1", text)))
    text = _ROOT_SIGN.sub(r"\\sqrt{\1}", text)
    text = _braced(text, _ROOT, r"\sqrt")
    return _braced(text, _EXPONENT, "^")


def _braced(text: str, opening: re.Pattern[str], command: str) -> str:
    """Turns ``command(…)`` into ``command{…}``; one pass, each parenthesis is looked at once."""
    starts = {match.end() - 1: match.start() for match in opening.finditer(text)}
    if not starts:
        return text
    pairs = _matching(text, starts)
    pieces, done = [], 0
    for at, (begin, replacement) in sorted(_edits(pairs, starts, command).items()):
        pieces += [text[done:begin], replacement]
        done = at + 1
    return "".join([*pieces, text[done:]])


def _matching(text: str, starts: dict[int, int]) -> list[tuple[int, int]]:
    """The parentheses that open at one of ``starts``, each with the one that closes it."""
    stack: list[int] = []
    pairs = []
    for match in _GROUP.finditer(text):
        if match[0] == "(":
            stack.append(match.start())
        elif stack:
            opened = stack.pop()
            if opened in starts:
                pairs.append((opened, match.start()))
    return pairs


def _edits(
    pairs: list[tuple[int, int]], starts: dict[int, int], command: str
) -> dict[int, tuple[int, str]]:
    """What replaces the text up to and including a place: where it begins, and by what."""
    edits = {}
    for opened, closed in pairs:
        edits[opened] = (starts[opened], f"{command}{{")
        edits[closed] = (closed, "}")
    return edits
