"""Comparison by kind: matrices and vectors."""

from __future__ import annotations

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import DEFAULT_POLICY
from verifiers_math.equivalence.verdict import Status


def says(gold, answer):
    """True, False, or None where the pure stages leave the pair to computer algebra."""
    decision = judge(gold, answer, DEFAULT_POLICY)
    return None if decision is None else decision.status is Status.CORRECT


SAME_BOTH_WAYS = [
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix}1&2\\3&4\end{bmatrix}"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[[1,2],[3,4]]"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "[1,2;3,4]"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", "(1,2)"),
    (r"\begin{pmatrix}1&2\end{pmatrix}", "(1,2)"),
    (r"\begin{pmatrix}1\\2\\3\end{pmatrix}", r"\langle1,2,3\rangle"),
    (r"A=\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
    (r"\begin{pmatrix}5\end{pmatrix}", "5"),
    (r"\begin{pmatrix}\frac12&\sqrt4\\3&4\end{pmatrix}", r"\begin{pmatrix}0.5&2\\3&4\end{pmatrix}"),
    (r"\frac12\begin{pmatrix}2&4\\6&8\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
    (r"2\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}2\\4\end{pmatrix}"),
    (r"2\mathbf{i}+3\mathbf{j}", "(2,3)"),
]

DIFFERENT_BOTH_WAYS = [
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}"),
    (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "(1,2,3,4)"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", "(2,1)"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\{1,2\}"),
    (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", "-3"),
    (r"2\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1\\2\end{pmatrix}"),
    ("I", r"\begin{pmatrix}1&0\\0&1\end{pmatrix}"),
]


@pytest.mark.parametrize(("gold", "answer"), SAME_BOTH_WAYS)
def test_both_are_the_same_whichever_is_the_gold(gold, answer):
    assert says(gold, answer) is True
    assert says(answer, gold) is True


@pytest.mark.parametrize(("gold", "answer"), DIFFERENT_BOTH_WAYS)
def test_the_two_differ_whichever_is_the_gold(gold, answer):
    assert says(gold, answer) is False
    assert says(answer, gold) is False


@pytest.mark.parametrize(
    ("answer", "equal"),
    [
        (r"\begin{vmatrix}3&1\\2&4\end{vmatrix}=10", True),
        (r"\begin{vmatrix}3&1\\2&4\end{vmatrix}=11", False),
        (r"\begin{vmatrix}3&1\\2&4\end{vmatrix}", False),
        (r"\begin{vmatrix}1&0&2\\0&1&0\\3&0&16\end{vmatrix}=10", True),
    ],
)
def test_a_determinant_that_is_worked_out_counts_by_its_value(answer, equal):
    assert (says("10", answer) is True) is equal
