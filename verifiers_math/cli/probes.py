"""What ``doctor`` has a worker do to see whether its limits hold. Runs in a worker only."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Final, NoReturn

from verifiers_math.workers.outcome import Outcome, OutcomeKind


def act(probe: str, argument: str) -> Outcome:
    """Does what a probe's name says; the gold is the name, the answer its argument."""
    _PROBES[probe](argument)
    return Outcome(OutcomeKind.EQUAL, 0.0)


def _answer(_: str) -> None:
    """Nothing: an honest pair."""


def _spin(_: str) -> NoReturn:
    while True:
        sum(range(1000))


def _spin_deaf(_: str) -> NoReturn:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    _spin(_)


def _allocate(size: str) -> None:
    bytearray(int(size))


def _die(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


_PROBES: Final[dict[str, Callable[[str], None]]] = {
    "answer": _answer,
    "spin": _spin,
    "spin_deaf": _spin_deaf,
    "allocate": _allocate,
    "die": _die,
}
