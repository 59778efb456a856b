"""Scoring on a Ray cluster: the same lines as the local engine writes, made by many machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from verifiers_math.cli.exits import CommandError, Exit

if TYPE_CHECKING:
    from verifiers_math.cli.fields import Fields
    from verifiers_math.cli.tally import Tally
    from verifiers_math.evaluators.evaluator import Evaluator

SUFFIXES: Final = (".jsonl", ".ndjson")


@dataclass(frozen=True)
class LineScorer:
    """Scores lines of JSONL, wherever it is called; it is picklable.

    Attributes:
        fields: Where response, gold and prompt stand.
        evaluators: The evaluators.
        times: Whether to keep how long each judgement took.
    """

    fields: Fields
    evaluators: tuple[Evaluator, ...]
    times: bool

    def __call__(self, lines: Sequence[bytes]) -> tuple[list[bytes], Counter[str]]:
        """Scores lines, none of them blank; the counts are of the first evaluator's statuses."""
        from verifiers_math.cli.scoring import RowScorer
        from verifiers_math.rows import read_line

        rows = [read_line(number, line) for number, line in enumerate(lines, 1)]
        scored = RowScorer(self.fields, self.evaluators, self.times)(rows)
        first = self.evaluators[0].name
        return [row.line for row in scored], Counter(row.results[first]["status"] for row in scored)


def score_file(file: str, path: Path | None, scorer: LineScorer, tally: Tally) -> Exit:
    """Scores a JSONL file on Ray; a run that broke off is always resumed.

    Raises:
        CommandError: If Ray is not installed, or either file is no JSONL file.
    """
    from verifiers_math.fields import SCORES
    from verifiers_math.rows import read_rows

    if path is None or {Path(file).suffix.lower(), path.suffix.lower()} - set(SUFFIXES):
        raise CommandError(f"--engine ray takes and writes files that end in {SUFFIXES[0]}")
    ray, engine = _ray()
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    try:
        engine.score_file(file, str(path), score_lines=scorer)
    except Exception as error:  # Ray has many kinds
        raise CommandError(f"Ray could not score {file}: {error}", Exit.BROKEN_OFF) from error
    for row in read_rows(path):
        tally.add(row.number, row.data[SCORES])
    return Exit.OK


def _ray() -> tuple[Any, Any]:
    try:
        return import_module("ray"), import_module("verifiers_math.integrations.ray")
    except ImportError as error:
        raise CommandError(
            f"--engine ray is not installed ({error}): pip install 'verifiers-math[ray]'"
        ) from error
