"""Pass rates and mean rewards, with their uncertainty: of all rollouts, by name, and along an axis.

Each of these takes rollouts one by one, and its memory is bounded however many there are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from verifiers_math.evaluators.aggregate import Interval, wilson_interval

MOST_NAMES: Final = 200
OTHERS: Final = "(others)"
"""What stands for all names beyond `MOST_NAMES`: names in a file may be anything."""

MOST_POINTS: Final = 200
_Z: Final = 1.959964
"""Standard deviations to both sides that hold 95 % of a normal distribution."""


class Rate:
    """How many rollouts passed, and what they were rewarded.

    Attributes:
        count: All rollouts.
        scored: Those with a score; the others are in none of the means.
        passed: Those that passed.
    """

    __slots__ = ("_squares", "_total", "count", "is_binary", "passed", "scored")

    def __init__(self) -> None:
        self.count = self.scored = self.passed = 0
        self._total = self._squares = 0.0
        self.is_binary = True

    def add(self, score: float | None, passed: bool | None) -> None:
        """Counts a rollout.

        Args:
            score: Its score or reward; None where it could not be scored.
            passed: Whether it counts as right; None likewise.
        """
        self.count += 1
        if score is None or passed is None:
            return
        self.scored += 1
        self.passed += passed
        self._total += score
        self._squares += score * score
        self.is_binary = self.is_binary and score == passed

    def merge(self, other: Rate) -> None:
        """Adds the rollouts of another one."""
        self.count += other.count
        self.scored += other.scored
        self.passed += other.passed
        self._total += other._total
        self._squares += other._squares
        self.is_binary = self.is_binary and other.is_binary

    @property
    def pass_rate(self) -> float | None:
        """The share of the scored that passed; None where none is scored."""
        return self.passed / self.scored if self.scored else None

    @property
    def mean(self) -> float | None:
        """The mean score; None where none is scored."""
        return self._total / self.scored if self.scored else None

    def pass_interval(self) -> Interval | None:
        """The 95 % interval of the pass rate by Wilson's method; None where none is scored."""
        return wilson_interval(self.passed, self.scored) if self.scored else None

    def mean_interval(self) -> Interval | None:
        """The 95 % interval of the mean score.

        Where the score is whether it passed, that is Wilson's; else the normal one, for which
        fewer than two scores are not enough.
        """
        if self.is_binary:
            return self.pass_interval()
        mean = self.mean
        if mean is None or self.scored < 2:
            return None
        variance = max(0.0, self._squares - self._total * mean) / (self.scored - 1)
        reach = _Z * math.sqrt(variance / self.scored)
        return Interval(mean - reach, mean + reach)


class Rates:
    """Rates by name.

    Attributes:
        by_name: The rates, in the order of their names' first appearance.
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Rate] = {}

    def __getitem__(self, name: str) -> Rate:
        """The rate of a name, made where there is none yet."""
        rate = self.by_name.get(name)
        if rate is None:
            name = name if len(self.by_name) < MOST_NAMES else OTHERS
            rate = self.by_name.setdefault(name, Rate())
        return rate

    def largest(self) -> Iterator[tuple[str, Rate]]:
        """The rates, those of the most rollouts first."""
        yield from sorted(self.by_name.items(), key=lambda item: -item[1].count)


def count_name(counter: Counter[str], name: str) -> None:
    """Counts a name, or `OTHERS` where there are too many names already."""
    counter[name if name in counter or len(counter) < MOST_NAMES else OTHERS] += 1


class Point(NamedTuple):
    """What lies close together on an axis.

    Attributes:
        low: The least place among it.
        high: The greatest one.
        middle: The mean place.
        rate: The rate of its rollouts.
    """

    low: float
    high: float
    middle: float
    rate: Rate


class _Cell:
    __slots__ = ("high", "low", "rate", "total")

    def __init__(self) -> None:
        self.low, self.high, self.total = math.inf, -math.inf, 0.0
        self.rate = Rate()

    def merge(self, other: _Cell) -> None:
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)
        self.total += other.total
        self.rate.merge(other.rate)


class Series:
    """Rates along an axis, at most `MOST_POINTS` of them.

    Places are kept as they are while they are few. Beyond that they fall into bins as wide as a
    power of two, and whenever bins are too many, two become one.

    Attributes:
        name: What the axis is called.
        count: Rollouts that have a place on it.
        width: How wide a bin is; 0.0 while each place is by itself.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self.width = 0.0
        self._cells: dict[float, _Cell] = {}

    def add(self, place: float, score: float | None, passed: bool | None) -> None:
        """Counts a rollout at its place."""
        self.count += 1
        cell = self._cells.get(self._key(place))
        if cell is None:
            cell = self._cells[self._key(place)] = _Cell()
        cell.low = min(cell.low, place)
        cell.high = max(cell.high, place)
        cell.total += place
        cell.rate.add(score, passed)
        if len(self._cells) > MOST_POINTS:
            self._coarsen()

    def _key(self, place: float) -> float:
        return place // self.width if self.width else place

    def _coarsen(self) -> None:
        low = min(cell.low for cell in self._cells.values())
        high = max(cell.high for cell in self._cells.values())
        least = math.ceil(math.log2((high - low) / MOST_POINTS))
        self.width = max(self.width * 2, 2.0**least)
        cells: dict[float, _Cell] = {}
        for cell in self._cells.values():
            cells.setdefault(self._key(cell.low), _Cell()).merge(cell)
        self._cells = cells

    def points(self) -> list[Point]:
        """The rates in the order of their places; those without a scored rollout are left out."""
        cells = sorted(self._cells.values(), key=lambda cell: cell.low)
        return [
            Point(cell.low, cell.high, cell.total / cell.rate.count, cell.rate)
            for cell in cells
            if cell.rate.scored
        ]
