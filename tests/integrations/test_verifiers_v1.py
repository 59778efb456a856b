"""The reward for verifiers v1, called as v1 calls rewards; verifiers itself is not needed."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import verifiers_math as vm
from verifiers_math.answers import log_values
from verifiers_math.integrations.verifiers_v1 import CorrectAnswer, correct_answer

ROOT = Path(__file__).parents[2]

# Computer algebra would take minutes over this gold.
ENDLESS_GOLD = r"\int_0^1 \sin(x^{x^x})e^{-x^5}dx"


class Data:
    """A task's data: as a pydantic model does, it gives names and values when iterated."""

    def __init__(self, prompt: Any = "What is 2 + 2?", **fields: Any) -> None:
        self.prompt = prompt
        self.fields = {"idx": 0, "prompt": prompt, **fields}

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self.fields.items())


class Trace:
    """What the reward reads and writes of a trace."""

    def __init__(self, reply: str = r"\boxed{4}", messages: tuple[Any, ...] = ()) -> None:
        self.last_reply = reply
        self.messages = messages
        self.metrics: dict[str, float] = {}
        self.info: dict[str, Any] = {}

    def record_metrics(self, values: dict[str, float]) -> None:
        self.metrics.update({name: float(value) for name, value in values.items()})


def invoke(reward: Any, task: Data, trace: Trace) -> Any:
    """v1 passes what the signature names, by name."""
    available = {"task": task, "trace": trace, "runtime": object()}
    names = inspect.signature(reward).parameters
    return reward(**{name: available[name] for name in names if name in available})


async def score(reward: Any, task: Data, trace: Trace) -> Any:
    (value,) = await asyncio.gather(invoke(reward, task, trace))
    return value


@pytest.mark.parametrize("field", ["answer", "solution", "ground_truth"])
async def test_the_gold_is_found_in_the_usual_fields(field: str) -> None:
    assert await score(correct_answer, Data(**{field: "4"}), Trace()) == 1.0
    assert await score(correct_answer, Data(**{field: "5"}), Trace()) == 0.0


async def test_the_gold_is_read_from_the_field_that_is_named() -> None:
    reward = CorrectAnswer(gold="target")
    assert await score(reward, Data(answer="5", target=["4", "four"]), Trace()) == 1.0


@pytest.mark.parametrize(("gold", "wanted"), [(None, "answer, solution"), ("target", "target")])
async def test_a_task_without_the_field_is_an_error_that_names_its_fields(
    gold: str | None, wanted: str
) -> None:
    reward = CorrectAnswer(gold=gold, unscored="zero")
    with pytest.raises(ValueError, match=rf"{wanted}.*Data, whose fields are idx, prompt, label"):
        await score(reward, Data(label="4"), Trace())


async def test_a_scored_rollout_gets_every_metric_and_the_verdict() -> None:
    trace = Trace(r"\boxed{50\%}")
    assert await score(correct_answer, Data(answer="50"), trace) == 1.0
    assert trace.metrics["correct_answer/lenient"] == 1.0
    assert trace.info["correct_answer"]["rule"] == "percent"
    expected = log_values(vm.verify("50", trace.last_reply, strict=True))
    assert trace.metrics.keys() == {f"correct_answer/{name}" for name in expected}


@pytest.mark.parametrize("gold", [None, "", r"\frac{4}{", float("nan")], ids=repr)
async def test_an_unreadable_gold_is_an_error_and_no_zero(gold: Any) -> None:
    trace = Trace()
    with pytest.raises(vm.UnscoredError, match=r"^gold_unreadable: "):
        await score(correct_answer, Data(answer=gold), trace)
    assert trace.metrics["correct_answer/gold_unreadable"] == 1.0
    assert trace.metrics["correct_answer/scored"] == 0.0
    assert trace.info["correct_answer"]["status"] == "gold_unreadable"


async def test_a_timeout_is_an_error_and_no_zero() -> None:
    reward, trace = CorrectAnswer(timeout_seconds=0.2), Trace(r"\boxed{0.3}")
    with pytest.raises(vm.UnscoredError, match=r"^timeout: "):
        await score(reward, Data(answer=ENDLESS_GOLD), trace)
    assert trace.metrics["correct_answer/timeout"] == 1.0


async def test_a_user_may_have_zeros_for_what_is_not_scored() -> None:
    trace = Trace()
    assert await score(CorrectAnswer(unscored="zero"), Data(answer=None), trace) == 0.0
    assert trace.metrics["correct_answer/gold_unreadable"] == 1.0


@pytest.mark.parametrize("reply", ["", "It is 4.", r"\boxed{5}", r"<think>\boxed{4}"])
async def test_what_is_the_models_fault_is_zero(reply: str) -> None:
    trace = Trace(reply)
    assert await score(correct_answer, Data(answer="4"), trace) == 0.0
    assert trace.metrics["correct_answer/scored"] == 1.0


@pytest.mark.parametrize(
    "prompt",
    [
        "What is 2 + 2?",
        [SimpleNamespace(role="user", content="What is 2 + 2?")],
        [SimpleNamespace(role="user", content=[SimpleNamespace(type="text", text="Is it 2 + 2?")])],
    ],
    ids=["text", "messages", "parts"],
)
async def test_the_question_is_not_its_answer(prompt: Any) -> None:
    trace = Trace(r"\boxed{2 + 2}")
    assert await score(correct_answer, Data(prompt, answer="4"), trace) == 0.0
    assert "restates" in trace.info["correct_answer"]["detail"]


async def test_the_question_of_a_task_without_a_prompt_is_its_users_first_message() -> None:
    messages = tuple(
        SimpleNamespace(role=role, content=content)
        for role, content in [
            ("system", "Be brief."),
            ("user", "What is 2 + 2?"),
            ("assistant", "Sure?"),
            ("user", "Yes."),
        ]
    )
    trace = Trace(r"\boxed{2 + 2}", messages)
    assert await score(correct_answer, Data(None, answer="4"), trace) == 0.0
    assert "restates" in trace.info["correct_answer"]["detail"]


async def test_an_unfinished_thinking_block_has_no_answer_where_a_template_opens_it() -> None:
    reward = CorrectAnswer(assume_thinking=True)
    assert await score(reward, Data(answer="4"), Trace(r"so \boxed{4}")) == 0.0
    assert await score(reward, Data(answer="4"), Trace(r"so 5</think>\boxed{4}")) == 1.0


async def test_options_reach_the_judge() -> None:
    strict = CorrectAnswer(policy="strict")
    assert await score(strict, Data(answer="50"), Trace(r"\boxed{50\%}")) == 0.0
    marked = CorrectAnswer(strict="####")
    assert await score(marked, Data(answer="4"), Trace("so\n#### 4")) == 1.0


async def test_two_rewards_of_one_task_keep_their_metrics_apart() -> None:
    trace = Trace(r"\boxed{50\%}")
    for reward in (CorrectAnswer(), CorrectAnswer(policy="strict", name="exact_answer")):
        await score(reward, Data(answer="50"), trace)
    assert trace.metrics["correct_answer/acc"] == 1.0
    assert trace.metrics["exact_answer/acc"] == 0.0
    assert trace.info.keys() == {"correct_answer", "exact_answer"}


async def test_v1_can_tag_wrap_and_name_a_reward_as_it_does_with_functions() -> None:
    reward = CorrectAnswer()
    reward._vf_weight = 2.0

    @functools.wraps(reward)
    def plugged(*args: Any, **kwargs: Any) -> Any:
        return reward(*args, **kwargs)

    assert (plugged.__name__, plugged._vf_weight) == ("correct_answer", 2.0)
    assert list(inspect.signature(plugged).parameters) == ["task", "trace"]
    assert await score(plugged, Data(answer="4"), Trace()) == 1.0
    assert not hasattr(correct_answer, "_vf_weight")


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
async def test_a_copy_in_another_task_or_process_scores_alike(copied: Any) -> None:
    reward = copied(CorrectAnswer(gold="target", unscored="zero", name="right"))
    assert repr(reward) == "CorrectAnswer(name='right', gold='target')"
    assert await score(reward, Data(target="4"), Trace()) == 1.0
    assert await score(reward, Data(target=None), Trace()) == 0.0


async def test_a_cancelled_reward_is_cancelled() -> None:
    reward, trace = CorrectAnswer(timeout_seconds=1.0), Trace(r"\boxed{\frac{\pi}{7}}")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await score(reward, Data(answer=ENDLESS_GOLD), trace)
    assert trace.metrics == {}


def test_senseless_options_are_refused() -> None:
    with pytest.raises(ValueError, match="unscored"):
        CorrectAnswer(unscored="none")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="policy"):
        CorrectAnswer(policy="generous")
    with pytest.raises(ValueError, match="timeout_seconds"):
        CorrectAnswer(timeout_seconds=0)


def test_the_documentation_lists_every_metric_and_option() -> None:
    page = (ROOT / "docs" / "frameworks" / "verifiers.md").read_text(encoding="utf-8")
    first, *others = log_values(vm.verify("4", r"\boxed{4}"))
    for name in (f"correct_answer/{first}", *(f"/{name}" for name in others)):
        assert f"`{name}`" in page
    for name in inspect.signature(CorrectAnswer).parameters:
        assert f"\n| `{name}` |" in page
