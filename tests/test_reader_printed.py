"""What algebra systems and Python print, and names that only look like it."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says

SAME = [
    ("x = 2", "Eq(x, 2)"),
    ("2", "{x: 2}"),
    (r"\{1, 2\}", "FiniteSet(1, 2)"),
    (r"\{1, 2\}", "set([2, 1])"),
    ("(0, 1)", "Interval.open(0, 1)"),
    ("[0, 1)", "Interval(0, 1, False, True)"),
    (r"(-\infty, -1) \cup (2, \infty)", "Union(Interval.open(-oo, -1), Interval.open(2, oo))"),
    (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "Matrix([[1, 2], [3, 4]])"),
    (r"\begin{pmatrix} 3 \\ -1 \end{pmatrix}", "array([3, -1])"),
    (r"\begin{pmatrix} 2 & 0 \\ 0 & -3 \end{pmatrix}", r"\operatorname{diag}(2, -3)"),
    (r"\binom{10}{3}", "comb(10, 3)"),
    ("720", "math.factorial(6)"),
    ("x^{1/3}", "root(3)(x)"),
    ("x^{1/3}", "root(x, 3)"),
    ("3 - 4i", "3 - 4*I"),
    ("(1, 2), (3, 4)", "[(3, 4), (1, 2)]"),
    (r"\frac{\ln 2}{2}", "ln 2 / 2"),
    (r"f^{-1}(x) = 2x", "f^(-1)(x) = 2x"),
    ("2 < x < 5", "x in (2, 5)"),
]
DIFFERENT = [
    ("x = 2", "Eq(x, 3)"),
    ("2", "{2: x}"),
    ("[0, 1]", "Interval.open(0, 1)"),
    ("[0, 1]", "Interval(0, 1, maybe, False)"),
    ("6", "FiniteSet(6, 7)"),
    ("6", "Integer(6, 7)"),
    ("2I", "2i"),
    (r"\begin{pmatrix} 1 & 0 \\ 0 & 2 \end{pmatrix}", "diag(2, 1)"),
    (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "[[3, 4], [1, 2]]"),
]


@each_pair(same=SAME, different=DIFFERENT)
def test_constructors_stand_for_mathematics(gold, answer, verdicts):
    assert says(gold, answer) in verdicts
