"""What the tests of rubrics share: a rollout, reward functions, and the state after scoring."""

from __future__ import annotations

from typing import Any

import verifiers_math as vf


def length(completion: str) -> int:
    """A sync reward function."""
    return len(completion)


async def half(**kwargs: Any) -> float:
    """An async reward function that takes everything."""
    return 0.5


def raises(completion: str) -> float:
    """A reward function that fails."""
    raise ValueError("no such file")


def state(completion: Any = "x = 4", answer: Any = "4", **more: Any) -> dict[str, Any]:
    """A rollout."""
    return {"prompt": "2+2?", "completion": completion, "answer": answer, **more}


async def scored(*args: Any, on: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """The state after scoring one rollout by a rubric made of the arguments."""
    result = state() if on is None else on
    await vf.Rubric(*args, **options).score_rollout(result)
    return result
