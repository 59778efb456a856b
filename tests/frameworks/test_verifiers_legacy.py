"""Code written for the Rubric of verifiers 0.1 to 0.3, run with verifiers 0.3.1 itself.

0.3.1 and 0.4 cannot share an environment, so a script runs with another Python:
``VERIFIERS_MATH_LEGACY_PYTHON``, or the one in ``.venv-legacy`` of the checkout.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("legacy_rollouts.py")
PYTHON = Path(
    os.environ.get("VERIFIERS_MATH_LEGACY_PYTHON", ROOT / ".venv-legacy" / "bin" / "python")
)

pytestmark = pytest.mark.skipif(
    not PYTHON.exists(),
    reason="needs a Python with verifiers 0.3.1 (VERIFIERS_MATH_LEGACY_PYTHON or .venv-legacy)",
)

RIGHT, WRONG = [1.0] * 4, [0.0] * 4  # the boxed completions of the script, in order


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """What the script prints; it would never end if a worker were left behind."""
    done = subprocess.run(
        [PYTHON, SCRIPT],
        capture_output=True,
        text=True,
        timeout=280,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "examples")]),
            "HF_HUB_OFFLINE": "1",
        },
    )
    assert done.returncode == 0, done.stderr[-4000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_code_written_for_verifiers_scores_alike_with_only_its_import_replaced(
    shown: dict[str, Any],
) -> None:
    theirs, ours = shown["theirs"], shown["ours"]
    assert theirs["rewards"] == RIGHT + WRONG
    for key in ("rewards", "weights", "group", "steps"):
        assert ours[key] == theirs[key]


def test_metrics_have_their_names_and_a_second_function_of_one_name_is_kept(
    shown: dict[str, Any],
) -> None:
    theirs, ours = shown["theirs"], shown["ours"]
    for there, here in zip(theirs["metrics"], ours["metrics"], strict=True):
        assert here == {**there, "level_2": 2.0}
    assert theirs["names"] == ["level", "correct_answer", "characters", "level"]
    assert ours["names"] == ["level", "correct_answer", "characters", "level_2"]


@pytest.mark.parametrize("parser", ["theirs", "plain", "thinking", "ours"])
def test_their_rubric_takes_our_correct_answer_with_any_parser(
    parser: str, shown: dict[str, Any]
) -> None:
    unboxed, attack = [1.0, 1.0, 0.0], [0.0]
    assert shown["in_their_rubric"][parser] == [*RIGHT, *WRONG, *unboxed, *attack]


def test_their_environment_scores_rollouts_with_our_rubric(shown: dict[str, Any]) -> None:
    found = shown["in_their_environment"]
    assert [reward for reward, _ in found["scored"]] == RIGHT + WRONG[:3]
    assert found["scored"] == found["theirs"]
    assert found["counts"]["total"] == 7
    assert found["counts"]["correct"] == 4


def test_their_environment_learns_from_our_rubric_whether_groups_are_needed(
    shown: dict[str, Any],
) -> None:
    found = shown["in_their_environment"]
    assert found["needs_groups"] == [False, True]
    assert [reward for reward, _ in found["summed"]] == [2.0] * 4 + [1.0] * 3
    assert found["summed"][0][1] == {"correct_answer": 1.0, "all_equal": 1.0, "num_turns": 1.0}


def test_their_environment_can_do_without_scores(shown: dict[str, Any]) -> None:
    assert shown["in_their_environment"]["unscored"] == [[0.0, {}]] * 7


def test_our_rubric_is_a_member_of_their_group(shown: dict[str, Any]) -> None:
    right = [3.0, {"correct_answer": 1.0, "level": 2.0}]
    wrong = [2.0, {"correct_answer": 0.0, "level": 2.0}]
    assert shown["beside_their_rubric"] == [right, wrong, right]
