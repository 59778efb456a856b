"""What the documentation of command line and evaluators shows is what they print."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"```(\w+)(?: (\w+))?\n(.*?)```", re.DOTALL)


def blocks(name: str) -> list[tuple[str, str, str]]:
    return BLOCK.findall((DOCS / name).read_text("utf-8"))


def test_the_tour_of_the_command_line_shows_what_it_prints(tmp_path):
    commands = [body for kind, _, body in blocks("cli.md") if kind == "console"]
    assert len(commands) >= 6
    program = f"{sys.executable} -m verifiers_math"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    for body in commands:
        command, _, shown = body.removeprefix("$ ").partition("\n")
        if command.startswith("cat "):
            (tmp_path / command.removeprefix("cat ")).write_text(shown, "utf-8")
        done = subprocess.run(
            command.replace("verifiers-math", program) + " 2>&1",
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert repeated(done.stdout) == repeated(shown), command


def repeated(text: str) -> str:
    """A text without the one value that another run does not repeat."""
    return re.sub(r'"seconds": [-.e\d]+', '"seconds"', text.rstrip("\n"))


def snippets() -> list[tuple[str, str]]:
    found = blocks("evaluators.md")
    pairs = zip(found, [*found[1:], ("", "", "")], strict=True)
    return [
        (body, shown if kind == "text" else "")
        for (language, mark, body), (kind, _, shown) in pairs
        if language == "python" and mark != "notest"
    ]


@pytest.mark.parametrize(("code", "shown"), snippets(), ids=lambda text: text.split("\n")[0][:30])
def test_a_snippet_prints_what_the_page_shows(code, shown):
    assert shown
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "evaluators.md", "exec"), {"__name__": "page"})
    assert printed.getvalue() == shown


def test_the_page_names_every_evaluator_and_data_set():
    from verifiers_math.datasets import SCHEMAS
    from verifiers_math.evaluators import EVALUATORS

    text = (DOCS / "evaluators.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in EVALUATORS)
    tour = (DOCS / "cli.md").read_text("utf-8")
    assert all(name in tour for name in SCHEMAS)
