"""Answers per second on a GRPO batch, against math_verify one after the other in the same run.

Each repeat has a batch of its own that both judge in turn: ours by a new Verifier with an empty
cache, math_verify in one warm process without limits. Figures are medians over the repeats.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from benchmarks.common import (
    WORKER_STAGES,
    Report,
    Table,
    duration,
    goal,
    median,
    percent,
    percentile,
    progress,
    stage_order,
    three_digits,
)
from benchmarks.grpo_batch import MIX, Completion, Repeats, make_batch
from benchmarks.peer import Peer, PeerItem, PeerVerdict
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.rubrics import MathRubric
from verifiers_math.verifier import Verifier

NAME = "throughput"
GOALS: dict[Repeats, float] = {"none": 100, "usual": 300}
MOST_IN_WORKERS = 0.005
MEDIAN_GOAL = 60e-6
P99_GOAL = 5e-3
RUBRIC_GOAL = 40e-6
RUBRIC_ROUNDS = 25


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--repeats", type=int, default=3, metavar="N", help="batches of each sort (default 3)")
    add("--groups", type=int, default=64, metavar="N", help="groups in a batch (default 64)")
    add("--seed", type=int, default=0, help="seed of the first batch (default 0)")
    add("--no-peer", action="store_true", help="leave math_verify out")


@dataclass(frozen=True, slots=True)
class Pass:
    """One batch, judged by both.

    Attributes:
        batch: The completions.
        many_seconds: Wall time of ``verify_many`` on the batch.
        verdicts: Its verdicts.
        singles: Wall time of ``verify`` on each pair, one after the other, by a new Verifier.
        single_verdicts: Those verdicts.
        peer: math_verify's verdicts; empty where it was left out.
    """

    batch: Sequence[Completion]
    many_seconds: float
    verdicts: Sequence[Verdict]
    singles: Sequence[float]
    single_verdicts: Sequence[Verdict]
    peer: Sequence[PeerVerdict]

    @property
    def peer_seconds(self) -> float:
        """math_verify's time for the batch, one after the other; NaN where it was left out."""
        return sum(verdict.seconds for verdict in self.peer) if self.peer else float("nan")

    def wrong(self, equals: Sequence[bool]) -> int:
        """How many of some verdicts are not the label."""
        return sum(equal != item.label for equal, item in zip(equals, self.batch, strict=True))


def _many(batch: Sequence[Completion]) -> tuple[float, list[Verdict]]:
    with Verifier() as verifier:
        verifier.warm_up()
        pairs = [(item.gold, item.text) for item in batch]
        start = perf_counter()
        verdicts = verifier.verify_many(pairs)
        return perf_counter() - start, verdicts


def _one_by_one(batch: Sequence[Completion]) -> tuple[list[float], list[Verdict]]:
    seconds, verdicts = [], []
    with Verifier() as verifier:
        verifier.warm_up()
        for item in batch:
            start = perf_counter()
            verdict = verifier.verify(item.gold, item.text)
            seconds.append(perf_counter() - start)
            verdicts.append(verdict)
    return seconds, verdicts


def run_pass(batch: Sequence[Completion], peer: Peer | None) -> Pass:
    """Judge a batch by ``verify_many``, one by one, and by the peer."""
    many_seconds, verdicts = _many(batch)
    singles, single_verdicts = _one_by_one(batch)
    items = [PeerItem(item.gold, item.text, is_response=True) for item in batch]
    asked = [] if peer is None else [peer.judge(item) for item in items]
    return Pass(batch, many_seconds, verdicts, singles, single_verdicts, asked)


def speed_table(passes: dict[Repeats, list[Pass]]) -> Table:
    """Answers per second and the ratio to the peer."""
    table = Table(
        "Answers per second, cold cache (median over the repeats)",
        [
            "repeats in a group",
            "answers",
            "distinct",
            "math_verify",
            "verify_many",
            "ratio",
            "goal",
            "one by one",
            "one by one: ratio",
        ],
    )
    for repeats, done in passes.items():
        figures = speed_figures(done)
        table.add(
            repeats,
            len(done[0].batch),
            figures["distinct"],
            three_digits(figures["peer_per_second"]),
            three_digits(figures["many_per_second"]),
            f"{figures['many_ratio']:.0f}x",
            f"{GOALS[repeats]:.0f}x",
            three_digits(figures["single_per_second"]),
            f"{figures['single_ratio']:.0f}x",
        )
    return table


def speed_figures(done: Sequence[Pass]) -> dict[str, Any]:
    """The speed of some passes as plain data."""
    amount = len(done[0].batch)
    singles = [sum(item.singles) for item in done]
    return {
        "answers": amount,
        "distinct": len({(item.gold, item.answer) for item in done[0].batch}),
        "peer_per_second": amount / median(item.peer_seconds for item in done),
        "many_per_second": amount / median(item.many_seconds for item in done),
        "many_ratio": median(item.peer_seconds / item.many_seconds for item in done),
        "many_ratios": [item.peer_seconds / item.many_seconds for item in done],
        "single_per_second": amount / median(singles),
        "single_ratio": median(
            item.peer_seconds / seconds for item, seconds in zip(done, singles, strict=True)
        ),
    }


def latency_table(passes: dict[Repeats, list[Pass]]) -> Table:
    """Time of one pair and how many verdicts are wrong."""
    table = Table(
        "One pair at a time, and verdicts that are not the label",
        ["repeats in a group", "by", "median", "99 %", "max", "wrong"],
        left=frozenset({"by"}),
    )
    for repeats, done in passes.items():
        for name, figures in latency_figures(done).items():
            table.add(
                repeats,
                name,
                *(duration(figures[key]) for key in ("median", "p99", "max")),
                figures["wrong"],
            )
    return table


def latency_figures(done: Sequence[Pass]) -> dict[str, dict[str, float]]:
    """The latency of both, in seconds, and their wrong verdicts over all repeats."""
    found = {
        "verify": _latency(
            [seconds for item in done for seconds in item.singles],
            sum(item.wrong([verdict.equal for verdict in item.single_verdicts]) for item in done),
        ),
    }
    found["verify"]["wrong_many"] = sum(
        item.wrong([verdict.equal for verdict in item.verdicts]) for item in done
    )
    if done[0].peer:
        found["math_verify"] = _latency(
            [verdict.seconds for item in done for verdict in item.peer],
            sum(item.wrong([verdict.equal for verdict in item.peer]) for item in done),
        )
    return found


def _latency(seconds: Sequence[float], wrong: int) -> dict[str, float]:
    return {
        "median": median(seconds),
        "p99": percentile(seconds, 0.99),
        "max": max(seconds),
        "wrong": wrong,
    }


def kinds_table(done: Sequence[Pass]) -> Table:
    """By kind of answer: time of both, and the stages that decided."""
    stages = stage_order(verdict.stage for item in done for verdict in item.single_verdicts)
    table = Table(
        "By kind of answer (no pair repeated)",
        ["kind", "answers", *stages, "median", "99 %", "wrong", "math_verify median"],
    )
    rows = [
        (item.kind, item.label, verdict, seconds)
        for done_pass in done
        for item, verdict, seconds in zip(
            done_pass.batch, done_pass.single_verdicts, done_pass.singles, strict=True
        )
    ]
    peer: dict[str, list[float]] = {}
    for done_pass in done:
        # The peer's list is empty where it was left out.
        for item, judged in zip(done_pass.batch, done_pass.peer, strict=False):
            peer.setdefault(item.kind, []).append(judged.seconds)
    for kind in dict.fromkeys(row[0] for row in rows):
        mine = [row for row in rows if row[0] == kind]
        shares = Counter(verdict.stage for _, _, verdict, _ in mine)
        times = [seconds for *_, seconds in mine]
        table.add(
            kind,
            len(mine),
            *(percent(shares[stage], len(mine)) for stage in stages),
            duration(median(times)),
            duration(percentile(times, 0.99)),
            sum(verdict.equal != label for _, label, verdict, _ in mine),
            duration(median(peer.get(kind, []))),
        )
    table.rows.sort(key=lambda row: str(row[0]) != "integer")
    return table


def stage_figures(done: Sequence[Pass]) -> dict[str, Any]:
    """How many pairs each stage decided, and the share that reached a worker."""
    shares = Counter(verdict.stage for item in done for verdict in item.single_verdicts)
    reached = sum(shares[stage] for stage in WORKER_STAGES)
    return {"stages": dict(shares), "in_workers": reached / shares.total()}


def notes(figures: dict[Repeats, Any], with_peer: bool) -> list[str]:
    """The mix, the goals and the labels."""
    found = [f"the mix of answers: {MIX}"]
    for repeats, part in figures.items():
        if with_peer:
            met = part["speed"]["many_ratio"] >= GOALS[repeats]
            found.append(goal(f"ratio with repeats={repeats}, goal {GOALS[repeats]:.0f}x", met))
        share = part["stages"]["in_workers"]
        text = f"reached a worker with repeats={repeats}: {percent(share, 1)}, goal 0.5 %"
        found.append(goal(text, share <= MOST_IN_WORKERS))
        latency = part["latency"]["verify"]
        text = f"one pair, repeats={repeats}: goal median 60 µs and 99 % within 5 ms"
        met = latency["median"] <= MEDIAN_GOAL and latency["p99"] <= P99_GOAL
        found.append(goal(text, met))
        found.append(f"wrong in verify_many, repeats={repeats}: {latency['wrong_many']}")
    return found


def rubric_figures(batch: Sequence[Completion]) -> dict[str, float]:
    """What ``MathRubric.score_group`` takes beyond ``verify_many``, in CPU seconds a rollout.

    Both read the same responses, in turns, with pairs that the verifier has judged before: so they
    differ in what the rubric adds, and no worker's time is among it. It is CPU time of this process
    in the best of several rounds: what a busy machine adds says nothing of either.
    """
    pairs = [(item.gold, item.text) for item in batch]
    bare, scored = [], []
    with Verifier() as verifier:
        verifier.verify_many(pairs)
        rubric = MathRubric(verifier=verifier)
        for _ in range(RUBRIC_ROUNDS):
            start = process_time()
            verifier.verify_many(pairs)
            bare.append(process_time() - start)
            scored.append(asyncio.run(_score_group(rubric, pairs)))
    less, more = min(bare) / len(batch), min(scored) / len(batch)
    return {"verify_many": less, "score_group": more, "overhead": more - less}


async def _score_group(rubric: MathRubric, pairs: Sequence[tuple[str, str]]) -> float:
    states = [{"prompt": "", "completion": text, "answer": gold} for gold, text in pairs]
    start = process_time()
    await rubric.score_group(states)
    return process_time() - start


def rubric_table(figures: dict[str, float]) -> Table:
    """CPU time of a rollout by ``verify_many`` and by a rubric."""
    table = Table(
        "CPU time of one rollout of a batch, its pair judged before",
        ["", "verify_many", "score_group", "score_group overhead", "goal"],
    )
    shown = [duration(figures[key]) for key in ("verify_many", "score_group", "overhead")]
    table.add("correct_answer alone", *shown, duration(RUBRIC_GOAL))
    return table


def run(options: argparse.Namespace) -> Report:
    """Judge the batches in turn and compare."""
    peer = None if options.no_peer else Peer(limit=None, wall_seconds=300.0)
    passes: dict[Repeats, list[Pass]] = {repeats: [] for repeats in GOALS}
    try:
        # Once without a measurement: both load what they load on first use.
        run_pass(make_batch("usual", groups=min(options.groups, 20), seed=options.seed - 1), peer)
        for repeat in range(options.repeats):
            for repeats, done in passes.items():
                progress(f"repeat {repeat + 1} of {options.repeats}, repeats={repeats}")
                batch = make_batch(repeats, groups=options.groups, seed=options.seed + repeat)
                done.append(run_pass(batch, peer))
    finally:
        if peer is not None:
            peer.close()
    figures: dict[Repeats, Any] = {
        repeats: {
            "speed": speed_figures(done),
            "latency": latency_figures(done),
            "stages": stage_figures(done),
        }
        for repeats, done in passes.items()
    }
    rubric = rubric_figures(passes["usual"][-1].batch)
    tables = [
        speed_table(passes),
        latency_table(passes),
        rubric_table(rubric),
        kinds_table(passes["none"]),
    ]
    met = rubric["overhead"] <= RUBRIC_GOAL
    return Report(
        NAME,
        tables,
        [*notes(figures, peer is not None), goal("score_group overhead, goal 40 µs", met)],
        {**{str(name): part for name, part in figures.items()}, "rubric": rubric},
    )
