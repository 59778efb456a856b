"""Which expressions are the same, by family; every row is tried in both directions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.sampling_trees import tree
from verifiers_math.equivalence.reader.tree import Constant, Words
from verifiers_math.equivalence.sampling import (
    Sameness,
    compare,
    differ_by_constant,
    proportional,
)
from verifiers_math.equivalence.sampling.balls import EXACTLY, Balls
from verifiers_math.equivalence.sampling.exact import TooLarge

SAME, DIFFERENT, UNKNOWN = Sameness


def rows(text: str) -> list[tuple[str, str]]:
    """Pairs, one a line, the sides apart by a bar."""
    lines = [line.split("|") for line in text.strip().splitlines()]
    return [(gold.strip(), answer.strip()) for gold, answer in lines]


EXACT = """
    0.5 | 1/2
    2/4 | 1/2
    -(3/4) | (-3)/4
    sqrt(4)/4 | 1/2
    pct(25) | 1/4
    deg(30) | pi/6
    sin(deg(30)) | 1/2
    5*10**(-1) | 0.5
    10000000**2 | 10**14
    root(-8, 3) | -2
    (-27)**(1/3) | -3
    8**(2/3) | 4
    log(8, 2) | 3
    log(8, 4) | 3/2
    log(100, 10) | 2
    factorial(5) | 120
    double_factorial(7) | 105
    binom(5, 2) | 10
    binom(1/2, 2) | -1/8
    gcd(12, 18) | 6
    lcm(4, 6) | 12
    mod(17, 5) | 2
    mod(-7, 3) | 2
    floor(-1/2) | -1
    ceil(7/2) | 4
    max(1/2, 1/3) | 1/2
    sgn(-5) | -1
    ln(1) | 0
    ln(e**3) | 3
    1/(1/3) | 3
    2**1000000 | 4**500000
    0.1 + 0.2 | 0.3
"""

EXACT_NEAR = """
    1/3 | 0.333333333333333333
    99999999999 | 100000000000
    10**(-20) | 3*10**(-19)
    1/factorial(2004) | 1/factorial(2006)
    2**1000000 | 4**500000 + 1
    10**100000 + 1 | 10**100000
    9**(9**9) | 9**(9**8)
    i | -i
    0.999999 | 1
    floor(-1/2) | 0
"""

RADICALS = """
    1/sqrt(2) | sqrt(2)/2
    sqrt(12) | 2*sqrt(3)
    sqrt(2)*sqrt(3) | sqrt(6)
    sqrt(50) + sqrt(8) | 7*sqrt(2)
    (3 + sqrt(5))/2 | ((1 + sqrt(5))/2)**2
    1/(sqrt(5) - 2) | sqrt(5) + 2
    sqrt(5 + 2*sqrt(6)) | sqrt(2) + sqrt(3)
    root(7 + 5*sqrt(2), 3) | 1 + sqrt(2)
    sqrt(101)/101 | 1/sqrt(101)
    sqrt(103)*sqrt(107) | sqrt(11021)
    root(2, 3)**2 | root(4, 3)
    2**(1/2) | sqrt(2)
    sqrt(-4) | 2*i
    sqrt(-3)*sqrt(-2) | -sqrt(6)
    1/(1 + i) | (1 - i)/2
    sqrt(3 - 2*sqrt(2)) | sqrt(2) - 1
    root(2 + sqrt(5), 3) - root(sqrt(5) - 2, 3) | 1
"""

RADICALS_NEAR = """
    sqrt(10**40 + 1) | 10**20
    sqrt(10**200 + 1) | 10**100
    sqrt(2) + sqrt(3) | sqrt(10)
    sqrt(2) | 1.41421356237309504880168872420969807856967187537694
    (3 + sqrt(5))/2 | (3 - sqrt(5))/2
    sqrt(1000001) + sqrt(1000025) + sqrt(1000031) | sqrt(1000003) + sqrt(1000019) + sqrt(1000037)
    sqrt(3)/2 | sqrt(3)/3
    root(2, 3) | sqrt(2)
    sqrt(-4) | -2*i
"""

CONSTANTS = """
    1 - sin(1)**2 - cos(1)**2 | 0
    tan(pi/12) | 2 - sqrt(3)
    cos(pi/5) | (1 + sqrt(5))/4
    cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) | 1/8
    arctan(1/2) + arctan(1/3) | pi/4
    4*arctan(1/5) - arctan(1/239) | pi/4
    arccos(-1/2) | 2*pi/3
    arcsin(1) | pi/2
    ln(8)/ln(2) | 3
    ln(2) + ln(3) | ln(6)
    e**(ln(5)/2) | sqrt(5)
    e**(i*pi) | -1
    i**i | e**(-pi/2)
    gamma(1/2) | sqrt(pi)
    abs(3 + 4*i) | 5
    conj(2 + i) | 2 - i
    re(e**(i*pi/3)) | 1/2
    arg(1 + i) | pi/4
    arcosh(2) | ln(2 + sqrt(3))
    arsinh(1) | ln(1 + sqrt(2))
    log(2, 10)*ln(10) | ln(2)
    floor(pi) | 3
    max(pi, e) | pi
    floor(10*sqrt(2)) | 14
    inf | inf
    -inf | -1*inf
    factorial(10000000) | factorial(10000000)
    9**(9**(9**9)) | 9**(9**(9**9))
    arcsec(2) | pi/3
    e**(pi*sqrt(163)) | exp(sqrt(163)*pi)
"""

CONSTANTS_NEAR = """
    e**(pi*sqrt(163)) | 262537412640768744
    e**(10**(-9)) | 1
    cos(10**(-60)) | 1
    cos(10**(-99)) | 1
    cos(10**(-99)) | 1 - 10**(-198)/2
    arctan(10**300) | pi/2
    tanh(1000) | 1
    pi | 355/113
    pi | 3.14159265358979323846264338327950288419716939937510582097494459230781640628620899
    e | 2.718281828
    factorial(10000000) | factorial(10000001)
    9**(9**(9**9)) | 9**(9**(9**8))
    9**(9**(9**9)) | 5
    8**(9**(9**9)) | 9**(9**(9**9))
    factorial(factorial(100000)) | factorial(factorial(100001))
    inf | -inf
    inf | 5
    inf | 9**(9**9)
    e**(i*pi) | 1
    sin(10**40) | sin(10**40 + 1)
    log(2, 10) | ln(2)
    sin(1) | sin(deg(1))
    root(-8, 3) | 1 + i*sqrt(3)
    pi + 10**(-150) | pi
    (root(2, 3) + 1)**5000 | (root(2, 3) + 1)**5000 + 1
    ln(2) | 0.6931471805599453
"""

RATIONAL = """
    2*x + 6 | 2*(x + 3)
    (x**2 - 1)/(x - 1) | x + 1
    x/x | 1
    (x + y)**3 | x**3 + 3*x**2*y + 3*x*y**2 + y**3
    (a - x)**6000 + 1 | (x - a)**6000 + 1
    1/x + 1/y | (x + y)/(x*y)
    a/(b/c) | a*c/b
    x**(-2) | 1/x**2
    (x + i)*(x - i) | x**2 + 1
    (x - sqrt(2))*(x + sqrt(2)) | x**2 - 2
    pi*(r + 1)**2 | pi*r**2 + 2*pi*r + pi
    n*(n + 1)/2 | (n**2 + n)/2
    (x**1000000 - 1)*(x**1000000 + 1) | x**2000000 - 1
    x + 10**1000 | 10**1000 + x
"""

RATIONAL_NEAR = """
    x**2 | x**3
    a*x | b*x
    X | x
    x_1 | x_2
    (a - x)**6000 + 1 | (x - a)**6000
    (a - x)**6001 | (x - a)**6001
    x**2 + 1.000001*x | x**2 + x
    x + 10**1000 | x
    x + 10**(-1000) | x
    (n + 1)**2 | n**2 + 2*n + 2
    x | 170141183460469231731687303715884105728*x
    2*x + 3*m | 2*x + 3
    sqrt(2)*x | 1.41421356*x
    pi*x | 3.14159265358979*x
    (x + i)**2 | x**2 - 1
    n**2 | 2**n
    x**3 - x | 0
    (x - 1)*(x - 2)*(x - 3)*(x - 4)*(x - 5) | 0
"""

FUNCTIONS = """
    sin(x)**2 + cos(x)**2 | 1
    -cos(t)*sin(2*t) | -2*cos(t)**2*sin(t)
    sin(3*x) | 3*sin(x) - 4*sin(x)**3
    cos(2*x) | 1 - 2*sin(x)**2
    sec(x)**2 | 1 + tan(x)**2
    cot(x)*tan(x) | 1
    csc(x) | 1/sin(x)
    sin(x + y) | sin(x)*cos(y) + cos(x)*sin(y)
    sin(x + pi/2) | cos(x)
    tan(x/2) | sin(x)/(1 + cos(x))
    sinh(2*x) | 2*sinh(x)*cosh(x)
    tanh(x) | (e**(2*x) - 1)/(e**(2*x) + 1)
    arsinh(x) | ln(x + sqrt(x**2 + 1))
    arcosh(x) | ln(x + sqrt(x**2 - 1))
    artanh(x) | ln((1 + x)/(1 - x))/2
    arccos(x) | pi/2 - arcsin(x)
    2*arcsin(sqrt(a)) | arccos(1 - 2*a)
    arctan(x) | arcsin(x/sqrt(1 + x**2))
    e**x*e**y | exp(x + y)
    e**(2*ln(x)) | x**2
    cos(x) + i*sin(x) | e**(i*x)
    ln(x**2) | 2*ln(x)
    ln(x**2*y) - ln(z) | ln(x**2*y/z)
    ln(abs(x)) | ln(x**2)/2
    log(x, 2) | ln(x)/ln(2)
    ln(x)/ln(10) | log(x, 10)
    2**(n + 1) | 2*2**n
    x**a*x**b | x**(a + b)
    a**x | e**(x*ln(a))
    (1/2)**x | 2**(-x)
    x**x | exp(x*ln(x))
    N*2**(-N) | N*(1/2)**N
    4**x | 2**(2*x)
    sqrt(1/n) | 1/sqrt(n)
    sqrt(x**2 - 1) | sqrt(x - 1)*sqrt(x + 1)
    sqrt(x*y) | sqrt(x)*sqrt(y)
    x**(1/3) | root(x, 3)
    x**(2/3) | root(x**2, 3)
    root(x**3, 3) | x
    sqrt(x)/x | 1/sqrt(x)
    sqrt(-x**2 - 1) | i*sqrt(x**2 + 1)
    sqrt(x + 1000) | (x + 1000)**(1/2)
    arcsin(x/1000) | pi/2 - arccos(x/1000)
"""

FUNCTIONS_NEAR = """
    sqrt(x**2) | x
    sqrt((x - 50)**2) | 50 - x
    arctan(tan(x)) | x
    arcsin(sin(x)) | x
    sqrt(1 - cos(x)**2) | sin(x)
    arctan(1/x) | pi/2 - arctan(x)
    sin(x) | sin(x + 10**(-30))
    sin(x) + x*10**(-50) | sin(x)
    sin(x) + x**200 | sin(x)
    0.999999*sin(x) | sin(x)
    cos(10**(-60)*x) | 1
    e**(x + 10**(-40)) | e**x
    cos(x) - i*sin(x) | e**(i*x)
    e**x | e**(-x)
    ln(x) | ln(2*x)
    2**x | 2**(-x)
    sin(x)**2 | sin(x**2)
    sin(2*x) | 2*sin(x)
    sin(deg(1)*x) | sin(x)
    x**2*ln(x) | x**2*ln(x) + 0.0001
    (1 + x/1000)**1000 | e**x
    ln(x)/ln(2) | log(x, 10)
    sqrt(x + y) | sqrt(x) + sqrt(y)
    x**n | x**(n + 1)
    x**(1/3) | x**(1/2)
    root(x, 3) | -root(x, 3)
    e**(i*x) | 1
    sqrt(x**(2/3)) | root(x, 3)*1.0001
    tanh(20*x) | sgn(x)
"""

PIECEWISE = """
    abs(x) | sqrt(x**2)
    abs(x)**2 | x**2
    abs(-x) | abs(x)
    abs(x*y) | abs(x)*abs(y)
    abs(x - 5) | abs(5 - x)
    max(x, y) | (x + y + abs(x - y))/2
    min(x, y) | -max(-x, -y)
    sgn(x)*abs(x) | x
    floor(x + 3) | floor(x) + 3
    -floor(-x) | ceil(x)
    mod(x, 1) | x - floor(x)
    conj(z)*z | abs(z)**2
    z + conj(z) | 2*re(z)
    floor(n**2/4) | floor(n/2)*ceil(n/2)
"""

PIECEWISE_NEAR = """
    abs(x) | x
    abs(x - 5) + abs(x + 5) | 10
    abs(x - 3) + abs(x - 7) | 4
    abs(x - 10) + abs(x - 20) | abs(2*x - 30)
    abs(2*x - 10) + abs(2*x - 12) | abs(4*x - 22)
    max(x, y) + abs(x - y - 1)/2 | (2*x + 2*y + abs(2*x - 2*y - 1))/2
    abs(x**2 - 2) + abs(x**2 - 2.1) | abs(2*x**2 - 4.1)
    max(x, 1000) | 1000
    max(x, 0) | x
    min(x, 5) | x
    floor(x) | x
    floor(x) | ceil(x) - 1
    floor(x/7) | ceil(x/7 - 1)
    floor(x + 1/2) | ceil(x - 1/2)
    floor(n/3) | ceil(n/3) - 1
    floor(2*x) | 2*floor(x)
    sgn(x) | 1
    abs(x + y) | abs(x) + abs(y)
    conj(z) | z
    abs(z)**2 | z**2 + 1
    re(z) | z
"""

WHOLE = """
    (-1)**n | cos(n*pi)
    sin(n*pi) | 0
    (-1)**(n + 2) | (-1)**n
    (-1)**(x + 2) | (-1)**x
    (-1)**(n*(n + 1)/2) | sqrt(2)*cos((2*n + 1)*pi/4)
    (1 - (-1)**n)/2 | mod(n, 2)
    factorial(n + 1)/factorial(n) | n + 1
    factorial(2*n) | 2**n*factorial(n)*double_factorial(2*n - 1)
    binom(n, 2) | n*(n - 1)/2
    binom(n, k) | factorial(n)/(factorial(k)*factorial(n - k))
    binom(n, k) | binom(n, n - k)
    binom(n + 1, k + 1) | binom(n, k) + binom(n, k + 1)
    (-2)**n | (-1)**n*2**n
    cos(2*pi*k) | 1
    e**(2*pi*i*k) | 1
    factorial(x)/factorial(x - 1) | x
    n*(-1)**n*sin(x) | n*cos(n*pi)*sin(x)
    (1 + sqrt(5))**n/2**n | ((1 + sqrt(5))/2)**n
    i**n | cos(n*pi/2) + i*sin(n*pi/2)
    (cos(t) + i*sin(t))**n | cos(n*t) + i*sin(n*t)
"""

WHOLE_NEAR = """
    (-1)**n | (-1)**(n + 1)
    (-1)**n | 1
    (-1)**n*abs(n) | (-1)**n*n
    (-1)**x | (-1)**(x + 1)
    (-1)**n*sin(x) | sin(x)
    cos(n*pi) | 1
    cos(n*pi/2) | cos(n*pi)
    cos(pi*x) | 1
    sin(pi*x) | 0
    factorial(n) | n**n
    factorial(n) | n*(n - 1)
    binom(n, 2) | n**2/2
    binom(n, k) | binom(n, k + 1)
    factorial(n) + (n - 1)*(n - 2)*(n - 3)*(n - 4) | factorial(n)
    double_factorial(n) | factorial(n)
    gcd(n, 6) | 1
    gcd(n, 100) | gcd(n, 20)
    (-1)**n | cos(x*pi)
"""

LOGARITHMS = """
    log(x) | ln(x)
    log(x) | log(x, 10)
    log(100) | 2
    log(a) - log(b) | log(a/b)
    log(x) | ln(x)/ln(10)
    log(8)/log(2) | 3
    2*log(x, 10) | log(x**2)
"""

LOGARITHMS_NEAR = """
    log(x) | 2*ln(x)
    log(100) | 3
    log(2) | log(3)
    log(x) | log(x, 2)
    log(100) + ln(e) | ln(e)
"""

EQUAL = {
    "exact": EXACT,
    "radicals": RADICALS,
    "constants": CONSTANTS,
    "rational functions": RATIONAL,
    "functions": FUNCTIONS,
    "piecewise": PIECEWISE,
    "whole letters": WHOLE,
    "logarithms": LOGARITHMS,
}
APART = {
    "exact": EXACT_NEAR,
    "radicals": RADICALS_NEAR,
    "constants": CONSTANTS_NEAR,
    "rational functions": RATIONAL_NEAR,
    "functions": FUNCTIONS_NEAR,
    "piecewise": PIECEWISE_NEAR,
    "whole letters": WHOLE_NEAR,
    "logarithms": LOGARITHMS_NEAR,
}


def parameters(families: dict[str, str]) -> list:
    return [
        pytest.param(gold, answer, id=f"{family}: {gold} | {answer}")
        for family, text in families.items()
        for gold, answer in rows(text)
    ]


@pytest.mark.parametrize(("gold", "answer"), parameters(EQUAL))
def test_equal_expressions_are_the_same(gold, answer):
    assert compare(tree(gold), tree(answer)) is SAME
    assert compare(tree(answer), tree(gold)) is SAME


@pytest.mark.parametrize(("gold", "answer"), parameters(APART))
def test_near_misses_are_different(gold, answer):
    assert compare(tree(gold), tree(answer)) is DIFFERENT
    assert compare(tree(answer), tree(gold)) is DIFFERENT


OPEN = """
    binom(10**9, 10**8) | binom(10**9, 9*10**8)
    factorial(factorial(100000)) | 2*factorial(factorial(100000))
    inf - inf | 0
    0*inf | 0
    abs(z)**2 | z**2
    (-1)**x | cos(pi*x)
    (-1)**x | cos(pi*x)
    arccot(-1) | 3*pi/4
    arctan(2**1000000) | pi/2
    x + 1/0 | x + 1
    sqrt(x**(2/3)) | root(x, 3)
"""


@pytest.mark.parametrize(("gold", "answer"), rows(OPEN))
def test_what_is_undefined_ambiguous_or_too_large_is_left_open(gold, answer):
    assert compare(tree(gold), tree(answer)) is UNKNOWN
    assert compare(tree(answer), tree(gold)) is UNKNOWN


WITHOUT_VALUE = """
    1/0 | 5
    ln(0) | 1
    factorial(-1) | 1
    7*ln(0)/ln(0) | 7
    2 + tan(pi/2) - tan(pi/2) | 2
    log(0, 10) - log(0, 10) | 0
    4 + 0*ln(0) | 4
    0*sec(pi/2) | 0
    factorial(-2)/factorial(-2) | 1
    6 + 0/0 | 6
    6 + 0*(1/0) | 6
    ln(0)**0 | 1
    1/(1/0) | 0
    0*log(5, 1) | 0
    0*mod(5, 0) | 0
    0/(sin(1)**2 + cos(1)**2 - 1) | 0
"""

NOWHERE_A_VALUE = """
    3*ln(-x**2 - 1)/ln(-x**2 - 1) | 3
    ln(-x**2 - 4) - ln(-x**2 - 4) + x | x
    x + 0*arcsin(x**2 + 2) | x
    x + ln(0)**0 - 1 | x
    x + 0*factorial(-2) | x
    x + 0/(sqrt(x**2) - abs(x)) | x
    x + 0/(sin(x)**2 + cos(x)**2 - 1) | x
    x + 1/(1/(0*x)) | x
"""


@pytest.mark.parametrize(("gold", "answer"), rows(WITHOUT_VALUE))
def test_a_constant_without_a_value_differs_from_every_other(gold, answer):
    assert compare(tree(gold), tree(answer)) is DIFFERENT
    assert compare(tree(answer), tree(gold)) is DIFFERENT


@pytest.mark.parametrize(("gold", "answer"), rows(NOWHERE_A_VALUE))
def test_what_has_a_value_nowhere_is_never_the_same(gold, answer):
    assert compare(tree(gold), tree(answer)) is not SAME
    assert compare(tree(answer), tree(gold)) is not SAME


REMOVABLE = """
    x/x | 1
    x**0 | 1
    1/(1/x) | x
    sin(x)/sin(x) | 1
    ln(x)/ln(x) | 1
    0*ln(x) + x | x
    tan(x)*cot(x) | 1
    factorial(n)/factorial(n) | 1
    ln(-1)/ln(-1) | 1
    1/(i + sin(1)) | (sin(1) - i)/(sin(1)**2 + 1)
    factorial(factorial(100000))/factorial(factorial(100000)) | 1
"""


@pytest.mark.parametrize(("gold", "answer"), rows(REMOVABLE))
def test_points_without_a_value_take_nothing_from_the_others(gold, answer):
    assert compare(tree(gold), tree(answer)) is SAME
    assert compare(tree(answer), tree(gold)) is SAME


ZERO_UNDER_A_ROOT = """
    root(x, 3) | root(max(x, 0), 3)
    root(x, 5) | root((x + abs(x))/2, 5)
    x | root(max(x, 0)**3, 3)
    x | (max(x, 0)**3)**(1/3)
    abs(x) | sqrt(max(x, 0)**2)
    abs(x) | sqrt(x*(x + abs(x))/2)
    sqrt(abs(x)) | sqrt(max(x, 0))
    sqrt(1 - cos(x)) | sqrt(1 - cos(max(x, 0)))
    root(2*n, 3) | root(n + abs(n), 3)
    root(x, 3) | root(max(pi*x, 0)/pi, 3)
"""

FAR_OR_NARROW = """
    x | min(x, 10**9)
    x | max(x, -10**9)
    x | x + floor(abs(x)/10**6)
    x | x + max(0, 1 - 10**6*abs(x - pi))
    x | x + sgn(x - 10**9) + 1
    x | abs(x + 10**7) - 10**7
    x | x + max(0, 10**(-30)*(x - 10**9))
    x + y | min(x + y, 10**7)
    x + y | x + y + max(0, x + 2*y - 10**8)
    x**2 | x**2 + floor(x**2/10**9)
    factorial(n) | factorial(n) + floor(n/50)
    binom(n, k) | binom(n, k) + floor(k/30)
    binom(2*n, n) | binom(2*n, n) + max(0, n - 200)
    n | n + floor(n/10**9)
    n | mod(n, 10**7)
    sin(x) | sin(min(x, 1000000))
    10**9 - x | sqrt((x - 10**9)**2)
    10**9 - x | sqrt(x**2 - 2*10**9*x + 10**18)
    x/10**9 | arcsin(sin(x/10**9))
"""


@pytest.mark.parametrize(("gold", "answer"), rows(ZERO_UNDER_A_ROOT))
def test_a_root_of_zero_is_zero_and_tells_sides_apart(gold, answer):
    assert compare(tree(gold), tree(answer)) is DIFFERENT
    assert compare(tree(answer), tree(gold)) is DIFFERENT


@pytest.mark.parametrize(("gold", "answer"), rows(FAR_OR_NARROW))
def test_a_change_of_form_is_found_far_out_and_where_it_is_narrow(gold, answer):
    assert compare(tree(gold), tree(answer)) is DIFFERENT
    assert compare(tree(answer), tree(gold)) is DIFFERENT


HIDDEN = """
    x | x + floor(abs(x)/10**15)
    x | x + max(0, 1 - 10**40*abs(x - pi))
    x | x + floor(1/(1 + 10**12*(x - pi)**2))
    factorial(n) | factorial(n) + floor(n/1000)
    x*i | i*min(x, 10**9)
    x**(2/3) | max(x, 0)**(2/3)
    exp(x) | exp(min(x, 1000))
"""


@pytest.mark.parametrize(("gold", "answer"), rows(HIDDEN))
def test_a_switch_seen_in_one_position_only_proves_nothing(gold, answer):
    assert compare(tree(gold), tree(answer)) is not SAME
    assert compare(tree(answer), tree(gold)) is not SAME


ONE_POSITION = """
    ln(abs(x**2 + 1)) | ln(x**2 + 1)
    abs(x**2 + x + 1) | x**2 + x + 1
    abs(x**2 - 2*x + 1) | (x - 1)**2
    abs(x**4 + x + 1) | x**4 + x + 1
    max(x**2, -1) | x**2
    abs(2 + sin(x)) | 2 + sin(x)
    exp(abs(ln(x**2 + 2))) | x**2 + 2
    min(1, exp(-x**2)) | exp(-x**2)
    sqrt(cosh(x)**2) | cosh(x)
    abs(x)/sqrt(x) | sqrt(x)
    abs(x + 20)*ln(x) | (x + 20)*ln(x)
    abs(n + 1)*factorial(n) | factorial(n + 1)
    sqrt((x - 3)**2)*ln(x - 3) | (x - 3)*ln(x - 3)
    floor(n/50) + floor((n + 25)/50) | floor(n/25)
    abs(x**2 + y**2) | x**2 + y**2
"""


@pytest.mark.parametrize(("gold", "answer"), rows(ONE_POSITION))
def test_a_switch_that_has_one_position_only_hides_nothing(gold, answer):
    assert compare(tree(gold), tree(answer)) is SAME
    assert compare(tree(answer), tree(gold)) is SAME


def test_the_power_of_a_negative_number_may_be_the_real_or_the_principal_one():
    assert compare(tree("(-8)**(1/3)"), tree("-2")) is SAME
    assert compare(tree("(-8)**(1/3)"), tree("1 + i*sqrt(3)")) is SAME
    assert compare(tree("(-8)**(1/3)"), tree("2")) is DIFFERENT
    assert compare(tree("root(-8, 3)"), tree("1 + i*sqrt(3)")) is DIFFERENT


def test_equal_trees_are_the_same_even_where_they_cannot_be_evaluated():
    for text in ("1/0", "factorial(factorial(100000))", "inf - inf", "arccot(-x)*y"):
        assert compare(tree(text), tree(text)) is SAME


@pytest.mark.parametrize(
    "node", [Words("four"), Constant("phi"), tree("foo(x)"), tree("sin(x, y)")]
)
def test_what_is_no_expression_is_left_open(node):
    assert compare(node, tree("x")) is UNKNOWN
    assert compare(tree("x"), node) is UNKNOWN


PROPORTIONAL = """
    y - 2*x - 3 | 2*x - y + 3
    x**2/4 + y**2/9 - 1 | 9*x**2 + 4*y**2 - 36
    x - sqrt(2)*y | sqrt(2)*x - 2*y
    pi*x - pi | x - 1
    sin(x) - y | 3*y - 3*sin(x)
    e**x*y - 1 | 2 - 2*y*exp(x)
    x - 2*y*sin(1)/cos(1) | cos(1)*x - 2*sin(1)*y
    x**2 - 3*x + 2 | 2*(x - 1)*(x - 2)
    sqrt(x) - y | 2*y - sqrt(4*x)
"""

NOT_PROPORTIONAL = """
    y - 2*x - 3 | y - 2*x + 3
    x**2 - 3*x + 2 | x**2 - 3*x + 3
    x - y | x*(x - y)
    x - y | (x - y)**2
    sin(x) - y | sin(x) - 2*y
    x | y
    x - 1 | 0
    sqrt(x) - y | sqrt(x) - 1.000001*y
    x + 10**(-30) | x
    x*y - 1 | y - 1/x
"""


@pytest.mark.parametrize(("gold", "answer"), rows(PROPORTIONAL))
def test_equations_with_sides_multiplied_by_a_number_are_proportional(gold, answer):
    assert proportional(tree(gold), tree(answer)) is SAME
    assert proportional(tree(answer), tree(gold)) is SAME


@pytest.mark.parametrize(("gold", "answer"), rows(NOT_PROPORTIONAL))
def test_other_equations_are_not_proportional(gold, answer):
    assert proportional(tree(gold), tree(answer)) is DIFFERENT
    assert proportional(tree(answer), tree(gold)) is DIFFERENT


def test_proportion_says_nothing_of_numbers_and_zero():
    for gold, answer in (
        ("1 - 1", "2 - 2"),
        ("3", "4"),
        ("x - x", "y - y"),
        ("sin(x)", "sin(x)*i"),
    ):
        assert proportional(tree(gold), tree(answer)) is UNKNOWN


SHIFTED = """
    ln(abs(2*x)) | ln(abs(x))
    x**2/2 + x | (x + 1)**2/2
    sin(x)**2 | -cos(x)**2
    arctan(x) | arctan(x) + pi
    ln(x) + C | ln(3*x) + C
    -cos(2*x)/4 | sin(x)**2/2
    e**x + 5 | e**x
    sin(x)**2/2 | -cos(2*x)/4
    sqrt(x) + 1 | sqrt(x)
    2*ln(abs(x)) | ln(5*x**2)
"""

NOT_SHIFTED = """
    ln(abs(x)) | ln(abs(x + 1))
    x**2 | x**2 + x
    sin(x) | cos(x)
    x + 10**(-20)*x | x
    ln(x) | 2*ln(x)
    sqrt(x) | sqrt(x) + x/1000000
    x + C | x - C
    x*y | x*y + y
"""


@pytest.mark.parametrize(("gold", "answer"), rows(SHIFTED))
def test_antiderivatives_of_one_function_differ_by_a_constant(gold, answer):
    assert differ_by_constant(tree(gold), tree(answer)) is SAME
    assert differ_by_constant(tree(answer), tree(gold)) is SAME


@pytest.mark.parametrize(("gold", "answer"), rows(NOT_SHIFTED))
def test_antiderivatives_of_two_functions_do_not_differ_by_a_constant(gold, answer):
    assert differ_by_constant(tree(gold), tree(answer)) is DIFFERENT
    assert differ_by_constant(tree(answer), tree(gold)) is DIFFERENT


def test_a_difference_that_is_constant_on_either_side_of_a_gap_is_left_open():
    assert differ_by_constant(tree("arctan(x)"), tree("-arctan(1/x)")) is UNKNOWN


NEVER_CLEAR = """
    (7 - n)*9*n + n - ceil(tan(pi*n)) | (7 - (n + 1))*9*n + n - ceil(tan(pi*n))
    csc(n*n/pi) | csc((n + 0)*pi*n)
    5 | ceil(tan(pi*n)) + ceil(tan(2*pi*n)) + ceil(tan(3*pi*n)) + x
"""


@pytest.mark.parametrize(("gold", "answer"), rows(NEVER_CLEAR))
def test_what_no_precision_makes_clear_is_not_asked_for_at_every_point(gold, answer, monkeypatch):
    bits = []
    run = Balls.run

    def counted(self, *arguments):
        bits.append(self.precision)
        run(self, *arguments)

    monkeypatch.setattr(Balls, "run", counted)
    assert compare(tree(gold), tree(answer)) is not SAME
    assert sum(precision > 1000 for precision in bits) <= 12


@pytest.mark.parametrize("name", ["ln", "abs", "asin", "atan"])
def test_squares_of_huge_complex_numbers_are_not_added_exactly(name):
    balls = Balls(320, real=False)
    huge = (*balls.power(balls.number(2), 1 << 20)[:1], balls.number(3)[0], EXACTLY)
    with pytest.raises(TooLarge):
        balls.operations[name]([huge], 0)


def test_a_factorial_of_a_broken_number_is_not_taken_to_many_bits():
    third = Balls(1000).number(Fraction(1, 3))
    with pytest.raises(TooLarge):
        Balls(1000).operations["factorial"]([third], 0)
    assert Balls(1000).operations["factorial"]([Balls(1000).number(Fraction(1, 2))], 0)
