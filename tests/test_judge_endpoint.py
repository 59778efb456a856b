"""A judge that fails, is slow or busy, against an endpoint of our own on the loopback."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

import verifiers_math as vf
from tests.chat_endpoint import Failure, Hang, completion
from tests.judging import Stub, rubric_of, scored, state
from verifiers_math.rubrics import judge_endpoint

openai = pytest.importorskip("openai", reason="needs the judge extra")

S = vf.Status
PATIENCE = 60.0

# --- a judge that fails is no wrong answer -----------------------------------------------------

GARBLED = [
    ("Yes, since both are 4.", "neither yes nor no: 'Yes, since both are 4.'"),
    ("yes\nno", "neither yes nor no"),
    (None, "without a text (finish_reason 'content_filter')"),
    ("  ", "without a text"),
    ({"object": "error", "message": "model not loaded"}, "no message"),
    ({**completion("yes"), "choices": []}, "no message"),
]


@pytest.mark.parametrize(("said", "reason"), GARBLED)
async def test_a_garbled_reply_is_an_error_and_is_not_remembered(endpoint, said, reason):
    endpoint.say = said
    rubric = rubric_of(endpoint)
    result = state()
    await rubric.score_rollout(result)
    assert result["reward"] == 0.0
    assert (result["judge_verdict"].status, result["judge_verdict"].stage) == (S.ERROR, "judge")
    assert result["errors"]["judge_answer"].startswith("error: ")
    assert reason in result["errors"]["judge_answer"]
    endpoint.say = "yes"
    await rubric.score_rollout(result)
    assert (result["reward"], len(endpoint.requests)) == (1.0, 2)
    assert rubric.counts["errors"] == 1


async def test_a_rollout_whose_judge_failed_can_stay_out_of_its_group(endpoint):
    endpoint.say = lambda prompt: (
        Failure(400) if "\nodd" in prompt else "yes" if "\nright" in prompt else "no"
    )
    states = [state(text) for text in ("right", "odd", "wrong")]
    await rubric_of(endpoint, unscored="none").score_group(states)
    assert [s["reward"] for s in states] == [1.0, None, 0.0]
    assert [s["advantage"] for s in states] == [0.5, 0.0, -0.5]


async def test_a_failure_is_logged_once(endpoint, caplog):
    endpoint.say = Failure(400)
    await rubric_of(endpoint).score_group([state(str(i)) for i in range(4)])
    logged = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len([r for r in logged if r.name.startswith("verifiers_math")]) == 1


async def test_what_may_pass_is_tried_again(endpoint):
    replies = [Failure(429), Failure(500), Failure(503), "yes"]
    endpoint.say = lambda _: replies.pop(0)
    result = await scored(endpoint)
    assert (result["reward"], len(endpoint.requests)) == (1.0, 4)


@pytest.mark.parametrize(
    "failure", [Failure(400), Failure(401), Failure(404), Failure(429, code="insufficient_quota")]
)
async def test_what_will_not_pass_is_not_tried_again(endpoint, failure):
    endpoint.say = failure
    result = await scored(endpoint)
    assert result["judge_verdict"].status is S.ERROR
    assert str(failure.status) in result["errors"]["judge_answer"]
    assert len(endpoint.requests) == 1


async def test_an_endpoint_that_always_fails_is_given_up(endpoint):
    endpoint.say = Failure(500)
    result = await scored(endpoint, judge_retries=2)
    assert "InternalServerError" in result["errors"]["judge_answer"]
    assert len(endpoint.requests) == 3


def waits_of(endpoint, headers, monkeypatch, **options):
    """The waits between the tries, which are not waited for."""
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    monkeypatch.setattr(judge_endpoint.asyncio, "sleep", sleep)
    endpoint.say = Failure(429, headers)
    rubric_of(endpoint, **options).score_rollout_sync(state())
    return waits


def test_the_wait_doubles_from_try_to_try(endpoint, monkeypatch):
    waits = waits_of(endpoint, {}, monkeypatch, judge_backoff_seconds=2, judge_retries=3)
    for wait, most in zip(waits, (2, 4, 8), strict=True):
        assert 0.75 * most <= wait <= most


LATER = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
BEFORE = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [("7", [7.0, 7.0]), ("0.25", [0.25, 0.25]), (BEFORE, [0, 0]), ("3600", []), (LATER, [])],
    ids=["seconds", "parts of a second", "a date gone by", "an hour", "a date in an hour"],
)
def test_the_server_says_how_long_to_wait_and_beyond_the_limit_nobody_waits(
    endpoint, monkeypatch, asked, waits
):
    assert waits_of(endpoint, {"Retry-After": asked}, monkeypatch, judge_retries=2) == waits


@pytest.mark.parametrize("asked", ["soon", "nan", "inf", ""])
def test_a_wait_that_cannot_be_read_is_the_usual_one(endpoint, monkeypatch, asked):
    (wait,) = waits_of(endpoint, {"Retry-After": asked}, monkeypatch, judge_retries=1)
    assert 0 < wait <= 0.001


async def test_a_reply_that_never_comes_is_given_up_at_the_limit(endpoint):
    endpoint.say = Hang
    began = time.perf_counter()
    result = await scored(endpoint, judge_timeout_seconds=0.2)
    assert time.perf_counter() - began < PATIENCE
    assert result["judge_verdict"].status is S.ERROR
    assert "no reply within 0.2 s" in result["errors"]["judge_answer"]


async def test_the_time_limit_begins_when_a_slot_is_free():
    stub = Stub("yes", delay=0.25)
    rubric = rubric_of(None, judge_client=stub, judge_concurrency=1, judge_timeout_seconds=4)
    states = [state(str(i)) for i in range(20)]
    await rubric.score_group(states)  # 5 s in all
    assert [s["reward"] for s in states] == [1.0] * 20


async def test_nobody_at_the_door_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    client = openai.AsyncOpenAI(api_key="test", base_url=f"http://127.0.0.1:{port}/v1")
    rubric = vf.JudgeRubric(judge_client=client, judge_backoff_seconds=0.001)
    rubric.add_reward_func(rubric.judge_answer)
    result = state()
    await rubric.score_rollout(result)
    assert "APIConnectionError" in result["errors"]["judge_answer"]
    assert rubric.counts["requests"] == 5


async def test_an_endpoint_that_is_down_is_left_alone_for_a_while(endpoint, monkeypatch):
    endpoint.say = Failure(500)
    rubric = rubric_of(endpoint, judge_retries=0, judge_concurrency=2)
    states = [state(str(i)) for i in range(50)]
    await rubric.score_group(states)
    assert 8 <= len(endpoint.requests) <= 10
    assert "left alone for 30 s" in states[-1]["errors"]["judge_answer"]
    assert "InternalServerError" in states[-1]["errors"]["judge_answer"]
    endpoint.say = "yes"
    monkeypatch.setattr(judge_endpoint.time, "monotonic", lambda: time.time() + 1e9)
    await rubric.score_group(states)
    assert [s["reward"] for s in states] == [1.0] * 50


# --- how often it is asked ---------------------------------------------------------------------


async def test_only_so_many_are_asked_at_once(endpoint):
    met = threading.Barrier(3)

    def say(_):
        met.wait(PATIENCE)
        return "yes"

    endpoint.say = say
    await rubric_of(endpoint, judge_concurrency=3).score_group([state(str(i)) for i in range(9)])
    assert (endpoint.most_at_once, len(endpoint.requests)) == (3, 9)


async def test_equal_questions_under_way_share_one_request(endpoint):
    endpoint.delay = 0.05
    rubric = rubric_of(endpoint)
    states = [state() for _ in range(10)] + [state("It is 5.")]
    await rubric.score_group(states)
    assert [s["reward"] for s in states] == [1.0] * 11
    assert len(endpoint.requests) == 2


async def test_what_was_asked_before_is_remembered(endpoint):
    rubric = rubric_of(endpoint)
    for cached in (False, True):
        result = state()
        await rubric.score_rollout(result)
        assert result["judge_verdict"].cached is cached
    assert len(endpoint.requests) == 1
    assert (rubric.counts["total"], rubric.counts["cached"]) == (2, 1)


OTHERS = [
    {"judge_model": "other"},
    {"judge_prompt": "{question} {answer} {response} Yes or no?"},
    {"judge_sampling_args": {"temperature": 1}},
]


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: next(iter(other)))
async def test_another_model_prompt_or_temperature_is_another_question(endpoint, other):
    rubric = rubric_of(endpoint)
    await rubric.score_rollout(state())
    vars(rubric).update(other)
    await rubric.score_rollout(state())
    assert len(endpoint.requests) == 2


async def test_another_question_gold_or_answer_is_another_question(endpoint):
    rubric = rubric_of(endpoint)
    for one in (state(), state("It is 5."), state(answer="5"), state(prompt="3+1?")):
        await rubric.score_rollout(one)
    assert len(endpoint.requests) == 4


async def test_the_cache_is_bounded_and_can_be_turned_off(endpoint):
    for entries, requests in ((1, 3), (0, 3), (2, 2)):
        endpoint.requests.clear()
        rubric = rubric_of(endpoint, judge_cache_entries=entries)
        for text in ("a", "b", "a"):
            await rubric.score_rollout(state(text))
        assert len(endpoint.requests) == requests


async def test_one_who_is_cancelled_leaves_the_others_their_request(endpoint):
    gate = threading.Event()
    endpoint.say = lambda _: gate.wait(PATIENCE) and "yes"
    rubric = rubric_of(endpoint)
    first, second = (asyncio.create_task(rubric.score_rollout(state())) for _ in range(2))
    await asyncio.to_thread(endpoint.asked.wait, PATIENCE)
    first.cancel()
    await asyncio.sleep(0)
    gate.set()
    await second
    assert first.cancelled()
    assert len(endpoint.requests) == 1


async def test_a_request_that_nobody_waits_for_is_given_up_and_can_be_asked_again(endpoint):
    endpoint.say = Hang
    rubric = rubric_of(endpoint)
    task = asyncio.create_task(rubric.score_rollout(state()))
    await asyncio.to_thread(endpoint.asked.wait, PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    endpoint.say = "yes"
    result = state()
    await rubric.score_rollout(result)
    assert (result["reward"], len(endpoint.requests)) == (1.0, 2)


async def test_verdicts_and_what_they_cost_are_counted(endpoint):
    rubric = rubric_of(endpoint)
    replies = [Failure(500), "yes", "no"]
    endpoint.say = lambda _: replies.pop(0)
    for text in ("a", "b"):
        await rubric.score_rollout(state(text))
    counts = rubric.counts
    assert (counts["correct"], counts["incorrect"], counts["stage/judge"]) == (1, 1, 2)
    assert (counts["requests"], counts["prompt_tokens"], counts["completion_tokens"]) == (3, 200, 4)
    assert rubric.reset_counts() == counts
    assert set(rubric.counts.values()) == {0}
