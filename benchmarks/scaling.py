"""Texts of growing length through every entry that a model's text reaches: is the time linear?

A shape is a text that can be made of any length: a piece repeated, or brackets nested, between a
head and a tail. Each entry gets each shape at one length and at four times that length; where the
CPU time grows much more than the length, it is measured again, and what stays is a finding.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import log

from benchmarks.common import Report, Table, duration, goal, progress
from benchmarks.fuzz import BRACKETS, PIECES
from verifiers_math import (
    MathRubric,
    MaybeThinkParser,
    Parser,
    ThinkParser,
    Verifier,
    XMLParser,
    extract_boxed_answer,
)
from verifiers_math.answers import AnswerJudge, golds_of
from verifiers_math.equivalence.cascade import PURE_STAGES
from verifiers_math.equivalence.latex import to_latex
from verifiers_math.equivalence.normalize import MAX_REMEMBERED_CHARS, normalize
from verifiers_math.parsers import thinking_format

NAME = "scaling"
GROWTH = 4
"""The longer text is so many times as long as the shorter one."""
LARGEST_EXPONENT = 1.5
"""Of the length, in the CPU time; 1 is linear, 2 quadratic, and a shared machine is in between."""
NOTICED_SECONDS = 0.01
"""A text that takes less CPU time than this is fast enough, however it grows."""
SHORT_CHARS = MAX_REMEMBERED_CHARS
"""Answers are remembered up to this length, and longer ones are rewritten several times."""
LONG_CHARS = 1 << 18

Entry = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Shape:
    """A text that can be made of any length.

    Attributes:
        head: What it begins with.
        left: What is repeated.
        middle: What stands between both repetitions.
        right: What is repeated as often behind the middle.
        tail: What it ends with.
    """

    head: str
    left: str
    middle: str = ""
    right: str = ""
    tail: str = ""

    def text(self, chars: int) -> str:
        """The text of about so many characters, at least one repetition long."""
        fixed = len(self.head) + len(self.middle) + len(self.tail)
        times = max(1, (chars - fixed) // max(1, len(self.left) + len(self.right)))
        return self.head + self.left * times + self.middle + self.right * times + self.tail

    def __str__(self) -> str:
        parts = (self.head, f"{self.left!a}*n", self.middle, self.right and f"{self.right!a}*n")
        return "+".join(part for part in (*parts, self.tail) if part)


SCANNED: tuple[str, ...] = (
    *(r"\boxed{4}", r"\boxed{", r"\boxed 4 ", r"\boxed", r"\fbox[", "boxed{", r"\\boxed{4} or "),
    *(r"\boxed{4}, ", r"\boxed{4} and ", r"\boxed{\boxed{4}}", r"\boxed{4", r"\boxed{} ", r"\{"),
    *("#### ", "####4\n", "#", "<answer>", "</answer>", "<answer>4</answer>", "<answer"),
    *("<think>", "</think>", "<think></think>", "< think >", "[THINK]", "<|channel|>", "<", "<|"),
    *("The answer is ", "The answer is 4. ", "answer", "answer: ", "the final answer ", "A: "),
    *(
        "\nAnswer\n",
        "答案",
        "답은 ",
        "ответ: ",
        "because ",
        " is ",
        " is the ",
        "4 is ",
        "x = ",
        "= ",
    ),
    *(
        "$4$, ",
        "$x$ and ",
        "$$",
        r"\(",
        r"\[",
        r"\(4\)",
        "4. ",
        "4.",
        ". ",
        "? ",
        "! ",
        "...",
        "**",
    ),
    *("Suppose ", "if ", "so ", "not ", "when ", "or ", " and ", "yes ", "yes, because ", "wrong "),
    *(
        "12",
        "1,",
        "1,234,",
        "3.14",
        "1/",
        "1/2 ",
        "1e",
        "-",
        "--",
        "+1",
        "*2",
        "^2",
        "x",
        "x y ",
        "xy ",
    ),
    *(
        r"\text{ and }",
        r"\text{",
        r"\frac",
        r"\frac12",
        r"\frac{1}{2}",
        r"\sqrt",
        r"\left(",
        r"\right)",
    ),
    *(
        r"\begin{matrix}",
        "&",
        r"\\",
        r"1&2\\",
        r"\quad ",
        r"\,",
        r"\!",
        r"\cdot ",
        r"\times ",
        r"\pm ",
    ),
    *(
        " cm",
        "km/h ",
        "°",
        "%",
        r"\%",
        r"\$",
        "dollars ",
        "(A) ",
        "A, ",
        "(A)",
        "12:30 ",
        "1/5/2024 ",
    ),
    *(
        "_{",
        "x_1",
        "x_",
        "|x|",
        "|",
        "f(x)",
        "f(",
        "x=1, ",
        "x=1 or ",
        "1<x<2 or ",
        r"\cup ",
        "[0,1]",
    ),
    *(
        r"\cup[0,1)",
        "(1,2),",
        r"\{1,2\},",
        r"\ldots",
        ",",
        ";",
        ":",
        "'",
        "!",
        "!!",
        "\n",
        "\r\n",
        "\t",
    ),
    *(
        " ",
        "\u00a0",
        "\u2003",
        "\u200b",
        "\ufeff",
        "\u202e",
        "e\u0301",
        "\u0661",
        "½",
        "²",
        "∛",
        "\U0001f600",
    ),
    *(
        "\x00",
        "\ud800",
        "\udc00",
        "\x1b[0m",
        "\x85",
        "\u2028",
        "İ",
        "ß",
        "ﬁ",
        "㎢",
        "𝟙",
        "Ⅷ",
        "①",
        "一",
    ),
    *(
        "lambda ",
        "__",
        "import ",
        "Sum(",
        "mod ",
        "sin ",
        "sinx",
        "log_2 ",
        "ln ",
        "i",
        "e",
        "pi",
        "∞",
    ),
)
"""What the scanner, the normaliser and the reader look for, and characters of many scripts."""

HEADS = ("", r"\boxed{", r"So the answer is ", "<answer>", "#### ", "4", "x = ", "<think>a</think>")
TAILS = ("", "}", "4", "</answer>", "\n4.", r" \boxed{4}", " is 4")
WRAPPED: tuple[tuple[str, str], ...] = (
    *BRACKETS,
    ("[", "]"),
    (r"\{", r"\}"),
    (r"\boxed{", "}"),
    (r"\left(", r"\right)"),
    (r"\left|", r"\right|"),
    (r"\text{", "}"),
    (r"\begin{matrix}", r"\end{matrix}"),
    (r"\begin{cases}", r"\end{cases}"),
    (r"\frac", "1"),
    (r"\sqrt", ""),
    (r"\sqrt[", "]{2}"),
    (r"\binom{", "}{2}"),
    (r"\overline{", "}"),
    ("sin(", ")"),
    ("f(", ")"),
    ("-(", ")"),
    ("2^{", "}"),
    ("2_{", "}"),
    ("(1,", ")"),
    (r"\{1,", r"\}"),
    ("$", "$"),
    ("<think>", "</think>"),
    ("<answer>", "</answer>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("(", ""),
    ("", ")"),
    ("((", ")"),
    (r"\lfloor ", r"\rfloor "),
    (r"\log_{", "}"),
    ("x+", "-x"),
    ("1+", "*2"),
    ("{,", "}"),
)


def shapes() -> Iterator[Shape]:
    """Every piece behind every head and before every tail, and every bracket nested."""
    pieces = dict.fromkeys((*SCANNED, *PIECES))
    for left, right in WRAPPED:
        for head, tail in ((h, t) for h in HEADS[:3] for t in TAILS[:3]):
            yield Shape(head, left, "1", right, tail)
    for piece in pieces:
        for head in HEADS:
            for tail in TAILS:
                yield Shape(head, piece, tail=tail)


def random_shapes(seed: int) -> Iterator[Shape]:
    """Two or three pieces together, repeated, for ever."""
    rng = random.Random(seed)
    pieces = [*SCANNED, *PIECES, *(side for pair in WRAPPED for side in pair if side)]
    while True:
        left = "".join(rng.choices(pieces, k=rng.randint(1, 3)))
        right = "".join(rng.choices(pieces, k=rng.randint(1, 2))) if rng.random() < 0.3 else ""
        yield Shape(rng.choice(HEADS), left, rng.choice(pieces), right, rng.choice(TAILS))


@dataclass(frozen=True, slots=True)
class Growth:
    """What one entry did with one shape.

    Attributes:
        entry: The entry's name.
        shape: The shape.
        chars: The length of the longer text.
        seconds: CPU seconds for it.
        exponent: Of the length in the CPU time: 1 is linear, 2 quadratic.
    """

    entry: str
    shape: Shape
    chars: int
    seconds: float
    exponent: float

    @property
    def is_superlinear(self) -> bool:
        """Whether it takes noticeable time, and much more than its length asks for."""
        return self.seconds > NOTICED_SECONDS and self.exponent > LARGEST_EXPONENT


def cpu_seconds(entry: Entry, text: str, times: int = 1) -> float:
    """The least CPU time of this thread that the entry took for the text, of several times."""
    best = float("inf")
    for _ in range(times):
        for forget in _memos():
            forget()
        begin = time.thread_time()
        entry(text)
        best = min(best, time.thread_time() - begin)
    return best


@cache
def _memos() -> list[Callable[[], None]]:
    """What makes each remembered reading forgotten, so that every measurement is a first one."""
    modules = [module for name, module in sys.modules.items() if name.startswith("verifiers_math.")]
    values = (value for module in modules for value in vars(module).values())
    clearing = (getattr(value, "cache_clear", None) for value in values)
    return [clear for clear in clearing if clear is not None]


def measure(name: str, entry: Entry, shape: Shape, chars: int, times: int = 1) -> Growth:
    """One shape at ``chars`` characters and at a quarter of them.

    Args:
        name: The entry's name.
        entry: What gets the text.
        shape: The text.
        chars: The length of the longer text.
        times: How often each is measured; the least counts.
    """
    short, long = shape.text(chars // GROWTH), shape.text(chars)
    seconds = cpu_seconds(entry, long, times)
    if seconds <= NOTICED_SECONDS:
        return Growth(name, shape, len(long), seconds, 1.0)
    ratio = seconds / max(cpu_seconds(entry, short, times), 1e-6)
    return Growth(name, shape, len(long), seconds, log(ratio) / log(len(long) / len(short)))


def measure_surely(name: str, entry: Entry, shape: Shape, chars: int) -> Growth:
    """As `measure`; what looks superlinear is measured again, and with the collector off."""
    growth = measure(name, entry, shape, chars)
    if not growth.is_superlinear:
        return growth
    gc.collect()
    gc.disable()
    try:
        return measure(name, entry, shape, chars, times=3)
    finally:
        gc.enable()


@cache
def _pure_verifier() -> Verifier:
    judge = Verifier(stages=PURE_STAGES, cache_entries=0)
    judge.warm_up()  # loads what is loaded late
    return judge


class _PureJudge(AnswerJudge):
    """A judge of trainers' answers without workers."""

    @property
    def verifier(self) -> Verifier:
        return _pure_verifier()


def entries() -> dict[str, Entry]:
    """Every public entry that a model's text reaches, without the workers."""
    judge = _pure_verifier()
    answers = _PureJudge()
    rubric = MathRubric(verifier=judge, sync="inline")
    tags = XMLParser(["think", ("answer", "code")])
    return {
        "verify": partial(judge.verify, r"\frac{1}{2}"),
        "verify strict": partial(judge.verify, "x=2", strict=True),
        "equivalent": partial(judge.equivalent, r"\sqrt{2}x+1"),
        "equivalent words": partial(judge.equivalent, r"\text{east}"),
        "gold": lambda text: judge.verify(text, r"\boxed{4}"),
        "prompt": lambda text: judge.verify("4", r"\boxed{4}", prompt=text),
        "itself": lambda text: judge.equivalent(text, text + " "),
        "extract_boxed_answer": extract_boxed_answer,
        "normalize": normalize,
        "to_latex": to_latex,
        "AnswerJudge": lambda text: answers.verdict([{"role": "assistant", "content": text}], "4"),
        "MathRubric": lambda text: rubric.score_rollout_sync({"completion": text, "answer": "4"}),
        "Parser": Parser(extract_boxed_answer).parse_answer,
        "ThinkParser": ThinkParser(extract_boxed_answer).parse_answer,
        "MaybeThinkParser": MaybeThinkParser(extract_boxed_answer).parse_answer,
        "XMLParser": tags.parse_answer,
        "XML format": tags.get_format_reward_func(),
        "think format": thinking_format,
        "golds_of": golds_of,
    }


def search(
    found: Sequence[Shape] | Iterator[Shape], chars: int, seconds: float
) -> tuple[int, list[Growth], dict[str, Growth]]:
    """Every entry with every shape until the time is over.

    Returns:
        The number of measurements, the findings, and the slowest of each entry.
    """
    end = time.monotonic() + seconds
    count, findings, slowest = 0, list[Growth](), dict[str, Growth]()
    table = entries()
    for shape in found:
        for name, entry in table.items():
            growth = measure_surely(name, entry, shape, chars)
            count += 1
            if name not in slowest or growth.seconds > slowest[name].seconds:
                slowest[name] = growth
            if growth.is_superlinear:
                findings.append(growth)
                progress(f"{name}: {duration(growth.seconds)} n^{growth.exponent:.2f} {shape}")
        if time.monotonic() > end:
            break
    return count, findings, slowest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--minutes", type=float, default=1.0, help="how long to search (default 1)")
    add("--chars", type=int, default=0, help="length of the longer text; 0: one short, one long")
    add("--random", action="store_true", help="random shapes instead of the table's")
    add("--seed", type=int, default=0, help="of the random numbers, and of the table's order")


def run(options: argparse.Namespace) -> Report:
    """Searches for texts whose time grows faster than their length."""
    lengths = (options.chars,) if options.chars else (SHORT_CHARS, LONG_CHARS)
    table = Table(
        "The slowest text of each entry",
        ["entry", "characters", "CPU time", "exponent", "text"],
        left=frozenset({"text"}),
    )
    total, findings = 0, list[Growth]()
    for chars in lengths:
        found = random_shapes(options.seed) if options.random else shuffled(options.seed)
        share = options.minutes * 60 / len(lengths)
        count, new, slowest = search(found, chars, share)
        total += count
        findings += new
        for name, growth in slowest.items():
            cells = (growth.chars, duration(growth.seconds), f"{growth.exponent:.2f}")
            table.add(name, *cells, str(growth.shape)[:60].encode("ascii", "replace").decode())
    notes = [
        f"{total} measurements",
        goal(
            f"{len(findings)} texts whose time grows faster than n^{LARGEST_EXPONENT}; goal 0",
            not findings,
        ),
    ]
    rows = [
        {
            "entry": growth.entry,
            "text": str(growth.shape),
            "exponent": growth.exponent,
            "seconds": growth.seconds,
            "chars": growth.chars,
        }
        for growth in findings
    ]
    return Report(NAME, [table], notes, {"measurements": total, "findings": rows})


def shuffled(seed: int) -> list[Shape]:
    """The table's shapes in random order, so that a short search sees all kinds."""
    found = list(shapes())
    random.Random(seed).shuffle(found)
    return found
