"""What kind of answer a gold is."""

from __future__ import annotations

import time

import pytest

from verifiers_math.equivalence.kinds.classify import Kind
from verifiers_math.report import kinds
from verifiers_math.report.kinds import kind_of_answer


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        ("42", kinds.NUMBER),
        (r"\frac{1}{2}", kinds.NUMBER),
        (r"25\%", kinds.NUMBER),
        (r"2\sqrt{3}", kinds.EXPRESSION),
        ("x^2+1", kinds.EXPRESSION),
        ("y = 2x + 3", kinds.EQUATION),
        ("x^2 + y^2 = 1", kinds.EQUATION),
        ("[1, 2)", kinds.REGION),
        ("[1, 2]", kinds.REGION),
        (r"x \le 3", kinds.REGION),
        (r"(-\infty, 3)", kinds.REGION),
        (r"\{1, 2, 3\}", kinds.SET),
        ("1, 2, 3", kinds.SET),
        ("(1, 2)", kinds.TUPLE),
        ("(1, 2, 3)", kinds.TUPLE),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", kinds.MATRIX),
        ("B", kinds.CHOICE),
        ("(C)", kinds.CHOICE),
        (r"\text{Tuesday}", kinds.TEXT),
        ("see the figure", kinds.TEXT),
        ("", kinds.MISSING),
        ("  ", kinds.MISSING),
    ],
)
def test_golds_are_of_the_kinds_that_people_name(gold: str, kind: str) -> None:
    assert kind_of_answer(gold) == kind


def test_every_kind_of_tree_has_a_word() -> None:
    assert set(kinds._WORDS) == set(Kind)


@pytest.mark.parametrize("gold", ["(" * 5000, "9^" * 400 + "9", "x" * 10**6, r"\frac{" * 160])
def test_a_hostile_gold_takes_no_time(gold: str) -> None:
    begin = time.process_time()
    kind_of_answer(gold)
    assert time.process_time() - begin < 2


def test_what_is_too_long_for_an_answer_is_text() -> None:
    assert kind_of_answer("1" + "+1" * kinds.MAX_CHARS) == kinds.TEXT
