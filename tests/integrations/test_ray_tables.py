"""What Ray's actors do with a table, without Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifiers_math.answers import answer_judge
from verifiers_math.integrations.ray.dataset import TableScorer
from verifiers_math.integrations.rows import SCORE_FIELDS, Fields
from verifiers_math.workers.cores import MAX_WORKERS_VARIABLE

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")

ROOT = Path(__file__).parent.parent.parent


def scored(rows: list[dict[str, Any]], fields: Fields, *options: Any) -> Any:
    scorer = TableScorer(fields, answer_judge(), *options)
    return scorer(pa.Table.from_pylist(rows))


def test_columns_of_an_earlier_scoring_are_replaced_where_they_stand() -> None:
    rows = [{"reward": 0, "completion": r"\boxed{4}", "status": "old", "answer": "4"}]
    table = scored(rows, Fields("completion", "answer"))
    names = ["reward", "completion", "status", "answer"]
    assert table.column_names == names + [name for name in SCORE_FIELDS if name not in names]
    assert table.column("reward").to_pylist() == [1.0]


def test_messages_and_several_golds_are_judged() -> None:
    turn = [{"role": "assistant", "content": r"\boxed{4}"}]
    rows = [{"messages": turn, "gold": ["3", "4"]}, {"messages": turn, "gold": [None]}]
    table = scored(rows, Fields("messages", "gold"), "none", "judge_")
    assert table.column("judge_reward").to_pylist() == [1.0, None]
    assert table.column("judge_status").to_pylist() == ["correct", "gold_unreadable"]
    assert table.select(["messages", "gold"]).to_pylist() == rows


def test_a_gold_of_32_bits_is_judged_as_it_is_written_and_kept_as_it_is() -> None:
    golds = pa.array([0.3, 0.3], pa.float32())
    table = pa.table({"completion": [r"\boxed{0.3}", r"\boxed{0.4}"], "answer": golds})
    scored = TableScorer(Fields("completion", "answer"), answer_judge())(table)
    assert scored.column("reward").to_pylist() == [1.0, 0.0]
    assert scored.column("answer").type == pa.float32()


def test_a_table_without_rows_gets_the_columns_too() -> None:
    empty = pa.schema([("completion", pa.string()), ("answer", pa.string())]).empty_table()
    table = TableScorer(Fields("completion", "answer"), answer_judge())(empty)
    assert table.column_names == ["completion", "answer", *SCORE_FIELDS]
    assert table.schema.field("reward").type == pa.float64()


def test_an_actor_has_no_more_workers_than_cpus() -> None:
    cloudpickle = pytest.importorskip("ray.cloudpickle", reason="needs the ray extra")
    code = (
        "import sys\n"
        "from verifiers_math.integrations.ray.dataset import ScoringActor\n"
        "actor = ScoringActor(sys.stdin.buffer.read(), 1)\n"
        "print(actor._score.judge.verifier._symbolic._pool.size)"
    )
    scorer = cloudpickle.dumps(TableScorer(Fields("completion", "answer"), answer_judge()))
    environment = {
        name: value for name, value in os.environ.items() if name != MAX_WORKERS_VARIABLE
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        input=scorer,
        capture_output=True,
        check=True,
        env=environment,
    )
    assert int(done.stdout) == 1
