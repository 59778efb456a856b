from __future__ import annotations

import pytest

from verifiers_math.equivalence.dates import Date, read_dates


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-05",
        "2024/1/5",
        "january 5, 2024",
        "january 5,2024",
        "jan. 5th 2024",
        "friday, january 5, 2024",
        "5 january 2024",
        "the 5th of january, 2024",
        "2024年1月5日",
    ],
)
def test_one_day_in_many_habits(text):
    assert read_dates(text) == {Date(2024, 1, 5)}


@pytest.mark.parametrize("text", ["july 4", "4 july", "july 4th", "4th of july", "7月4日"])
def test_a_date_may_leave_out_its_year(text):
    assert read_dates(text) == {Date(None, 7, 4)}


def test_numbers_alone_are_two_dates_where_both_may_be_the_month():
    assert read_dates("1/5/2024") == {Date(2024, 1, 5), Date(2024, 5, 1)}
    assert read_dates("13/5/2024") == {Date(2024, 5, 13)}
    assert read_dates("4/4/2024") == {Date(2024, 4, 4)}


@pytest.mark.parametrize(
    "text",
    (
        "|5|2024|13/13/2024|2024-1-5|february 30|july|july 4 or 5|may 5x|1/5"
        "|x-1-2|4 julys|not july 4"
    ).split("|"),
)
def test_anything_else_is_no_date(text):
    assert read_dates(text) == frozenset()
