r"""Whatever the text: no exception, and no more work than its length asks for."""

from __future__ import annotations

import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.limits import MAX_CHARS, MAX_DEPTH, MAX_TREE_DEPTH
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.reader.tree import depth

PIECES = (
    r"x y 1 2 10 0.5 1,234 ( ) [ ] { } \{ \} | < > = ≤ + - * / ^ _ ! , ; : ' . … ∞ ½ ² √ ∛ ÷ 𝑥 "
    r"\frac \sqrt \sqrt[ \binom \sin \sin^ \log_ \ln \max \max_ \lim_ \sum \int \left( \right) "
    r"\left| \right| \left. \right. \lfloor \rfloor \langle \rangle \begin{pmatrix} \end{pmatrix} "
    r"\begin{cases} \end{cases} \begin{aligned} \end{aligned} \begin{array}{cc} & \\ \\[2pt] "
    r"\text{ \text{and} \text{5} \text{cm} \mathrm{i} \mathbb{R} \mathbb \pm \cdot \times \cup "
    r"\in \to \Rightarrow \pmod \bmod \mod \choose \over \circ ^\circ \% \$ € \ldots \overline "
    r"\dot \hat \angle \triangle \color{red} \boxed \tag{1} \quad \, \! {,} \infty \pi \alpha "
    r"\Gamma( f( f^{-1}( P( dy/dx \frac{d}{dx} cm m/s and or if where the sum max sinx xsinx log2( "
    r"sqrt( pi e i U C _5C_2 {}_ 1_2 2A_{16} 1\frac12 0.(3) 0.\overline{3} 1e9 ]0,1[ \zzz "
    r"\\frac NaN \ud800 é 答"
).split(" ")


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=40).map("".join))
def test_broken_latex_never_raises(text):
    read(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_unicode_never_raises(text):
    read(text)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from([*PIECES, " "]), max_size=12).map("".join))
def test_what_is_read_is_printed_as_something_that_is_read(text):
    tree = read(text)
    if not isinstance(tree, Unreadable):
        to_latex(tree)
        hash(tree)


@pytest.mark.parametrize(
    "text", ["\x00", "\ud800", "\ue000", "", " ", "\\", "\\\\", "{", "}", "$", "^"]
)
def test_a_text_without_mathematics_is_unreadable(text):
    assert isinstance(read(text), Unreadable)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("gap", ["", " "])
def test_a_degenerate_text_of_full_length_costs_little(piece, gap):
    text = ((piece + gap) * MAX_CHARS)[:MAX_CHARS]
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 2.0  # some milliseconds; a quadratic reader takes more


def test_a_text_that_is_too_long_is_refused():
    assert isinstance(read("1" + "+1" * MAX_CHARS), Unreadable)


@pytest.mark.parametrize(
    "opening",
    ["(", "[", "{", r"\{", r"\frac{", r"\sqrt", "-", "2^", r"\sin", "|x+", r"\hat", "1/("],
)
def test_deep_nesting_is_refused(opening):
    found = read(opening * 500 + "x")
    assert isinstance(found, Unreadable)


@pytest.mark.parametrize(
    "text",
    [
        "(" * (MAX_DEPTH - 2) + "x" + ")" * (MAX_DEPTH - 2),
        "2^" * (MAX_DEPTH // 2 - 2) + "x",
        "1+" * 1000 + "1",
        "x" + "*x" * 1000,
        "1, " * 1000 + "1",
    ],
)
def test_long_texts_and_moderate_nesting_are_read(text):
    assert not isinstance(read(text), Unreadable)


@pytest.mark.parametrize("text", ["1" + "/2" * 1000, "x" + "!" * 3000, "5" + r"\%" * 1500])
def test_a_tree_that_grows_deep_without_brackets_is_refused(text):
    tree = read(text)
    assert isinstance(tree, Unreadable) or depth(tree) <= MAX_TREE_DEPTH


def _at_frames_left(frames, call):
    """Calls with about this many frames of Python's stack left."""
    here = 0
    frame = sys._getframe()
    while frame is not None:
        here, frame = here + 1, frame.f_back
    to_go = sys.getrecursionlimit() - here - frames

    def descend(count):
        return call() if count <= 0 else descend(count - 1)

    return descend(to_go)


@pytest.mark.parametrize("frames", [300, 120, 60, 25])
def test_a_nearly_full_stack_gives_a_reason_and_no_lasting_one(frames):
    text = rf"\frac{{1}}{{1+\frac{{1}}{{1+\sqrt{{{frames}+\sqrt{{2}}}}}}}}"
    found = _at_frames_left(frames, lambda: read(text))
    assert isinstance(found, Unreadable) or found == read(text)
    assert not isinstance(read(text), Unreadable)


def test_a_thread_with_a_small_stack_reads_deep_texts():
    found = []
    nest = MAX_DEPTH - 4
    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(read("(" * nest + "1" + ")" * nest)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert len(found) == 1


def test_many_threads_read_the_same_text_alike():
    text = r"\begin{aligned} x &= \frac12\pi \\ y &= \log_28 \end{aligned}, \frac345"
    expected = read(text + " ")
    found = []

    def work(spaces):
        found.extend(read(text + " " * (spaces + at)) for at in range(50))

    threads = [threading.Thread(target=work, args=(number * 50 + 2,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400
    assert all(tree == expected for tree in found)
