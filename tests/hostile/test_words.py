"""Words around the right number that make it another, deny it or doubt it."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, rows

WORDS = (
    (
        r"12",
        r"""
        12\text{ or so}
        12\text{ish}
        12\text{ (approx)}
        12 \text{ give or take}
        12\text{ plus or minus }1
        12\text{ minus one}
        12\text{ less one}
        12 \text{ too many}
        12\text{ more}
        12\text{ less}
        12\text{ fewer than expected}
        12\text{ more than }x
        12\text{ times }x
        12\text{ per }x
        12\text{ each}
        12\text{ every other}
        12\text{ of }x
        12\text{ zillion}
        12\text{ score}
        12\text{ pairs of }2
        12\text{ bakers dozen}
        12\text{ bits of }13
        12\text{ reversed}
        12\text{ backwards}
        12\text{ in hex}
        12\text{ in base 5}
        12\text{ octal}
        12\text{ in Roman}
        12\text{ binary}
        12\text{ hexadecimal}
        12 \text{ (base }3)
        12\text{ (binary)}
        12_{\text{five}}
        12_{16}
        12_{hex}
        12h
        12x
        12\mathrm{x}
        12\text{x}
        12\text{ x}
        12i
        12\mathbf{i}
        12\hat{i}
        12j
        12\vec{u}
        12\text{a}
        12a_1
        12\alpha
        12\text{ pi}
        12\pi
        12\text{ rad}\cdot\pi
        12e
        12\text{e}
        12\text{e6}
        12k
        12\text{k}
        12\text{K}
        12\text{ M}
        12\text{ bn}
        12\text{n}
        12\text{!}
        12\text{ per mille}
        12\text{ bp}
        12\text{ basis points}
        12\text{ per cent of }3
        12\text{th root}
        12\text{th}
        12\text{nd}
        12\text{-gon}
        12\text{-fold}
        12\text{ to the power }2
        12\text{ raised to }2
        12\text{ modulo}
        12\text{ over}
        12\text{ halves}
        12\text{ halved}
        12\text{ twice}
        12\text{ doubled}
        12\text{ quadrupled}
        12\text{ quintupled}
        12\text{ cubed}
        12\text{ to the fourth}
        12\text{ negative}
        12\text{ below zero}
        12\text{ in debt}
        12\text{ BC}
        12\text{ B.C.}
        12\text{:}30
        12:30
        12'30''
        12^\circ30'
        12\text{ feet }3\text{ inches}
        12\text{ and a half}
        12\text{ and a bit}
        12\text{ and change}
        12\text{ and two thirds}
        12\tfrac12
        12\ 1/2
        12 1/2
        12\text{ point five}
        12\text{ dot }5
        12\text{ ft }1\text{ in}
        12\text{ hours }5\text{ min}
        12\text{ euros }50
        12\text{ dollars and 50 cents}
        12\text{ remainder }3
        12\text{ R }3
        12R3
        12r3
        12\text{ rem }1
        12\ldots3
        12 \text{ (false)}
        12\text{ is false}
        12\text{, false}
        12\text{ contradicts}
        12\text{ excluded}
        12\text{ removed}
        12\text{ rejected}
        12\text{ extraneous}
        12\text{ (extraneous)}
        12\text{ (rejected)}
        12\text{ (wrong)}
        12\text{ (not accepted)}
        12\text{ too big}
        12\text{ fails}
        12\text{ cannot be}
        12\text{ can't be}
        12\text{ isn't}
        12\text{ ain't it}
        12\text{ nope}
        12\text{ no}
        12\text{ nah}
        12\text{ nicht}
        12\text{ falsch}
        12\text{ no es}
        12\text{ faux}
        12\text{ pas}
        \text{kein }12
        \text{ne }12
        \text{sans }12
        \text{excluding }12
        \text{except }12
        \text{minus }12
        \text{moins }12
        \text{negative }12
        \text{half of }12
        \text{twice }12
        \text{double }12
        \text{square root of }12
        \text{root }12
        \text{the square of }12
        \text{a dozen less }12
        \text{under }12
        \text{over }12
        \text{about }12
        \text{circa }12
        \text{ca. }12
        12~13
        ~-12
        !12
        >12
        12*
        12x2
        l2
        I2
        1Z
        O12
        12O
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(WORDS))
def test_words_that_alter_or_take_back_a_number_leave_no_answer(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]
