"""``audit``: which golds of a file or a data set no judge can use, and why, before a run."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from verifiers_math.cli import options as shared
from verifiers_math.cli.console import Console, output, percent, shown
from verifiers_math.cli.exits import CommandError, Exit

if TYPE_CHECKING:
    from verifiers_math.equivalence.verdict import Verdict

SUMMARY: Final = "find golds that no judge can use"

EXAMPLES: Final = """\
examples:
  verifiers-math audit golds.jsonl
  verifiers-math audit train.parquet --gold-field reward_model.ground_truth
  verifiers-math audit gsm8k --split train
  verifiers-math audit rows.jsonl --dataset math --json
"""

BATCH: Final = 512
MAX_KEPT: Final = 10_000
"""Findings that are kept; the others are counted."""

MAX_GOLD_CHARS: Final = 2000
"""What is kept of a gold."""

_STAGES: Final = ("number", "algebra", "math_verify")
"""Without the stages that compare texts only: equal texts need not be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("source", metavar="FILE|DATASET", help="JSONL, JSON or Parquet, or a data set's name")
    add("--split", metavar="NAME", help="the split of DATASET (default: the one to evaluate on)")
    shared.add_limit(parser)
    shared.add_show(parser, 50, "golds")
    shared.add_fields(parser, "gold", "solution")
    shared.add_judge(parser, has_strict=False)
    shared.add_json(parser)


class Entry(NamedTuple):
    """A row to audit.

    Attributes:
        number: Its number.
        gold: The gold in any shape that ``golds_of`` reads.
        solution: The worked solution; None where there is none.
        fault: Why the row cannot be read.
    """

    number: int
    gold: Any
    solution: str | None = None
    fault: str = ""


class Finding(NamedTuple):
    """A gold that should be looked at.

    Attributes:
        row: Its row's number.
        problem: ``"unreadable row"``, ``"unusable"`` or ``"contradicted"``.
        gold: The gold, as text.
        detail: The reason.
    """

    row: int
    problem: str
    gold: str
    detail: str


class Audit:
    """Audits golds and keeps the counts.

    Args:
        settings: Keyword arguments of ``answer_judge``.

    Attributes:
        rows: How many were audited.
        readers: Usable golds by the stage that can read them.
        solutions: Solutions whose final answer is the gold.
        problems: Findings by their problem.
        findings: The first of them, in order.
    """

    def __init__(self, **settings: Any) -> None:
        from verifiers_math.answers import answer_judge
        from verifiers_math.verifier import Verifier

        self._judge = answer_judge(**settings | {"strict": "####"})  # prose ends in many ways
        self._reader = Verifier(
            self._judge.policy, stages=_STAGES, timeout_seconds=self._judge.timeout_seconds
        )
        self.rows = 0
        self.readers: Counter[str] = Counter()
        self.solutions = 0
        self.problems: Counter[str] = Counter()
        self.findings: list[Finding] = []

    def add(self, entries: Sequence[Entry]) -> None:
        """Audits some rows."""
        self.rows += len(entries)
        golds = [_golds(entry) for entry in entries]
        selves = [(gold, rf"\boxed{{{gold}}}") for texts in golds for gold in texts]
        read = iter(self._reader.verify_many(selves))
        for entry, texts in zip(entries, golds, strict=True):
            verdicts = [next(read) for _ in texts]
            bad = next((verdict for verdict in verdicts if _is_unread(verdict)), None)
            if entry.fault:
                self._find(entry, "unreadable row", "", entry.fault)
            elif not texts:
                self._find(entry, "unusable", repr(entry.gold), "there is no gold")
            elif bad is not None:
                self._find(entry, "unusable", bad.gold, _why_unread(bad))
            else:
                self.readers[verdicts[0].stage] += 1
        self._compare_solutions([e for e in entries if e.solution and not e.fault])

    def _compare_solutions(self, entries: Sequence[Entry]) -> None:
        from verifiers_math.equivalence.verdict import Status

        verdicts = self._judge.verdicts([(entry.solution, entry.gold) for entry in entries])
        for entry, verdict in zip(entries, verdicts, strict=True):
            self.solutions += verdict.equal
            if verdict.status is Status.INCORRECT:
                answer = shown(verdict.answer, 60)
                self._find(entry, "contradicted", verdict.gold, f"its solution ends with {answer}")

    def _find(self, entry: Entry, problem: str, gold: str, detail: str) -> None:
        self.problems[problem] += 1
        if len(self.findings) < MAX_KEPT:
            self.findings.append(Finding(entry.number, problem, gold[:MAX_GOLD_CHARS], detail))

    def close(self) -> None:
        """Ends the workers of the audit."""
        self._reader.close()

    def to_dict(self) -> dict[str, Any]:
        """The figures and findings as plain data."""
        return {
            "rows": self.rows,
            "usable": self.readers.total(),
            "read_by": dict(self.readers.most_common()),
            "confirmed_by_solution": self.solutions,
            "problems": dict(self.problems.most_common()),
            "findings": [finding._asdict() for finding in self.findings],
        }

    def print(self, console: Console, most: int) -> None:
        """Prints the figures, and the first ``most`` findings."""
        rows = [
            (stage, f"{count:,}", percent(count / self.rows))
            for stage, count in self.readers.most_common()
        ]
        console.table(f"{self.rows:,} golds, and what can read them", ["stage", "golds", ""], rows)
        if self.solutions:
            console.line(f"\n{self.solutions:,} are confirmed by the answer of their solution")
        if not self.findings:
            console.line("\nevery gold can be judged")
            return
        console.line()
        console.table(
            f"{self.problems.total():,} to look at",
            ["row", "problem", "gold", "why"],
            [
                (f"{row:,}", problem, shown(gold, 40), shown(detail, 90))
                for row, problem, gold, detail in self.findings[:most]
            ],
        )
        if self.problems.total() > most:
            console.line(f"  … and {self.problems.total() - most:,} more (--show N, or --json)")


def _is_unread(verdict: Verdict) -> bool:
    """Whether a gold could not be read, or nothing but its very text could match it."""
    return not verdict.equal or verdict.stage == "identical"


def _why_unread(verdict: Verdict) -> str:
    if verdict.equal:
        return f"only the same text matches it: it has {len(verdict.gold):,} characters"
    return f"{verdict.status.value}: {verdict.detail}"


def _golds(entry: Entry) -> list[str]:
    from verifiers_math.evaluators.evaluator import gold_texts

    return [] if entry.fault else gold_texts(entry.gold)


def run(options: argparse.Namespace) -> int:
    """Audits the golds."""
    from verifiers_math.errors import RowsError

    audit = Audit(**shared.judge_settings(options))
    entries = islice(read_entries(options), options.limit)
    try:
        while batch := list(islice(entries, BATCH)):
            audit.add(batch)
    except RowsError as error:
        raise CommandError(str(error), Exit.BROKEN_OFF) from error
    finally:
        audit.close()
    if not audit.rows:
        raise CommandError(f"{options.source} holds no rows: there is nothing to audit")
    if options.json:
        output().json(audit.to_dict())
    else:
        audit.print(output(), options.show)
    return Exit.FOUND if audit.findings else Exit.OK


def read_entries(options: argparse.Namespace) -> Iterator[Entry]:
    """The golds of a file or a data set.

    Raises:
        CommandError: If there is no such file or data set, or the gold's field is not found.
        RowsError: If the file cannot be read on.
    """
    if os.path.exists(options.source) or options.source == "-":
        return _of_file(options)
    return _of_dataset(options)


def _of_dataset(options: argparse.Namespace) -> Iterator[Entry]:
    from verifiers_math.datasets import SCHEMAS, find_schema, load

    stem = options.source.partition(":")[0]
    if stem not in SCHEMAS:
        raise CommandError(
            f"there is no file {options.source}, and no data set of this name; the data sets are "
            f"{', '.join(SCHEMAS)}"
        )
    shared.known(find_schema, options.source)
    try:
        problems = load(options.source, split=options.split)
        for number, problem in enumerate(problems, 1):
            yield Entry(number, problem.gold, problem.solution)
    except ImportError as error:
        raise CommandError(str(error)) from error
    except (OSError, KeyError, ValueError) as error:  # what the hub or its rows are not
        raise CommandError(f"cannot load {options.source}: {error}", Exit.BROKEN_OFF) from error


def _of_file(options: argparse.Namespace) -> Iterator[Entry]:
    from verifiers_math.cli.inputs import open_rows

    _, rows = open_rows(options.source)
    find: Any = None
    for row in rows:
        if row.fault:
            yield Entry(row.number, None, fault=row.fault)
            continue
        find = find or _finder(options, row.data)
        yield Entry(row.number, *find(row.data))


def _finder(options: argparse.Namespace, first: dict[str, Any]) -> Any:
    """Finds gold and solution in a row, given the first one."""
    from verifiers_math.cli.fields import named
    from verifiers_math.datasets import find_schema
    from verifiers_math.fields import GOLD_FIELDS, get_field

    if options.dataset is not None:
        schema, _ = shared.known(find_schema, options.dataset)
        shared.known(schema.read, first)
        return lambda row: (schema.gold(row), schema.solution(row))
    gold = named(first, options.gold_field, "gold", GOLD_FIELDS)
    solution = options.solution_field or ("solution" if gold != "solution" else "")

    def find(row: dict[str, Any]) -> tuple[Any, str | None]:
        text = get_field(row, solution)
        return get_field(row, gold), text if isinstance(text, str) else None

    return find
