r"""Pairs that the pure stages leave to a worker process: one that is right, one that never ends."""

from __future__ import annotations

NEEDS_WORKER = r"\boxed{\int_0^1 x^2 dx}"
NEEDS_WORKER_GOLD = r"\int_0^1 y^2 dy"
NEEDS_WORKER_WRONG_GOLD = r"\int_0^1 y^3 dy"

STUCK = r"\boxed{\int_0^1 \sin(x^{x^x})e^{-x^5}dx}"
STUCK_GOLD = r"\int_0^1 \sin(x^{x^x})e^{-x^4}dx"
