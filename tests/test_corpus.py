"""A corpus of golds with right and wrong answers, in the shapes of real data sets and models.

The tables stand in ``tests/corpus``. Below ``@ gold`` a line is ``+ right`` or ``- wrong``: what
stands in the box; ``+>`` and ``->`` begin a whole response, in which ``⏎`` is a new line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import verifiers_math as vf
from tests.pure_verdicts import says
from verifiers_math.equivalence.extract import find_answer, unwrap_gold
from verifiers_math.equivalence.thinking import after_thinking

CORPUS = Path(__file__).parent / "corpus"
MIN_PAIRS = 3000


class Row(NamedTuple):
    """One answer to a gold: whether it is right, and the response that holds it."""

    right: bool
    response: str
    boxed: str | None


def rows_of(path: Path) -> Iterator[tuple[str, Row]]:
    """The golds of a table, each with one of its answers."""
    gold = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.replace("⏎", "\n").partition(" ")
        if mark == "@":
            gold = rest
        elif mark in ("+", "-"):
            yield gold, Row(mark == "+", rf"\boxed{{{rest}}}", rest)
        elif mark in ("+>", "->"):
            yield gold, Row(mark == "+>", rest, None)
        else:
            assert mark == "#", f"{path.name}: {line}"


PAIRS = [(path.stem, *pair) for path in sorted(CORPUS.glob("*.txt")) for pair in rows_of(path)]
GOLDS: dict[tuple[str, str], list[Row]] = {}
for _table, _gold, _row in PAIRS:
    GOLDS.setdefault((_table, _gold), []).append(_row)


def verdict_of(gold: str, response: str) -> bool | None:
    """What the pure stages say of a response; None where they leave it to computer algebra."""
    text = after_thinking(response)
    answer = None if text is None else find_answer(text).answer
    return says(unwrap_gold(gold), answer) if answer else False


def test_the_corpus_is_large_and_holds_both_directions():
    right = sum(row.right for _, _, row in PAIRS)
    assert len(PAIRS) >= MIN_PAIRS
    assert min(right, len(PAIRS) - right) > len(PAIRS) / 3


@pytest.mark.parametrize(
    ("gold", "rows"),
    [pytest.param(gold, rows, id=f"{table}-{gold}") for (table, gold), rows in GOLDS.items()],
)
def test_each_answer_has_its_verdict(gold, rows):
    wrong = [row for row in rows if verdict_of(gold, row.response) is (not row.right)]
    assert not wrong


def test_computer_algebra_settles_the_few_pairs_that_are_left_to_it():
    left = [(gold, row) for _, gold, row in PAIRS if verdict_of(gold, row.response) is None]
    with vf.Verifier() as verifier:
        verdicts = verifier.verify_many([(gold, row.response) for gold, row in left])
    assert len(left) < len(PAIRS) / 40
    wrong = [
        (gold, row.response, verdict.detail)
        for (gold, row), verdict in zip(left, verdicts, strict=True)
        if verdict.equal is not row.right
    ]
    assert not wrong


ENVELOPES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("twice", lambda answer: rf"\boxed{{{answer}}} So the answer is $\boxed{{{answer}}}$."),
    ("named", lambda answer: rf"Hence $x = \boxed{{{answer}}}$ as desired."),
    ("displayed", lambda answer: rf"\[\boxed{{\displaystyle {answer}}}\]"),
    ("behind a thought", lambda answer: rf"<think>\boxed{{0}}</think> \boxed{{ {answer} }}"),
    ("display fractions", lambda answer: rf"\boxed{{{answer}}}".replace(r"\frac", r"\dfrac")),
)


@pytest.mark.parametrize("envelope", [pytest.param(wrap, id=name) for name, wrap in ENVELOPES])
def test_what_surrounds_a_right_answer_does_not_matter(envelope):
    lost = [
        (gold, row.boxed)
        for _, gold, row in PAIRS
        if row.right and row.boxed and verdict_of(gold, envelope(row.boxed)) is False
    ]
    assert not lost
