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
_FOLDED: Final = 16
"""A longer cell may be folded; a number is not."""


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
        title, columns = spelled(title), list(map(spelled, columns))
        grid = [list(map(spelled, row)) for row in rows]
        right = [
            bool(grid) and all(_is_number(row[i]) for row in grid) for i in range(len(columns))
        ]
        widths = [_width(column, grid, i) for i, column in enumerate(columns)]
        if self._rich is not None and _fits(widths, self._rich.width):
            self._rich_table(title, columns, grid, right)
            return
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
            table.add_column(Text(column), justify="right" if is_right else "left", overflow="fold")
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


def _fits(widths: Sequence[int], columns: int) -> bool:
    """Whether a terminal is wide enough for a table whose long cells may be folded."""
    return sum(min(width, _FOLDED) + len(_GAP) for width in widths) <= columns


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
