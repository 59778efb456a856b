"""The shapes that pass between a trainer, a rubric and the judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from fractions import Fraction
from typing import Any, Literal

Gold = str | int | float | Fraction
"""The reference answer of a problem: text, or a number as data sets often hold it."""

Message = Mapping[str, Any] | Any
"""One chat message: a dict with ``role`` and ``content``, or an object with these attributes."""

Messages = Sequence[Message]
Completion = str | Messages
"""What a model wrote: plain text, or the messages of its turn (and of the turns before)."""

State = MutableMapping[str, Any]
"""A rollout: ``prompt``, ``completion``, ``answer`` and whatever else the environment keeps."""

RewardFunc = Callable[..., Any]
"""A sync or async function that scores one rollout, or a whole group of them."""

AssumeThinking = Literal["auto"] | bool
"""Whether a completion without a thinking tag began inside a thinking block."""

Unscored = Literal["zero", "none"]
"""The reward where a verdict says nothing about the answer: 0.0, or none at all."""

Strict = bool | Literal["####"]
"""Whether only a box counts as the final answer; "####" lets the mark of GSM8K count besides."""
