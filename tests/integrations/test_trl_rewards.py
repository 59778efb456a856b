"""The rewards that stand in for TRL's own functions of the same names."""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import verifiers_math as vf
from benchmarks.trl_step import HANGS
from tests.integrations.trl_calls import Log, added, said
from verifiers_math.answers import AnswerJudge
from verifiers_math.integrations import trl
from verifiers_math.integrations.trl import (
    accuracy_reward,
    async_accuracy_reward,
    async_reasoning_accuracy_reward,
    reasoning_accuracy_reward,
)

REWARDS = [accuracy_reward, reasoning_accuracy_reward]
TWINS = {
    accuracy_reward: async_accuracy_reward,
    reasoning_accuracy_reward: async_reasoning_accuracy_reward,
}


def test_completions_alone_by_position_and_columns_by_name_are_enough() -> None:
    assert accuracy_reward(["\\boxed{4}", "\\boxed{5}"], answer=["4", "4"]) == [1.0, 0.0]
    assert accuracy_reward(said("\\boxed{4}"), ["4"]) == [1.0]


@pytest.mark.parametrize("column", ["answer", "solution", "ground_truth"])
@pytest.mark.parametrize("reward", REWARDS)
def test_a_reward_finds_its_gold_column(reward: Callable[..., Any], column: str) -> None:
    texts = ["<think>5?</think>\\boxed{4}", "<think>4?</think>\\boxed{5}"]
    arguments = {"prompts": ["2+2=", "2+2="], "completions": texts, column: ["4", "4"]}
    assert reward(**added(Log(), arguments)) == [1.0, 0.0]


def test_the_answer_column_wins_over_the_worked_solution() -> None:
    texts = ["\\boxed{4}"]
    assert accuracy_reward(texts, ["It is \\boxed{5} or so"], answer=["4"]) == [1.0]


def test_only_a_box_is_an_answer() -> None:
    texts = ["The answer is $4$.", "4", "#### 4", "<answer>4</answer>", "It is $\\boxed{4}$."]
    assert accuracy_reward(texts, ["4"] * 5) == [0.0, 0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("gold", "reward"),
    [
        (4, 1.0),
        (4.0, 1.0),
        ("$4$", 1.0),
        ("2 + 2 = 4\n#### 4", 1.0),
        ("It is $\\boxed{4}$.", 1.0),
        (["5", "4"], 1.0),
        ({"target": ["4"]}, 1.0),
        (5, 0.0),
        (None, None),
        ("", None),
        (float("nan"), None),
        ([], None),
        (object, None),
    ],
    ids=repr,
)
def test_golds_come_in_many_types(gold: Any, reward: float | None) -> None:
    assert accuracy_reward(["\\boxed{4}"], [gold]) == [reward]


def test_a_limit_of_time_or_size_is_the_models_own_doing() -> None:
    log = Log()
    nested = f"\\boxed{{{'(' * 5000}1{')' * 5000}}}"
    assert accuracy_reward([nested], ["4"], log.add_extra, log.add_metric) == [0.0]
    assert log.extra["judge/status"] == ["limit"]
    assert log.once("judge/limit") == 1.0


def test_a_worker_that_fails_is_not_the_models_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = vf.Verifier()
    closed.close()
    monkeypatch.setattr(AnswerJudge, "verifier", closed)
    log = Log()
    rewards = accuracy_reward([HANGS, "\\boxed{5}"], ["$5$"] * 2, log.add_extra, log.add_metric)
    assert rewards == [None, 1.0]
    assert log.extra["judge/status"] == ["error", "correct"]


def test_an_answer_that_restates_the_prompt_is_none_of_the_models_work() -> None:
    arguments = {"prompts": ["Compute $2+3$."], "completions": ["\\boxed{2+3}"], "answer": ["5"]}
    assert accuracy_reward(**arguments) == [0.0]
    del arguments["prompts"]
    assert accuracy_reward(**arguments) == [1.0]


def test_thinking_that_the_prompt_opened_has_to_end() -> None:
    arguments = {"completions": ["so \\boxed{4}"], "answer": ["4"]}
    assert accuracy_reward(prompts=["2+2=\n<think>\n"], **arguments) == [0.0]
    assert accuracy_reward(prompts=["2+2="], **arguments) == [1.0]


REASONED = {
    "finished": ("<think>so</think> \\boxed{4}", 1.0),
    "opened by the template": ("so</think> \\boxed{4}", 1.0),
    "never ends": ("<think>so \\boxed{4}", 0.0),
    "no mark": ("\\boxed{4}", 0.0),
    "only a thought": ("<think>so \\boxed{4}</think>", 0.0),
    "begins again": ("<think>so</think> <think> \\boxed{4}", 0.0),
    "of another model": ("[THINK]so[/THINK] \\boxed{4}", 1.0),
}


@pytest.mark.parametrize(("text", "reward"), REASONED.values(), ids=REASONED)
@pytest.mark.parametrize("shape", ["text", "message"])
def test_only_what_follows_the_reasoning_counts(text: str, reward: float, shape: str) -> None:
    completions = [text] if shape == "text" else said(text)
    assert reasoning_accuracy_reward(completions, ["4"]) == [reward]


def test_delimiters_can_be_chosen_and_the_last_of_any_counts() -> None:
    reward = functools.partial(reasoning_accuracy_reward, reasoning_delimiters=["<<<", ">>>"])
    texts = ["\\boxed{5} >>> <<< \\boxed{4}", "\\boxed{4} <<< >>> \\boxed{5}", "\\boxed{4}</think>"]
    assert reward(texts, ["4"] * 3) == [1.0, 0.0, 0.0]


def test_senseless_delimiters_are_refused() -> None:
    with pytest.raises(TypeError, match="a list of texts, not '</think>'"):
        reasoning_accuracy_reward(["a"], ["4"], "</think>")
    with pytest.raises(ValueError, match="empty"):
        reasoning_accuracy_reward(["a"], ["4"], [""])


@pytest.mark.parametrize("field", ["reasoning_content", "thinking"])
def test_reasoning_that_the_tokenizer_took_out_has_ended(field: str) -> None:
    message = {"role": "assistant", field: "It is \\boxed{5}", "content": "\\boxed{4}"}
    assert reasoning_accuracy_reward([[message]], ["4"]) == [1.0]
    assert reasoning_accuracy_reward([[message | {"content": ""}]], ["4"]) == [0.0]


@pytest.mark.parametrize("reward", REWARDS)
async def test_an_async_twin_rewards_and_logs_the_same(reward: Callable[..., Any]) -> None:
    texts = [text for text, _ in REASONED.values()] + ["\\boxed{4}"]
    arguments = {"completions": said(*texts), "solution": ["4"] * (len(texts) - 1) + [None]}
    log, twins = Log(), Log()
    waits: Callable[..., Awaitable[Any]] = TWINS[reward]
    assert reward(**added(log, arguments)) == await waits(**added(twins, arguments))
    assert log.extra == twins.extra
    assert log.metrics.keys() == twins.metrics.keys()


def test_examples_of_trls_own_documentation_hold() -> None:
    golds = ["\\frac{1}{3}"] * 3
    plain = said("My answer is \\boxed{\\frac{1}{3}}", "My answer is \\boxed{\\frac{1}{2}}")
    assert accuracy_reward(plain, golds[:2]) == [1.0, 0.0]
    without_role = [[{"content": "\\boxed{\\frac{1}{3}}"}], [{"content": "\\boxed{\\frac{1}{2}}"}]]
    assert accuracy_reward(without_role, golds[:2]) == [1.0, 0.0]
    thought = said(
        "<think> Reasoning content </think> The final answer is \\boxed{\\frac{1}{3}}",
        "<think> Reasoning content </think> The final answer is \\boxed{\\frac{1}{2}}",
        "<think> Reasoning content with partial answers \\boxed{\\frac{1}{3}} but no final answer",
    )
    marks = ["</think>"]
    assert reasoning_accuracy_reward(thought, golds, reasoning_delimiters=marks) == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("reward", [*REWARDS, *TWINS.values()])
def test_a_reward_has_the_shape_that_other_trainers_look_for(reward: Callable[..., Any]) -> None:
    assert len(inspect.signature(reward).parameters) >= 2  # axolotl
    assert getattr(trl, reward.__name__) is reward  # unsloth, and dotted paths
    assert pickle.loads(pickle.dumps(reward)) is reward  # AsyncGRPO
