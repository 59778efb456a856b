"""The command line's speed: scoring a file against merely reading and writing it with ``json``.

Both are processes of their own, in turn, on the same file of rollouts as a trained model writes
them. Figures are medians over the repeats; CPU time is that of the process and its workers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.common import ROOT, Report, Table, duration, goal, median, progress
from benchmarks.grpo_batch import make_batch

NAME = "cli"
RATIO_GOAL = 8.0
FLAT_BYTES = 32 << 20
GROUPS = 64
GROUP_SIZE = 16

_READ_AND_WRITE = """
import json, sys
with open(sys.argv[1], "rb") as source, open(sys.argv[2], "w") as target:
    for line in source:
        target.write(json.dumps(json.loads(line)) + "\\n")
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--rows", type=int, default=100_000, metavar="N", help="rollouts (default 100,000)")
    add("--repeats", type=int, default=3, metavar="N", help="runs of each (default 3)")
    add("--seed", type=int, default=0, help="seed of the rollouts (default 0)")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took.

    Attributes:
        seconds: Wall time.
        cpu_seconds: CPU time, that of its own processes included.
        peak_bytes: Its largest resident memory, without that of its own processes.
    """

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def cost_of(command: Sequence[str]) -> Cost:
    """Run a command to its end.

    Raises:
        RuntimeError: It fails; the message has its last words.
    """
    with tempfile.TemporaryFile() as errors:
        begin = perf_counter()
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise RuntimeError(f"{command[1:4]} failed: {errors.read()[-500:].decode()}")
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def write_rollouts(path: Path, rows: int, seed: int) -> int:
    """Write a file of rollouts; returns its size in bytes."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        while written < rows:
            for item in make_batch("usual", groups=GROUPS, size=GROUP_SIZE, seed=seed + written):
                if written < rows:
                    rollout = {"id": written, "answer": item.gold, "completion": item.text}
                    file.write(json.dumps(rollout) + "\n")
                    written += 1
    return path.stat().st_size


def commands(source: Path, folder: Path) -> dict[str, list[str]]:
    """The two commands on a file."""
    target = str(folder / "out.jsonl")
    return {
        "json": [sys.executable, "-c", _READ_AND_WRITE, str(source), target],
        "score": [
            sys.executable,
            "-m",
            "verifiers_math",
            "score",
            str(source),
            "-o",
            target,
            "--overwrite",
        ],
    }


def speed_table(costs: dict[str, list[Cost]], rows: int) -> Table:
    """Time and memory of both."""
    table = Table(
        f"{rows:,} rollouts (median of {len(costs['json'])} runs)",
        ["command", "wall", "CPU", "rows a second", "peak memory"],
    )
    for name, runs in costs.items():
        wall = median(cost.seconds for cost in runs)
        table.add(
            "read and write with json" if name == "json" else "verifiers-math score",
            duration(wall),
            duration(median(cost.cpu_seconds for cost in runs)),
            f"{rows / wall:,.0f}",
            f"{median(cost.peak_bytes for cost in runs) / 2**20:.0f} MiB",
        )
    return table


def ratios(costs: dict[str, list[Cost]]) -> dict[str, float]:
    """How many times as long scoring takes: pairs of runs that followed each other."""
    pairs = list(zip(costs["score"], costs["json"], strict=True))
    return {
        "wall": median(score.seconds / plain.seconds for score, plain in pairs),
        "cpu": median(score.cpu_seconds / plain.cpu_seconds for score, plain in pairs),
    }


def run(options: argparse.Namespace) -> Report:
    """Score a file and read and write it, in turn."""
    costs: dict[str, list[Cost]] = {"json": [], "score": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, small = folder / "rollouts.jsonl", folder / "small.jsonl"
        progress(f"writing {options.rows:,} rollouts")
        size = write_rollouts(source, options.rows, options.seed)
        write_rollouts(small, max(options.rows // 8, 1), options.seed)
        few = cost_of(commands(small, folder)["score"])
        for repeat in range(options.repeats):
            progress(f"repeat {repeat + 1} of {options.repeats}")
            for kind, command in commands(source, folder).items():
                costs[kind].append(cost_of(command))
        start = cost_of([sys.executable, "-m", "verifiers_math", "--version"])
        bare = cost_of([sys.executable, "-c", ""])
    times = ratios(costs)
    grown = median(cost.peak_bytes for cost in costs["score"]) - few.peak_bytes
    figures: dict[str, Any] = {
        "rows": options.rows,
        "bytes": size,
        "ratios": times,
        "start_seconds": start.seconds - bare.seconds,
        "memory_growth_bytes": grown,
    }
    text = f"score takes {times['wall']:.1f} times the wall time and {times['cpu']:.1f} times the"
    notes = [
        goal(f"{text} CPU time, goal {RATIO_GOAL:.0f} times", times["wall"] <= RATIO_GOAL),
        goal(
            f"peak memory with 8 times the rows grew by {grown / 2**20:.0f} MiB, goal flat",
            grown <= FLAT_BYTES,
        ),
        f"starting the command line: {duration(figures['start_seconds'])} over the interpreter",
    ]
    return Report(NAME, [speed_table(costs, options.rows)], notes, figures)
