"""The reward function in AReaL's own wrapper and workflow."""

from __future__ import annotations

import asyncio
import functools
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.errors import UnscoredError
from verifiers_math.integrations.areal import reward_fn

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of AReaL's many dependencies
    areal = pytest.importorskip("areal.api.reward_api", reason="needs areal")
    rlvr = pytest.importorskip("areal.workflow.rlvr", reason="needs areal")

PATH = "verifiers_math.integrations.areal.reward_fn"


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Iterator[None]:
    yield
    areal.AsyncRewardWrapper._atexit_shutdown_all()


def scores(function: Any, *pairs: tuple[str, Any]) -> list[Any]:
    """What AReaL's wrapper makes of completions and golds that are judged at once."""
    wrapper = areal.AsyncRewardWrapper(function, max_workers=2)

    async def rollouts() -> list[Any]:
        calls = (wrapper("p", text, [1], [2], answer=gold, id=7) for text, gold in pairs)
        return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(rollouts())


def test_completions_are_judged_in_areals_processes() -> None:
    pairs = [(r"\boxed{4}", "4"), (r"\boxed{5}", "4"), (NEEDS_WORKER, NEEDS_WORKER_GOLD)]
    assert scores(reward_fn, *pairs) == [1.0, 0.0, 1.0]


def test_a_stuck_answer_ends_as_an_error_and_costs_no_other_its_reward() -> None:
    function = functools.partial(reward_fn, judge=answer_judge(timeout_seconds=1))
    pairs = [(STUCK, STUCK_GOLD), *[(rf"\boxed{{{i}}}", f"{i}") for i in range(8)]]
    stuck, *honest = scores(function, *pairs)
    assert isinstance(stuck, UnscoredError)
    assert stuck.verdict.status == "timeout"
    assert honest == [1.0] * 8


def test_an_unreadable_gold_is_an_error_and_no_zero() -> None:
    (found,) = scores(reward_fn, (r"\boxed{4}", None))
    assert isinstance(found, UnscoredError)
    assert found.verdict.status == "gold_unreadable"


class Tokenizer:
    """Tokens are characters."""

    pad_token_id = eos_token_id = 0

    def decode(self, tokens: list[int]) -> str:
        return "".join(map(chr, tokens))

    def apply_chat_template(self, messages: list[dict[str, str]], **options: Any) -> Any:
        return {"input_ids": [ord(char) for char in messages[-1]["content"]]}


class Engine:
    """An inference engine that always says the same."""

    def __init__(self, text: str) -> None:
        self.text = text

    async def agenerate(self, request: Any) -> Any:
        from areal.api.io_struct import ModelResponse

        tokens = [ord(char) for char in self.text]
        return ModelResponse(
            input_tokens=request.input_ids,
            output_tokens=tokens,
            output_logprobs=[0.0] * len(tokens),
            output_versions=[0] * len(tokens),
        )


@pytest.mark.parametrize(
    ("text", "reward"), [(r"So \boxed{42}", 1.0), (r"So \boxed{43}", 0.0), (r"\boxed{12+30}", 0.0)]
)
def test_a_workflow_that_names_the_function_by_its_path_gets_its_rewards(
    text: str, reward: float
) -> None:
    from areal.api.cli_args import GenerationHyperparameters

    workflow = rlvr.RLVRWorkflow(
        PATH, GenerationHyperparameters(max_new_tokens=8), Tokenizer(), False
    )
    row = {"messages": [{"role": "user", "content": "What is 12+30?"}], "answer": "42"}
    trajectory = asyncio.run(workflow.arun_episode(Engine(text), row))
    assert trajectory["rewards"].tolist() == [reward]
