"""Places: what is read and written is looked at before any work, and nothing of a user is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifiers_math.cli import places
from verifiers_math.cli.scored_file import ScoredFile

ROWS = [{"gold": "4", "response": rf"It is \boxed{{{n % 5}}}."} for n in range(20)]
PATIENCE = 120
ROOT = Path(__file__).parent.parent.parent


def listed(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Runs a command line as a shell does; VM is the program."""
    program = f"{sys.executable} -m verifiers_math"
    return subprocess.run(
        ["bash", "-c", line.replace("VM", program)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
    )


BAD_PLACES = [
    (["score", "rows.jsonl", "-o", "none/out.jsonl"], "No such file or directory"),
    (["score", "rows.jsonl", "--report", "none/r.html"], "No such file or directory"),
    (["score", "rows.jsonl", "-o", "."], "Is a directory"),
    (["score", "rows.jsonl", "--report", "."], "Is a directory"),
    (["score", "rows.jsonl", "-o", "x" * 255], "File name too long"),
    (["score", "rows.jsonl", "--report", "x" * 255], "File name too long"),
    (["report", "rows.jsonl", "-o", "none/r.html"], "No such file or directory"),
    (["report", "rows.jsonl", "-o", "x" * 255], "File name too long"),
    (["score", "rows.jsonl", "-o", "rows.jsonl"], "would overwrite rows.jsonl"),
    (["score", "rows.jsonl", "--report", "rows.jsonl"], "would overwrite rows.jsonl"),
    (["score", "rows.jsonl", "--report", "link"], "would overwrite rows.jsonl"),
    (["score", "rows.jsonl", "-o", "link", "--limit", "1"], "would overwrite rows.jsonl"),
    (["score", "rows.jsonl", "--report", "rows.scored.jsonl"], "would overwrite rows.scored.jsonl"),
    (["report", "rows.jsonl", "-o", "link"], "would overwrite rows.jsonl"),
    (["report", "rows.jsonl", "-o", "-"], "the report needs a file"),
    (["score", "rows.jsonl", "--report", "-"], "the report needs a file"),
    (["score", "."], "cannot read .: it is a folder"),
    (["score", "/"], "cannot read /: it is a folder"),
    (["score", ""], "the input has no name"),
    (["report", "."], "cannot read .: it is a folder"),
    (["audit", "x" * 300], "there is no file xxx"),
    (["explain", "--gold", "4", "--response", "@" + "x" * 300], "File name too long"),
    (["compare", "-", "-"], "only one of two files can be standard input"),
]


@pytest.mark.parametrize(
    ("command", "message"), BAD_PLACES, ids=lambda value: " ".join(value)[:44] or "empty"
)
def test_a_bad_place_ends_a_command_before_it_works(
    run, write, tmp_path, monkeypatch, command, message
):
    write(ROWS)
    (tmp_path / "link").symlink_to("rows.jsonl")
    monkeypatch.chdir(tmp_path)
    before = listed(tmp_path)
    done = run(*command)
    assert done.code == 2
    assert message in done.err
    assert listed(tmp_path) == before


def test_a_report_that_finds_no_room_says_that_the_rows_are_scored(run, write, tmp_path):
    path = write(ROWS)
    done = run("score", path, "--report", "/dev/full")
    assert done.code == 3
    assert "No space left on device; the rows are scored: make room, then" in done.err
    assert "20 rows" in done.out
    assert len((tmp_path / "rows.scored.jsonl").read_bytes().splitlines()) == 20


def test_a_folder_that_is_gone_is_told(write, tmp_path):
    done = shell("mkdir gone; cd gone; rmdir ../gone; VM score rows.jsonl", tmp_path)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("exists", [True, False], ids=["a link", "a link to nothing yet"])
def test_a_link_stays_one_and_what_it_leads_to_is_written(run, write, tmp_path, exists):
    (tmp_path / "there").mkdir()
    for name, command in (("out.jsonl", "score"), ("r.html", "report")):
        target = tmp_path / "there" / name
        if exists:
            target.write_bytes(b"old")
        (tmp_path / name).symlink_to(target)
        assert run(command, write(ROWS), "-o", tmp_path / name).code == 0
        assert (tmp_path / name).is_symlink()
        assert target.stat().st_size > 100
    assert sorted(os.listdir(tmp_path / "there")) == ["out.jsonl", "r.html"]


def test_a_file_that_others_may_not_read_stays_so(run, write, tmp_path):
    out = tmp_path / "out.jsonl"
    out.touch(mode=0o600)
    assert run("score", write(ROWS), "-o", out).code == 0
    assert out.stat().st_mode & 0o777 == 0o600


PIPES = [
    ("VM score <(cat rows.jsonl) > out.jsonl", 0),
    ("VM score /dev/stdin < <(cat rows.jsonl) > out.jsonl", 0),
    ("mkfifo pipe; cat rows.jsonl > pipe & VM score pipe > out.jsonl", 0),
]


@pytest.mark.parametrize(("line", "code"), PIPES, ids=["process", "standard input", "named"])
def test_a_pipe_is_scored_to_standard_output(write, tmp_path, line, code):
    write(ROWS)
    done = shell(line, tmp_path)
    assert done.returncode == code, done.stderr
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 20
    assert b"20 rows" in done.stderr


def test_a_report_on_a_pipe_needs_a_name(write, tmp_path):
    write(ROWS)
    done = shell("VM report <(cat rows.jsonl)", tmp_path)
    assert done.returncode == 2
    assert b"need a name for the report" in done.stderr
    assert shell("VM report <(cat rows.jsonl) -o r.html", tmp_path).returncode == 0


STREAMS = [
    ("VM score rows.jsonl >&-", 2, b"standard output is closed"),
    ("VM explain --gold 4 --response 4 >&-", 2, b"standard output is closed"),
    ("VM score - <&-", 2, b"standard input holds no rows"),
    ("VM explain --gold 4 --response - <&-", 1, b""),
    ("VM score rows.jsonl 2>&-", 0, b""),
    ("VM score missing.jsonl 2>&-", 2, b""),
    ("VM score missing.jsonl 2>/dev/full", 2, b""),
    ("VM explain --gold 4 --response 4 >/dev/full", 3, b"standard output: No space left on device"),
    ("VM explain --gold 4 --response 4 --json >/dev/full", 3, b"output: No space left on device"),
    ("VM report rows.jsonl >/dev/full", 3, b"standard output: No space left on device"),
    ("VM score rows.jsonl -o - >/dev/full", 3, b"standard output: No space left on device"),
    (r"printf '\xff' | VM explain --gold 4 --response -", 2, b"cannot read standard input"),
]


@pytest.mark.parametrize(("line", "code", "message"), STREAMS, ids=lambda value: str(value)[:50])
def test_a_stream_that_is_closed_full_or_no_text_is_told(write, tmp_path, line, code, message):
    write(ROWS)
    done = shell(line, tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_what_a_run_is_about_to_write_is_taken_by_no_other(tmp_path):
    """A run that opened the partial file just before another one finished must not go on with it.

    It would write into the finished file.
    """
    out = tmp_path / "out.jsonl"
    with ScoredFile(out, {}) as first:
        first.write([b"{}\n"])
        partial = first.partial
        late = ScoredFile._open(first, partial, "a+b")
        first.commit()
    with late:
        from verifiers_math.cli import scored_file

        assert scored_file._lock(late)
        assert not scored_file._is_there(late, partial)
    assert out.read_bytes() == b"{}\n"
    with ScoredFile(out, {}) as anew:
        anew.write([b"[]\n"])
        assert out.read_bytes() == b"{}\n"
        anew.commit()
    assert out.read_bytes() == b"[]\n"
    assert os.listdir(tmp_path) == ["out.jsonl"]


def test_nothing_is_left_of_a_trial(tmp_path):
    places.check(tmp_path / "r.html", "the report")
    assert list(tmp_path.iterdir()) == []


def test_the_numbers_that_a_count_may_be(run, write, tmp_path):
    path = write(ROWS)
    assert run("score", path, "--limit", "9" * 30).code == 0
    assert run("report", path, "--limit", "9" * 30).code == 0
    for command in (
        ["report", path, "--limit", "-1"],
        ["serve", "--port", "65536"],
        ["serve", "--workers", "0"],
    ):
        with pytest.raises(SystemExit) as end:
            run(*command)
        assert end.value.code == 2


def test_the_times_of_the_judge_reach_the_report(run, write, read, tmp_path):
    rows = [{"gold": f"{n}/97", "response": rf"\boxed{{{n}/89}}"} for n in range(9001, 9021)]
    path, report = write(rows), tmp_path / "r.html"  # which no other test has put into the cache
    assert run("score", path, "--report", report).code == 0
    assert "<h2>Latency" in report.read_text()
    scored = tmp_path / "rows.scored.jsonl"
    results = [row["scores"]["correct_answer"] for row in read(scored)]
    assert all(list(result)[-1] == "seconds" for result in results)
    assert 0 < max(result["seconds"] for result in results) < PATIENCE
    assert run("report", scored, "-o", tmp_path / "again.html").code == 0
    assert "<h2>Latency" in (tmp_path / "again.html").read_text()


def test_times_are_left_out_when_asked_for(run, write, read, tmp_path):
    report = tmp_path / "r.html"
    assert run("score", write(ROWS), "--no-times", "--report", report).code == 0
    results = [row["scores"]["correct_answer"] for row in read(tmp_path / "rows.scored.jsonl")]
    assert not any("seconds" in result for result in results)
    assert "Not in this file" in report.read_text()
    assert "<h2>Latency" not in report.read_text()


def test_report_tells_a_program_what_it_found(run, write, tmp_path):
    rows = [{"scores": {"a": {"score": float(n > 0), "passed": n > 0}}} for n in range(4)]
    done = run("report", write(rows), "--json")
    assert json.loads(done.out) == {
        "rows": 4,
        "pass_rate": 0.75,
        "fault": "",
        "output": str(tmp_path / "rows.html"),
    }
