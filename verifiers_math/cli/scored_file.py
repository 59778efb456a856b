"""The file that scoring writes: it is whole, or it is not there and a partial one can be resumed.

Lines go to a partial file beside the target, whose name has a digest of the settings; when all are
written it takes the target's place. A run that was killed leaves the partial file, and another one
with the same settings goes on behind its last whole line.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from verifiers_math.cli.exits import CommandError, Exit
from verifiers_math.rows import read_rows

_COPY_BYTES: Final = 1 << 20


class ScoredFile:
    """Where scored lines go: a file, or standard output.

    Args:
        path: The file; None for standard output. What is no regular file (a pipe, a device) is
            written to as it is; a link stays one.
        settings: What the lines depend on; a partial file of other settings is not resumed.
        resume: Whether to go on with a partial file.
        overwrite: Whether to discard a partial file.

    Raises:
        CommandError: If there is a partial file and neither is wanted, another run writes it, or
            the folder cannot be written to; or if a run is to be resumed and no file keeps it.
    """

    def __init__(
        self,
        path: Path | None,
        settings: Mapping[str, Any],
        *,
        resume: bool = False,
        overwrite: bool = False,
    ) -> None:
        self.path = path
        self.partial: Path | None = None
        self.done = 0
        if resume and (path is None or (path.exists() and not path.is_file())):
            raise CommandError("--resume needs the scored rows in a file: name it with --output")
        if path is None:
            self._file: BinaryIO = sys.stdout.buffer
        elif path.exists() and not path.is_file():
            self._file = self._open(path, "wb")
        else:
            self._target = Path(os.path.realpath(path)) if path.is_symlink() else path
            name = f"{self._target.name}.{_digest(settings)}.partial"
            self.partial = self._target.with_name(name)
            self._file = self._open_partial(self.partial, resume, overwrite)
            with contextlib.suppress(OSError):  # there is none yet, or its mode is another's
                shutil.copymode(self._target, self.partial)  # what is private stays so

    def _open(self, path: Path, mode: str) -> BinaryIO:
        try:
            return path.open(mode)  # type: ignore[return-value] # the mode is binary
        except OSError as error:
            raise CommandError(f"cannot write {path}: {error.strerror or error}") from error

    def _open_partial(self, partial: Path, resume: bool, overwrite: bool) -> BinaryIO:
        file = self._open(partial, "a+b")
        try:
            if not (_lock(file) and _is_there(file, partial)):
                raise CommandError(
                    f"another run is writing {partial}, or has just ended: wait for it, or end it"
                )
            if overwrite:
                file.truncate(0)
            size = _whole_lines(file)
            if size and not resume:
                raise CommandError(
                    f"{partial} is left from a run that broke off: go on with --resume, or start "
                    "anew with --overwrite"
                )
            file.truncate(size)
            self.done = _count_lines(file)
            file.seek(0, os.SEEK_END)
        except BaseException:
            file.close()
            raise
        return file

    def kept_rows(self) -> Iterator[dict[str, Any]]:
        """The rows that the resumed file holds already."""
        if self.partial is not None and self.done:
            for row in read_rows(self.partial, "jsonl"):
                yield row.data

    def write(self, lines: Iterable[bytes]) -> None:
        """Appends lines, and hands them to the operating system.

        Raises:
            CommandError: If they cannot be written; the message says what to do.
        """
        try:
            self._file.write(b"".join(lines))
            self._file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._failed(error) from error

    def commit(self) -> None:
        """Puts the finished file in its place.

        Raises:
            CommandError: If that fails; the partial file is kept.
        """
        if self.partial is None or self.path is None:
            return
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            if os.name == "nt":  # where no open file is renamed, and no lock is to be kept
                self._file.close()
            os.replace(self.partial, self._target)
        except OSError as error:
            raise self._failed(error) from error
        self.partial = None

    def _failed(self, error: OSError) -> CommandError:
        place = self.path or "standard output"
        remedy = "make room, then go on with --resume" if self.partial else "nothing was kept"
        return CommandError(
            f"cannot write {place}: {error.strerror or error}; {remedy}", Exit.BROKEN_OFF
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.path is None:
            return
        with contextlib.suppress(OSError):  # what could not be flushed was reported when written
            self._file.flush()
        with contextlib.suppress(OSError):  # Windows removes no open file; an empty one is harmless
            if self.partial is not None and not self.partial.stat().st_size:
                self.partial.unlink()  # nothing to resume; before the lock on it ends
        with contextlib.suppress(OSError):
            self._file.close()


def _digest(settings: Mapping[str, Any]) -> str:
    text = json.dumps(settings, sort_keys=True, default=str)
    return hashlib.blake2s(text.encode(), digest_size=4).hexdigest()


def _lock(file: BinaryIO) -> bool:
    """Whether this process is the only one that writes the file; it is, where nothing can tell."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _is_there(file: BinaryIO, path: Path) -> bool:
    """Whether an open file still has its name: a run that ended meanwhile has renamed it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _whole_lines(file: BinaryIO) -> int:
    """The size of the file up to its last line end: a kill may leave half a line."""
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - _COPY_BYTES)
        file.seek(start)
        at = file.read(end - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _count_lines(file: BinaryIO) -> int:
    file.seek(0)
    return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_COPY_BYTES), b""))
