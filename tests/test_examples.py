"""The examples that need no torch."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import curve
import pytest
import score_rollouts

EXAMPLES = Path(__file__).parent.parent / "examples"

RIGHT = {"correct"}
WRONG = {"incorrect"}
NOTHING = {"no_answer"}
# Whether a stage refutes it or a limit cuts it short is the judge's affair: it ends, unrewarded.
ATTACK = {"incorrect", "answer_unreadable", "limit", "timeout"}

# What the bundled file shows, line by line.
STATUSES = [
    RIGHT,  # 0.75 for 3/4
    RIGHT,  # an expanded product
    RIGHT,  # a set in another order
    RIGHT,  # a fraction for a percentage
    RIGHT,  # an assignment for its value
    RIGHT,  # a rationalised root
    RIGHT,  # two boxes for two solutions
    RIGHT,  # a wrong box within the thinking
    WRONG,
    WRONG,
    NOTHING,  # no box
    NOTHING,  # unfinished thinking
    ATTACK,  # a power of powers
    ATTACK,  # a sum of ten million terms
    {"gold_unreadable"},
]


@pytest.fixture(scope="module")
def scored() -> list[dict[str, Any]]:
    rollouts = score_rollouts.read_rollouts(score_rollouts.BUNDLED)
    asyncio.run(score_rollouts.score(rollouts))
    return rollouts


def test_the_bundled_rollouts_show_every_kind_of_outcome(scored: list[dict[str, Any]]) -> None:
    for rollout, statuses in zip(scored, STATUSES, strict=True):
        verdict = rollout["verdict"]
        assert verdict.status.value in statuses, (rollout["completion"], verdict.detail)
        assert rollout["reward"] == float(statuses is RIGHT)


def test_every_bundled_rollout_has_a_reason(scored: list[dict[str, Any]]) -> None:
    assert all(rollout["verdict"].detail for rollout in scored)


def test_the_table_fits_its_width_and_shows_every_rollout(scored: list[dict[str, Any]]) -> None:
    lines = score_rollouts.table(scored, 82).splitlines()
    assert max(map(len, lines)) <= 82
    assert sum("correct" in line for line in lines) >= len(STATUSES) // 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"answer": "4"\n')
    done = subprocess.run(
        [sys.executable, EXAMPLES / "score_rollouts.py", broken],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},
    )
    assert done.returncode == 2
    assert "broken.jsonl" in done.stderr
    assert "Traceback" not in done.stderr


def test_smoothing_keeps_the_length_and_the_mean_of_a_constant() -> None:
    assert curve.smoothed([0.5] * 7, 3) == [0.5] * 7
    assert curve.smoothed([0.0, 0.0, 0.3, 0.0, 0.0], 3) == pytest.approx([0, 0.1, 0.1, 0.1, 0])


@pytest.mark.parametrize("count", [1, 2, 10, 300])
def test_the_svg_is_well_formed_and_has_both_lines(count: int) -> None:
    values = [step / count for step in range(count)]
    root = ET.fromstring(curve.svg_curve(values, title="a < b", x_label="step", y_label="reward"))
    space = "{http://www.w3.org/2000/svg}"
    lines = root.findall(f"{space}polyline")
    assert [line.get("class") for line in lines] == ["raw", "smooth"]
    assert [len(line.get("points", "").split()) for line in lines] == [count, count]
    words = [text.text for text in root.findall(f"{space}text")]
    assert {"a < b", "step", "reward"} <= set(words)


@pytest.mark.parametrize("count", [1, 2, 10, 300])
def test_the_text_curve_rises_with_its_values(count: int) -> None:
    values = [step / count for step in range(count)]
    lines = curve.text_curve(values, x_label="step", y_label="reward").splitlines()
    assert lines[0] == "reward"
    columns = min(64, count)
    stars = [line.rfind("*") for line in lines if "*" in line]
    assert stars == sorted(stars, reverse=True)
    assert stars[0] == 6 + columns
