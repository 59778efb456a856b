"""LaTeX, ASCII and Unicode mathematics as a small tree of frozen nodes.

`read` never raises and never evaluates anything; what it cannot read it says so, in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.grammar import MathGrammar
from verifiers_math.equivalence.reader.limits import MAX_CHARS
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, tokenize
from verifiers_math.equivalence.reader.tree import Node

__all__ = ["Unreadable", "read"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text could not be read."""

    reason: str


_GRAMMAR = MathGrammar()


@lru_cache(maxsize=4096)
def read(text: str) -> Node | Unreadable:
    """Reads an answer.

    Args:
        text: The answer as it was written, without its box.

    Returns:
        The tree, or why there is none.
    """
    if len(text) > MAX_CHARS:
        return Unreadable(f"longer than {MAX_CHARS} characters")
    tidied = tidy(text)
    try:
        cursor = Cursor(tidied, tokenize(tidied), _GRAMMAR)
        node = cursor.statement()
    except ReadError as reason:
        return Unreadable(str(reason))
    except RecursionError:  # the caller's own stack was nearly full
        return Unreadable("nested too deep for this stack")
    if cursor.token.kind is not Kind.END:
        return Unreadable(f"{cursor.token.text!r} cannot stand where it does")
    return node
