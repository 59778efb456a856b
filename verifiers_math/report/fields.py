"""Where rows hold what the report shows, and their values in the types that it counts with.

Rows come from ``verifiers-math score``, from rubrics, or from trainers' logs in whatever fields
they use. Nothing that a row holds is an error: a value of another type than is wanted is not there.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from verifiers_math.evaluators.evaluator import text_of
from verifiers_math.fields import GOLD_FIELDS, PROMPT_FIELDS, RESPONSE_FIELDS, get_field

FIELDS: Final[dict[str, tuple[str, ...]]] = {
    # TRL's completions table has a column for each reward function, verl's dumps have `score`.
    "reward": ("reward", "score", "correct_answer", "accuracy_reward", "acc"),
    "status": ("status", "judge/status"),
    "stage": ("stage", "judge/stage"),
    "rule": ("rule", "judge/rule"),
    "detail": ("detail", "judge/detail"),
    "judge": ("judge", "judge/version"),
    "seconds": ("seconds", "judge_seconds", "judge/seconds"),
    "gold": ("judge/gold", *GOLD_FIELDS),
    "answer": ("judge/answer", "extracted_answer", "parsed_answer", "pred"),
    "response": (*RESPONSE_FIELDS, "raw"),
    "prompt": PROMPT_FIELDS,
    "step": ("step", "global_step", "training_step", "trainer_step", "_step"),
    "epoch": ("epoch",),
    "time": ("time", "timestamp", "created_at", "_timestamp"),
    "group": ("group", "group_id", "prompt_id", "problem_id", "question_id", "example_id", "uid"),
    "dataset": ("dataset", "data_source", "data_set", "task"),
    "label": ("is_correct", "correct", "human_label", "label"),
}
"""Fields by what they hold; of several, the first one that is there and not null counts."""

MAX_NAME: Final = 80

_MAX_NUMBER: Final = 1e15
"""A larger number is no reward, step or time: it would drown all others."""

_MAX_NUMERAL: Final = 40
_FIRST_MOMENT: Final = 1e8
"""A time of fewer seconds, before 1973, is a duration."""

_MILLISECONDS_FROM: Final = 1e11
"""A time of more seconds would be after the year 5000: it is in milliseconds."""


def first(row: Mapping[str, Any], role: str) -> Any:
    """What a row holds of a role, a key of `FIELDS`; None where it holds nothing."""
    for field in FIELDS[role]:
        value = row.get(field)
        if value is None and "." in field:
            value = get_field(row, field)
        if value is not None:
            return value
    return None


def number(value: Any) -> float | None:
    """A value as a number that can be added up; None where it is none."""
    if value is None or (isinstance(value, str) and len(value) > _MAX_NUMERAL):
        return None
    try:
        found = float(value)
    except (TypeError, ValueError, ArithmeticError):
        return None
    return found if abs(found) <= _MAX_NUMBER else None  # which no NaN is


def moment(value: Any) -> float | None:
    """A time in seconds since 1970: a number of seconds or milliseconds, or a date."""
    if isinstance(value, str) and "-" in value:
        try:
            value = datetime.datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime.datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
        return aware.timestamp()
    seconds = number(value)
    if seconds is None or seconds < _FIRST_MOMENT:
        return None
    return seconds / 1000 if seconds > _MILLISECONDS_FROM else seconds


def text(value: Any) -> str:
    """A value that is text; "" for any other."""
    return value if isinstance(value, str) else ""


def name(value: Any) -> str:
    """A short text, or a number as one; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of many digits"  # Python may refuse to write it
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    written = str(value)
    return written if len(written) <= MAX_NAME else written[: MAX_NAME - 1] + "…"


def spoken(value: Any, *, whole: bool) -> str:
    """What a text or messages say.

    Args:
        value: The text, or messages; what says nothing is shown as JSON.
        whole: Whether all messages count, or the last one of the assistant.
    """
    if value is None or isinstance(value, str):
        return value or ""
    try:
        said = "\n\n".join(_messages(value)) if whole else text_of(value)
    except TypeError:
        said = ""
    return said or as_json(value)


def _messages(messages: Any) -> Iterator[str]:
    for message in messages:
        if not isinstance(message, Mapping):
            raise TypeError("this is no message")
        content = message.get("content")
        said = content if isinstance(content, str) else as_json(content)
        yield f"{name(message.get('role')) or 'message'}: {said}"


def as_json(value: Any) -> str:
    """Any value as JSON, or words that it cannot be shown."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return "(a value that cannot be shown)"
