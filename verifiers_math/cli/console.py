"""What a command prints: lines and tables, through rich on a terminal that has it, else plain.

Whatever a model wrote is shown on one line, cut, with control characters spelled out: it can
neither move the cursor nor colour the terminal.
"""

from __future__ import annotations

import json
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final, TextIO

_NARROWEST: Final = 40
_GAP: Final = "  "


def shown(value: object, width: int = 60) -> str:
    """A text as a cell of a table: on one line, cut to a width, without control characters.

    Args:
        value: The text, or anything that is turned into one.
        width: Characters at most.
    """
    text = " ".join(str(value)[: 4 * width + 4].split())
    text = "".join(char if char.isprintable() else _spelled(char) for char in text)
    return text if len(text) <= width else text[: width - 1] + "…"


def _spelled(char: str) -> str:
    return char.encode("unicode_escape").decode()


class Console:
    """Prints to one stream.

    Args:
        stream: Standard output or standard error.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.width = max(shutil.get_terminal_size((100, 24)).columns, _NARROWEST)
        self._rich = _rich_console(stream)
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal that cannot show a letter shows its number
            reconfigure(errors="backslashreplace")

    def line(self, text: str = "") -> None:
        """Prints a line."""
        print(text, file=self.stream)

    def json(self, value: Any) -> None:
        """Prints a value as JSON."""
        self.line(json.dumps(value, indent=2, ensure_ascii=False))

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Prints a table; a column of numbers is set to the right.

        Args:
            title: The line above it.
            columns: The headings.
            rows: The cells. What comes from a file has to go through `shown`.
        """
        grid = [[str(cell) for cell in row] for row in rows]
        right = [
            bool(grid) and all(_is_number(row[i]) for row in grid) for i in range(len(columns))
        ]
        if self._rich is not None:
            self._rich_table(title, columns, grid, right)
            return
        widths = [_width(column, grid, i) for i, column in enumerate(columns)]
        self.line(title)
        for cells in (columns, *grid):
            padded = (
                _padded(cell, width, is_right)
                for cell, width, is_right in zip(cells, widths, right, strict=True)
            )
            self.line("  " + _GAP.join(padded).rstrip())

    def _rich_table(
        self,
        title: str,
        columns: Sequence[str],
        grid: Sequence[Sequence[str]],
        right: Sequence[bool],
    ) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
        for column, is_right in zip(columns, right, strict=True):
            table.add_column(Text(column), justify="right" if is_right else "left")
        for row in grid:
            table.add_row(*map(Text, row))
        self._rich.print(table)


def _rich_console(stream: TextIO) -> Any:
    """A console of rich where it is installed and the stream is a terminal."""
    if not stream.isatty():
        return None
    try:
        from rich.console import Console as RichConsole
    except ImportError:
        return None
    return RichConsole(file=stream, highlight=False, markup=False, emoji=False)


def _is_number(cell: str) -> bool:
    digits = cell.strip(" %xs-").replace(",", "").replace(".", "", 1)
    return cell in ("", "-") or digits.isdigit()


def _width(column: str, grid: Sequence[Sequence[str]], index: int) -> int:
    return max([_columns(column), *(_columns(row[index]) for row in grid)])


def _padded(cell: str, width: int, is_right: bool) -> str:
    space = " " * (width - _columns(cell))
    return space + cell if is_right else cell + space


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def output() -> Console:
    """The console of standard output: results."""
    return Console(sys.stdout)


def messages() -> Console:
    """The console of standard error: what goes on, and what went wrong."""
    return Console(sys.stderr)


def percent(share: float | None) -> str:
    """A share as a percentage; "-" for None."""
    return "-" if share is None else f"{100 * share:.1f} %"
