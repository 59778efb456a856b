"""Symbolic verification in processes that can be killed.

Only the child processes of this package import sympy and math_verify.
"""

from __future__ import annotations

from verifiers_math.workers.outcome import (
    HARD_LIMIT,
    WALL_FACTOR,
    Outcome,
    OutcomeKind,
    PoolStats,
)
from verifiers_math.workers.pool import WorkerPool

__all__ = ["HARD_LIMIT", "WALL_FACTOR", "Outcome", "OutcomeKind", "PoolStats", "WorkerPool"]
