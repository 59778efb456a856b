"""Data sets and files scored on Ray, for real."""

from __future__ import annotations

import gc
import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import ray_scoring

import verifiers_math as vf
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.lines import LineScorer
from verifiers_math.integrations.ray import (
    score_dataset,
    score_file,
)
from verifiers_math.integrations.rows import Fields

ray = pytest.importorskip("ray", reason="needs the ray extra")

pytestmark = [
    # Ray Data warns of its own settings as it reads their defaults.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    # Ray leaves sockets to the garbage collector with which it has looked for free ports.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

# ---- data sets


def rollouts(amount: int) -> list[dict[str, Any]]:
    return [
        {
            "id": i,
            "prompt": "What is it?",
            "completion": rf"So \boxed{{{i + i % 2}}}.",
            "answer": i,
            "extra": {"tags": ["a", str(i)]},
        }
        for i in range(amount)
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "x", "answer": "4"}, "no column holds the response.*text, answer"),
        ({"completion": "x"}, "no column holds the gold"),
        ({"completion": 4, "answer": "4"}, "'completion' holds int64"),
        ({"completion": 4.5, "answer": "4"}, "'completion' holds double"),
    ],
)
def test_columns_that_cannot_be_judged_are_an_error_before_anything_is_scored(
    cluster: Any, row: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        score_dataset(ray.data.from_items([row]))


class DiesOnce:
    """A judge whose process is killed in its third batch, once."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag
        self.batches = 0

    def verdicts(self, answers: Sequence[Any]) -> list[vf.Verdict]:
        self.batches += 1
        if self.batches == 3 and not self.flag.exists():
            self.flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return answer_judge().verdicts(answers)


def test_a_killed_actor_of_ray_data_loses_and_doubles_nothing(cluster: Any, tmp_path: Path) -> None:
    given = rollouts(400)
    dying: Any = DiesOnce(tmp_path / "flag")
    dataset = ray.data.from_items(given, override_num_blocks=20)
    scored = score_dataset(dataset, judge=dying, batch_size=20, concurrency=1)
    found = sorted(scored.take_all(), key=lambda row: row["id"])
    assert dying.flag.exists()
    assert [{name: row[name] for name in given[0]} for row in found] == given
    assert [row["reward"] for row in found] == [float(i % 2 == 0) for i in range(400)]
    assert {row["status"] for row in found} == {"correct", "incorrect"}
    assert found[7]["extracted_answer"] == "8"


# ---- files


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> list[bytes]:
    lines = [json.dumps(row).encode() + b"\n" for row in rows]
    lines[10] = b"{broken\n"
    path.write_bytes(b"".join(lines[:5]) + b"\n\r\n" + b"".join(lines[5:])[:-1])
    return lines


class Failing:
    """Scores lines and notes how many; fails at one of them while a file is there."""

    def __init__(self, folder: Path) -> None:
        self.trap = folder / "trap"
        self.log = folder / "log"
        self.score = LineScorer(Fields("completion", "answer", "prompt"), answer_judge())

    def __call__(self, lines: Sequence[bytes]) -> tuple[list[bytes], Counter[str]]:
        if self.trap.exists() and any(b'"id": 250' in line for line in lines):
            raise OSError("the disk is full")
        with self.log.open("a") as file:
            file.write(f"{len(lines)}\n")
        return self.score(lines)

    @property
    def scored(self) -> int:
        return sum(map(int, self.log.read_text().split()))


def test_an_interrupted_run_goes_on_where_it_was(cluster: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = write_jsonl(source, rollouts(300))
    failing = Failing(tmp_path)
    failing.trap.touch()
    options: Any = {"score_lines": failing, "part_bytes": 5000, "concurrency": 1}
    with pytest.raises(Exception, match="the disk is full"):
        score_file(source, target, **options)
    gc.collect()  # a failed run of Ray Data holds its actor's CPU while its traceback is there
    assert not target.exists()
    assert 0 < failing.scored < 300
    failing.trap.unlink()
    counts = score_file(source, target, **options)
    assert failing.scored == 300
    expected, statuses = failing.score(lines)
    assert target.read_bytes() == b"".join(expected)
    assert counts == statuses == {"correct": 149, "incorrect": 150, "error": 1}
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl", "log"}


def test_a_parquet_file_keeps_its_columns_and_order(cluster: Any, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    table = pa.Table.from_pylist(rollouts(300))
    pq.write_table(table, source, row_group_size=64)
    counts = score_file(source, target, concurrency=1)
    found = pq.read_table(target)
    assert found.select(table.column_names) == table
    assert found.column("reward").to_pylist() == [float(i % 2 == 0) for i in range(300)]
    assert counts == {"correct": 150, "incorrect": 150}
    assert pq.read_metadata(target).num_row_groups == 5


def test_files_that_cannot_be_scored_are_refused(cluster: Any, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "x"}\n')
    with pytest.raises(ValueError, match=r"no column holds the gold.*text"):
        score_file(source, tmp_path / "out.jsonl")
    with pytest.raises(ValueError, match="different kinds"):
        score_file(source, tmp_path / "out.parquet")
    with pytest.raises(ValueError, match=r"in\.txt does not end in \.jsonl"):
        score_file(tmp_path / "in.txt", tmp_path / "out.jsonl")
    source.write_text("broken\n")
    with pytest.raises(ValueError, match=r"none of the first lines of in\.jsonl can be read"):
        score_file(source, tmp_path / "out.jsonl")
    (tmp_path / "out.jsonl.parts").mkdir()
    (tmp_path / "out.jsonl.parts" / "mine").touch()
    source.write_text('{"completion": "x", "answer": "4"}\n')
    with pytest.raises(FileExistsError, match=r"out\.jsonl\.parts is no folder of scored parts"):
        score_file(source, tmp_path / "out.jsonl")


def test_an_empty_file_gives_an_empty_file(cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").touch()
    assert score_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl") == {}
    assert (tmp_path / "out.jsonl").read_bytes() == b""


def test_the_three_ways_of_the_example_agree(cluster: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = ray_scoring.by_pool(ray_scoring.BUNDLED)
    assert found == ray_scoring.by_data_set(ray_scoring.BUNDLED)
    assert found == ray_scoring.by_file(ray_scoring.BUNDLED, out)
    assert found["correct"] == 8
    assert len(out.read_bytes().splitlines()) == found.total() == 15
