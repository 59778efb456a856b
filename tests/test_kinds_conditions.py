"""Conditions behind an answer: where a value is meant may be said, no number may be left out."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says

SAME = [
    ("f(x)=x^2", "f(x)=x^2, x>0"),
    ("f(x)=x^2", r"f(x)=x^2 \text{ for } x>0"),
    (r"\frac{1}{1-x}", r"\frac{1}{1-x}, |x|<1"),
    (r"\frac{1}{1-x}", r"\frac{1}{1-x}, -1<x<1"),
    (r"\sqrt{x-3}", r"\sqrt{x-3}, x\ge 3"),
    (r"\ln(x-7)", r"\ln(x-7), x>7"),
    ("x(10-x)", "x(10-x), 0<x<10"),
    (r"\frac{n(n-3)}{2}", r"\frac{n(n-3)}{2}, n\ge 3"),
    (r"2\sin\theta", r"2\sin\theta, 0<\theta<\frac{\pi}{2}"),
    (r"\frac{1}{x-2}", r"\frac{1}{x-2}, x\neq 2"),
    ("f(x)=cx, x>7", "f(x)=cx"),
    ("f(x)=cx, x>7", "f(x)=cx, x>7"),
    ("f(x)=cx", r"f(x)=cx, \forall x\in\mathbb{R}"),
    ("f(x)=cx", r"f(x)=cx, x\in(0,\infty)"),
    ("f(x)=cx", r"f(x)=cx, x\in(-\infty,\infty)"),
    ("f(x)=cx", r"f(x)=cx \text{ for all real } x"),
    ("x^2", r"x^2, x\in[0,1]"),
    (r"\sin\theta", r"\sin\theta, \theta\in[0,2\pi]"),
    ("f(x)=cx", "f(x)=kx"),
    ("f(x)=cx", r"f(x)=cx \text{ for all } x"),
    ("f(x)=cx", r"f(x)=cx \text{ for some constant } c"),
    ("f(x)=cx", r"f(x)=cx, c\in\mathbb{R}"),
    ("f(x)=cx", r"f(x)=cx, x\in\mathbb{R}"),
    ("f(x)=cx", r"f(x)=cx \text{ where } c \text{ is a constant}"),
    (r"\frac{1}{x}", r"\frac1x, x\ne 0"),
    (r"\ln x", r"\ln x, x>0"),
    (r"\sqrt{x-1}", r"\sqrt{x-1}, x\ge 1"),
    ("a_n=2n+1", r"a_n=2n+1, n\ge 1"),
    ("2n+1", r"2n+1 \text{ for } n\ge 1"),
    ("x^2", r"x^2, x\ne 0"),
]

DIFFERENT = [
    ("f(x)=cx", "f(x)=ax, x>7"),
    ("f(x)=cx", "f(x)=cx, x>7"),
    ("f(x)=x^2", "f(x)=x^2, x>3"),
    ("x^2", "x^2, x>3"),
    ("x^2", "x^2, 2<x<5"),
    ("f(x)=x", r"f(x)=x \text{ for } x>7"),
    ("f(x)=x", r"f(x)=x \text{ if } x>2"),
    ("f(x)=x", r"f(x)=x \text{ when } x<2"),
    ("y=2x+1", "y=2x+1, x>3"),
    ("f(x)=cx", r"f(x)=cx \quad (x>7)"),
    ("f(x)=cx", "f(x)=cx (x>7)"),
    ("x=2k", "x=2k, k>7"),
    ("2k", "2k, k>7"),
    (r"2k+1, k\in\mathbb{Z}", "2k+1, k>0"),
    ("2^n", "2^n, n<5"),
    ("x+7", "x+7, x>7"),
    ("f(x)=cx", r"f(x)=cx \text{ for all } x > 7"),
    ("f(x)=cx", r"f(x)=cx \text{ provided } x \ge 100"),
    ("f(x)=cx", "f(x)=cx, 7<x"),
    ("f(x)=cx", r"f(x)=cx \text{ and } x>7"),
    ("f(x)=cx", r"f(x)=cx \land x>7"),
    ("f(x)=cx", "f(x)=cx; x>7"),
    ("f(x)=cx", r"f(x)=cx, \quad x>7"),
    ("f(x)=cx", r"f(x)=cx,\ x \geq 7"),
    ("f(x)=cx", "f(x)=cx, x>7, c>0"),
    ("f(x)=cx", r"f(x)=cx, \forall x>7"),
    ("f(x)=cx", r"f(x)=cx \text{ for } x \in (7,\infty)"),
    ("f(x)=cx", r"f(x)=cx, x\in(7,\infty)"),
    ("f(x)=cx", r"f(x)=cx, x\in[7,9]"),
    ("f(x)=cx", r"f(x)=cx, x\in\{7,9\}"),
    ("f(x)=cx", r"f(x)=cx \text{ for } x=7"),
    ("f(x)=cx", "f(x)=cx, x = 7"),
    ("x^2", r"x^2 \text{ only if } x>7"),
    ("f(x)=cx", "f(x)=cx, |x|>7"),
]


@each_pair(same=SAME, different=DIFFERENT)
def test_an_answer_may_not_restrict_what_the_gold_does_not(gold, answer, verdicts):
    assert says(gold, answer) in verdicts
