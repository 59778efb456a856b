from __future__ import annotations

import pytest

from verifiers_math.equivalence.normalize import tidy
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.vetoes import misread, veto


def refused(gold, answer, **choices):
    return veto(tidy(gold), tidy(answer), Policy(**choices))


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        # the operation is left to the judge
        ("55", r"\sum_{k=1}^{10} k"),
        ("24", r"\prod_{k=1}^4 k"),
        ("1", r"\int_0^1 2x\,dx"),
        ("0", r"\lim_{n\to\infty} \frac1n"),
        ("6", r"\gcd(12, 18)"),
        ("6", "gcd(12, 18)"),
        ("1", r"7 \bmod 3"),
        ("-2", r"\det\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
        ("5", r"2+\int_0^3 1\,dx"),
        ("4", r"\text{gcd}(8,20)"),
        ("4", r"\operatorname{gcd}(8, 20)"),
        ("4", "GCD(8,20)"),
        ("4", r"\mathrm{HCF}(8,20)"),
        ("40", r"\text{lcm}(8,20)"),
        ("40", "LCM(8, 20)"),
        ("7", "27 mod 20"),
        ("7", r"27\operatorname{mod}20"),
        ("7", "27 % 20"),
        ("2", r"5^{20} \text{ mod } 23"),
        ("10x", r"\frac{d}{dx}(5x^2)"),
        ("10x", r"\dfrac{\mathrm{d}}{\mathrm{d}x}[5x^2]"),
        ("10x", r"\frac{d^2}{dx^2}\frac{5x^3}{3}"),
        ("10x", "d/dx (5x^2)"),
        ("10x", r"\frac{\partial}{\partial x} 5x^2"),
        ("10", r"\frac{d(10x)}{dx}"),
        ("10", r"\frac{d\,10x}{dx}"),
        ("10", "d(10x)/dx"),
        ("9", r"2+\ldots+7"),
        ("21", r"1+2+\cdots+6"),
        ("4", r"\frac{1+\dots+7}{2}"),
        (
            r"\begin{pmatrix}5&6\\7&8\end{pmatrix}",
            r"\begin{pmatrix}5&6\\7&8\end{pmatrix}\begin{pmatrix}1&0\\0&1\end{pmatrix}",
        ),
        # an arrow from one value to another, and signs that say more than the number
        ("9", r"8 \Rightarrow 9"),
        ("9", r"8 \therefore 9"),
        ("9", r"8⇒9"),
        ("9", r"x=8 \iff x=9"),
        ("9", r"8 \equiv 9"),
        ("9", "9_2_7"),
        ("9", "9'"),
        ("9", "9°'"),
        ("9'", "9''"),
        ("9", r"8 \ne 9"),
        ("9", "8 ? 9"),
        ("9", r"x=8 \foo x=9"),
        ("9", r"9\heartsuit"),
        # several candidates
        ("5", "5 or 6"),
        ("5", r"5 \text{ or } 6"),
        ("5", "maybe 5"),
        # an equation whose left side is no name, and chains that do not hold
        ("4", "2x+5 = 13"),
        ("7", "x^2 = 7"),
        ("4", "3 = 4"),
        ("4", "x = 3 = 4"),
        ("4", "2 + 2 = 5 = 4"),
        # kind
        ("(1,2)", r"\{1,2\}"),
        (r"\{1,2\}", "(1,2)"),
        # case of a letter
        ("x+1", "X+1"),
        ("ab", "aB"),
        # words and letters that make another value
        ("5", r"5\text{ million}"),
        (r"5\text{ tenths}", "5"),
        ("5", "5 cubed"),
        ("5", "5 thirds"),
        ("5", "5~factorial"),
        ("5", r"5\ times"),
        ("5", "5 kilo"),
        ("5", r"5\text{ root six}"),
        ("5", r"5\text{ log}"),
        ("5", r"5\text{K}"),
        ("5", r"5\text{M}"),
        ("5", "5 June"),
        (r"5\text{ June}", "5"),
        ("5", r"5\text{ squared}"),
        ("5", r"5\mathrm{i}"),
        (r"3\mathrm{e}", "3"),
        ("5", "not 5"),
        ("5", r"\text{not } 5"),
        (r"\text{neither } 5 \text{ nor } 6", "5, 6"),
    ],
)
def test_an_answer_that_cannot_count_is_refused_with_a_reason(gold, answer):
    assert refused(gold, answer)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("5", "5"),
        ("5", "x = 5"),
        ("5", "x_1 = 5"),
        ("5", "f(2) = 5"),
        (r"\frac13", r"P(X=2) = \frac{1}{3}"),
        ("5", "|AB| = 5"),
        ("30", r"\angle ABC = 30"),
        ("5", r"\text{the sum} = 5"),
        ("5", "the sum = 5"),
        ("3", "x = 1+2 = 3"),
        ("(1,2)", "(x, y) = (1, 2)"),
        ("2x+5=13", "2x = 8"),
        ("5 or 6", "6 or 5"),
        ("5, 6", "5 or 6"),
        (r"\pm 5", "5 or -5"),
        (r"\sum_{k} a_k", r"\sum_{n} a_n"),
        (r"2\pi", r"2\text{pi}"),
        ("5i", r"5\mathrm{i}"),
        ("5", r"5\text{ m}"),
        ("x+C", "x+c"),
        ("2x", r"2x \text{ where } x \text{ is not } 0"),
        ("x > 3", "3 < x"),
        ("(-\\infty, 2)", r"\{x \mid x < 2\}"),
        ("0or1", "0or1"),
        (r"\frac{dy}{dx} = 2x", r"\frac{dy}{dx} = 2x"),
        (r"1+2+\cdots+n", r"1+2+\ldots+n"),
        ("x, y", r"x, \ldots, y"),
        (r"3 \pmod 7", r"x \equiv 3 \pmod{7}"),
        ("5", "5 apples"),
        ("5", "5 seconds"),
        (r"5\log 2", "5 log 2"),
        (r"\frac{1+d}{dx}", r"\frac{d+1}{dx}"),
        (r"\heartsuit", r"\heartsuit"),
        (r"\varphi+1", r"\varphi + 1"),
    ],
)
def test_what_may_count_is_not_refused(gold, answer):
    assert refused(gold, answer) is None


@pytest.mark.parametrize(
    "answer", [r"x + 1 = 5 \Rightarrow x = 4", r"x^2 = 16 \implies x = 4", r"\therefore x = 4", "4"]
)
def test_an_arrow_from_a_relation_leads_to_the_answer(answer):
    assert misread("4", tidy(answer), Policy()) is None


@pytest.mark.parametrize("answer", [r"\sum_{k=1}^{10} k", r"\gcd(12, 18)"])
def test_unevaluated_operators_may_be_allowed(answer):
    assert refused("6", answer, allow_unevaluated=True) is None


def test_a_sum_in_the_gold_allows_one_in_the_answer():
    assert refused(r"\sum_{k=1}^n k^k", r"\sum_{j=1}^n j^j") is None
