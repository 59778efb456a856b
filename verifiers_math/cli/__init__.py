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
    try:
        has_output = sys.stdout is not None
        _open_standard_streams()
        options = build_parser().parse_args(arguments)
        if not has_output and options.command != "serve":
            raise CommandError("standard output is closed: there is no place for the result")
        run: Callable[[argparse.Namespace], int] = options.run
        with _termination_raised():
            code = run(options)
            _flush()
    except CommandError as error:
        _say(f"verifiers-math: {_cut(error)}")
        return error.code
    except BrokenPipeError:
        return _closed_pipe()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Terminated:
        return Exit.TERMINATED
    except Exception:
        _say(traceback.format_exc())
        return Exit.BUG
    return int(code)


def _open_standard_streams() -> None:
    """Has standard streams lead nowhere where they are closed.

    Else the next file that is opened takes their place, and gets what is meant for them.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 # for good


def _say(message: str) -> None:
    from verifiers_math.cli.console import messages

    messages().line(message)


def _cut(error: CommandError) -> str:
    from verifiers_math.cli.console import shown

    return shown(error, 2000)


def _flush() -> None:
    from verifiers_math.cli.console import output

    output().flush()


def _closed_pipe() -> Exit:
    from verifiers_math.cli.console import discard

    discard(sys.stdout)
    return Exit.CLOSED_PIPE


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
