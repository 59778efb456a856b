"""LaTeX, ASCII and Unicode mathematics as a small tree of frozen nodes.

`read` never raises and never evaluates anything; what it cannot read it says so, in words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.reader.cursor import CLOSE_BAR, OPEN_BAR, Cursor
from verifiers_math.equivalence.reader.grammar import MathGrammar
from verifiers_math.equivalence.reader.limits import MAX_CHARS, MAX_TREE_DEPTH
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, tokenize
from verifiers_math.equivalence.reader.tree import Node, depth

__all__ = ["Unreadable", "read"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text could not be read."""

    reason: str


_GRAMMAR = MathGrammar()
MAX_REMEMBERED_CHARS = 300
"""Trees of longer texts are remembered for a short while only."""


def read(text: str) -> Node | Unreadable:
    """Reads an answer.

    Args:
        text: The answer as it was written, without its box.

    Returns:
        The tree, or why there is none.
    """
    if len(text) > MAX_CHARS:
        return Unreadable(f"longer than {MAX_CHARS} characters")
    try:
        return _short(text) if len(text) <= MAX_REMEMBERED_CHARS else _long(text)
    except RecursionError:  # the caller's own stack was nearly full: not to be remembered
        return Unreadable("nested too deep for this stack")


def _read(text: str) -> Node | Unreadable:
    try:
        tidied, tokens = tokenize(tidy(_with_sides(text)))
        cursor = Cursor(tidied.replace(OPEN_BAR, "|").replace(CLOSE_BAR, "|"), tokens, _GRAMMAR)
        node = cursor.statement()
    except ReadError as reason:
        return Unreadable(str(reason))
    if cursor.token.kind is not Kind.END:
        return Unreadable(f"{cursor.text[cursor.token.start :][:20]!r} is left over")
    if depth(node) > MAX_TREE_DEPTH:
        return Unreadable(f"a tree of more than {MAX_TREE_DEPTH} levels")
    return node


_short = lru_cache(maxsize=2048)(_read)
_long = lru_cache(maxsize=64)(_read)

_LEFT_BAR = re.compile(r"\\(?:left|[bB]igg?l)\s*(?:\||\\vert(?![A-Za-z]))|\\lvert(?![A-Za-z])")
_RIGHT_BAR = re.compile(r"\\(?:right|[bB]igg?r)\s*(?:\||\\vert(?![A-Za-z]))|\\rvert(?![A-Za-z])")
_NO_BRACKET = re.compile(r"\\(?:left|right)\s*\.")
_NEXT_FORMULA = re.compile(r"\$\s*\n\s*\$")


def _with_sides(text: str) -> str:
    """Keeps which side a bar stands on, and the line between two formulas, before it is tidied."""
    if "\n" in text:
        text = _NEXT_FORMULA.sub(", ", text)
    if "\\" not in text:
        return text
    text = _NO_BRACKET.sub(" ", text)
    if "|" in text or "vert" in text:
        text = _RIGHT_BAR.sub(CLOSE_BAR, _LEFT_BAR.sub(OPEN_BAR, text))
    return text
