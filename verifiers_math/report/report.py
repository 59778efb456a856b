"""Makes a report: rows in, one file of HTML out, in memory that does not grow with the rows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from verifiers_math.errors import RowsError
from verifiers_math.report.figures import Figures
from verifiers_math.report.page import page
from verifiers_math.report.rollout import Rollout
from verifiers_math.report.selection import Selection
from verifiers_math.rows import Row, read_rows

SHOWN_ROWS: Final = 500
"""Rows that a report lists one by one; all rows are in its figures."""

MOST_SHOWN_ROWS: Final = 20_000
"""A page with more would keep a browser busy for minutes."""


class Report:
    """A report in the making.

    Args:
        title: Its heading.
        shown_rows: Rows to list one by one at most.

    Raises:
        ValueError: If ``shown_rows`` is negative or above `MOST_SHOWN_ROWS`.

    Attributes:
        figures: What is counted so far.
        fault: Why the rows could not be read to their end; "" where they could.
    """

    def __init__(self, title: str, shown_rows: int = SHOWN_ROWS) -> None:
        if not 0 <= shown_rows <= MOST_SHOWN_ROWS:
            raise ValueError(f"shown_rows is from 0 to {MOST_SHOWN_ROWS:,}, not {shown_rows}")
        self.title = title
        self.figures = Figures()
        self.fault = ""
        self._selection = Selection(shown_rows)

    def add(self, row: Row) -> None:
        """Counts a row."""
        rollout = Rollout(row)
        self.figures.add(rollout)
        self._selection.offer(rollout)

    def read(self, rows: Iterable[Row]) -> None:
        """Counts rows; where they break off, the report is on those before, and says so.

        Args:
            rows: The rows, as of `verifiers_math.rows.read_rows`.

        Raises:
            RowsError: If not even the first one can be read.
        """
        try:
            for row in rows:
                self.add(row)
        except RowsError as error:
            if not self.figures.rows:
                raise
            self.fault = str(error)

    def html(self) -> str:
        """The report."""
        return page(self.title, self.figures, self._selection, self.fault)

    def write(self, path: str | Path) -> None:
        """Writes the report to a file, which is whole or as it was before.

        Args:
            path: The file, or a link to it; a device or a pipe is written to as it is.

        Raises:
            OSError: If it cannot be written.
        """
        path = Path(os.path.realpath(path))
        content = self.html().encode()
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(content)
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def write_report(
    scored_path: str | Path,
    html_path: str | Path,
    *,
    title: str | None = None,
    shown_rows: int = SHOWN_ROWS,
) -> None:
    """Writes a report on a file of scored rows.

    Args:
        scored_path: What ``verifiers-math score`` wrote; or a trainer's log with rewards, or any
            rows that hold scores, verdicts or rewards: JSONL, JSON or Parquet.
        html_path: Where the report goes.
        title: Its heading; the file's name by default.
        shown_rows: Rows to list one by one at most.

    Raises:
        RowsError: If the file cannot be read at all. One that breaks off gives a report on what
            stands before, which says so.
        OSError: If the report cannot be written.
        ValueError: If ``shown_rows`` is out of its range.
    """
    report = Report(Path(scored_path).name if title is None else title, shown_rows)
    report.read(read_rows(scored_path))
    report.write(html_path)
