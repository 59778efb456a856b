"""A worker: answers one pair after the other until its socket is closed."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from typing import Any

from verifiers_math.workers import limits, wire
from verifiers_math.workers.outcome import Outcome, OutcomeKind
from verifiers_math.workers.timers import TIMEOUT, Interrupted, PairTimer
from verifiers_math.workers.wire import PREEMPTED

Task = Callable[[str, str], Outcome]
"""Gets gold and answer; the seconds of its outcome are replaced by measured ones."""

RETIREMENT_GROWTH = 512 << 20
_DETAIL_CHARACTERS = 200
_INTERRUPTED = {
    TIMEOUT: (OutcomeKind.TIMEOUT.value, "the soft limit passed"),
    PREEMPTED: (PREEMPTED, ""),
}


def work(sock: socket.socket, wake_fd: int, task: Task, memory_bytes: int, server: int) -> None:
    """Serves the parent at the other end of ``sock``; the fork server is process ``server``."""
    limits.die_with_parent(server)
    limits.limit_process(memory_bytes, lambda: _give_up(sock))
    timer = PairTimer()
    timer.install(wake_fd)
    # A process that has once been this large does not shrink: a fresh one is cheap.
    largest = limits.peak_bytes() + min(RETIREMENT_GROWTH, memory_bytes // 2)
    for line in wire.lines(sock):
        request = wire.unpack(line)
        reply = judge(task, timer, request)
        if not limits.has_cpu_for(request["soft"]) or limits.peak_bytes() > largest:
            reply["retire"] = True
        sock.sendall(wire.pack(reply))
        if reply.get("retire"):
            return


def judge(task: Task, timer: PairTimer, request: dict[str, Any]) -> dict[str, Any]:
    """Runs the task on one pair; whatever it does, a reply comes back."""
    limits.allow_cpu(request["soft"])
    started = time.thread_time()  # finer than the process's, which the limits make coarse
    retire = False
    try:
        try:
            timer.start(request["soft"], request["slice"])
            outcome = task(request["gold"], request["answer"])
            kind, detail = outcome.kind.value, outcome.detail
        finally:
            timer.stop()
    except Interrupted:
        timer.stop()  # it may have struck before the one above
        kind, detail = "", ""
    except MemoryError:
        kind, detail, retire = OutcomeKind.MEMORY.value, "the memory limit was reached", True
    except BaseException as error:
        kind, detail = OutcomeKind.ERROR.value, describe(error)
    if timer.reason:  # also where the task swallowed it: what came after is not to be trusted
        kind, detail = _INTERRUPTED[timer.reason]
    seconds = time.thread_time() - started
    return {"kind": kind, "seconds": seconds, "detail": detail, "retire": retire}


def describe(error: BaseException) -> str:
    """Names an error without printing its arguments, which may be endless expressions."""
    text = next((argument for argument in error.args if type(argument) is str), "")
    name = type(error).__name__
    return f"{name}: {text}"[:_DETAIL_CHARACTERS] if text else name


def _give_up(sock: socket.socket) -> None:
    """Answers from the watching thread that the memory limit was reached, and ends the worker."""
    detail = "the memory limit was reached"
    reply = {"kind": OutcomeKind.MEMORY.value, "seconds": time.process_time(), "detail": detail}
    sock.sendall(wire.pack({**reply, "retire": True}))
    os._exit(1)
