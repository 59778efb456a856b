"""The generated batch of the benchmarks: its shape, and labels that hold."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from benchmarks import (
    grpo_batch,
)


@pytest.fixture(scope="module", params=["none", "usual"])
def batch(request):
    return request.param, grpo_batch.make_batch(request.param, seed=3)


def test_a_batch_has_the_promised_shape(batch):
    repeats, items = batch
    assert len(items) == 64 * 16
    assert all(
        grpo_batch.MIN_CHARACTERS <= len(item.text) <= grpo_batch.MAX_CHARACTERS for item in items
    )
    assert abs(sum(item.label for item in items) / len(items) - 0.55) < 0.005
    kinds = Counter(item.kind for item in items)
    assert abs(kinds["integer"] / len(items) - 0.45) < 0.01
    assert set(kinds) == set(grpo_batch.MAKERS)
    assert len({item.gold for item in items}) == 64
    distinct = len({(item.gold, item.answer) for item in items})
    assert distinct == len(items) if repeats == "none" else distinct < len(items) / 2


def test_the_box_at_the_end_holds_the_answer(batch):
    for item in batch[1]:
        assert rf"\boxed{{{item.answer}}}" in item.text[-200:]
        assert item.text.count(r"\boxed") == 1
        assert item.text.count("<think>") == item.text.count("</think>")


def test_equal_seeds_give_equal_batches():
    first, again, other = (grpo_batch.make_batch(groups=2, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_group_of_more_than_16_is_an_error():
    with pytest.raises(ValueError, match="at most 16"):
        grpo_batch.make_batch(size=17)


def test_a_batch_of_chosen_kinds_has_only_these():
    batch = grpo_batch.make_batch(groups=3, only=("set", "pi"))
    assert Counter(item.kind for item in batch) == {"set": 32, "pi": 16}
    with pytest.raises(ValueError, match="unknown kinds: matrix"):
        grpo_batch.make_batch(only=("matrix",))


class Quadratic:
    """Exact numbers of the form a + b*root, with a formal root: enough for radicals and pi."""

    def __init__(self, a, b, square):
        self.a, self.b, self.square = Fraction(a), Fraction(b), square

    def lift(self, other):
        return other if isinstance(other, Quadratic) else Quadratic(other, 0, self.square)

    def __add__(self, other):
        other = self.lift(other)
        return Quadratic(self.a + other.a, self.b + other.b, self.square)

    def __neg__(self):
        return Quadratic(-self.a, -self.b, self.square)

    def __sub__(self, other):
        return self + -self.lift(other)

    def __mul__(self, other):
        other = self.lift(other)
        both = self.b * other.b
        assert self.square is not None or both == 0
        return Quadratic(
            self.a * other.a + both * (self.square or 0),
            self.a * other.b + self.b * other.a,
            self.square,
        )

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return self.lift(other) - self

    def __truediv__(self, other):
        other = self.lift(other)
        if other.b == 0:
            return Quadratic(self.a / other.a, self.b / other.a, self.square)
        assert other.a == 0
        return Quadratic(self.b / other.b, self.a / (other.b * self.square), self.square)

    def __rtruediv__(self, other):
        return self.lift(other) / self

    def __pow__(self, power):
        assert power == 2
        return self * self

    def __eq__(self, other):
        other = self.lift(other)
        return (self.a, self.b) == (other.a, other.b)

    def __hash__(self):
        return hash((self.a, self.b))


def root_of(number, base):
    """The square root of an integer as a multiple of the root of `base`."""
    outside = math.isqrt(number // base) if number % base == 0 else 0
    if outside and outside * outside * base == number:
        return Quadratic(0, outside, base)
    exact = math.isqrt(number)
    if exact * exact == number:
        return Quadratic(exact, 0, base)
    return Quadratic(0, Fraction(number, 10**6), base)  # no such multiple: some other number


def evaluate(text, **names):
    """The exact value of the LaTeX that the generator writes: no reader of the package's own."""
    text = re.sub(r"\\(?:displaystyle|left|right|,)|\$", "", text)
    text = re.sub(r"\\(?:text|mathbf)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\((\d+)\)\^\{1/2\}", r"\\sqrt{\1}", text)
    text = re.sub(r"\\sqrt\{(\d+)\}", r"(root(\1))", text)
    text = text.replace("{,}", "").replace(r"\cdot", "*").replace(r"\times", "*")
    text = text.replace(r"\pi", "(pi)").replace("x", "(x)").replace("^{2}", "^2")
    text = re.sub(r"\\[dt]?frac\{(.*?)\}\{(.*?)\}", r"((\1)/(\2))", text)
    text = text.replace("^", "**").strip().rstrip(".")
    text = re.sub(r"(?<![\d.])(\d+(?:\.\d+)?)(?![\d.])", r"Q('\1')", text)
    text = re.sub(r"\*\*Q\('2'\)", "**2", text)
    text = re.sub(r"root\(Q\('(\d+)'\)\)", r"root(\1)", text)
    text = re.sub(r"\)\s*(?=[Q(])", ")*", text)
    text = text.replace("root*(", "root(").replace("Q*(", "Q(")
    return eval(text, {"Q": Fraction, **names})


def strip_name(answer):
    return re.sub(r"^(?:n|x|f\(x\)) = ", "", answer)


def problems(kind, amount=60):
    return [grpo_batch.MAKERS[kind](Random(f"{kind}{seed}")) for seed in range(amount)]


def assert_labels(kind, value_of):
    for problem in problems(kind):
        gold = value_of(problem.gold)
        assert len(set(problem.right)) == len(problem.right) >= 9
        assert len(set(problem.wrong)) == len(problem.wrong) >= 8
        assert len(problem.right[:9]) + len(problem.wrong) >= 16
        for answer in problem.right:
            assert value_of(answer) == gold, (problem.gold, answer)
        for answer in problem.wrong:
            assert value_of(answer) != gold, (problem.gold, answer)


@pytest.mark.parametrize("kind", ["integer", "fraction"])
def test_labels_of_numbers_are_exact(kind):
    assert_labels(kind, lambda text: evaluate(strip_name(text)))


def test_labels_of_radicals_are_exact():
    for problem in problems("radical"):
        base = int(re.search(r"\\sqrt\{(\d+)\}", problem.gold)[1])
        values = [
            Quadratic(0, 0, base) + evaluate(text, root=lambda n, base=base: root_of(n, base))
            for text in (problem.gold, *problem.right, *problem.wrong)
        ]
        gold, rest = values[0], values[1:]
        assert all(value == gold for value in rest[: len(problem.right)]), problem
        assert not any(value == gold for value in rest[len(problem.right) :]), problem


def test_labels_of_multiples_of_pi_are_exact():
    pi = Quadratic(0, 1, None)
    assert_labels("pi", lambda text: pi * 0 + evaluate(text, pi=pi))


def test_labels_of_polynomials_are_exact():
    """A quadratic is known by its values at three points."""

    def values(text):
        return [evaluate(strip_name(text), x=Fraction(point)) for point in (-11, 0, 13)]

    assert_labels("polynomial", values)


def test_labels_of_lines_are_exact():
    """A line through two points; the second equation is off at one of them if it differs."""

    def line(text):
        left, right = (side.replace("y", "(y)") for side in text.split("="))
        points = []
        for x in (Fraction(-5), Fraction(7)):
            at = [evaluate(left, x=x, y=y) - evaluate(right, x=x, y=y) for y in (0, 1)]
            points.append(Fraction(at[0]) / (at[0] - at[1]))
        return points

    assert_labels("equation", line)


def test_labels_of_intervals_and_tuples_are_exact():
    def plain(text):
        text = re.sub(r"\\left|\\right|\\displaystyle|\$", "", text)
        text = re.sub(r"x\s*\\in", "", text).strip()
        return text[0], [evaluate(part) for part in text[1:-1].split(",")], text[-1]

    assert_labels("interval", plain)
    assert_labels("tuple", plain)


def test_labels_of_sets_are_exact():
    assert_labels("set", lambda text: {evaluate(part) for part in text[2:-2].split(",")})
