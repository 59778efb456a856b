"""Attacks among honest answers in one group: who is judged right, how fast, and what is left.

All are scored in one call of ``MathRubric.score_group``, first the honest ones alone, then with
the attacks among them. ``--alone`` sends each attack by itself and an honest answer behind it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.common import (
    DEFAULT_DATA,
    WORKER_STAGES,
    Report,
    Table,
    cores,
    duration,
    goal,
    median,
    percentile,
    progress,
    skipped,
)
from benchmarks.corpora import Attack, load_attacks
from benchmarks.grpo_batch import make_batch
from benchmarks.processes import cpu_seconds, descendants, memory, reset_peaks, still_alive
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.rubrics import MathRubric
from verifiers_math.verifier import Verifier

NAME = "attack"
LONGEST_HONEST_SECONDS = 2.0
GRACE_SECONDS = 0.2
MAX_WORKERS = 50

# Honest answers that are hard to decide without computer algebra; N is a number above 2.
HARD: tuple[tuple[str, str, bool], ...] = (
    (r"\log_2 N", r"\frac{\ln N}{\ln 2}", True),
    (r"\sqrt{N}+\sqrt{2}", r"\frac{N-2}{\sqrt{N}-\sqrt{2}}", True),
    (r"\sqrt{N}+\sqrt{2}", r"\frac{N-2}{\sqrt{N}+\sqrt{2}}", False),
    (
        r"\begin{pmatrix}1&2\\3&N\end{pmatrix}",
        r"\begin{pmatrix}1&2\\\frac{6}{2}&N\end{pmatrix}",
        True,
    ),
    (r"\begin{pmatrix}1&2\\3&N\end{pmatrix}", r"\begin{pmatrix}1&2\\4&N\end{pmatrix}", False),
    (r"N\sin x\cos x", r"\frac{N}{2}\sin(2x)", True),
    (r"N\sin x\cos x", r"\frac{N}{2}\cos(2x)", False),
    (r"x^2+Nx+1=0", r"-x^2-Nx-1=0", True),
)


def hard_answers(amount: int) -> list[tuple[str, str, bool]]:
    """Distinct triples of gold, answer and label that are hard to decide."""
    numbers = islice(count(11), amount)
    return [
        (gold.replace("N", str(number)), answer.replace("N", str(number)), label)
        for number, (gold, answer, label) in zip(numbers, cycle(HARD), strict=False)
    ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--data", type=Path, default=DEFAULT_DATA, metavar="DIR", help="holds cases/")
    add("--attacks", type=int, default=64, metavar="N", help="attacks in the group (default 64)")
    add("--honest", type=int, default=960, metavar="N", help="honest answers (default 960)")
    add("--soft", type=float, default=5.0, metavar="S", help="soft timeout in seconds (default 5)")
    add("--alone", action="store_true", help="each attack by itself instead")
    add("--kinds", default="", metavar="A,B", help="honest answers of these kinds only")
    add("--ids", default="", metavar="A,B", help="only these attacks")


@dataclass(slots=True)
class Submission:
    """One completion in the group.

    Attributes:
        gold: The reference answer.
        text: The completion.
        right: The rewards that are right for it.
        attack: The attack's id; ``""`` for an honest answer.
        state: The rollout that was scored; its ``verdict`` is our judgement.
        done: Seconds after the start of the group at which it had its reward.
    """

    gold: str
    text: str
    right: frozenset[bool]
    attack: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    done: float = float("nan")

    @property
    def verdict(self) -> Verdict:
        """Our judgement."""
        verdict: Verdict = self.state["verdict"]
        return verdict

    @property
    def is_right(self) -> bool:
        """Whether it was judged as it should be."""
        return self.verdict.equal in self.right

    @property
    def in_worker(self) -> bool:
        """Whether the pure stages left it to a worker."""
        return self.verdict.stage in WORKER_STAGES


def honest_submissions(amount: int, only: str = "") -> list[Submission]:
    """Labelled answers of the GRPO batch, and a few more that are hard to decide.

    Args:
        amount: How many.
        only: Kinds of answers to keep to, with commas between; "" for the usual mix.
    """
    hard = hard_answers(min(16, amount // 4))
    chosen = tuple(name for name in only.split(",") if name)
    batch = make_batch("none", groups=-(-amount // 16), only=chosen)[: amount - len(hard)]
    easy = [Submission(item.gold, item.text, frozenset({item.label})) for item in batch]
    return easy + [
        Submission(gold, rf"So it is \boxed{{{answer}}}.", frozenset({label}))
        for gold, answer, label in hard
    ]


def attack_submissions(attacks: Sequence[Attack], amount: int) -> list[Submission]:
    """The attacks over and over until there are enough."""
    return [
        Submission(item.gold, item.response, right_verdicts(item), item.id)
        for item in islice(cycle(attacks), amount)
    ]


def right_verdicts(attack: Attack) -> frozenset[bool]:
    """The verdicts that are right for an attack."""
    allowed = ((True, attack.may_equal), (False, attack.may_differ))
    return frozenset(verdict for verdict, is_allowed in allowed if is_allowed)


def spread(few: Sequence[Submission], many: Sequence[Submission]) -> list[Submission]:
    """Both in one list, the few at even distances among the many, one of them first."""
    step = max(len(many) // len(few), 1) if few else 1
    mixed: list[Submission] = []
    rest = iter(many)
    for item in few:
        mixed += [item, *islice(rest, step)]
    return [*mixed, *rest]


@dataclass(frozen=True, slots=True)
class Scored:
    """A group after scoring.

    Attributes:
        submissions: All of them, with verdict and time.
        seconds: Wall time of ``score_group``.
        longest_stall: The longest time in seconds that the event loop answered nobody.
        left: Processes of the judge that ran on after it was closed.
    """

    submissions: Sequence[Submission]
    seconds: float
    longest_stall: float
    left: int


async def _watch_loop(stalls: list[float]) -> None:
    pause = 0.01
    while True:
        start = perf_counter()
        try:
            await asyncio.sleep(pause)
        finally:  # also where the group ended before the loop woke it up
            stalls.append(perf_counter() - start - pause)


async def _score(submissions: Sequence[Submission], soft: float) -> Scored:
    before = descendants()
    rubric = MathRubric(max_workers=MAX_WORKERS, timeout_seconds=soft)
    by_state: dict[int, Submission] = {}
    for item in submissions:
        item.state = {"prompt": "", "completion": item.text, "answer": item.gold}
        by_state[id(item.state)] = item
    start = 0.0

    async def stamp(state: Any) -> float:
        if item := by_state.get(id(state)):  # None for the answer that warms up
            item.done = perf_counter() - start
        return 0.0

    # Functions run in order within a rollout, so this one runs when the reward is there.
    rubric.add_metric(stamp)
    await _warm_up(rubric)
    stalls = [0.0]
    watcher = asyncio.create_task(_watch_loop(stalls))
    start = perf_counter()
    await rubric.score_group([item.state for item in submissions])
    seconds = perf_counter() - start
    watcher.cancel()
    with suppress(asyncio.CancelledError):
        await watcher
    started = descendants() - before
    await rubric.teardown()
    left = still_alive(started | (descendants() - before), within_seconds=1.0)
    return Scored(submissions, seconds, max(stalls), len(left))


async def _warm_up(rubric: MathRubric) -> None:
    """Score one answer that needs a worker, so that the start of workers is not measured."""
    gold, answer, _ = hard_answers(99)[-1]
    await rubric.score_rollout({"prompt": "", "completion": rf"\boxed{{{answer}}}", "answer": gold})


def score(submissions: Sequence[Submission], soft: float) -> Scored:
    """Score a group with a new rubric on warm workers, and close it."""
    return asyncio.run(_score(submissions, soft))


def group_figures(scored: Scored) -> dict[str, Any]:
    """The numbers of one group, in seconds."""
    honest = [item for item in scored.submissions if not item.attack]
    attacks = [item for item in scored.submissions if item.attack]
    pure = [item.verdict.seconds for item in honest if not item.in_worker]
    worked = [item for item in honest if item.in_worker]
    return {
        "honest": len(honest),
        "honest_wrong": sum(not item.is_right for item in honest),
        "attacks": len(attacks),
        "attacks_wrong": sum(not item.is_right for item in attacks),
        "pure_median": median(pure),
        "pure_p99": percentile(pure, 0.99),
        "pure_last_done": max((i.done for i in honest if not i.in_worker), default=float("nan")),
        "worker": len(worked),
        "worker_max": max((item.verdict.seconds for item in worked), default=float("nan")),
        "worker_last_done": max((item.done for item in worked), default=float("nan")),
        "attack_max": max((item.verdict.seconds for item in attacks), default=float("nan")),
        "total": scored.seconds,
        "longest_stall": scored.longest_stall,
        "processes_left": scored.left,
    }


LINES: tuple[tuple[str, str], ...] = (
    ("honest", "honest answers"),
    ("honest_wrong", "honest answers judged wrong"),
    ("attacks", "attacks"),
    ("attacks_wrong", "attacks judged wrong"),
    ("pure_median", "honest, decided by pure stages: median"),
    ("pure_p99", "honest, decided by pure stages: 99 %"),
    ("pure_last_done", "the last of these had its reward after"),
    ("worker", "honest answers that needed a worker"),
    ("worker_max", "honest, by a worker: longest judgement"),
    ("worker_last_done", "the last of these had its reward after"),
    ("attack_max", "attack: longest judgement"),
    ("total", "the whole group"),
    ("longest_stall", "longest stall of the event loop"),
    ("processes_left", "processes left after closing"),
)


def group_table(without: dict[str, Any], attacked: dict[str, Any]) -> Table:
    """Both groups side by side."""
    table = Table("One group, without and with the attacks", ["", "without", "with"])
    for key, text in LINES:
        table.add(text, *(_cell(figures[key]) for figures in (without, attacked)))
    return table


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else duration(value)


def attack_table(scored: Scored) -> Table:
    """Each attack's verdict within the group."""
    table = Table(
        "The attacks in the group",
        ["attack", "times", "status", "stage", "longest judgement", "right"],
        left=frozenset({"status", "stage"}),
    )
    by_id: dict[str, list[Submission]] = {}
    for item in scored.submissions:
        if item.attack:
            by_id.setdefault(item.attack, []).append(item)
    for name, items in sorted(by_id.items()):
        table.add(
            name,
            len(items),
            ", ".join(sorted({item.verdict.status.value for item in items})),
            ", ".join(sorted({item.verdict.stage for item in items})),
            duration(max(item.verdict.seconds for item in items)),
            "yes" if all(item.is_right for item in items) else "NO",
        )
    return table


def wrong_table(scored: Scored) -> Table:
    """The honest answers that were judged wrong."""
    table = Table(
        "Honest answers judged wrong",
        ["gold", "answer", "status", "stage", "detail"],
        left=frozenset({"answer", "status", "stage", "detail"}),
    )
    for item in scored.submissions:
        if not item.attack and not item.is_right:
            verdict = item.verdict
            cells = (verdict.status.value, verdict.stage, verdict.detail[:80])
            table.add(item.gold[:40], verdict.answer[:40], *cells)
    return table


def group_notes(attacked: dict[str, Any], scored: Scored, soft: float) -> list[str]:
    """The goals of the attack."""
    workers = min(MAX_WORKERS, cores())
    most = attacked["attacks"] / workers * soft + LONGEST_HONEST_SECONDS
    statuses = Counter(i.verdict.status.value for i in scored.submissions if i.attack)
    longest = attacked["worker_last_done"]
    return [
        f"statuses of the attacks: {', '.join(f'{k} {n}' for k, n in statuses.most_common())}",
        goal("every honest answer judged right", attacked["honest_wrong"] == 0),
        goal("every attack judged right", attacked["attacks_wrong"] == 0),
        goal(
            f"honest answers that need a worker have their reward within "
            f"{LONGEST_HONEST_SECONDS:.0f} s",
            not longest > LONGEST_HONEST_SECONDS,
        ),
        goal(
            f"the group within {duration(most)} (attacks / {workers} workers x soft + 2 s)",
            attacked["total"] <= most,
        ),
        goal("no process left", attacked["processes_left"] == 0),
    ]


def run_group(attacks: Sequence[Attack], options: argparse.Namespace) -> Report:
    """The honest answers alone, then with the attacks among them."""
    progress("the honest answers alone")
    without = group_figures(score(honest_submissions(options.honest, options.kinds), options.soft))
    progress("with the attacks")
    hostile = attack_submissions(attacks, options.attacks)
    scored = score(spread(hostile, honest_submissions(options.honest, options.kinds)), options.soft)
    attacked = group_figures(scored)
    tables = [group_table(without, attacked), attack_table(scored)]
    wrong = wrong_table(scored)
    if wrong.rows:
        tables.append(wrong)
    notes = group_notes(attacked, scored, options.soft)
    return Report(NAME, tables, notes, {"without": without, "with": attacked})


def run_alone(attacks: Sequence[Attack], soft: float) -> Report:
    """Each attack by itself, and an honest answer that needs a worker right behind it."""
    table = Table(
        "Each attack alone",
        ["attack", "status", "stage", "time", "CPU", "peak memory", "right", "next", "its time"],
        left=frozenset({"status", "stage"}),
    )
    before = descendants()
    rows: list[dict[str, Any]] = []
    with Verifier(timeout_seconds=soft) as verifier:
        verifier.warm_up()
        for attack, hard in zip(attacks, hard_answers(len(attacks)), strict=True):
            row = _one_attack(verifier, attack, hard)
            rows.append(row)
            table.add(
                attack.id,
                row["status"],
                row["stage"],
                duration(row["seconds"]),
                f"{row['cpu_seconds']:.2f} s",
                f"{row['peak_bytes'] / 2**20:.0f} MiB",
                "yes" if row["is_right"] else "NO",
                "right" if row["next_is_right"] else "WRONG",
                duration(row["next_seconds"]),
            )
        started = descendants() - before
    left = still_alive(started, within_seconds=1.0)
    # The soft limit counts CPU time, so that a busy machine takes nothing from an answer.
    longest = max((row["cpu_seconds"] for row in rows), default=0.0)
    notes = [
        goal(
            f"each within the soft timeout + {GRACE_SECONDS} s of CPU time (most {longest:.2f} s)",
            longest <= soft + GRACE_SECONDS,
        ),
        goal("each attack judged right", all(row["is_right"] for row in rows)),
        goal("the next honest answer judged right", all(row["next_is_right"] for row in rows)),
        goal("no process left", not left),
    ]
    return Report(NAME, [table], notes, {"attacks": rows, "processes_left": len(left)})


def _one_attack(verifier: Verifier, attack: Attack, hard: tuple[str, str, bool]) -> dict[str, Any]:
    reset_peaks()
    cpu_start, start = cpu_seconds(), perf_counter()
    verdict = verifier.verify(attack.gold, attack.response)
    seconds, cpu = perf_counter() - start, cpu_seconds() - cpu_start
    peak = max((memory(process.pid, "VmHWM") for process in descendants()), default=0)
    gold, answer, label = hard
    start = perf_counter()
    following = verifier.verify(gold, rf"So it is \boxed{{{answer}}}.")
    return {
        "id": attack.id,
        "status": verdict.status.value,
        "stage": verdict.stage,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_bytes": peak,
        "is_right": verdict.equal in right_verdicts(attack),
        "next_is_right": following.equal == label,
        "next_seconds": perf_counter() - start,
    }


def run(options: argparse.Namespace) -> Report:
    """Attack the judge, in a group or one by one."""
    attacks = load_attacks(options.data)
    if options.ids:
        attacks = [item for item in attacks if item.id in options.ids.split(",")]
    if not attacks:
        return skipped(NAME, f"no attacks below {options.data} (see --data and --ids)")
    if options.alone:
        return run_alone(attacks, options.soft)
    return run_group(attacks, options)
