"""Files: one JSONL or Parquet file scored by a cluster, in order, and resumable.

The file is cut into parts, each of which one of Ray Data's actors reads, scores and writes beside
the output; in the end they are put together. So texts pass through neither the driver nor the
object store, what is done stays done when a run is killed, and an actor holds one batch in memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifiers_math.answers import AnswerJudge, answer_judge
from verifiers_math.integrations.lines import LineScorer, ScoreLines
from verifiers_math.integrations.ray.crew import Session
from verifiers_math.integrations.ray.dataset import (
    ScoringActor,
    TableScorer,
    actor_options,
    check_response_type,
)
from verifiers_math.integrations.ray.file_tasks import (
    FileTask,
    LinesTask,
    ParquetTask,
    Span,
    line_keys,
)
from verifiers_math.integrations.rows import Fields, find_fields
from verifiers_math.question import JUDGE_VERSION
from verifiers_math.types import Unscored

PART_BYTES = 32 << 20


def score_file(
    path_in: str | os.PathLike[str],
    path_out: str | os.PathLike[str],
    *,
    response: str | None = None,
    gold: str | None = None,
    prompt: str | None = None,
    judge: AnswerJudge | None = None,
    unscored: Unscored = "zero",
    prefix: str = "",
    score_lines: ScoreLines | None = None,
    part_bytes: int = PART_BYTES,
    concurrency: int | tuple[int, int] | None = None,
    num_cpus: float = 1,
) -> Counter[str]:
    """Scores a JSONL or Parquet file; the output has the same rows in the same order.

    Both paths, and the folder ``<path_out>.parts`` that is there meanwhile, have to be the same
    files on every node. A run that was killed is resumed by the same call: parts that are done are
    not scored again, unless the input or what is asked of it has changed. The output is there when
    all of it is.

    Rows keep their fields, and get those of `SCORE_FIELDS`; see `LineScorer` for lines that cannot
    be read. Blank lines are left out.

    Args:
        path_in: Ends in ``.jsonl``, ``.ndjson`` or ``.parquet``.
        path_out: Of the same kind. A file that is there is replaced.
        response: See `score_dataset`.
        gold: See `score_dataset`.
        prompt: See `score_dataset`.
        judge: See `score_dataset`.
        unscored: See `score_dataset`.
        prefix: See `score_dataset`.
        score_lines: Scores lines of JSON in place of a `LineScorer` with the options above; a
            picklable function.
        part_bytes: The size of a part of a JSONL file; a part of a Parquet file is a row group.
        concurrency: See `score_dataset`.
        num_cpus: See `score_dataset`.

    Returns:
        How many rows there are of each status, or whatever ``score_lines`` counts.

    Raises:
        ValueError: If a path is of another kind, a field is missing, no line can be read, or an
            option is out of range.
        FileExistsError: If the folder of parts holds something else.
        RuntimeError: If Ray is not initialised.
    """
    if part_bytes < 1:
        raise ValueError(f"part_bytes must be at least 1, not {part_bytes}")
    source, target = Path(path_in).absolute(), Path(path_out).absolute()
    kind = _kind(source)
    if _kind(target) is not kind:
        raise ValueError(f"{source.name} and {target.name} are files of different kinds")
    Session.current()

    names = {"response": response, "gold": gold, "prompt": prompt}
    options = (judge or answer_judge(), unscored, prefix)
    task: FileTask
    if kind is ParquetTask:
        task = _parquet_task(source, names, *options)
    else:
        task = LinesTask(source, score_lines or _line_scorer(source, names, *options))
    return _run(task, target, task.spans(part_bytes), concurrency, num_cpus)


def _parquet_task(source: Path, names: dict[str, str | None], *options: Any) -> ParquetTask:
    import pyarrow.parquet as pq

    schema = pq.read_schema(source)
    fields = find_fields(schema.names, **names)
    check_response_type(schema, fields.response)
    return ParquetTask(source, TableScorer(fields, *options))


def _line_scorer(source: Path, names: dict[str, str | None], *options: Any) -> LineScorer:
    keys = line_keys(source)
    fields = find_fields(keys, **names) if keys else Fields("", "")  # there is nothing to score
    return LineScorer(fields, *options)


@dataclass(frozen=True)
class PartScorer:
    """Scores parts of a file into the folder of parts."""

    task: FileTask
    folder: Path

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Scores the part that a row names."""
        part = Part(self.folder, row["number"])
        draft = part.draft()
        counts = self.task.score((row["start"], row["stop"]), draft)
        part.finish(draft, counts)
        return {"number": row["number"], "rows": counts.total()}


@dataclass(frozen=True)
class Part:
    """A scored part in the folder of parts: its rows, and beside them what was counted."""

    folder: Path
    number: int

    @property
    def rows(self) -> Path:
        """The scored rows."""
        return self.folder / f"{self.number:06d}.rows"

    @property
    def counts(self) -> Path:
        """What was counted; it is written last, so that a part is done where this is there."""
        return self.folder / f"{self.number:06d}.json"

    def draft(self) -> Path:
        """A file of its own for each try: one that was given up may still be writing."""
        return self.folder / f"{self.number:06d}.{uuid.uuid4().hex}.draft"

    def finish(self, draft: Path, counts: Counter[str]) -> None:
        """Makes a draft the part."""
        os.replace(draft, self.rows)
        draft.write_text(json.dumps(counts))
        os.replace(draft, self.counts)


def _run(
    task: FileTask,
    target: Path,
    spans: Sequence[Span],
    concurrency: int | tuple[int, int] | None,
    num_cpus: float,
) -> Counter[str]:
    folder = target.with_name(target.name + ".parts")
    _open_folder(folder, _fingerprint(task, spans))
    parts = [Part(folder, number) for number in range(len(spans))]
    missing = [part.number for part in parts if not part.counts.exists()]
    if missing:
        _score_parts(
            task, folder, {number: spans[number] for number in missing}, concurrency, num_cpus
        )
    merged = folder / "merged"
    task.merge([part.rows for part in parts], merged)
    os.replace(merged, target)
    counts = [Counter(json.loads(part.counts.read_text())) for part in parts]
    shutil.rmtree(folder)
    return sum(counts, Counter())


def _score_parts(
    task: FileTask,
    folder: Path,
    spans: dict[int, Span],
    concurrency: int | tuple[int, int] | None,
    num_cpus: float,
) -> None:
    import ray.data

    rows = [{"number": n, "start": start, "stop": stop} for n, (start, stop) in spans.items()]
    done = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
        ScoringActor, **actor_options(PartScorer(task, folder), concurrency, num_cpus)
    )
    for _ in done.iter_rows():
        pass


def _open_folder(folder: Path, fingerprint: str) -> None:
    """Makes the folder of parts, or finds it with parts of the same work."""
    mark = folder / "fingerprint"
    if folder.exists() and any(folder.iterdir()):
        if not mark.exists():
            raise FileExistsError(f"{folder} is no folder of scored parts; remove it")
        if mark.read_text() == fingerprint:
            return
        shutil.rmtree(folder)
    folder.mkdir(exist_ok=True)
    mark.write_text(fingerprint)


def _fingerprint(task: FileTask, spans: Sequence[Span]) -> str:
    """The same for work that gives the same parts."""
    from ray import cloudpickle

    stat = task.source.stat()
    facts = (JUDGE_VERSION, stat.st_size, stat.st_mtime_ns, list(spans))
    return hashlib.blake2b(cloudpickle.dumps(task) + repr(facts).encode()).hexdigest()


_KINDS: dict[str, type[FileTask]] = {
    ".jsonl": LinesTask,
    ".ndjson": LinesTask,
    ".parquet": ParquetTask,
}


def _kind(path: Path) -> type[FileTask]:
    try:
        return _KINDS[path.suffix]
    except KeyError:
        raise ValueError(f"{path.name} does not end in {', '.join(_KINDS)}") from None
