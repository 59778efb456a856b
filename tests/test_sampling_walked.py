"""The fast lane of comparisons: what it says, `settle` says too, and what it leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.math_trees import expressions
from tests.sampling_trees import tree
from verifiers_math.equivalence.reader.tree import Node
from verifiers_math.equivalence.sampling.decide import settle
from verifiers_math.equivalence.sampling.sameness import Mode, Sameness
from verifiers_math.equivalence.sampling.walked import compare_walked, proportional_walked

SAME, DIFFERENT, UNKNOWN = Sameness

DECIDED = [
    ("(x + 1)**2", "x**2 + 2*x + 1", SAME),
    ("(x + 1)**2", "x**2 + 2*x + 2", DIFFERENT),
    ("x/2 + x/3", "5*x/6", SAME),
    ("1/(x + 1)", "(x - 1)/(x**2 - 1)", SAME),
    ("1/(x + 1)", "1/(x - 1)", DIFFERENT),
    ("sqrt(8)", "2*sqrt(2)", SAME),
    ("sqrt(8)", "3*sqrt(2)", DIFFERENT),
    ("1/sqrt(3)", "sqrt(3)/3", SAME),
    ("sqrt(2)*sqrt(3)", "sqrt(6)", SAME),
    ("sqrt(2) + sqrt(3)", "sqrt(5)", DIFFERENT),
    ("2*pi/4", "pi/2", SAME),
    ("4*sqrt(5)", "4*5**(1/2)", SAME),
    ("pi*x", "x", DIFFERENT),
    ("a + b", "b + a", SAME),
    ("-x", "x*(-1)", SAME),
    ("2**10", "1024", SAME),
]

LEFT_ALONE = [
    ("sin(x)", "x"),
    ("e*x", "x"),
    ("i*x", "x"),
    ("x**(1/2)", "x"),
    ("x**y", "x"),
    ("x**0", "1"),
    ("1/(1/x)", "x"),
    ("(1/x)**(-1)", "x"),
    ("1/(x - x)", "1"),
    ("sqrt(x)", "x"),
    ("sqrt(-4)", "2"),
    ("sqrt(101)", "11"),
    ("abs(x)", "x"),
    ("2**(10**30)", "4"),
]


@pytest.mark.parametrize(("gold", "answer", "verdict"), DECIDED)
def test_the_fast_lane_decides_what_lies_in_a_field(
    gold: str, answer: str, verdict: Sameness
) -> None:
    assert compare_walked(tree(gold), tree(answer)) is verdict
    assert settle(tree(gold), tree(answer), Mode.EQUAL) is verdict


@pytest.mark.parametrize(("gold", "answer"), LEFT_ALONE)
def test_the_fast_lane_leaves_the_rest_to_others(gold: str, answer: str) -> None:
    assert compare_walked(tree(gold), tree(answer)) is UNKNOWN


@pytest.mark.parametrize(("answer", "gold"), LEFT_ALONE)
def test_an_answer_is_left_alone_as_a_gold_is(gold: str, answer: str) -> None:
    assert compare_walked(tree(gold), tree(answer)) is not SAME


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(expressions(), expressions())
def test_what_it_decides_is_what_the_whole_comparison_decides(gold: Node, answer: Node) -> None:
    for one, other in ((gold, answer), (gold, gold), (answer, gold)):
        found = compare_walked(one, other)
        if found is not UNKNOWN:
            assert settle(one, other, Mode.EQUAL) in (found, UNKNOWN)


@pytest.mark.parametrize(
    ("gold", "answer", "verdict"),
    [
        ("y - 2*x - 3", "2*y - 4*x - 6", SAME),
        ("y - 2*x - 3", "2*x + 3 - y", SAME),
        ("y - 2*x - 3", "2*y - 4*x - 5", DIFFERENT),
        ("y - 2*x - 3", "x*y - 2*x**2 - 3*x", DIFFERENT),
        ("sqrt(2)*y - x", "2*y - sqrt(2)*x", SAME),
        ("pi*x - pi", "x - 1", SAME),
        ("pi*x - 1", "x - 1", DIFFERENT),
        ("y - x", "0*y", UNKNOWN),
        ("y - x", "y - y", UNKNOWN),
        ("y - x", "3", UNKNOWN),
        ("y - sin(x)", "2*y - 2*sin(x)", UNKNOWN),
    ],
)
def test_equations_are_compared_up_to_a_factor(gold: str, answer: str, verdict: Sameness) -> None:
    assert proportional_walked(tree(gold), tree(answer)) is verdict
    if verdict is not UNKNOWN:
        assert settle(tree(gold), tree(answer), Mode.PROPORTIONAL) is verdict


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(expressions(), expressions())
def test_proportions_are_what_the_whole_comparison_finds(gold: Node, answer: Node) -> None:
    for one, other in ((gold, answer), (gold, gold)):
        found = proportional_walked(one, other)
        if found is not UNKNOWN:
            assert settle(one, other, Mode.PROPORTIONAL) in (found, UNKNOWN)


def test_a_gold_is_walked_once_for_all_of_its_answers() -> None:
    gold = tree("(x + 1)**2")
    assert compare_walked(gold, tree("x**2 + 2*x + 1")) is SAME
    assert compare_walked(gold, tree("x**2 + 2*x")) is DIFFERENT
    assert compare_walked(gold, tree("sin(x)")) is UNKNOWN
    assert compare_walked(gold, tree("1 + x*(x + 2)")) is SAME
