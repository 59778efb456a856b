"""A client that posts bodies over many connections; run by itself, apart from who is measured.

It reads a plan as JSON from standard input, and writes what happened as JSON:
``python -m benchmarks.http_load < plan.json``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

MOST_TRIES = 120


@dataclass(frozen=True, slots=True)
class Plan:
    """What to post.

    Attributes:
        port: Where, on the loopback address.
        path: The path.
        connections: Connections that each post one body after the other.
        seconds: For how long.
        bodies: A file with a body a line; each is posted once at most.
        slow: A file with honest bodies that take long: connections of their own post them, so that
            nobody waits behind them; none where it is "".
        slow_one_in: One of so many honest requests is such a one.
        attacks: A file with attacks, which connections of their own post too; none where it is "".
        attack_one_in: One of so many requests is an attack.
    """

    port: int
    path: str
    connections: int
    seconds: float
    bodies: str
    slow: str = ""
    slow_one_in: int = 1000
    attacks: str = ""
    attack_one_in: int = 20


@dataclass(slots=True)
class Posted:
    """Honest requests.

    Attributes:
        numbers: Their lines in the file of bodies, from 0.
        latencies: The time of each in seconds, with the waits of those that were told to wait.
        answers: The answer to each, or null where it was lost.
    """

    numbers: list[int] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What happened.

    Attributes:
        seconds: Wall time, until the last of `usual` was answered.
        ran_out: Whether there were too few bodies.
        usual: The honest requests.
        slow: The honest ones that take long.
        retries: How often an honest one was told to wait.
        attacks: Attacks that were answered, by status.
        attacks_lost: Attacks without an answer.
    """

    seconds: float = 0.0
    ran_out: bool = False
    usual: Posted = field(default_factory=Posted)
    slow: Posted = field(default_factory=Posted)
    retries: int = 0
    attacks: dict[str, int] = field(default_factory=dict)
    attacks_lost: int = 0


class Connection:
    """A connection that is kept between requests."""

    def __init__(self, port: int, path: str) -> None:
        self._port = port
        self._head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, body: bytes) -> tuple[int, bytes, dict[bytes, bytes]]:
        """Status, body and headers of the answer.

        Raises:
            OSError: The connection broke.
            EOFError: It ended in the middle of an answer.
        """
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        try:
            writer.write(f"{self._head}content-length: {len(body)}\r\n\r\n".encode() + body)
            top, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
            headers = dict(line.split(b": ", 1) for line in lines)
            answer = await reader.readexactly(int(headers[b"content-length"]))
        except BaseException:
            self.close()
            raise
        if headers.get(b"connection") == b"close":
            self.close()
        return int(top.split()[1]), answer, headers

    def close(self) -> None:
        """Ends it; the next request makes another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Load:
    """Posts what a plan says, and counts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._bodies = _lines(plan.bodies)
        self._slow = _lines(plan.slow)
        self._attacks = _lines(plan.attacks)
        self._tally = Tally()
        self._sent = 0
        self._end = 0.0
        self._beside: set[asyncio.Task[None]] = set()

    async def run(self) -> Tally:
        """Posts until the time is over, and waits for the answers to what was posted."""
        begin = perf_counter()
        self._end = begin + self._plan.seconds
        async with asyncio.TaskGroup() as group:
            for _ in range(self._plan.connections):
                group.create_task(self._usual())
        self._tally.seconds = perf_counter() - begin
        if self._beside:
            await asyncio.wait(self._beside)
        return self._tally

    async def _usual(self) -> None:
        connection = self._connection()
        while perf_counter() < self._end:
            entry = next(self._bodies, None)
            if entry is None:
                self._tally.ran_out = True
                break
            self._send_others()
            await self._honest(connection, entry, self._tally.usual)
        connection.close()

    def _send_others(self) -> None:
        """In their turn: a slow honest request, an attack."""
        self._sent += 1
        if self._sent % (self._plan.attack_one_in - 1) == 0 and (
            entry := next(self._attacks, None)
        ):
            self._start(self._attack(entry[1]))
        if self._sent % (self._plan.slow_one_in - 1) == 0 and (entry := next(self._slow, None)):
            self._start(self._honest(self._connection(), entry, self._tally.slow))

    def _start(self, beside: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(beside)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    def _connection(self) -> Connection:
        return Connection(self._plan.port, self._plan.path)

    async def _honest(
        self, connection: Connection, entry: tuple[int, bytes], posted: Posted
    ) -> None:
        number, body = entry
        begin = perf_counter()
        answer = await self._until_served(connection, body)
        posted.numbers.append(number)
        posted.latencies.append(perf_counter() - begin)
        posted.answers.append(answer)

    async def _until_served(self, connection: Connection, body: bytes) -> Any:
        """The answer; None where there is none, or another one than wanted."""
        for _ in range(MOST_TRIES):
            try:
                status, answer, headers = await connection.post(body)
            except (OSError, EOFError):
                return None
            if status != 429:
                return json.loads(answer) if status == 200 else None
            self._tally.retries += 1
            await asyncio.sleep(float(headers[b"retry-after"]))
        return None

    async def _attack(self, body: bytes) -> None:
        connection = self._connection()
        try:
            status, _, _ = await connection.post(body)
        except (OSError, EOFError):
            self._tally.attacks_lost += 1
        else:
            self._tally.attacks[str(status)] = self._tally.attacks.get(str(status), 0) + 1
        connection.close()


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    return enumerate(Path(path).read_bytes().splitlines() if path else [])


def main() -> None:
    """Reads the plan, posts, and writes the tally."""
    plan = Plan(**json.load(sys.stdin))
    json.dump(asdict(asyncio.run(Load(plan).run())), sys.stdout)


if __name__ == "__main__":
    main()
