"""``serve``: the evaluators and the judge over HTTP, with a page to try them."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from verifiers_math.cli import options as shared
from verifiers_math.cli.exits import CommandError, Exit

SUMMARY: Final = "serve the judge over HTTP"

EXAMPLES: Final = """\
examples:
  verifiers-math serve
  verifiers-math serve --host 0.0.0.0 --port 9000 --token-env REWARD_TOKEN
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="the address to listen at (default: this machine only)")
    add("--port", type=shared.port, default=8000, help="the port; 0 for a free one (default: 8000)")
    token = parser.add_mutually_exclusive_group()
    token.add_argument(
        "--token-file", metavar="FILE", help="holds the token that clients must send"
    )
    token.add_argument("--token-env", metavar="NAME", help="the environment variable that holds it")
    add("--max-body", type=shared.count, metavar="BYTES", help="the largest body of a request")
    add("--workers", type=shared.count, metavar="N", help="worker processes at most")
    add(
        "--timeout",
        type=shared.positive,
        metavar="SECONDS",
        help="CPU time that a worker may spend on one pair",
    )


def run(options: argparse.Namespace) -> int:
    """Serves until it is told to end."""
    token = read_token(options)
    try:
        server = import_module("verifiers_math.server")
    except ImportError as error:
        raise CommandError(str(error)) from error  # it says what to install
    try:
        settings = server.Settings(token=token, **limits(options))
    except ValueError as error:
        raise CommandError(str(error)) from error
    server.run(options.host, options.port, settings)
    return Exit.OK


def limits(options: argparse.Namespace) -> dict[str, Any]:
    """The limits that the options set; the others are the server's own."""
    given = {
        "max_body_bytes": options.max_body,
        "max_workers": options.workers,
        "timeout_seconds": options.timeout,
    }
    return {name: value for name, value in given.items() if value is not None}


def read_token(options: argparse.Namespace) -> str | None:
    """The token, from where the options say; None where they name no place.

    Raises:
        CommandError: If there is none, which must not open the server to everybody.
    """
    if options.token_file is not None:
        try:
            token = Path(options.token_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"cannot read the token: {error}") from error
        place = options.token_file
    elif options.token_env is not None:
        token = os.environ.get(options.token_env, "").strip()
        place = f"the environment variable {options.token_env}"
    else:
        return None
    if not token:
        raise CommandError(f"{place} holds no token")
    return token
