"""The slime adapter, awaited as slime's rollout awaits ``--custom-rm-path``."""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge, log_values
from verifiers_math.integrations.slime import METADATA_KEY, custom_rm, custom_rm_dict

ARGS = SimpleNamespace(reward_key=None, group_rm=False)


@dataclass
class Sample:
    """The fields of slime's Sample that matter to a reward."""

    response: str = ""
    label: Any = None
    prompt: Any = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    remove_sample: bool = False


def on_a_background_loop(coroutine: Any) -> Any:
    """slime runs its rollout functions on an event loop of a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result(timeout=60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def test_the_functions_are_coroutine_functions() -> None:
    assert inspect.iscoroutinefunction(custom_rm)
    assert inspect.iscoroutinefunction(custom_rm_dict)


def test_a_sample_gets_a_number() -> None:
    right, wrong = Sample(r"\boxed{4}", "4"), Sample(r"\boxed{5}", "4")
    assert on_a_background_loop(custom_rm(ARGS, right)) == 1.0
    assert on_a_background_loop(custom_rm(ARGS, wrong, evaluation=True)) == 0.0
    assert wrong.metadata[METADATA_KEY]["status"] == "incorrect"
    assert not wrong.remove_sample


def test_a_group_gets_a_list_from_the_same_function() -> None:
    group = [Sample(r"\boxed{4}", "4"), Sample("no box: 4", "4")]
    assert on_a_background_loop(custom_rm(ARGS, group)) == [1.0, 0.0]
    assert [s.metadata[METADATA_KEY]["status"] for s in group] == ["correct", "no_answer"]
    assert on_a_background_loop(custom_rm(ARGS, [])) == []


def test_dicts_have_the_same_keys_whatever_happened() -> None:
    samples = [Sample(r"\boxed{4}", "4"), Sample(r"\boxed{5}", "4"), Sample(r"\boxed{4}", None)]
    group = on_a_background_loop(custom_rm_dict(ARGS, samples))
    single = on_a_background_loop(custom_rm_dict(ARGS, samples[0]))
    keys = ["score", *log_values(answer_judge().verdict("", "4"))]
    assert [list(row) for row in (*group, single)] == [keys] * 4
    assert [row["score"] for row in group] == [1.0, 0.0, 0.0]
    assert [row["gold_unreadable"] for row in group] == [0.0, 0.0, 1.0]


def test_a_sample_without_a_readable_label_is_kept_out_of_the_loss() -> None:
    sample = Sample(r"\boxed{4}", None)
    assert on_a_background_loop(custom_rm(ARGS, sample)) == 0.0
    assert sample.remove_sample
    assert sample.metadata[METADATA_KEY]["status"] == "gold_unreadable"


def test_a_template_that_opens_the_thinking_is_seen_in_the_prompt() -> None:
    sample = Sample(r"perhaps \boxed{4}", "4", prompt="2+2?<|im_end|><think>\n")
    assert on_a_background_loop(custom_rm(ARGS, sample)) == 0.0
    assert sample.metadata[METADATA_KEY]["status"] == "no_answer"


def test_many_at_once_share_the_loop_and_a_stuck_one_costs_only_itself() -> None:
    rm = functools.partial(custom_rm, judge=answer_judge(timeout_seconds=1))
    stuck = Sample(STUCK, STUCK_GOLD)
    samples = [Sample(NEEDS_WORKER, NEEDS_WORKER_GOLD), stuck, *[Sample(r"\boxed{4}", "4")] * 50]

    async def rollout() -> list[float]:
        return await asyncio.gather(*(rm(ARGS, sample) for sample in samples))

    rewards = on_a_background_loop(rollout())
    assert rewards == [1.0, 0.0, *[1.0] * 50]
    assert stuck.metadata[METADATA_KEY]["status"] == "timeout"
    assert stuck.remove_sample


def test_something_that_is_no_sample_is_an_error_with_its_index() -> None:
    with pytest.raises(TypeError, match="sample 1 is a dict without response and label"):
        asyncio.run(custom_rm(ARGS, [Sample(r"\boxed{4}", "4"), {"response": ""}]))
    with pytest.raises(TypeError, match="sample 0 is a SimpleNamespace without label"):
        asyncio.run(custom_rm(ARGS, SimpleNamespace(response="")))
