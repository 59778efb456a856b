"""The rewards in ms-swift's own scoring, by the names of its registry."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of ms-swift's many dependencies
    grpo = pytest.importorskip("swift.rl_core.grpo_algorithm", reason="needs ms-swift")
    data = pytest.importorskip("swift.rl_core.data", reason="needs ms-swift")
    rewards = pytest.importorskip("swift.rewards", reason="needs ms-swift")

PLUGIN = "from verifiers_math.integrations.ms_swift import register\n\nregister()\n"


@pytest.fixture
def names(tmp_path: Path) -> list[str]:
    """The names of the registry after ``--external_plugins plugin.py`` was loaded."""
    from swift.utils import import_external_file

    plugin = tmp_path / "plugin.py"
    plugin.write_text(PLUGIN, encoding="utf-8")
    import_external_file(str(plugin))
    return ["verifiers_math", "verifiers_math_async"]


def samples(*pairs: tuple[str, Any]) -> list[Any]:
    question = {"role": "user", "content": "What is 12 + 30?"}
    return [
        data.GRPOSample.from_row(
            {"messages": [question, {"role": "assistant", "content": text}], "solution": gold}
        )
        for text, gold in pairs
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_batch_is_scored_by_both_kinds_of_reward(names: list[str]) -> None:
    made = [rewards.orms[name](args=SimpleNamespace()) for name in names]
    batch = samples(
        (r"\boxed{42}", "42"),
        (r"\boxed{43}", "42"),
        (r"\boxed{12 + 30}", "42"),
        (NEEDS_WORKER, NEEDS_WORKER_GOLD),
        (r"\boxed{42}", None),
    )
    for _ in range(2):  # each batch has an event loop of its own
        table = grpo.compute_rewards_per_func(batch, made, None, "cpu", SimpleNamespace())
        assert table[:4].tolist() == [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
        assert all(math.isnan(score) for score in table[4].tolist())
