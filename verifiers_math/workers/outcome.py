"""What comes back from a worker: plain data, never an object of the algebra system."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

WALL_FACTOR = 3.0
"""So many times the soft limit, which counts CPU time, may a pair take of wall time.

Time in which its process was kept from running is given back."""


HARD_LIMIT = "the hard limit"
"""The words with which the detail of a pair begins that was killed at that limit."""


class OutcomeKind(StrEnum):
    """How the verification of one pair ended."""

    EQUAL = "equal"
    DIFFERENT = "different"
    GOLD_UNREADABLE = "gold_unreadable"
    ANSWER_UNREADABLE = "answer_unreadable"
    TIMEOUT = "timeout"
    """The soft limit, on the worker's CPU time, passed."""
    HARD_TIMEOUT = "hard_timeout"
    """The hard limit, on the wall time since dispatch, passed and the worker was killed."""
    MEMORY = "memory"
    CRASHED = "crashed"
    """The worker died on this pair, and so did the fresh one that tried it again."""
    ERROR = "error"
    UNAVAILABLE = "unavailable"
    """No worker could be started: no processes allowed, or math_verify is not installed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one pair.

    Attributes:
        kind: How it ended.
        seconds: CPU seconds of the worker on this pair; wall seconds where it was killed.
        detail: A sentence for a person, empty where the kind says it all.
    """

    kind: OutcomeKind
    seconds: float
    detail: str = ""


@dataclass(slots=True)
class PoolStats:
    """Counts of a pool since it was made (since the fork, in a forked child).

    Attributes:
        pairs: Pairs that were answered, in whatever way.
        timeouts: Pairs that ended at the soft limit.
        hard_timeouts: Pairs that ended at the hard limit.
        preempted: Pairs stopped at the end of their first slice, to run again in the slow lane.
        kills: Workers killed because a pair did not end when told to.
        deaths: Workers that died by themselves, or were killed from outside, on a pair.
        started: Workers started.
        servers: Fork servers started.
        workers: Workers that are there now.
    """

    pairs: int = 0
    timeouts: int = 0
    hard_timeouts: int = 0
    preempted: int = 0
    kills: int = 0
    deaths: int = 0
    started: int = 0
    servers: int = 0
    workers: int = 0
