"""HTML: everything is escaped, and nothing hides."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from tests.scored_rows import Page
from verifiers_math.report.markup import Markup, element, formula, joined, text


def test_text_is_escaped_wherever_it_stands() -> None:
    made = element("p", "<script>&amp;", title="\"quoted' <b>")
    assert made == ('<p title="&quot;quoted&#x27; &lt;b&gt;">&lt;script&gt;&amp;amp;</p>')


def test_elements_hold_elements_and_nothing() -> None:
    assert element("p", element("b", "x"), None, "y") == "<p><b>x</b>y</p>"
    assert element("input", type="search", hidden=True) == '<input type="search" hidden>'
    assert joined(None, "<", Markup("<br>")) == "&lt;<br>"


def test_names_of_attributes_are_those_of_html() -> None:
    made = element("a", class_="x", aria_sort="none", viewBox="0 0 1 1", id=None, open=False)
    assert made == '<a class="x" aria-sort="none" viewBox="0 0 1 1"></a>'


@pytest.mark.parametrize(
    "char",
    [
        "\u202e",  # turns the direction of writing
        "\u2066",
        "\u200b",
        "\u200d",
        "\u00ad",
        "\u00a0",
        "\ufeff",
        "\u2028",
        "\u3164",
        "\u2800",
        "\ufe0f",
        "\U000e0041",  # a tag
        "\U000e0100",
        "\ud800",
        "\x00",
        "\x1b",
        "\r",
        "\x85",
        "\ufffe",
        "\ue000",
    ],
)
def test_what_cannot_be_seen_is_spelled_out(char: str) -> None:
    made = text(f"a{char}b")
    assert char not in made
    assert f">U+{ord(char):04X}</span>" in made
    assert char not in element("p", title=f"a{char}b")
    made.encode()


def test_every_character_that_is_shown_as_it_is_can_be_seen_or_parts_words() -> None:
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}
    shown = {
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in hidden and text(char) == char
    }
    assert shown == {" ", "\n", "\t", "\u3000"}


@pytest.mark.parametrize("plain", ["día", "数学 1", "Привет", "שלום", "é\u0301", "a\nb\tc", "😀"])
def test_what_can_be_seen_is_left_alone(plain: str) -> None:
    assert text(plain) == plain


def test_line_ends_of_windows_are_line_ends() -> None:
    assert text("a\r\nb") == "a\nb"


def test_runs_of_one_hidden_character_are_counted() -> None:
    made = text("\u200b" * 1_500 + "\u202e")
    assert Page(f"<p>{made}</p>").text == "U+200B ×1,500 U+202E"
    assert made.count("<span") == 2


def test_a_formula_is_mathml() -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    made = formula(r"\frac{1}{2}")
    assert made is not None
    assert [tag for tag, _ in Page(made).elements if tag != "mrow"] == [
        "math",
        "mfrac",
        "mn",
        "mn",
    ]


def test_symbols_of_a_formula_are_escaped() -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    made = formula(r"x < 3 \text{<img src=x>}")
    assert made is not None
    assert "<img" not in made
    assert "&lt;" in made


@pytest.mark.parametrize(
    "latex",
    [
        "x\u202ey",
        r"\text{&#x202e;abc}",  # the converter makes characters of references
        r"\text{&#8203;}",
        r"\unicode{x202e}",
        "x\ud800",
        "x\u2028y",  # the converter takes it for white space and drops it
    ],
)
def test_a_formula_that_hides_something_is_none(latex: str) -> None:
    assert formula(latex) is None


def test_spaces_and_unwritten_operators_hide_nothing() -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    assert formula(r"\arg\max f(x)") is not None
    assert formula(r"a\,b\quad c~d") is not None
