"""From what reward functions return to rewards, metrics, errors and advantages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.errors import RewardValueError

STD_EPSILON = 1e-4
"""Added to the standard deviation that scaled advantages are divided by."""

_SHOWN_CHARACTERS = 40


class JudgedScore(float):
    """A score that remembers the verdict it comes from.

    A plain float to everyone else; a rubric with ``unscored="none"`` looks at the verdict.
    """

    verdict: Verdict

    @classmethod
    def of(cls, verdict: Verdict) -> JudgedScore:
        """The score of a verdict: 1.0 or 0.0.

        Args:
            verdict: The judgement.

        Returns:
            Its reward, with the verdict attached.
        """
        score = cls(verdict.reward)
        score.verdict = verdict
        return score


@dataclass(frozen=True, slots=True)
class Failure:
    """What a reward function raised instead of returning a score."""

    error: BaseException

    @property
    def reason(self) -> str:
        """The error in one line, as ``state["errors"]`` keeps it."""
        text = str(self.error)
        if isinstance(self.error, RewardValueError):
            return text
        kind = type(self.error).__name__
        return f"{kind}: {text}" if text else kind


@dataclass(slots=True)
class Scores:
    """The scores of one rollout, before they are written into its state.

    Attributes:
        reward: The weighted sum; None where the rollout could not be judged and shall not count.
        metrics: The raw scores by name.
        errors: Why a score counts 0.0, by the same names.
    """

    reward: float | None = 0.0
    metrics: dict[str, float] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def add(self, other: Scores) -> None:
        """Add another rubric's scores: rewards and metrics of one name are summed.

        Args:
            other: The scores to add. Where either reward is None, the sum is None.
        """
        if self.reward is not None:
            self.reward = None if other.reward is None else self.reward + other.reward
        for name, score in other.metrics.items():
            self.metrics[name] = self.metrics.get(name, 0.0) + score
        for name, reason in other.errors.items():
            before = self.errors.get(name)
            self.errors[name] = reason if before is None else f"{before}; {reason}"


def to_score(value: object) -> float:
    """Turn what a reward function returned into a number.

    Args:
        value: A number, a bool, a numeric string, a `Verdict`, a numpy scalar, a 0-d tensor.

    Returns:
        A finite float.

    Raises:
        RewardValueError: If it is no finite number. The message goes on from "the function".
    """
    if isinstance(value, Verdict):
        return value.reward
    if value is None:
        raise RewardValueError("returned None")
    if isinstance(value, bytes | bytearray) or getattr(value, "ndim", 0) != 0:
        raise RewardValueError(f"returned {_describe(value)}, not a number")
    try:
        score = float(value)  # type: ignore[arg-type]  # whatever has __float__ may come
    except Exception as error:  # __float__ of a stranger may raise anything
        raise RewardValueError(f"returned {_describe(value)}, not a number") from error
    if not math.isfinite(score):
        raise RewardValueError(f"returned {score}")
    return score


def split_group(value: object, size: int) -> list[Any]:
    """Split what a group function returned into one value for each rollout.

    Args:
        value: A sequence with an item for each rollout, or a mapping of names to such sequences.
        size: The number of rollouts.

    Returns:
        One value, or one mapping, for each rollout.

    Raises:
        RewardValueError: If it has no length, or another one.
    """
    if isinstance(value, Mapping):
        columns = {name: split_group(column, size) for name, column in value.items()}
        return [{name: column[i] for name, column in columns.items()} for i in range(size)]
    if isinstance(value, str | bytes | Set) or not isinstance(value, Iterable):
        raise RewardValueError(f"returned {_describe(value)}, not a list of {size} scores")
    items = list(value)
    if len(items) != size:
        raise RewardValueError(f"returned {len(items)} scores for {size} rollouts")
    return items


def unscored_reason(value: object) -> str | None:
    """Why the verdict behind a function's value says nothing about the answer.

    Args:
        value: What the function returned.

    Returns:
        The reason for timeouts, limits, errors and unreadable golds; None for anything else.
    """
    verdict = value.verdict if isinstance(value, JudgedScore) else value
    if not isinstance(verdict, Verdict) or verdict.scored:
        return None
    return f"{verdict.status}: {verdict.detail}"


def advantages(rewards: Sequence[float | None], scale: bool) -> list[float]:
    """How much better each reward is than its group's mean.

    Args:
        rewards: The rewards of a group; those that are None stay out of mean and deviation.
        scale: Whether to divide by the sample standard deviation plus `STD_EPSILON`.

    Returns:
        One advantage each; 0.0 for a reward of None and where all rewards are the same.
    """
    known = [reward for reward in rewards if reward is not None]
    if not known or min(known) == max(known):
        return [0.0] * len(rewards)
    try:
        mean = math.fsum(known) / len(known)
    except OverflowError:  # the sum is beyond all floats; the mean never is
        mean = math.fsum(reward / len(known) for reward in known)
    unit = 1.0
    if scale:
        deviation = math.hypot(*(reward - mean for reward in known)) / math.sqrt(len(known) - 1)
        unit = deviation + STD_EPSILON
    return [0.0 if reward is None else (reward - mean) / unit for reward in rewards]


def _describe(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:_SHOWN_CHARACTERS])
    kind = type(value).__name__
    return f"an {kind}" if kind[:1].lower() in "aeiou" else f"a {kind}"
