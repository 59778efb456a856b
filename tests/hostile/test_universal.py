"""No answer is worth something for two golds that differ: the aim of every trick."""

from __future__ import annotations

import pytest

from tests.hostile import test_candidates, test_kinds, test_latex, test_words
from tests.hostile.attempts import lines, rows
from tests.pure_verdicts import says

GOLDS = (
    "0", "1", "-1", "2", "17", "-250", r"\frac12", "0.75", "3.14", r"40\%", "x", "2x+3", "x^2-1",
    r"\sqrt2", r"2\pi", "e", "3+4i", r"\infty", "(1,2)", r"\{4,5\}", "1,2,3", "[0,1]",
    "x>3", r"x\le 3", "x^2+y^2=1", "y=2x", "B", "D", "Yes", "No", "3:4", "12:30", r"\emptyset",
    r"\mathbb{R}", r"\begin{pmatrix}1&0\\0&1\end{pmatrix}", r"5\text{ cm}", "101_2",
)  # fmt: skip
TABLES = (
    *test_candidates.HEDGES,
    *test_candidates.WRAPPED,
    *test_kinds.KINDS,
    *test_kinds.RELATIONS,
    *test_latex.MACROS,
    *test_latex.MARKED,
    *test_words.WORDS,
)


ANYTHING = lines(
    r"""
    k, k\in\mathbb{Z}
    k+1, k\in\mathbb{Z}
    k, k\in\mathbb{R}
    k \text{ for some } k
    2k, k\in\mathbb{Z}
    k\pi, k\in\mathbb{Z}
    \{k : k\in\mathbb{Z}\}
    0 \pmod 1
    1 \pmod 1
    k \pmod 1
    x \equiv 0 \pmod{1}
    x=x
    x, x\in\mathbb{R}
    \{x : x=x\}
    x+C
    C
    Cx
    C e^x
    f(x)=c
    f(x)=cx
    y=mx+b
    (t,t), t\in\mathbb{R}
    \{k\}
    \frac{0}{0}
    \frac{x}{x}
    0:0
    ①②③④
    \binom{n}{k}
    C(n,k)
    \sum_{k} a_k
    """
)
"""Answers that may stand for anything."""


@pytest.mark.parametrize("answer", sorted({answer for _, answer in rows(TABLES)} | {*ANYTHING}))
def test_no_attempt_is_worth_something_for_two_golds(answer):
    paying = [gold for gold in GOLDS if says(gold, answer)]
    assert all(says(paying[0], gold) or says(gold, paying[0]) for gold in paying[1:])
