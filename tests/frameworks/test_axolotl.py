"""TRL's reward functions in axolotl's own resolver and reward worker."""

from __future__ import annotations

import math
import multiprocessing
import sys
import warnings
from pathlib import Path

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of axolotl's many dependencies
    fast = pytest.importorskip(
        "axolotl.core.trainers.grpo.fast_async_trainer", reason="needs axolotl"
    )
    grpo = pytest.importorskip("axolotl.core.trainers.grpo", reason="needs axolotl")

REWARDS = """
import verifiers_math as vf
from verifiers_math.integrations.trl import reward_funcs

rubric = vf.MathRubric(strict=True, unscored="none", timeout_seconds=1)
(correct_answer,), _ = reward_funcs(rubric)
"""


def test_a_function_that_is_named_by_its_path_judges_in_axolotls_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_math_rewards.py").write_text(REWARDS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    function = grpo.GRPOStrategy.get_reward_func("my_math_rewards.correct_answer")
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    worker = context.Process(target=fast._persistent_reward_worker, args=(theirs,), daemon=True)
    worker.start()
    completions = [r"\boxed{4}", r"\boxed{5}", NEEDS_WORKER, STUCK]
    golds = ["4", "4", NEEDS_WORKER_GOLD, STUCK_GOLD]
    rows = [{"prompt": "q", "answer": gold} for gold in golds]
    try:
        ours.send(([function], ["q"] * 4, completions, [[1]] * 4, rows, ["correct_answer"]))
        assert ours.poll(120)
        (rewards,) = ours.recv()
        assert rewards[:3] == [1.0, 0.0, 1.0]
        assert math.isnan(rewards[3])
        ours.send(None)
        worker.join(timeout=60)
        assert worker.exitcode == 0
    finally:
        worker.kill()
        sys.modules.pop("my_math_rewards", None)
