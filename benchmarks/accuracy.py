"""Verdicts on labelled pairs against their labels, with math_verify alone beside them.

The peer is called as its users call it: the gold boxed, a final answer boxed, a whole response
handed over as it is, and its own limit of 5 s for each call.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.common import (
    DEFAULT_DATA,
    WORKER_STAGES,
    Report,
    Table,
    cores,
    duration,
    goal,
    median,
    percent,
    percentile,
    progress,
    skipped,
    stage_order,
)
from benchmarks.corpora import Row, load_rows, load_wrong_labels
from benchmarks.peer import PeerItem, PeerVerdict, judge_all
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.verifier import Verifier

NAME = "accuracy"
MOST_FALSE_POSITIVES = 5
MOST_FALSE_NEGATIVES = 23
LEAST_TRICKY_RIGHT = 0.97
APART = ("tricky", "must")
"""Sets that are not a sample of traffic and so no part of the total."""

FAILURES = (Status.TIMEOUT, Status.LIMIT, Status.ERROR, Status.GOLD_UNREADABLE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--data", type=Path, default=DEFAULT_DATA, metavar="DIR", help="holds corpora/ and cases/")
    add("--files", default="", metavar="A,B", help="only these sets, by the start of their name")
    add("--limit", type=int, default=0, metavar="N", help="only the first N rows of each set")
    add("--no-peer", action="store_true", help="leave math_verify alone out")
    add("--no-golds", action="store_true", help="leave the golds against themselves out")
    add("--peer-cache", type=Path, metavar="FILE", help="keep the peer's verdicts between runs")
    add("--corrected", action="store_true", help="turn the labels listed as wrong")
    add("--write-disagreements", type=Path, metavar="FILE", help="every wrong row as JSON lines")


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with our verdict and the peer's.

    Attributes:
        row: The labelled pair.
        verdict: Ours.
        seconds: Wall time of our call.
        peer: math_verify's verdict; None where it was left out.
    """

    row: Row
    verdict: Verdict
    seconds: float
    peer: PeerVerdict | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether our verdict and the label differ."""
        return self.verdict.equal != self.row.label

    def to_dict(self) -> dict[str, Any]:
        """The row, both verdicts and the label as plain data."""
        return {
            "id": self.row.id,
            "file": self.row.file,
            "kind": self.row.kind,
            "form": self.row.form,
            "policy": self.row.policy,
            "gold": self.row.gold,
            "response": self.row.response,
            "label": self.row.label,
            "verdict": self.verdict.to_dict(),
            "peer": None if self.peer is None else self.peer.status,
        }


@dataclass(frozen=True, slots=True)
class Errors:
    """How many of some verdicts are wrong, and in which direction."""

    items: int
    false_positives: int
    false_negatives: int

    @classmethod
    def count(cls, pairs: Iterable[tuple[bool, bool]]) -> Errors:
        """From pairs of label and verdict."""
        counts = Counter(pairs)
        return cls(counts.total(), counts[False, True], counts[True, False])

    @property
    def wrong(self) -> int:
        """Both kinds together."""
        return self.false_positives + self.false_negatives

    def __str__(self) -> str:
        return f"{self.false_positives} / {self.false_negatives}"

    def to_dict(self) -> dict[str, int]:
        """The counts as plain data."""
        return {
            "items": self.items,
            "false_positives": self.false_positives,
            "false_negatives": self.false_negatives,
        }


def ours(rows: Iterable[Judged]) -> Errors:
    """Our errors on some rows."""
    return Errors.count((item.row.label, item.verdict.equal) for item in rows)


def peers(rows: Iterable[Judged]) -> Errors | None:
    """The peer's errors on some rows; None where it was left out."""
    judged = [(item.row.label, item.peer.equal) for item in rows if item.peer is not None]
    return Errors.count(judged) if judged else None


def judge_row(verifier: Verifier, row: Row) -> Judged:
    """Our verdict on a row, and how long the call took."""
    start = perf_counter()
    if row.form == "answer":
        verdict = verifier.equivalent(row.gold, row.response)
    else:
        verdict = verifier.verify(row.gold, row.response)
    return Judged(row, verdict, perf_counter() - start)


def judge_rows(rows: Sequence[Row]) -> list[Judged]:
    """Our verdicts on all rows, one after the other on warm workers."""
    judged = []
    with Verifier() as verifier:
        verifier.warm_up()
        for number, row in enumerate(rows, 1):
            judged.append(judge_row(verifier, row))
            if number % 2000 == 0:
                progress(f"{number:,} of {len(rows):,} judged")
    return judged


def with_peer(judged: Sequence[Judged], cache_file: Path | None) -> list[Judged]:
    """The same rows with math_verify's verdicts."""
    progress(f"math_verify alone on {len(judged):,} pairs")
    items = [
        PeerItem(item.row.gold, item.row.response, item.row.form == "response") for item in judged
    ]
    verdicts = judge_all(items, cores(), cache_file)
    return [replace(item, peer=peer) for item, peer in zip(judged, verdicts, strict=True)]


def select(rows: Iterable[Row], files: str, limit: int) -> list[Row]:
    """The rows of the wanted sets; no names and no limit mean all."""
    prefixes = tuple(name for name in files.split(",") if name)
    seen: Counter[str] = Counter()
    chosen = []
    for row in rows:
        if prefixes and not row.file.startswith(prefixes):
            continue
        seen[row.file] += 1
        if not limit or seen[row.file] <= limit:
            chosen.append(row)
    return chosen


def correct_labels(rows: Iterable[Row], wrong: Iterable[str]) -> list[Row]:
    """The rows with the labels turned that are listed as wrong."""
    listed = frozenset(wrong)
    return [replace(row, label=not row.label) if row.id in listed else row for row in rows]


def group_of(file: str) -> str:
    """``corpora``, ``golds``, or the name of a set that is counted apart."""
    if file in APART:
        return file
    return "golds" if file.startswith("golds_") else "corpora"


def by_file(judged: Iterable[Judged]) -> dict[str, list[Judged]]:
    """The rows of each set, the sample of traffic first."""
    order = ("corpora", *APART, "golds")
    files: dict[str, list[Judged]] = {}
    for item in sorted(judged, key=lambda item: order.index(group_of(item.row.file))):
        files.setdefault(item.row.file, []).append(item)
    return files


def plain(rows: Iterable[Judged]) -> list[Judged]:
    """The rows whose label rests on no convention."""
    return [item for item in rows if not item.row.policy]


def with_totals(files: dict[str, list[Judged]]) -> dict[str, list[Judged]]:
    """The sets with one more, the total of the sample of traffic, behind that sample."""
    sample = {name: rows for name, rows in files.items() if group_of(name) == "corpora"}
    rest = {name: rows for name, rows in files.items() if name not in sample}
    total = [item for rows in sample.values() for item in rows]
    return {**sample, **({"TOTAL": total} if total else {}), **rest}


def errors_table(files: dict[str, list[Judged]]) -> Table:
    """False positives and false negatives of each set, ours and the peer's."""
    table = Table(
        "Errors, false positives / false negatives",
        [
            "set",
            "items",
            "ours",
            "math_verify",
            "policy items",
            "policy: ours",
            "policy: math_verify",
        ],
    )
    for name, rows in files.items():
        certain = plain(rows)
        loose = [item for item in rows if item.row.policy]
        cells = []
        for part in (certain, loose):
            peer = peers(part)
            cells += [len(part), ours(part) if part else "-", "-" if peer is None else peer]
        table.add(name, *cells)
    return table


def _times(rows: Sequence[Judged]) -> list[float]:
    return [item.seconds for item in rows if not item.verdict.cached]


def stages_table(files: dict[str, list[Judged]]) -> Table:
    """Which stage decided, how often none could, and how long it took."""
    stages = stage_order(item.verdict.stage for rows in files.values() for item in rows)
    table = Table(
        "How it was decided, and how long a pair took",
        [
            "set",
            *(stage or "(none)" for stage in stages),
            "timeout/limit/error/gold",
            "median",
            "99 %",
            "math_verify median",
            "math_verify 99 %",
        ],
    )
    for name, rows in files.items():
        shares = Counter(item.verdict.stage for item in rows)
        statuses = Counter(item.verdict.status for item in rows)
        peer = [item.peer.seconds for item in rows if item.peer is not None]
        table.add(
            name,
            *(percent(shares[stage], len(rows)) for stage in stages),
            "/".join(str(statuses[status]) for status in FAILURES),
            duration(median(_times(rows))),
            duration(percentile(_times(rows), 0.99)),
            duration(median(peer)),
            duration(percentile(peer, 0.99)),
        )
    return table


def figures(name: str, rows: Sequence[Judged]) -> dict[str, Any]:
    """The numbers of one set as plain data."""
    parts = {"without_policy": plain(rows), "policy": [item for item in rows if item.row.policy]}
    peer_seconds = [item.peer.seconds for item in rows if item.peer is not None]
    return {
        "set": name,
        "ours": {part: ours(items).to_dict() for part, items in parts.items()},
        "peer": {
            part: errors.to_dict()
            for part, items in parts.items()
            if (errors := peers(items)) is not None
        },
        "stages": dict(Counter(item.verdict.stage for item in rows)),
        "statuses": dict(Counter(item.verdict.status.value for item in rows)),
        "peer_statuses": dict(Counter(item.peer.status for item in rows if item.peer)),
        "median_seconds": median(_times(rows)),
        "p99_seconds": percentile(_times(rows), 0.99),
        "max_seconds": max(_times(rows), default=0.0),
        "peer_median_seconds": median(peer_seconds),
        "peer_p99_seconds": percentile(peer_seconds, 0.99),
    }


def goal_notes(files: dict[str, list[Judged]]) -> list[str]:
    """The goals that these sets can be held against."""
    notes = []
    if rows := files.get("TOTAL"):
        notes += _total_notes(rows, files)
    if rows := files.get("tricky"):
        wrong = ours(rows).wrong
        right = 1 - wrong / len(rows)
        text = f"tricky: {percent(right, 1)} right; goal {LEAST_TRICKY_RIGHT:.0%}"
        notes.append(goal(text, right >= LEAST_TRICKY_RIGHT))
    if rows := files.get("must"):
        wrong = ours(rows).wrong
        notes.append(goal(f"must: {wrong} of {len(rows)} rows wrong; goal 0", wrong == 0))
    selves = [item for name, rows in files.items() if name.endswith(":self") for item in rows]
    if selves:
        wrong = ours(selves).wrong
        text = f"golds: {wrong} of {len(selves):,} not equal to themselves; goal 0"
        notes.append(goal(text, wrong == 0))
    return notes


def _total_notes(rows: Sequence[Judged], files: dict[str, list[Judged]]) -> list[str]:
    errors = ours(plain(rows))
    text = (
        f"total without policy items: {errors.items:,} items, {errors.false_positives} false "
        f"positives (goal {MOST_FALSE_POSITIVES}), {errors.false_negatives} false negatives "
        f"(goal {MOST_FALSE_NEGATIVES})"
    )
    met = (
        errors.false_positives <= MOST_FALSE_POSITIVES
        and errors.false_negatives <= MOST_FALSE_NEGATIVES
    )
    reached = sum(item.verdict.stage in WORKER_STAGES for item in rows)
    notes = [
        goal(text, met),
        goal(
            f"reached a worker: {percent(reached, len(rows))} of the pairs; goal 2 %",
            reached <= 0.02 * len(rows),
        ),
    ]
    # A solution is no response: many state their answer nowhere near the end.
    worse = [
        name
        for name, part in files.items()
        if name != "TOTAL" and group_of(name) != "golds" and _is_worse(plain(part))
    ]
    if any(item.peer for item in rows):
        text = f"sets with more errors than math_verify: {', '.join(worse) or 'none'}; goal none"
        notes.append(goal(text, not worse))
    return notes


def _is_worse(rows: Sequence[Judged]) -> bool:
    peer = peers(rows)
    return peer is not None and ours(rows).wrong > peer.wrong


def label_note(rows: Iterable[Row], wrong: Iterable[str], corrected: bool) -> str:
    """How many rows carry a label listed as wrong, and how they are counted."""
    count = sum(row.id in frozenset(wrong) for row in rows)
    how = "with the label turned" if corrected else "with the label as it stands"
    return f"{count} rows have a label that was read and found wrong; they are counted {how}"


def write_disagreements(path: Path, judged: Iterable[Judged]) -> int:
    """Write every wrong row as a line of JSON; returns how many."""
    wrong = [item for item in judged if item.is_wrong]
    lines = (json.dumps(item.to_dict(), ensure_ascii=True) + "\n" for item in wrong)
    path.write_text("".join(lines), encoding="utf-8")
    return len(wrong)


def run(options: argparse.Namespace) -> Report:
    """Judge all rows and compare with their labels."""
    rows = select(load_rows(options.data), options.files, options.limit)
    if options.no_golds:
        rows = [row for row in rows if group_of(row.file) != "golds"]
    if not rows:
        return skipped(NAME, f"no labelled pairs below {options.data} (see --data and --files)")
    wrong_labels = load_wrong_labels()
    if options.corrected:
        rows = correct_labels(rows, wrong_labels)
    judged = judge_rows(rows)
    if not options.no_peer:
        judged = with_peer(judged, options.peer_cache)
    files = with_totals(by_file(judged))
    report = Report(NAME, [errors_table(files), stages_table(files)], goal_notes(files))
    report.notes.append(label_note(rows, wrong_labels, options.corrected))
    if options.write_disagreements:
        count = write_disagreements(options.write_disagreements, judged)
        report.notes.append(f"{count} wrong rows written to {options.write_disagreements}")
    report.figures = {"sets": [figures(name, part) for name, part in files.items()]}
    return report
