"""The reward of one training step in TRL: the functions here beside TRL's own, on one batch.

Each repeat has a batch of its own that all judge in turn. TRL's ``accuracy_reward`` runs in the
main thread of a warm process, as it does in a trainer, and can be killed there: the second table
has the answer on which it does not come back.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import logging
import multiprocessing
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any

from benchmarks.common import Report, Table, duration, median, progress, skipped
from benchmarks.grpo_batch import MIX, Completion, Repeats, make_batch
from verifiers_math.integrations.trl import accuracy_reward, async_reward_funcs, reward_funcs
from verifiers_math.rubrics import MathRubric
from verifiers_math.verifier import default_verifier

NAME = "trl_step"
THEIRS = "trl.rewards.accuracy_reward"
SORTS: tuple[Repeats, ...] = ("none", "usual")
HANGS = r"\boxed{\dfrac{5^{\left(5^{\left(5^{\left(5^5\right)}\right)} - 4\right)} - 5}{16}}"
HANGS_GOLD = "$5$"

Rewards = Sequence[float | None]
Messages = list[dict[str, str]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--repeats", type=int, default=3, metavar="N", help="batches of each sort (default 3)")
    add("--groups", type=int, default=32, metavar="N", help="groups of 16 a step (default 32)")
    add("--seed", type=int, default=0, help="seed of the first batch (default 0)")
    add("--patience", type=float, default=30.0, metavar="S", help="kill TRL's after (default 30)")


@dataclass(frozen=True, slots=True)
class Step:
    """What the reward functions are called with.

    Attributes:
        completions: One message each.
        golds: Boxed, since TRL's function reads a bare LaTeX gold only in part.
        labels: What is right.
    """

    completions: list[Messages]
    golds: list[str]
    labels: list[bool]

    def wrong(self, rewards: Rewards) -> int:
        """How many rewards are not the label; None is none of them."""
        pairs = zip(rewards, self.labels, strict=True)
        return sum(reward != float(label) for reward, label in pairs)


def make_step(batch: Sequence[Completion]) -> Step:
    """A batch as a conversational trainer holds it."""
    return Step(
        [message(item.text) for item in batch],
        [rf"\boxed{{{item.gold}}}" for item in batch],
        [item.label for item in batch],
    )


def message(text: str) -> Messages:
    """A completion of a conversation."""
    return [{"role": "assistant", "content": text}]


# --- TRL's own function --------------------------------------------------------------------------


class Theirs:
    """``trl.rewards.accuracy_reward`` in a process that can be killed.

    Args:
        patience: Seconds after which it is.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        context = multiprocessing.get_context("spawn")
        self._connection, child = context.Pipe()
        self._process = context.Process(target=_serve, args=(child,), daemon=True)
        self._process.start()
        child.close()
        self._connection.recv()

    def reward(self, completions: list[Messages], golds: list[str]) -> tuple[Rewards, float] | None:
        """The rewards and the seconds of the call; None where it did not come back."""
        self._connection.send((completions, golds))
        if not self._connection.poll(self.patience):
            self.close()
            return None
        found: tuple[Rewards, float] = self._connection.recv()
        return found

    def close(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.join()
        self._connection.close()


def _serve(connection: Connection) -> None:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from trl.rewards import accuracy_reward as theirs

    logging.disable(logging.WARNING)  # its timeouts are warnings; the table has what they cost
    connection.send(None)
    while True:
        try:
            completions, golds = connection.recv()
        except EOFError:
            return
        start = perf_counter()
        rewards = theirs(completions, golds)
        connection.send((rewards, perf_counter() - start))


# --- ours ----------------------------------------------------------------------------------------


def by_function(step: Step) -> Rewards:
    """The drop-in function."""
    return accuracy_reward(completions=step.completions, solution=step.golds)


def by_rubric(step: Step) -> Rewards:
    """A new rubric's function."""
    with MathRubric(strict=True) as rubric:
        (function,), _ = reward_funcs(rubric)
        return function(completions=step.completions, solution=step.golds)


def by_async_rubric(step: Step) -> Rewards:
    """A new rubric's function, awaited."""
    with MathRubric(strict=True) as rubric:
        (function,), _ = async_reward_funcs(rubric)
        return asyncio.run(function(completions=step.completions, solution=step.golds))


OURS: dict[str, Callable[[Step], Rewards]] = {
    "accuracy_reward": by_function,
    "reward_funcs(MathRubric(strict=True))": by_rubric,
    "async_reward_funcs(MathRubric(strict=True))": by_async_rubric,
}


@dataclass(frozen=True, slots=True)
class Timed:
    """One call.

    Attributes:
        seconds: Its wall time.
        wrong: How many of its rewards are not the label.
    """

    seconds: float
    wrong: int


def run_step(step: Step, theirs: Theirs) -> dict[str, Timed]:
    """All judges on one batch, one after the other."""
    found = theirs.reward(step.completions, step.golds)
    if found is None:
        raise RuntimeError(f"{THEIRS} did not come back from a batch of honest answers")
    timed = {THEIRS: Timed(found[1], step.wrong(found[0]))}
    for name, judge in OURS.items():
        start = perf_counter()
        rewards = judge(step)
        timed[name] = Timed(perf_counter() - start, step.wrong(rewards))
    return timed


def step_figures(done: Sequence[dict[str, Timed]]) -> dict[str, dict[str, float]]:
    """Medians over the repeats, and the wrong rewards of all of them."""
    return {
        name: {
            "seconds": median(timed[name].seconds for timed in done),
            "ratio": median(timed[THEIRS].seconds / timed[name].seconds for timed in done),
            "wrong": sum(timed[name].wrong for timed in done),
        }
        for name in done[0]
    }


def step_table(figures: dict[Repeats, dict[str, dict[str, float]]], size: int) -> Table:
    """The time of a step's reward by function."""
    table = Table(
        f"The reward of a step of {size} completions",
        ["repeats in a group", "by", "time", "times as fast", "wrong"],
        left=frozenset({"by"}),
    )
    for repeats, by_judge in figures.items():
        for name, found in by_judge.items():
            ratio = f"{found['ratio']:.0f}x" if name != THEIRS else "1x"
            table.add(repeats, name, duration(found["seconds"]), ratio, found["wrong"])
    return table


def hang_figures(theirs: Theirs, others: Step) -> dict[str, Any]:
    """One answer that does not end among honest ones, by the drop-in function and by TRL's."""
    completions = [message(HANGS), *others.completions]
    golds = [HANGS_GOLD, *others.golds]
    start = perf_counter()
    statuses: list[str] = []
    rewards = accuracy_reward(
        completions,
        golds,
        log_extra=lambda column, values: statuses.extend(values if "status" in column else ()),
    )
    seconds = perf_counter() - start
    found = theirs.reward(completions, golds)
    return {
        "size": len(completions),
        "seconds": seconds,
        "status": statuses[0],
        "reward": rewards[0],
        "wrong": others.wrong(rewards[1:]),
        "their_seconds": None if found is None else found[1],
        "patience": theirs.patience,
    }


def hang_table(figures: dict[str, Any]) -> Table:
    """What becomes of a step with that answer in it."""
    table = Table(
        f"A step of {figures['size']} completions, one of them a tower of powers",
        ["by", "time", "its status", "wrong of the others"],
        left=frozenset({"its status"}),
    )
    theirs = figures["their_seconds"]
    patience = duration(figures["patience"])
    late = f"killed after {patience}" if theirs is None else duration(theirs)
    table.add(THEIRS, late, "-", "-")
    table.add("accuracy_reward", duration(figures["seconds"]), figures["status"], figures["wrong"])
    return table


def run(options: argparse.Namespace) -> Report:
    """Reward the batches in turn and compare."""
    if importlib.util.find_spec("trl") is None:
        return skipped(NAME, "TRL is not installed")
    theirs = Theirs(options.patience)
    try:
        default_verifier().warm_up()
        # Once without a measurement: all load what they load on first use.
        run_step(make_step(make_batch("usual", groups=20, seed=options.seed - 1)), theirs)
        done: dict[Repeats, list[dict[str, Timed]]] = {repeats: [] for repeats in SORTS}
        for repeat in range(options.repeats):
            for repeats in SORTS:
                progress(f"repeat {repeat + 1} of {options.repeats}, repeats={repeats}")
                batch = make_batch(repeats, groups=options.groups, seed=options.seed + repeat)
                done[repeats].append(run_step(make_step(batch), theirs))
        progress("the answer that does not end")
        hang = hang_figures(theirs, make_step(make_batch("usual", groups=2, seed=options.seed)))
    finally:
        theirs.close()
    figures = {repeats: step_figures(steps) for repeats, steps in done.items()}
    size = options.groups * 16
    return Report(
        NAME,
        [step_table(figures, size), hang_table(hang)],
        [f"the mix of answers: {MIX}", "golds are boxed; wrong counts over all repeats"],
        {"size": size, "steps": figures, "hang": hang},
    )
