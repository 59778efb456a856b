"""Score a file of rollouts and say of each why it got its reward.

python examples/score_rollouts.py [FILE]

Each line of the file is a JSON object with ``answer`` (the gold) and ``completion``. The one that
comes with this example holds right answers in another form, wrong ones, answers without a box,
unfinished thinking, answers that would take for ever to compute, and a gold that nobody can read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import verifiers_math as vf

BUNDLED = Path(__file__).with_name("rollouts.jsonl")
WIDTHS = {"gold": 18, "answer": 24, "reward": 6, "status": 15, "stage": 11}


def read_rollouts(path: Path) -> list[dict[str, Any]]:
    """Read one rollout from each line of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


async def score(rollouts: Iterable[dict[str, Any]]) -> None:
    """Score every rollout in place, all at once.

    A short soft limit, since two of the bundled answers use it up.
    """
    with vf.MathRubric(strict=True, timeout_seconds=1.0) as rubric:
        await asyncio.gather(*(rubric.score_rollout(rollout) for rollout in rollouts))


def cell(text: str, width: int) -> str:
    """The text on one line, cut or padded to a width."""
    text = " ".join(text.split())
    return (text if len(text) <= width else text[: width - 3] + "...").ljust(width)


def table(rollouts: Iterable[dict[str, Any]], width: int) -> str:
    """A table of scored rollouts: what was compared, the verdict, and below it the reason."""
    lines = ["  ".join(cell(name, size) for name, size in WIDTHS.items()).rstrip()]
    lines.append("  ".join("-" * size for size in WIDTHS.values()))
    for rollout in rollouts:
        verdict: vf.Verdict = rollout["verdict"]
        values = {
            "gold": str(rollout["answer"]),
            "answer": verdict.answer or "-",
            "reward": f"{rollout['reward']:.1f}",
            "status": verdict.status.value,
            "stage": verdict.stage or "-",
        }
        lines.append("  ".join(cell(values[name], size) for name, size in WIDTHS.items()).rstrip())
        reason = textwrap.wrap(verdict.detail, width - 4) or ["-"]
        lines += [f"    {line}" for line in reason]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Score a file and print the table; returns the exit code."""
    path = Path(arguments[0]) if arguments else BUNDLED
    try:
        rollouts = read_rollouts(path)
    except (OSError, ValueError) as error:
        print(f"cannot read {path}: {error}", file=sys.stderr)
        return 2
    logging.getLogger("verifiers_math").setLevel(logging.ERROR)  # the table says it all
    began = time.perf_counter()
    asyncio.run(score(rollouts))
    seconds = time.perf_counter() - began
    print(table(rollouts, min(100, shutil.get_terminal_size().columns)))
    right = sum(rollout["reward"] for rollout in rollouts)
    print(f"\n{right:.0f} of {len(rollouts)} rollouts were rewarded, in {seconds:.1f} s.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
