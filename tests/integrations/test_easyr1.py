"""The EasyR1 adapter: loaded from its file, called as the batch and sequential managers do."""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

import verifiers_math.integrations.easyr1 as installed
from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD


@pytest.fixture
def module() -> Iterator[ModuleType]:
    """EasyR1 executes the file as a module of its own name."""
    assert installed.__file__
    spec = importlib.util.spec_from_file_location("custom_reward_fn", installed.__file__)
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["custom_reward_fn"] = loaded
    spec.loader.exec_module(loaded)
    yield loaded
    del sys.modules["custom_reward_fn"]


def given(response: str, gold: object) -> dict[str, object]:
    return {"response": response, "response_length": len(response), "ground_truth": gold}


def test_a_batch_gives_a_dict_for_each_response(module: ModuleType) -> None:
    assert (module.REWARD_NAME, module.REWARD_TYPE) == ("verifiers_math", "batch")
    compute_score = functools.partial(module.compute_score, strict=True)
    scores = compute_score(
        [given(r"\boxed{4}", "4"), given("4", "4"), given(NEEDS_WORKER, NEEDS_WORKER_GOLD)]
    )
    assert [score["overall"] for score in scores] == [1.0, 0.0, 1.0]
    assert [score["format"] for score in scores] == [1.0, 0.0, 1.0]
    assert [score["accuracy"] for score in scores] == [1.0, 0.0, 1.0]


def test_a_sequential_manager_passes_one_dict_and_gets_one(module: ModuleType) -> None:
    assert module.compute_score(given(r"\boxed{4}", "4"))["overall"] == 1.0


def test_the_keys_never_vary_and_values_are_numbers(module: ModuleType) -> None:
    scores = module.compute_score([given(r"\boxed{4}", "4"), given("", "4"), given("4", None)])
    assert len({tuple(score) for score in scores}) == 1
    assert all(type(value) is float for score in scores for value in score.values())
    assert scores[2]["gold_unreadable"] == 1.0
    assert scores[2]["scored"] == 0.0


def test_the_format_may_have_a_share_of_the_reward(module: ModuleType) -> None:
    scores = module.compute_score(
        [given(r"\boxed{4}", "4"), given(r"\boxed{5}", "4"), given("4", "4")], format_weight=0.1
    )
    assert [score["overall"] for score in scores] == pytest.approx([1.0, 0.1, 0.0])
    with pytest.raises(ValueError, match="format_weight is from 0 to 1, not 2"):
        module.compute_score([], format_weight=2)


def test_keywords_of_the_configuration_choose_the_judge(module: ModuleType) -> None:
    inputs = [given("#### 4", "4")]
    assert module.compute_score(inputs)[0]["overall"] == 0.0
    assert module.compute_score(inputs, strict="####", policy="strict")[0]["overall"] == 1.0
    with pytest.raises(TypeError, match="strickt"):
        module.compute_score(inputs, strickt=True)


def test_bad_inputs_are_named_by_index_and_field(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="reward input 1 lacks ground_truth; it has response"):
        module.compute_score([given("", "4"), {"response": ""}])
    with pytest.raises(TypeError, match="reward input 0 is a str, not a dict"):
        module.compute_score(["text"])
