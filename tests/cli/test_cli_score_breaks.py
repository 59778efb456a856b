"""``score`` that breaks off: what was finished is kept, and resuming gives the same file."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROWS = [
    {"id": n, "answer": str(n % 7), "response": rf"It is \boxed{{{n % 5}}}."} for n in range(4000)
]
PATIENCE = 120

SCORE = ("score", "--no-times")
"""Without the one value that another run does not repeat, files can be compared as bytes."""


def wait_for(condition, what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def partial_of(folder: Path) -> list[Path]:
    return list(folder.glob("*.partial"))


@pytest.fixture
def whole(run, write, tmp_path) -> bytes:
    """What an uninterrupted run writes."""
    path = write(ROWS, "whole.jsonl")
    assert run(*SCORE, path).code == 0
    content = (tmp_path / "whole.scored.jsonl").read_bytes()
    (tmp_path / "whole.scored.jsonl").unlink()
    return content


@pytest.mark.parametrize(
    ("kill", "code"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)],
    ids=["kill -9", "ctrl-C", "SIGTERM"],
)
def test_a_run_that_is_killed_is_resumed_to_the_same_file(start, whole, tmp_path, kill, code):
    source = (tmp_path / "whole.jsonl").read_bytes()
    out = tmp_path / "out.jsonl"
    first = start(*SCORE, "-", "-o", out)
    half = source.rfind(b"\n", 0, 3 * len(source) // 4) + 1
    first.stdin.write(source[:half])
    first.stdin.flush()
    # The pipe stays open: whatever comes, the run cannot end by itself.
    wait_for(lambda: any(p.stat().st_size > 1000 for p in partial_of(tmp_path)), "lines")
    os.killpg(first.pid, kill) if kill is not signal.SIGKILL else first.send_signal(kill)
    _, err = first.communicate(timeout=PATIENCE)
    assert first.returncode == code
    assert not out.exists()
    if kill is not signal.SIGKILL:
        assert b"are scored and kept in" in err
        assert b"--resume goes on from there" in err
    (partial,) = partial_of(tmp_path)
    assert whole.startswith(partial.read_bytes())
    partial.write_bytes(partial.read_bytes() + b'{"id": 77, "half a li')  # as a kill may leave it

    refused = start(*SCORE, "-", "-o", out)
    _, err = refused.communicate(source, timeout=PATIENCE)
    assert refused.returncode == 2
    assert b"go on with --resume, or start anew with --overwrite" in err

    second = start(*SCORE, "-", "-o", out, "--resume", "--json")
    summary, err = second.communicate(source, timeout=PATIENCE)
    assert second.returncode == 0, err
    assert out.read_bytes() == whole
    assert partial_of(tmp_path) == []
    assert json.loads(summary)["rows"] == len(ROWS)
    assert json.loads(summary)["evaluators"]["correct_answer"]["passed"] == sum(
        n % 7 == n % 5 for n in range(4000)
    )


def test_other_settings_do_not_resume_what_is_left(run, write, tmp_path):
    path = write(ROWS[:10])
    run(*SCORE, path)
    out = tmp_path / "rows.scored.jsonl"
    lines = out.read_bytes().splitlines(keepends=True)
    name = _partial_name(run, path, out)
    (tmp_path / name).write_bytes(b"".join(lines[:4]))
    assert run(*SCORE, path, "--policy", "strict").code == 0
    assert (tmp_path / name).exists()
    assert run(*SCORE, path).code == 2
    assert run(*SCORE, path, "--resume").code == 0
    assert out.read_bytes() == b"".join(lines)
    (tmp_path / name).write_bytes(b"nonsense\n")
    assert run(*SCORE, path, "--overwrite").code == 0
    assert out.read_bytes() == b"".join(lines)


def _partial_name(run, path: Path, out: Path, *command: str) -> str:
    """The partial file's name, seen while another run holds it."""
    seen = []

    def look(*_):
        seen.extend(p.name for p in partial_of(path.parent))
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verifiers_math.cli.scored_file.ScoredFile.write", look)
        assert run(*(command or SCORE), path).code == 70
    return seen[0]


def test_a_partial_file_of_other_rows_is_refused(run, write, tmp_path):
    path = write(ROWS[:10])
    run(*SCORE, path)
    out = tmp_path / "rows.scored.jsonl"
    partial = tmp_path / _partial_name(run, path, out)
    partial.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:4]))
    write(ROWS[5:15])
    done = run(*SCORE, path, "--resume")
    assert done.code == 2
    assert "was not made of this input: its row 1 is another" in done.err
    write(ROWS[:2])
    assert "its row 3 is another" in run(*SCORE, path, "--resume").err
    write([ROWS[0], ROWS[1] | {"response": "another one"}, *ROWS[2:10]])
    assert "its row 2 is another" in run(*SCORE, path, "--resume").err
    write(ROWS[:10])
    for nonsense in (b'{"id": 0}', b'{"scores": 5}', b"oops"):
        lines = out.read_bytes().splitlines(keepends=True)
        partial.write_bytes(lines[0] + nonsense + b"\n")
        assert "its row 2 is another" in run(*SCORE, path, "--resume").err
    partial.write_bytes(lines[0] + lines[1].replace(b'"score": ', b'"scorn": '))
    assert "its row 2 is another" in run(*SCORE, path, "--resume").err


def without_times(path: Path) -> list[dict]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        for result in row["scores"].values():
            assert result.pop("seconds") >= 0
    return rows


def test_a_resumed_run_with_times_gives_the_same_file_but_for_the_times(run, write, tmp_path):
    path = write(ROWS[:300])
    assert run("score", path, "-o", tmp_path / "whole.jsonl").code == 0
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    assert run("score", path).code == 0
    out = tmp_path / "rows.scored.jsonl"
    partial = tmp_path / _partial_name(run, path, out, "score")
    partial.write_bytes(b"".join(lines[:100]))
    assert run("score", path, "--resume").code == 0
    assert out.read_bytes().splitlines(keepends=True)[:100] == lines[:100]
    assert without_times(out) == without_times(tmp_path / "whole.jsonl")


def test_what_has_times_is_not_resumed_without_them(run, write, tmp_path):
    path = write(ROWS[:3])
    with_times = _partial_name(run, path, tmp_path / "rows.scored.jsonl", "score")
    assert with_times != _partial_name(run, path, tmp_path / "rows.scored.jsonl")


def test_two_runs_do_not_write_one_file(start, run, whole, tmp_path):
    source = (tmp_path / "whole.jsonl").read_bytes()
    out = tmp_path / "out.jsonl"
    first = start(*SCORE, "-", "-o", out)
    first.stdin.write(source[: 3 * len(source) // 4])
    first.stdin.flush()
    wait_for(lambda: any(p.stat().st_size for p in partial_of(tmp_path)), "lines")
    second = start(*SCORE, "-", "-o", out, "--resume")
    _, err = second.communicate(source, timeout=PATIENCE)
    assert second.returncode == 2
    assert b"another run is writing" in err
    first.communicate(source[3 * len(source) // 4 :], timeout=PATIENCE)
    assert first.returncode == 0
    assert out.read_bytes() == whole


def test_an_array_that_is_cut_off_keeps_what_stands_before_and_resumes_when_mended(
    run, whole, tmp_path
):
    path = tmp_path / "array.json"
    mended = json.dumps(ROWS)
    path.write_text(mended[: mended.index('{"id": 2000')])
    done = run(*SCORE, path)
    assert done.code == 3
    assert "array.json: element 2,001 is not JSON" in done.err
    assert "2,000 rows are scored and kept in" in done.err
    assert not (tmp_path / "array.scored.jsonl").exists()
    path.write_text(mended)
    assert run(*SCORE, path, "--resume").code == 0
    scored = (tmp_path / "array.scored.jsonl").read_bytes()
    assert [json.loads(line) for line in scored.splitlines()] == [
        json.loads(line) for line in whole.splitlines()
    ]


def test_a_full_disk_is_told_and_what_was_written_is_kept(start, whole, tmp_path):
    path, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    limit = len(whole) // 2

    def small_disk() -> None:  # the error is another number, and the way the same
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    full = start(*SCORE, path, "-o", out, preexec_fn=small_disk)
    _, err = full.communicate(timeout=PATIENCE)
    assert full.returncode == 3, err
    assert b"cannot write" in err
    assert b"make room, then go on with --resume" in err
    assert not out.exists()
    again = start(*SCORE, path, "-o", out, "--resume")
    again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert out.read_bytes() == whole


def test_a_disk_without_room_is_told(start, whole, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        full = start(*SCORE, tmp_path / "whole.jsonl", "-o", disk / "out.jsonl")
        _, err = full.communicate(timeout=PATIENCE)
        assert full.returncode == 3, err
        assert b"No space left on device; make room, then go on with --resume" in err
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        again = start(*SCORE, tmp_path / "whole.jsonl", "-o", disk / "out.jsonl", "--resume")
        again.communicate(timeout=PATIENCE)
        assert again.returncode == 0
        assert (disk / "out.jsonl").read_bytes() == whole
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_device_that_is_full_is_told(start, whole, tmp_path):
    done = start(*SCORE, tmp_path / "whole.jsonl", "-o", "/dev/full")
    _, err = done.communicate(timeout=PATIENCE)
    assert done.returncode == 3
    assert b"cannot write /dev/full: No space left on device" in err


def test_standard_input_goes_to_standard_output(start, whole, tmp_path):
    source = (tmp_path / "whole.jsonl").read_bytes()
    done = start(*SCORE, "-", "--json")
    out, err = done.communicate(source, timeout=PATIENCE)
    assert done.returncode == 0
    assert out == whole
    assert json.loads(err)["rows"] == len(ROWS)


def test_a_pipe_that_nobody_reads_ends_the_run_without_a_traceback(start, tmp_path, write):
    path = write(ROWS * 8)
    done = start(*SCORE, path, "-o", "-")
    done.stdout.read(1000)
    done.stdout.close()
    err = done.stderr.read()
    assert done.wait(PATIENCE) == 141
    assert err == b""


# math_verify is asked about none but these: each takes a worker for a moment.
HARD = [
    {"id": n, "gold": rf"\int_0^{{{n}}} x\,dx", "response": rf"\boxed{{\int_0^{{{n}}} y\,dy}}"}
    for n in range(1, 9)
]


def test_a_worker_that_is_killed_costs_no_row_its_score(start, write, tmp_path):
    path = write(HARD)
    undisturbed = start(*SCORE, path, "-o", tmp_path / "one.jsonl", "--json")
    out, _ = undisturbed.communicate(timeout=2 * PATIENCE)
    stages = json.loads(out)["evaluators"]["correct_answer"]["stages"]
    if "math_verify" not in stages:
        pytest.fail(f"these rows should need a worker: {stages}")
    disturbed = start(*SCORE, path, "-o", tmp_path / "two.jsonl")
    wait_for(lambda: len(_below(disturbed.pid)) >= 2 or disturbed.poll() is not None, "workers")
    for pid in sorted(_below(disturbed.pid))[1:]:
        with contextlib.suppress(ProcessLookupError):  # it ends with the one before
            os.kill(pid, signal.SIGKILL)
    disturbed.communicate(timeout=2 * PATIENCE)
    assert disturbed.returncode == undisturbed.returncode == 0
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()


def _below(pid: int) -> set[int]:
    """The processes below one."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text(errors="replace")
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found, level = set(), {pid}
    while level:
        level = {child for child, parent in parents.items() if parent in level}
        found |= level
    return found


def test_memory_stays_flat(start, tmp_path):
    """A hundred megabytes of rows pass through a process that may use little more than it starts
    with.
    """
    done = start(*SCORE, "-", "-o", "/dev/null")
    line = (json.dumps({"gold": "4", "response": "x " * 4000 + r"\boxed{4}"}) + "\n").encode()
    peaks = []
    for _ in range(13):
        for _ in range(10):
            done.stdin.write(line * 100)
        peaks.append(_peak_bytes(done.pid))
    done.stdin.close()
    assert done.wait(PATIENCE) == 0
    assert peaks[-1] - peaks[3] < 24 << 20


def _peak_bytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(row.split()[1]) for row in status.splitlines() if "VmHWM" in row) * 1024


def test_a_row_with_nan_is_known_again(run, write, tmp_path):
    path = write(['{"answer": NaN, "response": "4"}', *ROWS[:3]])
    run(*SCORE, path)
    out = tmp_path / "rows.scored.jsonl"
    first = out.read_bytes().splitlines(keepends=True)[0]
    (tmp_path / _partial_name(run, path, out)).write_bytes(first)
    assert run(*SCORE, path, "--resume").code == 0
    assert len(out.read_bytes().splitlines()) == 4
