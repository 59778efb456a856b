"""Which rows are shown: of each reason an even draw, in bounded number."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scored_rows import as_row, result, scored
from verifiers_math.report.rollout import Rollout
from verifiers_math.report.selection import (
    CONTRADICTED,
    DISPUTED,
    LENIENT,
    OTHER,
    SHOWN_RESPONSE,
    UNSCORED,
    Excerpt,
    Selection,
)


def selection_of(rows: list[dict[str, Any]], most: int) -> Selection:
    selection = Selection(most)
    for number, row in enumerate(rows, 1):
        selection.offer(Rollout(as_row(row, number)))
    return selection


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (scored(True, is_correct=False), CONTRADICTED),
        (scored(True, others={"other": result(False)}), DISPUTED),
        (scored(None), UNSCORED),
        (scored(None, others={"other": result(True)}), UNSCORED),
        (scored(True, rule="percent"), LENIENT),
        (scored(True, rule="percent", others={"other": result(False)}), LENIENT),
        (scored(False, rule="percent"), OTHER),
        (scored(True), OTHER),
        ({}, UNSCORED),
    ],
)
def test_a_row_is_shown_for_its_rarest_reason(row: dict[str, Any], reason: str) -> None:
    assert [entry.reason for entry in selection_of([row], 1).entries()] == [reason]


def test_what_should_be_looked_at_comes_first_and_in_the_files_order() -> None:
    rows = [scored(True), scored(None), scored(True), scored(True, is_correct=False), scored(None)]
    assert [entry.row for entry in selection_of(rows, 9).entries()] == [4, 2, 5, 1, 3]


def test_places_are_shared_out_evenly_and_what_is_left_over_goes_to_the_others() -> None:
    rows = [scored(None)] * 50 + [scored(True)] * 500 + [scored(True, is_correct=False)] * 3
    selection = selection_of(rows, 21)
    assert selection.counts() == {CONTRADICTED: (3, 3), UNSCORED: (9, 50), OTHER: (9, 500)}
    assert len(list(selection.entries())) == 21


def test_small_files_are_shown_whole() -> None:
    selection = selection_of([scored(True)] * 4 + [scored(None)], 5)
    assert selection.counts() == {UNSCORED: (1, 1), OTHER: (4, 4)}


@pytest.mark.parametrize("rows", [60, 5_000])
def test_the_draw_is_even_over_the_file(rows: int) -> None:
    selection = selection_of([scored(None)] * 60 + [scored(True)] * rows, 60)
    drawn = [entry.row - 60 for entry in selection.entries() if entry.reason == OTHER]
    assert len(set(drawn)) == 30
    assert rows * 0.35 < sum(drawn) / len(drawn) < rows * 0.65
    assert max(drawn) > rows * 0.8


def test_the_same_file_gives_the_same_rows() -> None:
    rows = [scored(True)] * 300
    first, second = ([entry.row for entry in selection_of(rows, 10).entries()] for _ in range(2))
    assert first == second


def test_no_row_need_be_shown() -> None:
    assert list(selection_of([scored(True)] * 3, 0).entries()) == []


def test_of_a_long_text_both_ends_are_kept_and_the_end_most() -> None:
    excerpt = Excerpt.of("a" * 5_000 + "z" * 5_000, 1_000)
    assert (excerpt.head, excerpt.tail) == ("a" * 300, "z" * 700)
    assert (excerpt.left_out, excerpt.length) == (9_000, 10_000)
    assert not excerpt.is_whole


def test_of_a_long_name_the_beginning_is_kept() -> None:
    assert Excerpt.of("abcdef", 4, head=1) == Excerpt("abcd", "", 2)


def test_a_short_text_is_kept_whole() -> None:
    assert Excerpt.of("abc", 3) == Excerpt("abc")


def test_entries_are_bounded_whatever_a_row_holds() -> None:
    huge = "x" * 10**6
    scores = {"correct_answer": result(False, detail=huge, gold=huge, answer=huge, stage=huge)}
    row = {"response": huge, "prompt": huge, "dataset": huge, "group": huge, "scores": scores}
    (entry,) = selection_of([row], 1).entries()
    assert len(repr(entry)) < 4 * SHOWN_RESPONSE
