"""The rows that a command reads: a file or standard input, opened with messages for a user."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from verifiers_math.cli.exits import CommandError
from verifiers_math.errors import RowsError
from verifiers_math.rows import Row, Rows, read_rows, read_stream

MAX_FAULTY_HEAD: Final = 10_000
"""So many rows at the start of a file may be unreadable before it is taken for another format."""


def name_of(file: str) -> str:
    """What messages call a file."""
    from verifiers_math.cli.console import spelled

    return "standard input" if file == "-" else spelled(file)


def open_rows(file: str, limit: int | None = None) -> tuple[Rows, Iterator[Row]]:
    """A file of rows, or standard input, and an iterator over the first ``limit`` of them.

    Raises:
        CommandError: If it cannot be read.
    """
    try:
        rows = read_stream(sys.stdin.buffer) if file == "-" else read_rows(file)
    except RowsError as error:
        raise CommandError(str(error)) from error
    return rows, islice(rows, limit)


def with_first(source: Iterator[Row], file: str) -> tuple[Row, Iterator[Row]]:
    """The first row that can be read, and all rows again.

    Raises:
        CommandError: If there is none.
    """
    head: list[Row] = []
    try:
        for row in islice(source, MAX_FAULTY_HEAD):
            head.append(row)
            if not row.fault:
                return row, chain(head, source)
    except RowsError as error:
        if not head:
            raise CommandError(str(error)) from error
    name = name_of(file)
    if not head:
        raise CommandError(f"{name} holds no rows: there is nothing to score")
    raise CommandError(
        f"none of the first {len(head):,} rows of {name} can be read; row {head[0].number}: "
        f"{head[0].fault}"
    )
