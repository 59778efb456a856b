"""What the columns of a data set say about a completion: its gold, and what the model was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifiers_math.answers import GOLD_COLUMNS, Answer, gold_column


def row_gold(row: Mapping[str, Any]) -> Any:
    """The gold of one row: what its first column of `GOLD_COLUMNS` holds, None if it is empty.

    Args:
        row: Every column by name.

    Raises:
        ValueError: If the row has none of these columns; the message lists those that it has.
    """
    return row[_gold_name(row)]


def batch_answers(
    completions: Sequence[Any],
    columns: Mapping[str, Any],
    prompts: Sequence[Any] | None = None,
) -> list[Answer]:
    """The answers of a batch whose columns are lists, one value for each completion.

    Args:
        completions: A text or a list of messages each.
        columns: The columns by name; whatever is no list among them is not looked at.
        prompts: What the model was asked, for each completion.

    Raises:
        TypeError: If the completions are no list; a text is none.
        ValueError: If no column holds the gold, or it or the prompts have another length than the
            completions; the message names the column.
    """
    if isinstance(completions, str) or not isinstance(completions, Sequence):
        raise TypeError(f"completions are a list, not {type(completions).__name__}")
    size = len(completions)
    name = _gold_name(columns)
    golds = same_length(name, columns[name], size)
    asked = [None] * size if prompts is None else same_length("prompts", prompts, size)
    return [Answer(*row) for row in zip(completions, golds, asked, strict=True)]


def same_length(name: str, values: Any, size: int) -> Sequence[Any]:
    """The values of a column, one for each of ``size`` completions.

    Args:
        name: What to call the column in a message.
        values: A list, tuple, array or other sequence; a text is none.
        size: The number of completions.

    Raises:
        ValueError: If it is no sequence, or one of another length.
    """
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__len__"):
        kind = type(values).__name__
        raise ValueError(f"{name!r} is a {kind}, not a list of {size} values")
    if len(values) != size:
        raise ValueError(f"{name!r} has {len(values)} values for {size} completions")
    checked: Sequence[Any] = values
    return checked


def _gold_name(columns: Mapping[str, Any]) -> str:
    name = gold_column(columns)
    if name is None:
        raise ValueError(
            f"no column holds the gold: {', '.join(GOLD_COLUMNS)} are looked for, "
            f"and there are {', '.join(columns) or 'no columns'}"
        )
    return name
