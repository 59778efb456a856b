"""What a command prints: lines and tables, through rich on a terminal that has it, else plain.

Control characters are spelled out in all of it, whoever wrote them: no text of a model, and no
name of a file, can move the cursor or colour the terminal.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TextIO

from verifiers_math.cli.exits import CommandError, Exit

LISTED_FAULTS: Final = 20
"""Rows that cannot be used and are listed; the others are counted."""

_GAP: Final = "  "
_PADDING: Final = 3
"""What rich puts around a cell, in columns of the terminal."""


def shown(value: object, width: int = 60) -> str:
    """A text as a cell of a table: on one line, cut to a width, without control characters.

    Args:
        value: The text, or anything that is turned into one.
        width: Characters at most.
    """
    text = spelled(" ".join(str(value)[: 4 * width + 4].split()))
    return text if len(text) <= width else text[: width - 1] + "…"


def spelled(value: object, spell: Callable[[str], str] | None = None) -> str:
    """A text on one line, with every character that cannot be seen spelled out.

    Args:
        value: The text, or anything that is turned into one.
        spell: Spells a character; None for Python's way.
    """
    text = str(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else (spell or _escaped)(char) for char in text)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def _escaped_in_json(char: str) -> str:
    return json.dumps(char)[1:-1]


class Console:
    """Prints to one stream.

    Args:
        stream: Standard output or standard error.
        is_result: Whether it is an error when what is printed cannot be written.
    """

    def __init__(self, stream: TextIO, is_result: bool = True) -> None:
        self.stream = stream
        self._is_result = is_result
        self._rich = _rich_console(stream)
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal that cannot show a letter shows its number
            reconfigure(errors="backslashreplace")

    def line(self, text: str = "") -> None:
        """Prints a line, or several."""
        with self._writing():
            print("\n".join(map(spelled, text.split("\n"))), file=self.stream)

    def json(self, value: Any) -> None:
        """Prints a value as JSON, whatever the encoding of the stream."""
        is_unicode = (self.stream.encoding or "utf-8").lower().startswith("utf")
        text = json.dumps(value, indent=2, ensure_ascii=not is_unicode)
        with self._writing():
            for line in text.split("\n"):
                print(spelled(line, _escaped_in_json), file=self.stream)

    def flush(self) -> None:
        """Hands what is printed to the operating system.

        Raises:
            CommandError: If that fails, and it is a result.
        """
        with self._writing():
            self.stream.flush()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            discard(self.stream)
            if self._is_result:
                raise
        except OSError as error:
            discard(self.stream)
            if self._is_result:
                reason = error.strerror or error
                raise CommandError(
                    f"cannot write standard output: {reason}", Exit.BROKEN_OFF
                ) from error

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Prints a table; a column of numbers is set to the right.

        Args:
            title: The line above it.
            columns: The headings.
            rows: The cells; `shown` cuts what may be long.
        """
        grid = [list(map(spelled, row)) for row in rows]
        measured = [
            _Column(spelled(heading), [row[index] for row in grid])
            for index, heading in enumerate(columns)
        ]
        if self._rich is not None and _fit(measured, self._rich.width):
            self._rich_table(spelled(title), measured, grid)
            return
        self.line(title)
        for cells in ([column.heading for column in measured], *grid):
            padded = (column.padded(cell) for column, cell in zip(measured, cells, strict=True))
            self.line("  " + _GAP.join(padded).rstrip())

    def _rich_table(
        self, title: str, columns: Sequence[_Column], grid: Sequence[Sequence[str]]
    ) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
        for column in columns:
            justify: Any = "right" if column.is_right else "left"
            table.add_column(Text(column.heading), justify=justify, no_wrap=not column.is_folded)
        for row in grid:
            table.add_row(*map(Text, row))
        self._rich.print(table)


class _Column:
    """A column of a table.

    Attributes:
        width: How many columns of the terminal its widest cell takes.
        is_right: Whether it is set to the right, as numbers are.
        is_folded: Whether its cells may be folded between words.
        least: How narrow it can be.
    """

    def __init__(self, heading: str, cells: Sequence[str]) -> None:
        self.heading = heading
        self.width = max(map(_columns, (heading, *cells)))
        self.is_right = bool(cells) and all(map(_is_number, cells))
        self.is_folded = not self.is_right and any(" " in cell for cell in cells)
        words = " ".join((heading, *cells)).split()
        self.least = max(map(_columns, words), default=0) if self.is_folded else self.width

    def padded(self, cell: str) -> str:
        """A cell with space up to the column's width."""
        space = " " * (self.width - _columns(cell))
        return space + cell if self.is_right else cell + space


def _fit(columns: Sequence[_Column], width: int) -> bool:
    """Whether a terminal has room; rich would break words, and cut what is left."""
    return sum(column.least + _PADDING for column in columns) <= width


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
    """The console of standard error: what goes on, and what went wrong.

    One that cannot be written is lost: the command and its exit code do not depend on it.
    """
    return Console(sys.stderr, is_result=False)


def discard(stream: TextIO) -> None:
    """Sends what is left of a stream nowhere: Python flushes it once more at its end."""
    with contextlib.suppress(OSError):  # a stream that is no file of the operating system
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def percent(share: float | None) -> str:
    """A share as a percentage; "-" for None."""
    return "-" if share is None else f"{100 * share:.1f} %"
