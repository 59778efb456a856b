"""A long run under faults: every honest answer right, and nothing grown or left at the end.

A stream as a trainer makes it, batch after batch, through every door: the sync and the async
calls, threads, a rubric, event loops made and dropped, forked children. Most honest answers need a
worker, since math_verify alone is asked for them; attacks stand among them. Meanwhile workers are
killed, stopped and made to crash, the fork server is killed and stopped, descriptors run out, the
clock jumps, signals come in, and the directory for temporary files cannot be written.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import faulthandler
import gc
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from unittest import mock

from benchmarks.common import Report, Table, goal, progress
from benchmarks.processes import descendants, memory, still_alive
from verifiers_math import MathRubric, Status, Verdict, Verifier

NAME = "soak"
SOFT_SECONDS = 2.0
HARD_SECONDS = 60.0
MEMORY_BYTES = 128 << 20
BATCH = 24
STUCK_SECONDS = 300.0
"""A batch that takes longer than this hangs: the run ends with the stacks of all threads."""
FAULT_PAUSE_SECONDS = 1.0
"""Two faults in a shorter time could hit one pair twice, which is given up by design."""
GIVEN_UP = "died on this pair"
"""In the detail of a verdict: two faults hit the workers of one pair, which is then an error."""
GROWTH_BYTES = 24 << 20
"""The memory of this process may be so much larger at the end than after a fifth of the time."""

# Honest answers for math_verify alone; {n} is a number, {k} a multiple of it.
HONEST: tuple[tuple[str, str, bool], ...] = (
    (r"\frac{{{n}}}{{7}}", r"\frac{{{k}}}{{21}}", True),
    (r"\frac{{{n}}}{{7}}", r"\frac{{{k}}}{{22}}", False),
    ("x^2+{n}x", "x(x+{n})", True),
    ("x^2+{n}x", "x(x-{n})", False),
    ("({n}, 2)", "({n}.0, 2)", True),
    (r"{n}\sqrt{{2}}+1", r"1+{n}\sqrt{{2}}", True),
    (r"\{{{n}, 1\}}", r"\{{1, {n}\}}", True),
)
# Answers for the pure stages.
PLAIN: tuple[tuple[str, str, bool], ...] = (
    ("{n}", "{n}.0", True),
    ("{n}", "{k}", False),
    (r"\frac{{{n}}}{{2}}", r"\dfrac{{{k}}}{{6}}", True),
)
# None of them may be found equal to the gold; most end at a limit of time or of memory.
ATTACKS: tuple[tuple[str, str], ...] = (
    ("4", "9^{{9^{{9}}}}+{n}"),
    ("4", "10000000!+{n}"),
    ("4", r"\binom{{1000000000}}{{100000000}}+{n}"),
    ("x", "(x+y+z+{n})^{{200}}"),
    ("4", "2^{{2^{{33}}}}+{n}"),
    ("4", r"\sum_{{n=1}}^{{1000000}}\frac{{1}}{{n^2+{n}}}"),
    ("4", "{{" * 2000 + "{n}" + "}}" * 2000),
)


@dataclass(frozen=True, slots=True)
class Item:
    """One answer of the stream.

    Attributes:
        gold: The reference answer.
        answer: The final answer.
        label: Whether they are the same.
        honest: Whether it must be judged right; an attack must only not be found equal.
    """

    gold: str
    answer: str
    label: bool
    honest: bool = True

    @property
    def response(self) -> str:
        """What a model would have written."""
        return rf"<think>Let us see.</think>So it is \boxed{{{self.answer}}}."

    def is_right(self, verdict: Verdict) -> bool:
        """Whether the verdict is one that the item may have."""
        if not self.honest:
            return not verdict.equal
        return verdict.status is (Status.CORRECT if self.label else Status.INCORRECT)


def items(
    templates: Sequence[tuple[str, str, bool]], numbers: Iterator[int], amount: int
) -> list[Item]:
    """So many honest answers, none of which has been there before."""
    found = []
    for n in (next(numbers) for _ in range(amount)):
        gold, answer, label = templates[n % len(templates)]
        found.append(Item(gold.format(n=n, k=3 * n), answer.format(n=n, k=3 * n), label))
    return found


def attacks(numbers: Iterator[int], amount: int) -> list[Item]:
    """So many attacks, none of which is remembered from before."""
    found = []
    for n in (next(numbers) for _ in range(amount)):
        gold, answer = ATTACKS[n % len(ATTACKS)]
        found.append(Item(gold, answer.format(n=n), False, honest=False))
    return found


# --- faults ------------------------------------------------------------------------------------


class Faults:
    """What is done to the judge while it works.

    Args:
        verifier: The judge whose workers are harmed.
        rng: Chooses the fault.
    """

    def __init__(self, verifier: Verifier, rng: random.Random) -> None:
        self._core = verifier._symbolic._pool._core
        self._rng = rng
        self.counts: Counter[str] = Counter()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="faults", daemon=True)

    def __enter__(self) -> Faults:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(FAULT_PAUSE_SECONDS * self._rng.uniform(1, 2)):
            if not (self._core._workers and self._core._launcher._ready):
                continue  # it mends the last one still: a server that is killed at each start is
            name, fault = self._rng.choice(FAULTS)  # a machine without workers
            with contextlib.suppress(ProcessLookupError, IndexError):
                fault(self)
                self.counts[name] += 1

    def signal_worker(self, number: int) -> None:
        """Sends a signal to a random worker."""
        os.kill(self._rng.choice([worker.pid for worker in list(self._core._workers)]), number)

    def signal_server(self, number: int) -> None:
        """Sends a signal to the fork server."""
        process = self._core._launcher._process
        if process is not None:
            process.send_signal(number)

    def pause_worker(self) -> None:
        """Stops a worker for a moment, as a debugger would."""
        pid = self._rng.choice([worker.pid for worker in list(self._core._workers)])
        os.kill(pid, signal.SIGSTOP)
        self._stop.wait(0.5)
        os.kill(pid, signal.SIGCONT)

    def exhaust_descriptors(self) -> None:
        """Gives no new descriptor for a second, and kills a worker, so that one is asked for."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            self.signal_worker(signal.SIGKILL)
            self._stop.wait(1.0)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    def step_clock(self) -> None:
        """Moves the clock of this process by a day, there and back."""
        real = time.time

        def stepped() -> float:
            return real() + self._rng.choice((-86400, 86400))

        with mock.patch("time.time", stepped):
            self._stop.wait(0.5)

    def interrupt(self, number: int) -> None:
        """Sends a signal to this process, whose handler raises in the main thread."""
        os.kill(os.getpid(), number)


FAULTS: tuple[tuple[str, Callable[[Faults], None]], ...] = (
    ("worker killed", lambda faults: faults.signal_worker(signal.SIGKILL)),
    ("worker stopped", lambda faults: faults.signal_worker(signal.SIGSTOP)),
    ("worker crashed", lambda faults: faults.signal_worker(signal.SIGSEGV)),
    ("worker terminated", lambda faults: faults.signal_worker(signal.SIGTERM)),
    ("worker paused", Faults.pause_worker),
    ("server killed", lambda faults: faults.signal_server(signal.SIGKILL)),
    ("server stopped", lambda faults: faults.signal_server(signal.SIGSTOP)),
    ("no descriptors", Faults.exhaust_descriptors),
    ("clock stepped", Faults.step_clock),
    ("SIGINT", lambda faults: faults.interrupt(signal.SIGINT)),
    ("SIGTERM", lambda faults: faults.interrupt(signal.SIGTERM)),
)


# --- the doors ---------------------------------------------------------------------------------


def _pairs(batch: Sequence[Item]) -> list[tuple[str, str]]:
    return [(item.gold, item.response) for item in batch]


def by_batch(verifier: Verifier, batch: Sequence[Item]) -> list[Verdict]:
    """One call for all."""
    return verifier.verify_many(_pairs(batch))


def by_loop(verifier: Verifier, batch: Sequence[Item]) -> list[Verdict]:
    """An event loop of its own, dropped afterwards."""
    return asyncio.run(verifier.averify_many(_pairs(batch)))


def by_tasks(verifier: Verifier, batch: Sequence[Item]) -> list[Verdict]:
    """A task for each."""

    async def all_of_them() -> list[Verdict]:
        return list(await asyncio.gather(*(verifier.averify(*pair) for pair in _pairs(batch))))

    return asyncio.run(all_of_them())


def by_threads(verifier: Verifier, batch: Sequence[Item]) -> list[Verdict]:
    """Threads of the trainer's own."""
    with ThreadPoolExecutor(8) as threads:
        return list(threads.map(lambda pair: verifier.verify(*pair), _pairs(batch)))


def by_rubric(verifier: Verifier, batch: Sequence[Item]) -> list[Verdict]:
    """A rubric's group."""
    states: list[dict[str, Any]] = [{"completion": it.response, "answer": it.gold} for it in batch]
    MathRubric(verifier=verifier).score_group_sync(states)
    return [state["verdict"] for state in states]


DOORS = (by_batch, by_loop, by_tasks, by_threads, by_rubric)


OPEN_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)
"""The limits of this process before any fault."""


def in_child(verifier: Verifier, batch: Sequence[Item]) -> bool:
    """Whether a forked child, with workers of its own, judges all rightly."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            # No thread is here that would end a fault of the parent's.
            resource.setrlimit(resource.RLIMIT_NOFILE, OPEN_FILES)
            verdicts = verifier.verify_many(_pairs(batch))
            status = int(not all(map(Item.is_right, batch, verdicts)))
            verifier.close()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(_wait_for(pid)) == 0


def _wait_for(pid: int) -> int:
    while True:
        with contextlib.suppress(Interrupt):
            return os.waitpid(pid, 0)[1]


# --- the run -----------------------------------------------------------------------------------


class Interrupt(BaseException):
    """What a signal of the soak raises, as Ctrl-C would."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """What this process holds.

    Attributes:
        processes: Below this one.
        threads: Of this one.
        descriptors: Open ones.
        resident: Bytes.
    """

    processes: int
    threads: int
    descriptors: int
    resident: int

    @classmethod
    def now(cls) -> Footprint:
        """After a collection."""
        gc.collect()
        listed = os.listdir("/proc/self/fd")
        opened = sum(os.path.lexists(f"/proc/self/fd/{number}") for number in listed)
        return cls(len(descendants()), threading.active_count(), opened, memory(os.getpid()))


@dataclass(slots=True)
class Soak:
    """The run and what it has seen.

    Attributes:
        seconds: How long it runs.
        rng: Chooses doors and faults.
        counts: Batches, answers and what became of them.
        wrong: The honest answers that were not judged right, with what was said.
        faults: How often each fault was made.
        footprints: Every so often, the first one a fifth into the run.
        pool: The counts of the pool that was harmed.
        judging: Whether a batch is under way: a signal then breaks in, as Ctrl-C would.
    """

    seconds: float
    rng: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    footprints: list[Footprint] = field(default_factory=list)
    pool: str = ""
    judging: bool = False

    def run(self) -> None:
        """Runs the stream for the given time, and closes the judges."""
        numbers = count(11)
        with (
            Verifier(cache_entries=1000) as pure,
            Verifier(
                stages=("math_verify",),
                timeout_seconds=SOFT_SECONDS,
                hard_timeout_seconds=HARD_SECONDS,
                memory_bytes=MEMORY_BYTES,
                cache_entries=1000,
            ) as symbolic,
            self._signals(),
            mock.patch.dict(os.environ, {"TMPDIR": "/proc/no-such-directory"}),
            mock.patch("tempfile.tempdir", None),
        ):
            _check_no_directory()
            symbolic.warm_up()
            end = time.monotonic() + self.seconds
            settled = end - 0.8 * self.seconds
            with Faults(symbolic, self.rng) as faults:
                while (now := time.monotonic()) < end:
                    self._round(pure, symbolic, numbers)
                    if now > settled:
                        with contextlib.suppress(OSError):  # no descriptors: the next round will do
                            self.footprints.append(Footprint.now())
                            settled = now + self.seconds / 8
                            progress(f"{self.counts} {self.statuses} {self.footprints[-1]}")
            self.faults = faults.counts
            self.pool = str(symbolic._symbolic._pool.stats)

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Handlers for Ctrl-C and for termination that raise in the main thread."""

        def stop(*_: object) -> None:
            if self.judging:
                self.judging = False
                raise Interrupt

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _round(self, pure: Verifier, symbolic: Verifier, numbers: Iterator[int]) -> None:
        faulthandler.dump_traceback_later(STUCK_SECONDS, exit=True)
        hard = items(HONEST, numbers, BATCH - 3)
        self._batch(symbolic, [*hard, *attacks(numbers, 2)])
        self._batch(pure, items(PLAIN, numbers, BATCH))
        if self.rng.random() < 0.1:
            batch = items(HONEST, numbers, 4)
            self.counts["forks"] += 1
            if not in_child(symbolic, batch):
                self.wrong.append("in a forked child")
        faulthandler.cancel_dump_traceback_later()

    def _batch(self, verifier: Verifier, batch: list[Item]) -> None:
        """Judges a batch by a random door; as a trainer would, again where a signal broke in."""
        self.rng.shuffle(batch)
        while True:
            door = self.rng.choice(DOORS)
            try:
                self.judging = True
                verdicts = door(verifier, batch)
                self.judging = False
                break
            except Interrupt:
                self.counts["interrupted"] += 1
            except OSError as error:  # a loop could not be made: no descriptors
                self.judging = False
                self.counts[f"loops: {error.strerror}"] += 1
                time.sleep(0.2)
        self.counts["batches"] += 1
        for item, verdict in zip(batch, verdicts, strict=True):
            self.counts["honest" if item.honest else "attacks"] += 1
            self.statuses[f"{'honest' if item.honest else 'attack'} {verdict.status.value}"] += 1
            if item.honest and GIVEN_UP in verdict.detail:
                self.counts["honest, given up"] += 1
            elif not item.is_right(verdict):
                said = f"{verdict.status.value} by {verdict.stage}: {verdict.detail}"
                self.wrong.append(f"{item.gold} | {item.answer[:60]} | {door.__name__} | {said}")
                progress(self.wrong[-1])


def _check_no_directory() -> None:
    """Makes sure that whatever wanted a temporary file now would not get it where it asks."""
    if tempfile.gettempdir() == os.environ["TMPDIR"]:
        raise RuntimeError("the directory for temporary files was to be one that cannot be")


def soak(seconds: float, seed: int) -> tuple[Soak, dict[str, int]]:
    """Runs the soak.

    Args:
        seconds: How long.
        seed: Of the random choices.

    Returns:
        The run, and how many processes, threads and descriptors it has left.
    """
    before, below = Footprint.now(), descendants()
    run = Soak(seconds, random.Random(seed))
    run.run()
    left = still_alive(descendants() - below, within_seconds=10.0)
    end = time.monotonic() + 10.0
    while threading.active_count() > before.threads and time.monotonic() < end:
        time.sleep(0.05)
    after = Footprint.now()
    return run, {
        "processes": len(left),
        "threads": after.threads - before.threads,
        "descriptors": after.descriptors - before.descriptors,
    }


def growth(run: Soak) -> int:
    """Bytes by which this process has grown since it had settled."""
    return run.footprints[-1].resident - run.footprints[0].resident if run.footprints else 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="of the random choices")


def run(options: argparse.Namespace) -> Report:
    """Soaks the judge."""
    done, left = soak(options.minutes * 60, options.seed)
    table = Table("What was done and what came of it", ["", "count"])
    for counts in (done.counts, done.statuses, done.faults):
        for name, number in sorted(counts.items()):
            table.add(name, number)
    held = Table("What this process held", ["processes", "threads", "descriptors", "resident"])
    for footprint in done.footprints:
        cells = (footprint.processes, footprint.threads, footprint.descriptors)
        held.add(*cells, f"{footprint.resident / 2**20:.1f} MiB")
    grown = growth(done)
    notes = [
        goal(f"every honest answer judged right ({len(done.wrong)} were not)", not done.wrong),
        f"hit twice, and given up by design: {done.counts['honest, given up']} honest answers",
        goal(f"nothing left: {left}", not any(count > 0 for count in left.values())),
        goal(f"memory grown by {grown / 2**20:.1f} MiB after settling", grown < GROWTH_BYTES),
        f"the pool: {done.pool}",
        *done.wrong[:20],
    ]
    figures = {
        **{name: dict(getattr(done, name)) for name in ("counts", "statuses", "faults")},
        "left": left,
        "grown_bytes": grown,
        "wrong": done.wrong,
    }
    return Report(NAME, [table, held], notes, figures)


if __name__ == "__main__":
    sys.exit("run it as: python -m benchmarks soak")
