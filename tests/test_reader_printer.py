r"""What is printed is read back: for random trees, and for texts in many habits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from tests.math_trees import answers, expressions
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import (
    Apply,
    Call,
    Constant,
    Negative,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
)


@settings(max_examples=300, deadline=None)
@given(expressions())
def test_a_printed_expression_is_read_as_itself(tree):
    assert read(to_latex(tree)) == tree


@settings(max_examples=300, deadline=None)
@given(answers())
def test_a_printed_answer_of_any_kind_is_read_as_itself(tree):
    assert read(to_latex(tree)) == tree


X, Y, TWO = Symbol("x"), Symbol("y"), Number(Fraction(2))


@pytest.mark.parametrize(
    ("tree", "latex"),
    [
        (Sum((X, Negative(Y))), "x-y"),
        (Sum((X, Negative(Sum((Y, TWO))))), "x-(y+2)"),
        (Product((TWO, X)), "2x"),
        (Product((X, Y)), "x y"),
        (Product((TWO, Sum((X, Y)))), "2{x+y}"),
        (Product((X, TWO), explicit=True), r"x \cdot 2"),
        (Negative(Product((X, Y))), "-(x y)"),
        (Power(Negative(X), TWO), "(-x)^{2}"),
        (Power(Number(Fraction(-2)), TWO), "(-2)^{2}"),
        (Power(Constant("e"), X), "e^{x}"),
        (Call("factorial", (Call("factorial", (X,)),)), "(x!)!"),
        (Call("log", (X, TWO)), r"\log_{2}(x)"),
        (Call("arsinh", (X,)), r"\operatorname{arsinh}(x)"),
        (Apply("f^-1", (X,)), "f^{-1}(x)"),
        (Symbol("alpha_1"), r"\alpha _{1}"),
        (Symbol("dy/dx"), r"\frac{dy}{dx}"),
        (Symbol("angle ABC"), r"\angle ABC"),
    ],
)
def test_printed_forms(tree, latex):
    assert to_latex(tree) == latex


@pytest.mark.parametrize(
    "text",
    [
        r"-\frac{1}{2}x^2 + 3x - \sqrt[3]{5}",
        r"2\sin x\cos x",
        r"\sin^{-1}\frac12 + \log_2 8 + \ln|x|",
        r"6.02e23",
        r"0.\overline{36}",
        r"-1\frac12",
        r"\left|\left|x\right|-1\right|",
        r"x = 1, y = 2; x = 3, y = 4",
        r"x_1 = -2 \text{ or } x_2 = 3",
        r"\{x \in \mathbb{R} : x \ne 0\}",
        r"(-\infty, 0) \cup \{1\} \cup [2, 3)",
        r"]0, 1[",
        r"\begin{cases} x & x > 0 \\ -x & \text{otherwise} \end{cases}",
        r"\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix}",
        r"[1, 2; 3, 4]",
        r"n \equiv 1 \pmod{4}",
        r"5 \text{ cm}^2",
        r"\$1,234.56",
        r"5 m",
        r"2A_{16}",
        r"30^\circ, 45\%",
        r"\sum_{k=1}^n k = 55",
        r"1, 3, 5, \ldots, 2n-1",
        r"a_1 a_2 \cdots a_n",
        r"\frac{d}{dx} x^2",
        r"f^{\prime\prime}(x) + \frac{d^2y}{dx^2}",
        r"4 \text{ for all } x",
        r"(x=1)",
        r"1:2:3",
        r"\text{no solution}",
        r"k\pi, \ k \in \mathbb{Z}_{\ge 0}",
        "> 0",
    ],
)
def test_a_text_is_read_as_its_own_printed_form(text):
    tree = read(text)
    assert not isinstance(tree, Unreadable)
    assert read(to_latex(tree)) == tree
