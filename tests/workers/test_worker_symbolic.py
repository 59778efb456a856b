"""The real call of math_verify, through real workers."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from processes import PATIENCE, worker_pids

from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """One worker with the real task."""
    pool = WorkerPool(1)
    yield pool
    pool.close()


def run(pool: WorkerPool, gold: str, answer: str, soft: float = 10) -> Outcome:
    """Runs one pair with generous limits."""
    return pool.run(gold, answer, soft_seconds=soft, hard_seconds=4 * PATIENCE)


@pytest.mark.parametrize(
    ("gold", "answer", "kind"),
    [
        ("4", "4", "equal"),
        ("4", "5", "different"),
        (r"\frac{1}{2}", "0.5", "equal"),
        ("$4$", "4", "equal"),
        (r"\sqrt{12}", r"2\sqrt{3}", "equal"),
        (r"(x+1)^2", "x^2+2x+1", "equal"),
        (r"[0,1)", r"[0,1]", "different"),
        # Nothing but the whole content of the box is read.
        ("3", r"\text{five}?!\frac{}{}. See step 3.", "answer_unreadable"),
        ("3", "12 apples ## 3", "answer_unreadable"),
        ("3", r"\frac{}{} answer: $3$", "answer_unreadable"),
        ("4", r"3} \boxed{4", "answer_unreadable"),
        ("4", r"3 \boxed{4}", "answer_unreadable"),
        ("4", r"3 \fbox{4}", "answer_unreadable"),
        ("a", "a}b{c", "answer_unreadable"),
        ("5", r"the final answer is $5$. I hope {} \foo{", "answer_unreadable"),
        ("5", "", "answer_unreadable"),
        (r"\frac{", "4", "gold_unreadable"),
        ("", "", "gold_unreadable"),
    ],
)
def test_math_verify_reads_the_whole_answer_or_nothing(
    pool: WorkerPool, gold: str, answer: str, kind: str
) -> None:
    assert run(pool, gold, answer).kind == kind


def test_a_big_power_ends_at_the_soft_limit_and_the_worker_stays_warm(pool: WorkerPool) -> None:
    kept = False
    for _ in range(5):  # a loaded machine may delay the answer beyond the grace
        run(pool, "4", "4")
        before = worker_pids(pool)
        assert run(pool, "4", "9^{9^{9}}", soft=0.3).kind is OutcomeKind.TIMEOUT
        assert run(pool, "4", "4").kind is OutcomeKind.EQUAL
        if kept := worker_pids(pool) == before:
            break
    assert kept


@pytest.mark.parametrize("answer", ["1E10000000", "9^{10000000}", "10000000!"])
def test_what_holds_the_interpreter_ends_within_the_limit(pool: WorkerPool, answer: str) -> None:
    run(pool, "4", "4")
    started = time.monotonic()
    assert run(pool, "4", answer, soft=0.3).kind is OutcomeKind.TIMEOUT
    assert time.monotonic() - started < PATIENCE
    assert run(pool, "4", "4").kind is OutcomeKind.EQUAL


def test_a_detail_says_which_side_cannot_be_read(pool: WorkerPool) -> None:
    assert "gold" in run(pool, r"\frac{", "4").detail
    assert run(pool, "4", r"\frac{").detail == "math_verify cannot read the answer"
