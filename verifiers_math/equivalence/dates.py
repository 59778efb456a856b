"""Dates in the habits of several countries: ``January 5, 2024``, ``5th of May``, ``2024-01-05``."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS)
_NAME = rf"(?P<month>{_MONTH}|sept)\.?"
_DAY = r"(?P<day>\d{1,2})(?:(?:st|nd|rd|th)\b)?"
_YEAR = r"(?:,? ?(?P<year>[12]\d{3}))?"
_ISO = re.compile(
    r"(?P<year>[12]\d{3})(?:-(?=\d\d-\d\d)|[/.](?!\d*-))(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
    r"|(?:(?P<year1>[12]\d{3}) ?年 ?)?(?P<month1>\d{1,2}) ?月 ?(?P<day1>\d{1,2}) ?[日号號]"
)
_NUMBERS = re.compile(r"(?P<one>\d{1,2})(?P<sign>[/.])(?P<two>\d{1,2})(?P=sign)(?P<year>[12]\d{3})")
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ?)?(?:the )?"
_NAMED = (
    re.compile(rf"{_WEEKDAY}{_NAME} ?(?:the )?{_DAY}{_YEAR}"),
    re.compile(rf"{_WEEKDAY}{_DAY} ?(?:of )?{_NAME}{_YEAR}"),
)


class Date(NamedTuple):
    """A day of the calendar; the year is None where it is not said."""

    year: int | None
    month: int
    day: int


def weekday_of(plain: str) -> str:
    """The day of the week that begins a date, or "" where none does."""
    named = _BEGINS_WEEK.match(plain)
    return named[1] if named is not None else ""


_BEGINS_WEEK = re.compile(r"(mon|tues|wednes|thurs|fri|satur|sun)day\b")


def read_dates(plain: str) -> frozenset[Date]:
    """Returns what a text means as a date: nothing, one date, or two for ``1/5/2024``.

    Args:
        plain: A normal form in lower case.
    """
    first = plain[:1]
    if first.isdigit():
        numbers = _NUMBERS.fullmatch(plain)
        if numbers is not None:
            return _in_either_order(numbers)
        iso = _ISO.fullmatch(plain)
        if iso is not None:
            parts = [iso[name] or iso[f"{name}1"] for name in ("year", "month", "day")]
            return _valid(Date(int(parts[0]) if parts[0] else None, int(parts[1]), int(parts[2])))
    elif not first.isalpha():
        return frozenset()
    for pattern in _NAMED:
        named = pattern.fullmatch(plain)
        if named is not None:
            month = next(at for at, name in enumerate(_MONTHS, 1) if name[:3] == named["month"][:3])
            year = int(named["year"]) if named["year"] else None
            return _valid(Date(year, month, int(named["day"])))
    return frozenset()


def _in_either_order(numbers: re.Match[str]) -> frozenset[Date]:
    """Month first, as in the United States, or day first."""
    year, one, two = (int(numbers[name]) for name in ("year", "one", "two"))
    return _valid(Date(year, one, two)) | _valid(Date(year, two, one))


def _valid(date: Date) -> frozenset[Date]:
    possible = 1 <= date.month <= 12 and 1 <= date.day <= _DAYS[date.month - 1]
    return frozenset((date,)) if possible else frozenset()
