"""The NeMo-Gym handler, with the bodies that NeMo-Gym 0.7 sends to ``math_with_judge``."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.nemo_gym import ahandle, handle


def message(*texts: str) -> dict[str, Any]:
    parts = [{"annotations": [], "text": text, "type": "output_text"} for text in texts]
    return {
        "id": "message_1",
        "content": parts,
        "role": "assistant",
        "status": "completed",
        "type": "message",
    }


def request(*output: dict[str, Any], gold: Any = "42", **fields: Any) -> dict[str, Any]:
    return {
        "responses_create_params": {"input": [{"role": "user", "content": "What is 12 + 30?"}]},
        "response": {
            "id": "response_1",
            "created_at": 1.0,
            "model": "model_1",
            "object": "response",
            "output": list(output),
            "parallel_tool_calls": False,
            "tool_choice": "none",
            "tools": [],
        },
        "question": "What is 12 + 30?",
        "expected_answer": gold,
    } | fields


def test_a_reply_is_the_request_with_its_reward() -> None:
    body = request(message(r"So \boxed{42}."))
    reply = handle(body)
    assert {name: reply[name] for name in body} == body
    assert (reply["reward"], reply["library_reward"]) == (1.0, 1.0)
    assert (reply["extracted_answer"], reply["judge_evaluations"]) == ("42", None)
    assert (reply["mask_sample"], reply["failure_kind"], reply["failure_reason"]) == (
        False,
        None,
        None,
    )
    assert json.loads(json.dumps(reply, allow_nan=False)) == reply


def test_a_wrong_answer_is_scored_and_one_without_a_box_is_none() -> None:
    wrong, none = handle(request(message(r"\boxed{43}"))), handle(request(message("42")))
    assert (wrong["reward"], wrong["extracted_answer"], wrong["mask_sample"]) == (0.0, "43", False)
    assert (none["reward"], none["extracted_answer"], none["no_answer"]) == (0.0, None, 1.0)


def test_only_what_the_assistant_says_is_read() -> None:
    reasoning = {
        "type": "reasoning",
        "id": "r",
        "summary": [{"type": "summary_text", "text": r"\boxed{42}"}],
    }
    call = {"type": "function_call", "name": "f", "arguments": r"\boxed{42}", "call_id": "c"}
    assert handle(request(reasoning, call))["no_answer"] == 1.0
    assert handle(request(reasoning, message(r"So \boxed", "{42}"), call))["reward"] == 1.0


def test_a_refusal_is_no_answer() -> None:
    refusal = message() | {"content": [{"type": "refusal", "refusal": r"\boxed{42}"}]}
    assert handle(request(refusal))["no_answer"] == 1.0


@pytest.mark.parametrize("question", ["What is 12 + 30?", None], ids=["question", "input"])
def test_restating_the_question_is_no_answer(question: str | None) -> None:
    body = request(message(r"\boxed{12 + 30}"), question=question)
    assert handle(body)["reward"] == 0.0
    assert handle(body | {"question": "?"})["reward"] == 1.0


def test_an_unreadable_gold_masks_the_sample_with_a_kind_that_nemo_gym_takes() -> None:
    reply = handle(request(message(r"\boxed{42}"), gold=None))
    assert (reply["reward"], reply["mask_sample"]) == (0.0, True)
    assert reply["failure_kind"] == "verifiers_math:gold_unreadable"
    assert re.fullmatch(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*", reply["failure_kind"])
    assert reply["failure_reason"]


def test_fields_that_nemo_gym_keeps_to_itself_are_not_sent_back() -> None:
    assert "_ng_rollout_id" not in handle(request(message("x"), _ng_rollout_id="7"))


def test_requests_at_once_are_judged_at_once_and_a_stuck_one_costs_only_itself() -> None:
    judge = answer_judge(timeout_seconds=1)

    async def serve() -> list[dict[str, Any]]:
        given = [(STUCK, STUCK_GOLD), (NEEDS_WORKER, NEEDS_WORKER_GOLD), (r"\boxed{4}", "4")]
        return await asyncio.gather(
            *(ahandle(request(message(text), gold=gold), judge=judge) for text, gold in given)
        )

    replies = asyncio.run(serve())
    assert [reply["reward"] for reply in replies] == [0.0, 1.0, 1.0]
    assert [reply["mask_sample"] for reply in replies] == [True, False, False]
    assert replies[0]["failure_kind"] == "verifiers_math:timeout"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "the request is a list, not an object"),
        ({"response": {"output": []}}, "expected_answer is missing"),
        (request() | {"expected_answer": {"a": 1}}, "expected_answer is a dict"),
        (request() | {"response": None}, "response is a NoneType, not an object"),
        (request() | {"response": {}}, "response.output is a NoneType, not a list"),
        (request() | {"response": {"output": "4"}}, "response.output is a str, not a list"),
        (
            request() | {"response": {"output": [message(), 4]}},
            "response.output[1] is a int, not an object",
        ),
        (
            request(message() | {"content": "4"}),
            "response.output[0].content is a str, not a list",
        ),
        (
            request(message() | {"content": [{"type": "output_text", "text": 4}]}),
            "response.output[0].content[0].text is a int",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_request_is_an_error_that_names_the_field(body: Any, path: str) -> None:
    with pytest.raises(ValueError, match=re.escape(path)):
        handle(body)
    with pytest.raises(ValueError, match=re.escape(path)):
        asyncio.run(ahandle(body))
