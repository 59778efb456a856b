"""What the service tells about itself: health, counts, its description."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")


def sample(client: Any, name: str) -> float:
    """The value of a metric by its name and labels; 0 where it is not there."""
    from prometheus_client.parser import text_string_to_metric_families

    for family in text_string_to_metric_families(client.get("/metrics").text):
        for found in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(found.labels.items()))
            if f"{found.name}{{{labels}}}" == name:
                return float(found.value)
    return 0.0


def evaluate(client: Any, output: str, expected: str) -> Any:
    body = {"evaluators": ["correct_answer"], "output": output, "expected": expected}
    return client.post("/api/v1/evaluate", json=body)


def test_the_health_says_how_the_workers_are(client: Any) -> None:
    health = client.get("/healthz").json()
    assert health["status"] == "ok"
    assert health["pairs_waiting"] == 0
    assert isinstance(health["workers"], int)


def test_requests_are_counted_by_path_and_code(client: Any) -> None:
    good = "verifiers_math_requests_total{code=200,path=/api/v1/evaluate}"
    bad = "verifiers_math_requests_total{code=422,path=/api/v1/evaluate}"
    other = "verifiers_math_requests_total{code=404,path=other}"
    took = "verifiers_math_request_seconds_count{path=/api/v1/evaluate}"
    before = {name: sample(client, name) for name in (good, bad, other, took)}
    evaluate(client, "5", "5")
    client.post("/api/v1/evaluate", json={})
    client.get("/a-path-that-nobody-has")
    after = {name: sample(client, name) - count for name, count in before.items()}
    assert after == {good: 1, bad: 1, other: 1, took: 2}


def test_verdicts_are_counted_whoever_asks(client: Any) -> None:
    number = "verifiers_math_verdicts_total{stage=number,status=correct}"
    before = sample(client, number)
    evaluate(client, r"\boxed{0.25}", "1/4")
    client.post("/api/v1/explain", json={"gold": "1/4", "response": r"\boxed{0.25}"})
    query = {"query": [r"\boxed{0.25}"] * 2, "prompts": [""] * 2, "labels": ["1/4"] * 2}
    client.post("/get_reward", json=query)
    items = [{"output": r"\boxed{0.25}", "expected": "1/4"}] * 3
    client.post("/api/v1/evaluate", json={"evaluators": ["correct_answer"], "items": items})
    assert sample(client, number) - before == 1 + 1 + 2 + 3


def test_workers_are_counted(client: Any) -> None:
    pairs = "verifiers_math_worker_events_total{event=pairs}"
    before = sample(client, pairs)
    found = evaluate(client, r"\boxed{\min_{y} (y^2+7)}", r"\min_{x} (x^2+6)").json()
    assert found["results"]["correct_answer"]["stage"] == "math_verify"
    assert sample(client, pairs) == before + 1
    assert sample(client, "verifiers_math_workers{}") >= 1
    assert sample(client, "verifiers_math_pairs_waiting{}") == 0


def test_two_services_count_apart(client_of: Any) -> None:
    one, other = client_of(), client_of()
    evaluate(one, "5", "5")
    assert sample(one, "verifiers_math_requests_total{code=200,path=/api/v1/evaluate}") == 1
    assert sample(other, "verifiers_math_requests_total{code=200,path=/api/v1/evaluate}") == 0


def references(value: Any) -> set[str]:
    """Every schema that a description refers to."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    if isinstance(value, list):
        return set().union(*map(references, value))
    return set()


def test_the_description_covers_every_path_and_refers_to_what_is_there(client: Any) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {
        "/api/v1/evaluate",
        "/api/v1/evaluators",
        "/api/v1/explain",
        "/get_reward",
        "/verify",
        "/healthz",
        "/metrics",
    }
    schemas = {f"#/components/schemas/{name}" for name in described["components"]["schemas"]}
    assert references(described) <= schemas
    item = described["components"]["schemas"]["Item"]
    assert set(item["required"]) == {"output", "expected"}


def test_the_examples_of_the_description_work(client: Any) -> None:
    post = client.get("/openapi.json").json()["paths"]["/api/v1/evaluate"]["post"]
    examples = post["requestBody"]["content"]["application/json"]["examples"]
    assert examples
    for example in examples.values():
        assert client.post("/api/v1/evaluate", json=example["value"]).status_code == 200


def test_the_shared_verifier_is_given_back(client_of: Any) -> None:
    from verifiers_math.verifier import default_verifier

    before = default_verifier()
    with client_of() as made:
        assert default_verifier() is not before
        assert evaluate(made, "5", "5").status_code == 200
    assert default_verifier() is before
