"""The fields of a row: how one is reached, and the names that each role usually has.

This is the one list of names. The command line, the report and the integrations guess by it; what
a single one of them knows besides stands with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

GOLD_FIELDS: Final = (
    "gold",
    "ground_truth",
    "reward_model.ground_truth",
    "expected_answer",
    "expected",
    "reference_answer",
    "gts",
    "answer",
    "final_answer",
    "answer_number",
    "target",
    "label",
    "solution",
)
"""Names of the field with the gold, in the order in which they are tried."""

RESPONSE_FIELDS: Final = (
    "response",
    "completion",
    "output",
    "prediction",
    "generation",
    "generated_text",
    "model_output",
    "solution_str",
    "messages",
    "answer",
)
"""Names of the field with what the model wrote, likewise; what holds the gold is passed over."""

PROMPT_FIELDS: Final = ("prompt", "question", "problem", "query", "input")
"""Names of the field with what the model was asked, likewise."""

SCORES: Final = "scores"
"""The field that ``verifiers-math score`` adds: the results by the evaluators' names."""


def get_field(row: Mapping[str, Any], path: str) -> Any:
    """A field of a row; a dot leads into an object (``reward_model.ground_truth``).

    Args:
        row: The row.
        path: The field's name, or several joined by dots; a name with dots in it goes first.

    Returns:
        Its value; None where it is not there.
    """
    if path in row or "." not in path:
        return row.get(path)
    head, _, rest = path.partition(".")
    inner = row.get(head)
    return get_field(inner, rest) if isinstance(inner, Mapping) else None


def has_field(row: Mapping[str, Any], path: str) -> bool:
    """Whether a row has a field, its value aside; see `get_field`."""
    if path in row or "." not in path:
        return path in row
    head, _, rest = path.partition(".")
    inner = row.get(head)
    return isinstance(inner, Mapping) and has_field(inner, rest)


def first_of(row: Mapping[str, Any], fields: Iterable[str]) -> Any:
    """The value of the first field that is there and not None; None where there is none."""
    return next((v for v in (get_field(row, field) for field in fields) if v is not None), None)
