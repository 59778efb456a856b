"""Rows as ``verifiers-math score`` and trainers write them, for the tests of the report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from verifiers_math.rows import Row

VOID = {"meta", "input", "br"}


def result(passed: bool | None = True, **more: Any) -> dict[str, Any]:
    """What an evaluator says; None for what could not be scored."""
    status = "timeout" if passed is None else "correct" if passed else "incorrect"
    found = {
        "score": None if passed is None else float(passed),
        "label": status,
        "passed": bool(passed),
        "status": status,
        "detail": "both are the same number" if passed else "the numbers differ",
        "stage": "number",
        "gold": "1/2",
        "answer": "0.5",
        "rule": "",
        "judge": "1/default",
    }
    return found | more


def scored(passed: bool | None = True, *, others: Any = None, **row: Any) -> dict[str, Any]:
    """A row of a scored file; `others` are further evaluators' results by name."""
    said = {key: row.pop(key) for key in tuple(row) if key in RESULT_KEYS}
    scores = {"correct_answer": result(passed, **said)} | (others or {})
    return {"answer": "1/2", "response": r"so \boxed{0.5}", **row, "scores": scores}


RESULT_KEYS = ("status", "stage", "gold", "detail", "rule", "judge")


def as_row(data: dict[str, Any], number: int = 1) -> Row:
    return Row(number, data)


def write_lines(path: Path, rows: Iterable[dict[str, Any] | str]) -> Path:
    """Writes rows as JSONL; a text stands there as it is."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


class Page(HTMLParser):
    """A page taken apart; it fails where tags do not match.

    Attributes:
        elements: Tag and attributes of every element.
        texts: What is shown, without style and script.
        raw: The contents of style and script.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.raw: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("style", "script"):
            self.raw[self._open[-1]] = self.raw.get(self._open[-1], "") + data
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [
            found
            for name, found in self.elements
            if name == tag and attributes.items() <= found.items()
        ]
