"""The owner's end of the fork server."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from verifiers_math.workers import wire
from verifiers_math.workers.backstop import Backstop
from verifiers_math.workers.worker import Worker

START_SECONDS = 120.0
FORK_SECONDS = 10.0
"""A fork server that takes longer for a worker, not counting time without a core, is replaced."""
RETRY_SECONDS = 5.0
_GRACE_SECONDS = 0.5
_CLOEXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
_TITLE = "verifiers-math fork server"

# Runs before any import of ours can: the search path arrives with the configuration. Until then
# the flag -P keeps the working directory, and a stray json.py in it, out of the path.
_BOOT = """
import json, os, socket, sys
sock = socket.socket(fileno=int(sys.argv[1]))
try:
    line = b""
    while not line.endswith(b"\\n"):
        line += sock.recv(65536) or os._exit(0)
    config = json.loads(line)
    sys.path[:] = config["path"]
    from verifiers_math.workers.forkserver import serve
except BaseException as error:
    sock.sendall(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\\n")
    os._exit(1)
serve(sock, config)
"""


class StartError(Exception):
    """No worker could be started; the message says why."""


class _ServerGone(Exception):
    """The fork server does not answer any more."""


class Launcher:
    """Starts workers, and the fork server when there is none.

    A plain subprocess of our own, never ``multiprocessing``: it works from unguarded scripts,
    notebooks and daemonic processes, and no import of the user's main module happens in it.

    Attributes:
        servers: The number of fork servers started.
    """

    def __init__(self, task: str, memory_bytes: int, niceness: int) -> None:
        self.servers = 0
        self._task = task
        self._memory_bytes = memory_bytes
        self._niceness = niceness
        self._lock = threading.RLock()  # re-entrant for the sake of garbage collection
        self._process: subprocess.Popen[bytes] | None = None
        self._sock: socket.socket | None = None
        self._server_sock: socket.socket | None = None
        self._ready = False
        self._closed = False
        self._failure = ""
        self._retry_at = 0.0

    def spawn(self) -> Worker:
        """Returns a fresh worker.

        Raises:
            StartError: None can be started. A failure of the fork server itself is remembered for
                some seconds, so that a machine without processes is not asked again every time.
        """
        with self._lock:
            if self._failure and time.monotonic() < self._retry_at:
                raise StartError(self._failure)
            try:
                return self._ask()
            except _ServerGone:  # killed from outside: one more server, one more try
                pass
            try:
                return self._ask()
            except _ServerGone as error:
                raise self._remember("the fork server ends as soon as it is used") from error

    def close(self) -> None:
        """Ends the fork server, and with it all workers. Interrupts a start that is under way."""
        self._closed = True
        sock, process = self._sock, self._process
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        if process is not None:
            if not self._ready:
                process.kill()
            _wait(process)
        if self._lock.acquire(timeout=_GRACE_SECONDS):
            self._discard()
            self._lock.release()

    def abandon(self) -> None:
        """Gives back the descriptors and leaves the processes alone, as a forked child must."""
        self._closed = True
        for sock in (self._sock, self._server_sock):
            if sock is not None:
                sock.close()
        if self._process is not None:
            self._process.returncode = 0  # not a child of this process: nothing to wait for

    def _ask(self) -> Worker:
        if self._closed:
            raise StartError("the pool is closed")
        try:
            sock = self._sock or self._start()
            sock.settimeout(FORK_SECONDS)
            sock.sendall(b"w")
            if self._process is not None:
                _await_answer(sock, self._process.pid)
            message, descriptors = _receive(sock)
        except OSError as error:
            self._discard()
            raise _ServerGone from error
        except BaseException:  # such as Ctrl-C: a reply may still come, which nobody would expect
            self._discard()
            raise
        if "pid" not in message or len(descriptors) < 2:  # none that could be taken: the
            for descriptor in descriptors:  # worker then ends by itself, as nobody holds its socket
                os.close(descriptor)
            raise StartError(str(message.get("error", "no file descriptors are left")))
        worker_fd, wake_fd, *rest = descriptors
        worker_sock, pidfd = socket.socket(fileno=worker_fd), rest[0] if rest else -1
        return Worker(message["pid"], worker_sock, wake_fd, pidfd, self._process)

    def _start(self) -> socket.socket:
        if not hasattr(os, "fork"):
            raise self._remember("workers need a platform with fork, such as Linux or macOS")
        if not sys.executable:
            raise self._remember("no Python interpreter is known (sys.executable is empty)")
        self._ready = False
        try:
            ours, theirs = self._sock, self._server_sock = socket.socketpair()
            with theirs:
                self._process = self._popen(theirs.fileno())
            if self._closed:
                raise StartError("the pool is closed")
            ours.settimeout(START_SECONDS)
            ours.sendall(wire.pack(self._config()))
            message, _ = _receive(ours)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise self._remember(f"the fork server did not start: {error}") from error
        if "error" in message:
            raise self._remember(f"the fork server did not start: {message['error']}")
        self._ready = True
        self._failure = ""
        self.servers += 1
        return ours

    def _popen(self, descriptor: int) -> subprocess.Popen[bytes]:
        # Sympy would use gmpy2 or flint where they are installed, whose code no signal can
        # interrupt. A fixed hash seed makes the order of its sets, and so verdicts, repeatable.
        environment = {**os.environ, "SYMPY_GROUND_TYPES": "python", "PYTHONHASHSEED": "0"}
        environment.pop(
            "PYTHONPATH", None
        )  # a relative one would put a stray json.py into the path
        environment["PYTHONWARNINGS"] = "ignore"  # an "error" of the trainer's would stop sympy
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _BOOT, str(descriptor), _TITLE],
            env=environment,
            pass_fds=[descriptor],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _config(self) -> dict[str, object]:
        return {
            "path": [os.path.abspath(entry) for entry in sys.path],
            "owner": os.getpid(),
            "task": self._task,
            "memory_bytes": self._memory_bytes,
            "niceness": self._niceness,
        }

    def _remember(self, reason: str) -> StartError:
        if not self._closed:
            self._failure, self._retry_at = reason, time.monotonic() + RETRY_SECONDS
        return StartError("the pool is closed" if self._closed else reason)

    def _discard(self) -> None:
        sock, self._sock = self._sock, None
        process, self._process = self._process, None
        if sock is not None:
            sock.close()
        if process is not None:
            if not self._ready:
                process.kill()
            _wait(process)


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Reaps the server, which ends by itself once its socket is closed, or else is killed."""
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _await_answer(sock: socket.socket, pid: int) -> None:
    """Waits until process ``pid`` has answered.

    Raises:
        TimeoutError: It had the time for it.
    """
    answered = select.poll()
    answered.register(sock, select.POLLIN)
    patience = Backstop(pid, FORK_SECONDS)
    seconds = FORK_SECONDS
    while not answered.poll(seconds * 1000):
        seconds = patience.owed()
        if not seconds:
            raise TimeoutError


def _receive(sock: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Receives one line, with the descriptors that came along.

    Raises:
        OSError: The other end is closed or silent.
    """
    line, descriptors = b"", []
    try:
        while not line.endswith(b"\n"):
            chunk, received, _, _ = socket.recv_fds(sock, wire.CHUNK, 4, _CLOEXEC)
            descriptors += received
            if not chunk:
                raise ConnectionError("it ended early")
            line += chunk
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        return json.loads(line), descriptors
    except BaseException:
        for descriptor in descriptors:
            os.close(descriptor)
        raise
