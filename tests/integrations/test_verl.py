"""verl's custom reward function, as its reward loop (0.9.1) calls it and reads the result."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import verifiers_math as vf
from verifiers_math.integrations import verl
from verifiers_math.integrations.verl import acompute_score, compute_score

ROOT = Path(__file__).parent.parent.parent
KEYS = [
    "score",
    "acc",
    "scored",
    "lenient",
    "no_answer",
    "answer_unreadable",
    "gold_unreadable",
    "limit",
    "timeout",
    "error",
    "judge_seconds",
    "pred",
]
STUCK = r"\boxed{\binom{10^9}{10^8}}"


def score(response: Any, gold: Any = "5", source: str = "own", **options: Any) -> dict[str, Any]:
    return compute_score(source, response, gold, **options)


def twin(response: Any, gold: Any = "5", source: str = "own", **options: Any) -> dict[str, Any]:
    return asyncio.run(acompute_score(source, response, gold, **options))


# --- the result ---------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [score, twin], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("response", "gold", "expected"),
    [
        (r"\boxed{5}", "5", {"score": 1.0, "acc": 1.0, "scored": 1.0, "pred": "5"}),
        (r"\boxed{6}", "5", {"score": 0.0, "acc": 0.0, "scored": 1.0, "pred": "6"}),
        (r"\boxed{50}", r"50\%", {"score": 1.0, "lenient": 1.0}),
        ("five", "5", {"score": 0.0, "no_answer": 1.0, "scored": 1.0, "pred": ""}),
        (r"\boxed{5}", None, {"score": 0.0, "gold_unreadable": 1.0, "scored": 0.0}),
        (STUCK, "5", {"score": 0.0, "timeout": 1.0, "scored": 0.0}),
    ],
    ids=["correct", "incorrect", "lenient", "no answer", "no gold", "stuck"],
)
def test_the_keys_never_vary_and_say_what_happened(
    call: Any, response: str, gold: Any, expected: dict[str, Any]
) -> None:
    result = call(response, gold, timeout_seconds=0.3)
    assert list(result) == KEYS
    assert {key: result[key] for key in expected} == expected
    assert all(type(result[key]) is float and math.isfinite(result[key]) for key in KEYS[:-1])
    assert type(result["pred"]) is str
    json.dumps(result)


def test_equal_spellings_of_an_answer_have_one_vote() -> None:
    answers = [r"\boxed{\frac12}", r"\boxed{\dfrac{1}{2}}", r"\fbox{ \tfrac{1}{2}. }"]
    assert {score(answer)["pred"] for answer in answers} == {r"\frac{1}{2}"}


def test_a_long_answer_has_a_short_vote() -> None:
    assert len(score(rf"\boxed{{{'x+' * 5000}1}}")["pred"]) == 200


def test_without_flags_only_the_accuracy_and_the_vote_are_left() -> None:
    assert list(score(r"\boxed{5}", flags=False)) == ["score", "acc", "pred"]
    assert list(score(STUCK, flags=False, timeout_seconds=0.3)) == ["score", "acc", "pred"]


# --- the row ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "response", "acc"),
    [
        ("openai/gsm8k", "It is\n#### 5", 1.0),
        ("openai/gsm8k", r"It is \boxed{5}", 1.0),
        ("openai/gsm8k", "The answer is 5.", 0.0),
        ("math_dapo", "It is.\nAnswer: $5$", 1.0),
        ("math_dapo", r"It is \boxed{5}", 1.0),
        ("aime2025", "It is.\nAnswer: 5", 1.0),
        ("math", "It is.\nAnswer: 5", 1.0),
        ("lighteval/MATH", r"It is $\boxed{5}$.", 1.0),
        ("lighteval/MATH", "It is.\nAnswer: 5", 0.0),
        ("own", "The answer is 5.", 0.0),
        (np.str_("openai/gsm8k"), "#### 5", 1.0),
        (None, r"\boxed{5}", 1.0),
    ],
)
def test_the_data_source_says_where_the_answer_stands(
    source: Any, response: str, acc: float
) -> None:
    assert score(response, source=source)["acc"] == acc


@pytest.mark.parametrize(
    "gold",
    [
        "5",
        5,
        np.int64(5),
        "2 + 3 = 5\n#### 5",
        r"So it is $\boxed{5}$.",
        ["4", "5"],
        '["5"]',
        np.array(["5"], dtype=object),
        {"target": np.array(["5"])},
    ],
    ids=repr,
)
def test_the_ground_truth_comes_in_the_shapes_of_verls_data(gold: Any) -> None:
    assert score(r"\boxed{5}", gold)["acc"] == 1.0
    assert score(r"\boxed{6}", gold)["acc"] == 0.0


@pytest.mark.parametrize(
    "info",
    [
        {"question": "What is $2+3$?"},
        {"prompt": "user: What is $2+3$?\nassistant: "},
        {"raw_prompt": [{"role": "user", "content": "What is $2+3$?"}]},
        {"prompt": np.array([{"role": "user", "content": "What is $2+3$?"}], dtype=object)},
    ],
    ids=["question", "prompt", "raw_prompt", "array"],
)
@pytest.mark.parametrize("call", [score, twin], ids=["sync", "async"])
def test_extra_info_may_hold_the_question_and_restating_it_is_no_answer(
    call: Any, info: dict[str, Any]
) -> None:
    assert call(r"\boxed{2+3}", extra_info=info)["acc"] == 0.0
    assert call(r"\boxed{5}", extra_info=info)["acc"] == 1.0


def test_extra_info_without_a_question_or_none_at_all_is_fine() -> None:
    for info in (None, {}, {"index": 7, "num_turns": 2, "rollout_reward_scores": {}}):
        assert score(r"\boxed{5}", extra_info=info)["acc"] == 1.0


def test_a_response_that_is_no_text_is_an_error() -> None:
    for call in (score, twin):
        with pytest.raises(TypeError, match="not int"):
            call(5)


# --- the options --------------------------------------------------------------------------------


def test_options_override_the_table_and_none_is_as_good_as_absent() -> None:
    assert score("The answer is 5.", source="openai/gsm8k", strict=False)["acc"] == 1.0
    assert score("#### 5", source="own", strict="####")["acc"] == 1.0
    assert score("#### 5", source="openai/gsm8k", strict=True)["acc"] == 0.0
    assert score("#### 5", source="openai/gsm8k", strict=None, timeout_seconds=None)["acc"] == 1.0
    assert score(r"\boxed{50}", r"50\%", policy="strict")["acc"] == 0.0
    assert score(r"\boxed{50}", r"50\%", policy=vf.Policy.strict())["acc"] == 0.0
    assert score(r"\boxed{5}", assume_thinking=True)["no_answer"] == 1.0


def test_scores_for_wrong_answers_and_for_unknown_ones_are_apart() -> None:
    options = {"incorrect_score": -1, "unscored_score": 0.25, "timeout_seconds": 0.3}
    responses = [r"\boxed{5}", r"\boxed{6}", "five", STUCK]
    results = [score(response, **options) for response in responses]
    assert [result["score"] for result in results] == [1.0, -1.0, -1.0, 0.25]
    assert [result["acc"] for result in results] == [1.0, 0.0, 0.0, 0.0]
    assert score(r"\boxed{5}", None, **options)["score"] == 0.25


def test_what_verl_itself_adds_is_taken() -> None:
    result = score(r"\boxed{5}", reward_router_address="host:1", reward_model_tokenizer=object())
    assert result["acc"] == 1.0


@pytest.mark.parametrize(
    ("option", "error", "message"),
    [
        ({"stric": True}, TypeError, "reward_kwargs has no stric; it may hold strict, policy"),
        ({"strict": "yes"}, ValueError, "strict is one of True, False, '####'"),
        ({"policy": "harsh"}, ValueError, "policy is one of 'default', 'strict', 'lenient'"),
        ({"assume_thinking": "on"}, ValueError, "assume_thinking is one of"),
        ({"timeout_seconds": 0}, ValueError, "timeout_seconds"),
        ({"unscored_score": math.nan}, ValueError, "unscored_score is a finite number, not nan"),
        ({"incorrect_score": "low"}, ValueError, "incorrect_score is a finite number, not 'low'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("call", [score, twin], ids=["sync", "async"])
def test_a_bad_option_is_named_at_the_first_sample(
    call: Any, option: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call(r"\boxed{5}", **option)


# --- how verl loads it --------------------------------------------------------------------------


def test_verl_can_tell_the_twins_apart_and_send_them_to_actors() -> None:
    assert inspect.iscoroutinefunction(acompute_score)
    assert not inspect.iscoroutinefunction(compute_score)
    assert list(inspect.signature(acompute_score).parameters) == list(
        inspect.signature(compute_score).parameters
    )
    for function in (compute_score, acompute_score):
        assert pickle.loads(pickle.dumps(function)) is function


def test_the_file_can_be_loaded_by_its_path_alone() -> None:
    spec = importlib.util.spec_from_file_location("not_in_sys_modules", verl.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.compute_score("own", r"\boxed{5}", "5")["score"] == 1.0
