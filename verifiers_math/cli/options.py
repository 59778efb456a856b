"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from verifiers_math.cli.exits import CommandError


def add_judge(parser: argparse.ArgumentParser) -> None:
    """The settings of the judge."""
    group = parser.add_argument_group("the judge")
    group.add_argument(
        "--policy",
        choices=("default", "strict", "lenient"),
        default="default",
        help="what counts as the same (default: default)",
    )
    group.add_argument(
        "--strict",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="take an answer in a box only, or wherever it stands (default)",
    )
    group.add_argument(
        "--timeout",
        type=positive,
        default=5.0,
        metavar="SECONDS",
        help="CPU time that a worker may spend on one pair (default: 5)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Whether the result is for a program."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def judge_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The options of `add_judge` as settings of ``CorrectAnswer``."""
    return {
        "policy": options.policy,
        "strict": options.strict,
        "timeout_seconds": options.timeout,
    }


def positive(text: str) -> float:
    """A positive number, for argparse."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a positive number, not {text}")
    return number


def count(text: str) -> int:
    """A whole number from 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return number


def known(look_up: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """Looks a name up for a command: one that is not known ends it with the message.

    Args:
        look_up: Raises a KeyError for a name that it does not know.
        *arguments: Passed on.
        **settings: Passed on.

    Raises:
        CommandError: The name is not known.
    """
    try:
        return look_up(*arguments, **settings)
    except KeyError as error:
        raise CommandError(str(error.args[0])) from error
