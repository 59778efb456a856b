"""The command line: ``python -m benchmarks NAME [options]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from benchmarks import (
    accuracy,
    attack,
    cli,
    footprint,
    fuzz,
    growth,
    ray,
    scaling,
    server,
    soak,
    throughput,
    trl_step,
)
from benchmarks.common import Report

Run = Callable[[argparse.Namespace], Report]

COMMANDS = {
    "accuracy": accuracy,
    "throughput": throughput,
    "attack": attack,
    "footprint": footprint,
    "fuzz": fuzz,
    "growth": growth,
    "scaling": scaling,
    "soak": soak,
    "trl_step": trl_step,
    "cli": cli,
    "server": server,
    "ray": ray,
}


def build_parser() -> argparse.ArgumentParser:
    """The parser with one sub-command for each benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        summary = (module.__doc__ or "").splitlines()[0]
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("--json", action="store_true", help="print the figures as JSON")
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark and print its report; 0 also where it was skipped for want of data."""
    options = build_parser().parse_args(arguments)
    run: Run = options.run
    report = run(options)
    print(json.dumps(report.to_dict(), indent=2) if options.json else report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
