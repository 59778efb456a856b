"""Rows as they come: scored files, verdicts, trainers' logs, and what is none of these."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import verifiers_math as vf
from tests.scored_rows import as_row, result, scored
from verifiers_math.answers import log_values
from verifiers_math.report.judgement import NOT_JUDGED, UNREADABLE
from verifiers_math.report.rollout import Rollout
from verifiers_math.rows import Row


def rollout(**row: Any) -> Rollout:
    return Rollout(as_row(row))


# --- who judged it -------------------------------------------------------------------------------


def test_the_first_evaluator_of_a_scored_row_gives_the_verdict() -> None:
    others = {"math_equivalence": {"score": 0.0, "passed": False, "status": "incorrect"}}
    found = Rollout(as_row(scored(True, others=others)))
    assert [judged.judge for judged in found.judgements] == ["correct_answer", "math_equivalence"]
    verdict = found.verdict
    assert (verdict.passed, verdict.score, verdict.status) == (True, 1.0, "correct")
    assert (verdict.stage, verdict.gold, verdict.answer) == ("number", "1/2", "0.5")
    assert verdict.version == "1/default"


def test_an_unscored_result_is_neither_right_nor_wrong() -> None:
    verdict = Rollout(as_row(scored(None))).verdict
    assert (verdict.passed, verdict.score, verdict.status) == (None, None, "timeout")


def test_a_partial_score_passes_where_the_evaluator_says_so() -> None:
    scores = {"numeric_diff": {"score": 0.995, "passed": True, "label": "close"}}
    verdict = rollout(scores=scores).verdict
    assert (verdict.passed, verdict.score, verdict.status) == (True, 0.995, "close")


def test_a_rubrics_verdict_is_read() -> None:
    verdict = vf.equivalent("1/2", "0.5")
    found = rollout(verdict=verdict.to_dict(), reward=1.0, completion="0.5")
    assert found.verdict.passed is True
    assert found.verdict.stage == verdict.stage
    assert found.seconds == verdict.seconds
    assert found.gold == "1/2"


def test_a_rubrics_timeout_is_unscored_although_its_reward_is_zero() -> None:
    verdict = vf.equivalent("1/2", "0.5").to_dict() | {
        "equal": False,
        "status": "timeout",
        "reward": 0.0,
    }
    assert rollout(verdict=verdict).verdict.passed is None


def test_verls_columns_are_read() -> None:
    verdict = vf.equivalent("1/2", "0.5")
    row = {"input": "q", "output": r"\boxed{0.5}", "gts": "1/2", "score": 1.0, "step": 3}
    found = rollout(**row, **log_values(verdict), pred="0.5")
    assert found.verdict.passed is True
    assert (found.gold, found.verdict.answer) == ("1/2", "0.5")
    assert (found.prompt, found.response) == ("q", r"\boxed{0.5}")
    assert found.place("step") == 3
    assert found.seconds == verdict.seconds


def test_a_flag_beside_acc_tells_the_status() -> None:
    flags = log_values(vf.equivalent("1/2", "3")) | {"acc": 0.0, "timeout": 1.0}
    verdict = rollout(score=0.0, **flags).verdict
    assert (verdict.status, verdict.passed, verdict.score) == ("timeout", None, None)


def test_a_lenient_flag_marks_a_lenient_one() -> None:
    assert rollout(score=1.0, acc=1.0, lenient=1.0).lenient
    assert not rollout(score=0.0, acc=0.0, lenient=1.0).lenient


def test_trls_columns_are_read() -> None:
    found = rollout(
        step=7,
        prompt=[{"role": "user", "content": "What?"}],
        completion=[{"role": "assistant", "content": r"\boxed{4}"}],
        correct_answer=0.0,
        advantage=-0.5,
        **{"judge/gold": "5", "judge/answer": "4", "judge/status": "incorrect"},
    )
    assert (found.verdict.status, found.verdict.passed) == ("incorrect", False)
    assert (found.gold, found.verdict.answer) == ("5", "4")
    assert (found.prompt, found.response) == ("user: What?", r"\boxed{4}")


@pytest.mark.parametrize(
    ("reward", "passed"),
    [(1, True), (1.2, True), (0.99, False), (0, False), (-1, False), (True, True), ("1.0", True)],
)
def test_a_reward_alone_passes_from_one_on(reward: Any, passed: bool) -> None:
    found = rollout(reward=reward)
    assert found.verdict.passed is passed
    assert found.verdict.score == float(reward)


@pytest.mark.parametrize(
    "reward",
    [None, float("nan"), float("inf"), 10**400, 1e300, "high", [1], {"a": 1}, "9" * 100],
)
def test_what_is_no_number_is_no_reward(reward: Any) -> None:
    verdict = rollout(reward=reward).verdict
    assert (verdict.passed, verdict.score, verdict.status) == (None, None, NOT_JUDGED)


@pytest.mark.parametrize(("word", "passed"), [("correct", True), ("no_answer", False)])
def test_a_verdict_may_be_a_word(word: str, passed: bool) -> None:
    found = rollout(verdict=word).verdict
    assert (found.status, found.passed, found.score) == (word, passed, float(passed))


def test_a_verdict_may_be_true_or_false() -> None:
    assert rollout(verdict=True).verdict.status == "correct"
    assert rollout(verdict=False, reward=0.2).verdict.score == 0.2


def test_a_row_that_cannot_be_read_keeps_its_reason_and_its_text() -> None:
    found = Rollout(Row(3, {}, "it is not JSON", "{oops"))
    assert (found.verdict.status, found.verdict.detail) == (UNREADABLE, "it is not JSON")
    assert found.response == "{oops"
    assert found.verdict.passed is None


@pytest.mark.parametrize("scores", [None, [], {}, {"a": 7}, "x", [{"score": 1}]])
def test_scores_of_another_shape_are_no_scores(scores: Any) -> None:
    assert rollout(scores=scores).verdict.status == NOT_JUDGED


# --- where it belongs ----------------------------------------------------------------------------


def test_the_gold_is_the_first_of_several_alternatives() -> None:
    assert rollout(ground_truth=["34", "35"], reward=1).gold == "34"
    assert rollout(reward_model={"ground_truth": 7}, reward=1).gold == "7"


def test_rollouts_of_one_prompt_at_one_step_are_a_group() -> None:
    one = rollout(step=1, group=4, response="a")
    assert one.group == rollout(step=1, group=4, response="b").group
    assert one.group != rollout(step=2, group=4).group
    assert one.group != rollout(step=1, group=5).group
    assert one.group != rollout(step=1, group=4, dataset="other").group


def test_equal_prompts_are_a_group_where_no_field_names_one() -> None:
    messages = [{"role": "user", "content": "What is 1 + 1?"}]
    assert rollout(prompt=messages).group == rollout(prompt=[dict(messages[0])]).group
    assert rollout(prompt="a").group != rollout(prompt="b").group
    assert rollout(response="a").group is None


@pytest.mark.parametrize(
    "value",
    [
        1767225600,
        1767225600000,
        "2026-01-01T00:00:00+00:00",
        "2026-01-01",
        datetime.datetime(2026, 1, 1),
        datetime.datetime(2026, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
    ],
)
def test_times_come_in_many_shapes(value: Any) -> None:
    assert rollout(time=value).place("time") == 1767225600


def test_what_is_no_time_is_none() -> None:
    assert rollout(time="yesterday").place("time") is None
    assert rollout(time=[1]).place("time") is None


def test_the_rows_own_seconds_count_where_the_result_has_none() -> None:
    assert Rollout(as_row(scored(seconds=0.25))).seconds == 0.25


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}], "a"),
        ({"odd": 1}, '{"odd": 1}'),
        (5, "5"),
        ([1, 2], "[1, 2]"),
        (None, ""),
    ],
)
def test_responses_come_in_many_shapes(value: Any, text: str) -> None:
    assert rollout(response=value).response == text


# --- who contradicts -----------------------------------------------------------------------------


def test_evaluators_that_differ_are_told() -> None:
    others = {"exact_match": result(False), "slow": result(None)}
    found = Rollout(as_row(scored(True, others=others)))
    assert found.disagreements == ("correct_answer passes it, exact_match does not pass it",)
    assert found.contradictions == ()


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"is_correct": True}, 1),
        ({"is_correct": 1}, 1),
        ({"correct": "yes"}, 1),
        ({"label": "correct"}, 1),
        ({"label": True}, 1),
        ({"reward": 1.0}, 1),
        ({"reward": 1.0, "is_correct": True}, 2),
        ({"is_correct": False}, 0),
        ({"is_correct": 0}, 0),
        ({"reward": -1}, 0),
        ({"reward": 0.7}, 0),  # a shaped reward says neither
        ({"label": 1}, 0),  # the gold may be 1
        ({"label": "1/2"}, 0),
        ({"is_correct": None}, 0),
    ],
)
def test_labels_and_logged_rewards_that_contradict_are_told(row: dict[str, Any], told: int) -> None:
    assert len(Rollout(as_row(scored(False, **row))).contradictions) == told


def test_nothing_contradicts_a_row_that_could_not_be_scored() -> None:
    found = Rollout(as_row(scored(None, is_correct=True, others={"other": result(True)})))
    assert found.contradictions == found.disagreements == ()


def test_a_reward_does_not_contradict_itself() -> None:
    assert rollout(reward=1.0).contradictions == ()
