"""Groups of rollouts on one prompt, and pass@k: the chance that one of k answers is right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST_GROUPS: Final = 50_000
"""Of more groups a sample is kept, drawn evenly."""

_COUNT: Final = 1 << 32


def pass_at_k(count: int, passed: int, k: int) -> float:
    """The chance that of k rollouts drawn from a group at least one is right.

    That is the unbiased estimate ``1 - C(count - passed, k) / C(count, k)``.

    Args:
        count: Rollouts in the group.
        passed: How many of them are right.
        k: How many are drawn; at most ``count``.

    Raises:
        ValueError: If the numbers are impossible.

    Examples:
        >>> round(pass_at_k(4, 1, 2), 12)
        0.5
    """
    if not (0 <= passed <= count and 1 <= k <= count):
        raise ValueError(f"no {k} rollouts can be drawn from {count} of which {passed} are right")
    wrong = count - passed
    if wrong < k:
        return 1.0
    log = math.lgamma
    none = log(wrong + 1) - log(wrong - k + 1) - log(count + 1) + log(count - k + 1)
    return -math.expm1(none) if passed else 0.0


class PassAt(NamedTuple):
    """The mean of pass@k over groups.

    Attributes:
        k: How many rollouts are drawn.
        mean: The mean of the groups' estimates.
        groups: The groups that are large enough.
    """

    k: int
    mean: float
    groups: int


class Groups:
    """How many rollouts each group has, and how many of them are right.

    Groups are known by 64-bit keys. When there are more than `MOST_GROUPS`, those stay whose keys
    are divisible by 2, then by 4 and so on: whole groups, drawn evenly.

    Attributes:
        every: One in so many groups is kept.
    """

    def __init__(self) -> None:
        self.every = 1
        self._groups: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, key: int, passed: bool) -> None:
        """Counts a rollout of a group."""
        if key % self.every:
            return
        self._groups[key] = self._groups.get(key, 0) + _COUNT + passed
        while len(self._groups) > MOST_GROUPS:
            self.every *= 2
            self._groups = {key: n for key, n in self._groups.items() if key % self.every == 0}

    def sizes(self) -> Counter[tuple[int, int]]:
        """The groups by rollouts and by how many of them are right."""
        return Counter(divmod(packed, _COUNT) for packed in self._groups.values())

    def pass_at(self) -> list[PassAt]:
        """The mean of pass@k for k = 1, 2, 4, … and the size of the largest group."""
        sizes = self.sizes()
        return [
            PassAt(k, total / groups, groups)
            for k in _doubling(max((count for count, _ in sizes), default=0))
            for total, groups in [_sum_at(sizes, k)]
        ]

    def without_signal(self) -> tuple[int, int, int]:
        """Groups of two or more, and of these those all right, and those all wrong.

        Within such a group all rewards are the same, so every advantage is zero.
        """
        several = {size: n for size, n in self.sizes().items() if size[0] > 1}
        return (
            sum(several.values()),
            sum(n for (count, passed), n in several.items() if passed == count),
            sum(n for (_, passed), n in several.items() if passed == 0),
        )


def _sum_at(sizes: Counter[tuple[int, int]], k: int) -> tuple[float, int]:
    large = {size: groups for size, groups in sizes.items() if size[0] >= k}
    total = math.fsum(groups * pass_at_k(*size, k) for size, groups in large.items())
    return total, sum(large.values())


def _doubling(largest: int) -> Iterator[int]:
    k = 1
    while k < largest:
        yield k
        k *= 2
    if largest:
        yield largest
