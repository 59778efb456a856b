"""The command line: ``verifiers-math COMMAND``, or ``python -m verifiers_math COMMAND``.

One module a command, with ``SUMMARY``, ``EXAMPLES``, ``add_arguments`` and ``run``. They import
what is heavy when they run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from verifiers_math import __version__
from verifiers_math.cli import audit, compare, doctor, explain, report, score, serve
from verifiers_math.cli.exits import MEANINGS, CommandError, Exit, Terminated

COMMANDS: Final = {
    "score": score,
    "explain": explain,
    "audit": audit,
    "compare": compare,
    "report": report,
    "doctor": doctor,
    "serve": serve,
}


def build_parser() -> argparse.ArgumentParser:
    """The parser with one sub-command for each command."""
    parser = argparse.ArgumentParser(
        prog="verifiers-math",
        description="Judges whether answers to mathematics problems are right.",
        epilog=MEANINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"verifiers-math {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=(module.__doc__ or "").strip(),
            epilog=f"{module.EXAMPLES}\n{MEANINGS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        arguments: The command line without the program's name; None for the process's own.

    Returns:
        The exit code: see `Exit`.
    """
    options = build_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        with _termination_raised():
            code = run(options)
            sys.stdout.flush()
    except CommandError as error:
        _say(str(error))
        return error.code
    except BrokenPipeError:
        # Python flushes standard output once more at its end; there it must find a place.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.CLOSED_PIPE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Terminated:
        return Exit.TERMINATED
    except Exception:
        traceback.print_exc()
        return Exit.BUG
    return int(code)


def _say(message: str) -> None:
    from verifiers_math.cli.console import messages, shown

    messages().line(f"verifiers-math: {shown(message, 2000)}")


@contextlib.contextmanager
def _termination_raised() -> Iterator[None]:
    """Has SIGTERM raise `Terminated`, so that what is finished is kept as after Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raise_terminated(*_: Any) -> None:
    raise Terminated
