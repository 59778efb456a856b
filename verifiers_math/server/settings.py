"""What the service allows itself and its clients."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from verifiers_math.workers.cores import usable_cores


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The limits of the service. Times are in seconds of the wall clock, sizes in bytes.

    Attributes:
        token: The bearer token that clients must send; None lets everybody in. The page itself,
            ``/healthz`` and ``/openapi.json`` are open in any case.
        max_workers: Worker processes at most (and one spare); by default all usable cores but one,
            which the service itself needs.
        timeout_seconds: The soft limit of one pair, in seconds of a worker's CPU time.
        memory_bytes: Memory that one worker may use.
        max_waiting: Undecided pairs that may be under way at once, half of them costly by their
            look; beyond, a request that needs a worker is answered with 429.
        retry_after_seconds: What such a client is told to wait.
        max_body_bytes: The largest body of a request.
        max_buffered_bytes: What the bodies of all requests may hold together.
        max_items: The longest batch.
        max_depth: The deepest nesting of lists and objects in a body.
        max_connections: Connections at once.
        header_seconds: The time for the head of a request to arrive.
        body_seconds: The time for its body.
        request_seconds: The time from there to the answer.
        write_seconds: How long a client may leave an answer unread that does not fit into the
            buffers.
        idle_seconds: How long a connection is kept between two requests.
        shutdown_seconds: How long requests under way may take after the service was told to end.

    Raises:
        ValueError: A limit is not a positive number, or the token is empty or not plain text.
    """

    token: str | None = field(default=None, repr=False)
    max_workers: int = field(default_factory=lambda: max(1, usable_cores() - 1))
    timeout_seconds: float = 5.0
    memory_bytes: int = 2 << 30
    max_waiting: int = 64
    retry_after_seconds: int = 1
    max_body_bytes: int = 8 << 20
    max_buffered_bytes: int = 128 << 20
    max_items: int = 4096
    max_depth: int = 32
    max_connections: int = 512
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    request_seconds: float = 60.0
    write_seconds: float = 30.0
    idle_seconds: float = 75.0
    shutdown_seconds: float = 30.0

    def __post_init__(self) -> None:
        for limit in fields(self):
            if limit.name != "token":
                _check_positive(limit.name, getattr(self, limit.name))
        if self.token is not None and not (self.token.isascii() and self.token.isprintable()):
            raise ValueError("the token must be printable ASCII, or a header cannot carry it")
        if self.token is not None and not self.token.strip():
            raise ValueError("the token is empty; None means that there is none")


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ValueError(f"{name} must be a positive number, got {value!r}")
