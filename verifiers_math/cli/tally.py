"""What a run of scoring found, and how it is told at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from verifiers_math.cli.console import Console, percent, shown
from verifiers_math.evaluators.aggregate import Aggregate, Interval

SHOWN_FAULTS: Final = 100
"""Rows that could not be scored and are listed; the others are counted."""


class EvaluatorTally:
    """The results of one evaluator.

    Attributes:
        aggregate: Counts, means and their uncertainty.
        stages: Results by the stage that decided.
        rules: Correct answers by the lenient rule that made them so.
    """

    def __init__(self) -> None:
        self.aggregate = Aggregate()
        self.stages: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()

    def add(self, result: Mapping[str, Any]) -> None:
        """Counts a result."""
        self.aggregate.add(result)
        if "stage" in result:
            self.stages[result["stage"]] += 1
        if result.get("rule"):
            self.rules[result["rule"]] += 1

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain data."""
        return self.aggregate.to_dict() | {
            "stages": dict(self.stages.most_common()),
            "lenient_rules": dict(self.rules.most_common()),
        }


class Tally:
    """The results of a run.

    Args:
        names: The evaluators' names.

    Attributes:
        rows: Rows, those that could not be scored too.
        faults: Of the rows that could not be scored the first ones, with the reason.
        faulty: How many there are.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.by_name = {name: EvaluatorTally() for name in names}
        self.rows = 0
        self.faults: list[tuple[int, str]] = []
        self.faulty = 0

    def add(self, number: int, results: Mapping[str, Mapping[str, Any]]) -> str:
        """Counts a row.

        Args:
            number: Its number in the file.
            results: The results by the evaluators' names.

        Returns:
            Why it could not be scored; "" where it could.
        """
        self.rows += 1
        for name, tally in self.by_name.items():
            tally.add(results[name])
        first = next(iter(results.values()))
        if first["status"] != "error" or "stage" in first:
            return ""
        self.faulty += 1
        if len(self.faults) < SHOWN_FAULTS:
            self.faults.append((number, str(first["detail"])))
        return str(first["detail"])

    def notes(self) -> str:
        """The counts so far, for a progress bar."""
        first = next(iter(self.by_name.values())).aggregate
        text = f"{percent(first.pass_rate)} pass"
        if first.unscored:
            text += f", {first.unscored:,} unscored"
        return text

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data that ``json.dumps`` takes."""
        return {
            "rows": self.rows,
            "faulty_rows": self.faulty,
            "faults": [{"row": number, "detail": detail} for number, detail in self.faults],
            "evaluators": {name: tally.to_dict() for name, tally in self.by_name.items()},
        }

    def print(self, console: Console) -> None:
        """Prints the figures."""
        console.table(
            f"{self.rows:,} rows",
            [
                "evaluator",
                "scored",
                "passed",
                "pass rate",
                "95 % interval",
                "mean",
                "95 % interval",
            ],
            [_figures(name, tally.aggregate) for name, tally in self.by_name.items()],
        )
        for name, tally in self.by_name.items():
            for title, counts in (
                ("status", tally.aggregate.statuses),
                ("stage", tally.stages),
                ("lenient rule", tally.rules),
            ):
                if counts:
                    console.line()
                    console.table(
                        f"{name} by {title}", [title, "rows", "share"], _shares(counts, self.rows)
                    )


def _figures(name: str, aggregate: Aggregate) -> list[str]:
    mean = aggregate.mean_score
    is_rate = mean == aggregate.pass_rate  # a mean of zeros and ones is no news
    return [
        name,
        f"{aggregate.scored:,}",
        f"{aggregate.passed:,}",
        percent(aggregate.pass_rate),
        _interval(aggregate.pass_interval(), "%"),
        "-" if mean is None or is_rate else f"{mean:.4f}",
        "-" if is_rate else _interval(aggregate.mean_interval(), ""),
    ]


def _interval(interval: Interval | None, unit: str) -> str:
    if interval is None:
        return "-"
    if unit:
        return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"
    return f"{interval.low:.4f} to {interval.high:.4f}"


def _shares(counts: Counter[str], rows: int) -> list[tuple[str, str, str]]:
    return [
        (shown(name, 40), f"{count:,}", percent(count / rows))
        for name, count in counts.most_common()
    ]
