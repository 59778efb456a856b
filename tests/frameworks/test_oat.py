"""The oracle beside oat's own base classes."""

from __future__ import annotations

import inspect
import warnings

import pytest

from verifiers_math.integrations.oat import MathOracle

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of oat's many dependencies
    base = pytest.importorskip("oat.oracles.base", reason="needs oat-llm")


@pytest.mark.parametrize(
    ("theirs", "name"),
    [(base.RewardOracleBase, "get_reward"), (base.PreferenceOracleBase, "compare")],
    ids=["get_reward", "compare"],
)
def test_a_method_takes_what_oats_takes(theirs: type, name: str) -> None:
    wanted = inspect.signature(getattr(theirs, name)).parameters
    ours = inspect.signature(getattr(MathOracle, name)).parameters
    assert list(ours) == list(wanted)
    assert [p.default for p in ours.values()] == [p.default for p in wanted.values()]


def test_it_serves_as_an_oracle_of_oats_classes() -> None:
    class Oracle(MathOracle, base.RewardOracleBase, base.PreferenceOracleBase):  # type: ignore[name-defined, misc] # oat is untyped
        """As oat's own oracle inherits from both."""

    rewards, infos = Oracle().get_reward(["q"] * 2, [r"\boxed{4}", "4"], ["4", "4"])
    assert rewards.reshape(1, -1).tolist() == [[1.0, 0.0]]
    assert [info["formatted"] for info in infos] == [True, False]
