"""Rows of data sets: which fields are judged, and what scoring adds, also to lines of JSON."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from typing import Any

import pytest

import verifiers_math as vf
from verifiers_math.answers import Answer, answer_judge
from verifiers_math.integrations.lines import LineScorer
from verifiers_math.integrations.rows import (
    SCORE_FIELDS,
    Fields,
    RowJudge,
    find_fields,
)

FIELDS = Fields("completion", "answer")


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        (["prompt", "completion", "answer"], ("completion", "answer", "prompt")),
        (["problem", "response", "solution"], ("response", "solution", "problem")),
        (["input", "output", "gts", "score", "step"], ("output", "gts", "input")),  # verl's dumps
        (["messages", "reward_model"], ("messages", "reward_model", None)),
        (["solution", "answer", "response"], ("response", "answer", None)),
    ],
)
def test_the_usual_fields_are_found(columns: list[str], fields: tuple[str, ...]) -> None:
    assert find_fields(columns) == fields


def test_named_fields_win_over_guesses() -> None:
    columns = ["completion", "answer", "prompt", "a", "b", "c"]
    assert find_fields(columns, response="a", gold="b", prompt="c") == ("a", "b", "c")


@pytest.mark.parametrize(
    ("columns", "names", "message"),
    [
        (["answer", "text"], {}, "no column holds the response.*the columns are answer, text"),
        (["completion"], {}, "no column holds the gold.*the columns are completion"),
        (["completion", "answer"], {"gold": "x"}, "no column 'x' for the gold.*completion, answer"),
        (["completion", "answer"], {"prompt": "x"}, "no column 'x' for the prompt"),
    ],
)
def test_a_missing_field_is_an_error_that_names_the_columns(
    columns: list[str], names: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        find_fields(columns, **names)


def test_a_response_of_another_type_is_an_error_and_no_wrong_answer() -> None:
    answers = [Answer(r"\boxed{1}", "1"), Answer(7, "7"), Answer(r"\boxed{2}", "1")]
    verdicts = RowJudge(FIELDS, answer_judge()).verdicts(answers)
    assert [verdict.status for verdict in verdicts] == ["correct", "error", "incorrect"]
    assert "not int" in verdicts[1].detail


def test_what_could_not_be_judged_has_a_reward_of_zero_or_none() -> None:
    unjudged = answer_judge().verdict(r"\boxed{1}", None)
    wrong = answer_judge().verdict(r"\boxed{1}", "2")
    zero, none = RowJudge(FIELDS, answer_judge()), RowJudge(FIELDS, answer_judge(), "none")
    assert zero.added(unjudged)["reward"] == zero.added(wrong)["reward"] == 0.0
    assert none.added(unjudged)["reward"] is None
    assert none.added(wrong)["reward"] == 0.0


def test_what_is_added_to_a_row_has_the_names_of_the_score_fields() -> None:
    wrong = answer_judge().verdict(r"\boxed{1}", "2")
    assert tuple(RowJudge(FIELDS, answer_judge()).added(wrong)) == SCORE_FIELDS
    prefixed = RowJudge(FIELDS, answer_judge(), prefix="x_").added(wrong)
    assert list(prefixed) == [f"x_{name}" for name in SCORE_FIELDS]


# ---- lines of JSON


def scored(*lines: bytes, **options: Any) -> list[dict[str, Any]]:
    scorer = LineScorer(Fields("completion", "answer", "prompt"), answer_judge(), **options)
    written, counts = scorer(lines)
    rows = [json.loads(line) for line in written]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in written)
    prefix = options.get("prefix", "")
    assert counts == Counter(row[prefix + "status"] for row in rows)
    return rows


def test_a_line_keeps_its_bytes_and_gets_its_score_at_the_end() -> None:
    line = '{"answer":"4",  "x":1.10, "completion":"été \\u00e9 \\\\boxed{4}" }'.encode()
    scorer = LineScorer(Fields("completion", "answer"), answer_judge())
    ((written,), counts) = scorer([line + b"\r\n"])
    assert written.startswith(line.removesuffix(b" }") + b', "reward": 1.0, ')
    assert json.loads(written)["extracted_answer"] == "4"
    assert counts == {"correct": 1}


def test_fields_of_an_earlier_scoring_are_replaced() -> None:
    line = rb'{"completion": "\\boxed{4}", "answer": "4", "reward": 0, "status": "old"}'
    (row,) = scored(line)
    assert (row["reward"], row["status"]) == (1.0, "correct")
    (kept,) = scored(line, prefix="new_")
    assert (kept["reward"], kept["new_reward"]) == (0, 1.0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"completion": "x", "ans', "not JSON"),
        (b"[1, 2]", "a JSON list"),
        (b'"text"', "a JSON str"),
        (b'{"completion": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "not JSON"),
        (b'{"completion": ' + b"9" * 10_000 + b"}", "not JSON"),
    ],
    ids=["cut", "list", "string", "latin-1", "nested", "number"],
)
def test_a_line_that_is_no_object_is_kept_with_the_reason(line: bytes, reason: str) -> None:
    (row,) = scored(line)
    assert row["line"] == line.decode("utf-8", "replace")
    assert row["status"] == "error"
    assert reason in row["detail"]


@pytest.mark.parametrize("line", [b"{}", b'{"answer": "4"}'])
def test_a_row_without_a_response_is_an_error_and_no_wrong_answer(line: bytes) -> None:
    (row,) = scored(line)
    assert row["status"] == "error"
    assert "no field 'completion'" in row["detail"]
    assert json.loads(line).items() <= row.items()


def test_a_null_response_is_no_answer_and_a_missing_gold_is_unreadable() -> None:
    rows = scored(b'{"completion": null, "answer": "4"}', rb'{"completion": "\\boxed{4}"}')
    assert [row["status"] for row in rows] == ["no_answer", "gold_unreadable"]


def test_half_a_surrogate_pair_is_written_as_it_was_read() -> None:
    line = rb'{"completion": "\\boxed{4} \ud800", "answer": "4", "reward": null}'
    (row,) = scored(line)
    assert row["completion"].endswith("\ud800")
    assert row["reward"] == 1.0


def test_messages_are_responses_too() -> None:
    turn = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": r"\boxed{4}"}]
    (row,) = scored(json.dumps({"completion": turn, "answer": 4}).encode())
    assert row["status"] == vf.Status.CORRECT


def test_a_line_scorer_can_be_pickled() -> None:
    scorer = LineScorer(Fields("completion", "answer"), answer_judge(), "none", "p_")
    twin = pickle.loads(pickle.dumps(scorer))
    line = rb'{"completion": "\\boxed{4}", "answer": null}'
    assert twin([line]) == scorer([line])
    assert json.loads(twin([line])[0][0])["p_reward"] is None
