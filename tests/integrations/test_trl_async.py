"""The rewards that TRL awaits."""

from __future__ import annotations

import asyncio
import inspect

import pytest

import verifiers_math as vf
from tests.integrations.trl_calls import Log, acall, added, brevity, length
from verifiers_math.integrations.trl import (
    accuracy_reward,
    async_accuracy_reward,
    async_reasoning_accuracy_reward,
    async_reward_funcs,
    reward_funcs,
)


async def test_async_functions_score_a_batch_once_and_log_it_once() -> None:
    calls = []

    async def counted(completion: str) -> float:
        calls.append(completion)
        await asyncio.sleep(0)
        return 1.0

    with vf.MathRubric([counted, length]) as rubric:
        functions, weights = async_reward_funcs(rubric)
        log = Log()
        scores = await acall(
            functions,
            log,
            prompts=["p", "p"],
            completions=["\\boxed{4}", "\\boxed{5}"],
            answer=["4", "4"],
        )
    assert weights == [1.0, 1.0, 1.0]
    assert scores == {"counted": [1.0, 1.0], "length": [9.0, 9.0], "correct_answer": [1.0, 0.0]}
    assert sorted(calls) == ["\\boxed{4}", "\\boxed{5}"]
    assert log.extra["judge/status"] == ["correct", "incorrect"]
    assert log.once("judge/stage/identical") == 0.5


async def test_an_async_rubric_waits_in_the_loop_of_the_caller() -> None:
    loops = []

    async def where(completion: str) -> float:
        loops.append(asyncio.get_running_loop())
        return 1.0

    functions, _ = async_reward_funcs(vf.Rubric([where]))
    assert await acall(functions, prompts=["p"], completions=["a"]) == {"where": [1.0]}
    assert loops == [asyncio.get_running_loop()]


async def test_an_error_reaches_every_async_function_that_waits() -> None:
    async def fails(completion: str) -> float:
        await asyncio.sleep(0)
        raise RuntimeError("no")

    functions, _ = async_reward_funcs(vf.Rubric([fails, length], on_error="raise"))
    arguments = added(Log(), {"prompts": ["p"], "completions": ["a"]})
    found = await asyncio.gather(
        *(function(**arguments) for function in functions), return_exceptions=True
    )
    assert [str(error) for error in found] == ["no", "no"]
    assert not functions[0]._scorer._open


@pytest.mark.parametrize("who", [0, 1])
async def test_a_cancelled_reader_leaves_the_others_their_scores(who: int) -> None:
    started = asyncio.Event()
    gate = asyncio.Event()

    async def slow(completion: str) -> float:
        started.set()
        await gate.wait()
        return 1.0

    functions, _ = async_reward_funcs(vf.Rubric([slow, length, brevity]))
    arguments = added(Log(), {"prompts": ["p"], "completions": ["ab"]})
    readers = [asyncio.ensure_future(function(**arguments)) for function in functions]
    await started.wait()
    readers[who].cancel()
    await asyncio.sleep(0)
    gate.set()
    found = await asyncio.gather(*readers, return_exceptions=True)
    assert isinstance(found.pop(who), asyncio.CancelledError)
    scores = [[1.0], [2.0], [0.5]]
    assert found == [score for reader, score in enumerate(scores) if reader != who]


def test_trainers_take_the_functions_for_what_they_are() -> None:
    (sync,), _ = reward_funcs(vf.Rubric([length]))
    (waits,), _ = async_reward_funcs(vf.Rubric([length]))
    assert not inspect.iscoroutinefunction(sync.__call__)
    assert inspect.iscoroutinefunction(waits.__call__)
    assert (sync.__name__, waits.__name__) == ("length", "length")
    assert not inspect.iscoroutinefunction(accuracy_reward)
    assert inspect.iscoroutinefunction(async_accuracy_reward)
    assert inspect.iscoroutinefunction(async_reasoning_accuracy_reward)
