"""Arithmetic left to be done: what counts as a value where the gold is a numeral."""

from __future__ import annotations

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy
from verifiers_math.equivalence.reader import read
from verifiers_math.equivalence.unworked import leaves_arithmetic
from verifiers_math.equivalence.verdict import Status

STRICT = Policy.strict()

VALUES = [
    "7",
    "-7",
    "3.5",
    r"-\frac{22}{7}",
    "20\\%",
    r"30^\circ",
    r"5\text{ cm}",
    "101_2",
    "2^{10}",
    r"\left(\frac56\right)^{3}",
    "5!",
    "7!!",
    r"\binom{5}{2}",
    r"\sqrt{49}",
    r"\sqrt[3]{2}",
    "2^{1/3}",
    "2^{-3/2}",
    r"\max(3,4)",
    r"\lfloor 3.2\rfloor",
    r"\lceil \frac72\rceil",
    "|-5|",
    r"\pi",
    "e^2",
    r"\frac{1}{2^{10}}",
    r"\frac{3}{\binom{5}{2}}",
    r"2\sqrt{3}",
    r"-\frac{3\pi}{4}",
    r"\frac{1+\sqrt5}{2}",
    r"\frac12+\frac{\sqrt3}{2}",
    r"16-4\pi",
    r"\sqrt2+\sqrt3+\pi",
    r"\sqrt{2+\sqrt3}",
    r"\frac{\sqrt3}{\sqrt2}",
    r"\pm 3",
    "x = 5",
    r"A = \pi r^2 = 9\pi",
    "(1,2)",
    r"\{1,\sqrt2\}",
    "3:4",
]

UNWORKED = [
    r"123\times456",
    "123+456",
    "1-2",
    r"12^1\cdot45^1",
    "12/(1/45)",
    r"\frac{12}{\frac{1}{45}}",
    r"\frac{\frac12}{3}",
    r"\frac{12}{45^{-1}}",
    r"|12|\cdot|45|",
    r"\sqrt{12^2}\cdot45",
    r"\sqrt{(12\cdot45)^2}",
    r"\binom{12}{1}\cdot45",
    r"\ln((e^{12})^{45})",
    r"\ln(e^{12}e^{45})",
    r"\max(12,0)+\max(45,0)",
    r"\max(12\cdot45,1)",
    r"\lfloor12\rfloor+\lfloor45\rfloor",
    r"12\cdot1^{x}+45",
    r"\frac{12x+45x}{x}",
    r"12\cos 0",
    r"1.2\cdot10^2+45",
    r"12\sqrt4",
    r"1+\sqrt9",
    r"1+\sqrt[3]{8}",
    r"1+8^{1/3}",
    r"\sqrt2\sqrt8",
    r"\sqrt2-\sqrt2+5+6",
    r"\frac{12\pi}{\frac{\pi}{45}}",
    r"\log_2 8",
    r"\$12+\$45",
    r"12_{10}+45_{10}",
    r"12\%+45\%",
    "x = 1+2",
    "x = 1+2 = 3",
    r"\{1+2\}",
    "(1+2, 5)",
    r"\pm(1+2)",
    "7x",
    "1+2^{1/0}",
    r"1+\frac{\sqrt{2}}{0/0}",
    r"1+\sqrt[0]{2}",
    r"1+\sqrt[-3]{2}",
    r"1+\sqrt{-4}",
    "f(7)",
]


@pytest.mark.parametrize("answer", VALUES)
def test_a_value_leaves_nothing_to_be_done(answer):
    assert leaves_arithmetic(read(answer)) is False


@pytest.mark.parametrize("answer", UNWORKED)
def test_whatever_else_evaluates_to_a_number_leaves_arithmetic_to_be_done(answer):
    assert leaves_arithmetic(read(answer)) is True


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("56088", "123/(1/456)"),
        ("579", r"\$123+\$456"),
        ("579", r"123_{10}+456_{10}"),
        ("5.79", r"123\%+456\%"),
    ],
)
def test_strict_refuses_arithmetic_before_computer_algebra_is_asked(gold, answer):
    decision = judge(gold, answer, STRICT)
    assert decision.status is Status.INCORRECT
    assert decision.detail == "the answer leaves arithmetic to be done"


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("1024", "2^{10}"),
        ("3.43", r"16-4\pi"),
        ("1.618034", r"\frac{1+\sqrt5}{2}"),
        ("2.5", r"2\frac12"),
        ("120000", r"1.2\times10^{5}"),
    ],
)
def test_strict_takes_values(gold, answer):
    assert judge(gold, answer, STRICT).status is Status.CORRECT


@pytest.mark.parametrize("answer", ["4 ^0 3", r"1 \heartsuit + 2"])
def test_strict_takes_no_value_for_a_numeral_that_cannot_be_read(answer):
    decision = judge("3", answer, STRICT)
    assert decision.status is Status.INCORRECT
    assert judge(r"\heartsuit", answer, STRICT) is None


def test_a_product_of_matrices_is_not_its_value():
    gold = r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"
    for answer in (
        rf"{gold}\begin{{pmatrix}}1&0\\0&1\end{{pmatrix}}",
        rf"\begin{{pmatrix}}1&0\\0&1\end{{pmatrix}}^2\cdot{gold}",
        rf"{gold}^1",
    ):
        assert judge(gold, answer, DEFAULT_POLICY).status is Status.INCORRECT
        assert judge(gold, answer, Policy(allow_unevaluated=True)) is None
        assert judge(answer, answer + r"\,", DEFAULT_POLICY).status is Status.CORRECT
