"""TRL's reward functions in axolotl 0.21: found by a path, run by daemonic workers over a pipe."""

from __future__ import annotations

import inspect
import math
import multiprocessing
from multiprocessing.connection import Connection

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math import MathRubric
from verifiers_math.integrations.trl import reward_funcs

rubric = MathRubric(strict=True, timeout_seconds=1, unscored="none")
(correct_answer,), _ = reward_funcs(rubric)
"""What ``trl.reward_funcs: [my_rewards.correct_answer]`` finds in a user's module."""


def persistent_worker(pipe: Connection) -> None:
    """axolotl's reward worker: takes functions and rows, answers lists, or None for an error."""
    while (work := pipe.recv()) is not None:
        functions, prompts, completions, ids, rows = work
        columns = {key: [row[key] for row in rows] for key in rows[0] if key != "prompt"}
        try:
            results = [
                [
                    float(reward) if reward is not None else float("nan")
                    for reward in function(
                        prompts=prompts, completions=completions, completion_ids=ids, **columns
                    )
                ]
                for function in functions
            ]
            pipe.send((multiprocessing.current_process().daemon, results))
        except Exception:
            pipe.send(None)


def test_a_function_has_the_parameters_that_axolotl_counts() -> None:
    assert len(inspect.signature(correct_answer).parameters) >= 2


def test_it_judges_in_daemonic_workers() -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    worker = context.Process(target=persistent_worker, args=(theirs,), daemon=True)
    worker.start()
    completions = [r"\boxed{4}", r"\boxed{5}", NEEDS_WORKER, STUCK]
    golds = ["4", "4", NEEDS_WORKER_GOLD, STUCK_GOLD]
    rows = [{"prompt": "q", "answer": gold, "level": 1} for gold in golds]
    try:
        ours.send(([correct_answer], ["q"] * 4, completions, [[1]] * 4, rows))
        assert ours.poll(120)
        daemonic, (rewards,) = ours.recv()
        assert daemonic
        assert rewards[:3] == [1.0, 0.0, 1.0]
        assert math.isnan(rewards[3])  # it could not be judged
        ours.send(None)
        worker.join(timeout=60)
        assert worker.exitcode == 0
    finally:
        worker.kill()
