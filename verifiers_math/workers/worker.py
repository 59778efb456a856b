"""The parent's end of one worker process."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from verifiers_math.workers import wire

_STOPPED = frozenset("Tt")
"""States in ``/proc``: stopped by a signal, or by a tracer."""


@dataclass(frozen=True, slots=True)
class News:
    """What a worker has let its parent know.

    Attributes:
        reply: The line with the reply, or None.
        signals: The numbers of the signals that have reached the worker.
        gone: Whether the process has ended.
    """

    reply: bytes | None = None
    signals: bytes = b""
    gone: bool = False


class Worker:
    """One worker process: its socket, its wake pipe and its process handle.

    ``kill`` may be called from any thread at any time; everything else belongs to the thread that
    drives the worker.
    """

    def __init__(
        self,
        pid: int,
        sock: socket.socket,
        wake_fd: int,
        pidfd: int,
        server: subprocess.Popen[bytes] | None = None,
    ) -> None:
        self.pid = pid
        self._server = server
        self._sock = sock
        self._wake_fd = wake_fd
        self._pidfd = pidfd
        self._buffer = b""
        self._closed = False
        # Re-entrant: a garbage collection may close the pool from within any of these methods.
        self._lock = threading.RLock()
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._poll.register(wake_fd, select.POLLIN)

    def is_healthy(self) -> bool:
        """Whether an idle worker is alive; forgets what it may have said after its last reply."""
        news = self.listen(0.0)
        return not news.gone and news.reply is None

    def is_stopped(self) -> bool:
        """Whether a signal has stopped the process, which so can never answer (Linux)."""
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text(errors="replace")
        except OSError:  # no such file system, or no descriptor left to look
            return False
        return state.rpartition(")")[2].split()[0] in _STOPPED

    def is_orphaned(self) -> bool:
        """Whether its fork server has ended, which no worker outlives."""
        if self._server is None:
            return False
        if self._server.returncode is None and sys.platform == "linux":
            # Not by `poll`, which says nothing while another thread asks the same.
            try:
                flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
                return os.waitid(os.P_PID, self._server.pid, flags) is not None
            except ChildProcessError:  # reaped meanwhile
                return True
        return self._server.poll() is not None

    def send(self, request: bytes, seconds: float) -> None:
        """Hands over a request.

        Raises:
            TimeoutError: The worker has not taken it within ``seconds``.
            OSError: The worker is gone.
        """
        self._sock.settimeout(seconds)
        self._sock.sendall(request)

    def listen(self, seconds: float) -> News:
        """Waits up to ``seconds`` for news."""
        events = dict(self._poll.poll(max(0.0, seconds) * 1000))
        signals = b""
        if self._wake_fd in events:
            with contextlib.suppress(BlockingIOError):
                signals = os.read(self._wake_fd, wire.CHUNK)
        state = events.get(self._sock.fileno(), 0)
        if not state:
            return News(signals=signals)
        gone = self._receive()
        line, newline, rest = self._buffer.partition(b"\n")
        if newline:
            self._buffer = rest
            return News(reply=line, signals=signals)
        return News(signals=signals, gone=gone)

    def _receive(self) -> bool:
        """Takes what has arrived; True when the other end is closed."""
        try:
            chunk = self._sock.recv(wire.CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self._buffer += chunk
        return not chunk

    def signal(self, number: int) -> None:
        """Sends a signal; does nothing if the process has ended."""
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._closed:
                return
            if sys.platform == "linux" and self._pidfd >= 0:
                # Better than the number, which may be given to a new process; but a sandbox may
                # refuse this call, of which it has never heard.
                try:
                    signal.pidfd_send_signal(self._pidfd, number)
                    return
                except ProcessLookupError:
                    return
                except OSError:
                    pass
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends the process at once."""
        self.signal(signal.SIGKILL)

    def close(self) -> None:
        """Kills the process and gives back the descriptors."""
        self.kill()
        with self._lock:
            self.abandon()

    def abandon(self) -> None:
        """Gives back the descriptors and leaves the process alone, as a forked child must."""
        if self._closed:
            return
        self._closed = True
        self._sock.close()
        for descriptor in (self._wake_fd, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
