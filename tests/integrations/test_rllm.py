"""The rLLM adapters, over stand-ins with the attributes of its tasks and episodes."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.rllm import MathEvaluator, evaluator, math_reward_fn

TASK = {"question": "What is 12 + 30?", "ground_truth": "42"}


def episode(response: Any = None, **fields: Any) -> SimpleNamespace:
    """An episode of one trajectory with one step that says the response."""
    step = SimpleNamespace(model_response=response, action=None)
    trajectory = SimpleNamespace(steps=[step], output=None)
    return SimpleNamespace(**{"trajectories": [trajectory], "metrics": {}} | fields)


def test_an_episode_gets_reward_and_correctness() -> None:
    right, wrong = episode(r"So \boxed{42}"), episode(r"So \boxed{43}")
    assert evaluator.evaluate(TASK, right) == (1.0, True)
    assert evaluator.evaluate(TASK, wrong) == (0.0, False)
    assert (right.metrics["acc"], wrong.metrics["acc"]) == (1.0, 0.0)


def test_the_evaluator_is_callable_by_itself_as_well() -> None:
    assert evaluator(task=TASK, episode=episode(r"\boxed{42}")) == (1.0, True)


@pytest.mark.parametrize(
    "ended",
    [
        episode(artifacts={"answer": r"\boxed{42}"}),
        episode(
            trajectories=[
                SimpleNamespace(output=r"\boxed{1}", steps=[]),
                SimpleNamespace(output=r"\boxed{42}", steps=[]),
            ]
        ),
        episode(
            trajectories=[
                SimpleNamespace(
                    steps=[
                        SimpleNamespace(model_response=r"\boxed{1}"),
                        SimpleNamespace(
                            chat_completions=[{"role": "assistant", "content": r"\boxed{42}"}]
                        ),
                    ]
                )
            ]
        ),
        episode(trajectories=[SimpleNamespace(steps=[SimpleNamespace(action=r"\boxed{42}")])]),
    ],
    ids=["artifact", "last output", "last step", "action"],
)
def test_the_response_is_what_the_episode_ended_with(ended: SimpleNamespace) -> None:
    assert evaluator.evaluate(TASK, ended) == (1.0, True)


@pytest.mark.parametrize(
    "ended",
    [
        episode(trajectories=[]),
        episode(None),
        episode(trajectories=[SimpleNamespace(output=None, steps=[])]),
    ],
    ids=["no trajectory", "no response", "no step"],
)
def test_an_episode_that_ends_without_a_word_has_no_answer(ended: SimpleNamespace) -> None:
    assert evaluator.evaluate(TASK, ended) == (0.0, False)
    assert ended.metrics["no_answer"] == 1.0


def test_a_task_may_hold_its_row_as_metadata() -> None:
    task = SimpleNamespace(id="7", metadata={"answer": ["41", "42"]})
    assert evaluator.evaluate(task, episode(r"\boxed{42}")) == (1.0, True)


def test_restating_the_question_is_no_answer() -> None:
    assert evaluator.evaluate(TASK, episode(r"\boxed{12 + 30}")) == (0.0, False)


def test_an_unreadable_gold_is_told_by_the_metrics() -> None:
    ended = episode(r"\boxed{42}")
    assert evaluator.evaluate({"answer": None}, ended) == (0.0, False)
    assert (ended.metrics["scored"], ended.metrics["gold_unreadable"]) == (0.0, 1.0)


def test_it_works_in_threads_of_an_event_loop() -> None:
    task = {"answer": NEEDS_WORKER_GOLD}

    async def score() -> list[Any]:
        ended = [episode(NEEDS_WORKER) for _ in range(4)]
        calls = (asyncio.to_thread(evaluator.evaluate, task, one) for one in ended)
        return await asyncio.gather(*calls)

    assert asyncio.run(score()) == [(1.0, True)] * 4


@pytest.mark.parametrize(
    ("task", "ended", "error"),
    [
        ("42", episode("x"), TypeError),
        ({"level": 5}, episode("x"), ValueError),
        (TASK, "text", TypeError),
    ],
    ids=["task", "no gold", "episode"],
)
def test_other_shapes_are_errors(task: Any, ended: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        evaluator.evaluate(task, ended)


def test_the_older_reward_function_gives_an_object_with_its_three_fields() -> None:
    right = math_reward_fn(TASK, r"\boxed{42}")
    assert (right.reward, right.is_correct, right.metadata["answer"]) == (1.0, True, "42")
    wrong = math_reward_fn(task_info=TASK, action=r"\boxed{12 + 30}")
    assert (wrong.reward, wrong.is_correct, wrong.metadata["status"]) == (0.0, False, "incorrect")
    unjudged = math_reward_fn({"answer": None}, r"\boxed{42}")
    assert (unjudged.reward, unjudged.metadata["scored"]) == (0.0, 0.0)
    assert unjudged.metadata["status"] == "gold_unreadable"


def test_another_judge_may_take_bare_answers() -> None:
    bare = episode(artifacts={"answer": "42"})
    assert evaluator.evaluate(TASK, bare) == (0.0, False)
    assert MathEvaluator(answer_judge(strict=False)).evaluate(TASK, bare) == (1.0, True)
