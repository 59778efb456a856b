"""Rows in, scored rows out, in order: batches are evaluated while others are read and written."""

from __future__ import annotations

import base64
import datetime
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

from verifiers_math.cli.fields import Fields
from verifiers_math.equivalence.verdict import Status
from verifiers_math.errors import RowsError
from verifiers_math.evaluators.correct_answer import CorrectAnswer
from verifiers_math.evaluators.evaluator import Evaluator, Item, Result, unscored
from verifiers_math.fields import SCORES
from verifiers_math.promise import Promise, submit
from verifiers_math.rows import Row

BATCH_ROWS: Final = 256
BATCH_BYTES: Final = 4 << 20
THREADS: Final = 4
"""A batch that waits for a worker holds up none but those that are this far behind it."""

TIME: Final = "seconds"
"""The one value of a result that another run does not repeat; a report shows it as latency."""

_PASSING: Final = (TIME, "cached")
"""What differs from run to run. A time of zero says that a result came out of the cache."""

_TIME_DIGITS: Final = 3
"""More of a time is noise, and a report counts to 1 %."""

Results = dict[str, dict[str, Any]]


class Scored(NamedTuple):
    """A row with its scores.

    Attributes:
        row: The row.
        results: The result of each evaluator, as it is written.
        line: The JSON object that is written, with its line end.
    """

    row: Row
    results: Results
    line: bytes


class RowScorer:
    """Scores rows.

    Args:
        fields: Where response, gold and prompt stand.
        evaluators: The evaluators.
        times: Whether to keep how long each judgement took.
    """

    def __init__(self, fields: Fields, evaluators: Iterable[Evaluator], times: bool) -> None:
        self.fields = fields
        self.evaluators = tuple(evaluators)
        self.times = times

    def __call__(self, rows: Sequence[Row]) -> list[Scored]:
        """Scores some rows; one that cannot be scored gets a result that says why."""
        items = [self.fields.item(row) for row in rows]
        sound = [item for item in items if isinstance(item, Item)]
        columns = [self._column(evaluator, items, sound) for evaluator in self.evaluators]
        names = [evaluator.name for evaluator in self.evaluators]
        scored = []
        for row, *found in zip(rows, *columns, strict=True):
            results = dict(zip(names, found, strict=True))
            scored.append(Scored(row, results, written(row, results)))
        return scored

    def _column(
        self, evaluator: Evaluator, items: Sequence[Item | str], sound: Sequence[Item]
    ) -> list[dict[str, Any]]:
        judged = iter(evaluator.evaluate_many(sound))
        return [
            self._kept(next(judged) if isinstance(item, Item) else unscored(Status.ERROR, item))
            for item in items
        ]

    def _kept(self, result: Result) -> dict[str, Any]:
        """What is written of a result: what every run repeats, and perhaps its time behind it."""
        repeated = {name: value for name, value in result.items() if name not in _PASSING}
        seconds = result.get(TIME)
        if self.times and seconds is not None:
            repeated[TIME] = float(f"{seconds:.{_TIME_DIGITS}g}")
        return repeated

    def close(self) -> None:
        """Ends the workers at once; rows under way get an error."""
        for evaluator in self.evaluators:
            if isinstance(evaluator, CorrectAnswer):
                evaluator.judge.verifier.close()


def written(row: Row, results: Results) -> bytes:
    """A row with its scores as a line of JSON.

    A line of JSONL keeps its text. A row that could not be read is kept as ``raw``. Of another
    format, what JSON has not is written as text, NaN and infinity as null.
    """
    if row.line and SCORES not in row.data:
        comma = b", " if row.data else b""
        return row.line[:-1].rstrip() + comma + _json({SCORES: results})[1:] + b"\n"
    return _json(kept(row) | {SCORES: results}) + b"\n"


def kept(row: Row) -> dict[str, Any]:
    """What is written of a row besides its scores."""
    return {"raw": row.raw} if row.fault else row.data


def scores_of(line: Mapping[str, Any], row: Row) -> Results:
    """The results in a line that was written of a row earlier.

    Raises:
        ValueError: It was written of another row, or is none of ours.
    """
    before = {name: value for name, value in line.items() if name != SCORES}
    expected = {name: value for name, value in kept(row).items() if name != SCORES}
    if SCORES not in line or _json(before) != _json(expected):  # as text: dates have become one
        raise ValueError("it was written of another row")
    results: Results = line[SCORES]
    return results


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, default=_plain, allow_nan=False)
    except ValueError:  # JSON has no NaN and no infinity
        python_only = json.dumps(value, default=_plain)
        finite = json.loads(python_only, parse_constant=lambda _: None)
        text = json.dumps(finite, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can say
        return json.dumps(json.loads(text)).encode()


def _plain(value: Any) -> Any:
    """Values that Parquet has and JSON has not."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


Score = Callable[[Sequence[Row]], list[Scored]]


def scored_batches(rows: Iterable[Row], score: Score) -> Iterator[list[Scored]]:
    """Scores rows in batches, in order, a few of them at once.

    Args:
        rows: The rows; never more of them are read than are under way.
        score: Scores a batch; called from several threads.

    Yields:
        The scored rows of each batch.

    Raises:
        RowsError: If the rows cannot be read on; what stands before is scored first.
    """
    under_way: deque[Promise[list[Scored]]] = deque()
    fault: RowsError | None = None
    executor = ThreadPoolExecutor(THREADS, thread_name_prefix="verifiers-math-score")
    try:
        batches = _batches(rows)
        while fault is None:
            try:
                batch = next(batches, None)
            except RowsError as error:
                fault = error
                break
            if batch is None:
                break
            under_way.append(submit(executor, score, batch))
            while len(under_way) > THREADS or (under_way and under_way[0].done()):
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
        if fault is not None:
            raise fault
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _weight(row: Row) -> int:
    """About how many bytes a row takes: the length of its texts, those in messages too."""
    if row.line:
        return len(row.line)
    size, left = 0, [row.data]
    while left:
        value: Any = left.pop()
        if isinstance(value, str | bytes):
            size += len(value)
        elif isinstance(value, Mapping):
            left.extend(value.values())
        elif isinstance(value, list | tuple):
            left.extend(value)
    return size


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in batches that are bounded in number and in bytes; all there are before a fault."""
    batch: list[Row] = []
    size = 0
    fault: RowsError | None = None
    source = iter(rows)
    while True:
        try:
            row = next(source, None)
        except RowsError as error:
            row, fault = None, error
        if row is not None:
            batch.append(row)
            size += _weight(row)
        if batch and (row is None or len(batch) == BATCH_ROWS or size >= BATCH_BYTES):
            yield batch
            batch, size = [], 0
        if row is None:
            break
    if fault is not None:
        raise fault
