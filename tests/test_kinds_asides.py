"""Words beside an answer: which are dropped, and which may hold a second answer; run-on chains."""

from __future__ import annotations

import pytest

from tests.pure_verdicts import says
from verifiers_math.equivalence.algebra import compare_algebra
from verifiers_math.equivalence.kinds.asides import is_aside, is_condition, is_label, is_name
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy
from verifiers_math.equivalence.verdict import Status

SAME = [
    ("8", "8 (marbles)"),
    (r"\sqrt{7}", r"\sqrt{7}\text{ square units}"),
    ("3n", r"3n \text{ if } n>0"),
    ("a", r"a\text{, where } a \neq 0"),
    ("n+1", r"n+1\text{ for } n\ge 1\text{ and } k>0"),
    ("n^2", r"n^2\text{ where } n \text{ is a positive integer}"),
    ("6", "Result: 6"),
    ("6", r"2x = 12 \Rightarrow x = 6"),
    ("6", r"n = 12 \Rightarrow x = 6"),
    ("6", r"\therefore x = 6"),
    ("6", r"\text{The answer is}: 6"),
    ("Area: 6", "6"),
    ("Area: 6", "area: 6.0"),
    ("6", r"\text{number of apples} = 6"),
    ("6", r"\text{sum of the first two terms} = 6"),
    ("6", r"\text{Area} = \text{length}\times\text{width} = 6"),
    ("6", r"T = \frac{1}{2}bh = 6"),
    ("6", r"T = \frac{bh}{2} = 6"),
    ("6", "P = a+b+c = 6"),
    ("5", r"c = \sqrt{a^2+b^2} = 5"),
    (r"6\pi", r"C = 2\pi r = 6\pi"),
    ("5", "f(2) = 2^2+1 = 5"),
    ("4", "d(A,B) = 4"),
    ("d(A,B) = 4", "4"),
    ("4", "E[X] = 4"),
    (r"\mathbb{E}[X^2] = 4", "4"),
    ("E(X) = 4", "E[X] = 4"),
    ("5:6", r"5 \text{ to } 6"),
    (r"(-\infty,-2)\cup(2,\infty)", r"(-\infty,-2)\text{ or }(2,\infty)"),
    (r"\infty", r"\text{infinity}"),
    (r"\text{infinity}", r"\infty"),
]

DIFFERENT = [
    # a second answer in a remark
    ("8", r"8 \text{ (sixteen)}"),
    ("8", r"8 \text{, presumably eighteen}"),
    ("8", r"8\text{ o nueve}"),
    ("8", r"8\text{ или девять}"),
    ("8", r"8\text{或九}"),
    ("8", r"8 \text{ (resp. IX)}"),
    ("8", r"8 \text{ (VIII or IX)}"),
    ("8", r"8\text{ ...}"),
    ("8", r"8\text{ ?}"),
    (r"\sqrt{7}", r"\sqrt{7}\text{ oder acht}"),
    (r"\sqrt{7}", r"\sqrt{7}\text{ seventeen}"),
    ("a", r"a\text{ vs }b"),
    ("a", r"a\text{ ou }b"),
    ("a", r"(a)\text{ then }(b)"),
    ("e", r"e\text{ versus }\pi"),
    ("8", r"8 \text{ if } a=1 \text{, whereas } b=4"),
    ("3n", r"3n \text{ if } n>0 \text{, while } m"),
    ("3n", r"3n \text{ if } n>0 \text{, m}"),
    ("8", r"8 \text{ since } 9 \text{ fails}"),
    ("8", r"8 \text{ for small, sonst neun}"),
    # words before a colon, or for a name
    ("8", "incorrect: 8"),
    ("8", r"\text{an incorrect answer: }8"),
    ("8", "nine: 8"),
    ("8", r"\text{not}: 8"),
    ("8", "nine = 8"),
    ("8", r"\text{neun} = 8"),
    ("8", r"\text{девять} = 8"),
    ("8", r"\text{IX} = 8"),
    ("8", r"\text{another} = 8"),
    ("8", r"x = \text{nine} = 8"),
    # one equation run into another
    ("8", r"n=9\cup n=8"),
    ("8", "n=9/n=8"),
    ("8", "n=9 OR n=8"),
    ("8", "n=9n=8"),
    ("8", "n=9k=8"),
    ("8", r"n=\frac{9}{1}k=8"),
    ("8", r"n=\max(9,k)=8"),
    ("8", "f(x)=9f(x)=8"),
    ("8", "|AB|=9|AB|=8"),
    ("8", "n = k+9 = 8"),
    ("8", "CD = 9nCD = 8"),
    ("8", r"\text{total}=9[]\text{total}=8"),
    ("8", r"9\cup f(2) = 8"),
    ("8", "f(1) + f(2) = 8"),
    ("8", r"E[X]=9 \Rightarrow 8"),
    ("8", r"\mathbf{v}=9 \implies \mathbf{v}=8"),
    ("8", "n = 2+3k = 8"),
    ("n=8", r"n=9 \ne n=8"),
    ("8", r"n=9 > n=8"),
    ("8", r"9 \equiv 8"),
    ("8", "Ex = 8"),
    ("E[X] = 8", "E[Y] = 8"),
    # what no reader knows
    ("8", r"n=9 \mid n=8"),
    ("8", r"n=9 \heartsuit n=8"),
    ("8", "n=9 @ n=8"),
    ("8", "n=9 \u2063 n=8"),
]

SEPARATORS = [
    *("+", "-", "*", "/", ":", "·", "÷", "!", "...", "^", "Or", "≠", "→", "?", "|", '"', "\u00ad"),
    *(r"\pm", r"\cdot", r"\setminus", r"\cap", r"\mod", r"\%", r"\ne", r"\notin", r"\mid", r"\|"),
    *(r"\to", r"\sim", r"\equiv", r"\oplus", r"\unknown", r"\quad", r"\text{ oder }", ">", r"\le"),
]


@pytest.mark.parametrize(("gold", "answer"), SAME)
def test_words_that_add_nothing_are_dropped(gold, answer):
    assert says(gold, answer) is True


@pytest.mark.parametrize(("gold", "answer"), DIFFERENT)
def test_words_and_links_that_may_hold_a_second_answer_make_it_different(gold, answer):
    assert says(gold, answer) is False
    assert says(gold, answer, Policy.strict()) is False


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("name", ["x", "x_0", "f(1)"])
def test_two_values_of_one_name_never_are_the_last_whatever_parts_them(name, separator):
    answer = f"{name}=4 {separator} {name}=3"
    assert says("3", answer) is False
    assert says(f"{name}=3", answer) is False


@pytest.mark.parametrize(
    ("passes", "harmless", "other"),
    [
        (is_aside, [r"\text{ red marbles}", "(cm)"], ["", "(mix or not)", "a b c d", "(XIV)"]),
        (is_condition, ["for all n > 0", "(if x = 1)"], ["apples for all", "if a for b", "if 4"]),
        (is_label, ["Final  Answer", r"\text{ans}"], ["seven", "not the answer", ""]),
        (is_name, ["total cost", "sum of the two roots"], ["seven", "", "three or four", "XIV"]),
    ],
)
def test_words_pass_only_in_harmless_shapes(passes, harmless, other):
    assert all(map(passes, harmless))
    assert not any(map(passes, other))


@pytest.mark.parametrize(
    ("words", "symbols"),
    [
        (r"\text{no solution}", r"\emptyset"),
        (r"\text{No solutions}", r"\varnothing"),
        (r"\text{all real numbers}", r"\mathbb{R}"),
        (r"\text{all reals}", r"(-\infty, \infty)"),
    ],
)
def test_words_for_which_there_is_a_symbol_are_read_as_it(words, symbols):
    for gold, answer in ((words, symbols), (symbols, words)):
        assert compare_algebra(gold, answer, DEFAULT_POLICY).status is Status.CORRECT
        assert compare_algebra(gold, "0", DEFAULT_POLICY).status is Status.INCORRECT


def test_units_of_expressions_are_converted_only_where_the_policy_says_so():
    fixed = Policy(convert_units=False)
    assert says(r"\sqrt3\text{ m}", r"100\sqrt3\text{ cm}") is True
    assert says(r"\sqrt3\text{ m}", r"100\sqrt3\text{ cm}", fixed) is False
    assert says(r"\sqrt3\text{ m}", r"\frac{3}{\sqrt3}\text{ m}", fixed) is True


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("12", r"\text{12 cm}", True),
        ("12", r"\text{12 apples}", True),
        ("12", r"\text{\$12}", True),
        ("-12", r"\text{-12}", True),
        (r"\text{Alice}", r"\text{Alice.}", True),
        ("12", r"\text{12 or 13}", False),
        ("12", r"\text{12 dozen}", False),
        ("12", r"\text{\$13}", False),
        (r"\text{Alice}", r"\text{Bob.}", False),
    ],
)
def test_an_answer_that_is_all_upright_is_read_like_one_that_is_not(gold, answer, same):
    assert says(gold, answer) is same


@pytest.mark.parametrize("word", ["bn", "mln", "grand", "ppm", "tenfold", "negated", "rejected"])
def test_scales_and_words_that_take_a_number_back_make_it_another(word):
    assert says("12", rf"12 \text{{ {word}}}") is False
