"""The rewards for TRL, called as its trainers call them; TRL itself is not needed."""

from __future__ import annotations

import asyncio
import functools
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import verifiers_math as vf
from benchmarks.trl_step import HANGS
from verifiers_math.answers import AnswerJudge
from verifiers_math.integrations import trl
from verifiers_math.integrations.trl import (
    AsyncRewardFunction,
    RewardFunction,
    accuracy_reward,
    async_accuracy_reward,
    async_reasoning_accuracy_reward,
    async_reward_funcs,
    reasoning_accuracy_reward,
    reward_funcs,
    rubric_reward,
)

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "frameworks" / "trl.md"


def length(completion: Any) -> float:
    return float(len(completion))


def brevity(completion: Any) -> float:
    return 1.0 / len(completion)


def is_right(completion: Any, answer: Any) -> float:
    return float(completion == answer)


class Log:
    """What TRL gathers of one step."""

    def __init__(self) -> None:
        self.metrics: dict[str, list[float]] = {}
        self.extra: dict[str, list[Any]] = {}

    def add_metric(self, name: str, value: float) -> None:
        self.metrics.setdefault(name, []).append(value)

    def add_extra(self, column: str, values: list[Any]) -> None:
        self.extra.setdefault(column, []).extend(values)

    def once(self, name: str) -> float:
        (value,) = self.metrics[name]
        return value


def added(log: Log, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with what TRL adds."""
    extras = {
        "completion_ids": [[1, 2]] * len(arguments["completions"]),
        "trainer_state": object(),
        "log_extra": log.add_extra,
        "log_metric": log.add_metric,
    }
    return extras | arguments


def call(
    functions: Sequence[RewardFunction], log: Log | None = None, **arguments: Any
) -> dict[str, list[float | None]]:
    """One step: every function with the same lists, by keyword."""
    arguments = added(log or Log(), arguments)
    return {function.__name__: function(**arguments) for function in functions}


async def acall(
    functions: Sequence[AsyncRewardFunction], log: Log | None = None, **arguments: Any
) -> dict[str, list[float | None]]:
    """One step of async functions, which TRL runs at once."""
    arguments = added(log or Log(), arguments)
    found = await asyncio.gather(*(function(**arguments) for function in functions))
    return {function.__name__: scores for function, scores in zip(functions, found, strict=True)}


def said(*texts: str) -> list[list[dict[str, str]]]:
    """Completions of a conversation."""
    return [[{"role": "assistant", "content": text}] for text in texts]


@pytest.fixture
def math_rubric() -> Iterator[vf.MathRubric]:
    with vf.MathRubric() as rubric:
        yield rubric


def test_functions_carry_the_names_and_weights_of_the_rubric() -> None:
    rubric = vf.Rubric([is_right], weights=[2.0])
    rubric.add_metric(length)
    functions, weights = reward_funcs(rubric)
    assert [function.__name__ for function in functions] == ["is_right", "length"]
    assert weights == [2.0, 0.0]


def test_a_math_rubric_scores_plain_completions(math_rubric: vf.MathRubric) -> None:
    functions, weights = reward_funcs(math_rubric)
    scores = call(
        functions,
        prompts=["1/2+1/4=", "1+1="],
        completions=["It is \\boxed{0.75}.", "It is \\boxed{3}."],
        answer=["\\frac{3}{4}", "2"],
    )
    assert scores == {"correct_answer": [1.0, 0.0]}
    assert weights == [1.0]


def test_a_math_rubric_scores_conversations(math_rubric: vf.MathRubric) -> None:
    functions, _ = reward_funcs(math_rubric)
    scores = call(
        functions,
        prompts=[[{"role": "user", "content": "1+1="}]] * 2,
        completions=[
            [{"role": "assistant", "content": "\\boxed{2}"}],
            [{"role": "assistant", "content": "\\boxed{5}"}],
        ],
        answer=["2", "2"],
    )
    assert scores == {"correct_answer": [1.0, 0.0]}


@pytest.mark.parametrize("column", ["answer", "solution", "ground_truth"])
def test_the_gold_is_found_in_any_of_its_usual_columns(column: str) -> None:
    functions, _ = reward_funcs(vf.Rubric([is_right]))
    columns: dict[str, Any] = {column: ["4", "4"], "level": [1, 2]}
    assert call(functions, prompts=["p", "p"], completions=["4", "5"], **columns) == {
        "is_right": [1.0, 0.0]
    }


def test_answer_wins_over_the_other_gold_columns() -> None:
    functions, _ = reward_funcs(vf.Rubric([is_right]))
    assert call(
        functions, prompts=["p"], completions=["4"], answer=["4"], solution=["so it is 4"]
    ) == {"is_right": [1.0]}


def test_a_missing_gold_column_is_an_error_that_names_the_function() -> None:
    functions, _ = reward_funcs(vf.Rubric([is_right]))
    with pytest.raises(ValueError, match=r"is_right requires the gold.*its columns are.*level"):
        call(functions, prompts=["p"], completions=["4"], level=[1])


def test_functions_that_want_no_gold_do_without_one() -> None:
    functions, _ = reward_funcs(vf.Rubric([length]))
    assert call(functions, prompts=["p"], completions=["four"]) == {"length": [4.0]}


@pytest.mark.parametrize("column", ["answer", "level"])
def test_a_column_of_another_length_is_an_error_that_names_it(column: str) -> None:
    functions, _ = reward_funcs(vf.Rubric([is_right]))
    columns: dict[str, Any] = {"answer": ["4", "4"], "level": [1, 2]} | {column: ["4"]}
    with pytest.raises(ValueError, match=f"'{column}' has 1 values for 2 completions"):
        call(functions, prompts=["p", "p"], completions=["4", "5"], **columns)


def test_prompts_of_another_length_are_an_error() -> None:
    functions, _ = reward_funcs(vf.Rubric([length]))
    with pytest.raises(ValueError, match="'prompt' has 1 values for 2 completions"):
        call(functions, prompts=["p"], completions=["4", "5"])


def test_other_columns_are_in_the_state() -> None:
    def level(state: dict[str, Any]) -> float:
        return float(state["level"])

    functions, _ = reward_funcs(vf.Rubric([level]))
    assert call(functions, prompts=["p", "p"], completions=["a", "b"], level=[1, 7]) == {
        "level": [1.0, 7.0]
    }


def test_a_batch_is_scored_once_for_all_functions() -> None:
    calls = []

    def counted(completion: str) -> float:
        calls.append(completion)
        return 1.0

    functions, _ = reward_funcs(vf.Rubric([counted, length, brevity]))
    call(functions, prompts=["p", "q"], completions=["a", "b"])
    assert sorted(calls) == ["a", "b"]


def test_functions_share_state_in_the_order_of_the_rubric() -> None:
    def first(state: dict[str, Any]) -> float:
        state["found"] = 3.0
        return 0.0

    def second(state: dict[str, Any]) -> float:
        return float(state["found"])

    functions, _ = reward_funcs(vf.Rubric([first, second]))
    assert call(functions, prompts=["p"], completions=["a"]) == {"first": [0.0], "second": [3.0]}


def test_a_list_that_the_trainer_uses_again_is_a_new_batch() -> None:
    functions, _ = reward_funcs(vf.Rubric([length, brevity]))
    prompts, completions = ["p"], ["four"]
    assert call(functions, prompts=prompts, completions=completions)["length"] == [4.0]
    completions[0] = "sixsix"
    assert call(functions, prompts=prompts, completions=completions)["length"] == [6.0]


def test_one_function_called_alone_always_scores_what_it_is_given() -> None:
    functions, _ = reward_funcs(vf.Rubric([length, brevity]))
    completions = ["four"]
    assert functions[0](completions, ["p"]) == [4.0]
    completions[0] = "sixsix"
    assert functions[0](completions, ["p"]) == [6.0]


def test_batches_that_are_never_read_to_the_end_are_forgotten() -> None:
    functions, _ = reward_funcs(vf.Rubric([length, brevity]))
    kept = [["x" * size] for size in range(1, 500)]
    for completions in kept:
        functions[0](completions, ["p"])
    assert len(functions[0]._scorer._open) < 100
    assert functions[1](kept[0], ["p"]) == [1.0]


def test_interleaved_batches_from_many_threads_keep_their_own_scores() -> None:
    functions, _ = reward_funcs(vf.Rubric([length, brevity]))

    def step(size: int) -> bool:
        completions = ["x" * size] * 4
        scores = call(functions, prompts=["p"] * 4, completions=completions)
        return scores == {"length": [float(size)] * 4, "brevity": [1.0 / size] * 4}

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(step, range(1, 60)))


async def test_scoring_works_where_an_event_loop_is_running() -> None:
    functions, _ = reward_funcs(vf.Rubric([length]))
    assert call(functions, prompts=["p"], completions=["four"]) == {"length": [4.0]}


def test_group_functions_get_the_completions_of_one_prompt() -> None:
    def share(completions: list[str]) -> list[float]:
        return [len(completion) / sum(map(len, completions)) for completion in completions]

    functions, _ = reward_funcs(vf.Rubric([share]))
    assert call(functions, prompts=["p", "p", "q", "q"], completions=["a", "aaa", "bb", "bb"]) == {
        "share": [0.25, 0.75, 0.5, 0.5]
    }


def test_an_unscored_completion_is_none_for_every_function() -> None:
    with vf.MathRubric(unscored="none") as rubric:
        rubric.add_metric(length)
        functions, _ = reward_funcs(rubric)
        scores = call(
            functions,
            prompts=["p", "p"],
            completions=["\\boxed{4}", "\\boxed{4}"],
            answer=["4", None],
        )
    assert scores == {"correct_answer": [1.0, None], "length": [9.0, None]}


@pytest.mark.parametrize("unscored", ["zero", "none"])
def test_an_unreadable_gold_is_none_whatever_unscored_says(unscored: Any) -> None:
    with vf.MathRubric(unscored=unscored) as rubric:
        rubric.add_metric(length)
        functions, _ = reward_funcs(rubric)
        scores = call(
            functions,
            prompts=["p", "p"],
            completions=["\\boxed{4}", "\\boxed{5}"],
            answer=[None, "4"],
        )
    assert scores == {"correct_answer": [None, 0.0], "length": [None, 9.0]}


@pytest.mark.parametrize(("unscored", "score"), [("zero", 0.0), ("none", None)])
def test_what_an_answer_beyond_a_limit_counts_is_the_rubrics_choice(
    unscored: Any, score: float | None
) -> None:
    with vf.MathRubric(unscored=unscored) as rubric:
        functions, _ = reward_funcs(rubric)
        log = Log()
        nested = f"\\boxed{{{'(' * 5000}1{')' * 5000}}}"
        scores = call(functions, log, prompts=["p"], completions=[nested], answer=["4"])
    assert log.extra["judge/status"] == ["limit"]
    assert scores == {"correct_answer": [score]}


def test_a_parser_that_fails_is_no_wrong_answer() -> None:
    class Broken(vf.Parser):
        def parse_answer(self, completion: Any, prompt: object = None) -> Any:
            raise RuntimeError("no")

    with vf.MathRubric(parser=Broken()) as rubric:
        functions, _ = reward_funcs(rubric)
        log = Log()
        scores = call(functions, log, prompts=["p"], completions=["\\boxed{4}"], answer=["4"])
    assert scores == {"correct_answer": [None]}
    assert log.once("judge/error") == 1.0


def test_a_function_that_fails_gives_none_and_leaves_the_others_alone() -> None:
    def broken(completion: str) -> float:
        return 1.0 / (len(completion) - 1)

    functions, _ = reward_funcs(vf.Rubric([broken, length]))
    log = Log()
    scores = call(functions, log, prompts=["p", "p"], completions=["ab", "a"])
    assert scores == {"broken": [1.0, None], "length": [2.0, 1.0]}
    assert log.metrics == {"errors/broken": [0.5], "errors/length": [0.0]}


def test_a_function_that_returns_no_number_gives_none() -> None:
    functions, _ = reward_funcs(vf.Rubric([lambda completion: "many", length]))
    scores = call(functions, prompts=["p"], completions=["ab"])
    assert list(scores.values()) == [[None], [2.0]]


def test_an_error_that_the_rubric_raises_reaches_the_trainer_and_is_not_kept() -> None:
    failures = [RuntimeError("no")]

    def fails_once(completion: str) -> float:
        if failures:
            raise failures.pop()
        return 1.0

    functions, _ = reward_funcs(vf.Rubric([fails_once, length], on_error="raise"))
    completions = ["good"]
    with pytest.raises(RuntimeError, match="no"):
        functions[0](completions, ["p"])
    assert functions[1](completions, ["p"]) == [4.0]
    assert functions[0](completions, ["p"]) == [1.0]


def test_a_mapping_counts_as_its_sum() -> None:
    def parts(completion: str) -> dict[str, float]:
        return {"a": 0.25, "b": 0.5}

    functions, _ = reward_funcs(vf.Rubric([parts, length]))
    assert call(functions, prompts=["p"], completions=["ab"]) == {"parts": [0.75], "length": [2.0]}


def test_two_mappings_are_refused_with_a_reason() -> None:
    def one(completion: str) -> dict[str, float]:
        return {"a": 0.25}

    def two(completion: str) -> dict[str, float]:
        return {"b": 0.25}

    functions, _ = reward_funcs(vf.Rubric([one, two]))
    with pytest.raises(ValueError, match="one, two return mappings"):
        call(functions, prompts=["p"], completions=["ab"])


def test_a_group_of_rubrics_gives_the_functions_of_all() -> None:
    group = vf.RubricGroup([vf.Rubric([is_right]), vf.Rubric([length], weights=[0.1])])
    functions, weights = reward_funcs(group)
    assert weights == [1.0, 0.1]
    assert call(functions, prompts=["p"], completions=["4"], answer=["4"]) == {
        "is_right": [1.0],
        "length": [1.0],
    }


def test_one_name_in_two_rubrics_of_a_group_is_one_function_with_the_sum() -> None:
    functions, weights = reward_funcs(vf.RubricGroup([vf.Rubric([length]), vf.Rubric([length])]))
    assert weights == [1.0]
    assert call(functions, prompts=["p"], completions=["abc"]) == {"length": [6.0]}


def test_one_name_with_two_weights_in_a_group_is_an_error() -> None:
    group = vf.RubricGroup([vf.Rubric([length]), vf.Rubric([length], weights=[0.5])])
    with pytest.raises(ValueError, match="two functions named 'length'"):
        reward_funcs(group)
    assert rubric_reward(group)(["four"]) == [6.0]


def test_two_functions_of_one_name_are_told_apart() -> None:
    functions, _ = reward_funcs(vf.Rubric([lambda completion: 1.0, lambda completion: 2.0]))
    assert list(call(functions, prompts=["p"], completions=["a"]).values()) == [[1.0], [2.0]]


def test_a_rubric_without_functions_is_an_error() -> None:
    for make in (reward_funcs, async_reward_funcs, rubric_reward):
        with pytest.raises(ValueError, match="no reward functions"):
            make(vf.Rubric())


def test_a_rubric_with_its_own_way_of_scoring_need_not_tell_of_errors() -> None:
    class Own(vf.Rubric):
        async def score_group(self, states: Any) -> None:
            for state in states:
                state["metrics"] = {"length": 3.0}
                state["reward"] = 3.0

    functions, _ = reward_funcs(Own([length]))
    log = Log()
    assert call(functions, log, prompts=["p"], completions=["ab"]) == {"length": [3.0]}
    assert log.once("errors/length") == 0.0


def test_functions_survive_pickling_and_still_share_one_scoring() -> None:
    functions, _ = reward_funcs(vf.Rubric([length, brevity]))
    copies = pickle.loads(pickle.dumps(functions))
    assert [function.__name__ for function in copies] == ["length", "brevity"]
    assert copies[0]._scorer is copies[1]._scorer
    assert call(copies, prompts=["p"], completions=["ab"]) == {"length": [2.0], "brevity": [0.5]}


def test_the_plug_imports_neither_trl_nor_torch() -> None:
    code = (
        "import sys, verifiers_math.integrations.trl\n"
        "assert not {'trl', 'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


# ---- what is logged


def test_a_batch_is_logged_once_for_all_functions() -> None:
    with vf.MathRubric([length, brevity], strict=True) as rubric:
        functions, _ = reward_funcs(rubric)
        log = Log()
        call(
            functions,
            log,
            prompts=["p"] * 4,
            completions=["\\boxed{4}", "\\boxed{4.0}", "four", "\\boxed{5}"],
            answer=["4"] * 4,
        )
    assert log.extra == {
        "judge/gold": ["4"] * 4,
        "judge/answer": ["4", "4.0", "", "5"],
        "judge/status": ["correct", "correct", "no_answer", "incorrect"],
    }
    assert log.once("judge/no_answer") == 0.25
    assert log.once("judge/timeout") == log.once("judge/error") == log.once("judge/limit") == 0.0
    assert log.once("judge/stage/identical") == 0.25
    assert log.once("judge/stage/number") == 0.5
    assert log.once("judge/stage/other") == 0.25
    assert log.once("judge/lenient") == 0.0
    assert log.once("judge/seconds") > 0.0
    assert log.once("errors/length") == log.once("errors/correct_answer") == 0.0


def test_the_stages_shares_sum_to_one() -> None:
    log = Log()
    texts = ["\\boxed{4}", "\\boxed{x}", "none", "\\boxed{\\frac{8}{2}}", "<think> \\boxed{4}"]
    accuracy_reward(texts, ["4", "x", "4", "4", "4"], log.add_extra, log.add_metric)
    shares = [log.once(name) for name in log.metrics if name.startswith("judge/stage/")]
    assert len(shares) == 7
    assert sum(shares) == pytest.approx(1.0)


def test_the_lenient_share_is_one_of_the_correct_answers() -> None:
    log = Log()
    texts = ["\\boxed{50\\%}", "\\boxed{50}", "\\boxed{7}", "\\boxed{8}"]
    assert accuracy_reward(texts, ["50"] * 4, log_metric=log.add_metric) == [1.0, 1.0, 0.0, 0.0]
    assert log.once("judge/lenient") == 0.5


def test_without_a_correct_answer_there_is_no_lenient_share() -> None:
    log = Log()
    accuracy_reward(["\\boxed{3}"], ["4"], log_metric=log.add_metric)
    assert "judge/lenient" not in log.metrics


def test_a_rubric_without_a_judge_logs_only_failures() -> None:
    functions, _ = reward_funcs(vf.Rubric([length]))
    log = Log()
    call(functions, log, prompts=["p"], completions=["ab"])
    assert (log.metrics, log.extra) == ({"errors/length": [0.0]}, {})


def test_a_timeout_is_logged_as_one() -> None:
    with vf.MathRubric(timeout_seconds=0.05) as rubric:
        functions, _ = reward_funcs(rubric)
        log = Log()
        scores = call(functions, log, prompts=["p"], completions=[HANGS], answer=["$5$"])
    assert scores == {"correct_answer": [0.0]}
    assert log.extra["judge/status"] == ["timeout"]
    assert log.once("judge/timeout") == log.once("judge/stage/math_verify") == 1.0


# ---- async


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


async def test_a_cancelled_reader_leaves_the_others_their_scores() -> None:
    started = asyncio.Event()
    gate = asyncio.Event()

    async def slow(completion: str) -> float:
        started.set()
        await gate.wait()
        return 1.0

    functions, _ = async_reward_funcs(vf.Rubric([slow, length, brevity]))
    arguments = added(Log(), {"prompts": ["p"], "completions": ["ab"]})
    first, second, third = (asyncio.ensure_future(function(**arguments)) for function in functions)
    await started.wait()
    second.cancel()
    await asyncio.sleep(0)
    gate.set()
    assert await first == [1.0]
    assert await third == [0.5]
    assert second.cancelled()


def test_trainers_take_the_functions_for_what_they_are() -> None:
    (sync,), _ = reward_funcs(vf.Rubric([length]))
    (waits,), _ = async_reward_funcs(vf.Rubric([length]))
    assert not inspect.iscoroutinefunction(sync.__call__)
    assert inspect.iscoroutinefunction(waits.__call__)
    assert (sync.__name__, waits.__name__) == ("length", "length")
    assert not inspect.iscoroutinefunction(accuracy_reward)
    assert inspect.iscoroutinefunction(async_accuracy_reward)
    assert inspect.iscoroutinefunction(async_reasoning_accuracy_reward)


REWARDS = [accuracy_reward, reasoning_accuracy_reward]
TWINS = {
    accuracy_reward: async_accuracy_reward,
    reasoning_accuracy_reward: async_reasoning_accuracy_reward,
}


@pytest.mark.parametrize("reward", [*REWARDS, *TWINS.values()])
def test_a_reward_has_the_shape_that_other_trainers_look_for(reward: Callable[..., Any]) -> None:
    assert len(inspect.signature(reward).parameters) >= 2  # axolotl
    assert getattr(trl, reward.__name__) is reward  # unsloth, and dotted paths
    assert pickle.loads(pickle.dumps(reward)) is reward  # AsyncGRPO


# ---- accuracy_reward and reasoning_accuracy_reward


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


# ---- bad input


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
        ({"level": [1, 2]}, ValueError, "no column answer, solution, ground_truth.*level"),
        ({}, ValueError, "no column answer.*none"),
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


def test_a_function_of_groups_needs_the_prompts() -> None:
    def share(completions: list[str]) -> list[float]:
        return [1.0 / len(completions)] * len(completions)

    functions, _ = reward_funcs(vf.Rubric([share]))
    with pytest.raises(ValueError, match=r"share scores groups of one prompt.*no column prompt"):
        functions[0](["a", "b"])


def test_the_whole_reward_is_the_weighted_sum_without_metrics() -> None:
    with vf.MathRubric([length], weights=[0.5]) as rubric:
        rubric.add_metric(brevity)
        reward = rubric_reward(rubric)
        log = Log()
        scores = call(
            [reward],
            log,
            prompts=["p"] * 3,
            completions=["\\boxed{4}", "\\boxed{5}", "\\boxed{6}"],
            answer=["4", "4", None],
        )
    assert scores == {"rubric_reward": [5.5, 4.5, None]}
    assert log.extra["judge/status"] == ["correct", "incorrect", "gold_unreadable"]
    assert log.once("errors/brevity") == 0.0
    assert not reward._scorer._open


def test_a_rubrics_function_is_called_with_completions_by_position() -> None:
    (function,), _ = reward_funcs(vf.Rubric([length]))
    assert function(["four"], answer=["4"]) == [4.0]


# ---- the documentation


def test_the_page_names_everything_that_is_logged() -> None:
    functions, _ = reward_funcs(vf.MathRubric())
    log = Log()
    call(functions, log, prompts=["p"], completions=["\\boxed{4}"], answer=["4"])
    page = PAGE.read_text("utf-8")
    logged = {*log.metrics, *log.extra}
    named = set(re.findall(r"`((?:judge|errors)/[\w/<>]+)`", page))
    assert named == {name.replace("correct_answer", "<function>") for name in logged}
