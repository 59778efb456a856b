"""A mutation fuzzer over the scanner, the reader and the pure judge.

Answers are cut, doubled, spliced and salted; each mutant is searched, read and judged. What must
hold for any text: nothing raises, a text equals itself, and no call costs more than its budget.
Findings are printed as they come, as Python literals that a test can take.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.common import DEFAULT_DATA, Report, Table, goal
from benchmarks.corpora import load_rows
from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.decision import Decision
from verifiers_math.equivalence.extract import find_answer
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.thinking import after_thinking
from verifiers_math.equivalence.verdict import Status

NAME = "fuzz"
BUDGET_SECONDS = 0.25
"""CPU seconds that one call may take."""
MAX_CHARS = 600
"""Mutants are cut to this length; one in fifty is repeated to `LONG_CHARS` instead."""
LONG_CHARS = 4000
LONG_SHARE = 0.02
EQUAL_TO_ITSELF = frozenset({Status.CORRECT, Status.GOLD_UNREADABLE, Status.NO_ANSWER})

SEEDS = (
    r"\frac{-3+\sqrt{17}}{4}",
    r"x=\frac{1\pm\sqrt{5}}{2}",
    r"(-\infty,-2]\cup(3,\infty)",
    r"\{x\mid x^2<4\}",
    r"\begin{pmatrix}1&-2\\0&3\end{pmatrix}",
    r"2\sin^2 x\cos x+\ln|x|+C",
    r"12{,}345.60\text{ cm}^2",
    r"\binom{n+1}{2}",
    r"1\frac{2}{3}",
    r"0.1\overline{6}",
    r"75\%",
    r"1011_2",
    r"y=3x-7",
    r"\textbf{(D)}\ 14",
    "sqrt(2)/2 + 3*x**2",
    "4√3, ½ and 6×10^-3",
    "4:30 p.m.",
    r"e^{2\pi i/3}",
    r"\{(1,2),(3,4)\}",
    r"\text{Yes, since }n\text{ is odd}",
    r"So the final answer is $\boxed{\frac{7}{2}}$.",
    "<think>hm</think>The answer is 12 dollars.",
    "#### 1,234",
)
PIECES: tuple[str, ...] = (
    *"{}()[]|^_$&!%',;:=<>+-*/.~ \n\t\\",
    *(
        r"\frac",
        r"\sqrt",
        r"\left(",
        r"\right)",
        r"\{",
        r"\}",
        r"\text{",
        r"\boxed{",
        r"\pm",
        r"\\",
    ),
    *(r"\begin{matrix}", r"\end{matrix}", r"\sum_{k=1}^n", r"\infty", r"\cup", r"\in", r"\ldots"),
    *("^{", "_{", "^2", "!!", "10^", "999999", "0.", "1e5", "sin", "log_2", "mod", " or ", " and "),
    *("\x00", "\ud800", "\u200b", "\u0660", "\u00b2", "\u221a", "\u2212", "\uff11", "\U0001d54f"),
)
BRACKETS: tuple[tuple[str, str], ...] = (
    ("(", ")"),
    ("{", "}"),
    (r"\frac{", "}{2}"),
    (r"\sqrt{", "}"),
    ("|", "|"),
    ("x^{", "}"),
)

Result = TypeVar("Result")


class Fuzzer:
    """Mutates texts and checks what must hold for all of them.

    Args:
        seeds: The texts to start from.
        seed: Of the random numbers, so that a run can be repeated.
    """

    def __init__(self, seeds: list[str], seed: int) -> None:
        self._random = random.Random(seed)
        self._seeds = seeds
        self._policies = (Policy(), Policy.strict(), Policy.lenient())
        self.counts: Counter[str] = Counter()
        self.slowest: dict[str, float] = {}
        self.findings: list[str] = []

    def run(self, seconds: float) -> None:
        """Fuzzes for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.step()

    def step(self) -> None:
        """One mutant, through everything."""
        text = self.mutant()
        self.counts["texts"] += 1
        self._call("find_answer", text, lambda: find_answer(after_thinking(text) or ""))
        tree = self._call("read", text, lambda: read(text))
        if tree is not None and not isinstance(tree, Unreadable):
            self.counts["readable"] += 1
            self._call("to_latex", text, lambda: read(to_latex(tree)))
        other = self._random.choice(self._seeds)
        self._judge(text, text)
        self._judge(other, text)
        self._judge(text, other)

    def _judge(self, gold: str, answer: str) -> None:
        policy = self._random.choice(self._policies)
        decision: Decision | None = self._call(
            "judge", (gold, answer), lambda: judge(gold, answer, policy)
        )
        self.counts["decided" if decision is not None else "undecided"] += 1
        if gold is answer and decision is not None and decision.status not in EQUAL_TO_ITSELF:
            self._report(f"not equal to itself: {gold!r}: {decision}")

    def _call(self, name: str, case: object, call: Callable[[], Result]) -> Result | None:
        begin = time.process_time()
        try:
            result = call()
        except Exception as reason:
            self._report(f"{name} raised {type(reason).__name__}: {reason} on {case!r}")
            return None
        seconds = time.process_time() - begin
        self.slowest[name] = max(self.slowest.get(name, 0.0), seconds)
        if seconds > BUDGET_SECONDS:
            self._report(f"{name} took {seconds:.2f} s on {case!r}")
        return result

    def _report(self, finding: str) -> None:
        self.findings.append(finding)
        print(finding.encode("ascii", "backslashreplace").decode(), flush=True)

    def mutant(self) -> str:
        """A seed after a few changes."""
        text = self._random.choice(self._seeds)
        for _ in range(self._random.randint(0, 5)):
            text = self._random.choice(CHANGES)(self._random, self._seeds, text)
        if text and self._random.random() < LONG_SHARE:
            return (text * (1 + LONG_CHARS // len(text)))[:LONG_CHARS]
        return text[:MAX_CHARS]


def _span(rng: random.Random, text: str) -> tuple[int, int]:
    begin, end = sorted(rng.randint(0, len(text)) for _ in range(2))
    return begin, end


def _cut(rng: random.Random, seeds: list[str], text: str) -> str:
    begin, end = _span(rng, text)
    return text[:begin] + text[end:]


def _repeat(rng: random.Random, seeds: list[str], text: str) -> str:
    begin, end = _span(rng, text)
    return text[:end] + text[begin:end] * rng.randint(1, 4) + text[end:]


def _splice(rng: random.Random, seeds: list[str], text: str) -> str:
    other: str = rng.choice(seeds)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def _insert(rng: random.Random, seeds: list[str], text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(PIECES) + text[at:]


def _replace(rng: random.Random, seeds: list[str], text: str) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + chr(rng.randrange(rng.choice((128, 0x3000)))) + text[at + 1 :]


def _wrap(rng: random.Random, seeds: list[str], text: str) -> str:
    left, right = rng.choice(BRACKETS)
    return left + text + right


Change = Callable[[random.Random, list[str], str], str]
CHANGES: tuple[Change, ...] = (_cut, _repeat, _splice, _insert, _insert, _replace, _wrap)


def corpus_seeds(data: Path) -> list[str]:
    """Golds and answers of the labelled files, where these are there."""
    if not data.is_dir():
        return []
    rows = load_rows(data)
    texts = {
        text for row in rows for text in (row.gold, row.response) if 0 < len(text) <= MAX_CHARS
    }
    return sorted(texts)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to fuzz")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers")
    parser.add_argument(
        "--data", type=Path, default=DEFAULT_DATA, help="labelled files: more seeds"
    )


def run(options: argparse.Namespace) -> Report:
    """Fuzzes for the given time."""
    seeds = [*SEEDS, *corpus_seeds(options.data)]
    fuzzer = Fuzzer(seeds, options.seed)
    fuzzer.run(options.minutes * 60)
    table = Table("What was tried", ["", "count"])
    for name in ("texts", "readable", "decided", "undecided"):
        table.add(name, str(fuzzer.counts[name]))
    slowest = ", ".join(f"{name} {s * 1e3:.0f} ms" for name, s in fuzzer.slowest.items())
    notes = [
        goal(f"{len(fuzzer.findings)} findings; goal 0", not fuzzer.findings),
        f"slowest call, CPU time: {slowest}",
    ]
    figures = {
        "seeds": len(seeds),
        **fuzzer.counts,
        "findings": fuzzer.findings,
        "slowest": fuzzer.slowest,
    }
    return Report(NAME, [table], notes, figures)
