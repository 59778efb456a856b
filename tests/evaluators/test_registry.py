from __future__ import annotations

import asyncio
import importlib
import json

import pytest

import verifiers_math.evaluators as evaluators
from verifiers_math.evaluators import EVALUATORS, SUITES, Evaluator, Item, expand, get
from verifiers_math.evaluators.evaluator import text_of

ITEMS = [
    Item(r"\frac{1}{2}", r"\boxed{0.5}"),
    Item("3", r"\boxed{4}"),
    Item("3", ""),
    Item(None, r"\boxed{4}"),
    Item(["1", "2"], "2"),
    Item("2", 2),
    Item("2", [{"role": "assistant", "content": "2"}], "What is 1 + 1?"),
]


def test_every_evaluator_is_found_by_its_name():
    assert list(EVALUATORS) == ["correct_answer", "exact_match", "math_equivalence", "numeric_diff"]
    for name in EVALUATORS:
        assert isinstance(get(name), Evaluator)
        assert get(name).name == name
        assert get(name).summary


def test_an_unknown_name_is_refused_with_the_names_that_there_are():
    with pytest.raises(KeyError, match=r"'rouge'.*numeric_diff"):
        get("rouge")
    with pytest.raises(KeyError, match=r"'rouge'.*everything"):
        expand(["exact_match", "rouge"])


def test_a_suite_stands_for_its_members_each_once():
    assert expand(["everything"]) == list(EVALUATORS)
    assert expand(["exact_match", "correctness"])[0] == "exact_match"
    assert sorted(expand(["exact_match", "correctness"])) == sorted(SUITES["correctness"])


@pytest.mark.parametrize("name", EVALUATORS)
def test_results_are_plain_data_with_score_label_and_passed(name):
    for item, result in zip(ITEMS, get(name).evaluate_many(ITEMS), strict=True):
        assert json.loads(json.dumps(result)) == result
        assert result["score"] is None or result["score"] in (0.0, 1.0) or name == "numeric_diff"
        assert isinstance(result["label"], str)
        assert isinstance(result["passed"], bool)
        assert result["detail"], item
        if result["score"] is None:
            assert not result["passed"]


@pytest.mark.parametrize("name", EVALUATORS)
def test_single_batch_and_async_calls_agree(name):
    evaluator = get(name)

    async def one_by_one():
        return [await evaluator.aevaluate(*item) for item in ITEMS]

    def timeless(results):
        return [
            {key: value for key, value in result.items() if key not in ("seconds", "cached")}
            for result in results
        ]

    batch = timeless(evaluator.evaluate_many(ITEMS))
    assert batch == timeless(evaluator.evaluate(*item) for item in ITEMS)
    assert batch == timeless(asyncio.run(one_by_one()))


@pytest.mark.parametrize("name", EVALUATORS)
def test_an_output_of_another_type_is_named_by_its_index(name):
    with pytest.raises(TypeError, match=r"item 1: .*not set"):
        get(name).evaluate_many([("4", "4"), ("4", {4})])


def test_the_judges_settings_are_passed_on():
    assert get("correct_answer").evaluate("4", "The answer is 4.")["passed"]
    strict = get("correct_answer", strict=True).evaluate("4", "The answer is 4.")
    assert (strict["score"], strict["label"]) == (0.0, "no_answer")
    assert get("correct_answer").evaluate("25", r"\boxed{25\%}")["rule"] == "percent"
    assert not get("correct_answer", policy="strict").evaluate("25", r"\boxed{25\%}")["passed"]
    with pytest.raises(TypeError, match="strict"):
        get("numeric_diff", strict=True)


def test_the_judges_result_says_what_was_read_and_who_decided():
    result = get("correct_answer").evaluate(r"\frac12", r"So \boxed{0.5}.")
    assert result["answer"] == "0.5"
    assert result["gold"] == r"\frac12"
    assert result["stage"] == "number"
    assert result["judge"] == "3/default"
    unreadable = get("correct_answer").evaluate("", r"\boxed{4}")
    assert (unreadable["score"], unreadable["status"]) == (None, "gold_unreadable")


def test_exact_match_takes_the_whole_output_without_case_and_white_space():
    exact = get("exact_match")
    assert exact.evaluate("The  Answer", " the\nanswer ")["label"] == "exact"
    assert exact.evaluate("4", r"\boxed{4}")["label"] == "different"
    assert exact.evaluate("4", "4.0")["score"] == 0.0
    assert exact.evaluate(["3", "4"], "4")["score"] == 1.0


def test_outputs_are_texts_messages_and_numbers():
    assert text_of(0.5) == "0.5"
    assert text_of(None) == ""
    assert text_of([{"role": "assistant", "content": "hi"}]) == "hi"
    with pytest.raises(TypeError, match="bool"):
        text_of(True)


def test_code_for_context_bench_finds_its_names():
    module = importlib.import_module("verifiers_math.evaluators.math_equivalence")
    assert module.MathEquivalence is evaluators.MathEquivalence
    assert evaluators.MathEquivalence().name == "math_equivalence"
