"""How long judgements took: quantiles and a histogram of any number of times."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final, NamedTuple

_PER_DECADE: Final = 240
"""Bins for a factor of ten: each is 1 % wide, and so exact are the quantiles."""

LEAST_SECONDS: Final = 1e-7
MOST_SECONDS: Final = 1e5
"""Times beyond these count as these."""


class Bar(NamedTuple):
    """A bar of a histogram.

    Attributes:
        low: Where it begins, in seconds.
        high: Where it ends.
        times: How many times fall into it.
    """

    low: float
    high: float
    times: int


class Latency:
    """Times, in bins of equal ratio.

    Attributes:
        count: How many there are.
        cached: Times of zero, which are answers out of a cache; they are not among the others.
        least: The least time, in seconds.
        most: The greatest one.
    """

    def __init__(self) -> None:
        self.count = 0
        self.cached = 0
        self.least, self.most = math.inf, 0.0
        self._bins: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        """Counts a time; a negative one is none."""
        if seconds < 0:
            return
        if seconds == 0:
            self.cached += 1
            return
        self.count += 1
        self.least, self.most = min(self.least, seconds), max(self.most, seconds)
        bounded = min(max(seconds, LEAST_SECONDS), MOST_SECONDS)
        self._bins[math.floor(math.log10(bounded) * _PER_DECADE)] += 1

    def quantile(self, share: float) -> float:
        """The time that a share of all times does not exceed, to within 1 %.

        Args:
            share: From 0.0 to 1.0.

        Raises:
            ValueError: If there are no times.
        """
        rank = max(1, math.ceil(share * self.count))
        for place in sorted(self._bins):
            rank -= self._bins[place]
            if rank <= 0:
                middle = 10 ** ((place + 0.5) / _PER_DECADE)
                return float(min(max(middle, self.least), self.most))
        raise ValueError("there are no times")

    def bars(self, per_decade: int = 8) -> list[Bar]:
        """The histogram from the least to the greatest time, empty bars too.

        Args:
            per_decade: Bars for a factor of ten; a divisor of 240.
        """
        if not self._bins:
            return []
        merged: Counter[int] = Counter()
        for place, count in self._bins.items():
            merged[place // (_PER_DECADE // per_decade)] += count
        return [
            Bar(10 ** (place / per_decade), 10 ** ((place + 1) / per_decade), merged[place])
            for place in range(min(merged), max(merged) + 1)
        ]
