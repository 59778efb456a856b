"""Ways to score a file in parts, one for each kind of file."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from verifiers_math.integrations.lines import ScoreLines, read_row
from verifiers_math.integrations.ray.dataset import BATCH_SIZE, TableScorer

Span = tuple[int, int]
"""A part of a file: from, and to before; in bytes of a JSONL file, in row groups of a Parquet
file."""

_LOOK_AT_ROWS = 100


class FileTask(ABC):
    """A file and how to score it, in parts. It is picklable.

    Attributes:
        source: The file.
    """

    source: Path

    @abstractmethod
    def spans(self, part_bytes: int) -> list[Span]:
        """The parts of the file, in order."""

    @abstractmethod
    def score(self, span: Span, target: Path) -> Counter[str]:
        """Scores a part into a file of its own; returns what is counted in it."""

    @abstractmethod
    def merge(self, parts: Sequence[Path], target: Path) -> None:
        """Puts the scored parts together."""


@dataclass(frozen=True)
class LinesTask(FileTask):
    """A JSONL file. A line belongs to the part in which it begins."""

    source: Path
    score_lines: ScoreLines

    def spans(self, part_bytes: int) -> list[Span]:
        """Ranges of bytes."""
        size = self.source.stat().st_size
        return [(start, min(start + part_bytes, size)) for start in range(0, size, part_bytes)]

    def score(self, span: Span, target: Path) -> Counter[str]:
        """Scores the lines that begin in a range."""
        total: Counter[str] = Counter()
        with self.source.open("rb") as file, target.open("wb") as out:
            lines = _lines_between(file, *span)
            while batch := list(islice(lines, BATCH_SIZE)):
                scored, counts = self.score_lines(batch)
                out.writelines(scored)
                total += counts
        return total

    def merge(self, parts: Sequence[Path], target: Path) -> None:
        """Puts the scored lines one after the other."""
        with target.open("wb") as out:
            for part in parts:
                with part.open("rb") as file:
                    shutil.copyfileobj(file, out, 1 << 20)


@dataclass(frozen=True)
class ParquetTask(FileTask):
    """A Parquet file."""

    source: Path
    score_table: TableScorer

    def spans(self, part_bytes: int) -> list[Span]:
        """The row groups, whatever their size."""
        import pyarrow.parquet as pq

        amount = pq.read_metadata(self.source).num_row_groups
        return [(group, group + 1) for group in range(amount)]

    def score(self, span: Span, target: Path) -> Counter[str]:
        """Scores row groups; each is held in memory, as reading it holds it anyway."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetFile(self.source) as file, pq.ParquetWriter(target, self._schema()) as out:
            statuses: Counter[str] = Counter()
            for group in range(*span):
                batches = file.iter_batches(BATCH_SIZE, [group])
                scored = [self.score_table(pa.Table.from_batches([batch])) for batch in batches]
                table = pa.concat_tables([out.schema.empty_table(), *scored])
                statuses.update(table.column(self.score_table.prefix + "status").to_pylist())
                out.write_table(table)
        return statuses

    def merge(self, parts: Sequence[Path], target: Path) -> None:
        """Puts the scored row groups one after the other."""
        import pyarrow.parquet as pq

        with pq.ParquetWriter(target, self._schema()) as out:
            for part in parts:
                with pq.ParquetFile(part) as file:
                    for group in range(file.num_row_groups):
                        out.write_table(file.read_row_group(group))

    def _schema(self) -> Any:
        import pyarrow.parquet as pq

        return self.score_table(pq.read_schema(self.source).empty_table()).schema


def line_keys(path: Path) -> list[str]:
    """The fields of the first rows of a JSONL file; none where it has no rows.

    Raises:
        ValueError: None of the first lines can be read.
    """
    found: dict[str, None] = {}
    fault = ""
    with path.open("rb") as file:
        for line in islice(_lines_between(file, 0, path.stat().st_size), _LOOK_AT_ROWS):
            try:
                found |= dict.fromkeys(read_row(line))
            except ValueError as error:
                fault = fault or str(error)
    if fault and not found:
        raise ValueError(f"none of the first lines of {path.name} can be read: {fault}")
    return list(found)


def _lines_between(file: IO[bytes], start: int, stop: int) -> Iterator[bytes]:
    """The lines that begin between two places of a file, but for blank ones."""
    if start:
        file.seek(start - 1)
        file.readline()  # the rest of a line that begins before; nothing but its end, if at start
    while file.tell() < stop and (line := file.readline()):
        if line.strip():
            yield line
