"""Exact arithmetic on rationals that never starts what it cannot finish.

Values are `int` where they are whole and `Fraction` otherwise. `apply` returns None where the
result is not rational or would be too large, and raises `Undefined` where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from verifiers_math.equivalence.sampling.limits import MAX_FRACTION_BITS, MAX_INTEGER_BITS

Exact = int | Fraction


class Undefined(ArithmeticError):
    """There is no value here: a division by zero, a logarithm of zero."""


class NotReal(Undefined):
    """There is no real value here."""


class Unsupported(Undefined):
    """This way of evaluating does not know the operation."""


class Unclear(ArithmeticError):
    """The precision does not tell which case holds; a higher one may."""


class TooLarge(ArithmeticError):
    """A size is beyond its limit."""


def tidy(value: Exact) -> Exact:
    """A whole `Fraction` as an `int`."""
    return value.numerator if value.denominator == 1 else value


def size(value: Exact) -> Exact:
    """The absolute value."""
    return value if value >= 0 else -value


def bits(value: Exact) -> int:
    """Bits of numerator and denominator together."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def _fits(length: int, whole: bool, limit: int) -> bool:
    return length <= (limit if whole else min(limit, MAX_FRACTION_BITS))


def _whole(values: Sequence[Exact]) -> bool:
    return all(type(value) is int for value in values)


def integer_root(value: int, index: int) -> int | None:
    """The exact root of a whole number that is not negative, or None."""
    if value < 2:
        return value
    if index == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    if index >= value.bit_length():
        return None
    # Newton's iteration falls to the root from any start above it.
    shift = max(value.bit_length() - 64, 0)
    power = (math.log2((value >> shift) + 1) + shift) / index + 1e-9
    whole = int(power)
    root = (int(2 ** (power - whole) * (1 << 52)) + 2 << whole >> 52) + 1
    while True:
        closer = ((index - 1) * root + value // root ** (index - 1)) // index
        if closer >= root:
            break
        root = closer
    return root if root**index == value else None


def _add(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    if not _fits(sum(map(bits, values)), _whole(values), limit):
        return None
    return sum(values)


def _multiply(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    if not _fits(sum(map(bits, values)), _whole(values), limit):
        return None
    return math.prod(values)


def _power(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    base = values[0]
    if number < 0:
        if base == 0:
            raise Undefined
        base = tidy(Fraction(1) / base)
    if base in (0, 1, -1):
        return base ** (abs(number) % 2 or 2) if number else 1
    if number.bit_length() > 64 or not _fits(bits(base) * abs(number), _whole([base]), limit):
        return None
    result: Exact = base ** abs(number)
    return result


def _root(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    base = values[0]
    if base < 0 and number % 2 == 0:
        return None
    top = integer_root(abs(base.numerator), number)
    bottom = integer_root(base.denominator, number) if top is not None else None
    if top is None or bottom is None:
        return None
    return Fraction(top if base >= 0 else -top, bottom)


def _pow(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    base, exponent = values
    root: Exact | None = base
    if exponent.denominator > 1:
        root = _root([base], exponent.denominator, limit) if exponent.denominator < 1000 else None
    return None if root is None else _power([tidy(root)], exponent.numerator, limit)


def _natural(value: Exact) -> int:
    if value.denominator != 1 or value < 0:
        raise Undefined
    return int(value)


def _factorial(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    value = values[0]
    if value.denominator != 1:
        return None
    count = _natural(value)
    if count.bit_length() > 24 or count * count.bit_length() > limit:
        return None
    return math.factorial(count)


def _double_factorial(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    count = _natural(values[0]) if values[0] != -1 else 0
    if count.bit_length() > 24 or count * count.bit_length() > 2 * limit:
        return None
    return math.prod(range(count, 0, -2))


def _binom(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    upper, lower = values
    if lower.denominator != 1:
        return None
    count = int(lower)
    if count < 0:
        return 0
    if upper.denominator == 1 and upper >= 0:
        if count > upper:
            return 0
        count = min(count, int(upper) - count)
        if count.bit_length() > 24 or count * bits(upper) > 4 * limit:
            return None
        return math.comb(int(upper), count)
    if count > 64 or count * bits(upper) > limit:
        return None
    top = Fraction(1)
    for step in range(count):
        top *= upper - step
    return top / math.factorial(count)


def _integers(values: Sequence[Exact]) -> list[int]:
    if not _whole(values):
        raise Undefined
    return [int(value) for value in values]


def _gcd(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    return math.gcd(*_integers(values))


def _lcm(values: Sequence[Exact], number: int, limit: int) -> Exact | None:
    whole = _integers(values)
    return math.lcm(*whole) if sum(map(bits, whole)) <= limit else None


def _known(point: Exact, result: Exact) -> Callable[[Sequence[Exact], int, int], Exact | None]:
    """A function with one rational value that matters."""
    return lambda values, number, limit: result if values[0] == point else None


Operation = Callable[[Sequence[Exact], int, int], Exact | None]

OPERATIONS: dict[str, Operation] = {
    "add": _add,
    "multiply": _multiply,
    "power": _power,
    "root": _root,
    "pow": _pow,
    "abs": lambda values, number, limit: size(values[0]),
    "floor": lambda values, number, limit: math.floor(values[0]),
    "sgn": lambda values, number, limit: (values[0] > 0) - (values[0] < 0),
    "max": lambda values, number, limit: max(values),
    "min": lambda values, number, limit: min(values),
    "factorial": _factorial,
    "double_factorial": _double_factorial,
    "binom": _binom,
    "gcd": _gcd,
    "lcm": _lcm,
    "re": lambda values, number, limit: values[0],
    "conj": lambda values, number, limit: values[0],
    "im": lambda values, number, limit: 0,
    "exp": _known(0, 1),
    "ln": _known(1, 0),
    "sin": _known(0, 0),
    "cos": _known(0, 1),
    "asin": _known(0, 0),
    "atan": _known(0, 0),
}


def apply(
    name: str, values: Sequence[Exact], number: int = 0, limit: int = MAX_INTEGER_BITS
) -> Exact | None:
    """One operation on exact values.

    Args:
        name: The operation's name in a `Program`.
        values: Its arguments.
        number: The exponent of ``power``, the index of ``root``.
        limit: Most bits of a whole result.

    Returns:
        The value, or None where it is not rational or too large.

    Raises:
        Undefined: There is no value.
    """
    operation = OPERATIONS.get(name)
    if operation is None:
        return None
    value = operation(values, number, limit)
    return None if value is None else tidy(value)


def logarithm(value: Exact, base: Exact) -> Exact | None:
    """``log_base(value)`` where it is rational with a small denominator."""
    if value <= 0 or base <= 0 or base == 1:
        return None
    scale = _rough_log(base)
    if scale == 0 or max(bits(value), bits(base)) > 4096:
        return None
    guess = Fraction(_rough_log(value) / scale).limit_denominator(12)
    left = apply("power", [base], guess.numerator, 1 << 14)
    right = apply("power", [value], guess.denominator, 1 << 14)
    return tidy(guess) if left is not None and left == right else None


def _rough_log(value: Exact) -> float:
    return math.log(value.numerator) - math.log(value.denominator)
