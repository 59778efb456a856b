"""Numbers, times and names as the report writes them."""

from __future__ import annotations

import datetime
from typing import Final

from verifiers_math.evaluators.aggregate import Interval

_UNITS: Final = ((1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs"))
"""From so many seconds on, the factor to multiply them by, and the unit."""

_DAY: Final = 86_400


def share(value: float | None) -> str:
    """A share as a percentage; "–" for None."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(found: Interval | None, is_share: bool = True) -> str:
    """An interval in words; "" for None."""
    if found is None:
        return ""
    if is_share:
        return f"{100 * found.low:.1f} to {100 * found.high:.1f} %"
    return f"{found.low:.3f} to {found.high:.3f}"


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    factor, unit = next((factor, unit) for least, factor, unit in _UNITS if value >= least)
    number = value * factor
    digits = 0 if number >= 100 else 1 if number >= 10 else 2
    return f"{number:,.{digits}f} {unit}"


def name(text: str) -> str:
    """A name as words: ``gold_unreadable`` is "gold unreadable"."""
    return text.replace("_", " ")


def some(count: int, noun: str) -> str:
    """A number of things: "1 row", "7,680 rows"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def place(axis: str, low: float, high: float) -> str:
    """A place on an axis, or a stretch of it: "step 3", "steps 4 to 7"."""
    if axis == "time":
        begin, end = moment(low), moment(high)
        return begin if begin == end else f"{begin} to {end.removeprefix(begin[:_DATE_CHARS])}"
    if low == high:
        return f"{axis} {low:,.10g}"
    return f"{axis}s {low:,.10g} to {high:,.10g}"


_DATE_CHARS: Final = len("2026-01-01 ")


def moment(seconds: float, span: float = 0.0) -> str:
    """A time of the day or the year, in UTC.

    Args:
        seconds: Since 1970.
        span: How long the stretch is that it stands in, in seconds: a day is enough for one of
            weeks, the hour for one of a day; 0.0 for all of it.
    """
    if span > 365 * _DAY:
        pattern = "%Y-%m"
    elif span > 2 * _DAY:
        pattern = "%d %b"
    else:
        pattern = "%H:%M" if span else "%Y-%m-%d %H:%M"
    try:
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime(pattern)
    except (ValueError, OverflowError, OSError):  # beyond the years that there are
        return f"{seconds:,.10g} s"
