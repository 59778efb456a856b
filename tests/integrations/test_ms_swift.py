"""The ms-swift adapter, called as ms-swift 4.6's ``compute_rewards_per_func`` calls ORMs."""

from __future__ import annotations

import asyncio
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.ms_swift import AccuracyReward, AsyncAccuracyReward, register

ARGS = SimpleNamespace(num_generations=2)


def rows(completions: list[str], question: str = "2+2?") -> dict[str, Any]:
    """The keyword arguments beside the completions, lists but for the trainer's state."""
    return {
        "trainer_state": object(),
        "messages": [
            [{"role": "user", "content": question}, {"role": "assistant", "content": text}]
            for text in completions
        ],
        "finish_reason": ["stop"] * len(completions),
        "rollout_infos": [{}] * len(completions),
    }


def sync_scores(completions: list[str], **columns: Any) -> list[float | None]:
    return AccuracyReward(args=ARGS)(completions, **rows(completions), **columns)


def async_scores(completions: list[str], **columns: Any) -> list[float | None]:
    reward = AsyncAccuracyReward(args=ARGS)

    async def gather() -> list[float | None]:
        (scores,) = await asyncio.gather(reward(completions, **rows(completions), **columns))
        return scores

    return asyncio.run(gather())  # ms-swift makes a new loop for each batch


@pytest.mark.parametrize("score", [sync_scores, async_scores])
def test_a_batch_is_scored_by_its_solutions(score: Any) -> None:
    completions = [r"\boxed{4}", r"\boxed{5}", "4", r"\boxed{4}", NEEDS_WORKER]
    solutions = ["4", "4", "4", None, NEEDS_WORKER_GOLD]
    for _ in range(2):  # a second batch meets workers of a loop that is closed
        assert score(completions, solution=solutions) == [1.0, 0.0, 0.0, None, 1.0]


def test_ms_swift_takes_the_second_for_async_and_the_first_for_sync() -> None:
    def is_async(reward: Any) -> bool:
        return asyncio.iscoroutinefunction(reward) or asyncio.iscoroutinefunction(reward.__call__)

    assert not is_async(AccuracyReward())
    assert is_async(AsyncAccuracyReward())


def test_the_question_is_the_messages_before_the_completion() -> None:
    reward = AccuracyReward(args=ARGS, judge=answer_judge())
    restated = [r"\boxed{12 + 30}"]
    assert reward(restated, **rows(restated, "What is 12 + 30?"), answer=["42"]) == [0.0]
    assert reward(restated, **rows(restated, "What is it?"), answer=["42"]) == [1.0]


def test_columns_of_another_length_and_a_missing_gold_are_errors() -> None:
    with pytest.raises(ValueError, match="'solution' has 1 values for 2 completions"):
        sync_scores([r"\boxed{4}"] * 2, solution=["4"])
    with pytest.raises(ValueError, match="no column holds the gold"):
        async_scores([r"\boxed{4}"])


def test_a_reward_pickles_with_its_judge() -> None:
    reward = pickle.loads(pickle.dumps(AccuracyReward(judge=answer_judge(policy="strict"))))
    assert reward.judge is answer_judge(policy="strict")


def test_registering_without_ms_swift_says_what_is_missing() -> None:
    try:
        import swift.rewards  # noqa: F401 - asks only whether it is there
    except ImportError:
        with pytest.raises(ImportError, match="swift"):
            register()
    else:
        register()
