"""Tasks for the workers of these tests: what a pair does is named by its gold."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from verifiers_math.workers.outcome import Outcome, OutcomeKind


def act(gold: str, answer: str) -> Outcome:
    """Does what ``gold`` names, with ``answer`` as its argument."""
    detail = _ACTIONS[gold](answer)
    return Outcome(OutcomeKind.EQUAL, 0.0, str(detail))


def _burn(seconds: str) -> None:
    end = time.thread_time() + float(seconds)
    while time.thread_time() < end:
        sum(range(1000))


def _sleep(seconds: str) -> None:
    time.sleep(float(seconds))


def _wait_for(flag: str) -> None:
    """Says which process waits, by a file beside the flag, and waits for that."""
    Path(f"{flag}.{os.getpid()}").touch()
    while not Path(flag).exists():
        time.sleep(0.01)


def _spin_in_c(_: str) -> None:
    sum(range(10**13))  # one call that never looks for signals


def _spin_deaf(_: str) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        sum(range(1000))


def _block_and_return(_: str) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def _swallow(_: str) -> None:
    while True:
        with contextlib.suppress(BaseException):
            while True:
                sum(range(1000))


def _swallow_once(_: str) -> str:
    with contextlib.suppress(BaseException):
        _burn("60")
    return "a result that came after the limit"


def _segfault(_: str) -> None:
    ctypes.string_at(0)


def _segfault_once(flag: str) -> int:
    path = Path(flag)
    if not path.exists():
        path.touch()
        ctypes.string_at(0)
    return os.getpid()


def _allocate(size: str) -> int:
    return len(bytearray(int(size)))


def _raise_with_object(_: str) -> None:
    raise LookupError(_Unprintable())


def _leave(_: str) -> None:
    raise SystemExit(3)


class _Unprintable:
    def __str__(self) -> str:
        while True:
            pass

    __repr__ = __str__


_ACTIONS: dict[str, Callable[[str], object]] = {
    "echo": str,
    "pid": lambda _: os.getpid(),
    "burn": _burn,
    "sleep": _sleep,
    "wait for": _wait_for,
    "spin in C": _spin_in_c,
    "spin deaf": _spin_deaf,
    "block and return": _block_and_return,
    "swallow": _swallow,
    "swallow once": _swallow_once,
    "segfault": _segfault,
    "segfault once": _segfault_once,
    "allocate": _allocate,
    "raise": lambda text: int(text),
    "raise object": _raise_with_object,
    "leave": _leave,
}
