"""The labelled pairs: bare answers, whole responses, golds against themselves, and attacks."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.common import ROOT

WRONG_LABELS = ROOT / "benchmarks" / "wrong_labels.jsonl"
MAX_GENERATED_CHARACTERS = 10_000_000

Form = Literal["answer", "response"]


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled pair.

    Attributes:
        id: Its name in the file.
        file: The set that it is counted under.
        gold: The reference answer.
        response: A final answer or a whole response, as `form` says.
        label: Whether they are the same, by the source.
        form: ``answer`` for a bare final answer, ``response`` for text that holds one.
        kind: The kind of answer.
        policy: The convention on which the label rests; ``""`` where it rests on none.
    """

    id: str
    file: str
    gold: str
    response: str
    label: bool
    form: Form
    kind: str = ""
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Attack:
    """A text that hangs, crashes or starves graders, and what a judge may say about it.

    Attributes:
        id: Its name in the file.
        gold: The gold that it is compared with.
        response: The text, in a box unless it brings its own or must stand alone.
        answer: The text without the box.
        may_equal: Whether ``equal`` is a right verdict.
        may_differ: Whether ``not equal`` is a right verdict.
    """

    id: str
    gold: str
    response: str
    answer: str
    may_equal: bool
    may_differ: bool


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line; empty lines are passed over.

    Raises:
        ValueError: A line is not JSON; the message names file and line.
    """
    objects = []
    # Not splitlines(): it also breaks at separators that may stand inside of a JSON string.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            objects.append(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
    return objects


def load_rows(data: Path) -> list[Row]:
    """All labelled pairs below a folder that holds ``corpora/`` and ``cases/``."""
    rows: list[Row] = []
    for path in sorted((data / "corpora").glob("*.jsonl")):
        convert = _gold_rows if path.stem.startswith("golds_") else _labelled_rows
        rows += [row for item in read_jsonl(path) for row in convert(path.stem, item)]
    must = data / "cases" / "must.jsonl"
    if must.is_file():
        rows += [row for item in read_jsonl(must) for row in _must_rows("must", item)]
    return rows


def _labelled_rows(file: str, item: Mapping[str, Any]) -> Iterator[Row]:
    yield Row(
        id=item["id"],
        file=file,
        gold=item["gold"],
        response=item["response"],
        label=item["label"],
        form=item["form"],
        kind=item.get("kind", ""),
        policy=item.get("policy", ""),
    )


def _must_rows(file: str, item: Mapping[str, Any]) -> Iterator[Row]:
    yield Row(
        id=item["id"],
        file=file,
        gold=item["gold"],
        response=item["answer"],
        label=item["label"],
        form="answer",
        kind=item.get("kind", ""),
    )


def _gold_rows(file: str, item: Mapping[str, Any]) -> Iterator[Row]:
    """A gold against itself, and against the solution where the source has one."""
    kind = item.get("kind", "")
    gold = item["gold"]
    yield Row(f"{item['id']}:self", f"{file}:self", gold, gold, True, "answer", kind)
    if item.get("solution"):
        name = f"{file}:solution"
        yield Row(f"{item['id']}:solution", name, gold, item["solution"], True, "response", kind)


def load_wrong_labels(path: Path = WRONG_LABELS) -> dict[str, str]:
    """The rows whose label was read and found wrong: id to reason."""
    if not path.is_file():
        return {}
    return {item["id"]: item["reason"] for item in read_jsonl(path)}


# Raw texts: those that are boxes or no box by intention.
RAW_ATTACKS = frozenset({"a23", "a24", "a36", "a38"})


def load_attacks(data: Path) -> list[Attack]:
    """The attacks below a folder that holds ``cases/``; none where the file is missing."""
    path = data / "cases" / "attacks.jsonl"
    return [_attack(item) for item in read_jsonl(path)] if path.is_file() else []


def _attack(item: Mapping[str, Any]) -> Attack:
    text = item["response"] if "response" in item else build_text(item["gen"])
    is_raw = item["id"] in RAW_ATTACKS or text.startswith("\\boxed")
    note = item.get("note", "")
    may_equal = ": equal" in note
    return Attack(
        id=item["id"],
        gold=item["gold"],
        response=text if is_raw else rf"\boxed{{{text}}}",
        answer=text,
        may_equal=may_equal,
        may_differ=not may_equal or "undecided" in note,
    )


_Value = str | int
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], _Value]] = {
    ast.Add: lambda left, right: left + right,
    ast.Mult: lambda left, right: left * right,
}


def build_text(expression: str) -> str:
    """The text that an expression of string literals, ``+`` and ``*`` builds.

    Raises:
        ValueError: It holds anything else, or builds no text or too long a one.
    """
    text = _evaluate(ast.parse(expression, mode="eval").body)
    if not isinstance(text, str):
        raise ValueError(f"builds no text: {expression!r}")
    return text


def _evaluate(node: ast.expr) -> _Value:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _evaluate(node.left), _evaluate(node.right)
        if isinstance(node.op, ast.Mult):
            _check_length(left, right)
        return _OPERATORS[type(node.op)](left, right)
    raise ValueError(f"not allowed in a generated text: {ast.unparse(node)}")


def _check_length(left: _Value, right: _Value) -> None:
    text, times = (left, right) if isinstance(left, str) else (right, left)
    if not isinstance(text, str) or not isinstance(times, int):
        raise ValueError("only a text may be repeated, and only a whole number of times")
    if len(text) * times > MAX_GENERATED_CHARACTERS:
        raise ValueError(f"longer than {MAX_GENERATED_CHARACTERS:,} characters")
