"""What the rewards for TRL leave in the trainer's log, and what their page says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import verifiers_math as vf
from benchmarks.trl_step import HANGS
from tests.integrations.trl_calls import Log, brevity, call, length
from verifiers_math.integrations.trl import (
    accuracy_reward,
    reward_funcs,
)

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "frameworks" / "trl.md"


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


def test_the_page_names_everything_that_is_logged() -> None:
    functions, _ = reward_funcs(vf.MathRubric())
    log = Log()
    call(functions, log, prompts=["p"], completions=["\\boxed{4}"], answer=["4"])
    page = PAGE.read_text("utf-8")
    logged = {*log.metrics, *log.extra}
    named = set(re.findall(r"`((?:judge|errors)/[\w/<>]+)`", page))
    assert named == {name.replace("correct_answer", "<function>") for name in logged}
