"""Properties of comparisons over random trees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sampling_trees import tree
from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Degrees,
    Negative,
    Node,
    Number,
    Percent,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    symbols,
)
from verifiers_math.equivalence.sampling import (
    Sameness,
    approximate,
    compare,
    differ_by_constant,
    order,
    proportional,
)

SAME, DIFFERENT, UNKNOWN = Sameness
ROOT = Path(__file__).parents[1]

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMES = (
    "sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth sech"
    " csch arsinh arcosh artanh arcoth arsech arcsch exp ln log sqrt abs floor ceil sgn"
    " factorial double_factorial gcd lcm max min re im conj arg gamma"
).split()


def number(value: int | Fraction) -> Number:
    return Number(Fraction(value))


small = st.integers(-9, 9).map(number) | st.fractions(-9, 9, max_denominator=12).map(number)
letters = st.sampled_from("xyn").map(Symbol)
constants = st.sampled_from(["pi", "e", "i", "infinity"]).map(Constant)
hostile_numbers = st.sampled_from(
    [0, 10**9, 10**40 + 1, -(10**30), Fraction(1, 10**50), 10**300, Fraction(-1, 3)]
).map(number)


def grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Any node above some trees."""
    several = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return (
        several.map(Sum)
        | several.map(Product)
        | st.builds(Quotient, inner, inner)
        | st.builds(Power, inner, inner)
        | st.builds(Negative, inner)
        | st.builds(Degrees, inner)
        | st.builds(Percent, inner)
        | st.builds(lambda name, argument: Call(name, (argument,)), st.sampled_from(NAMES), inner)
        | st.builds(
            lambda name, first, second: Call(name, (first, second)),
            st.sampled_from(["log", "root", "binom", "gcd", "lcm", "mod", "max", "min"]),
            inner,
            inner,
        )
    )


anything = st.recursive(small | letters | constants | hostile_numbers, grown, max_leaves=12)


@given(anything, anything)
@relaxed
def test_nothing_raises_and_order_of_sides_does_not_contradict(first, second):
    forth, back = compare(first, second), compare(second, first)
    assert {forth, back} != {SAME, DIFFERENT}
    assert isinstance(proportional(first, second), Sameness)
    assert isinstance(differ_by_constant(first, second), Sameness)
    assert order(first, second) in (-1, 0, 1, None)
    approximate(first)


@given(anything)
@relaxed
def test_a_tree_is_the_same_as_itself(node):
    assert compare(node, node) is SAME


# Trees that are real and defined nearly everywhere, so that a change shows.


def tame(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pairs = st.tuples(inner, inner)
    return (
        pairs.map(Sum)
        | pairs.map(Product)
        | st.builds(Negative, inner)
        | st.builds(Power, inner, st.integers(1, 4).map(number))
        | st.builds(
            lambda name, argument: Call(name, (argument,)),
            st.sampled_from(["sin", "cos", "arctan", "abs"]),
            inner,
        )
        | inner.map(lambda node: Call("sqrt", (Sum((Power(node, number(2)), number(3))),)))
        | inner.map(lambda node: Quotient(node, Sum((Power(node, number(2)), number(1)))))
    )


tame_trees = st.recursive(small | letters | st.just(Constant("pi")), tame, max_leaves=8)


def respelled(node: Node, draw: st.DrawFn) -> Node:
    """An equal tree in other words."""
    match node:
        case Sum(terms):
            parts = [respelled(term, draw) for term in terms]
            return _respelled_sum(draw(st.permutations(parts)), draw)
        case Product(factors):
            parts = [respelled(factor, draw) for factor in factors]
            return _respelled_product(draw(st.permutations(parts)), draw)
        case Quotient(top, bottom):
            top, bottom = respelled(top, draw), respelled(bottom, draw)
            return draw(
                st.sampled_from(
                    [
                        Quotient(top, bottom),
                        Product((top, Power(bottom, number(-1)))),
                        Quotient(Negative(top), Negative(bottom)),
                        Quotient(
                            Product((top, Call("sqrt", (number(2),)))),
                            Product((Call("sqrt", (number(2),)), bottom)),
                        ),
                    ]
                )
            )
        case Negative(argument):
            return Product((number(-1), respelled(argument, draw)))
        case Power(base, exponent):
            return Power(respelled(base, draw), exponent)
        case Call(name, (argument,)):
            return draw(st.sampled_from(_spellings(name, respelled(argument, draw))))
        case _:
            return draw(st.sampled_from([node, Negative(Negative(node)), Sum((node, number(0)))]))


def _respelled_sum(parts: list[Node], draw: st.DrawFn) -> Node:
    one = Sum(
        (Power(Call("sin", (parts[0],)), number(2)), Power(Call("cos", (parts[0],)), number(2)))
    )
    return draw(
        st.sampled_from(
            [
                Sum(tuple(parts)),
                Sum((*parts, one, number(-1))),
                Quotient(Sum(tuple(Product((number(3), part)) for part in parts)), number(3)),
            ]
        )
    )


def _respelled_product(parts: list[Node], draw: st.DrawFn) -> Node:
    first, *rest = parts
    spellings: list[Node] = [
        Product(tuple(parts)),
        Quotient(Product((*parts, number(7))), number(7)),
    ]
    if isinstance(first, Sum):
        spellings.append(Sum(tuple(Product((term, *rest)) for term in first.terms)))
    return draw(st.sampled_from(spellings))


def _spellings(name: str, argument: Node) -> list[Node]:
    plain = Call(name, (argument,))
    half = Quotient(argument, number(2))
    match name:
        case "sin":
            turned = Sum((Quotient(Constant("pi"), number(2)), Negative(argument)))
            double = Product((number(2), Call("sin", (half,)), Call("cos", (half,))))
            return [plain, Call("cos", (turned,)), double]
        case "cos":
            square = Power(Call("sin", (half,)), number(2))
            return [plain, Sum((number(1), Product((number(-2), square))))]
        case "abs":
            return [
                plain,
                Call("sqrt", (Power(argument, number(2)),)),
                Call("abs", (Negative(argument),)),
            ]
        case "sqrt":
            return [plain, Power(argument, number(Fraction(1, 2)))]
        case _:
            return [plain, Negative(Call(name, (Negative(argument),)))]


@st.composite
def respellings(draw: st.DrawFn) -> tuple[Node, Node]:
    node = draw(tame_trees)
    return node, respelled(node, draw)


@given(respellings())
@relaxed
def test_a_respelled_tree_is_never_different(pair):
    node, other = pair
    assert compare(node, other) is not DIFFERENT
    assert differ_by_constant(node, Sum((other, number(5)))) is not DIFFERENT
    assert proportional(node, Product((number(-3), other))) is not DIFFERENT


@given(respellings(), st.fractions(min_value=Fraction(1, 10**40), max_value=1))
@relaxed
def test_a_small_number_more_is_never_the_same(pair, more):
    node, other = pair
    assert compare(node, Sum((other, number(more)))) is not SAME


@given(respellings(), st.fractions(min_value=Fraction(1, 10**30), max_value=1))
@relaxed
def test_a_small_multiple_of_a_letter_more_is_never_the_same(pair, more):
    node, other = pair
    changed = Sum((other, Product((number(more), Symbol("x")))))
    assert compare(node, changed) is not SAME
    assert differ_by_constant(node, changed) is not SAME


@given(
    respellings(),
    st.fractions(min_value=Fraction(1, 10**9), max_value=1),
    st.fractions(-10_000, 10_000, max_denominator=20),
    st.booleans(),
)
@relaxed
def test_more_on_one_side_of_a_place_only_is_never_the_same(pair, slope, place, right):
    node, other = pair
    gap = Sum((Symbol("x"), number(-place)))
    bend = Call("max", (number(0), gap)) if right else Call("abs", (gap,))
    more = bend if right else Sum((bend, gap))
    assert compare(node, Sum((other, Product((number(slope), more))))) is not SAME


coefficients = st.lists(st.fractions(-50, 50, max_denominator=60), min_size=1, max_size=6)


def polynomial(values: list[Fraction], roots: bool = False) -> Node:
    terms = [
        Product((number(value), Power(Symbol("x"), number(k)))) for k, value in enumerate(values)
    ]
    return Sum((*terms, number(0)))


def horner(values: list[Fraction]) -> Node:
    node: Node = number(0)
    for value in reversed(values):
        node = Sum((number(value), Product((Symbol("x"), node))))
    return node


@given(coefficients, st.integers(0, 5), st.fractions(-1, 1, max_denominator=10**12))
@relaxed
def test_polynomials_are_the_same_exactly_if_their_coefficients_are(values, place, more):
    changed = list(values)
    changed[place % len(values)] += more
    expected = SAME if more == 0 else DIFFERENT
    assert compare(polynomial(values), horner(changed)) is expected
    # Inside a function that is one to one, the same holds.
    inside = [Call("arctan", (node,)) for node in (polynomial(values), horner(changed))]
    assert compare(*inside) is expected


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 200)), min_size=1, max_size=5),
    st.fractions(-1, 1, max_denominator=10**15),
)
@relaxed
def test_sums_of_square_roots_are_the_same_exactly_if_they_are_equal(terms, more):
    plain = Sum((number(0), *(Product((number(a), Call("sqrt", (number(b),)))) for a, b in terms)))
    moved = Sum(
        (
            number(more),
            *(Quotient(number(a * b), Call("sqrt", (number(b),))) for a, b in reversed(terms)),
        )
    )
    assert compare(plain, moved) is (SAME if more == 0 else DIFFERENT)


@given(st.lists(st.fractions(max_denominator=10**6), min_size=2, max_size=2))
@relaxed
def test_constants_are_ordered_as_their_exponentials_are(values):
    first, second = values
    expected = (first > second) - (first < second)
    assert order(number(first), number(second)) == expected
    bent = [Call("arctan", (number(value),)) for value in values]
    assert order(*bent) in (expected, None)
    if max(map(abs, values)) < 10**6:
        assert order(*bent) == expected


HOSTILE = [
    ("9**(9**(9**9))", "9**(9**(9**9)) + 1"),
    ("factorial(factorial(factorial(9)))", "factorial(factorial(factorial(8)))"),
    ("binom(10**9, 10**8)", "binom(10**9, 10**8 + 1)"),
    ("x**(10**100)", "x**(10**100 + 1)"),
    ("(x + 1)**(10**9)", "(x + 1)**(10**9) + sin(x)"),
    ("sin(10**1000)", "cos(10**1000)"),
    ("e**(e**(e**(e**x)))", "e**(e**(e**(e**(x + 1))))"),
    ("tan(tan(tan(tan(tan(x)))))", "tan(tan(tan(tan(tan(x + 1))))) - 1"),
    ("10**(-10**9)", "10**(-10**9 - 1)"),
    ("lcm(10**300 + 1, 10**301 + 1)", "gcd(10**300 + 1, 10**301 + 1)"),
    ("root(10**5000 + 1, 999)", "root(10**5000 + 2, 999)"),
    ("gamma(1/3)*gamma(2/3)", "2*pi/sqrt(3)"),
    ("ln(ln(ln(ln(10**10**5))))", "ln(ln(ln(ln(10**10**5 + 1))))"),
    (
        "+".join(f"sin({k}*x)" for k in range(1, 100)),
        "+".join(f"sin({k}*x)" for k in range(2, 101)),
    ),
    ("+".join(f"x{k}" for k in range(30)), "+".join(f"x{k}" for k in range(31))),
    ("*".join(f"(x + {k})**{k}" for k in range(1, 60)), "x**1770"),
    ("+".join(f"sqrt(x + {k})" for k in range(60)), "+".join(f"sqrt({k} + x)" for k in range(60))),
    ("+".join(f"abs(x - {k})" for k in range(60)), "+".join(f"abs({k} - x)" for k in range(60))),
    (
        "+".join(f"arctan(x*{k})**x" for k in range(60)),
        "+".join(f"arctan({k}*x)**x" for k in range(60)),
    ),
]


@pytest.mark.parametrize(("gold", "answer"), HOSTILE)
def test_hostile_pairs_end_soon_and_without_a_false_same(gold, answer):
    first, second = tree(gold), tree(answer)
    start = time.process_time()
    forth, back = compare(first, second), compare(second, first)
    proportional(first, second)
    differ_by_constant(first, second)
    order(first, second)
    approximate(first)
    # Far more than it takes, so that a busy machine does not fail it.
    assert time.process_time() - start < 10
    assert {forth, back} != {SAME, DIFFERENT}


@pytest.mark.parametrize("levels", [100, 150, 400, 100_000])
def test_deep_trees_do_not_raise(levels):
    node: Node = Symbol("x")
    for level in range(levels):
        node = Negative(node) if level % 2 else Call("sin", (node,))
    assert compare(node, node) in (SAME, UNKNOWN)
    assert compare(node, Symbol("x")) in (DIFFERENT, UNKNOWN)
    assert approximate(node) is None


def test_wide_and_crowded_trees_are_left_open():
    many = Sum(tuple(Symbol(f"x{k}") for k in range(50)))
    wide = Sum(tuple(Product((number(k), Symbol("x"))) for k in range(1000)))
    assert compare(many, Sum(many.terms[::-1])) is UNKNOWN
    assert compare(wide, Sum(wide.terms[::-1])) is UNKNOWN
    assert len(symbols(many)) == 50


PAIRS = [
    ("2*x + 6", "2*(x + 3)"),
    ("sqrt(5 + 2*sqrt(6))", "sqrt(2) + sqrt(3)"),
    ("sin(3*x)", "3*sin(x) - 4*sin(x)**3"),
    ("sin(x)", "sin(x + 10**(-30))"),
    ("abs(x - 3) + abs(x - 7)", "4"),
    ("(-1)**n", "cos(n*pi)"),
    ("arctan(1/2) + arctan(1/3)", "pi/4"),
    ("e**(pi*sqrt(163))", "262537412640768744"),
    ("2*arcsin(sqrt(a))", "arccos(1 - 2*a)"),
    ("gamma(1/4)*gamma(3/4)", "pi*sqrt(2)"),
    ("floor(x/7)", "ceil(x/7 - 1)"),
    ("abs(z)**2", "z**2"),
]


def test_eight_threads_at_once_agree_with_one():
    # Made here: Python's own parser is not safe to call from several threads.
    pairs = [(tree(gold), tree(answer)) for gold, answer in PAIRS]
    expected = [compare(*pair) for pair in pairs]
    found: list[list[Sameness]] = []
    failures: list[BaseException] = []
    start = threading.Barrier(8)

    def work() -> None:
        try:
            start.wait()
            found.extend([compare(*pair) for pair in pairs] for _ in range(5))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failures == []
    assert found == [expected] * 40


SCRIPT = """
import json
from tests.test_sampling_properties import PAIRS, tree
from verifiers_math.equivalence.sampling.program import Program
from verifiers_math.equivalence.sampling.points import real_points, roles
from verifiers_math.equivalence.sampling.program import Slice
from random import Random
from itertools import islice
out = []
for gold, answer in PAIRS:
    program = Program()
    part = Slice(program, (program.read(tree(gold)), program.read(tree(answer))))
    points = real_points(part.letters, roles(part), Random(program.seed()))
    out.append([program.seed().hex(), repr(list(islice(points, 20)))])
print(json.dumps(out))
"""


def test_points_are_the_same_under_every_hash_seed():
    found = []
    for seed in ("0", "1", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            check=True,
        )
        found.append(json.loads(run.stdout))
    assert found[0] == found[1] == found[2]
    assert len({row[0] for row in found[0]}) == len(PAIRS)


def test_only_the_high_precision_needs_mpmath():
    script = (
        "import sys\n"
        "from tests.sampling_trees import tree\n"
        "from verifiers_math.equivalence.sampling import compare\n"
        "print(compare(tree('2*x + 6'), tree('2*(x + 3)')).value)\n"
        "print(compare(tree('sqrt(2)'), tree('sqrt(3)')).value)\n"
        "print(compare(tree('sin(x)'), tree('cos(x)')).value)\n"
        "print('mpmath' in sys.modules, 'sympy' in sys.modules)\n"
        "print(compare(tree('sin(2*x)'), tree('2*sin(x)*cos(x)')).value)\n"
        "print('mpmath' in sys.modules, 'sympy' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stdout.split() == "same different different False False same True False".split()
