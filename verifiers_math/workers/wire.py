"""Messages between the processes: one JSON object a line.

JSON's ASCII form holds no raw newline, and lone surrogates survive it. Nothing is ever unpickled.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from typing import Any

CHUNK = 1 << 16
PREEMPTED = "preempted"
"""The kind in a reply that is no outcome: the pair was given up, to run again."""


def pack(message: Mapping[str, object]) -> bytes:
    """Returns the line that carries ``message``."""
    return json.dumps(message).encode("ascii") + b"\n"


def unpack(line: bytes) -> dict[str, Any]:
    """Returns the message in ``line``.

    Raises:
        ValueError: ``line`` is no JSON object.
    """
    message = json.loads(line)
    if not isinstance(message, dict):
        raise ValueError("a message must be a JSON object")
    return message


def lines(sock: socket.socket) -> Iterator[bytes]:
    """Yields the lines that arrive on a blocking socket, until its other end is closed."""
    parts: list[bytes] = []
    while chunk := sock.recv(CHUNK):
        *complete, rest = chunk.split(b"\n")
        for line in complete:
            parts.append(line)
            yield b"".join(parts)
            parts.clear()
        if rest:
            parts.append(rest)
