"""Counts of verdicts, for a trainer's log."""

from __future__ import annotations

import threading
from collections import Counter

from verifiers_math.equivalence.verdict import Status, Verdict

_STATUS_KEYS = {
    Status.CORRECT: "correct",
    Status.INCORRECT: "incorrect",
    Status.NO_ANSWER: "no_answer",
    Status.ANSWER_UNREADABLE: "answer_unreadable",
    Status.GOLD_UNREADABLE: "gold_unreadable",
    Status.LIMIT: "limits",
    Status.TIMEOUT: "timeouts",
    Status.ERROR: "errors",
}
_KEYS = ("total", "scored", *_STATUS_KEYS.values(), "hard_timeouts", "lenient", "cached")


class VerdictCounts:
    """Counts verdicts by status, stage and lenient rule; safe to use from several threads.

    A copy, as one that is pickled for another process, starts from zero.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counter: Counter[str] = Counter()

    def __reduce__(self) -> tuple[type[VerdictCounts], tuple[()]]:
        return VerdictCounts, ()

    def add(self, verdict: Verdict, *, hard_timeout: bool = False) -> None:
        """Count one verdict.

        Args:
            verdict: The verdict.
            hard_timeout: Whether the hard limit ended it.
        """
        keys = ["total", _STATUS_KEYS[verdict.status], f"stage/{verdict.stage}"]
        if verdict.rule and verdict.equal:
            keys.append(f"rule/{verdict.rule}")
        flags = {
            "scored": verdict.scored,
            "lenient": verdict.lenient,
            "cached": verdict.cached,
            "hard_timeouts": hard_timeout,
        }
        keys.extend(key for key, holds in flags.items() if holds)
        with self._lock:
            for key in keys:
                self._counter[key] += 1

    def snapshot(self) -> dict[str, int]:
        """Returns the counts so far; those that are always there may be 0."""
        with self._lock:
            return {**dict.fromkeys(_KEYS, 0), **self._counter}

    def reset(self) -> dict[str, int]:
        """Returns the counts so far, and begins again from zero."""
        with self._lock:
            counts = {**dict.fromkeys(_KEYS, 0), **self._counter}
            self._counter.clear()
        return counts
