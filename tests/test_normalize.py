from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.equivalence.normalize import (
    MAX_REMEMBERED_CHARS,
    _remembered,
    is_words,
    normalize,
    tidy,
    without_closing_marks,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)  # surrogates and nulls too
PIECES = (
    r"\frac \dfrac \sqrt \text{ \left( \right) \boxed{ \overline{ \pi \% \$ \\ { } ^ _ $ ~ | & \, "
    r"{,} \{ \} \circ ^\circ x y 1 23 . , ; ½ ² ₃ π ° × − … \mathbf \begin{pmatrix} \quad"
)
LATEX = st.lists(st.sampled_from([*PIECES.split(), " ", "\n", "\\"]), max_size=12).map("".join)

SAME = [
    (r"\dfrac{1}{2}", r"\frac{1}{2}"),
    (r"\tfrac12", r"\frac{1}{2}"),
    (r"\frac1{23}", r"\frac{1}{23}"),
    (r"\frac{a}2", r"\frac{a}{2}"),
    (r"\sqrt3", r"\sqrt{3}"),
    (r"\sqrt 3", r"\sqrt{3}"),
    (r"2\cdot x", r"2 \times x"),
    (r"\left( 1, 2 \right]", "(1,2]"),
    (r"\left\{1,\,2\right\}", r"\{1, 2\}"),
    (r"\lbrace a \rbrace", r"\{a\}"),
    (r"x^{2}", "x^2"),
    ("x^10", "x^{10}"),
    ("x**2", "x^2"),
    ("x^-1", "x^{-1}"),
    ("x²", "x^2"),
    ("10⁻³", "10^{-3}"),
    ("a_{1}", "a_1"),
    ("a₁₂", "a_{12}"),
    ("½", r"\frac{1}{2}"),
    ("π", r"\pi"),
    ("Ω", r"\Omega"),
    ("3 × 4 − 1", r"3\times4-1"),
    ("x ≤ 3", r"x\leq 3"),
    (r"x\leqslant3", r"x \le 3"),
    (r"90^{\circ}", "90°"),
    (r"90^\circ", r"90 ^ { \circ }"),
    ("25%", r"25\%"),
    ("$x+1$", "x + 1"),
    (r"\(x+1\)", "x+1"),
    (r"\[ x+1 \]", "x+1"),
    (r"\displaystyle x+1", "x+1"),
    (r"\mathbf{v}", "v"),
    (r"\text{Even}.", "even"),
    ("EVEN", "even"),
    (r"\text{ Tuesday }", "tuesday"),
    (r"\mathrm{not prime}", "Not prime"),
    ("(C)", "C"),
    ("C.", "C"),
    (r"\textbf{(C)}", "C"),
    ("= 5", "5"),
    (r"\approx 5", "5"),
    ("5.", "5"),
    ("５", "5"),
    ("{x}", "x"),
    (r"\\frac{1}{2}", r"\frac{1}{2}"),
    ("frac{1}{2}", r"\frac{1}{2}"),
    (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"),
    (r"\varnothing", r"\emptyset"),
    ("x\u200b+1", "x+1"),
    ("5\u00a0cm", "5 cm"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spellings_of_one_thing_have_one_normal_form(one, other):
    assert normalize(one) == normalize(other)


DISTINCT = [
    ("12", "1 2"),
    ("12", r"1\,2"),
    ("12", r"1\quad 2"),
    ("12", r"1\newline2"),
    ("12", r"1\hfill2"),
    ("12", r"\(1\)\(2\)"),
    ("12", "$1$$2$"),
    ("12", r"1\\2"),
    ("12", "1,2"),
    ("1.5", "1. 5"),
    ("2.1", r"2\quad .1"),
    ("1.5", "1 .5"),
    ("2^10", "2^{1}0"),
    ("2^10", "2^1 0"),
    ("x^23", "x^{2}3"),
    ("x^{ab}", "x^ab"),
    ("x^{2y}", "x^2y"),
    ("a_{12}", "a_1 2"),
    ("a_{12}", "a_{1}2"),
    ("a_{bc}", "a_bc"),
    ("x_1", "x1"),
    ("x^2", "x2"),
    ("x^2", "x_2"),
    (r"\frac{1}{23}", r"\frac12 3"),
    (r"\frac{12}{3}", r"\frac123"),
    (r"\sqrt{2}3", r"\sqrt23"),
    (r"\sqrt[3]{8}", r"\sqrt{8}"),
    ("X", "x"),
    ("abC", "abc"),
    ("xyZ", "xyz"),
    ("AB i", "ab i"),
    ("BAC", "ABC"),
    ("BAC", "bac"),
    (r"\Pi", r"\pi"),
    (r"\mathbb{R}", "R"),
    (r"\overline{x}", "x"),
    ("|x|", "x"),
    ("n!", "n"),
    ("f'", "f"),
    ("(1,2)", "[1,2]"),
    ("(1,2)", r"\{1,2\}"),
    (r"\{x\}", "x"),
    ("{1,2}", "1,2"),
    ("x<3", r"x\le 3"),
    (r"\approxeq 5", "eq 5"),
    (r"\text{a b}", "ab"),
    (r"\begin{pmatrix}1&2\end{pmatrix}", r"\begin{pmatrix}12\end{pmatrix}"),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}12\end{pmatrix}"),
    (r"\begin{pmatrix}1\end{pmatrix}", r"\begin{vmatrix}1\end{vmatrix}"),
    ("5 %", "5"),
    ("0.3...", "0.3"),
    ("sin 2", "sin x"),
]


@pytest.mark.parametrize(("one", "other"), DISTINCT)
def test_different_things_keep_different_normal_forms(one, other):
    assert normalize(one) != normalize(other)


def test_a_brace_behind_a_degree_sign_belongs_to_what_it_closes():
    assert normalize(r"\frac{30^\circ}{2}") == normalize(r"\frac{30^{\circ}}{2}")
    assert normalize(r"\frac{30^\circ}{2}").count("{") == normalize(r"\frac{30^\circ}{2}").count(
        "}"
    )


def test_tidy_keeps_text_groups_and_single_spaces():
    assert tidy(r"5\;\;\mathrm{cm}  x") == r"5 \text{cm} x"


def test_a_lone_dollar_sign_is_money_and_a_pair_is_a_formula():
    assert tidy("$5") == r"\$5"
    assert tidy("-$5") == r"-\$5"
    assert tidy("$5$") == "5"


@pytest.mark.parametrize(
    ("text", "bare"),
    [("5 . ,;", "5"), ("5...", "5..."), ("", ""), (" . ", ""), ("a.b", "a.b"), ("1\\,", "1\\,")],
)
def test_closing_marks_go_and_an_ellipsis_stays(text, bare):
    assert without_closing_marks(text) == bare


@pytest.mark.parametrize("run", [".", ";", ", ", ". ", "\u2003", "\x1c;"])
def test_closing_marks_go_however_many_they_are(run):
    assert without_closing_marks("4" + run.replace(".", ",") * 100_000) == "4"
    assert without_closing_marks("4.." + run.replace(".", ",") * 100) == "4.."
    assert without_closing_marks(r"4\," + run.replace(".", ",") * 100) == r"4\,"


def test_every_white_space_is_a_closing_mark():
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert without_closing_marks("4" + "".join(spaces)) == "4"
    assert without_closing_marks("4\u200b") == "4\u200b"


def test_long_texts_are_normalised_but_not_remembered():
    before = _remembered.cache_info().currsize
    text = "y" * (MAX_REMEMBERED_CHARS + 1)
    assert normalize(text) == text
    assert _remembered.cache_info().currsize == before


def test_words_are_told_from_formulas():
    assert is_words("not prime")
    assert not is_words("x+1")
    assert not is_words("ab")


@given(st.one_of(ANY_TEXT, LATEX))
def test_any_text_has_a_normal_form_that_white_space_around_it_does_not_change(text):
    assert normalize(f" {text}\n") == normalize(text)
    assert isinstance(tidy(text), str)
