"""A service in a process of its own, and clients that behave as no library lets one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0
"""Seconds for whatever must happen some time; generous, since the machine may be loaded."""

SCRIPT = """
import json, sys
from verifiers_math.server import Settings, run
settings = json.loads(sys.argv[1])
if descriptors := settings.pop("descriptors", None):
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
run(port=0, settings=Settings(**settings))
"""
ADDRESS = re.compile(r"running on (http://[\d.]+:(\d+))")
MARKER = "SERVER_TEST_MARKER"


def costly(number: int) -> dict[str, Any]:
    """A request that keeps a worker busy until its time is up; each number is another pair."""
    answer = r"\boxed{\frac{5^{5^{5^{5^5}}}-5}{16}}"
    return {"evaluators": ["correct_answer"], "expected": str(number), "output": answer}


def quick(number: int) -> dict[str, Any]:
    """A wrong answer that needs a worker for a moment; each number is another pair."""
    gold, answer = rf"\min_{{x}} (x^2+{number})", rf"\min_{{y}} (y^2+{number + 1})"
    return {"evaluators": ["correct_answer"], "expected": gold, "output": rf"\boxed{{{answer}}}"}


def pure(number: int) -> dict[str, Any]:
    """A request that needs no worker."""
    return {
        "evaluators": ["correct_answer"],
        "expected": f"{number}/2",
        "output": rf"\boxed{{{number / 2}}}",
    }


class RunningService:
    """A service on a free port of the loopback address.

    Args:
        settings: Keyword arguments of `verifiers_math.server.Settings`, and perhaps
            ``descriptors``, the limit of the process.

    Attributes:
        url: Where it is.
        port: Its port.
        process: Its process.
        log: The lines that it logged.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self.log: list[str] = []
        self._marker = f"marker-{uuid.uuid4().hex}"
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, json.dumps(settings)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), MARKER: self._marker},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.url, self.port = "", 0
        for line in self.process.stderr:
            self.log.append(line)
            if found := ADDRESS.search(line):
                self.url, self.port = found[1], int(found[2])
                break
        assert self.port, self.log
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)

    def post(self, path: str, body: Any) -> tuple[int, Any, dict[str, str]]:
        """Status, decoded body and headers of the answer to a POST."""
        data = json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return answer.status, json.load(answer), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error), dict(error.headers)

    def evaluate(self, body: Any) -> tuple[int, Any, dict[str, str]]:
        """`post` to ``/api/v1/evaluate``."""
        return self.post("/api/v1/evaluate", body)

    def get(self, path: str) -> str:
        """The body of the answer to a GET."""
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
            return text

    def metric(self, name: str) -> float:
        """The value of a metric by its name and labels; 0 where it is not there."""
        for line in self.get("/metrics").splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        return 0.0

    @contextlib.contextmanager
    def connection(self) -> Iterator[socket.socket]:
        """A connection to write raw bytes to."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as made:
            yield made

    def workers(self) -> set[int]:
        """The process ids of everything that the service has started."""
        found = set()
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal() and int(entry.name) != self.process.pid:
                with contextlib.suppress(OSError):
                    marked = self._marker.encode() in (entry / "environ").read_bytes()
                    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                    if marked and state not in "ZX":
                        found.add(int(entry.name))
        return found

    def end(self) -> None:
        """Ends it, and looks that nothing is left."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.process.stderr is not None
        self.process.stderr.close()
        assert eventually(lambda: not self.workers())


def answer_to(connection: socket.socket) -> bytes:
    """What comes back until the other end closes."""
    chunks = []
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            chunks.append(chunk)
    return b"".join(chunks)


def head(length: int, path: str = "/api/v1/evaluate") -> bytes:
    """The head of a POST with a body of some length."""
    return (
        f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        f"content-length: {length}\r\nconnection: close\r\n\r\n"
    ).encode()


def eventually(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Waits until a condition holds; False if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
