"""Options that several commands have."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, Final

from verifiers_math.cli.exits import CommandError

ROLES: Final = ("response", "gold", "prompt")
"""What a rollout has fields for."""

_LAST_PORT: Final = 65_535


def add_judge(parser: argparse.ArgumentParser, *, has_strict: bool = True) -> None:
    """The settings of the judge.

    Args:
        parser: The command's parser.
        has_strict: Whether it can be chosen where an answer counts.
    """
    group = parser.add_argument_group("the judge")
    group.add_argument(
        "--policy",
        choices=("default", "strict", "lenient"),
        default="default",
        help="what counts as the same (default: default)",
    )
    parser.set_defaults(strict=False)
    if has_strict:
        group.add_argument(
            "--strict",
            action=argparse.BooleanOptionalAction,
            help="take an answer in a box only, or wherever it stands (default)",
        )
    group.add_argument(
        "--timeout",
        type=positive,
        default=5.0,
        metavar="SECONDS",
        help="CPU time that a worker may spend on one pair (default: 5)",
    )


def add_fields(
    parser: argparse.ArgumentParser, *roles: str, dataset: str = "whose fields the rows have"
) -> None:
    """Where the rows have what is judged.

    Args:
        parser: The command's parser.
        *roles: What there are options for: ``--ROLE-field``.
        dataset: The help of ``--dataset``.
    """
    group = parser.add_argument_group("the rows")
    group.add_argument("--dataset", metavar="NAME", help=dataset)
    for role in roles:
        group.add_argument(
            f"--{role}-field", metavar="FIELD", help=f"where the {role} stands (default: a guess)"
        )


def add_limit(parser: argparse.ArgumentParser) -> None:
    """How many rows are looked at."""
    parser.add_argument("--limit", type=count, metavar="N", help="look at the first N rows only")


def add_show(parser: argparse.ArgumentParser, default: int, what: str) -> None:
    """How much of what was found is listed."""
    parser.add_argument(
        "--show",
        type=count,
        default=default,
        metavar="N",
        help=f"list N {what} at most (default: {default})",
    )


def add_progress(parser: argparse.ArgumentParser) -> None:
    """Whether a bar shows how far it is."""
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="show how far it is (default: on a terminal)",
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
    """A whole number from 1, for argparse; what no file has that many of means all."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return min(number, sys.maxsize)


def port(text: str) -> int:
    """A port to listen at, for argparse."""
    number = int(text)
    if not 0 <= number <= _LAST_PORT:
        raise argparse.ArgumentTypeError(f"must be from 0 to {_LAST_PORT}, not {text}")
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
