"""Ends all pools at interpreter exit, and gives a forked child pools of its own."""

from __future__ import annotations

import atexit
import concurrent.futures.thread  # noqa: F401 - registers its own exit hook, which must run later
import os
import threading
import weakref
from typing import Protocol


class Owner(Protocol):
    """What a pool offers to the hooks."""

    def close(self) -> None:
        """Ends all processes at once."""

    def _after_fork(self) -> None:
        """Forgets the processes of the parent."""


_owners: weakref.WeakSet[Owner] = weakref.WeakSet()
_hooked = False
_hook_lock = threading.Lock()


def adopt(owner: Owner) -> None:
    """Registers a pool with the hooks, which hold it weakly."""
    global _hooked
    with _hook_lock:
        _owners.add(owner)
        if not _hooked:
            _hooked = True
            _hook()


def _hook() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    # The executor's threads are joined before atexit runs, so a thread that waits for a stuck
    # worker would hold up the exit. This private hook of `threading`, the one that the executor
    # itself uses, runs before: hooks run in reverse order, hence the import above.
    register = getattr(threading, "_register_atexit", atexit.register)
    try:
        register(_close_all)
    except RuntimeError:  # the interpreter is shutting down already
        atexit.register(_close_all)


def _close_all() -> None:
    for owner in list(_owners):
        owner.close()


def _after_fork() -> None:
    global _hook_lock
    _hook_lock = threading.Lock()  # another thread of the parent may have held it
    for owner in list(_owners):
        owner._after_fork()
