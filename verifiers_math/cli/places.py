"""Where a command writes: found, and tried, before any work is done for it."""

from __future__ import annotations

import os
from pathlib import Path

from verifiers_math.cli.exits import CommandError


def beside(file: str, ending: str) -> Path | None:
    """The place beside an input with another ending.

    Args:
        file: The input.
        ending: What stands in place of its suffix.

    Returns:
        The place; None where the input is standard input, a pipe or a device, beside which nothing
        is to be put.

    Raises:
        CommandError: If the input is a folder.
    """
    if file == "-":
        return None
    if not file:
        raise CommandError("the input has no name")
    if os.path.isdir(file):
        raise CommandError(f"cannot read {file}: it is a folder")
    if os.path.exists(file) and not os.path.isfile(file):
        return None
    return Path(file).with_name(Path(file).stem + ending)


def check(path: Path, what: str, *others: str | Path | None) -> None:
    """Makes sure that a file can be written, so that no work is lost for want of a place.

    Args:
        path: The file.
        what: What it is, for the message: ``"the report"``.
        *others: Files that the command reads, or writes besides; None and "-" for none.

    Raises:
        CommandError: If it would take the place of one of the others, or cannot be written.
    """
    if str(path) == "-":
        raise CommandError(f"{what} needs a file: standard output is for the summary")
    try:
        real = os.path.realpath(path)  # which fails in a folder that is gone
        for other in others:
            if other is not None and other != "-" and os.path.realpath(other) == real:
                raise CommandError(f"{what} would overwrite {other}: name another place for it")
        _try(Path(real))
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(
            f"cannot write {what} to {path}: {reason}; name another place, or make this one"
        ) from error


def _try(path: Path) -> None:
    """Opens what a whole file is written to first, and takes it away again."""
    if path.exists() and not path.is_file():  # a device, a pipe; opening a folder fails
        if path.is_dir() or not os.access(path, os.W_OK):
            path.open("wb").close()
        return
    trial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    trial.open("xb").close()
    trial.unlink()
