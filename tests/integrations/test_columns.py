"""The gold among a data set's columns, as several adapters look for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from verifiers_math.answers import Answer
from verifiers_math.integrations.columns import batch_answers, row_gold, same_length


def test_the_first_gold_column_of_a_row_is_taken() -> None:
    assert row_gold({"ground_truth": "3", "solution": "2", "level": 5}) == "2"
    assert row_gold({"answer": None, "solution": "2"}) is None


def test_a_row_without_gold_is_an_error_that_lists_its_columns() -> None:
    with pytest.raises(ValueError, match=r"answer, solution, ground_truth.*there are level, id"):
        row_gold({"level": 5, "id": 1})
    with pytest.raises(ValueError, match="no columns"):
        row_gold({})


def test_a_batch_takes_its_golds_and_prompts_by_position() -> None:
    found = batch_answers(["a", "b"], {"level": 1, "solution": np.array(["1", "2"])}, ["p", "q"])
    assert found == [Answer("a", "1", "p"), Answer("b", "2", "q")]
    assert batch_answers(["a"], {"answer": ["1"]}) == [Answer("a", "1", None)]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["1"], "'answer' has 1 values for 2 completions"),
        ("12", "'answer' is a str, not a list of 2 values"),
        ({"a": 1, "b": 2}, "'answer' is a dict"),
        (12, "'answer' is a int"),
        (None, "'answer' is a NoneType"),
    ],
    ids=repr,
)
def test_a_column_of_another_length_or_type_is_named(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batch_answers(["a", "b"], {"answer": values})


def test_completions_that_are_one_text_are_refused() -> None:
    with pytest.raises(TypeError, match="completions are a list, not str"):
        batch_answers("ab", {"answer": ["1", "2"]})


def test_columns_of_the_right_length_come_back_as_they_are() -> None:
    values = ("1", "2")
    assert same_length("answer", values, 2) is values
