"""The rows of a file, one after another: JSONL, a JSON array, or Parquet.

Memory stays flat however large the file is. A row that cannot be read is a `Row` too, with its
number and its fault: nothing is passed over in silence. Where nothing behind a fault can be read
either, as in a broken JSON array, a `RowsError` says where.
"""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, Protocol

from verifiers_math.errors import RowsError

MAX_ROW_BYTES: Final = 16 << 20
"""A longer row is not read into memory; it is a row with a fault."""

SHOWN_BYTES: Final = 2000
"""How much of a row that cannot be read is kept."""

Format = Literal["jsonl", "json", "parquet"]

_HEAD: Final = 4096
_CHUNK: Final = 1 << 20
_PARQUET_BATCH: Final = 64
SUFFIXES: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""How a file is written, by the end of its name."""

_PARQUET_MAGIC: Final = b"PAR1"
_NO_ROWS: Final = {
    codecs.BOM_UTF32_LE: "UTF-32, not UTF-8: convert it, for example with iconv",
    codecs.BOM_UTF32_BE: "UTF-32, not UTF-8: convert it, for example with iconv",
    codecs.BOM_UTF16_LE: "UTF-16, not UTF-8: convert it, for example with iconv",
    codecs.BOM_UTF16_BE: "UTF-16, not UTF-8: convert it, for example with iconv",
    b"\x1f\x8b": "compressed by gzip: unpack it first, for example with zcat",
    b"\x28\xb5\x2f\xfd": "compressed by zstd: unpack it first, for example with zstdcat",
    b"BZh": "compressed by bzip2: unpack it first, for example with bzcat",
    b"\xfd7zXZ": "compressed by xz: unpack it first, for example with xzcat",
    b"PK\x03\x04": "a zip archive: unpack it first",
    b"ARROW1": "an Arrow file: write it as Parquet",
}
"""How files begin that are often meant for rows, and what they are."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file.

    Attributes:
        number: Its line in JSONL, its place in an array or a Parquet file; from 1.
        data: Its fields; empty where it cannot be read.
        fault: Why it cannot be read; "" where it can.
        raw: The beginning of what stands there instead, for a row that cannot be read.
        line: The JSON text of a row of JSONL as it stands there; empty for other formats.
    """

    number: int
    data: dict[str, Any]
    fault: str = ""
    raw: str = ""
    line: bytes = field(default=b"", compare=False, repr=False)


class Rows(Protocol):
    """An open file that gives its rows once.

    Attributes:
        size: Its size in `unit`, None where that is not known (a pipe).
        position: How much of it has been read, in `unit`.
        unit: ``"bytes"`` or ``"rows"``.
    """

    size: int | None
    unit: str

    @property
    def position(self) -> int:
        """How much has been read."""
        ...

    def __iter__(self) -> Iterator[Row]: ...

    def close(self) -> None:
        """Closes the file; its end does so too."""


def read_rows(path: str | Path, file_format: Format | None = None) -> Rows:
    """Opens a file of rows.

    Args:
        path: The file.
        file_format: How it is written; None to tell from its name and its first bytes.

    Returns:
        The rows, to be iterated over once.

    Raises:
        RowsError: If the file is missing, is a folder, or is not of a known format.
    """
    path = Path(path)
    try:
        file = path.open("rb")
    except OSError as error:
        raise RowsError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        return read_stream(file, file_format or SUFFIXES.get(path.suffix.lower()), name=str(path))
    except RowsError:
        file.close()
        raise


def read_stream(
    file: BinaryIO, file_format: Format | None = None, *, name: str = "standard input"
) -> Rows:
    """The rows of an open file or a pipe.

    Args:
        file: What to read, in bytes. It is closed at the end of its rows.
        file_format: How it is written; None to tell from its first bytes.
        name: What messages call it.

    Raises:
        RowsError: If it is not of a known format.
    """
    head = _peek(file, name)
    if head.startswith(_PARQUET_MAGIC):
        file_format = "parquet"
    if file_format == "parquet":
        return _ParquetRows(file, name)
    for mark, what in _NO_ROWS.items():
        if head.startswith(mark):
            raise RowsError(f"{name} is {what}")
    first = head.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if first == b"[" and file_format != "jsonl":
        return _ArrayRows(file, name)
    if file_format == "json" and first == b"{":
        return _ObjectRows(file, name)
    return _LineRows(file, name)


def _peek(file: BinaryIO, name: str) -> bytes:
    peek = getattr(file, "peek", None)
    return _read(name, peek, _HEAD)[:_HEAD] if peek is not None else b""


def _size(file: BinaryIO) -> int | None:
    """The size of a regular file; a pipe has none."""
    try:
        size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError):
        return None
    return size or None


class _File:
    """An open file of rows."""

    unit = "bytes"

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self.size = _size(file)

    def close(self) -> None:
        """See `Rows.close`."""
        self._file.close()


class _LineRows(_File):
    """JSONL: an object a line."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        super().__init__(file, name)
        self.position = 0

    def __iter__(self) -> Iterator[Row]:
        with self._file as file:
            number = 0
            while line := _read(self._name, file.readline, MAX_ROW_BYTES + 1):
                number += 1
                self.position += len(line)
                if len(line) > MAX_ROW_BYTES and not line.endswith(b"\n"):
                    yield self._too_long(number, line)
                elif not line.isspace():
                    yield read_line(number, line)

    def _too_long(self, number: int, line: bytes) -> Row:
        length = len(line)
        while piece := _read(self._name, self._file.readline, _CHUNK):
            self.position += len(piece)
            length += len(piece)
            if piece.endswith(b"\n"):
                break
        fault = f"it has {length:,} bytes, and at most {MAX_ROW_BYTES:,} are read"
        return Row(number, {}, fault, _shown(line))


def read_line(number: int, line: bytes) -> Row:
    """Reads a line of JSONL.

    Args:
        number: Its number.
        line: The line, with or without its end.
    """
    try:
        line = line.removeprefix(codecs.BOM_UTF8).strip() if number == 1 else line.strip()
        value = json.loads(line.decode())
    except UnicodeDecodeError as error:
        fault = f"it is not UTF-8: byte {error.start + 1} is 0x{line[error.start]:02x}"
        return Row(number, {}, fault, _shown(line))
    except json.JSONDecodeError as error:
        return Row(
            number, {}, f"it is not JSON: {error.msg} (column {error.pos + 1})", _shown(line)
        )
    except (ValueError, RecursionError) as error:
        return Row(number, {}, f"it {_beyond(error)}", _shown(line))
    if type(value) is not dict:
        fault = f"it is {_kind(value)}, and an object is wanted"
        return Row(number, {}, fault, _shown(line))
    return Row(number, value, line=line)


def _beyond(error: Exception) -> str:
    """What is JSON, but more than can be read: deep nesting, a number of thousands of digits."""
    if isinstance(error, RecursionError):
        return "is nested too deep"
    return "holds a number of too many digits"


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _shown(raw: bytes) -> str:
    return raw[:SHOWN_BYTES].decode("utf-8", "replace").rstrip("\r\n")


def _read(name: str, read: Any, size: int) -> bytes:
    try:
        found: bytes = read(size)
    except OSError as error:  # a folder, a disk that fails, a connection that breaks
        raise RowsError(f"cannot read {name}: {error.strerror or error}") from error
    return found


class _Text:
    """A window on a UTF-8 text that moves forward."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.name = name
        self.position = 0
        self.text = ""
        self.at = 0
        self.ended = False
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()

    def more(self) -> None:
        """Makes the window at least twice as long, up to the end of the file.

        Raises:
            RowsError: The text is not UTF-8.
        """
        self.text, self.at = self.text[self.at :], 0
        chunk = _read(self.name, self._file.read, max(_CHUNK, len(self.text)))
        self.ended = not chunk
        try:
            self.text += self._decoder.decode(chunk, final=self.ended)
        except UnicodeDecodeError as error:
            place = self.position + error.start + 1
            raise RowsError(f"{self.name} is not UTF-8: see about byte {place:,}") from error
        self.position += len(chunk)

    def next(self) -> str:
        """The next character that is no white space, "" at the end; it is not passed."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\r\n":
                self.at += 1
            if self.at < len(self.text) or self.ended:
                return self.text[self.at : self.at + 1]
            self.more()

    def value(self, number: int) -> Any:
        """The JSON value that begins here; the window moves behind it.

        Raises:
            RowsError: There is none, it is cut off, or it is too long.
        """
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
                if end < len(self.text) - _LITERAL_CHARS or self.ended:  # else a number may go on
                    self.at = end
                    return value
            except json.JSONDecodeError as error:
                if self.ended or self._is_fault(error):
                    what = error.msg.removesuffix(" starting at")
                    place = "at the end of the file" if self.ended else f"near {self._near(error)}"
                    raise self._fault(number, f"is not JSON: {what} {place}") from error
            except (ValueError, RecursionError) as error:
                raise self._fault(number, _beyond(error)) from error
            if len(self.text) - self.at > MAX_ROW_BYTES:
                raise self._fault(number, f"is longer than {MAX_ROW_BYTES:,} characters")
            self.more()

    def _is_fault(self, error: json.JSONDecodeError) -> bool:
        """Whether more text would not help: what is cut off fails at the window's end."""
        is_open = error.msg.startswith("Unterminated string")
        return not is_open and error.pos < len(self.text) - _LITERAL_CHARS

    def _near(self, error: json.JSONDecodeError) -> str:
        return repr(self.text[error.pos : error.pos + 20])

    def _fault(self, number: int, what: str) -> RowsError:
        return RowsError(f"{self.name}: element {number:,} {what}; nothing behind it can be read")


_DECODER = json.JSONDecoder()
_LITERAL_CHARS: Final = 16
"""More than a literal, an exponent or an escape that the window's end may cut through."""


class _TextRows(_File):
    """JSON values that need not stand on lines of their own."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        super().__init__(file, name)
        self._text = _Text(file, name)

    @property
    def position(self) -> int:
        """See `Rows.position`."""
        return self._text.position


class _ArrayRows(_TextRows):
    """A JSON array of objects."""

    def __iter__(self) -> Iterator[Row]:
        text = self._text
        with self._file:
            text.next()
            text.at += 1  # the bracket
            if text.next() == "]":
                text.at += 1
            else:
                yield from self._elements()
            if text.next():
                raise RowsError(f"{text.name}: text follows the end of the array")

    def _elements(self) -> Iterator[Row]:
        text = self._text
        for number in count(1):
            text.next()
            yield _element(number, text.value(number))
            char = text.next()
            if char not in (",", "]"):
                raise self._cut(number, char)
            text.at += 1
            if char == "]":
                return

    def _cut(self, number: int, char: str) -> RowsError:
        what = f"{char!r} follows" if char else "the file ends behind"
        return RowsError(
            f"{self._text.name}: {what} element {number:,}, where a comma or the end of the array "
            "is wanted; nothing behind it can be read"
        )


class _ObjectRows(_TextRows):
    """JSON objects one after another, on one line or over several."""

    def __iter__(self) -> Iterator[Row]:
        with self._file:
            number = 0
            while self._text.next():
                number += 1
                yield _element(number, self._text.value(number))


def _element(number: int, value: Any) -> Row:
    if type(value) is dict:
        return Row(number, value)
    raw = json.dumps(value)[:SHOWN_BYTES]
    return Row(number, {}, f"it is {_kind(value)}, and an object is wanted", raw)


class _ParquetRows(_File):
    """A Parquet file, read through pyarrow."""

    unit = "rows"

    def __init__(self, file: BinaryIO, name: str) -> None:
        try:
            import pyarrow as arrow
            from pyarrow import parquet
        except ImportError as error:
            raise RowsError(
                f"{name} is Parquet, and pyarrow is not installed: "
                "pip install 'verifiers-math[data]'"
            ) from error
        super().__init__(file, name)
        if not file.seekable():
            raise RowsError(f"{name} is Parquet, which cannot be read from a pipe: name a file")
        self._failures: tuple[type[Exception], ...] = (arrow.ArrowException, OSError)
        try:
            self._parquet = parquet.ParquetFile(file, pre_buffer=False)
            self._table = arrow.Table.from_batches
        except (*self._failures, ValueError) as error:
            raise RowsError(f"cannot read {name} as Parquet: {error}") from error
        self.size = self._parquet.metadata.num_rows
        self.position = 0

    def __iter__(self) -> Iterator[Row]:
        with self._file:
            try:
                for batch in self._parquet.iter_batches(batch_size=_PARQUET_BATCH):
                    table = shortest_floats(self._table([batch]))
                    for row in _rows_of(table, self.position + 1):
                        self.position += 1
                        yield row
            except self._failures as error:
                raise RowsError(
                    f"{self._name}: cannot read behind row {self.position:,}: {error}"
                ) from error


def shortest_floats(table: Any) -> Any:
    """An Arrow table with 32-bit floats as those of 64 bits that are written alike.

    Python has no others, and would make 0.30000001192092896 of a gold of 0.3.

    Args:
        table: A ``pyarrow.Table``; columns within columns stay as they are.
    """
    import pyarrow as arrow

    for place, column in enumerate(table.schema):
        if arrow.types.is_float32(column.type):
            values = table.column(place).cast(arrow.string()).cast(arrow.float64())
            table = table.set_column(place, column.name, values)
    return table


def _rows_of(table: Any, first: int) -> Iterator[Row]:
    """The rows of an Arrow table; one with a value that Python has not costs no other row."""
    try:
        values = table.to_pylist()
    except (ValueError, OverflowError):  # no UTF-8, or a date far away
        for index in range(table.num_rows):
            yield _row_of(table.slice(index, 1), first + index)
        return
    for number, data in enumerate(values, first):
        yield Row(number, data)


def _row_of(batch: Any, number: int) -> Row:
    try:
        (data,) = batch.to_pylist()
    except (ValueError, OverflowError) as error:
        return Row(number, {}, f"it has a value that cannot be read: {error}")
    return Row(number, data)
