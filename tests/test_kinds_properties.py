"""Properties of the comparison by kind: other spellings are equal, near misses are not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verifiers_math.equivalence.kinds import compare_trees
from verifiers_math.equivalence.kinds.collections import (
    MAX_ORDERED,
    MAX_PAIRINGS,
    compare_unordered,
)
from verifiers_math.equivalence.kinds.dispatch import MAX_COMPARISONS, MAX_EVALUATED
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Finding, all_of, any_of
from verifiers_math.equivalence.kinds.regions import MAX_INTERVALS, as_region
from verifiers_math.equivalence.policy import DEFAULT_POLICY
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import Call, Number, Symbol

SMALL = st.integers(-30, 30)


def same(gold, answer):
    """What the comparison by kind says about two texts: True, False or None."""
    trees = read(gold), read(answer)
    assert not any(isinstance(tree, Unreadable) for tree in trees), (gold, answer, trees)
    return compare_trees(trees[0], trees[1], DEFAULT_POLICY).same


@st.composite
def spelled(draw, value):
    """An integer, as it stands or in a form that has to be worked out."""
    form = draw(st.integers(0, 5))
    if form == 1:
        return rf"\frac{{{3 * value}}}{{3}}"
    if form == 2:
        return f"({value + 7}-7)"
    if form == 3 and value >= 0:
        return rf"\sqrt{{{value * value}}}"
    if form == 4:
        return f"{value}.0"
    if form == 5:
        return rf"{value + 1}+e^{{i\pi}}"
    return str(value)


def all_spelled(draw, values):
    return [draw(spelled(value)) for value in values]


FORMS = [r"\{%s\}", "%s"]


@given(st.data(), st.lists(SMALL, min_size=2, max_size=6, unique=True))
def test_a_list_is_the_same_in_any_order_and_spelling(data, values):
    gold = data.draw(st.sampled_from(FORMS)) % ", ".join(all_spelled(data.draw, values))
    mixed = data.draw(st.permutations(values))
    answer = data.draw(st.sampled_from(FORMS)) % ", ".join(all_spelled(data.draw, mixed))
    assert same(gold, answer) is True


@given(st.data(), st.lists(SMALL, min_size=2, max_size=6, unique=True))
def test_a_list_with_one_item_changed_missing_or_added_differs(data, values):
    changed = list(values)
    at = data.draw(st.integers(0, len(values) - 1))
    how = data.draw(st.sampled_from(["change", "drop", "add"]))
    if how == "change":
        changed[at] += data.draw(st.sampled_from([-1, 1, 100]))
        assume(changed[at] not in values)
    elif how == "drop":
        del changed[at]
    else:
        changed.insert(at, data.draw(st.integers(31, 40)))
    gold = data.draw(st.sampled_from(FORMS)) % ", ".join(all_spelled(data.draw, values))
    answer = data.draw(st.sampled_from(FORMS)) % ", ".join(all_spelled(data.draw, changed))
    assert same(gold, answer) is False


@given(st.data(), st.lists(SMALL, min_size=2, max_size=5))
def test_a_tuple_has_an_order(data, values):
    mixed = data.draw(st.permutations(values))
    gold = f"({', '.join(all_spelled(data.draw, values))})"
    answer = f"({', '.join(all_spelled(data.draw, mixed))})"
    assert same(gold, answer) is (list(mixed) == values)


@given(st.data(), st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=4, unique=True))
def test_a_list_of_points_is_free_in_order_but_its_points_are_not(data, points):
    mixed = data.draw(st.permutations(points))
    turned = [(b, a) for a, b in points]
    gold = ", ".join(f"({a}, {b})" for a, b in points)
    assert same(gold, ", ".join(f"({a}.0, {b})" for a, b in mixed)) is True
    expected = set(turned) == set(points)
    assert same(gold, ", ".join(f"({a}, {b})" for a, b in turned)) is expected


def interval_spellings(low, high, low_closed, high_closed):
    """The ways to write one interval with both ends."""
    less = [r" \le " if closed else " < " for closed in (low_closed, high_closed)]
    more = [r" \geq " if closed else " > " for closed in (low_closed, high_closed)]
    bracket = f"{'[' if low_closed else '('}{low}, {high}{']' if high_closed else ')'}"
    chain = f"{low}{less[0]}x{less[1]}{high}"
    return [
        chain,
        f"{high}{more[1]}x{more[0]}{low}",
        rf"\{{x \mid {chain}\}}",
        rf"\{{t : {chain.replace('x', 't')}\}}",
        rf"x \in {bracket}",
        rf"x{more[0]}{low} \text{{ and }} x{less[1]}{high}",
        bracket,
    ]


ENDS = st.tuples(SMALL, st.integers(1, 20), st.booleans(), st.booleans())


@given(st.data(), ENDS)
def test_an_interval_is_the_same_in_all_its_spellings(data, ends):
    low, width, *closed = ends
    ways = interval_spellings(low, low + width, *closed)
    assert same(data.draw(st.sampled_from(ways)), data.draw(st.sampled_from(ways))) is True


@given(st.data(), ENDS, ENDS)
def test_intervals_with_another_end_or_bracket_differ(data, first, second):
    assume(first != second)
    sides = [
        data.draw(st.sampled_from(interval_spellings(low, low + width, *closed)))
        for low, width, *closed in (first, second)
    ]
    assert same(*sides) is False


@given(st.data(), st.lists(st.integers(1, 9), min_size=2, max_size=8))
def test_a_union_is_the_set_of_its_points(data, gaps):
    places = [sum(gaps[: at + 1]) for at in range(len(gaps))]
    pairs = list(zip(places[::2], places[1::2], strict=False))
    holes = list(zip(places[1::2], places[2::2], strict=False))
    union = r" \cup ".join(f"({a}, {b})" for a, b in data.draw(st.permutations(pairs)))
    whole = f"({pairs[0][0]}, {pairs[-1][1]})"
    without = "".join(rf" \setminus [{a}, {b}]" for a, b in holes if b <= pairs[-1][0])
    either = r" \text{ or } ".join(f"{a} < x < {b}" for a, b in data.draw(st.permutations(pairs)))
    assert same(union, whole + without) is True
    assert same(union, either) is True
    assert same(union, whole) is (len(pairs) == 1)


LINE = st.tuples(*[st.integers(-9, 9).filter(bool)] * 3)


def line(a, b, c):
    return f"{a}x + {b}y + {c}".replace("+ -", "- ")


@given(LINE, st.integers(-9, 9).filter(bool))
def test_an_equation_may_be_turned_moved_and_multiplied(coefficients, factor):
    a, b, c = coefficients
    gold = f"{line(a, b, c)} = 0"
    assert same(gold, f"0 = {line(a * factor, b * factor, c * factor)}") is True
    assert same(gold, f"{a}x = {line(0, -b, -c).partition('x ')[2].removeprefix('+ ')}") is True
    assert same(f"y = {Fraction(-a, b)}x + {Fraction(-c, b)}".replace("+ -", "- "), gold) is True


@given(LINE, st.integers(0, 2), st.sampled_from([-1, 1]))
def test_an_equation_with_one_coefficient_changed_differs(coefficients, at, change):
    changed = list(coefficients)
    changed[at] += change
    assert same(f"{line(*coefficients)} = 0", f"{line(*changed)} = 0") is False


@given(st.data(), st.dictionaries(st.sampled_from("abcxyz"), SMALL, min_size=2, max_size=5))
def test_assignments_are_bound_to_their_names(data, table):
    mixed = data.draw(st.permutations(sorted(table)))
    gold = ", ".join(f"{name} = {value}" for name, value in table.items())
    answer = ", ".join(f"{name} = {data.draw(spelled(table[name]))}" for name in mixed)
    assert same(gold, answer) is True
    name = data.draw(st.sampled_from(mixed))
    wrong = ", ".join(f"{key} = {table[key] + (key == name)}" for key in mixed)
    assert same(gold, wrong) is False


@given(st.data(), SMALL, st.integers(1, 30))
def test_plus_minus_is_the_list_of_both(data, middle, width):
    gold = rf"{middle} \pm {width}"
    both = data.draw(st.permutations([middle - width, middle + width]))
    assert same(gold, ", ".join(map(str, both))) is True
    assert same(rf"x = {gold}", " or ".join(f"x = {value}" for value in both)) is True
    assert same(gold, f"{both[0]}, {both[1] + 1}") is False
    assert same(gold, str(both[0])) is False


@given(SMALL, st.integers(1, 9), SMALL, st.sampled_from(["n", "m", "t"]))
def test_a_family_may_be_moved_by_whole_steps_only(start, step, shift, letter):
    gold = rf"x = {step}k + {start}, k \in \mathbb{{Z}}".replace("+ -", "- ")
    moved = rf"x = {step}{letter} + {start + shift}, {letter} \in \mathbb{{Z}}"
    assert same(gold, moved.replace("+ -", "- ")) is (shift % step == 0)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4), st.integers(2, 9))
def test_a_ratio_has_no_scale(parts, factor):
    gold = ":".join(map(str, parts))
    assert same(gold, ":".join(str(part * factor) for part in parts)) is True
    assert same(gold, ":".join(map(str, [*parts[:-1], parts[-1] + 1]))) is False


PIECES = [
    *"0123456789xyzabefikn=<>+-*/^_|!,;:.'()[]{}% ",
    r"\{",
    r"\}",
    r"\frac{1}{2}",
    r"\sqrt{2}",
    r"\pm",
    r"\cup",
    r"\in",
    r"\infty",
    r"\mathbb{Z}",
    r"\approx",
    r"\le",
    r"\ne",
    r"\text{ or }",
    r"\text{ cm}",
    r"\ldots",
    r"\circ",
    r"^\circ",
    r"\pmod 7",
    r"\begin{pmatrix}1&2\end{pmatrix}",
]
SOUP = st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map("".join)


@settings(max_examples=400)
@given(SOUP)
def test_whatever_can_be_read_is_not_different_from_itself(text):
    tree = read(text)
    if not isinstance(tree, Unreadable):
        finding = compare_trees(tree, tree, DEFAULT_POLICY)
        assert finding.same is not False, (tree, finding)


@settings(max_examples=400)
@given(SOUP, SOUP)
def test_no_two_texts_make_the_comparison_raise(gold, answer):
    trees = read(gold), read(answer)
    if not any(isinstance(tree, Unreadable) for tree in trees):
        finding = compare_trees(trees[0], trees[1], DEFAULT_POLICY)
        assert finding.detail


# --- bounds ------------------------------------------------------------------------------------


class Counting:
    """Compares by equality and counts."""

    def __init__(self):
        self.calls = 0

    def __call__(self, gold, answer):
        self.calls += 1
        return Finding(gold == answer, "counted")


def roots(values):
    return tuple(Call("sqrt", (Number(Fraction(value)),)) for value in values)


def numbers(values):
    return tuple(Number(Fraction(value)) for value in values)


def letters(count, stem):
    return tuple(Symbol(f"{stem}_{at}") for at in range(count))


def test_equal_numbers_are_paired_off_without_a_comparison():
    counting = Counting()
    finding = compare_unordered(
        numbers(range(800)), numbers(reversed(range(800))), counting, as_sets=False
    )
    assert finding.same
    assert counting.calls == 0


def test_constants_are_compared_once_each_in_order_of_size():
    counting = Counting()
    gold = roots(range(MAX_ORDERED))
    answer = roots(value + Fraction(1, 3) for value in reversed(range(MAX_ORDERED)))
    assert compare_unordered(gold, answer, counting, as_sets=False).same is False
    assert counting.calls == 1


@pytest.mark.parametrize("as_sets", [True, False])
def test_exact_numbers_are_told_apart_without_a_comparison(as_sets):
    counting = Counting()
    gold = numbers(range(MAX_ORDERED))
    answer = numbers([*range(1, MAX_ORDERED), 99])
    assert compare_unordered(gold, answer, counting, as_sets=as_sets).same is False
    assert compare_unordered(gold, gold[::-1], counting, as_sets=as_sets).same
    assert counting.calls == 0


@pytest.mark.parametrize("as_sets", [True, False])
def test_items_that_have_no_order_are_compared_up_to_a_bound(as_sets):
    for count in (3, 10, 11, 400):
        counting = Counting()
        finding = compare_unordered(
            letters(count, "a"), letters(count, "b"), counting, as_sets=as_sets
        )
        assert counting.calls <= 2 * MAX_PAIRINGS
        assert finding.same is (False if count <= 10 else None)


def test_a_pair_of_answers_is_compared_up_to_a_bound(monkeypatch):
    from verifiers_math.equivalence.kinds import dispatch

    counting = []
    compare_values = dispatch.compare_values

    def counted(*arguments):
        counting.append(arguments)
        return compare_values(*arguments)

    monkeypatch.setattr(dispatch, "compare_values", counted)
    gold = ", ".join(f"{at}a+1" for at in range(2, 200))
    answer = ", ".join(f"1+{at}a" for at in range(2, 200))
    assert same(f"({gold})", f"({answer})") is None
    assert 0 < len(counting) <= MAX_EVALUATED
    assert MAX_EVALUATED < MAX_COMPARISONS


def test_a_union_of_too_many_intervals_is_left_alone():
    union = r" \cup ".join(f"({2 * at}, {2 * at + 1})" for at in range(MAX_INTERVALS + 1))
    assert as_region(read(union)) is None


def test_signs_that_would_make_too_many_tuples_are_not_expanded():
    tuples = ", ".join(rf"\pm {at}" for at in range(1, 30))
    assert same(f"({tuples})", f"({tuples.replace('29', '30')})") is not True


# --- findings ----------------------------------------------------------------------------------

YES, NO = Finding(True, "yes", "percent", "number"), Finding(False, "no")


def test_all_of_is_as_sure_as_its_parts():
    assert all_of((), "empty").same is True
    assert all_of((YES, YES), "both") == Finding(True, "both", "percent", "number")
    assert all_of((YES, UNKNOWN), "both").same is None
    assert all_of((UNKNOWN, NO), "both") is NO


def test_percent_signs_are_read_in_one_way():
    assert all_of((YES, Finding(True, "value", "", "value")), "both").same is False


def test_any_of_needs_one_way():
    assert any_of((NO, YES)) is YES
    assert any_of((NO, UNKNOWN)).same is None
    assert any_of((NO, NO), "neither") == Finding(False, "neither")
    assert any_of((NO, UNKNOWN, YES)).same is True
