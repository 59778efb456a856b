"""``verifiers-math report``, and ``score --report``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scored_rows import Page, scored, write_lines
from verifiers_math.cli import main
from verifiers_math.cli.exits import Exit


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "run.scored.jsonl", [scored(True), scored(True), scored(False)])


def test_it_writes_beside_the_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(file)]) == Exit.OK
    report = file.with_name("run.scored.html")
    assert "run.scored.jsonl" in Page(report.read_text()).texts
    assert capsys.readouterr().out == f"3 rows, 66.7 % pass, written to {report}\n"


def test_its_options_are_heard(file: Path) -> None:
    report = file.with_name("r.html")
    options = ["-o", str(report), "--title", "My run", "--show", "1", "--limit", "2"]
    assert main(["report", str(file), *options, "--no-progress"]) == Exit.OK
    page = Page(report.read_text())
    assert "My run" in page.texts
    assert "1 of 2 rows, drawn evenly." in page.text


def test_progress_is_shown_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_lines(tmp_path / "in.jsonl", [scored(True)] * 600)
    assert main(["report", str(file), "--progress"]) == Exit.OK
    assert "rows" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["none.jsonl"], "cannot read none.jsonl"),
        (["{file}", "--show", "-3"], "--show: shown_rows is from 0"),
        (["-"], "need a name for the report: --output"),
        (["{file}", "-o", "{file}"], "would overwrite"),
    ],
)
def test_what_cannot_start_says_why(
    options: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()
    code = main(["report", *(option.format(file=file) for option in options)])
    assert code == Exit.USAGE
    assert message in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_place_that_cannot_be_written_says_so(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["report", str(file), "-o", str(file.parent / "none" / "r.html")])
    assert code == Exit.USAGE
    assert "No such file or directory" in capsys.readouterr().err


def test_a_file_that_breaks_off_is_reported_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "in.json"
    file.write_text(f"[{json.dumps(scored(True))}, oops")
    assert main(["report", str(file)]) == Exit.BROKEN_OFF
    said = capsys.readouterr()
    assert "1 rows" in said.out
    assert "nothing behind it can be read" in said.err
    assert "The file could not be read to its end" in Page((tmp_path / "in.html").read_text()).text


def test_scoring_writes_a_report_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rollouts = [
        {"answer": "1/2", "response": r"so \boxed{0.5}", "step": 1, "group": 0},
        {"answer": "1/2", "response": r"so \boxed{2}", "step": 1, "group": 0},
        {"answer": "12", "response": r"so \boxed{12\%}", "step": 2, "group": 0},
        {"answer": "12", "response": "no idea", "step": 2, "group": 0},
    ]
    file = write_lines(tmp_path / "rollouts.jsonl", rollouts)
    report = tmp_path / "r.html"
    code = main(["score", str(file), "--evaluator", "correctness", "--report", str(report)])
    assert code == Exit.OK
    page = Page(report.read_text())
    assert "4 rows, judged by correct_answer" in page.text
    assert "pass@k" in page.texts
    assert "Evaluators" in page.texts
    assert "rollouts.scored.jsonl" in page.texts
