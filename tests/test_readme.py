"""Every Python block of the README runs, and prints what the block behind it shows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"```(\w+)(?: (\w+))?\n(.*?)```", re.DOTALL)


def blocks() -> list[tuple[str, str, str]]:
    return [(kind, mark, body) for kind, mark, body in BLOCK.findall(README.read_text("utf-8"))]


def snippets() -> list[tuple[str, str]]:
    found = blocks()
    pairs = []
    for (kind, mark, body), (next_kind, _, shown) in zip(
        found, [*found[1:], ("", "", "")], strict=True
    ):
        if kind == "python" and mark != "notest":
            pairs.append((body, shown if next_kind == "text" else ""))
    return pairs


@pytest.mark.parametrize(("code", "shown"), snippets(), ids=lambda text: text.split("\n")[0][:20])
def test_a_snippet_prints_what_the_readme_shows(code: str, shown: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    assert printed.getvalue() == shown


def test_the_readme_shows_the_output_of_its_snippets() -> None:
    assert len(snippets()) >= 2
    assert all(shown for _, shown in snippets())


@pytest.mark.parametrize("code", [body for kind, _, body in blocks() if kind == "python"])
def test_every_snippet_compiles(code: str) -> None:
    compile(code, "README.md", "exec")
