"""What is printed: no text of others steers the terminal, JSON is JSON, and no table is cut."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from verifiers_math.cli.console import Console, spelled

ROOT = Path(__file__).parent.parent.parent
HOSTILE = "\x1b[31m\x9b31m\u202e\u2066\x07\x00\ue000\U000e0041"
ODD = "é √2 中 \U0001f600"


def started(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "verifiers_math", *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
    )


def is_harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


@pytest.fixture
def hostile(write) -> Path:
    """Rows whose every text is hostile, one of which is no JSON."""
    row = {"gold": HOSTILE, "response": rf"\boxed{{{HOSTILE}}}", "prompt": HOSTILE, HOSTILE: 1}
    result = dict.fromkeys(("label", "detail", "gold", "answer", "stage", "rule"), HOSTILE)
    scores = {"scores": {HOSTILE: result | {"passed": True, "score": 1.0, "status": HOSTILE}}}
    other = {"scores": {HOSTILE: result | {"passed": False, "score": 0.0, "status": HOSTILE}}}
    write([row | scores], "one.jsonl")
    write([row | other], "two.jsonl")
    return write([row, HOSTILE, row], f"{HOSTILE[:8]}\n%s.jsonl".replace("\x00", ""))


def test_no_command_prints_a_control_character(run, hostile, tmp_path):
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    commands = [
        ["score", hostile, "--overwrite"],
        ["score", hostile, "--report", tmp_path / "r\x1b.html"],
        ["score", hostile, "--gold-field", HOSTILE[:4]],
        ["audit", hostile],
        ["compare", hostile, "--judges", "ours", "exact_match"],
        ["compare", one, two],
        ["compare", one, two, "--evaluator", HOSTILE[:4]],
        ["explain", "--file", hostile],
        ["explain", "--gold", HOSTILE[:4], "--response", HOSTILE[4:7]],
        ["report", hostile],
    ]
    for command in commands:
        done = run(*command)
        assert done.code in (0, 1, 2)
        assert is_harmless(done.out), command
        assert is_harmless(done.err), command
    for command in commands:
        done = run(*command, "--json")
        assert is_harmless(done.out + done.err), command
        assert done.code == 2 or json.loads(done.out)


def test_json_says_what_was_meant(run, hostile):
    found = run("explain", "--gold", HOSTILE, "--response", "4", "--json").json
    assert found["verdict"]["gold"] == HOSTILE


def test_a_fault_of_the_program_prints_no_control_character(run, write, monkeypatch):
    def fail(*_):
        raise RuntimeError(HOSTILE)

    monkeypatch.setattr("verifiers_math.cli.tally.Tally.print", fail)
    done = run("score", write([{"gold": "4", "response": "4"}]))
    assert done.code == 70
    assert "RuntimeError: " in done.err
    assert is_harmless(done.err)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_json_is_json_in_any_encoding(tmp_path, encoding):
    given = ("explain", "--gold", ODD, "--response", ODD + "\x9b")
    done = started(*given, "--json", cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert json.loads(done.stdout.decode(encoding))["verdict"]["gold"] == ODD
    plain = started(*given, cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert b"as compared" in plain.stdout
    assert plain.stderr == b""


def test_a_name_that_is_no_unicode_is_shown_and_told(tmp_path):
    (tmp_path / "a\udcff.jsonl").write_text('{"gold": "4", "response": "4"}\noops\n')
    for command in ("score", "report", "audit"):
        done = started(command, "a\udcff.jsonl", "--json", cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert json.loads(done.stdout)["rows"] == 2


def test_spelled_is_what_a_reader_can_tell_apart():
    assert spelled("a\tb\n") == r"a\tb\n"
    assert spelled("\u202e") == r"\u202e"
    assert spelled(ODD) == ODD


class Terminal:
    """A stream that says it is one; what is written is kept."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


TABLE = (
    "pass rates",
    ["evaluator", "rows", "interval", "why"],
    [
        ["correct_answer", "1,234,567", "23.1 to 88.2 %", "the same number, one with a percent"],
        ["math_equivalence", "12", "1.0 to 2.0 %", "neither spelling nor number agree"],
    ],
)


@pytest.mark.parametrize("columns", [30, 60, 75, 90, 200])
def test_a_terminal_of_any_width_shows_every_word_whole(monkeypatch, columns):
    pytest.importorskip("rich", reason="needs rich")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    Console(terminal).table(*TABLE)
    shown = re.sub(r"\x1b\[[\d;]*m", "", terminal.text)
    _, headings, rows = TABLE
    for word in " ".join([*headings, *(cell for row in rows for cell in row)]).split():
        assert word in shown
    assert "…" not in shown


def test_colours_can_be_switched_off(monkeypatch):
    pytest.importorskip("rich", reason="needs rich")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    Console(terminal).table(*TABLE)
    assert not re.search(r"\x1b\[[\d;]*3\dm", terminal.text)


def test_a_bar_stays_on_its_line(monkeypatch, capsys):
    from verifiers_math.cli.progress import PlainProgress

    monkeypatch.setenv("COLUMNS", "20")
    bar = PlainProgress(100)
    bar.update(50, 1000, "99.9 % pass, 123,456 unscored")
    bar.close()
    assert all(len(line) < 20 for line in re.split(r"[\r\n]", capsys.readouterr().err))


def test_rows_that_are_left_out_are_listed_up_to_a_number(run, write):
    path = write([{"gold": "4", "response": "4"}, *["oops"] * 50])
    done = run("compare", path, "--judges", "ours", "exact_match")
    assert done.err.count("is left out") == 20
    assert "30 more rows are left out" in done.err
