"""Values of any type in any field of any endpoint: an answer or a 422, and never a fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")

EVALUATE = "/api/v1/evaluate"
BODIES: dict[str, dict[str, Any]] = {
    EVALUATE: {
        "evaluators": ["everything"],
        "output": "4",
        "expected": "4",
        "prompt": None,
        "settings": {},
    },
    "/api/v1/explain": {
        "gold": "4",
        "response": r"\boxed{4}",
        "prompt": None,
        "strict": False,
        "policy": "default",
        "assume_thinking": "auto",
    },
    "/get_reward": {"query": [r"a\boxed{4}"], "prompts": ["a"], "labels": ["4"]},
    "/verify": {
        "question": "q",
        "expected_answer": "4",
        "response": {
            "output": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": r"\boxed{4}"}],
                }
            ]
        },
    },
}
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 10**400),
    *("", "x", "\x00", "4" * 5000, '["a"', '"a"', '{"answer": "4"}', "\u202e\U0001f600"),
    *([], {}, [None], [[]], ["a", 1, None], {"a": 1}, {"answer": [{"answer": "4"}]}),
    *([{"role": "assistant"}], [{"role": "assistant", "content": None}], [{"content": "4"}]),
    [{"role": "assistant", "content": [{"type": "text"}, {"type": "image", "text": "x"}]}],
)


def changed(body: Any, value: Any) -> list[Any]:
    """Every body in which one value, however deep it stands, is another."""
    if isinstance(body, dict):
        inner = [
            {**body, name: deeper}
            for name, member in body.items()
            for deeper in (value, *changed(member, value))
        ]
        return [*inner, {**body, "unknown": value}]
    if isinstance(body, list):
        return [[deeper] for deeper in (value, *changed(body[0], value))] if body else []
    return []


@pytest.mark.parametrize("path", BODIES)
def test_a_value_of_any_type_anywhere_is_answered_or_refused(client: Any, path: str) -> None:
    statuses = set()
    for value in VALUES:
        for body in changed(BODIES[path], value):
            answer = client.post(path, json=body)
            statuses.add(answer.status_code)
            assert answer.status_code in (200, 422), (body, answer.text)
            json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} left it"))
    assert statuses == {200, 422}


def test_a_full_batch_of_answers_of_every_kind_keeps_its_order(client: Any) -> None:
    outputs = [r"\boxed{4}", None, 4, "", "x" * 5000, "{" * 200, r"\boxed{5}", [], "\x00"]
    expected = ["4", None, [], {}, ["5", "4"], {"answer": 4}, 4]
    items = [
        {"output": outputs[i % len(outputs)], "expected": expected[i % len(expected)]}
        for i in range(4096)
    ]
    body = {"evaluators": ["everything"], "items": items}
    found = client.post(EVALUATE, json=body).json()["items"]
    assert len(found) == 4096
    period = len(outputs) * len(expected)
    for name in ("correct_answer", "exact_match", "math_equivalence", "numeric_diff"):
        labels = [item["results"][name]["label"] for item in found]
        assert labels[:-period] == labels[period:]
        assert len(set(labels)) > 1


def test_a_list_of_golds_without_end_is_looked_at_as_far_as_it_counts(client: Any) -> None:
    body = {"evaluators": ["everything"], "output": "5", "expected": [[]] * 200_000 + ["5"]}
    found = client.post(EVALUATE, json=body).json()["results"]
    assert found["correct_answer"]["status"] == "gold_unreadable"


def test_the_counts_know_no_more_labels_than_paths(client: Any) -> None:
    for number in range(50):
        client.get(f"/{number}")
        client.request(f"BREW{number}", EVALUATE)
        client.post(f"{EVALUATE}/{number}", json={})
    lines = client.get("/metrics").text.splitlines()
    assert len([line for line in lines if line.startswith("verifiers_math_requests_total")]) < 40
