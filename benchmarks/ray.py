"""Answers per second on Ray, beside one process: a pool of actors, a data set, a file.

All ways judge the same answers in turn. Ray runs on this machine, with as many CPUs as this process
may use: more actors show here what sharing costs, and not what more machines bring.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pickle
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.common import (
    Report,
    Table,
    cores,
    duration,
    median,
    progress,
    skipped,
    three_digits,
)
from benchmarks.grpo_batch import Completion, make_batch
from benchmarks.processes import descendants, memory, own_cpu_seconds
from verifiers_math.answers import Answer, answer_judge
from verifiers_math.integrations.lines import LineScorer
from verifiers_math.integrations.ray import RewardPool, score_dataset, score_file
from verifiers_math.integrations.ray.crew import Crew, Session
from verifiers_math.integrations.rows import Fields

NAME = "ray"
GROUPS = 64
FEW = 500
SAMPLE_SECONDS = 0.2
OBJECT_STORE_BYTES = 512 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--batches", type=int, default=8, metavar="N", help="batches of 1,024 (default 8)")
    add("--rollouts", type=int, default=50_000, metavar="N", help="lines of the file (50,000)")
    add("--repeats", type=int, default=3, metavar="N", help="repeats of the batches (default 3)")
    add("--seed", type=int, default=0, help="seed of the first batch (default 0)")


@dataclass(slots=True)
class Cost:
    """What a way of judging has cost.

    Attributes:
        answers: How many were judged.
        wrong: How many verdicts are not the label.
        seconds: Wall time.
        cpu_seconds: CPU time of all processes together, Ray's own included.
        caller_seconds: CPU time of this process: what a trainer's own process would pay.
        peak_bytes: Memory of the largest process below this one, as it was sampled, without what
            it shares (Ray's object store).
    """

    answers: int = 0
    wrong: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    caller_seconds: float = 0.0
    peak_bytes: int = 0


class Watch:
    """Looks at the processes below this one, time and again: those that end leave no account."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._at_first = {process: own_cpu_seconds(process) for process in descendants()}
        self._at_last = dict(self._at_first)
        self.peak_bytes = 0
        self.own_seconds = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all these processes since this was made."""
        return sum(
            last - self._at_first.get(process, 0.0) for process, last in self._at_last.items()
        )

    def stop(self) -> None:
        """Looks a last time."""
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        is_last = False
        while not is_last:
            is_last = self._done.wait(SAMPLE_SECONDS)
            for process in descendants():
                before = self._at_last.get(process, 0.0)
                self._at_last[process] = max(before, own_cpu_seconds(process))
                self.peak_bytes = max(self.peak_bytes, memory(process.pid, "RssAnon"))
        self.own_seconds = time.thread_time()


@contextmanager
def measured() -> Iterator[Cost]:
    """Measures what happens within, which says how much was judged."""
    cost = Cost()
    watch = Watch()
    wall, caller = time.perf_counter(), time.process_time()
    yield cost
    cost.seconds = time.perf_counter() - wall
    watch.stop()
    cost.caller_seconds = time.process_time() - caller - watch.own_seconds
    cost.cpu_seconds = cost.caller_seconds + watch.cpu_seconds
    cost.peak_bytes = watch.peak_bytes


# --- batches, as trainers send them ---------------------------------------------------------------

Batches = Sequence[Sequence[Completion]]


def judge_batches(batches: Batches, judge: Callable[[list[Answer]], Sequence[Any]]) -> Cost:
    """Judges batches one after the other, as a trainer waits for the rewards of a step."""
    asked = [[Answer(item.text, item.gold) for item in batch] for batch in batches]
    with measured() as cost:
        found = [judge(answers) for answers in asked]
    for batch, verdicts in zip(batches, found, strict=True):
        cost.answers += len(batch)
        cost.wrong += sum(
            verdict.equal != item.label for verdict, item in zip(verdicts, batch, strict=True)
        )
    return cost


def in_this_process(batches: Batches) -> Cost:
    """Without Ray."""
    judge = answer_judge()
    judge.verifier.warm_up()
    return judge_batches(batches, judge.verdicts)


def in_pool(batches: Batches, actors: int) -> Cost:
    """With a new pool, so that nothing is in its caches."""
    with RewardPool(name=f"benchmark-{actors}-{time.time_ns()}", actors_per_node=actors) as pool:
        pool.warm_up()
        return judge_batches(batches, pool.verdicts)


# --- a file ---------------------------------------------------------------------------------------


def write_rollouts(folder: Path, amount: int, seed: int) -> list[bool]:
    """Writes the same rollouts as JSON lines and as Parquet; returns their labels."""
    import pyarrow.json as pj
    import pyarrow.parquet as pq

    labels: list[bool] = []
    path = folder / "rollouts.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for item in islice(_completions(seed), amount):
            row = {"id": len(labels), "completion": item.text, "answer": item.gold}
            file.write(json.dumps(row) + "\n")
            labels.append(item.label)
    pq.write_table(pj.read_json(path), path.with_suffix(".parquet"), row_group_size=2048)
    return labels


def _completions(seed: int) -> Iterator[Completion]:
    while True:
        yield from make_batch("usual", groups=GROUPS, seed=seed)
        seed += 1


def file_in_this_process(folder: Path) -> None:
    """Without Ray: line by line through the same scorer."""
    score = LineScorer(Fields("completion", "answer"), answer_judge())
    out = folder / "scored.jsonl"
    with (folder / "rollouts.jsonl").open("rb") as lines, out.open("wb") as scored:
        while batch := list(islice(lines, 256)):
            scored.writelines(score(batch)[0])


def lines_by_parts(folder: Path) -> None:
    """JSON lines, file to file."""
    score_file(folder / "rollouts.jsonl", folder / "scored.jsonl", part_bytes=8 << 20)


def parquet_by_parts(folder: Path) -> None:
    """Parquet, file to file."""
    score_file(folder / "rollouts.parquet", folder / "scored.parquet")


def parquet_as_data_set(folder: Path) -> None:
    """Read, scored and written by Ray Data."""
    import ray.data

    scored = score_dataset(ray.data.read_parquet(str(folder / "rollouts.parquet")))
    scored.write_parquet(str(folder / "scored"))


def line_rewards(folder: Path) -> Iterator[tuple[int, float]]:
    """What the scored lines say."""
    with (folder / "scored.jsonl").open("rb") as lines:
        for row in map(json.loads, lines):
            yield row["id"], row["reward"]


def parquet_rewards(folder: Path) -> Iterator[tuple[int, float]]:
    """What the scored Parquet file says, or the files of the folder."""
    import pyarrow.parquet as pq

    found = folder / "scored"
    table = pq.read_table(found if found.exists() else found.with_suffix(".parquet"))
    return zip(table["id"].to_pylist(), table["reward"].to_pylist(), strict=True)


Score = Callable[[Path], None]
Rewards = Callable[[Path], Iterator[tuple[int, float]]]
FILE_WAYS: dict[str, tuple[Score, Rewards]] = {
    "LineScorer in this process": (file_in_this_process, line_rewards),
    "score_file, JSONL": (lines_by_parts, line_rewards),
    "score_file, Parquet": (parquet_by_parts, parquet_rewards),
    "score_dataset, Parquet": (parquet_as_data_set, parquet_rewards),
}


def score_files(amount: int, seed: int) -> dict[str, list[Cost]]:
    """Scores a file in each way, and checks every row of what comes out."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        progress(f"writing {amount:,} rollouts")
        labels = write_rollouts(folder, amount, seed)
        for way, (score, read) in FILE_WAYS.items():
            progress(way)
            with measured() as cost:
                score(folder)
            rewards = list(read(folder))
            cost.answers = len(rewards)
            found_each = dict(rewards)
            cost.wrong = sum(found_each.get(i) != label for i, label in enumerate(labels))
            found[way] = [cost]
    return found


# --- what travels ---------------------------------------------------------------------------------


def travel_figures(batches: Batches) -> dict[str, float]:
    """What it takes to send answers away and their verdicts back: bytes and CPU seconds of each."""
    answers = [Answer(item.text, item.gold) for item in batches[0]]
    verdicts = answer_judge().verdicts(answers)
    chunks = [list(zip(*[iter(items)] * 64, strict=False)) for items in (answers, verdicts)]
    start = time.process_time()
    sent = [[pickle.dumps(chunk, 5) for chunk in part] for part in chunks]
    for part in sent:
        for chunk in part:
            pickle.loads(chunk)  # noqa: S301 - what was pickled here
    seconds = time.process_time() - start
    to, back = (sum(map(len, part)) / len(answers) for part in sent)
    return {"bytes_to": to, "bytes_back": back, "pickle_seconds": seconds / len(answers)}


def call_figures(batch: Sequence[Completion]) -> dict[str, float]:
    """CPU seconds of this process for a call with one answer, and for finding an actor by name."""
    answers = [Answer(item.text, item.gold) for item in batch]
    with RewardPool(name=f"benchmark-calls-{time.time_ns()}", actors_per_node=2) as pool:
        pool.warm_up()

        async def one_by_one() -> None:
            await asyncio.gather(*(pool.averdict(*answer) for answer in answers))

        asyncio.run(one_by_one())
        start = time.process_time()
        asyncio.run(one_by_one())
        call_seconds = (time.process_time() - start) / len(answers)
        crew = Crew(pool._settings, Session.current())
        start = time.process_time()
        found = crew.members()
        return {
            "call_seconds": call_seconds,
            "find_seconds": (time.process_time() - start) / len(found),
        }


# --- the report -----------------------------------------------------------------------------------


def cost_table(title: str, costs: Mapping[str, Sequence[Cost]]) -> Table:
    """The ways beside each other; the first is what the others are compared with."""
    table = Table(
        title,
        [
            "way",
            "answers",
            "wrong",
            "wall",
            "a second",
            "ratio",
            "CPU an answer",
            "caller's CPU an answer",
            "largest process",
        ],
    )
    first = next(iter(costs.values()))
    for name, repeats in costs.items():
        amount = repeats[0].answers
        table.add(
            name,
            amount,
            sum(cost.wrong for cost in repeats),
            duration(median(cost.seconds for cost in repeats)),
            three_digits(amount / median(cost.seconds for cost in repeats)),
            f"{median(_ratios(first, repeats)):.2f}x",
            duration(median(cost.cpu_seconds / amount for cost in repeats)),
            duration(median(cost.caller_seconds / amount for cost in repeats)),
            f"{max(cost.peak_bytes for cost in repeats) / 2**20:.0f} MiB",
        )
    return table


def _ratios(first: Sequence[Cost], repeats: Sequence[Cost]) -> Iterable[float]:
    return [one.seconds / cost.seconds for one, cost in zip(first, repeats, strict=True)]


def _marginal(few: Mapping[str, Sequence[Cost]], many: Mapping[str, Sequence[Cost]]) -> str:
    """What the answers cost that a large file has more than a small one."""
    parts = []
    for name, (small,) in few.items():
        (large,) = many[name]
        more = (large.cpu_seconds - small.cpu_seconds) / max(1, large.answers - small.answers)
        parts.append(f"{name} {duration(max(0.0, more))}")
    return "; ".join(parts)


def run(options: argparse.Namespace) -> Report:
    """Judge the same answers without Ray and in each way on it."""
    if find_spec("ray") is None:
        return skipped(NAME, "Ray is not installed (the extra `ray`)")
    import ray

    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # a cluster of this machine alone
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(
        num_cpus=cores(),
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=OBJECT_STORE_BYTES,
    )
    try:
        import ray.data

        ray.data.DataContext.get_current().enable_progress_bars = False
        return _measure(options)
    finally:
        ray.shutdown()


def _measure(options: argparse.Namespace) -> Report:
    ways: dict[str, Callable[[Batches], Cost]] = {
        "verify_many in this process": in_this_process,
        "pool of 1 actor": lambda batches: in_pool(batches, 1),
        "pool of 2 actors": lambda batches: in_pool(batches, 2),
    }
    in_batches: dict[str, list[Cost]] = {name: [] for name in ways}
    seed = options.seed
    in_this_process([make_batch("usual", groups=GROUPS, seed=seed - 1)])  # loads what it loads
    for repeat in range(options.repeats):
        progress(f"batches, repeat {repeat + 1} of {options.repeats}")
        batches = [
            make_batch("usual", groups=GROUPS, seed=seed + i) for i in range(options.batches)
        ]
        seed += options.batches
        for name, way in ways.items():
            in_batches[name].append(way(batches))
    travel = travel_figures(batches)
    calls = call_figures(batches[0])
    few = score_files(FEW, seed)
    many = score_files(options.rollouts, seed + options.rollouts)
    tables = [
        cost_table("Batches of 1,024, one after the other (median of the repeats)", in_batches),
        cost_table(f"A file of {FEW:,} rollouts: what starting costs", few),
        cost_table(f"A file of {options.rollouts:,} rollouts", many),
    ]
    notes = [
        f"an answer travels as {travel['bytes_to']:.0f} bytes, its verdict as "
        f"{travel['bytes_back']:.0f}; both are pickled and read in "
        f"{duration(travel['pickle_seconds'])} of CPU time",
        f"this process's CPU time for a call with one answer {duration(calls['call_seconds'])}, "
        f"and to find an actor of a pool {duration(calls['find_seconds'])}",
        f"CPU time of one more answer, start aside: {_marginal(few, many)}",
    ]
    figures = {
        "batches": {name: [asdict(cost) for cost in costs] for name, costs in in_batches.items()},
        "few": {name: [asdict(cost) for cost in costs] for name, costs in few.items()},
        "file": {name: [asdict(cost) for cost in costs] for name, costs in many.items()},
        "travel": travel,
        "calls": calls,
    }
    return Report(NAME, tables, notes, figures)
