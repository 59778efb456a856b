"""Score a file of rollouts on a Ray cluster, in three ways that agree.

python examples/ray_scoring.py [FILE] [--address ADDRESS] [--out FILE]

Without an address Ray starts a cluster of its own on this machine. Each line of the file is a JSON
object with ``answer`` (the gold) and ``completion``; the bundled one is that of score_rollouts.py.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from score_rollouts import BUNDLED, read_rollouts

from verifiers_math.answers import AnswerJudge, answer_judge
from verifiers_math.integrations.ray import RewardPool, score_dataset, score_file

# A short soft limit, as the bundled answers would be right within milliseconds or never.
JUDGE: AnswerJudge = answer_judge(timeout_seconds=1.0)


def by_pool(path: Path) -> Counter[str]:
    """As a trainer does it: batches from its own process, judged by the actors of a pool."""
    rollouts = read_rollouts(path)
    answers = [(row["completion"], row["answer"], row.get("problem")) for row in rollouts]
    with RewardPool(JUDGE, name="example") as pool:
        verdicts = asyncio.run(pool.averdicts(answers))
    return Counter(verdict.status.value for verdict in verdicts)


def by_data_set(path: Path) -> Counter[str]:
    """As a pipeline does it: a Ray data set, read, scored and counted in a stream."""
    import ray.data

    # Not with lines=True: pandas would read it then, and make numbers of golds such as "0.50".
    scored = score_dataset(ray.data.read_json(str(path)), judge=JUDGE)
    return Counter(row["status"] for row in scored.iter_rows())


def by_file(path: Path, out: Path) -> Counter[str]:
    """File to file, in the same order; the same call resumes it when it was killed."""
    return score_file(path, out, judge=JUDGE)


def main(arguments: list[str]) -> int:
    """Score a file in each way and print what was found; returns the exit code."""
    parser = argparse.ArgumentParser(description="Score a file of rollouts on a Ray cluster.")
    parser.add_argument("file", nargs="?", type=Path, default=BUNDLED)
    parser.add_argument("--address", help="of a running cluster")
    parser.add_argument("--out", type=Path, help="where the scored rows go")
    options = parser.parse_args(arguments)
    import ray

    if options.address is None:  # a cluster of this machine alone
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    ray.init(address=options.address, include_dashboard=False, log_to_driver=False)
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or Path(folder, "scored.jsonl")
        for name, counts in (
            ("pool", by_pool(options.file)),
            ("data set", by_data_set(options.file)),
            ("file", by_file(options.file, out)),
        ):
            found = ", ".join(f"{status} {amount}" for status, amount in sorted(counts.items()))
            print(f"{name:8}  {found}")
    ray.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
