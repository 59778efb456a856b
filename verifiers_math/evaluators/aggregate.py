"""Results summed up: mean score, pass rate and mean absolute error, with their uncertainty.

An `Aggregate` takes results one by one in constant memory. Those of several shards add up to
exactly what one over all of them is, in whatever order: every sum in it is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Final, NamedTuple, Self

BIN: Final = 1000
"""Scores are counted to the nearest 1/1000 for the bootstrap, and summed exactly besides."""

_UNIT: Final = 1 << 60
"""Sums are kept as whole numbers of 2^-60, so that they do not depend on their order."""

_NORMAL_FROM: Final = 30.0
"""A Poisson count of at least this mean is drawn from the normal distribution."""


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


@dataclass
class Aggregate:
    """Results, summed up.

    Attributes:
        count: All results, those without a score too.
        passed: Results that passed.
        statuses: Results by status.
        bins: Of the scored results, count and sum (in units of 2^-60) by score to the nearest
            1/1000.
        errors: Results with an absolute error that is finite.
        error_sum: The exact sum of these errors.
    """

    count: int = 0
    passed: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    bins: dict[int, list[int]] = field(default_factory=dict)
    errors: int = 0
    error_sum: Fraction = Fraction(0)

    @classmethod
    def of(cls, results: Iterable[Mapping[str, Any]]) -> Self:
        """The aggregate of some results."""
        aggregate = cls()
        for result in results:
            aggregate.add(result)
        return aggregate

    def add(self, result: Mapping[str, Any]) -> None:
        """Counts a result.

        Args:
            result: What an evaluator returned: ``score`` (None for no score) and ``passed``, and
                perhaps ``status`` and ``absolute_error``.

        Raises:
            ValueError: If the score is neither None nor from 0 to 1.
        """
        score = result["score"]
        if score is not None and not 0 <= score <= 1:
            raise ValueError(f"a score is None or from 0 to 1, not {score!r}")
        self.count += 1
        self.passed += bool(result["passed"])
        self.statuses[str(result.get("status", result.get("label", "")))] += 1
        if score is not None:
            tally = self.bins.setdefault(round(score * BIN), [0, 0])
            tally[0] += 1
            tally[1] += round(score * _UNIT)
        error = result.get("absolute_error")
        if error is not None and math.isfinite(error):
            self.errors += 1
            self.error_sum += Fraction(error)

    def merge(self, other: Aggregate) -> Self:
        """Adds another aggregate, for example that of another shard, to this one."""
        self.count += other.count
        self.passed += other.passed
        self.statuses.update(other.statuses)
        for score, (count, total) in other.bins.items():
            tally = self.bins.setdefault(score, [0, 0])
            tally[0] += count
            tally[1] += total
        self.errors += other.errors
        self.error_sum += other.error_sum
        return self

    @property
    def scored(self) -> int:
        """Results with a score."""
        return sum(count for count, _ in self.bins.values())

    @property
    def unscored(self) -> int:
        """Results without a score; they are in none of the means."""
        return self.count - self.scored

    @property
    def mean_score(self) -> float | None:
        """The mean of the scores; None where there are none."""
        total = sum(total for _, total in self.bins.values())
        return float(Fraction(total, _UNIT * self.scored)) if self.scored else None

    @property
    def pass_rate(self) -> float | None:
        """The share of scored results that passed; None where none is scored."""
        return self.passed / self.scored if self.scored else None

    @property
    def mean_absolute_error(self) -> float | None:
        """The mean distance of predicted from gold numbers; None where no result has one."""
        return float(self.error_sum / self.errors) if self.errors else None

    def pass_interval(self, confidence: float = 0.95) -> Interval | None:
        """The Wilson interval of the pass rate; None where nothing is scored."""
        return wilson_interval(self.passed, self.scored, confidence) if self.scored else None

    def mean_interval(
        self, confidence: float = 0.95, *, resamples: int = 1000, seed: int = 0
    ) -> Interval | None:
        """The percentile bootstrap interval of the mean score; None where nothing is scored.

        It is a Poisson bootstrap: in each resample a result counts as often as a Poisson variable
        of mean 1 says, so that results in one bin are drawn at once and the time does not depend
        on how many there are.

        Args:
            confidence: The share of such intervals that hold the true mean.
            resamples: How many means are drawn.
            seed: Of the random numbers; the same seed gives the same interval.

        Raises:
            ValueError: If the confidence is not between 0 and 1, or there are no resamples.
        """
        _check_confidence(confidence)
        if resamples < 1:
            raise ValueError(f"resamples is at least 1, not {resamples}")
        if not self.bins:
            return None
        cells = [(count, total / count / _UNIT) for _, (count, total) in sorted(self.bins.items())]
        random = Random(seed)
        means = sorted(_resampled_mean(random, cells) for _ in range(resamples))
        tail = (1 - confidence) / 2
        low, high = math.floor(tail * resamples), math.ceil((1 - tail) * resamples) - 1
        return Interval(means[low], means[max(low, high)])

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data that ``json.dumps`` takes."""
        return {
            "count": self.count,
            "scored": self.scored,
            "unscored": self.unscored,
            "passed": self.passed,
            "pass_rate": self.pass_rate,
            "pass_interval": self.pass_interval(),
            "mean_score": self.mean_score,
            "mean_interval": self.mean_interval(),
            "mean_absolute_error": self.mean_absolute_error,
            "statuses": dict(self.statuses.most_common()),
        }


def wilson_interval(passed: int, count: int, confidence: float = 0.95) -> Interval:
    """The interval of a rate by Wilson's score method, which holds near 0 and 1 too.

    Args:
        passed: How many passed.
        count: Of how many; at least 1.
        confidence: The share of such intervals that hold the true rate.

    Raises:
        ValueError: If the numbers are no rate, or the confidence is not between 0 and 1.

    Examples:
        >>> low, high = wilson_interval(8, 10)
        >>> round(low, 3), round(high, 3)
        (0.49, 0.943)
    """
    from statistics import NormalDist  # only summaries need it

    _check_confidence(confidence)
    if not 0 <= passed <= count or count < 1:
        raise ValueError(f"{passed} of {count} is no rate")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = passed / count
    middle = rate + z * z / (2 * count)
    reach = z * math.sqrt(rate * (1 - rate) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return Interval(
        max(0.0, (middle - reach) / scale) if passed else 0.0,
        min(1.0, (middle + reach) / scale) if passed < count else 1.0,
    )


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is between 0 and 1, not {confidence!r}")


def _resampled_mean(random: Random, cells: Sequence[tuple[int, float]]) -> float:
    """The mean of one resample; drawn again where it is empty, as only a few results can be."""
    while True:
        total = weight = 0.0
        for count, value in cells:
            times = _poisson(random, count)
            weight += times
            total += times * value
        if weight:
            return total / weight


def _poisson(random: Random, mean: float) -> int:
    """A Poisson variable: by multiplication, or by its normal limit for a large mean."""
    if mean >= _NORMAL_FROM:
        return max(0, round(random.gauss(mean, math.sqrt(mean))))
    times, product, limit = 0, random.random(), math.exp(-mean)
    while product > limit:
        times += 1
        product *= random.random()
    return times
