"""A place in a list of tokens, and what the parts of the grammar ask of each other."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol

from verifiers_math.equivalence.reader.limits import MAX_DEPTH
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import Node

OPEN_BAR, CLOSE_BAR = "\ue000", "\ue001"
r"""What ``\left|`` and ``\right|`` are read as: bars that say which side they are."""

CLOSERS = frozenset({")", "]", "}", "\\}", "\\rangle", "\\rfloor", "\\rceil", "\\end", CLOSE_BAR})
"""What ends whatever stands inside brackets."""


class Grammar(Protocol):
    """The entrances of the grammar."""

    def expression(self, cursor: Cursor, power: int = 0) -> Node:
        """Reads one value; stops before an operator that binds less than ``power``."""
        ...

    def statement(self, cursor: Cursor) -> Node:
        """Reads a list of relations, up to a closing bracket or the end."""
        ...

    def relation(self, cursor: Cursor) -> Node:
        """Reads one item of a list."""
        ...

    def atom(self, cursor: Cursor) -> Node:
        """Reads what begins at this place, without what follows."""
        ...

    def factor(self, cursor: Cursor) -> Node:
        """Reads a value with its powers and the signs behind it."""
        ...

    def exponent(self, cursor: Cursor) -> Node:
        """Reads what is raised."""
        ...

    def argument(self, cursor: Cursor) -> Node:
        """Reads one argument of a command."""
        ...

    def continues_argument(self, cursor: Cursor, factors: list[Node]) -> bool:
        """Whether another factor belongs to an argument without brackets."""
        ...


class Cursor:
    """Walks the tokens of one text.

    Args:
        text: The tidied text.
        tokens: Its tokens, an end token last.
        grammar: What reads nested expressions and statements.
    """

    __slots__ = ("_depth", "at", "grammar", "stops", "text", "tokens")

    def __init__(self, text: str, tokens: list[Token], grammar: Grammar) -> None:
        self.text = text
        self.tokens = tokens
        self.grammar = grammar
        self.at = 0
        self.stops: frozenset[str] = frozenset()
        self._depth = 0

    @property
    def token(self) -> Token:
        """The token at this place."""
        return self.tokens[self.at]

    def ahead(self, count: int = 1) -> Token:
        """A token further on; the end token beyond the last."""
        return self.tokens[min(self.at + count, len(self.tokens) - 1)]

    def sees(self, *texts: str) -> bool:
        """Whether one of these signs, commands or words stands here."""
        token = self.tokens[self.at]
        return token.text in texts and token.kind in _LITERAL

    def sees_any(self, texts: Container[str]) -> bool:
        """Whether one of many signs, commands or words stands here."""
        token = self.tokens[self.at]
        return token.text in texts and token.kind in _LITERAL

    def at_usual_end(self) -> bool:
        """Whether a value surely ends here: with the text, a closing bracket, or a comma.

        Most values do, and then nothing has to be tried that could follow one.
        """
        token = self.tokens[self.at]
        return token.text in _USUAL_ENDS and token.kind in _ENDING

    def next(self) -> Token:
        """Takes the token at this place; the end token is never passed."""
        token = self.tokens[self.at]
        if token.kind is not Kind.END:
            self.at += 1
        return token

    def take(self, *texts: str) -> bool:
        """Takes the token if it is one of these."""
        token = self.tokens[self.at]
        if token.text in texts and token.kind in _LITERAL:
            self.at += 1
            return True
        return False

    def expect(self, *texts: str) -> Token:
        """Takes one of these tokens.

        Raises:
            ReadError: Something else stands here.
        """
        if not self.sees(*texts):
            raise ReadError(f"expected {' or '.join(texts)} at {self.token.text!r}")
        return self.next()

    def expression(self, power: int = 0) -> Node:
        """Reads a nested value.

        Raises:
            ReadError: It cannot be read, or is nested too deep.
        """
        return self.grammar.expression(self, power)

    def statement(self, stops: frozenset[str] = frozenset()) -> Node:
        """Reads what stands inside brackets.

        Args:
            stops: Signs that end it, besides closing brackets: the second bar of ``|x|``.

        Raises:
            ReadError: It cannot be read, or is nested too deep.
        """
        outer, self.stops = self.stops, stops
        node = self.grammar.statement(self)
        self.stops = outer
        return node

    def enter(self) -> None:
        """Goes one level deeper; whoever reads recursively calls this, and `leave` behind it.

        Raises:
            ReadError: The text is nested too deep.
        """
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ReadError(f"nested deeper than {MAX_DEPTH} levels")

    def leave(self) -> None:
        """Comes back from a level."""
        self._depth -= 1


_USUAL_ENDS = frozenset(("", ")", "}", "\\}", "]", ","))
_ENDING = frozenset((Kind.END, Kind.SIGN, Kind.COMMAND))
_LITERAL = frozenset({Kind.SIGN, Kind.COMMAND, Kind.WORD})
