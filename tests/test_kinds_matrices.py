"""Comparison by kind: matrices and vectors."""

from __future__ import annotations

import pytest

from tests.pure_verdicts import each_pair, says

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


@each_pair(same_both_ways=SAME_BOTH_WAYS, different_both_ways=DIFFERENT_BOTH_WAYS)
def test_each_pair_has_the_verdict_of_its_table(gold, answer, verdicts):
    assert says(gold, answer) in verdicts


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
