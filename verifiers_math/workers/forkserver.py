"""The fork server: a warm process of one thread, from which workers are forked in milliseconds.

Requests and replies pass through one socket: each byte that arrives asks for a worker, and each
is answered by a line and the descriptors of the new worker.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
from typing import Any, NoReturn

from verifiers_math.workers import child, wire

OWNER_CHECK_SECONDS = 0.5


def serve(sock: socket.socket, config: dict[str, Any]) -> NoReturn:
    """Loads the task, reports that it is ready, and forks workers until the owner is gone."""
    children: set[int] = set()
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the trainer, which ends us
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if ignored, as it may be, nobody is reaped
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        task = _load(config["task"])
        os.chdir("/")  # hold no directory of the trainer's
        os.nice(config["niceness"])  # the workers inherit it
        sock.sendall(wire.pack({"ready": True}))
        while _wait_for_request(sock, config["owner"], children):
            _fork(sock, task, config["memory_bytes"], children)
    except Exception as error:
        with contextlib.suppress(OSError):
            sock.sendall(wire.pack({"error": child.describe(error)}))
    finally:
        _end(children)


def _load(name: str) -> child.Task:
    module_name, _, function = name.partition(":")
    module = importlib.import_module(module_name)
    task: child.Task = getattr(module, function)
    warm_up = getattr(module, "warm_up", None)
    if warm_up is not None:
        warm_up()
    gc.collect()
    gc.freeze()  # the workers' collector then leaves the shared pages alone
    return task


def _wait_for_request(sock: socket.socket, owner: int, children: set[int]) -> bool:
    """Waits for the next request; False when the owner is gone."""
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    while os.getppid() == owner:
        readable = poll.poll(OWNER_CHECK_SECONDS * 1000)
        _reap(children)
        if readable:
            return bool(sock.recv(1))
    return False


def _fork(sock: socket.socket, task: child.Task, memory_bytes: int, children: set[int]) -> None:
    ours, theirs = socket.socketpair()
    wake_read, wake_write = os.pipe()
    pidfd = -1
    try:
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            _become_worker((sock, ours), wake_read, theirs, wake_write, task, memory_bytes, server)
        children.add(pid)
        fds = [ours.fileno(), wake_read]
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # a kernel or sandbox without it
                pidfd = os.pidfd_open(pid)
                fds.append(pidfd)
        socket.send_fds(sock, [wire.pack({"pid": pid})], fds)
    except OSError as error:  # no more processes, descriptors or memory
        sock.sendall(wire.pack({"error": f"cannot start a worker: {error.strerror}"}))
    finally:
        ours.close()
        theirs.close()
        for descriptor in (wake_read, wake_write, pidfd):
            if descriptor >= 0:
                os.close(descriptor)


def _become_worker(
    not_mine: tuple[socket.socket, ...],
    wake_read: int,
    sock: socket.socket,
    wake_write: int,
    task: child.Task,
    memory_bytes: int,
    server: int,
) -> NoReturn:
    try:
        for other in not_mine:
            other.close()
        os.close(wake_read)
        child.work(sock, wake_write, task, memory_bytes, server)
    finally:
        os._exit(0)  # never back into the server's code


def _reap(children: set[int]) -> None:
    for pid in list(children):
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            children.discard(pid)


def _end(children: set[int]) -> NoReturn:
    for pid in children:  # not reaped yet, so the numbers are still theirs
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for pid in children:
        with contextlib.suppress(OSError):
            os.waitpid(pid, 0)
    os._exit(0)
