"""``compare``: where two scored files, or two judges on the same rollouts, differ."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Any, Final, NamedTuple

from verifiers_math.cli import options as shared
from verifiers_math.cli.console import LISTED_FAULTS, Console, messages, output, percent, shown
from verifiers_math.cli.exits import CommandError, Exit

SUMMARY: Final = "show where two scored files or two judges differ"

EXAMPLES: Final = """\
examples:
  verifiers-math compare before.scored.jsonl after.scored.jsonl
  verifiers-math compare rollouts.jsonl --judges ours math_verify
  verifiers-math compare rollouts.jsonl --judges ours math_equivalence --show 100
"""

OURS: Final = "ours"
MATH_VERIFY: Final = "math_verify"
BATCH: Final = 256
MAX_KEPT: Final = 10_000
"""Differences that are kept; the others are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("first", metavar="A", help="a scored file; or rollouts, with --judges")
    add("second", metavar="B", nargs="?", help="another scored file of the same rows")
    add(
        "--judges",
        nargs=2,
        metavar=("ONE", "OTHER"),
        help=f"compare judges on the rollouts of A: {OURS}, {MATH_VERIFY} alone, or an evaluator",
    )
    add("--evaluator", metavar="NAME", help="whose scores to compare (default: the first in both)")
    shared.add_limit(parser)
    shared.add_show(parser, 20, "differences")
    shared.add_fields(parser, *shared.ROLES)
    shared.add_judge(parser)
    shared.add_json(parser)


class Pair(NamedTuple):
    """One row, judged twice.

    Attributes:
        number: Its number.
        results: Both results.
    """

    number: int
    results: tuple[Mapping[str, Any], Mapping[str, Any]]


class Difference(NamedTuple):
    """A row on which both differ.

    Attributes:
        row: Its number.
        kind: The kind of gold.
        passed: Which of the two passes it: 0 or 1.
        gold: The gold as it was compared.
        answer: The answer as it was compared.
        details: What each of them says.
    """

    row: int
    kind: str
    passed: int
    gold: str
    answer: str
    details: tuple[str, str]


class Comparison:
    """Counts where two judgements agree and differ.

    Args:
        names: What they are called.

    Attributes:
        counts: Rows by whether the first and the second pass them.
        kinds: Differences by the kind of gold, and by which of the two passes.
        differences: The first differences, in order.
    """

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names
        self.counts: Counter[tuple[bool, bool]] = Counter()
        self.kinds: Counter[tuple[str, int]] = Counter()
        self.differences: list[Difference] = []

    def add(self, pair: Pair) -> None:
        """Counts a row."""
        one, other = pair.results
        passed = bool(one["passed"]), bool(other["passed"])
        self.counts[passed] += 1
        if passed[0] == passed[1]:
            return
        from verifiers_math.report.kinds import kind_of_answer

        gold = _either(pair.results, "gold")
        difference = Difference(
            pair.number,
            kind_of_answer(gold),
            int(passed[1]),
            gold,
            _either(pair.results, "answer"),
            (_told(one), _told(other)),
        )
        self.kinds[difference.kind, difference.passed] += 1
        if len(self.differences) < MAX_KEPT:
            self.differences.append(difference)

    def to_dict(self) -> dict[str, Any]:
        """The counts and differences as plain data."""
        return {
            "names": list(self.names),
            "rows": self.counts.total(),
            "both_pass": self.counts[True, True],
            "neither_passes": self.counts[False, False],
            "only_first_passes": self.counts[True, False],
            "only_second_passes": self.counts[False, True],
            "differences": [difference._asdict() for difference in self.differences],
        }

    def print(self, console: Console, most: int) -> None:
        """Prints the counts, and the first ``most`` differences."""
        rows = self.counts.total()
        one, other = self.names
        outcomes = {
            "both pass": (True, True),
            "neither passes": (False, False),
            f"only {one} passes": (True, False),
            f"only {other} passes": (False, True),
        }
        console.table(
            f"{rows:,} rows: {one} and {other}",
            ["outcome", "rows", "share"],
            [
                (shown(name), f"{self.counts[key]:,}", percent(self.counts[key] / rows))
                for name, key in outcomes.items()
            ],
        )
        if not self.differences:
            return
        console.line()
        kinds = Counter(kind for kind, _ in self.kinds.elements())
        console.table(
            "differences by the kind of gold",
            ["kind", f"only {one}", f"only {other}"],
            [(kind, self.kinds[kind, 0], self.kinds[kind, 1]) for kind, _ in kinds.most_common()],
        )
        console.line()
        console.table(
            "differences",
            ["row", "passes", "gold", "answer", one, other],
            [
                (
                    f"{row:,}",
                    self.names[passed],
                    *(shown(text, 30) for text in (gold, answer)),
                    *(shown(detail, 50) for detail in details),
                )
                for row, _, passed, gold, answer, details in self.differences[:most]
            ],
        )
        if self.kinds.total() > most:
            left = self.kinds.total() - most
            console.line(f"  … and {left:,} more (--show N, or --json)")


def _either(results: Sequence[Mapping[str, Any]], name: str) -> str:
    """What one of the results has: not every evaluator says what it compared."""
    return next((str(result[name]) for result in results if result.get(name)), "")


def _told(result: Mapping[str, Any]) -> str:
    return f"{result['label']}: {result['detail']}"


def run(options: argparse.Namespace) -> int:
    """Compares the files or the judges."""
    from verifiers_math.errors import RowsError

    if (options.second is None) == (options.judges is None):
        raise CommandError("compare needs two scored files, or one file of rollouts and --judges")
    names, pairs = _of_judges(options) if options.judges else _of_files(options)
    comparison = Comparison(names)
    try:
        for pair in pairs:
            comparison.add(pair)
    except RowsError as error:
        raise CommandError(str(error), Exit.BROKEN_OFF) from error
    if not comparison.counts:
        raise CommandError(f"{options.first} holds no rows: there is nothing to compare")
    if options.json:
        output().json(comparison.to_dict())
    else:
        comparison.print(output(), options.show)
    return Exit.FOUND if comparison.differences else Exit.OK


# --- two files ---------------------------------------------------------------------------------


def _of_files(options: argparse.Namespace) -> tuple[tuple[str, str], Iterator[Pair]]:
    files = (options.first, options.second)
    if files == ("-", "-"):
        raise CommandError("only one of two files can be standard input")
    return files, _pairs_of_files(files, options.evaluator, options.limit)


def _pairs_of_files(
    files: tuple[str, str], evaluator: str | None, limit: int | None
) -> Iterator[Pair]:
    from verifiers_math.cli.inputs import open_rows

    one, other = (open_rows(file, limit)[1] for file in files)
    for number, (first, second) in enumerate(zip_longest(one, other), 1):
        if first is None or second is None:
            short = files[0] if first is None else files[1]
            raise CommandError(
                f"{short} ends before row {number:,}: the files are not of the same rows"
            )
        scores = [_scores(row, file) for row, file in zip((first, second), files, strict=True)]
        if evaluator is None:
            evaluator = _in_both(scores, files)
        for found, file in zip(scores, files, strict=True):
            if evaluator not in found:
                known = ", ".join(map(repr, found))
                raise CommandError(
                    f"{file}, row {number:,} has no score of {evaluator!r}; it has {known}"
                )
        yield Pair(number, (scores[0][evaluator], scores[1][evaluator]))


def _scores(row: Any, file: str) -> Mapping[str, Any]:
    from verifiers_math.fields import SCORES

    scores = row.data.get(SCORES)
    if isinstance(scores, dict) and all(map(_is_result, scores.values())):
        return scores
    what = row.fault or f"it has no field {SCORES!r}"
    raise CommandError(
        f"{file}, row {row.number:,} is not scored: {what}; make it with verifiers-math score"
    )


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and {"passed", "label", "detail"} <= value.keys()


def _in_both(scores: Sequence[Mapping[str, Any]], files: tuple[str, str]) -> str:
    for name in scores[0]:
        if name in scores[1]:
            return name
    raise CommandError(f"{files[0]} and {files[1]} have no evaluator in common")


# --- two judges --------------------------------------------------------------------------------


def _of_judges(options: argparse.Namespace) -> tuple[tuple[str, str], Iterator[Pair]]:
    return tuple(options.judges), _pairs_of_judges(options)


def _pairs_of_judges(options: argparse.Namespace) -> Iterator[Pair]:
    from verifiers_math.cli.fields import fields_of
    from verifiers_math.cli.inputs import name_of, open_rows, with_first
    from verifiers_math.evaluators.evaluator import Item

    one, other = (_judge(name, options) for name in options.judges)
    _, rows = open_rows(options.first, options.limit)
    first, rows = with_first(rows, options.first)
    fields = fields_of(options, first)
    name = name_of(options.first)
    left_out = 0
    while batch := list(islice(rows, BATCH)):
        items: list[tuple[int, Item]] = []
        for row in batch:
            item = fields.item(row)
            if isinstance(item, Item):
                items.append((row.number, item))
                continue
            left_out += 1
            if left_out <= LISTED_FAULTS:
                messages().line(f"{name}, row {row.number:,} is left out: {shown(item, 200)}")
        given = [item for _, item in items]
        judged = zip(one(given), other(given), strict=True)
        for (number, _), results in zip(items, judged, strict=True):
            yield Pair(number, results)
    if left_out > LISTED_FAULTS:
        messages().line(f"{name}: {left_out - LISTED_FAULTS:,} more rows are left out")


def _judge(name: str, options: argparse.Namespace) -> Any:
    """The function that judges a batch of items, by the judge's name."""
    from verifiers_math.evaluators.registry import get

    if name == MATH_VERIFY:
        return _math_verify(options)
    if name in (OURS, "correct_answer"):
        return get("correct_answer", **shared.judge_settings(options)).evaluate_many
    return shared.known(get, name).evaluate_many


def _math_verify(options: argparse.Namespace) -> Any:
    """math_verify's own opinion on the final answer that our scanner finds."""
    from verifiers_math.evaluators.correct_answer import from_verdict
    from verifiers_math.evaluators.evaluator import gold_texts
    from verifiers_math.verifier import Verifier

    verifier = Verifier(stages=(MATH_VERIFY,), timeout_seconds=options.timeout)

    def judge(items: Sequence[Any]) -> list[Any]:
        golds: list[Sequence[str | None]] = [gold_texts(item.expected) or [None] for item in items]
        pairs = [(gold, item.output) for item, of in zip(items, golds, strict=True) for gold in of]
        found = iter(verifier.verify_many(pairs, strict=options.strict))
        judged = [[next(found) for _ in of] for of in golds]
        return [
            from_verdict(next((verdict for verdict in of if verdict.equal), of[0])) for of in judged
        ]

    return judge
