"""A task for a fork server that cannot fork any more."""

from __future__ import annotations

import errno
import os
from typing import NoReturn


def _no_fork() -> NoReturn:
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


os.fork = _no_fork


def act(gold: str, answer: str) -> NoReturn:
    """Is never reached."""
    raise AssertionError(gold, answer)
