"""JSON lines, scored: each line stays as it is, and gets its score's fields at its end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.rows import RowJudge, error_verdict

ScoreLines = Callable[[Sequence[bytes]], tuple[list[bytes], Counter[str]]]
"""Makes a scored line of each line, and counts what is among them."""


class LineScorer(RowJudge):
    """Scores lines of JSON, an object each.

    A line keeps its bytes, unless it has fields of the names that scoring adds: these are replaced.
    One that is no JSON object is kept as text in the field ``line``, with the status ``error``; so
    is one without a response, as it is.
    """

    def __call__(self, lines: Sequence[bytes]) -> tuple[list[bytes], Counter[str]]:
        """Scores some lines.

        Args:
            lines: With or without their ends; none of them blank.

        Returns:
            The scored lines, each with its end, and how many there are of each status.
        """
        read = [self._read(line) for line in lines]
        answers = [self.fields.answer(line.row) for line in read if not line.fault]
        judged = iter(self.verdicts(answers))
        verdicts = [
            error_verdict("row", line.fault) if line.fault else next(judged) for line in read
        ]
        written = [self._written(*pair) for pair in zip(read, verdicts, strict=True)]
        return written, Counter(verdict.status.value for verdict in verdicts)

    def _read(self, line: bytes) -> _Line:
        try:
            row = read_row(line)
        except ValueError as error:
            kept = {"line": line.decode("utf-8", "replace").strip()}
            return _Line(kept, json.dumps(kept).encode(), str(error))
        has_response = self.fields.response in row
        fault = "" if has_response else f"the row has no field {self.fields.response!r}"
        return _Line(row, line.strip(), fault)

    def _written(self, line: _Line, verdict: Verdict) -> bytes:
        added = self.added(verdict)
        if added.keys() & line.row.keys():
            return _dumped(line.row | added) + b"\n"
        comma = b", " if line.row else b""
        return line.text[:-1].rstrip() + comma + _dumped(added)[1:] + b"\n"


class _Line(NamedTuple):
    """A line as a row, the JSON object that it is kept as, and why it cannot be judged."""

    row: dict[str, Any]
    text: bytes
    fault: str


def read_row(line: bytes) -> dict[str, Any]:
    """Reads a line as a JSON object.

    Raises:
        ValueError: It is none; the message says why.
    """
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"the line is not UTF-8: {error.reason} at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the line is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise ValueError(f"the line is a JSON {type(row).__name__}, not an object")
    return row


def _dumped(row: dict[str, Any]) -> bytes:
    try:
        return json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can say
        return json.dumps(row).encode()
