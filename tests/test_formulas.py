"""Formulas in a text: where they stand, and as MathML that nothing hostile gets through."""

from __future__ import annotations

import random
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from verifiers_math import formulas
from verifiers_math.formulas import MAX_FORMULA_CHARS, MAX_NODES, Piece, mathml, split


def kinds(text: str) -> list[tuple[str, bool]]:
    return [(piece.text, piece.is_formula) for piece in split(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("no formula", [("no formula", False)]),
        ("$x^2$", [("x^2", True)]),
        ("a $x$ b", [("a ", False), ("x", True), (" b", False)]),
        (r"\(x\) and \[y\]", [("x", True), (" and ", False), ("y", True)]),
        ("$$x$$$y$", [("x", True), ("y", True)]),
        (
            r"so \boxed{\frac{1}{2}}.",
            [("so ", False), (r"\boxed{\frac{1}{2}}", True), (".", False)],
        ),
        (r"$\boxed{5}$", [(r"\boxed{5}", True)]),
        ("it costs $5 and $6", [("it costs $5 and $6", False)]),
        (r"it costs \$5$", [(r"it costs \$5$", False)]),
        ("$ x $", [("$ x $", False)]),
        ("$x", [("$x", False)]),
        (r"\boxed{5", [(r"\boxed{5", False)]),
        (r"\[x", [(r"\[x", False)]),
        (r"\\(x\\)", [(r"\\(x\\)", False)]),
        ("$a\n\nb$", [("$a\n\nb$", False)]),
        ("$$ $$", [("$$ $$", False)]),
    ],
)
def test_a_text_is_divided_into_prose_and_formulas(
    text: str, pieces: list[tuple[str, bool]]
) -> None:
    assert kinds(text) == pieces


def test_a_formula_on_a_line_of_its_own_is_known() -> None:
    assert split("$$x$$")[0] == Piece("x", is_formula=True, is_block=True)
    assert split("$x$")[0] == Piece("x", is_formula=True, is_block=False)


@pytest.mark.parametrize("seed", range(50))
def test_nothing_of_a_text_but_delimiters_is_lost(seed: int) -> None:
    chosen = random.Random(seed)
    parts = ["$", "$$", r"\(", r"\)", r"\[", r"\]", r"\boxed{", "}", "x", " ", "\n", "5", "\\"]
    text = "".join(chosen.choices(parts, k=80))
    joined = "".join(piece.text for piece in split(text))
    left = iter(text)
    assert all(char in left for char in joined)
    assert sum(map(len, joined.split("$"))) <= len(text)


@pytest.mark.parametrize(
    "text", ["$" * 200_000, r"\boxed{" * 50_000, r"\(" * 100_000, "$a " * 100_000, "\\" * 200_000]
)
def test_a_hostile_text_is_divided_in_no_time(text: str) -> None:
    begin = time.process_time()
    split(text)
    assert time.process_time() - begin < 2


# --- MathML --------------------------------------------------------------------------------------


def elements(node: Any) -> list[Any]:
    """A node and everything in it that is an element."""
    return [node] + [
        inner for child in node[2] if child is not str(child) for inner in elements(child)
    ]


def text_of(node: Any) -> str:
    return "".join(child if isinstance(child, str) else text_of(child) for child in node[2])


needs_renderer = pytest.mark.usefixtures("_renderer")


@pytest.fixture
def _renderer() -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra server or report")


@needs_renderer
def test_a_fraction_is_a_fraction() -> None:
    made = mathml(r"\frac{1}{2}")
    assert made is not None
    assert [tag for tag, _, _ in elements(made)] == [
        "math",
        "mrow",
        "mfrac",
        "mrow",
        "mn",
        "mrow",
        "mn",
    ]
    assert text_of(made) == "12"


SIGNS = [
    ("[-7, 1)", 1),
    ("x = -3", 1),
    (r"\{-1, -2\}", 2),
    (r"\left(-1, +2\right)", 2),
    (r"2 \cdot -3", 1),
    ("|-3|", 1),
    ("x - 1", 0),
    ("(a) - 3", 0),
    ("|a| - 3", 0),
    ("a! - 1", 0),
    (r"\infty - 1", 0),
]


@needs_renderer
@pytest.mark.parametrize(("latex", "count"), SIGNS)
def test_a_sign_stands_close_to_its_number_and_a_difference_apart(latex: str, count: int) -> None:
    made = mathml(latex)
    assert made is not None
    signs = [it for it in elements(made) if it[0] == "mo" and it[2][0] in ("−", "+")]
    assert sum(attributes.get("form") == "prefix" for _, attributes, _ in signs) == count
    assert len(signs) >= max(count, 1)


@needs_renderer
@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"x \le 3", "x≤3"),
        (r"\sum_i i", "∑ii"),
        (r"\mathbb{R}", "ℝ"),
        (r"\text{a < b & c}", "a\xa0<\xa0b\xa0&\xa0c"),
    ],
)
def test_characters_are_characters_and_no_references(latex: str, text: str) -> None:
    made = mathml(latex)
    assert made is not None
    assert text_of(made) == text


@needs_renderer
def test_a_box_is_a_class_of_ours() -> None:
    made = mathml(r"\boxed{5}")
    assert made is not None
    assert [attributes for _, attributes, _ in elements(made)].count({"class": "boxed"}) == 1


@needs_renderer
def test_a_formula_in_a_block_says_so() -> None:
    made = mathml("x", is_block=True)
    assert made is not None
    assert made[1] == {"display": "block"}


HOSTILE = [
    r"\href{javascript:alert(1)}{x}",
    r"\class{verdict}{x}",
    r"\style{position:fixed;top:0}{x}",
    r"\text{<img src=x onerror=alert(1)>}",
    r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
    r"<script>alert(1)</script>",
    r"\unicode{x3c}script>",
    r"\hspace{-100em}x",
    r"\color{red}x",
    r"\phantom{x}",
    r"\rule{9999em}{9999em}",
    r"\mathchoice{a}{b}{c}{d}",
]


@needs_renderer
@pytest.mark.parametrize("latex", HOSTILE)
def test_nothing_but_harmless_elements_and_attributes_comes_out(latex: str) -> None:
    made = mathml(latex)
    assert made is not None
    for tag, attributes, _ in elements(made):
        assert tag in formulas._ELEMENTS
        for name, value in attributes.items():
            assert (name, value) == ("class", "boxed") or formulas._ATTRIBUTES[name].fullmatch(
                value
            )


@needs_renderer
@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_thrown_at_it_comes_out_harmless_soon_or_not_at_all(seed: int) -> None:
    chosen = random.Random(seed)
    parts = (
        r"\frac \sqrt [ ] { } ^ _ & \\ \left( \right) \begin{matrix} \end{matrix} \over x 1 ' "
        r"\text{ \href{a} \hspace{9em} \limits \sum \not \color{red} \boxed{ \overset \binom % # "
        r"~ \substack \mathbb \operatorname{ \verb| \middle| \newcommand \def \begin{cases} $ <b> "
        r"&lt;"
    ).split()
    latex = "".join(chosen.choices(parts, k=60))[:MAX_FORMULA_CHARS]
    begin = time.process_time()
    made = mathml(latex)
    assert time.process_time() - begin < 2
    for tag, attributes, _ in elements(made) if made else []:
        assert tag in formulas._ELEMENTS
        assert set(attributes) <= {*formulas._ATTRIBUTES, "class"}


@pytest.mark.parametrize(
    "latex",
    [
        r"\newcommand{\a}{\b\b}\a",
        r"\renewcommand{\a}{x}",
        r"\def\a{\a\a}\a",
        r"\gdef\a{x}",
        r"\let\a\b",
        r"\DeclareMathOperator{\x}{y}",
        "x" * (MAX_FORMULA_CHARS + 1),
        "{" * 500,
        r"\frac",
        "^^",
    ],
)
def test_what_defines_commands_or_is_no_formula_is_left_as_text(latex: str) -> None:
    assert mathml(latex) is None


@needs_renderer
def test_what_is_nested_too_deep_is_left_as_text() -> None:
    assert mathml("{" * 100 + "x" + "}" * 100) is None
    assert mathml("{" * 10 + "x" + "}" * 10) is not None


@needs_renderer
def test_what_has_too_many_elements_is_left_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NODES > MAX_FORMULA_CHARS
    monkeypatch.setattr(formulas, "MAX_NODES", 20)
    assert mathml("+".join("abcdefghijkl")) is None


@needs_renderer
@pytest.mark.parametrize("braces", ["", "{"])
def test_what_doubles_itself_is_given_up_soon(monkeypatch: pytest.MonkeyPatch, braces: str) -> None:
    monkeypatch.setattr(formulas, "MAX_SIDESETS", MAX_FORMULA_CHARS)  # the next guard is meant
    latex = (r"\sideset{}{}" + braces) * 40 + "x" + "}" * 40 * len(braces)
    assert len(latex) <= MAX_FORMULA_CHARS
    begin = time.process_time()
    assert mathml(latex) is None
    assert time.process_time() - begin < 5
    assert sys.getprofile() is None
    assert mathml(r"\sideset{}{'}\sum x") is not None


@needs_renderer
def test_what_doubles_itself_is_known_without_a_try(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(formulas, "_mathml", lambda latex, _: tried.append(latex))
    mathml(r"\sideset{}{}" * (formulas.MAX_SIDESETS + 1) + "x")
    assert tried == []
    mathml(r"\sideset{}{}" * formulas.MAX_SIDESETS + "x")
    assert len(tried) == 1


@needs_renderer
def test_an_honest_formula_of_full_length_is_far_from_the_limit_of_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longest = "x^2+" * (MAX_FORMULA_CHARS // 4 - 1) + "1"
    monkeypatch.setattr(formulas, "MAX_CALLS", formulas.MAX_CALLS // 2)
    formulas._mathml.cache_clear()
    assert mathml(longest) is not None


@needs_renderer
def test_a_profiler_is_left_at_work() -> None:
    seen: list[str] = []
    sys.setprofile(lambda frame, event, _: seen.append(event))
    try:
        assert mathml(r"\frac{11}{13}-7") is not None
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)
    assert seen


def test_without_the_renderer_there_is_no_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert mathml(r"\frac{7}{9}-2") is None
    formulas._mathml.cache_clear()


@pytest.mark.parametrize("extra", ["server", "report"])
def test_an_extra_that_shows_formulas_brings_what_renders_them(extra: str) -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    wanted = project["project"]["optional-dependencies"][extra]
    assert any(requirement.startswith("latex2mathml") for requirement in wanted)
