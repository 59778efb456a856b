"""``/api/v1/evaluate`` and ``/api/v1/explain``: what is asked, and what is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")

EVALUATE = "/api/v1/evaluate"
EXPLAIN = "/api/v1/explain"


def evaluate(client: Any, **body: Any) -> Any:
    answer = client.post(EVALUATE, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def error_of(client: Any, path: str, body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 422, answer.text
    return answer.json()["error"]


def test_numeric_diff_scores_how_near_two_numbers_are(client: Any) -> None:
    answer = evaluate(client, evaluators=["numeric_diff"], output="0.0302", expected="0.03024")
    found = answer["results"]["numeric_diff"]
    assert found["score"] == 0.99996
    assert found["passed"] is True


def test_the_judge_tells_status_stage_and_reason(client: Any) -> None:
    found = evaluate(
        client, evaluators=["correct_answer"], output=r"So \boxed{0.5}.", expected=r"\frac12"
    )["results"]["correct_answer"]
    assert (found["score"], found["passed"], found["status"]) == (1.0, True, "correct")
    assert (found["stage"], found["answer"]) == ("number", "0.5")
    assert found["detail"]


def test_a_suite_stands_for_its_members(client: Any) -> None:
    answer = evaluate(client, evaluators=["everything"], output="5", expected="5")
    assert set(answer["results"]) == {
        "correct_answer",
        "exact_match",
        "math_equivalence",
        "numeric_diff",
    }
    assert all(found["passed"] for found in answer["results"].values())


def test_a_batch_keeps_its_order(client: Any) -> None:
    items = [{"output": rf"\boxed{{{number}}}", "expected": "3"} for number in range(6)]
    answer = evaluate(client, evaluators=["correct_answer", "exact_match"], items=items)
    passed = [item["results"]["correct_answer"]["passed"] for item in answer["items"]]
    assert passed == [False, False, False, True, False, False]
    assert all(
        set(item["results"]) == {"correct_answer", "exact_match"} for item in answer["items"]
    )


def test_an_empty_batch_has_an_empty_answer(client: Any) -> None:
    assert evaluate(client, evaluators=["correct_answer"], items=[]) == {"items": []}


def test_a_batch_says_what_single_requests_say(client: Any) -> None:
    items = [
        {"output": r"\boxed{10/12}", "expected": r"\frac56"},
        {"output": "I do not know", "expected": "5"},
        {"output": r"\boxed{5}", "expected": ["4", "5"]},
        {"output": 5, "expected": {"answer": "5"}},
        {"output": r"\boxed{2+3}", "expected": "5", "prompt": "What is 2+3?"},
        {"output": [{"role": "assistant", "content": r"\boxed{5}"}], "expected": "5"},
        {
            "output": [{"role": "assistant", "content": [{"type": "text", "text": r"\boxed{5}"}]}],
            "expected": "5",
        },
        {"output": r"\boxed{\sum_{j=1}^{n} j^{2}}", "expected": r"\sum_{k=1}^{n} k^{2}"},
        {"output": None, "expected": "5"},
        {"output": "5", "expected": None},
    ]
    batch = evaluate(client, evaluators=["everything"], items=items)["items"]
    for item, found in zip(items, batch, strict=True):
        alone = evaluate(client, evaluators=["everything"], **item)
        for name, result in alone["results"].items():
            wanted = {key: result[key] for key in ("score", "label", "passed", "status")}
            assert wanted == {key: found["results"][name][key] for key in wanted}
    statuses = [item["results"]["correct_answer"]["status"] for item in batch]
    assert statuses == [
        "correct",
        "no_answer",
        "correct",
        "correct",
        "incorrect",
        "correct",
        "correct",
        "correct",
        "no_answer",
        "gold_unreadable",
    ]


def test_what_could_not_be_scored_has_no_score(client: Any) -> None:
    answer = evaluate(client, evaluators=["everything"], output="5", expected=None)
    assert {found["score"] for found in answer["results"].values()} <= {None, 1.0}
    assert answer["results"]["correct_answer"]["score"] is None
    assert answer["results"]["numeric_diff"]["score"] is None


def test_settings_choose_how_an_evaluator_judges(client: Any) -> None:
    def passes(settings: Any, **item: Any) -> bool:
        names = list(settings)
        found = evaluate(client, evaluators=names, settings=settings, **item)["results"]
        passed: bool = found[names[0]]["passed"]
        return passed

    stated = {"output": "The answer is 5.", "expected": "5"}
    assert passes({"correct_answer": {}}, **stated)
    assert not passes({"correct_answer": {"strict": True}}, **stated)
    marked = {"output": "so\n#### 5", "expected": "5"}
    assert passes({"correct_answer": {"strict": "####"}}, **marked)
    rounded = {"output": r"\boxed{0.333333}", "expected": r"\frac13"}
    assert passes({"correct_answer": {"policy": "lenient"}}, **rounded)
    far = {"output": "1", "expected": "3"}
    assert not passes({"numeric_diff": {}}, **far)
    assert passes({"numeric_diff": {"threshold": 0.1}}, **far)


@pytest.mark.parametrize(
    ("change", "path", "message"),
    [
        ({"evaluators": []}, "$.evaluators", "length >= 1"),
        ({"evaluators": "numeric_diff"}, "$.evaluators", "Expected `array`"),
        ({"evaluators": ["magic"]}, "$.evaluators[0]", "numeric_diff"),
        ({"evaluators": ["numeric_diff", 3]}, "$.evaluators[1]", "Expected `str`"),
        ({"output": True}, "$.output", "got `bool`"),
        ({"output": {"text": "5"}}, "$.output", "got `object`"),
        ({"output": [{"role": "assistant", "content": 5}]}, "$.output[0].content", "got `int`"),
        ({"output": [{"content": "5"}]}, "$.output[0]", "`role`"),
        ({"expected": False}, "$.expected", "got `bool`"),
        ({"prompt": 7}, "$.prompt", "got `int`"),
        ({"expectd": "5"}, "$", "unknown field `expectd`"),
        ({"items": [{"output": "1", "expected": "1"}]}, "$.output", "each of the `items`"),
        ({"settings": {"correct_answer": {"strict": "yes"}}}, "$.settings.correct_answer", ""),
        ({"settings": {"correct_answer": {"timeout_seconds": 900}}}, "$.settings", "unknown field"),
        ({"settings": {"numeric_diff": {"threshold": 2}}}, "$.settings.numeric_diff", "<= 1"),
        ({"settings": {"exact_match": {}}}, "$.settings", "unknown field"),
    ],
)
def test_a_wrong_field_is_named_by_its_path(
    client: Any, change: Any, path: str, message: str
) -> None:
    body = {"evaluators": ["correct_answer"], "output": "5", "expected": "5"} | change
    error = error_of(client, EVALUATE, body)
    assert error["path"].startswith(path)
    assert message in error["message"]


@pytest.mark.parametrize("missing", ["evaluators", "output", "expected"])
def test_a_missing_field_is_named(client: Any, missing: str) -> None:
    body = {"evaluators": ["correct_answer"], "output": "5", "expected": "5"}
    del body[missing]
    assert f"`{missing}`" in error_of(client, EVALUATE, body)["message"]


@pytest.mark.parametrize(
    ("item", "path"),
    [
        ({"output": True, "expected": "5"}, "$.items[2].output"),
        ({"output": "5"}, "$.items[2]"),
        (
            {"output": [{"role": "assistant", "content": 5}], "expected": "5"},
            "$.items[2].output[0].content",
        ),
        ("5", "$.items[2]"),
    ],
)
def test_a_wrong_item_of_a_batch_is_named_by_its_place(client: Any, item: Any, path: str) -> None:
    good = {"output": "5", "expected": "5"}
    body = {"evaluators": ["correct_answer"], "items": [good, good, item, good]}
    assert error_of(client, EVALUATE, body)["path"] == path


def test_a_batch_of_too_many_items_is_refused(client_of: Any) -> None:
    client = client_of(max_items=3)
    items = [{"output": "5", "expected": "5"}] * 4
    error = error_of(client, EVALUATE, {"evaluators": ["exact_match"], "items": items})
    assert (error["code"], error["path"]) == ("too_many", "$.items")


def test_long_texts_and_huge_numbers_are_judged_or_refused_but_never_break_it(client: Any) -> None:
    for output in ("1" * 400_000, int("7" * 400), 1e308, "x" * 1_000_000, "{" * 100_000):
        found = evaluate(client, evaluators=["everything"], output=output, expected="5")
        assert not any(result["passed"] for result in found["results"].values())


def test_numbers_never_leave_as_nan(client: Any) -> None:
    answer = client.post(
        EVALUATE,
        json={"evaluators": ["everything"], "output": "nan", "expected": "inf"},
    )
    assert answer.status_code == 200
    json.loads(answer.text, parse_constant=lambda name: pytest.fail(f"{name} left the service"))


def test_the_evaluators_are_listed(client: Any) -> None:
    listed = client.get("/api/v1/evaluators").json()["evaluators"]
    names = {entry["name"] for entry in listed}
    assert {"numeric_diff", "correct_answer", "everything"} <= names
    assert all(entry["summary"] for entry in listed)


# --- explaining ----------------------------------------------------------------------------------


def test_an_explanation_has_stages_readings_and_formulas(client: Any) -> None:
    pytest.importorskip("latex2mathml", reason="renders formulas")
    body = {"gold": r"\frac12", "response": r"So $x=\frac{1}{2}$ and \boxed{0.5}."}
    story = client.post(EXPLAIN, json=body).json()
    assert story["verdict"]["equal"] is True
    assert [step["stage"] for step in story["steps"]][:2] == ["extract", "identical"]
    assert story["answer"]["value"] == "1/2"
    pieces = story["shown"]["response"]
    assert [piece["text"] for piece in pieces] == [
        "So ",
        r"x=\frac{1}{2}",
        " and ",
        r"\boxed{0.5}",
        ".",
    ]
    assert [piece["mathml"] is not None for piece in pieces] == [False, True, False, True, False]
    assert story["shown"]["gold_read"][0] == "math"


def test_an_explanation_follows_its_settings(client: Any) -> None:
    body = {"gold": "5", "response": "The answer is 5."}
    assert client.post(EXPLAIN, json=body).json()["verdict"]["equal"] is True
    strict = client.post(EXPLAIN, json=body | {"strict": True}).json()
    assert strict["verdict"]["status"] == "no_answer"
    assert strict["answer"] is None
    policy = client.post(EXPLAIN, json=body | {"policy": "strict"}).json()
    assert policy["verdict"]["judge"].endswith("/strict")


def test_a_wrong_setting_of_an_explanation_is_named(client: Any) -> None:
    error = error_of(client, EXPLAIN, {"gold": "5", "response": "5", "policy": "kind"})
    assert error["path"] == "$.policy"
    assert error_of(client, EXPLAIN, {"gold": "5", "response": 5})["path"] == "$.response"
