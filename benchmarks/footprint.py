"""Import time, loaded modules, the first verdicts, latency by kind, and memory over a long run.

Each figure comes from fresh interpreters, several where it is a time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Any

from benchmarks.common import (
    ROOT,
    Report,
    Table,
    duration,
    goal,
    median,
    percentile,
    progress,
    three_digits,
)
from benchmarks.grpo_batch import MAKERS
from verifiers_math.verifier import Verifier

NAME = "footprint"
PACKAGE = "verifiers_math"
IMPORT_GOAL = 0.060
HEAVY = ("sympy", "math_verify", "latex2sympy2_extended", "mpmath", "torch", "numpy", "asyncio")
FORBIDDEN = ("sympy", "math_verify", "latex2sympy2_extended", "torch", "numpy")
FLAT_BYTES = 8 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--runs", type=int, default=9, metavar="N", help="interpreters for a time (default 9)")
    add("--count", type=int, default=1_000_000, metavar="N", help="verifications (default 10^6)")


def in_fresh_interpreter(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run some code in a new interpreter, in the checkout's root.

    Raises:
        CalledProcessError: The code failed.
    """
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)


def import_seconds(trace: str, module: str = PACKAGE) -> float:
    """The cumulative time of a module in what ``-X importtime`` writes.

    Raises:
        ValueError: The module is not in it.
    """
    for line in trace.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[2].strip() == module:
            return int(parts[1]) / 1e6
    raise ValueError(f"{module} is not in the trace")


# The names below load on first use, so importing the package alone would measure little.
IMPORTS: tuple[tuple[str, str], ...] = (
    ("import verifiers_math", ""),
    ("... and verify", "verifiers_math.verify"),
    ("... and MathRubric", "verifiers_math.MathRubric"),
)


def import_rows(runs: int) -> list[dict[str, Any]]:
    """Import time and loaded modules of the package and of its main names."""
    wall: dict[str, list[float]] = {"bare": []}
    traced: list[float] = []
    for _ in range(runs):
        wall["bare"].append(_wall("pass"))
        trace = in_fresh_interpreter(f"import {PACKAGE}", "-X", "importtime").stderr
        traced.append(import_seconds(trace))
        for name, use in IMPORTS:
            wall.setdefault(name, []).append(_wall(f"import {PACKAGE}\n{use}"))
    bare = median(wall["bare"])
    rows = [{"what": "bare interpreter", "wall": bare, **_modules("")}]
    for name, use in IMPORTS:
        loaded = _modules(f"import {PACKAGE}\n{use}")
        rows.append({"what": name, "wall": median(wall[name]) - bare, **loaded})
    rows[1]["traced"] = median(traced)
    return rows


def _wall(code: str) -> float:
    start = perf_counter()
    in_fresh_interpreter(code)
    return perf_counter() - start


def _modules(code: str) -> dict[str, Any]:
    # What the interpreter loads by itself (a debugger, a site hook) is not the package's.
    ask = f"""
import sys
before = set(sys.modules)
{code}
loaded = sorted(set(sys.modules) - before)
import json
print(json.dumps({{"count": len(loaded), "heavy": [m for m in {HEAVY!r} if m in loaded]}}))
"""
    found: dict[str, Any] = json.loads(in_fresh_interpreter(ask).stdout)
    return found


def import_table(rows: Sequence[dict[str, Any]]) -> Table:
    """Import time over the bare interpreter."""
    table = Table(
        "Import",
        ["", "wall over bare", "-X importtime", "modules", "heavy ones"],
        left=frozenset({"heavy ones"}),
    )
    for row in rows:
        table.add(
            row["what"],
            duration(max(row["wall"], 0.0)),
            duration(row["traced"]) if "traced" in row else "-",
            row["count"],
            ", ".join(row["heavy"]) or "none",
        )
    return table


FIRST = """
import json, time
start = time.perf_counter()
import verifiers_math as vf
with vf.Verifier() as verifier:
    {before}
    imported = time.perf_counter()
    verdict = verifier.equivalent({gold!r}, {answer!r})
    done = time.perf_counter()
print(json.dumps([imported - start, done - imported, verdict.stage, verdict.equal]))
"""

FIRST_CASES: tuple[tuple[str, str, str, str], ...] = (
    ("a number", "", "1/2", "0.5"),
    ("a radical", "", r"2\sqrt{3}", r"\sqrt{12}"),
    ("by a worker, cold", "", r"\int_0^1 x^2 dx", r"\frac{1}{3}"),
    ("by a worker, after warm_up()", "verifier.warm_up()", r"\int_0^1 x^2 dx", r"\frac{1}{3}"),
)


def first_table(runs: int, figures: dict[str, Any]) -> Table:
    """How long the first verdict of a process takes."""
    table = Table(
        "The first verdict of a fresh process",
        ["", "import and set-up", "verdict", "stage", "right"],
        left=frozenset({"stage"}),
    )
    for name, before, gold, answer in FIRST_CASES:
        code = FIRST.format(before=before, gold=gold, answer=answer)
        results = [json.loads(in_fresh_interpreter(code).stdout) for _ in range(runs)]
        set_up = median(result[0] for result in results)
        verdict = median(result[1] for result in results)
        stage, is_right = results[0][2], all(result[3] for result in results)
        table.add(name, duration(set_up), duration(verdict), stage, "yes" if is_right else "NO")
        figures[name] = {"set_up": set_up, "verdict": verdict, "stage": stage, "right": is_right}
    return table


def kinds_table(figures: dict[str, Any], problems: int = 25) -> Table:
    """Latency of one pair of bare answers, for each kind of answer."""
    table = Table(
        "One pair of bare answers, no cache hit",
        ["kind", "pairs", "median", "99 %", "max", "stages"],
        left=frozenset({"stages"}),
    )
    with Verifier() as verifier:
        verifier.warm_up()
        for kind in MAKERS:
            _timed_kind(verifier, kind, 2, "warm")
            seconds, stages = _timed_kind(verifier, kind, problems, "measured")
            times = (median(seconds), percentile(seconds, 0.99), max(seconds))
            table.add(kind, len(seconds), *map(duration, times), ", ".join(sorted(stages)))
            figures[kind] = dict(zip(("median", "p99", "max"), times, strict=True))
    return table


def _timed_kind(
    verifier: Verifier, kind: str, problems: int, seed: str
) -> tuple[list[float], set[str]]:
    rng = Random(seed)
    seconds: list[float] = []
    stages: set[str] = set()
    for _ in range(problems):
        problem = MAKERS[kind](rng)
        for answer in (*problem.right[:4], *problem.wrong[:4]):
            start = perf_counter()
            verdict = verifier.equivalent(problem.gold, answer)
            if not verdict.cached:
                seconds.append(perf_counter() - start)
                stages.add(verdict.stage)
    return seconds, stages


MEMORY = """
import json, os
from benchmarks.footprint import verify_many_numbers
print(json.dumps(verify_many_numbers({count})))
"""


def verify_many_numbers(count: int) -> list[tuple[int, int, float]]:
    """Judge distinct pairs in this process, most of them never seen again.

    Args:
        count: How many.

    Returns:
        Number of pairs, resident bytes and seconds at 0, and at 1, 2 and 5 times each
        power of ten from 10^4 on.
    """
    from os import getpid

    from benchmarks.processes import memory

    steps = (lead * 10**power for power in range(4, 9) for lead in (1, 2, 5))
    marks = {mark for mark in steps if mark < count} | {count}
    start = perf_counter()
    found = [(0, memory(getpid()), 0.0)]
    with Verifier() as verifier:
        for number in range(1, count + 1):
            _judge_number(verifier, number)
            if number in marks:
                found.append((number, memory(getpid()), perf_counter() - start))
    return found


def _judge_number(verifier: Verifier, number: int) -> None:
    """Four shapes in turn: a whole response, a fraction, a number with commas, an old pair."""
    match number % 4:
        case 0:
            verifier.verify(str(number), rf"Then $n = {number}$, so \boxed{{{number + 1}}}.")
        case 1:
            verifier.equivalent(f"{number}/7", rf"\frac{{{2 * number}}}{{14}}")
        case 2:
            verifier.equivalent(str(number), f"{number:,}")
        case _:
            verifier.equivalent(str(number % 1000), "12.5")


def memory_table(count: int, figures: dict[str, Any]) -> tuple[Table, int]:
    """Memory over many verifications, and its growth in bytes in the last step."""
    found = json.loads(in_fresh_interpreter(MEMORY.format(count=count)).stdout)
    table = Table("Memory over a long run in one process", ["verifications", "resident", "per s"])
    for number, size, seconds in found:
        rate = three_digits(number / seconds) if seconds else "-"
        table.add(f"{number:,}", f"{size / 2**20:.1f} MiB", rate)
    figures["memory"] = [{"count": n, "bytes": size, "seconds": s} for n, size, s in found]
    # The cache fills in the first part of the run; from then on memory has to stay.
    return table, found[-1][1] - found[-2][1]


def run(options: argparse.Namespace) -> Report:
    """Measure what the package costs besides its verdicts."""
    figures: dict[str, Any] = {"first": {}, "kinds": {}}
    progress("imports")
    rows = import_rows(options.runs)
    figures["import"] = rows
    progress("first verdicts and latencies")
    tables = [
        import_table(rows),
        first_table(min(options.runs, 5), figures["first"]),
        kinds_table(figures["kinds"]),
    ]
    progress(f"{options.count:,} verifications")
    table, growth = memory_table(options.count, figures)
    tables.append(table)
    notes = [
        goal("import within 60 ms of the bare interpreter", rows[1]["traced"] <= IMPORT_GOAL),
        goal(
            "import of package and names loads nothing heavy",
            not any(name in FORBIDDEN for row in rows for name in row["heavy"]),
        ),
        goal(
            f"memory flat at the end of the run (the last step grew {growth / 2**20:.1f} MiB)",
            growth <= FLAT_BYTES,
        ),
    ]
    return Report(NAME, tables, notes, figures)
