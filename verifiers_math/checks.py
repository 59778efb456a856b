"""Checks of what callers pass: each error names the argument, what it got and what it may be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def kind_of(value: object) -> str:
    """What a value is, as the message of an error says it: ``str``, ``None``, ``the class int``."""
    if value is None:
        return "None"
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__


def check_choice(name: str, value: object, choices: Iterable[object]) -> None:
    """Checks that a setting has one of its values.

    Settings also come from configuration files, where "false" may arrive as text, which is true.

    Raises:
        ValueError: If it has none of them.
    """
    choices = tuple(choices)
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(map(repr, choices))}, not {value!r:.100}")


def check_search(strict: object, assume_thinking: object) -> None:
    """Checks how the final answer is to be looked for; see `Verifier.verify`.

    Raises:
        ValueError: If one of them has none of its values.
    """
    check_choice("strict", strict, (True, False, "####"))
    check_choice("assume_thinking", assume_thinking, (True, False, "auto"))


def check_positive(**limits: Any) -> None:
    """Checks limits that may be any positive number.

    Raises:
        ValueError: If one is not finite and above 0.
    """
    for name, limit in limits.items():
        if not isinstance(limit, (int, float)) or not 0 < limit < math.inf:
            raise ValueError(f"{name} must be a positive number, got {limit!r}")


def whole_number(name: str, value: Any, least: int) -> int:
    """A count as an integer: configurations and ``2e9`` bring it as a float.

    Args:
        name: The argument.
        value: What was given.
        least: The least that it may be.

    Raises:
        ValueError: If it is less, or no whole number.
    """
    is_whole = hasattr(value, "__index__") or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not is_whole or value < least:
        raise ValueError(f"{name} must be a whole number from {least} on, got {value!r}")
    return int(value)


def check_list(name: str, value: object, of: str) -> None:
    """Checks that an argument is a list, and not one member of it or a text.

    Args:
        name: The argument.
        value: What was given.
        of: What it is a list of.

    Raises:
        TypeError: If it is none.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is a list of {of}, not {kind_of(value)}: put it in brackets")
