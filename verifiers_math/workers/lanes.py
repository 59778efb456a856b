"""Which pair may run next: the two lanes, without any process or thread.

A pair starts in the fast lane. One that is not done at the end of its first slice belongs to the
slow lane, which holds at most ``size`` running pairs, so that slow pairs cannot keep fast ones
waiting: when all workers are slow, one more may run for the fast lane.
"""

from __future__ import annotations

import heapq
from enum import Enum, auto
from typing import Generic, TypeVar

T = TypeVar("T")


class Lane(Enum):
    """The two lanes."""

    FAST = auto()
    SLOW = auto()


class Lanes(Generic[T]):
    """The waiting items, ordered by (cost, arrival), and the number of running ones.

    Attributes:
        size: The number of workers; one more runs only while ``size`` slow pairs do.
        running: How many items run in each lane.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.running = {Lane.FAST: 0, Lane.SLOW: 0}
        self._waiting: dict[Lane, list[tuple[float, int, T]]] = {Lane.FAST: [], Lane.SLOW: []}
        self._arrivals = 0

    def push(self, item: T, cost: float, lane: Lane = Lane.FAST) -> None:
        """Adds a waiting item."""
        self._arrivals += 1
        heapq.heappush(self._waiting[lane], (cost, self._arrivals, item))

    def take(self) -> tuple[T, Lane] | None:
        """Removes and returns the next item that may run now, counted as running."""
        for lane, may_start in ((Lane.FAST, self._fast_may), (Lane.SLOW, self._slow_may)):
            if self._waiting[lane] and may_start():
                self.running[lane] += 1
                return heapq.heappop(self._waiting[lane])[2], lane
        return None

    def promote(self) -> bool:
        """Moves a running fast item to the slow lane, if there is room; it keeps its worker."""
        if self.running[Lane.SLOW] >= self.size:
            return False
        self.leave(Lane.FAST)
        self.running[Lane.SLOW] += 1
        return True

    def leave(self, lane: Lane) -> None:
        """Counts a running item out."""
        self.running[lane] -= 1

    def drain(self) -> list[T]:
        """Removes and returns everything that waits."""
        items = [item for heap in self._waiting.values() for _, _, item in heap]
        for heap in self._waiting.values():
            heap.clear()
        return items

    @property
    def busy(self) -> int:
        """The number of running items."""
        return sum(self.running.values())

    def _fast_may(self) -> bool:
        slow = self.running[Lane.SLOW]
        # A waiting slow pair gets the next free worker, or many fast ones would starve it.
        reserved = 1 if self._waiting[Lane.SLOW] and slow < self.size else 0
        return self.running[Lane.FAST] < max(1, self.size - slow - reserved) and (
            self.busy < self.size or slow >= self.size
        )

    def _slow_may(self) -> bool:
        slow = self.running[Lane.SLOW]
        return slow < self.size and (self.busy < self.size or slow + 1 == self.size)
