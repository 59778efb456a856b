"""Fields of a row: how one is reached, and that there is one list of their usual names."""

from __future__ import annotations

import pytest

from verifiers_math.cli.fields import find_fields
from verifiers_math.fields import GOLD_FIELDS, PROMPT_FIELDS, RESPONSE_FIELDS, get_field, has_field
from verifiers_math.integrations.rows import find_fields as find_columns
from verifiers_math.report.rollout import Rollout
from verifiers_math.rows import Row


def test_a_dot_leads_into_an_object():
    row = {"reward_model": {"ground_truth": "4"}, "a.b": 1, "a": {"b": 2}, "t": "x"}
    assert get_field(row, "reward_model.ground_truth") == "4"
    assert get_field(row, "a.b") == 1
    assert get_field(row, "t.x") is None
    assert has_field(row, "reward_model.ground_truth")
    assert not has_field(row, "reward_model.style")
    assert not has_field(row, "t.x")


def _with(field: str, value: str) -> dict:
    for name in reversed(field.split(".")):
        value = {name: value}
    return value


@pytest.mark.parametrize("gold", GOLD_FIELDS)
@pytest.mark.parametrize("response", [name for name in RESPONSE_FIELDS if name != "answer"])
def test_every_face_finds_the_same_fields(gold, response):
    row = _with(gold, "4") | {response: "It is 4.", PROMPT_FIELDS[-1]: "2 + 2?"}
    fields = find_fields(row)
    columns = find_columns(row)
    rollout = Rollout(Row(1, row))
    assert (fields.gold_fields, fields.response) == ((gold,), response)
    assert (columns.gold, columns.response) == (gold.partition(".")[0], response)
    assert (rollout.gold, rollout.response, rollout.prompt) == ("4", "It is 4.", "2 + 2?")
    assert columns.prompt in fields.prompt_fields


def test_a_field_that_is_named_for_one_role_is_guessed_for_no_other():
    row = {"answer": "It is 5.", "solution": "4", "question": "q"}
    assert find_fields(row, response="answer").gold_fields == ("solution",)
    assert find_columns(row, response="answer").gold == "solution"
