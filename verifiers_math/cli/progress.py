"""How far a long command is: a bar with rate, counts and the time left, on standard error."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Iterator
from typing import Any, Final, Protocol

_PLAIN_SECONDS: Final = 0.5


class Progress(Protocol):
    """Is told how far a command has come."""

    def update(self, position: int, rows: int, notes: str) -> None:
        """Shows the state.

        Args:
            position: How much of the input is done, in its unit.
            rows: How many rows are done.
            notes: The counts so far, in words.
        """


class NoProgress:
    """Shows nothing."""

    def update(self, position: int, rows: int, notes: str) -> None:
        """Does nothing."""


class PlainProgress:
    """One line that is written anew.

    Args:
        size: How much there is to do; None where it is not known.
    """

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._began = time.monotonic()
        self._shown = self._began
        self._length = 0
        self._state = (0, 0, "")

    def update(self, position: int, rows: int, notes: str) -> None:
        """See `Progress.update`."""
        self._state = (position, rows, notes)
        now = time.monotonic()
        if now - self._shown >= _PLAIN_SECONDS:
            self._shown = now
            self._show()

    def _show(self) -> None:
        position, rows, notes = self._state
        seconds = time.monotonic() - self._began
        done = position / self._size if self._size else None
        text = "  ".join(filter(None, (_share(done), _rate(rows, seconds), notes)))
        if done and done < 1:
            text += f"  {_clock(seconds * (1 - done) / done)} left"
        text = text[: shutil.get_terminal_size().columns - 1]  # a second line could not be undone
        self._write("\r" + text.ljust(self._length))
        self._length = len(text)

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # a bar that cannot be shown is no reason to end
            sys.stderr.write(text)
            sys.stderr.flush()

    def close(self) -> None:
        """Shows how far it came, and ends the line."""
        self._show()
        self._write("\n")


def _share(done: float | None) -> str:
    return "" if done is None else f"{100 * done:3.0f} %"


def _rate(rows: int, seconds: float) -> str:
    return f"{rows:,} rows" + (f", {rows / seconds:,.0f}/s" if seconds > 0 else "")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _RichProgress:
    def __init__(self, bar: Any, size: int | None) -> None:
        self._bar = bar
        self._began = time.monotonic()
        self._task = bar.add_task("", total=size, notes="")

    def update(self, position: int, rows: int, notes: str) -> None:
        rate = _rate(rows, time.monotonic() - self._began)
        self._bar.update(self._task, completed=position, notes=f"{rate}  {notes}")


@contextlib.contextmanager
def progress(size: int | None, wanted: bool | None = None) -> Iterator[Progress]:
    """A progress bar for as long as the block lasts.

    Args:
        size: How much there is to do; None where it is not known.
        wanted: Whether to show it; None to show it on a terminal only.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield NoProgress()
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
    except ImportError:
        plain = PlainProgress(size)
        try:
            yield plain
        finally:
            plain.close()
        return
    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[notes]}", markup=False),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        yield _RichProgress(bar, size)
