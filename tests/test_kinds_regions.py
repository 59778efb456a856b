"""Comparison by kind: intervals, inequalities, set-builders, unions."""

from __future__ import annotations

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import DEFAULT_POLICY
from verifiers_math.equivalence.verdict import Status


def says(gold, answer):
    """True, False, or None where the pure stages leave the pair to computer algebra."""
    decision = judge(gold, answer, DEFAULT_POLICY)
    return None if decision is None else decision.status is Status.CORRECT


SAME = [
    ("x>2", "2x>4"),
    ("x>2", "-x<-2"),
    (r"\{1,2\}", r"x\in\{1,2\}"),
    (r"\{5\}", r"x \in \{5\}"),
    ("5", r"x \in \{5\}"),
]

SAME_BOTH_WAYS = [
    ("x > 3", r"(3,\infty)"),
    ("x>3", r"\{x \mid x > 3\}"),
    ("x>3", r"x \in (3,+\infty)"),
    ("x>3", "3<x"),
    ("x>3", r"\{x : x>3\}"),
    ("x>3", r"\{x\in\mathbb{R} \mid x>3\}"),
    ("x>3", r"\{t \mid t>3\}"),
    ("2<x<5", "(2,5)"),
    ("2<x<5", "5>x>2"),
    ("2<x<5", r"x>2 \text{ and } x<5"),
    ("2<x<5", "x>2, x<5"),
    (r"2<x\le5", "(2,5]"),
    (r"x<1 \text{ or } x>2", r"(-\infty,1)\cup(2,\infty)"),
    (r"x<1 \text{ or } x>2", r"(2,\infty)\cup(-\infty,1)"),
    (r"x \leqslant 4", r"(-\infty, 4]"),
    (r"\mathbb{R}", r"(-\infty,\infty)"),
    (r"\mathbb{R}", r"x \in \mathbb{R}"),
    (r"\mathbb{R} \setminus \{2\}", r"(-\infty,2)\cup(2,\infty)"),
    (r"\mathbb{R} \setminus \{2\}", r"x \ne 2"),
    (r"\mathbb{R}\setminus\{1,2\}", r"x\neq1, x\neq2"),
    (r"x\ne 1,2", r"x\neq1 \text{ and } x\neq2"),
    (r"[1,2]\cup[2,3]", "[1,3]"),
    (r"[1,2)\cup(2,3]", r"[1,3]\setminus\{2\}"),
    ("|x|<2", "(-2,2)"),
    (r"|x|\ge2", r"(-\infty,-2]\cup[2,\infty)"),
    ("x^2<9", "-3<x<3"),
    (r"x>\frac12", "x>0.5"),
    (r"(0,\frac{\pi}{2})", "(0, pi/2)"),
    (r"(-\infty,\infty)", r"(-\infty,+\infty)"),
    (r"\infty", r"+\infty"),
    ("]2,5[", "(2,5)"),
    (r"0 \le a \le 1", "[0,1]"),
    (r"a\in[0,1]", r"0\le a\le1"),
    (r"x\in\{1,2\}", r"x=1 \text{ or } x=2"),
    (r"x\in\{1,2\}", "1,2"),
    ("x+y>2", "x>2-y"),
    ("x+y>2", "2x+2y>4"),
    ("a<b<c", "c>b>a"),
    ("a > b", "b<a"),
    (r"x<0 \text{ or } 0<x", r"x\neq0"),
    (r"[0,1]\cup\{2\}", r"\{2\}\cup[0,1]"),
    (r"x \geq 0", r"[0,\infty)"),
    ("m < -1", r"(-\infty,-1)"),
    ("-1<a<1", "|a|<1"),
    ("a<x<b", "(a,b)"),
    ("x > a", r"(a, \infty)"),
    (r"\{x \mid 1<x<3\}", "(1,3)"),
    (r"\{x \mid x<1 \text{ or } x>3\}", r"(-\infty,1)\cup(3,\infty)"),
    (r"\{ (x,y) \mid x+y=1\}", r"\{(x,y): x+y=1\}"),
    (r"\mathbb{Z}", r"x \in \mathbb{Z}"),
    (r"(-\infty,-1)\cup(-1,1)\cup(1,\infty)", r"\mathbb{R}\setminus\{-1,1\}"),
    (r"x\ne\pm1", r"\mathbb{R}\setminus\{-1,1\}"),
    (r"x\ne\pm1", r"x\ne1,-1"),
    (r"x \neq 2", r"\{x\mid x\neq2\}"),
    (r"x \neq 2", r"\{x\in\mathbb{R}\mid x\neq2\}"),
    (r"\{x | x \in \mathbb{R}, x \neq 2\}", r"x\neq 2"),
    (r"x \le -1 \text{ or } x \ge 1", r"|x|\ge1"),
    ("(0,1]", r"0<x\le1"),
    ("(0,1]", r"0<x \text{ and } x\leq 1"),
    (r"[2,\infty)", r"\{y \mid y\ge2\}"),
    (r"[2,\infty)", r"y \geq 2"),
    ("[0,1]", r"\left[0,1\right]"),
    (r"(0,\infty)", r"\mathbb{R}^+"),
    (r"(0,\infty)", r"\mathbb{R}_{>0}"),
    (r"(-1,1)\cup\{2\}", r"\{2\}\cup(-1,1)"),
    (r"x\in(-\infty,-1]\cup[1,\infty)", r"x\le-1 \text{ or } x\ge1"),
    (r"\left(-\infty, \frac{1-\sqrt5}{2}\right)", r"x<\frac{1-\sqrt{5}}{2}"),
    (r"k<-1 \text{ or } k>1", r"(-\infty,-1)\cup(1,\infty)"),
    ("x>1, y>2", "y>2, x>1"),
    (r"a\ge1", r"[1,+\infty)"),
    (r"1\le a<2", r"a\in[1,2)"),
    (r"0<x<1, x\ne\frac12", r"(0,\frac12)\cup(\frac12,1)"),
    (r"\{x|-1<x<2\}", "-1<x<2"),
    (r"\{1,2\}\cup\{3\}", r"\{1,2,3\}"),
    (r"\{1,2,3\}\setminus\{3\}", r"\{1,2\}"),
]

DIFFERENT = [
    ("x>2", "2x+1>5"),
    ("x>2", "-x>-2"),
    ("1", r"x\in\{1,2\}"),
    (r"x \ge 1", "0<1"),
    ("(1,2)", "1<x<2, x>5"),
]

DIFFERENT_BOTH_WAYS = [
    ("x>3", r"x\ge 3"),
    ("x>3", "x<3"),
    ("x>3", "y>3"),
    ("x>3", r"[3,\infty)"),
    ("x>3", "3"),
    ("x>3", "x=3"),
    ("x>3", "(3,4)"),
    ("x>3", r"(-\infty,3)"),
    ("2<x<5", r"x>2 \text{ or } x<5"),
    (r"2<x\le5", "[2,5)"),
    ("(2,5)", "[2,5]"),
    ("(2,5)", "(5,2)"),
    ("[2,5]", r"\{2,5\}"),
    ("[2,5]", "(2,5]"),
    (r"x<1 \text{ or } x>2", r"(-\infty,1)\cap(2,\infty)"),
    (r"x<1 \text{ or } x>2", r"x<1 \text{ and } x>2"),
    (r"\mathbb{R} \setminus \{2\}", r"\mathbb{R}"),
    (r"\mathbb{R} \setminus \{2\}", r"\mathbb{R} \setminus \{3\}"),
    ("x^2<9", "x<3"),
    (r"(0, \pi/2)", r"(0, \pi/4)"),
    (r"(-\infty,3)", r"(\infty,3)"),
    (r"\infty", r"-\infty"),
    (r"\infty", "10^{400}"),
    (r"\infty", "5"),
    (r"(3,\infty)", "(3,10^{400})"),
    (r"a\in[0,1]", r"b\in[0,1]"),
    ("x+y>2", r"x+y\ge2"),
    ("x+y>2", "x+y<2"),
    ("a<b<c", "a<c<b"),
    (r"x^2\ge0", "x>1"),
    ("x > 5", "5 > 3"),
    ("[0,1]", "[0,1)"),
    ("[0,1]", r"[0,1]\cup\{2\}"),
    (r"\{ (x,y) \mid x+y=1\}", r"\{(x,y): x+y=2\}"),
    (r"\mathbb{Z}", r"\mathbb{R}"),
    (r"\mathbb{Z}", r"\mathbb{Q}"),
    ("(0,1]", r"0<x \text{ or } x\leq 1"),
    (r"(-1,1)\cup\{2\}", r"(-1,1)\cup\{3\}"),
    ("(-1,1)", "[-1,1]"),
    ("x>1, y>2", "x>1"),
    (r"\{1,2,3\}\setminus\{3\}", r"\{1,3\}"),
]


@pytest.mark.parametrize(("gold", "answer"), SAME)
def test_the_answer_is_the_gold(gold, answer):
    assert says(gold, answer) is True


@pytest.mark.parametrize(("gold", "answer"), SAME_BOTH_WAYS)
def test_both_are_the_same_whichever_is_the_gold(gold, answer):
    assert says(gold, answer) is True
    assert says(answer, gold) is True


@pytest.mark.parametrize(("gold", "answer"), DIFFERENT)
def test_the_answer_is_not_the_gold(gold, answer):
    assert says(gold, answer) is False


@pytest.mark.parametrize(("gold", "answer"), DIFFERENT_BOTH_WAYS)
def test_the_two_differ_whichever_is_the_gold(gold, answer):
    assert says(gold, answer) is False
    assert says(answer, gold) is False
