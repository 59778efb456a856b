"""Calls in the shape that TRL's trainers make, and what they gather of a step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from verifiers_math.integrations.trl import (
    AsyncRewardFunction,
    RewardFunction,
)


def length(completion: Any) -> float:
    return float(len(completion))


def brevity(completion: Any) -> float:
    return 1.0 / len(completion)


def is_right(completion: Any, answer: Any) -> float:
    return float(completion == answer)


class Log:
    """What TRL gathers of one step."""

    def __init__(self) -> None:
        self.metrics: dict[str, list[float]] = {}
        self.extra: dict[str, list[Any]] = {}

    def add_metric(self, name: str, value: float) -> None:
        self.metrics.setdefault(name, []).append(value)

    def add_extra(self, column: str, values: list[Any]) -> None:
        self.extra.setdefault(column, []).extend(values)

    def once(self, name: str) -> float:
        (value,) = self.metrics[name]
        return value


def added(log: Log, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with what TRL adds."""
    extras = {
        "completion_ids": [[1, 2]] * len(arguments["completions"]),
        "trainer_state": object(),
        "log_extra": log.add_extra,
        "log_metric": log.add_metric,
    }
    return extras | arguments


def call(
    functions: Sequence[RewardFunction], log: Log | None = None, **arguments: Any
) -> dict[str, list[float | None]]:
    """One step: every function with the same lists, by keyword."""
    arguments = added(log or Log(), arguments)
    return {function.__name__: function(**arguments) for function in functions}


async def acall(
    functions: Sequence[AsyncRewardFunction], log: Log | None = None, **arguments: Any
) -> dict[str, list[float | None]]:
    """One step of async functions, which TRL runs at once."""
    arguments = added(log or Log(), arguments)
    found = await asyncio.gather(*(function(**arguments) for function in functions))
    return {function.__name__: scores for function, scores in zip(functions, found, strict=True)}


def said(*texts: str) -> list[list[dict[str, str]]]:
    """Completions of a conversation."""
    return [[{"role": "assistant", "content": text}] for text in texts]
