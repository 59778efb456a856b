"""What is found out about a value once, and remembered by the identity of that value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Subject = TypeVar("Subject")
Found = TypeVar("Found")


class ByIdentity(Generic[Subject, Found]):
    """A function whose results are remembered by the identity of its argument.

    The golds of a batch are the same objects for every answer of their group, while hashing a tree
    would cost as much as walking it. What is remembered is kept alive, so that no other object
    takes its identity; all is forgotten at once where there is no room. Safe to use from threads:
    at worst something is found out twice.

    Args:
        find: What is to be remembered.
        room: How many results to keep.
    """

    __slots__ = ("_find", "_known", "_room")

    def __init__(self, find: Callable[[Subject], Found], room: int) -> None:
        self._find = find
        self._room = room
        self._known: dict[int, tuple[Subject, Found]] = {}

    def __call__(self, subject: Subject) -> Found:
        """What is found of this object; looked up where it was asked about before."""
        known = self._known.get(id(subject))
        if known is not None and known[0] is subject:
            return known[1]
        found = self._find(subject)
        if len(self._known) >= self._room:
            self._known.clear()
        self._known[id(subject)] = (subject, found)
        return found
