"""A rubric's functions for TRL, called as its trainers call them; TRL itself is not needed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import verifiers_math as vf
from tests.integrations.trl_calls import Log, brevity, call, is_right, length
from verifiers_math.integrations.trl import (
    async_reward_funcs,
    reward_funcs,
    rubric_reward,
)

ROOT = Path(__file__).parents[2]


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
