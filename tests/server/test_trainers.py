"""The endpoints that OpenRLHF and NeMo-Gym call, with the bodies that they send."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")


def responses(text: str) -> dict[str, Any]:
    """An object of OpenAI's Responses API with one message."""
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "role": "assistant", "id": "m", "content": [part]}
    return {"id": "r", "object": "response", "output": [message]}


def test_openrlhf_gets_a_reward_for_each_query(client: Any) -> None:
    prompts = ["What is 2+3? ", "What is 1/2+1/3? "]
    body = {
        "query": [prompts[0] + r"\boxed{5}<|im_end|>", prompts[1] + r"\boxed{1/6}"],
        "prompts": prompts,
        "labels": ["5", r"\frac56"],
    }
    answer = client.post("/get_reward", json=body)
    assert answer.status_code == 200
    assert answer.json()["rewards"] == [1.0, 0.0]
    assert answer.json()["scores"] == [1.0, 0.0]
    logs = answer.json()["extra_logs"]
    assert all(len(values) == 2 for values in logs.values())
    assert logs["acc"] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "query"),
        ({"query": ["a"], "prompts": ["a"]}, "labels"),
        ({"query": ["a", "b"], "prompts": ["a"], "labels": ["1", "2"]}, "prompts"),
        ({"query": ["a", 5], "prompts": ["a", "b"], "labels": ["1", "2"]}, "query"),
    ],
)
def test_a_wrong_request_of_openrlhf_is_a_422(client: Any, body: Any, message: str) -> None:
    answer = client.post("/get_reward", json=body)
    assert answer.status_code == 422
    assert message in answer.json()["error"]["message"]


def test_nemo_gym_gets_reward_and_answer(client: Any) -> None:
    body = {
        "question": "What is 2+3?",
        "expected_answer": "5",
        "response": responses(r"So \boxed{5}."),
    }
    answer = client.post("/verify", json=body)
    assert answer.status_code == 200
    assert answer.json()["reward"] == 1.0
    assert answer.json()["extracted_answer"] == "5"
    assert answer.json()["expected_answer"] == "5"


@pytest.mark.parametrize(
    ("change", "message"),
    [({"expected_answer": {}}, "expected_answer"), ({"response": "5"}, "response")],
)
def test_a_wrong_request_of_nemo_gym_is_a_422(client: Any, change: Any, message: str) -> None:
    body = {"question": "q", "expected_answer": "5", "response": responses("5")} | change
    answer = client.post("/verify", json=body)
    assert answer.status_code == 422
    assert message in answer.json()["error"]["message"]
