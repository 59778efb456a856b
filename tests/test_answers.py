"""What every adapter shares: golds and responses in trainers' shapes, and verdicts as numbers."""

from __future__ import annotations

import asyncio
import json
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import verifiers_math as vf
from verifiers_math.answers import (
    Answer,
    answer_judge,
    gold_column,
    golds_of,
    log_values,
)
from verifiers_math.verifier import share_verifier


@pytest.mark.parametrize(
    ("field", "golds"),
    [
        ("34", ["34"]),
        (34, [34]),
        (Fraction(1, 2), [Fraction(1, 2)]),
        (["34"], ["34"]),
        (["34", "35"], ["34", "35"]),
        (("34",), ["34"]),
        ({"34"}, ["34"]),
        (np.array(["34", "35"]), ["34", "35"]),
        (np.float64(0.5), [0.5]),
        (np.array(5), [5]),
        (np.array([["1", "2"], ["3", "4"]]), ["1", "2", "3", "4"]),
        (b"34", ["34"]),
        ({"target": ["34"]}, ["34"]),
        ({"ground_truth": "34", "style": "rule"}, ["34"]),
        ({"target": None, "answer": "34"}, ["34"]),
        ('["34"]', ["34"]),
        ('"34"', ["34"]),
        ('{"target": ["34"]}', ["34"]),
        ("[1, 2]", ["[1, 2]"]),
        ("{1, 2}", ["{1, 2}"]),
        ('["34"', ['["34"']),
        (None, [None]),
        ([], [None]),
        ({}, [None]),
        ({"style": "rule"}, [None]),
    ],
    ids=repr,
)
def test_a_field_gives_its_golds(field: Any, golds: list[Any]) -> None:
    assert golds_of(field) == golds


def test_a_field_that_is_nested_without_end_gives_no_gold() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert golds_of(endless) == [None]
    assert golds_of('["' * 100_000) == ['["' * 100_000]
    assert len(golds_of(["1"] * 100_000)) < 100


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [lambda number: number, lambda number: np.array([number])])
def test_a_number_of_few_bits_is_the_decimal_that_it_is_written_as(kind: Any, shape: Any) -> None:
    assert answer_judge().verdict(r"\boxed{0.3}", shape(kind(0.3))).gold == "0.3"


def test_of_a_list_without_end_only_its_first_members_are_looked_at():
    looked_at = []

    class Gold(list):
        def __iter__(self):
            looked_at.append(self)
            return super().__iter__()

        def __getitem__(self, key):
            found = super().__getitem__(key)
            looked_at.extend(found if isinstance(key, slice) else [found])
            return found

    assert golds_of([Gold(["7"]) for _ in range(1000)]) == ["7"] * 64
    assert 0 < len(looked_at) <= 200


def test_any_of_several_golds_makes_an_answer_correct() -> None:
    judge = answer_judge()
    assert judge.verdict(r"\boxed{35}", ["34", "35"]).equal
    wrong = judge.verdict(r"\boxed{36}", ["34", None])
    assert wrong.status is vf.Status.INCORRECT
    assert judge.verdict(r"\boxed{36}", [None, float("nan")]).status is vf.Status.GOLD_UNREADABLE


def test_a_box_is_wanted_unless_the_judge_says_otherwise() -> None:
    response = "So it is:\n#### 34"
    assert answer_judge().verdict(response, "34").status is vf.Status.NO_ANSWER
    assert answer_judge(strict="####").verdict(response, "34").equal
    assert answer_judge(strict="####").verdict(r"\boxed{34}", "34").equal
    spoken = answer_judge(strict="####").verdict("The answer is 34.", "34")
    assert spoken.status is vf.Status.NO_ANSWER
    assert answer_judge(strict=False).verdict("The answer is 34.", "34").equal


def test_golds_come_boxed_or_behind_the_mark_of_their_data_set() -> None:
    judge = answer_judge()
    assert judge.verdict(r"\boxed{34}", "30 + 4 = 34\n#### 34").equal
    assert judge.verdict(r"\boxed{34}", r"It is 30 + 4, so $\boxed{34}$.").equal


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{34}",
        [{"role": "assistant", "content": r"\boxed{34}"}],
        [{"role": "assistant", "content": [{"type": "text", "text": r"\boxed{34}"}]}],
        [{"role": "assistant", "content": ""}, {"role": "assistant", "content": r"\boxed{34}"}],
    ],
    ids=["text", "message", "parts", "turns"],
)
def test_responses_are_text_or_messages(response: Any) -> None:
    assert answer_judge().verdict(response, "34").equal


@pytest.mark.parametrize(
    "response",
    [None, "", [], [{"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}]],
    ids=["none", "empty", "no message", "tool call"],
)
def test_a_response_without_text_has_no_answer(response: Any) -> None:
    assert answer_judge().verdict(response, "34").status is vf.Status.NO_ANSWER


def test_a_response_of_another_type_is_named_by_its_index() -> None:
    with pytest.raises(TypeError, match=r"response 1: .*not int"):
        answer_judge().verdicts([("a", "34"), (34, "34")])


def test_single_batch_and_async_calls_agree() -> None:
    judge = answer_judge()
    answers = [
        Answer(r"\boxed{34}", ["33", "34"]),
        Answer(r"\boxed{2+3}", "5", "What is $2+3$?"),
        Answer("none", "5"),
        Answer(r"\boxed{5}", None),
    ]

    async def one_by_one() -> list[vf.Verdict]:
        return [await judge.averdict(*answer) for answer in answers]

    expected = [judge.verdict(*answer).status for answer in answers]
    assert expected == ["correct", "incorrect", "no_answer", "gold_unreadable"]
    assert [verdict.status for verdict in judge.verdicts(answers)] == expected
    assert [verdict.status for verdict in asyncio.run(one_by_one())] == expected
    assert [v.status for v in asyncio.run(judge.averdicts(answers))] == expected


def test_several_golds_are_asked_about_at_once() -> None:
    asked: list[list[Any]] = []

    class Watched(vf.Verifier):
        async def averify_many(self, pairs: Any, **options: Any) -> list[vf.Verdict]:
            asked.append(list(pairs))
            return await super().averify_many(asked[-1], **options)

    with Watched() as watched:
        before = share_verifier(watched)
        try:
            verdict = asyncio.run(answer_judge().averdict(r"\boxed{34}", ["33", "34"]))
        finally:
            share_verifier(before)
    assert verdict.equal
    assert asked == [[("33", r"\boxed{34}"), ("34", r"\boxed{34}")]]


def test_settings_that_are_alike_share_a_judge_also_after_pickling() -> None:
    judge = answer_judge(policy="strict", timeout_seconds=2)
    assert judge is answer_judge(policy=vf.Policy.strict(), timeout_seconds=2.0)
    assert pickle.loads(pickle.dumps(judge)) is judge
    assert answer_judge(policy="lenient").verifier is answer_judge().verifier


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="'default', 'strict', 'lenient', not 'loose'"):
        answer_judge(policy="loose")
    with pytest.raises(TypeError, match="not int"):
        answer_judge(policy=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout_seconds"):
        answer_judge(timeout_seconds=0)


def test_log_values_have_the_same_keys_and_are_finite_whatever_happened() -> None:
    judge = answer_judge()
    given = [(r"\boxed{34}", "34"), ("none", "34"), (r"\boxed{34}", None), (r"\boxed{50\%}", "50")]
    logged = [log_values(judge.verdict(*pair)) for pair in given]
    assert len({tuple(values) for values in logged}) == 1
    assert all(math.isfinite(value) for values in logged for value in values.values())
    assert json.dumps(logged)
    assert [values["acc"] for values in logged] == [1.0, 0.0, 0.0, 1.0]
    assert logged[1]["no_answer"] == logged[2]["gold_unreadable"] == logged[3]["lenient"] == 1.0
    assert [values["scored"] for values in logged] == [1.0, 1.0, 0.0, 1.0]


def test_the_first_gold_column_present_is_chosen() -> None:
    assert gold_column(["prompt", "ground_truth", "solution"]) == "solution"
    assert gold_column(["prompt"]) is None


def test_judges_with_default_limits_follow_the_shared_verifier() -> None:
    judge = answer_judge()
    before = share_verifier(None)
    try:
        with vf.Verifier() as mine:
            share_verifier(mine)
            assert judge.verifier is mine
            assert answer_judge(timeout_seconds=2).verifier is not mine
    finally:
        share_verifier(before)


def test_a_time_limit_that_is_none_is_an_error_at_once() -> None:
    with pytest.raises(ValueError, match="timeout_seconds must be a positive number"):
        answer_judge(timeout_seconds=0)


@pytest.mark.parametrize(
    "setting", [{"strict": "false"}, {"strict": None}, {"assume_thinking": "yes"}], ids=repr
)
def test_a_setting_of_another_kind_is_named(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(setting))} is one of True, False"):
        answer_judge(**setting)
