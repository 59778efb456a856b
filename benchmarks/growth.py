"""Cost of one answer as the batch, the group and the run grow, and its distance to the floor.

Sizes are judged in fresh interpreters, so that none inherits the memory or the cache of another.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import getpid
from time import perf_counter, process_time

from benchmarks.common import Report, Table, cores, duration, goal, median, progress
from benchmarks.footprint import in_fresh_interpreter
from benchmarks.grpo_batch import Completion, make_batch
from benchmarks.peer import PeerItem, PeerVerdict, judge_here, prepare_here
from benchmarks.processes import memory
from verifiers_math.rubrics import MathRubric
from verifiers_math.verifier import Verifier

NAME = "growth"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
BATCH = 1_024
LAST = 9
"""So many of the last batches of a run are looked at."""
MOST_GROWTH = 1.5
"""What an answer of the largest size may cost, as a multiple of one of the smallest."""

Pair = tuple[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--most", type=int, default=SIZES[-1], metavar="N", help="the largest size (default 10^6)")
    add("--rounds", type=int, default=5, metavar="N", help="rounds of the floor (default 5)")
    add("--no-peer", action="store_true", help="leave math_verify out")


# --- growth


def numbers(count: int, group: int, below: int) -> Iterator[Pair]:
    """Distinct pairs, every other one right: fractions that need to be read and compared.

    Args:
        count: How many.
        group: How many have the same gold; they follow each other.
        below: The denominator of the golds; others give others.
    """
    for number in range(count):
        value, other = divmod(number, group)
        factor = 2 + other // 2
        top = factor * value + other % 2
        yield f"{value}/{below}", rf"So it is $\boxed{{\frac{{{top}}}{{{below * factor}}}}}$."


def by_batch(count: int, below: int) -> float:
    """CPU seconds of one ``verify_many`` of so many pairs."""
    pairs = list(numbers(count, group=16, below=below))
    with Verifier() as verifier:
        start = process_time()
        verifier.verify_many(pairs)
        return process_time() - start


def by_group(count: int, below: int) -> float:
    """CPU seconds of one ``score_group`` whose rollouts all have the same gold."""
    states = [
        {"prompt": "", "completion": response, "answer": gold}
        for gold, response in numbers(count, group=count, below=below)
    ]
    with MathRubric() as rubric:
        start = process_time()
        asyncio.run(rubric.score_group(states))
        return process_time() - start


def by_run(count: int, below: int) -> float:
    """CPU seconds of a run of so many pairs, if each of its batches took as long as the last."""
    batches = max(1, count // BATCH)
    pairs = numbers(batches * BATCH, group=16, below=below)
    last: deque[float] = deque(maxlen=LAST)
    with Verifier() as verifier:
        for _ in range(batches):
            batch = [next(pairs) for _ in range(BATCH)]
            start = process_time()
            verifier.verify_many(batch)
            last.append(process_time() - start)
    return median(last) / BATCH * count


WAYS: dict[str, Callable[[int, int], float]] = {
    "one verify_many": by_batch,
    "one group of score_group": by_group,
    "last batches of a run": by_run,
}


def measure(way: str, count: int) -> dict[str, float]:
    """CPU seconds for each answer, and how many bytes this process grew for each.

    Args:
        way: A key of WAYS.
        count: How many answers.
    """
    WAYS[way](BATCH, 11)  # loads what it loads on first use, and reads what no other does
    gc.collect()
    before = memory(getpid(), "VmHWM")
    seconds = WAYS[way](count, 7)
    return {
        "seconds": seconds / count,
        "bytes": (memory(getpid(), "VmHWM") - before) / count,
    }


MEASURE = """
import json
from benchmarks.growth import measure
print(json.dumps(measure({way!r}, {count})))
"""


def growth_figures(most: int) -> dict[str, dict[str, dict[str, float]]]:
    """What `measure` says of each way and size, in interpreters of their own."""
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for way in WAYS:
        for count in (size for size in SIZES if size <= most):
            progress(f"{way}: {count:,}")
            printed = in_fresh_interpreter(MEASURE.format(way=way, count=count)).stdout
            figures.setdefault(way, {})[str(count)] = json.loads(printed)
    return figures


def growth_table(figures: dict[str, dict[str, dict[str, float]]]) -> Table:
    """CPU time of one answer by way and size."""
    sizes = list(next(iter(figures.values())))
    table = Table(
        "CPU time of one answer, by the number of answers",
        ["", *(f"{int(size):,}" for size in sizes), "memory for each"],
    )
    for way, row in figures.items():
        last = row[sizes[-1]]["bytes"]
        table.add(way, *(duration(row[size]["seconds"]) for size in sizes), f"{last:.0f} B")
    return table


# --- the floor


def search(batch: Sequence[Completion]) -> list[bool]:
    """One pass over each text, for something that is not there."""
    return [item.text.rfind("\\nowhere{") >= 0 for item in batch]


def decode(batch: Sequence[str]) -> list[bool]:
    """The texts read from JSON."""
    return [bool(json.loads(line)) for line in batch]


def match_strings(batch: Sequence[Completion]) -> list[bool]:
    """What a grader does that compares strings: the last box, without spaces, against the gold."""
    return [_last_box(item.text).replace(" ", "") == item.gold.replace(" ", "") for item in batch]


def _last_box(text: str) -> str:
    start = text.rfind("\\boxed{")
    depth = 0
    for place in range(start + 6, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return text[start + 7 : place]
    return ""


def judge(batch: Sequence[Completion]) -> list[bool]:
    """Ours, with an empty cache."""
    with Verifier() as verifier:
        return [
            verdict.equal for verdict in verifier.verify_many([(c.gold, c.text) for c in batch])
        ]


def judge_in_pool(items: Sequence[PeerItem], rounds: int) -> float:
    """Wall seconds of math_verify in a standard process pool of all cores, without a limit."""
    context = get_context("spawn")
    with ProcessPoolExecutor(cores(), context, initializer=prepare_here) as pool:
        list(pool.map(judge_here, items[: 2 * cores()]))
        times = []
        for _ in range(rounds):
            start = perf_counter()
            list(pool.map(judge_here, items, chunksize=16))
            times.append(perf_counter() - start)
    return median(times)


def judge_alone(items: Sequence[PeerItem]) -> float:
    """Seconds of math_verify, one after the other in one warm process, without a limit."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=prepare_here) as pool:
        found: list[PeerVerdict] = list(pool.map(judge_here, items, chunksize=16))
    return sum(verdict.seconds for verdict in found)


def floor_figures(rounds: int, with_peer: bool) -> dict[str, dict[str, float]]:
    """Seconds for one answer of a batch, and the share of verdicts that are not the label.

    CPU time of this process, since all but the peer stay in it; wall time of the peer's pool. The
    rounds of all ways follow each other in turn, each with a batch of its own.
    """
    times: dict[str, list[float]] = {}
    wrong: dict[str, int] = {}
    batches = [make_batch("none", seed=seed) for seed in range(rounds)]
    judge(make_batch("none", seed=rounds))
    for batch in batches:
        lines = [json.dumps(item.text) for item in batch]
        labels = [item.label for item in batch]
        ways: dict[str, Callable[[], list[bool]]] = {
            "str.rfind over the text": partial(search, batch),
            "json.loads of the text": partial(decode, lines),
            "string matching": partial(match_strings, batch),
            "verify_many": partial(judge, batch),
        }
        for name, call in ways.items():
            start = process_time()
            verdicts = call()
            times.setdefault(name, []).append(process_time() - start)
            missed = sum(said != label for said, label in zip(verdicts, labels, strict=True))
            wrong[name] = wrong.get(name, 0) + missed
    size = len(batches[0])
    figures = {name: {"seconds": median(found) / size} for name, found in times.items()}
    for name in ("string matching", "verify_many"):
        figures[name]["wrong"] = wrong[name] / (rounds * size)
    if with_peer:
        items = [PeerItem(item.gold, item.text, is_response=True) for item in batches[0]]
        progress("math_verify")
        pool = f"math_verify, process pool of {cores()}"
        figures[pool] = {"seconds": judge_in_pool(items, 1) / size}
        figures["math_verify, one after the other"] = {"seconds": judge_alone(items) / size}
    return figures


def floor_table(figures: dict[str, dict[str, float]]) -> Table:
    """Time of one answer and its ratio to ours."""
    table = Table(
        "Time of one answer of a GRPO batch, no pair repeated",
        ["", "time", "verify_many = 1", "not the label"],
    )
    ours = figures["verify_many"]["seconds"]
    for name, row in figures.items():
        share = f"{row['wrong']:.1%}" if "wrong" in row else "-"
        table.add(name, duration(row["seconds"]), f"{row['seconds'] / ours:.2g}", share)
    return table


def run(options: argparse.Namespace) -> Report:
    """Measure growth and floor."""
    floor = floor_figures(options.rounds, not options.no_peer)
    growth = growth_figures(max(options.most, SIZES[0]))
    notes = []
    for way, row in growth.items():
        first, *_, last = (figures["seconds"] for figures in row.values())
        text = f"{way}: the largest size costs {last / first:.2f}x an answer of the smallest"
        notes.append(goal(f"{text}, goal {MOST_GROWTH:g}x", last <= MOST_GROWTH * first))
    tables = [floor_table(floor), growth_table(growth)]
    return Report(NAME, tables, notes, {"floor": floor, "growth": growth})
