"""What MathRubric counts and logs of its verdicts, and how its limits end an attack."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

import verifiers_math as vf
from tests.math_rollouts import FakeVerifier, S, scored, state
from verifiers_math.rubrics import math_rubric as module

PATIENCE = 240.0

# --- statuses, counts and logs -----------------------------------------------------------------

HARD = "the hard limit of 120 s passed, and the worker was killed"
STATUSES = [
    # status, detail, reward with "none", level of the log
    (S.CORRECT, "because", 1.0, None),
    (S.INCORRECT, "because", 0.0, None),
    (S.NO_ANSWER, "because", 0.0, None),
    (S.ANSWER_UNREADABLE, "because", 0.0, None),
    (S.GOLD_UNREADABLE, "because", None, logging.WARNING),
    (S.LIMIT, "because", None, logging.DEBUG),
    (S.TIMEOUT, "the worker used up its time", None, logging.DEBUG),
    (S.TIMEOUT, HARD, None, logging.WARNING),
    (S.ERROR, "because", None, logging.WARNING),
]


@pytest.mark.parametrize(("status", "detail", "reward", "level"), STATUSES)
async def test_every_status_has_its_reward_and_its_log(status, detail, reward, level, caplog):
    fake = FakeVerifier(status, detail=detail)
    with caplog.at_level(logging.DEBUG, "verifiers_math"):
        result = await scored("4", verifier=fake)
    assert [record.levelno for record in caplog.records] == ([] if level is None else [level])
    assert result["reward"] == (reward or 0.0)
    assert result["verdict"].status is status
    assert ("correct_answer" in result["errors"]) is (reward is None)
    assert (await scored("4", verifier=fake, unscored="none"))["reward"] == reward


async def test_verdicts_are_counted_for_a_log():
    fake = FakeVerifier()
    rubric = vf.MathRubric(verifier=fake)
    plan = [
        (S.CORRECT, "number", "because", "percent"),
        (S.CORRECT, "identical", "because", ""),
        (S.INCORRECT, "number", "because", ""),
        (S.TIMEOUT, "math_verify", HARD, ""),
        (S.TIMEOUT, "math_verify", "the worker used up its time", ""),
        (S.LIMIT, "math_verify", "because", ""),
    ]
    for fake.status, fake.stage, fake.detail, fake.rule in plan:
        await rubric.score_rollout(state("4"))
    expected = {
        "total": 6,
        "scored": 3,
        "correct": 2,
        "incorrect": 1,
        "no_answer": 0,
        "answer_unreadable": 0,
        "gold_unreadable": 0,
        "limits": 1,
        "timeouts": 2,
        "errors": 0,
        "hard_timeouts": 1,
        "lenient": 1,
        "cached": 0,
        "stage/number": 2,
        "stage/identical": 1,
        "stage/math_verify": 3,
        "rule/percent": 1,
    }
    assert rubric.counts == expected
    assert rubric.reset_counts() == expected
    assert rubric.counts == {name: 0 for name in expected if "/" not in name}


def test_counts_from_many_threads_add_up():
    rubric = vf.MathRubric(verifier=FakeVerifier())
    threads = [
        threading.Thread(target=rubric.score_group_sync, args=([state("4") for _ in range(50)],))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rubric.counts["correct"] == 200


# --- limits ------------------------------------------------------------------------------------


def test_the_hard_limit_is_looked_up_when_it_is_needed(monkeypatch):
    rubric = vf.MathRubric()
    assert rubric.HARD_TIMEOUT_SECONDS == module.HARD_TIMEOUT_SECONDS == 120
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 120
    monkeypatch.setattr(module, "HARD_TIMEOUT_SECONDS", 7)
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 7
    monkeypatch.setattr(vf.MathRubric, "HARD_TIMEOUT_SECONDS", 0.5)
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 0.5
    rubric.hard_timeout_seconds = 3
    rubric.timeout_seconds = 0.25
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 3
    assert rubric.verifier.timeout_seconds == 0.25


ENDLESS = r"\int_0^1 \sin(x^{x^x})e^{-x^{%d}}dx"


@pytest.mark.parametrize(
    ("limits", "detail"),
    [
        ({"timeout_seconds": 0.3}, "the soft limit passed"),
        ({"hard_timeout_seconds": 1}, "the hard limit of 1 s passed"),
    ],
)
async def test_a_limit_that_is_changed_holds_for_the_next_answer(limits, detail):
    with vf.MathRubric(timeout_seconds=60) as rubric:
        for name, seconds in limits.items():
            setattr(rubric, name, seconds)
        result = state(rf"\boxed{{{ENDLESS % 5}}}", ENDLESS % 4)
        await asyncio.wait_for(rubric.score_rollout(result), PATIENCE)
    assert result["verdict"].status is S.TIMEOUT
    assert detail in result["verdict"].detail


async def test_a_verifier_of_the_callers_keeps_its_limits_and_stays_open():
    fake = FakeVerifier()
    async with vf.MathRubric(verifier=fake, timeout_seconds=1) as rubric:
        await rubric.score_rollout(state("4"))
    assert not hasattr(fake, "timeout_seconds")
    assert not fake.closed


def test_a_verifier_of_its_own_is_closed_with_the_rubric():
    rubric = vf.MathRubric()
    executor = rubric.executor
    rubric.close()
    rubric.close()
    assert executor._shutdown
    with pytest.raises(vf.PoolClosedError):
        _ = rubric.executor


ATTACKS = [r"\boxed{9^{9^{9}}}", r"\boxed{10000000!}", r"\boxed{9^{30000000}}"]


async def test_an_attack_is_over_at_the_soft_limit_and_costs_nobody_else():
    with vf.MathRubric(timeout_seconds=0.5, max_workers=1) as rubric:
        states = [state(attack) for attack in ATTACKS]
        states += [state(r"\boxed{(x+1)^2}", "x^2+2x+1") for _ in range(3)]
        await asyncio.wait_for(rubric.score_group(states), PATIENCE)
        assert [s["reward"] for s in states] == [0.0] * 3 + [1.0] * 3


LIMITS = [
    # soft seconds, hard seconds, level of the log, hard timeouts
    (0.5, 60.0, logging.DEBUG, 0),
    (60.0, 1.0, logging.WARNING, 1),
]


@pytest.mark.parametrize(("soft", "hard", "level", "count"), LIMITS)
async def test_computer_algebra_that_never_ends_is_ended(soft, hard, level, count, caplog):
    with vf.Verifier(
        stages=("math_verify",), timeout_seconds=soft, hard_timeout_seconds=hard, max_workers=1
    ) as verifier:
        rubric = vf.MathRubric(verifier=verifier)
        with caplog.at_level(logging.DEBUG, "verifiers_math.rubrics"):
            result = state(r"\boxed{9^{9^{9}}}")
            await asyncio.wait_for(rubric.score_rollout(result), PATIENCE)
        assert result["reward"] == 0.0
        assert result["verdict"].status is S.TIMEOUT
        assert [record.levelno for record in caplog.records] == [level]
        assert (rubric.counts["timeouts"], rubric.counts["hard_timeouts"]) == (1, count)
        after = state(r"\boxed{(x+1)^2}", "x^2+2x+1")
        verifier.hard_timeout_seconds = PATIENCE
        await asyncio.wait_for(rubric.score_rollout(after), PATIENCE)
        assert after["reward"] == 1.0  # the slot is free again


async def test_the_event_loop_goes_on_during_an_attack():
    with vf.Verifier(stages=("math_verify",), timeout_seconds=1.0) as verifier:
        rubric = vf.MathRubric(verifier=verifier)
        task = asyncio.create_task(rubric.score_rollout(state(r"\boxed{9^{30000000}}")))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        assert ticks > 5
