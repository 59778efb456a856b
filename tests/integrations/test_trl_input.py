"""What the rewards for TRL make of input of any shape."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest

import verifiers_math as vf
from tests.integrations.trl_calls import said
from verifiers_math.integrations.trl import (
    accuracy_reward,
    async_accuracy_reward,
    async_reward_funcs,
    reasoning_accuracy_reward,
    reward_funcs,
    rubric_reward,
)


def every_reward() -> dict[str, Callable[..., Any]]:
    rubric = vf.MathRubric(strict=True)
    return {
        "accuracy_reward": accuracy_reward,
        "reasoning_accuracy_reward": functools.partial(
            reasoning_accuracy_reward, reasoning_delimiters=[":"]
        ),
        "async_accuracy_reward": lambda *a, **k: asyncio.run(async_accuracy_reward(*a, **k)),
        "reward_funcs": reward_funcs(rubric)[0][0],
        "rubric_reward": rubric_reward(rubric),
        "async_reward_funcs": lambda *a, **k: asyncio.run(
            async_reward_funcs(rubric)[0][0](*a, **k)
        ),
    }


@pytest.fixture(params=sorted(every_reward()))
def any_reward(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return every_reward()[request.param]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"answer": ["4"]}, ValueError, "'answer' has 1 values for 2 completions"),
        ({"answer": ["4"] * 2, "level": [1]}, ValueError, "'level' has 1 values"),
        ({"answer": ["4"] * 2, "prompts": ["p"]}, ValueError, "'prompt' has 1 values"),
        ({"level": [1, 2]}, ValueError, r"no column\b.*answer, solution, ground_truth.*level"),
        ({}, ValueError, r"no column\b.*answer, solution, ground_truth.*(none|no columns)"),
        ({"answer": "44"}, TypeError, "'answer' is a list of golds.*not str"),
        ({"answer": ["4"] * 2, "completions": "44"}, TypeError, "completions is a list.*not str"),
        ({"answer": ["4"] * 2, "completions": ["a", 4]}, TypeError, r"completions\[1\]: .*int"),
        (
            {"answer": ["4"] * 2, "completions": [said("a")[0], ["b"]]},
            TypeError,
            r"completions\[1\]\[0\] is a message, not str",
        ),
    ],
)
def test_input_of_another_shape_is_refused_with_its_name_and_place(
    any_reward: Callable[..., Any],
    arguments: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    given = {"completions": [": \\boxed{4}", ": \\boxed{4}"]} | arguments
    with pytest.raises(error, match=message):
        any_reward(**given)


@pytest.mark.parametrize(
    ("completion", "reward"),
    [
        ([{"role": "assistant", "content": [{"type": "text", "text": ": \\boxed{4}"}]}], 1.0),
        (
            [
                {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "add"}}]},
                {"role": "tool", "name": "add", "content": "4"},
                {"role": "assistant", "content": ": \\boxed{4}"},
            ],
            1.0,
        ),
        ([{"role": "assistant", "tool_calls": [{"function": {"name": "add"}}]}], 0.0),
        ([{"role": "tool", "content": ": \\boxed{4}"}], 0.0),
        ([], 0.0),
        (None, 0.0),
        ("", 0.0),
    ],
    ids=["parts", "after a tool", "a tool call", "no assistant", "no message", "none", "empty"],
)
def test_completions_of_any_shape_are_read(
    any_reward: Callable[..., Any], completion: Any, reward: float
) -> None:
    assert any_reward([completion], answer=["4"]) == [reward]


def test_a_batch_without_completions_has_no_rewards(any_reward: Callable[..., Any]) -> None:
    assert any_reward(completions=[], prompts=[], answer=[]) == []
