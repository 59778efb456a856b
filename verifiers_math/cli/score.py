"""``score``: a file of rollouts, each row with its score and the reason for it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from verifiers_math.cli import options as shared
from verifiers_math.cli.exits import CommandError, Exit, Terminated
from verifiers_math.cli.places import beside, check

if TYPE_CHECKING:
    from verifiers_math.cli.fields import Fields
    from verifiers_math.cli.scored_file import ScoredFile
    from verifiers_math.cli.tally import Tally
    from verifiers_math.evaluators.evaluator import Evaluator
    from verifiers_math.rows import Row, Rows

SUMMARY: Final = "score a file of rollouts"

EXAMPLES: Final = """\
examples:
  verifiers-math score rollouts.jsonl
  verifiers-math score rollouts.parquet -o scored.jsonl --policy strict --strict
  verifiers-math score outputs.jsonl --dataset gsm8k --response-field output
  verifiers-math score big.jsonl --resume --json
  zcat rollouts.jsonl.gz | verifiers-math score - > scored.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("file", metavar="FILE", help="JSONL, JSON or Parquet; - for standard input")
    add(
        "-o",
        "--output",
        metavar="OUT",
        help="where the scored rows go, as JSONL (default: FILE with .scored.jsonl; - for standard "
        "output, the default where FILE is -)",
    )
    earlier = parser.add_mutually_exclusive_group()
    earlier.add_argument(
        "--resume", action="store_true", help="go on where an earlier run broke off"
    )
    earlier.add_argument(
        "--overwrite", action="store_true", help="discard what an earlier run left unfinished"
    )
    add(
        "--times",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep how long each judgement took (default), or leave out what another run does not "
        "repeat",
    )
    shared.add_limit(parser)
    add("--report", metavar="HTML", help="write a report on the scored rows")
    add("--engine", choices=("local", "ray"), default="local", help="where to judge")
    shared.add_progress(parser)
    shared.add_json(parser)
    shared.add_fields(
        parser, *shared.ROLES, dataset="gold fields and evaluator of math, gsm8k, mgsm:de, …"
    )
    add(
        "--evaluator",
        action="append",
        metavar="NAME",
        help="evaluators or suites, joined by commas or given one by one (default: the data set's, "
        "else correct_answer)",
    )
    shared.add_judge(parser)


@dataclass(frozen=True)
class Job:
    """What is to be scored, by what.

    Attributes:
        options: The command's options.
        path: Where the scored rows go; None for standard output.
        rows: The open file.
        source: Its rows, the first ones too.
        fields: Where response, gold and prompt stand.
        evaluators: The evaluators.
        tally: Counts what is scored.
    """

    options: argparse.Namespace
    path: Path | None
    rows: Rows
    source: Iterator[Row]
    fields: Fields
    evaluators: list[Evaluator]
    tally: Tally


def run(options: argparse.Namespace) -> int:
    """Scores the file."""
    from verifiers_math.cli.fields import fields_of
    from verifiers_math.cli.inputs import open_rows, with_first
    from verifiers_math.cli.tally import Tally

    path = output_path(options)
    write_report = _report_writer(options, path)
    evaluators = make_evaluators(options)
    tally = Tally(evaluator.name for evaluator in evaluators)
    rows, source = open_rows(options.file, options.limit)
    try:
        first, source = with_first(source, options.file)
        fields = fields_of(options, first)
        job = Job(options, path, rows, source, fields, evaluators, tally)
        code = _ENGINES[options.engine](job)
    finally:
        rows.close()
    if code is not Exit.OK:
        return code
    _tell(options, tally, path)
    if write_report is not None:
        write_report()
    return Exit.FOUND if tally.faulty else Exit.OK


def _tell(options: argparse.Namespace, tally: Tally, path: Path | None) -> None:
    """Prints the summary, and which rows could not be scored."""
    from verifiers_math.cli.console import messages, output, spelled

    told = messages() if path is None else output()
    if options.json:
        told.json(tally.to_dict() | {"output": None if path is None else str(path)})
    else:
        tally.print(told)
        if path is not None:
            told.line(f"\nwritten to {spelled(path)}")
    tell_faults(tally, options.file)


def _score_on_ray(job: Job) -> Exit:
    """Scores the file on a Ray cluster."""
    from verifiers_math.cli.ray_engine import LineScorer, score_file

    if job.options.limit is not None:
        raise CommandError("--limit is for the local engine: Ray scores the whole file")
    if job.options.overwrite:
        raise CommandError("--overwrite is for the local engine: Ray always goes on with its parts")
    job.rows.close()
    scorer = LineScorer(job.fields, tuple(job.evaluators), job.options.times)
    return score_file(job.options.file, job.path, scorer, job.tally)


def _score_here(job: Job) -> Exit:
    """Scores the rows in this process: what is left of them, where a run is resumed."""
    from verifiers_math.cli.scored_file import ScoredFile

    resume, overwrite = job.options.resume, job.options.overwrite
    with ScoredFile(job.path, _settings(job), resume=resume, overwrite=overwrite) as scored_file:
        return _score(job, scored_file)


def _score(job: Job, scored_file: ScoredFile) -> Exit:
    from verifiers_math.cli.console import messages
    from verifiers_math.cli.progress import progress
    from verifiers_math.cli.scoring import RowScorer, scored_batches
    from verifiers_math.errors import RowsError

    scorer = RowScorer(job.fields, job.evaluators, job.options.times)
    tally = job.tally
    try:
        _pass_over(job.source, scored_file, tally)
        with progress(job.rows.size, job.options.progress) as bar:
            for batch in scored_batches(job.source, scorer):
                scored_file.write(scored.line for scored in batch)
                for row, results, _ in batch:
                    tally.add(row.number, results)
                bar.update(job.rows.position, tally.rows, tally.notes())
        scored_file.commit()
    except (KeyboardInterrupt, Terminated) as error:
        scorer.close()
        messages().line(f"\nbroken off: {_what_is_kept(scored_file, tally)}")
        return Exit.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Exit.TERMINATED
    except RowsError as error:
        kept = _what_is_kept(scored_file, tally)
        raise CommandError(f"{error}; {kept}", Exit.BROKEN_OFF) from error
    return Exit.OK


_ENGINES: Final[dict[str, Callable[[Job], Exit]]] = {"local": _score_here, "ray": _score_on_ray}


def _what_is_kept(scored_file: ScoredFile, tally: Tally) -> str:
    if scored_file.partial is None or not tally.rows:
        return f"{tally.rows:,} rows were scored"
    return (
        f"{tally.rows:,} rows are scored and kept in {scored_file.partial}; the same command with "
        "--resume goes on from there"
    )


def _pass_over(source: Iterator[Row], scored_file: ScoredFile, tally: Tally) -> None:
    """Counts what a resumed file holds, and passes over the rows that it was made of."""
    from verifiers_math.cli.scoring import scores_of

    for number, line in enumerate(scored_file.kept_rows(), 1):
        row = next(source, None)
        try:
            if row is None:
                raise ValueError("the input has no such row")
            tally.add(row.number, scores_of(line, row))
        except (KeyError, TypeError, ValueError) as error:
            raise CommandError(
                f"{scored_file.partial} was not made of this input: its row {number:,} is another; "
                "start anew with --overwrite"
            ) from error


# --- what is scored, by what -------------------------------------------------------------------


def make_evaluators(options: argparse.Namespace) -> list[Evaluator]:
    """The evaluators that the options ask for.

    Raises:
        CommandError: If a name is not known.
    """
    from verifiers_math.datasets import find_schema
    from verifiers_math.evaluators.registry import expand, get

    names = options.evaluator
    if options.dataset is not None:
        schema, _ = shared.known(find_schema, options.dataset)
        names = names or [schema.evaluator]
    settings = {"correct_answer": shared.judge_settings(options)}
    given = [name for text in names or ["correct_answer"] for name in text.split(",") if name]
    if not given:
        raise CommandError("--evaluator names none")
    expanded = shared.known(expand, given)
    return [get(name, **settings.get(name, {})) for name in expanded]


def output_path(options: argparse.Namespace) -> Path | None:
    """Where the scored rows go; None for standard output.

    Raises:
        CommandError: If they cannot go there.
    """
    if options.output == "-":
        return None
    path = Path(options.output) if options.output else beside(options.file, ".scored.jsonl")
    if path is not None:
        check(path, "the scored rows", options.file)
    return path


def _settings(job: Job) -> dict[str, Any]:
    """All that the scored lines depend on."""
    from verifiers_math.question import JUDGE_VERSION

    file, fields = job.options.file, job.fields
    return {
        "input": "-" if file == "-" else str(Path(file).resolve()),
        "fields": [fields.response, fields.gold_fields, fields.prompt_fields, fields.schema],
        "evaluators": [evaluator.name for evaluator in job.evaluators],
        "times": job.options.times,
        "judge": [JUDGE_VERSION, shared.judge_settings(job.options)],
    }


def _report_writer(options: argparse.Namespace, path: Path | None) -> Callable[[], None] | None:
    """What writes the report, found before anything is scored for it; None where none is wanted.

    Raises:
        CommandError: If reports are not there, the scored rows go to standard output, or the
            report cannot go where it is wanted.
    """
    if options.report is None:
        return None
    if path is None:
        raise CommandError("--report needs the scored rows in a file: name it with --output")
    try:
        write_report = import_module("verifiers_math.report").write_report
    except ImportError as error:
        raise CommandError(f"reports are not installed: {error}") from error
    check(Path(options.report), "the report", options.file, path)

    def write() -> None:
        try:
            write_report(str(path), options.report)
        except OSError as error:
            raise CommandError(
                f"cannot write the report to {options.report}: {error.strerror or error}; the rows "
                f"are scored: make room, then verifiers-math report {path} -o {options.report}",
                Exit.BROKEN_OFF,
            ) from error

    return write


def tell_faults(tally: Tally, file: str) -> None:
    """Says on standard error which rows could not be scored."""
    from verifiers_math.cli.console import LISTED_FAULTS, messages, shown
    from verifiers_math.cli.inputs import name_of

    told = messages()
    name = name_of(file)
    for number, detail in tally.faults[:LISTED_FAULTS]:
        told.line(f"{name}, row {number:,}: {shown(detail, 200)}")
    if tally.faulty > LISTED_FAULTS:
        told.line(f"{name}: {tally.faulty - LISTED_FAULTS:,} more rows cannot be scored")
