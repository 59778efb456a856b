from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifiers_math.equivalence.cascade import (
    MAX_ANSWER_CHARS,
    MAX_NESTING,
    STAGES,
    judge,
    judge_as_text,
    nesting,
)
from verifiers_math.equivalence.extract import find_answer, unwrap_gold
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.policy import DEFAULT_POLICY
from verifiers_math.equivalence.restated import restates_prompt
from verifiers_math.equivalence.thinking import after_thinking
from verifiers_math.equivalence.verdict import Status

TEXT_STAGES = ("identical", "normalized", "number")


def says(gold, answer, stages=STAGES):
    """True, False, or None where the pure stages leave the pair to computer algebra."""
    decision = judge(gold, answer, DEFAULT_POLICY, stages)
    return None if decision is None else decision.status is Status.CORRECT


EQUAL = [
    # exact values in every habit
    ("42", "42"),
    ("42", " 42.\n"),
    ("42", "$42$"),
    ("42", "42.0"),
    ("42", "042"),
    ("42", "=42"),
    ("0", "-0"),
    ("1234", "1,234"),
    ("1,234", "1234"),
    ("1234", r"1\,234"),
    ("1234.56", "1.234,56"),
    ("1000000", "10^6"),
    ("0.5", r"\frac12"),
    (r"\frac12", "0.5"),
    (r"\frac{1}{2}", "2/4"),
    (r"\frac{1}{2}", "½"),
    ("1.5", r"1\frac12"),
    ("-1.5", "-1 1/2"),
    ("0.5", r"5\times10^{-1}"),
    (r"\frac13", r"0.\overline{3}"),
    (r"\frac13", "0.333..."),
    ("1", r"0.\overline{9}"),
    ("7" * 3000, "7" * 3000),
    # rounding: enough digits for an exact gold
    (r"\frac13", "0.333333"),
    (r"\frac13", "0.333334"),  # within one unit of the last digit
    (r"\frac23", "0.666667"),
    (r"\frac23", "0.6666666666666666"),
    (r"\frac13", "0.33333333333333331"),  # only 15 digits of a double count
    (r"\frac{1000}{7}", "142.857"),
    # rounding: an exact answer for a decimal gold
    ("0.33", r"\frac13"),
    ("0.67", "2/3"),
    ("142.86", r"\frac{1000}{7}"),
    # rounding: a longer decimal for a decimal gold
    ("2.718", "2.71828"),
    ("0.333", "0.3333"),
    ("142.86", "142.857"),
    # percent
    ("0.25", r"25\%"),
    (r"25\%", r"\frac14"),
    (r"25\%", "25"),
    ("25", "25%"),
    ("12.5", "12.5 percent"),
    ("150%", "1.5"),
    # money and units
    ("5", r"\$5"),
    (r"\$5", "$5.00"),
    ("-5", r"-\$5"),
    ("5", "5 dollars"),
    (r"\$0.50", "50 cents"),
    ("5", r"5\text{ cm}"),
    (r"5\text{ cm}", "5"),
    ("5 cm", "5 centimeters"),
    ("1 m", "100 cm"),
    ("36 km/h", "10 m/s"),
    ("30", r"30^\circ"),
    ("30°", "30 degrees"),
    ("5000000", r"5\text{ million}"),
    # bases
    ("4210_7", "4210_{7}"),
    ("4210_7", "4210"),
    ("0_7", "0"),
    ("-12_7", "-12"),
    # words, choices, times
    ("Yes", "yes, because 2 < 3"),
    ("even", r"\text{Even}"),
    ("C", r"\textbf{(C)}"),
    ("(C)", "C."),
    ("20:34", "20:34:00"),
    # spelling alone
    (r"\frac{\sqrt{3}}{2}", r"\dfrac{\sqrt3}{2}"),
    (r"\left(1,2\right]", "(1, 2]"),
    ("x^10", "x^{10}"),
]


@pytest.mark.parametrize(("gold", "answer"), EQUAL)
def test_the_same_answer_counts(gold, answer):
    assert says(gold, answer) is True


DIFFERENT = [
    ("42", "43"),
    ("42", "-42"),
    ("10", "1.0"),
    ("99999999999", "100000000000"),
    ("7" * 3000, "7" * 2999 + "8"),
    ("10^{-20}", r"3\cdot10^{-20}"),
    # integers never round, exact values have no tolerance
    ("5", "5.0000001"),
    ("5", "4.9999999999999999"),
    ("0.5", "0.50001"),
    ("0.125", "0.12"),
    (r"\frac18", "0.1250001"),
    (r"1.5\times10^{-20}", "1.50001e-20"),
    # too few digits, or beyond one unit of the last
    (r"\frac13", "0.33"),
    (r"\frac13", "0.33333"),
    (r"\frac13", "0.333335"),
    (r"\frac13", "0.333331"),
    (r"\frac13", "0.3333333333334444"),
    # a decimal gold: a short exact value, a shorter decimal, ends in zeros, money
    ("0.13", r"\frac18"),
    ("0.3", r"\frac13"),
    ("0.34", r"\frac13"),
    ("2.718", "2.72"),
    ("2.7", "2.718"),
    ("2.50", "2.501"),
    (r"\$12.35", r"\$12.349"),
    ("12.35", r"\$12.349"),
    ("33%", r"\frac13"),
    ("105%", "1.0512"),
    # percent: not at or below 1, not both signs, not another factor
    (r"1\%", "1"),
    ("0.5%", "0.5"),
    ("0.25", "25"),
    ("25%", "0.2"),
    ("25%", "2500"),
    # units that differ
    ("5 cm", "5 m"),
    ("5 cm", "5 kg"),
    (r"5\text{ cm}", r"5\text{ cm}^2"),
    (r"\$5", "€5"),
    ("1 hour", "60"),
    ("1 m", "1.01 m"),
    (r"5\text{ apples}", r"5\text{ pears}"),
    ("30°", "30 radians"),
    (r"5\text{ MW}", r"5\text{ mW}"),
    # bases
    ("4210_7", "4210_5"),
    ("4210_7", "4211"),
    ("-12_7", "12"),
    ("12_7", "12%"),
    ("9", "12_7"),
    # words
    ("Yes", "No"),
    ("Yes", "yes or no"),
    ("even", "odd"),
    ("4:30 a.m.", "16:30"),
    # number words
    ("5", r"5\text{ million}"),
    (r"5\text{ dozen}", "5"),
]


@pytest.mark.parametrize(("gold", "answer"), DIFFERENT)
def test_another_answer_does_not_count(gold, answer):
    assert says(gold, answer) is False


NEVER_EQUAL = [
    ("12", "1,2"),
    ("12", "1, 2"),
    ("12", "1 2"),
    ("12", r"1\quad 2"),
    ("12", "$1$$2$"),
    ("314", "3,14"),
    ("5", r"5 \qquad 7"),
    ("1234567", "1,234,5678"),
    ("5", "5 - 3"),
    ("5", "5x"),
    ("7", "7s"),
    ("5m", "5"),
    ("5", "5, 6"),
    ("5", "5 and 6"),
    ("5", "5 or 6"),
    ("5", r"\text{not } 5"),
    ("5", r"5\mathrm{i}"),
    ("5", r"5x\text{ cm}"),
    ("5", "5!"),
    ("5", "|5|+1"),
    ("3/4", "3/4/5"),
    ("2^{10}", "2^{1}0"),
    ("1.5", "1. 5"),
    ("20:34", "2034"),
    ("2024-01-02", "2024"),
    ("01/02/2024", "02/01/2024"),
    ("1.23", "1.2.3"),
    ("x", "X"),
    ("BAC", "ABC"),
    (r"\pi", r"\Pi"),
    ("(1,2)", r"\{1,2\}"),
    ("(1,2)", "[1,2]"),
    ("(1,2)", "(2,1)"),
    ("x_{12}", "x_1 2"),
    ("x^{2y}", "x^2y"),
    ("4", "2x+5=13"),
    ("7", "x^2=7"),
    ("0", "0/0"),
    ("0", "1/0"),
    ("4", ""),
]


@pytest.mark.parametrize(("gold", "answer"), NEVER_EQUAL)
def test_no_pure_stage_calls_these_equal(gold, answer):
    assert says(gold, answer) is not True
    assert says(answer or " ", gold) is not True


NEVER_DIFFERENT = [
    ("100, 200", "100,200"),
    (r"\alpha", "alpha"),
    (r"\infty", "infinity"),
    ("12:30 p.m.", "12:30"),
    (r"\frac13", r"P(X=2)=\frac{2}{6}"),
    ("5", "x = 5"),
    ("3", "x = 1+2 = 3"),
    ("3:4", "6:8"),
    ("x+1", "1+x"),
    ("5", "3+2"),
]


@pytest.mark.parametrize(("gold", "answer"), NEVER_DIFFERENT)
def test_no_pure_stage_calls_these_different(gold, answer):
    assert says(gold, answer) is not False


@pytest.mark.parametrize(
    ("gold", "answer", "rule"),
    [
        ("5", "5 cm", "unit"),
        ("1 m", "100 cm", "unit"),
        ("25", "25%", "percent"),
        (r"\frac13", "0.333333", "rounding"),
        ("0.33", r"\frac13", "rounding"),
        ("4210_7", "4210", "base"),
        ("5", "5.0", ""),
        ("25%", "0.25", ""),
        ("5 cm", r"5\text{ cm}", ""),
    ],
)
def test_the_lenient_rule_that_made_it_equal_is_named(gold, answer, rule):
    decision = judge(gold, answer, DEFAULT_POLICY)
    assert decision is not None
    assert decision.status is Status.CORRECT
    assert decision.rule == rule


@pytest.mark.parametrize(
    ("gold", "answer", "stage"),
    [
        ("42", "42 ", "identical"),
        (r"\dfrac12 x", r"\frac{1}{2}x", "normalized"),
        ("42", "43", "number"),
        ("even", "odd", "text"),
    ],
)
def test_the_stage_that_decided_is_named(gold, answer, stage):
    decision = judge(gold, answer, DEFAULT_POLICY)
    assert decision is not None
    assert decision.stage == stage
    assert decision.detail


def test_only_the_stages_that_are_asked_for_speak():
    assert says("42", "42.0", ("identical", "normalized")) is None
    assert says(r"\dfrac12x", r"\frac12x", ("number",)) is None
    assert says("42", "42.0", ("number",)) is True
    assert says("42", "42", ("math_verify",)) is None
    assert says("5", "5 or 6", ("math_verify",)) is None


@pytest.mark.parametrize("gold", ["", "  ", "nan", "NaN"])
def test_a_gold_that_is_empty_or_no_number_is_unreadable(gold):
    decision = judge(gold, "5", DEFAULT_POLICY)
    assert decision is not None
    assert decision.status is Status.GOLD_UNREADABLE


@pytest.mark.parametrize("answer", ["", "  \n"])
def test_an_empty_answer_is_none(answer):
    decision = judge("5", answer, DEFAULT_POLICY)
    assert decision is not None
    assert decision.status is Status.NO_ANSWER


def test_what_is_too_long_to_read_is_a_limit_and_not_a_wrong_answer():
    long = "x+" * MAX_ANSWER_CHARS + "1"
    statuses = [
        judge(gold, answer, DEFAULT_POLICY).status
        for gold, answer in [("5", long), (long, "5"), (long, long)]
    ]
    assert statuses == [Status.LIMIT, Status.GOLD_UNREADABLE, Status.CORRECT]


def test_an_integer_of_many_thousand_digits_is_no_small_number():
    assert says("5", "1" + "0" * 10_000) is False
    assert says("1" + "0" * 10_000, "5") is False


def test_what_is_nested_too_deep_is_a_limit():
    deep = "(" * (MAX_NESTING + 1) + "x" + ")" * (MAX_NESTING + 1)
    decision = judge("5", deep, DEFAULT_POLICY)
    assert decision is not None
    assert decision.status is Status.LIMIT
    assert nesting("a(b[c{d}])") == 3


def test_the_normal_forms_decide_where_nothing_else_can():
    assert judge_as_text(r"\dfrac12", r"\frac{1}{2}").status is Status.CORRECT
    assert judge_as_text("x+1", "1+x").status is Status.INCORRECT


PIECES = [
    "1", "2", "12", "100", ",", ".", " ", "/", r"\%", "(", ")", "-", "^", "{", "}", r"\frac", ":",
    "e", "x", "_", "'", "!", r"\times", "10^", "²", "½", r"\text{", "$", "€", "{,}", "...",
    r"\overline{", "|", "[", r"\{", "=", r"^\circ", " m", "cm", " or ", "and", r"\\", "٣",
    "\ud800", "\x00", "yes", "not", "million", r"\sum", "a.m.", "12:30", "İ", "\u0301",
    r"\mathrm{i}", "<", r"\sqrt",
]  # fmt: skip
MADE = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@given(st.one_of(MADE, ANY_TEXT), st.one_of(MADE, ANY_TEXT))
def test_any_two_texts_are_judged_without_an_exception(gold, answer):
    decision = judge(gold, answer, DEFAULT_POLICY, TEXT_STAGES)
    assert decision is None or decision.detail


@given(st.one_of(MADE, ANY_TEXT))
def test_a_text_equals_itself_or_is_no_gold(text):
    decision = judge(text, text, DEFAULT_POLICY)
    assert decision is not None
    assert decision.status in (Status.CORRECT, Status.GOLD_UNREADABLE)


@given(MADE)
def test_no_single_stage_calls_a_text_different_from_itself(text):
    for stage in TEXT_STAGES:
        decision = judge(text, text, DEFAULT_POLICY, (stage,))
        assert decision is None or decision.status is not Status.INCORRECT


@settings(max_examples=200)
@given(st.integers(-2000, 2000), st.integers(1, 60), st.integers(-2000, 2000), st.integers(1, 60))
def test_two_fractions_are_equal_exactly_when_their_values_are(a, b, c, d):
    assert says(f"{a}/{b}", rf"\frac{{{c}}}{{{d}}}") is (a * d == b * c)


DEGENERATE = [
    r"\boxed{", r"\boxed{1}", r"\boxed{1}, \boxed{2} or ", r"\boxed[", r"\boxed 1 ", "box",
    "fbox", "$", "$1$", "$$", r"\(", r"\(1\)", r"\[", "answer ", "Answer: ", "the answer is ",
    "is ", "A:\n", "is is is", "1 ", "1,", "9", "0.0(", "{", "}", r"\frac{1}{", r"\text{",
    r"\text{a}", r"\\", "\\", "(", "()", " ", "\n", "\n\n", ". ", ".", ", ", "#### ", "#### 1\n",
    "<answer>", "</answer>", "<answer>1</answer>", "<think>", "</think>", "= ", "x=", "- ", "^{",
    "_{", "{,}", "²", "½", "٣", "\u3000", "\ud800", "yes ", "no, ", "x = 1\n", "because ", " or ",
    " and ", "not ", "**", "'", "%", "sqrt{", "1/", "1e", "12:", "~", "^ { \\circ", "a ", "a",
    "A", "! ", "x^", "|",
]  # fmt: skip


def seconds_for(piece, chars):
    text = piece * (chars // len(piece))
    begin = time.thread_time()
    for strict in (False, True):
        find_answer(text, strict)
    unwrap_gold(text)
    after_thinking(text)
    normalize(text)
    restates_prompt("42", "x+1", text)
    for gold, answer in (("42", text), (text, "42"), ("x+1", text[:MAX_ANSWER_CHARS])):
        judge(gold, answer, DEFAULT_POLICY, TEXT_STAGES)
    return time.thread_time() - begin


@pytest.mark.parametrize("piece", DEGENERATE)
def test_the_work_on_a_degenerate_text_does_not_grow_faster_than_the_text(piece):
    """Quadratic work on 60,000 characters would take many times what is allowed here."""
    assert any(seconds_for(piece, 60_000) < 1.0 for _ in range(3))


def test_ten_megabytes_around_an_answer_are_searched_at_once():
    for filler in ("word ", "box ", "is ", r"\( x \) "):
        text = filler * (10**7 // len(filler)) + r"so \boxed{42}."
        begin = time.thread_time()
        assert find_answer(after_thinking(text) or "").answer == "42"
        assert time.thread_time() - begin < 2.0


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("6", "6 cubed"),
        ("6", "6 sevenths"),
        ("6", r"6\text{ crore}"),
        ("6", r"6\text{ choose three}"),
        ("6", r"6\text{K}"),
        ("6", "6 August"),
        ("6", r"5 \implies 6"),
        ("6", r"\mathrm{gcd}(18,24)"),
        ("6", r"36\operatorname{mod}10"),
        ("6x", r"\frac{d}{dx}(3x^2)"),
        ("6", r"1+\ldots+5"),
        ("6'", "6"),
        ("Yes", "Yes, it cannot"),
    ],
)
def test_a_number_that_more_is_said_about_is_not_that_number(gold, answer):
    assert says(gold, answer) is False


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("6", "6 apples"),
        ("6", r"6\text{ roots}"),
        ("6", r"2x = 12 \Rightarrow x = 6"),
        ("6", "**6**"),
        ("6", "`6`"),
        ("6", "US$6"),
        ("6", r"\text{\$}6"),
        ("6", "6 (pears)"),
        ("90 minutes", "1 hour 30 minutes"),
        ("6°C", "6 degrees Celsius"),
        ("3 million", "3000000"),
        ("D", r"\text{Option D}"),
        ("BD", r"\text{B and D}"),
        ("No", "No, there is no such set"),
    ],
)
def test_a_number_with_what_belongs_to_it_is_that_number(gold, answer):
    assert says(gold, answer)
