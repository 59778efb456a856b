"""math_verify by itself, as its users call it, in processes that can be killed.

It gets processes of its own, not the project's workers: the yardstick must not depend on what it
measures. A pair that runs past the wall limit costs its process, not the benchmark.
"""

from __future__ import annotations

import hashlib
import json
import logging
import multiprocessing
import resource
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter

LIMIT_SECONDS = 5
"""math_verify's own default limit for each of its calls."""
WALL_SECONDS = 40.0
"""When a process is killed: its own alarm is late in C code, and each part has its own limit."""
MEMORY_BYTES = 4 << 30

WARM_UP = (
    "42",
    r"\frac{1}{2}",
    "x^2+3x+1",
    r"\sqrt{2}+\pi",
    "(1,2)",
    r"\{1,2\}",
    r"[0,1)",
    "y=x+1",
)


@dataclass(frozen=True, slots=True)
class PeerItem:
    """One pair for math_verify.

    Attributes:
        gold: The gold; it is boxed, since a bare LaTeX gold is only read in part.
        answer: A final answer, or a whole response.
        is_response: Whether `answer` is handed over as it is; a final answer is boxed.
    """

    gold: str
    answer: str
    is_response: bool

    @property
    def key(self) -> str:
        """A digest that names the pair in a cache."""
        text = json.dumps([self.gold, self.answer, self.is_response])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PeerVerdict:
    """What math_verify said.

    Attributes:
        equal: Its verdict.
        status: ``equal``, ``different``, ``gold_unreadable``, ``answer_unreadable``, ``timeout``
            (its own limit), ``killed`` (it did not come back), or ``error: ...``.
        seconds: Wall time of its calls, without the way to the process and back.
    """

    equal: bool
    status: str
    seconds: float


class _Timeouts(logging.Handler):
    """Counts the warnings with which math_verify reports its own timeouts."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.getMessage().startswith("Timeout during")


def _judge(item: PeerItem, limit: int | None, timeouts: _Timeouts) -> PeerVerdict:
    from math_verify import parse, verify

    timeouts.count = 0
    start = perf_counter()
    gold = parse(rf"\boxed{{{item.gold}}}", parsing_timeout=limit)
    boxed = item.answer if item.is_response else rf"\boxed{{{item.answer}}}"
    answer = parse(boxed, parsing_timeout=limit)
    equal = bool(gold and answer) and verify(gold, answer, timeout_seconds=limit)
    seconds = perf_counter() - start
    return PeerVerdict(equal, _status(equal, timeouts.count, bool(gold), bool(answer)), seconds)


def _status(equal: bool, timeouts: int, gold: bool, answer: bool) -> str:
    if equal:
        return "equal"
    if timeouts:
        return "timeout"
    if not gold:
        return "gold_unreadable"
    return "different" if answer else "answer_unreadable"


def _warm(limit: int | None) -> _Timeouts:
    """Makes this process fit to judge."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    timeouts = _Timeouts()
    logger = logging.getLogger("math_verify")
    logger.addHandler(timeouts)
    logger.propagate = False
    for text in WARM_UP:
        _judge(PeerItem(text, text, is_response=False), limit, timeouts)
    return timeouts


def prepare_here() -> None:
    """Makes this process, one of a pool, fit for `judge_here`."""
    _warm(None)


def judge_here(item: PeerItem) -> PeerVerdict:
    """What math_verify says in this process, without a limit."""
    return _judge(item, None, _Timeouts())


def _serve(connection: Connection, limit: int | None) -> None:
    """The child's loop: a warm math_verify, then pairs until the parent is gone."""
    timeouts = _warm(limit)
    connection.send(None)
    while True:
        try:
            item = connection.recv()
        except EOFError:
            return
        start = perf_counter()
        try:
            verdict = _judge(item, limit, timeouts)
        except Exception as error:
            name = f"error: {type(error).__name__}"
            verdict = PeerVerdict(equal=False, status=name, seconds=perf_counter() - start)
        connection.send(verdict)


class Peer:
    """A warm math_verify in a process of its own.

    Args:
        limit: math_verify's limit in whole seconds for each of its calls; None for none.
        wall_seconds: When the process is killed and replaced.
    """

    def __init__(
        self, limit: int | None = LIMIT_SECONDS, wall_seconds: float = WALL_SECONDS
    ) -> None:
        self._limit = limit
        self._wall_seconds = wall_seconds
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._limit), daemon=True)
        self._process.start()
        theirs.close()
        self._connection.recv()

    def judge(self, item: PeerItem) -> PeerVerdict:
        """Ask math_verify about a pair; never longer than the wall limit."""
        start = perf_counter()
        self._connection.send(item)
        try:
            if self._connection.poll(self._wall_seconds):
                verdict: PeerVerdict = self._connection.recv()
                return verdict
        except EOFError:
            pass
        self.close()
        self._start()
        return PeerVerdict(equal=False, status="killed", seconds=perf_counter() - start)

    def close(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self._connection.close()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _pool(size: int) -> Iterator[Callable[[PeerItem], PeerVerdict]]:
    """Several peers behind one function that any thread may call."""
    peers: SimpleQueue[Peer] = SimpleQueue()
    made = [Peer() for _ in range(size)]
    for peer in made:
        peers.put(peer)

    def judge(item: PeerItem) -> PeerVerdict:
        peer = peers.get()
        try:
            return peer.judge(item)
        finally:
            peers.put(peer)

    try:
        yield judge
    finally:
        for peer in made:
            peer.close()


def judge_all(
    items: Sequence[PeerItem], processes: int, cache_file: Path | None = None
) -> list[PeerVerdict]:
    """What math_verify says about each pair, in order.

    Args:
        items: The pairs; equal ones are judged once.
        processes: How many processes work at a time.
        cache_file: Verdicts of earlier runs, read first and written at the end; None to measure
            all in this run.
    """
    known = _read_cache(cache_file)
    fresh = list({item.key: item for item in items if item.key not in known}.values())
    if fresh:
        with _pool(processes) as judge, ThreadPoolExecutor(processes) as threads:
            for item, verdict in zip(fresh, threads.map(judge, fresh), strict=True):
                known[item.key] = verdict
    if cache_file is not None:
        cache_file.parent.mkdir(parents=True, exist_ok=True)
        cache_file.write_text(json.dumps({key: asdict(value) for key, value in known.items()}))
    return [known[item.key] for item in items]


def _read_cache(cache_file: Path | None) -> dict[str, PeerVerdict]:
    if cache_file is None or not cache_file.is_file():
        return {}
    return {key: PeerVerdict(**value) for key, value in json.loads(cache_file.read_text()).items()}
