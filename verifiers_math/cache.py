"""A thread-safe least-recently-used cache, bounded in entries and in bytes."""

from __future__ import annotations

from collections import OrderedDict
from sys import getsizeof
from threading import Lock
from typing import Generic, TypeVar

Key = tuple[str, str, object]
Value = TypeVar("Value")

ENTRY_BYTES = 400
"""What an entry costs besides its two texts: key, value and table slots."""


class PairCache(Generic[Value]):
    """Remembers what was decided for a pair of texts under a policy.

    Args:
        max_entries: Entries to keep at most; 0 turns the cache off.
        max_bytes: Memory to use at most, estimated from the sizes of the texts.
    """

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Value | None:
        """Returns what is known of the pair, and marks it as used."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Remembers the value, and forgets the pairs unused longest where there is no room."""
        size = _size(key)
        if self._max_entries <= 0 or size > self._max_bytes:
            return
        with self._lock:
            is_new = key not in self._entries
            self._entries[key] = value
            self._entries.move_to_end(key)
            self._bytes += size * is_new
            while len(self._entries) > self._max_entries or self._bytes > self._max_bytes:
                oldest, _ = self._entries.popitem(last=False)
                self._bytes -= _size(oldest)


def _size(key: Key) -> int:
    return ENTRY_BYTES + getsizeof(key[0]) + getsizeof(key[1])
