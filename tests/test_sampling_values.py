"""Values with bounds on their errors: the bounds hold."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from mpmath import libmp

from tests.sampling_trees import tree
from verifiers_math.equivalence.sampling.balls import (
    Ball,
    Balls,
    complex_ball,
    lower,
    to_fraction,
)
from verifiers_math.equivalence.sampling.exact import (
    NotReal,
    TooLarge,
    Unclear,
    Undefined,
    apply,
    integer_root,
    logarithm,
)
from verifiers_math.equivalence.sampling.floats import FLOATS
from verifiers_math.equivalence.sampling.modular import PRIMES, SMALL_PRIMES
from verifiers_math.equivalence.sampling.program import Program, Slice
from verifiers_math.equivalence.sampling.sameness import FAILURES

FUNCTIONS = "sin cos exp ln atan asin abs floor factorial acot sgn re im conj arg".split()


def grown(random: Random, program: Program, levels: int, unit: bool) -> int:
    """The step of a random expression, with the imaginary unit or without."""
    inner = [grown(random, program, levels - 1, unit) for _ in range(2)] if levels else []
    if not inner or random.random() < 0.1:
        value = Fraction(random.randint(-99, 99), random.choice([1, 1, 2, 3, 7, 100, 10**9]))
        leaves = [program.letter(name) for name in "xyz"]
        leaves += [program.step("pi"), program.step("e"), program.step("i" if unit else "e")]
        leaves.append(program.number(value.numerator if value.denominator == 1 else value))
        return random.choice(leaves)
    first, second = inner
    way = random.randrange(12)
    if way < 2:
        return program.add(first, second)
    if way == 2:
        return program.multiply(first, second)
    if way == 3:
        return program.raise_to(first, second)
    if way == 4:
        return program.power(first, random.choice([-1, 2, -3, 5, 17, 100]))
    if way == 5:
        return program.root(first, random.choice([2, 3, 4, 5, 30]))
    if way == 6:
        return program.apply(random.choice(["max", "min"]), (first, second))
    return program.apply(random.choice(FUNCTIONS), (first,))


def attempt(part: Slice, precision: int, real: bool, point: dict[str, Fraction]):
    """All values at a precision, or the error that ended the evaluation."""
    balls = Balls(precision, real=real)
    values: list[Ball | None] = [None] * len(part.program.steps)
    letters = {name: balls.number(value) for name, value in point.items()}
    try:
        balls.run(part.program.steps, part.needed, values, letters)
    except FAILURES as error:
        return error
    return values


def holds(rough: Ball, fine: Ball) -> bool:
    """Whether a rough ball holds the middle of a fine one, up to the fine one's error."""
    one, other = complex_ball(rough), complex_ball(fine)
    gaps = [libmp.mpf_sub(a, b) for a, b in zip(one[:2], other[:2], strict=True)]
    distance = libmp.mpf_hypot(*gaps, 60)
    radii = [libmp.mpf_shift(libmp.fone, max(ball[2], -100_000)) for ball in (one, other)]
    return not distance[1] or libmp.mpf_cmp(distance, libmp.mpf_add(*radii)) <= 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("real", [True, False])
def test_values_at_a_low_precision_hold_those_at_a_high_one(seed, real):
    random = Random(seed)
    compared = 0
    for _ in range(250):
        program = Program()
        try:
            part = Slice(program, (grown(random, program, random.randint(1, 4), not real),))
        except FAILURES:
            continue
        point = {name: Fraction(random.randint(-3 << 20, 3 << 20) | 1, 1 << 20) for name in "xyz"}
        rough, fine = (attempt(part, bits, real, point) for bits in (80, 500))
        if isinstance(rough, list) and isinstance(fine, list):
            compared += 1
            for index in part.needed:
                assert holds(rough[index], fine[index]), program.steps[index]
        elif isinstance(rough, list):
            # What a low precision shows to exist, a high one finds too.
            assert isinstance(fine, Unclear | TooLarge)
        if real:
            check_floats(part, point, fine)
    assert compared > 80


def check_floats(part: Slice, point: dict[str, Fraction], fine) -> None:
    """Asserts that machine floats hold the values found at a high precision."""
    values = [None] * len(part.program.steps)
    try:
        letters = {name: FLOATS.number(value) for name, value in point.items()}
        FLOATS.run(part.program.steps, part.needed, values, letters)
    except FAILURES:
        return
    finite = all(math.isfinite(sum(values[index])) for index in part.needed)
    if not isinstance(fine, list):
        assert isinstance(fine, Unclear | TooLarge) or not finite
        return
    for index in part.needed:
        middle, radius = values[index]
        low = lower(fine[index])
        if finite and (low is None or abs(low) < 1000):
            exact = Fraction(*to_fraction(fine[index]))
            slack = abs(exact) / 2**300 + Fraction(1, 2**300)
            assert abs(Fraction(middle) - exact) <= Fraction(radius) + slack


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1/(x - x)", Undefined),
        ("ln(x - x)", Undefined),
        ("ln(-1)", NotReal),
        ("sqrt(-2)", NotReal),
        ("arcsin(3/2)", NotReal),
        ("i", NotReal),
        ("inf", Undefined),
        ("1/(sqrt(2)*sqrt(3) - sqrt(6))", Unclear),
        ("floor(sqrt(2)*sqrt(3)*sqrt(6))", Unclear),
        ("sgn(1 - sin(1)**2 - cos(1)**2)", Unclear),
        ("e**(9**(9**9))", TooLarge),
        ("sin(9**(9**9))", TooLarge),
    ],
)
def test_what_has_no_value_says_why(text, error):
    program = Program()
    part = Slice(program, (program.read(tree(text)),))
    found = attempt(part, 200, True, {"x": Fraction(1, 2)})
    assert type(found) is error or (error is Undefined and isinstance(found, Undefined | Unclear))


@pytest.mark.parametrize("index", [2, 3, 5, 11, 999])
def test_exact_roots_are_found_and_others_are_not(index):
    random = Random(index)
    for _ in range(300):
        root = random.getrandbits(random.choice([2, 10, 53, 120])) + 2
        assert integer_root(root**index, index) == root
        assert integer_root(root**index + 1, index) is None
        assert integer_root(root**index - 1, index) is None


@pytest.mark.parametrize(
    ("name", "values", "number"),
    [
        ("factorial", [10**7], 0),
        ("binom", [10**9, 10**8], 0),
        ("power", [9], 9**9),
        ("power", [Fraction(1, 3)], 10**6),
        ("pow", [9, 9**9], 0),
        ("double_factorial", [10**8], 0),
        ("root", [2], 2),
        ("sin", [1], 0),
    ],
)
def test_what_is_irrational_or_too_large_is_not_computed(name, values, number):
    assert apply(name, values, number) is None


@pytest.mark.parametrize(
    ("name", "values", "number"),
    [("power", [0], -1), ("factorial", [-1], 0), ("gcd", [Fraction(1, 2), 3], 0)],
)
def test_what_has_no_exact_value_is_undefined(name, values, number):
    with pytest.raises(Undefined):
        apply(name, values, number)


def test_rational_logarithms_are_exact():
    assert logarithm(8, 2) == 3
    assert logarithm(8, 4) == Fraction(3, 2)
    assert logarithm(Fraction(1, 9), 27) == Fraction(-2, 3)
    assert logarithm(1, 7) == 0
    assert logarithm(10, 2) is None
    assert logarithm(-8, -2) is None
    assert logarithm(8, 1) is None


def test_the_primes_are_prime_and_have_the_square_roots_that_are_needed():
    random = Random(0)
    for prime in PRIMES:
        for number in (-1, *SMALL_PRIMES):
            assert pow(number, (prime - 1) // 2, prime) == 1
        odd, twos = prime - 1, 0
        while odd % 2 == 0:
            odd, twos = odd // 2, twos + 1
        for _ in range(20):
            power = pow(random.randrange(2, prime - 1), odd, prime)
            chain = [pow(power, 1 << step, prime) for step in range(twos)]
            assert power == 1 or prime - 1 in chain
