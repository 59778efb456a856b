"""What all benchmarks share: percentiles, tables, the header and the place of the data."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from math import ceil
from pathlib import Path
from typing import Any

from verifiers_math import __version__

ROOT = Path(__file__).resolve().parent.parent
DEFAULT_DATA = ROOT.parent / "shared"


def percentile(values: Iterable[float], share: float) -> float:
    """The nearest-rank percentile: the smallest value with `share` of all values at or below it.

    Args:
        values: The numbers, in any order.
        share: Between 0 and 1; 0.5 is the (lower) median.

    Returns:
        One of the values; NaN where there are none.

    Raises:
        ValueError: `share` is outside of 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must be between 0 and 1, not {share}")
    ordered = sorted(values)
    if not ordered:
        return float("nan")
    return ordered[max(ceil(share * len(ordered)), 1) - 1]


def median(values: Iterable[float]) -> float:
    """The lower median; NaN where there are no values."""
    return percentile(values, 0.5)


def duration(seconds: float) -> str:
    """A time with three digits and a fitting unit: ``"38.2 µs"``, ``"4.10 ms"``, ``"1.32 s"``."""
    if seconds != seconds:
        return "-"
    for factor, unit in ((1e6, "µs"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{three_digits(seconds * factor)} {unit}"
    return f"{three_digits(seconds)} s"


def three_digits(value: float) -> str:
    """A non-negative number with three digits, and never fewer than its whole part has."""
    if value < 9.995:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def percent(part: float, whole: float) -> str:
    """A share of a whole as a percentage; ``"-"`` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


@dataclass(slots=True)
class Table:
    """A titled table, printed as aligned markdown.

    Attributes:
        title: The line above it.
        columns: The headings; the first column is aligned left, the others right.
        rows: The cells; anything is turned into text.
        left: Further columns, by heading, that are aligned left.
    """

    title: str
    columns: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)
    left: frozenset[str] = frozenset()

    def add(self, *cells: object) -> None:
        """Append a row.

        Raises:
            ValueError: The row does not have one cell for each column.
        """
        if len(cells) != len(self.columns):
            raise ValueError(f"{len(cells)} cells for {len(self.columns)} columns")
        self.rows.append(cells)

    def __str__(self) -> str:
        grid = [[str(cell).replace("|", "\\|") for cell in row] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.columns, *grid, strict=True)]
        is_left = [i == 0 or name in self.left for i, name in enumerate(self.columns)]

        def line(cells: Sequence[str]) -> str:
            padded = (
                cell.ljust(width) if left else cell.rjust(width)
                for cell, width, left in zip(cells, widths, is_left, strict=True)
            )
            return f"| {' | '.join(padded)} |"

        rule = [
            "-" * (width + 2) if left else "-" * (width + 1) + ":"
            for width, left in zip(widths, is_left, strict=True)
        ]
        head = [self.title, "", line(self.columns), f"|{'|'.join(rule)}|"]
        return "\n".join(head + [line(row) for row in grid])


@dataclass(slots=True)
class Report:
    """What a benchmark found: tables for a person, figures for a program.

    Attributes:
        name: The benchmark's name.
        tables: The tables, in the order in which they are printed.
        notes: Sentences below the tables.
        figures: The same numbers as plain data, in seconds and bytes.
    """

    name: str
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data that ``json.dumps`` takes."""
        return {
            "benchmark": self.name,
            "machine": versions(),
            "figures": self.figures,
            "notes": self.notes,
        }

    def __str__(self) -> str:
        parts = [header(self.name), *map(str, self.tables)]
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes))
        return "\n\n".join(parts)


def skipped(name: str, reason: str) -> Report:
    """The report of a benchmark that could not run, with its reason."""
    return Report(name, notes=[f"skipped: {reason}"], figures={"skipped": reason})


def goal(text: str, met: bool) -> str:
    """A goal and whether it was met."""
    return f"{text}: {'met' if met else 'NOT met'}"


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def versions() -> dict[str, Any]:
    """The versions that the figures depend on, and the number of cores."""
    return {
        "python": platform.python_version(),
        "verifiers-math": __version__,
        "math-verify": metadata.version("math-verify"),
        "cores": cores(),
    }


def header(name: str) -> str:
    """One line that says what ran on what."""
    facts = ", ".join(f"{key} {value}" for key, value in versions().items())
    return f"# {name}: {facts}"


def progress(message: str) -> None:
    """Say on standard error what is going on; standard output holds the report alone."""
    print(message, file=sys.stderr, flush=True)


STAGES = ("identical", "normalized", "number", "algebra", "math_verify", "normalizer")
WORKER_STAGES = frozenset({"math_verify", "normalizer"})
"""The stages that are reached only where the pure ones leave a pair undecided."""


def stage_order(stages: Iterable[str]) -> list[str]:
    """The distinct stages, those of the cascade first and in its order."""
    found = set(stages)
    return [name for name in STAGES if name in found] + sorted(found.difference(STAGES))
