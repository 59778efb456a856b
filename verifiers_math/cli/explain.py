"""``explain``: why one response was judged as it was, stage by stage."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from verifiers_math.cli import options as shared
from verifiers_math.cli.console import Console, output, shown
from verifiers_math.cli.exits import CommandError, Exit

if TYPE_CHECKING:
    from verifiers_math.explain import Explanation, Reading

SUMMARY: Final = "explain one verdict"

EXAMPLES: Final = r"""examples:
  verifiers-math explain --gold '1/2' --response 'So it is \boxed{0.5}.'
  verifiers-math explain --gold '(1, 2)' --response @response.txt --strict
  verifiers-math explain --file rollouts.jsonl --row 17
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--gold", metavar="TEXT", help="the reference answer; @FILE for a file, - for input")
    add("--response", metavar="TEXT", help="what the model wrote; likewise")
    add("--prompt", metavar="TEXT", help="what the model was asked; likewise")
    add("--file", metavar="FILE", help="take a row of a file of rollouts instead")
    add(
        "--row",
        type=shared.count,
        default=1,
        metavar="N",
        help="which one, by its number (default: 1)",
    )
    shared.add_fields(parser, *shared.ROLES)
    shared.add_judge(parser)
    shared.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Explains the verdict; the exit code says whether the answer is correct."""
    from verifiers_math.answers import answer_judge, golds_of
    from verifiers_math.evaluators.evaluator import text_of
    from verifiers_math.explain import explain

    given = (options.gold, options.response, options.prompt)
    if options.file and any(text is not None for text in given):
        raise CommandError(
            "explain takes its texts from --file, or from the options, not from both"
        )
    gold, response, prompt = _of_row(options) if options.file else _given(options)
    judge = answer_judge(**shared.judge_settings(options))
    stories = [
        explain(
            alternative,
            text_of(response),
            verifier=judge.verifier,
            strict=judge.strict,
            policy=judge.policy,
            prompt=prompt,
        )
        for alternative in golds_of(gold)
    ]
    story = next((story for story in stories if story.verdict.equal), stories[0])
    if options.json:
        output().json(story.to_dict())
    else:
        print_story(output(), story)
    return Exit.OK if story.verdict.equal else Exit.FOUND


def _given(options: argparse.Namespace) -> tuple[Any, Any, Any]:
    if options.gold is None or options.response is None:
        raise CommandError("explain needs --gold and --response, or --file and --row")
    given = (options.gold, options.response, options.prompt)
    if given.count("-") > 1:
        raise CommandError("only one of gold, response and prompt can be standard input")
    gold, response, prompt = map(_text, given)
    return gold, response, prompt


def _text(given: str | None) -> str | None:
    """A text as given, from a file (``@FILE``), or from standard input (``-``)."""
    if given is None or not (given == "-" or given.startswith("@")):
        return given
    try:
        raw = sys.stdin.buffer.read() if given == "-" else Path(given[1:]).read_bytes()
        return raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        place = "standard input" if given == "-" else given[1:]
        raise CommandError(f"cannot read {place}: {error}") from error


def _of_row(options: argparse.Namespace) -> tuple[Any, Any, Any]:
    from verifiers_math.cli.fields import fields_of
    from verifiers_math.cli.inputs import open_rows
    from verifiers_math.errors import RowsError

    _, rows = open_rows(options.file)
    try:
        row = next((row for row in rows if row.number >= options.row), None)
    except RowsError as error:
        raise CommandError(str(error)) from error
    if row is None or row.number != options.row:
        raise CommandError(f"{options.file} has no row {options.row:,}")
    if row.fault:
        raise CommandError(f"{options.file}, row {row.number:,}: {row.fault}")
    item = fields_of(options, row).item(row)
    if isinstance(item, str):
        raise CommandError(f"{options.file}, row {row.number:,}: {item}")
    return item.expected, item.output, item.prompt


def print_story(console: Console, story: Explanation) -> None:
    """Prints an explanation."""
    verdict = story.verdict
    word = verdict.status.value.replace("_", " ")
    console.line(f"{word}: {shown(verdict.detail, 200)} (stage {verdict.stage})")
    if verdict.rule:
        console.line(f"lenient rule: {verdict.rule}")
    if story.thinking_chars:
        console.line(f"passed over as thinking: {story.thinking_chars:,} characters")
    console.line(f"the answer: {shown(story.place, 200)}")
    console.line()
    names = ("as compared", "in one spelling", "exact value", "kind", "as read")
    readings = zip(names, _reading(story.gold), _reading(story.answer), strict=True)
    console.table("how both sides were read", ["", "gold", "answer"], readings)
    console.line()
    console.table(
        "stage by stage",
        ["stage", "said", "because", "rule"],
        [
            (step.stage, step.outcome.value.replace("_", " "), shown(step.detail, 80), step.rule)
            for step in story.steps
        ],
    )


def _reading(reading: Reading | None) -> list[str]:
    if reading is None:
        return ["-"] * 5
    latex = reading.latex or f"unreadable: {reading.unreadable}"
    cells = (reading.text, reading.normalized, reading.value, reading.kind, latex)
    return [shown(cell or "-", 60) for cell in cells]
