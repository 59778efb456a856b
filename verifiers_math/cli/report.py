"""``report``: one HTML file on a scored file: figures, charts, and the rows worth a look."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from verifiers_math.cli import options as shared
from verifiers_math.cli import places
from verifiers_math.cli.exits import CommandError, Exit

if TYPE_CHECKING:
    from verifiers_math.report import Report
    from verifiers_math.rows import Row

SUMMARY: Final = "write a report on a scored file"

EXAMPLES: Final = """\
examples:
  verifiers-math report rollouts.scored.jsonl
  verifiers-math report rollouts.scored.jsonl -o r.html --show 2000
  verifiers-math report completions_00100.parquet --title "step 100"
"""

_ROWS_BETWEEN_LOOKS: Final = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("file", metavar="SCORED", help="what score wrote, or a trainer's log; - for standard input")
    add("-o", "--output", metavar="HTML", help="where it goes (default: SCORED with .html)")
    add("--title", metavar="TEXT", help="its heading (default: the file's name)")
    add("--show", type=int, metavar="N", help="list N rows one by one at most (default: 500)")
    shared.add_limit(parser)
    shared.add_progress(parser)
    shared.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Writes the report."""
    from verifiers_math.cli.console import messages, output, percent, shown, spelled
    from verifiers_math.report import SHOWN_ROWS, Report

    path = output_path(options)
    shown_rows = SHOWN_ROWS if options.show is None else options.show
    try:
        name = "standard input" if options.file == "-" else Path(options.file).name
        report = Report(options.title or name, shown_rows)
    except ValueError as error:
        raise CommandError(f"--show: {error}") from error
    places.check(path, "the report", options.file)
    _read(options, report)
    write(report, path)
    rate = report.figures.rate
    if options.json:
        figures = {"rows": rate.count, "pass_rate": rate.pass_rate, "fault": report.fault}
        output().json(figures | {"output": str(path)})
    else:
        passed = percent(rate.pass_rate)
        output().line(f"{rate.count:,} rows, {passed} pass, written to {spelled(path)}")
    if report.fault:
        messages().line(f"verifiers-math: {shown(report.fault, 2000)}")
        return Exit.BROKEN_OFF
    return Exit.OK


def write(report: Report, path: Path) -> None:
    """Writes a report that is made.

    Raises:
        CommandError: If it cannot be written.
    """
    try:
        report.write(path)
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"cannot write {path}: {reason}", Exit.BROKEN_OFF) from error


def output_path(options: argparse.Namespace) -> Path:
    """Where the report goes.

    Raises:
        CommandError: If the rows come from standard input or a pipe, and no place is named.
    """
    path = Path(options.output) if options.output else places.beside(options.file, ".html")
    if path is None:
        raise CommandError("rows from a pipe need a name for the report: --output")
    return path


def _read(options: argparse.Namespace, report: Report) -> None:
    """Reads the rows into the report, and shows how far it is."""
    from verifiers_math.cli.inputs import open_rows
    from verifiers_math.cli.progress import progress
    from verifiers_math.errors import RowsError

    rows, source = open_rows(options.file, options.limit)

    def watched() -> Iterator[Row]:
        for number, row in enumerate(source, 1):
            yield row
            if number % _ROWS_BETWEEN_LOOKS == 0:
                bar.update(rows.position, number, "")

    try:
        with progress(rows.size, options.progress) as bar:
            report.read(watched())
    except RowsError as error:
        raise CommandError(str(error)) from error
    finally:
        rows.close()
