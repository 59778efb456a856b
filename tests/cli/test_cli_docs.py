"""What the tour of the command line shows is what it prints; snippets are in tests/test_docs.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.pages import ROOT, blocks

DOCS = ROOT / "docs"


def test_the_tour_of_the_command_line_shows_what_it_prints(tmp_path):
    commands = [it.body for it in blocks(DOCS / "cli.md") if it.kind == "console"]
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


def test_the_page_names_every_evaluator_and_data_set():
    from verifiers_math.datasets import SCHEMAS
    from verifiers_math.evaluators import EVALUATORS

    text = (DOCS / "evaluators.md").read_text("utf-8")
    assert all(f"`{name}`" in text for name in EVALUATORS)
    tour = (DOCS / "cli.md").read_text("utf-8")
    assert all(name in tour for name in SCHEMAS)
