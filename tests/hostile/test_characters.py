"""Characters that look like others, that cannot be seen, or that turn the text around."""

from __future__ import annotations

import pytest

from tests.hostile.attempts import boxed, paid, rows

LOOKALIKES = (
    (
        r"12",
        r"""
        12\text{‰}
        12 ½
        12½
        12\text{ 不是}
        12\text{ 错}
        12 错
        12不
        非12
        不12
        \text{不是}12
        负12
        \text{负}12
        约12
        大约12
        \text{近似}12
        12左右
        12\text{左右}
        12以上
        12以下
        12余
        12万
        12億
        12千
        12百
        12\text{万}
        12%的
        12倍
        12分之一
        12\text{ 或 }13
        12或13
        12和13
        12、13
        12～13
        12〜13
        12到13
        12至13
        12⁄13
        12／13
        12∕13
        12÷13
        12∶13
        12：13
        12．5
        12·5
        12・5
        12٫5
        12٬500
        ١٣
        一二或三
        十二或十三
        Ⅻ or Ⅺ
        ⑫⑬
        12²
        12³
        12⁻¹
        12₅
        ¹²
        ₁₂
        ⅟12
        −12
        ﹣12
        －12
        ‒12
        —12
        ―12
        ⁻12
        ₋12
        ➖12
        ¬12
        ¡12
        ∼12
        ≈12.4
        ≲12
        ⩾12
        ≥12
        ≧12
        ⪆12
        ≫12
        ＞12
        ﹥12
        ≠12
        ≢12
        ∉12
        ∌12
        ≯12
        √12
        ∛12
        ∜12
        ∑12
        ∏12
        ∫12
        ∂12
        ∇12
        Δ12
        ∆12
        ±12
        ∓12
        ⊕12
        |−12|+1
        12⌋
        ⌊12.5⌋+1
        12†
        12∗2
        12⋆2
        12∙2
        12∘2
        12⨯2
        12✕2
        12✖2
        12ｘ2
        12х2
        12×2
        1Ƨ
        """,
    ),
    (
        r"5",
        r"""
        5̸
        ̸5
        ≠ 5
        ≠5
        """,
    ),
)


@pytest.mark.parametrize(("gold", "answer"), rows(LOOKALIKES))
def test_a_character_that_says_more_than_the_number_makes_it_another(verifier, gold, answer):
    assert paid(verifier, gold, boxed(answer)) == [False, False]


UNSEEN = (
    "\u202e\u202d\u2066\u2069\u200e\u200f\u00ad\u034f\u061c\u180e\u2061\u2063\u2064\u115f\u3164"
    "\U000e0034\U000e0001\ufe0f\u0301\u0336\u20dd\u0338\u206a\u200b\u200c\u2060\ufeff"
)
"""Directions, joiners, fillers, tags, selectors and marks that combine."""


@pytest.mark.parametrize("char", UNSEEN, ids=ascii)
@pytest.mark.parametrize("answer", ["4{}3", "2{}4", "{}43", "43{}", "4 2{}1", "4{}or{}2"])
def test_an_unseen_character_makes_no_other_number_the_gold(verifier, char, answer):
    assert paid(verifier, "42", boxed(answer.format(char, char))) == [False, False]


@pytest.mark.parametrize("turned", ["\u202e24", "\u202e24\u202c", "\u206724\u2069", "\u202b24"])
def test_a_number_that_is_shown_the_other_way_round_is_not_turned(verifier, turned):
    assert paid(verifier, "42", boxed(turned)) == [False, False]


@pytest.mark.parametrize("char", "\u0336\u0338\u20e0\u20e5")
def test_a_number_that_is_struck_through_does_not_count(verifier, char):
    assert paid(verifier, "42", boxed(f"4{char}2{char}")) == [False, False]
