"""A few steps of the conversational example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs the trl extra")

import grpo_addition as addition
import grpo_conversational as example

# transformers and TRL tell of their own coming changes; that is not about this package.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def test_the_rows_are_conversations_with_a_solution() -> None:
    rows = example.conversations()
    assert len(rows) == 100
    assert {"prompt": [{"role": "user", "content": "9+9="}], "solution": "$18$"} in rows


def test_the_run_shows_what_the_judge_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addition, "WARM_UP_ACCURACY", 0.1)
    assert example.main(["--steps", "2", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    shares = [float(share) for share in re.findall(r"judge/stage/\w+ +([\d.]+)", printed)]
    assert sum(shares) == pytest.approx(1.0, abs=0.01)
    assert re.search(r"rewards/accuracy_reward/mean +0\.\d+", printed)
    shown = printed.partition("Some of its completions:\n")[2].splitlines()
    assert len(shown) == example.SHOWN
    for line in shown:
        assert re.fullmatch(
            r"\s+\d\+\d= .* found (\d+|-)\s+gold \$\d+\$\s+(correct|incorrect|no_answer)", line
        )
