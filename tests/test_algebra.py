"""The algebra stage: decimal commas, prose, words, broken braces."""

from __future__ import annotations

from tests.pure_verdicts import each_pair, says
from verifiers_math.equivalence.algebra import compare_algebra
from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import DEFAULT_POLICY
from verifiers_math.equivalence.verdict import Status

SAME = [
    (r"1,5 \text{ m}", "1.5"),
    ("1.5", r"1,5 \text{ m}"),
    ("x = 2.5", "x = 2,5"),
    (r"\frac{5}{2}", "2,5"),
    ("12", r"\text{the answer is } 12"),
    ("12", r"\text{The area is } 12 \text{ square units}"),
    (r"\text{The answer is } 5", "5"),
    ("There are 5 apples", "5"),
    ("5 apples", "5"),
    ("5", "5 apples"),
    ("10,5", "10.5"),
    ("0.125", "0,125"),
]

SAME_BOTH_WAYS = [
    ("0.25", "0,25"),
    ("3.5", "3,5"),
]

DIFFERENT = [
    ("(3,5)", "3.5"),
    ("3,5", "3,5,7"),
    (r"\frac{5}{2}", "2,6"),
    ("35", "3,5"),
    ("5", "2,5"),
    ("2", "2,5"),
    ("12", r"\text{The area is } 12 \text{ or } 13"),
    ("12", r"\text{The area is not } 12"),
    ("12", r"\text{there are } 12 \text{ apples and } 13 \text{ pears}"),
    ("12", "I think it is 12 but maybe 13"),
    ("12", "<answer>"),
    ("12", "your answer"),
    ("12", r"\text{12 divided by 4}"),
    ("12", r"\text{twenty}"),
    ("x^2", r"\text{x squared}"),
    ("There are 5 apples", "6"),
    ("2x", "The answer is 2"),
    ("2", "The answer is 2x"),
    ("12", "{12"),
    ("12", "12}"),
    ("12", r"\frac{12"),
    (r"10 \text{ square units}", "10,000"),
    ("9", r"9 \text{ a.m.}"),
    ("1.125", "1,125"),
]

DIFFERENT_BOTH_WAYS = [
    ("3.5", "3,6"),
    ("3.5", "3,50,1"),
]

# Computer algebra may be asked about these; the pure stages never say that they are the same.
NEVER_SAME = [
    ("5 apples", "5 pears"),
]


@each_pair(SAME, SAME_BOTH_WAYS, DIFFERENT, DIFFERENT_BOTH_WAYS, NEVER_SAME)
def test_each_pair_has_the_verdict_of_its_table(gold, answer, verdicts):
    assert says(gold, answer) in verdicts


def test_braces_that_do_not_match_make_an_answer_unreadable():
    for answer in (r"\frac{1", "12}", r"\sqrt{2}}"):
        decision = judge("12", answer, DEFAULT_POLICY)
        assert decision.status is Status.ANSWER_UNREADABLE
        assert "braces" in decision.detail


def test_prose_without_a_value_is_unreadable_and_not_wrong():
    decision = compare_algebra("12", "first add these ) then stop here", DEFAULT_POLICY)
    assert decision.status is Status.ANSWER_UNREADABLE


def test_a_gold_that_cannot_be_read_is_left_to_computer_algebra():
    assert compare_algebra(r"\heartsuit x", "5", DEFAULT_POLICY) is None


def test_the_reason_names_the_rule():
    decision = compare_algebra("2.5", "2,5", DEFAULT_POLICY)
    assert (decision.stage, decision.rule) == ("algebra", "decimal comma")
    decision = compare_algebra(r"\sqrt{2}", "1.414214", DEFAULT_POLICY)
    assert decision.rule == "rounding"
