"""Real values as machine floats with a bound on their error.

Fast, and still a proof: each value is a pair of a float and a radius that holds the rounding of
every operation before it, so two values whose radii do not touch differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from verifiers_math.equivalence.sampling.exact import Exact, NotReal, Unclear, Undefined
from verifiers_math.equivalence.sampling.limits import MAX_ROOT_INDEX
from verifiers_math.equivalence.sampling.program import Algebra

Ball = tuple[float, float]
"""A value and a bound on its error."""

# One rounding is half of this; libm functions stay within two units in the last place.
EPSILON = 4.5e-16
# What underflow may lose.
TINY = 1e-300


def _add(values: list[Ball], number: int) -> Ball:
    total = radius = 0.0
    for middle, error in values:
        total += middle
        radius += error + abs(total) * EPSILON
    return total, radius


def _times(first: Ball, second: Ball) -> Ball:
    a, error_a = first
    b, error_b = second
    if a == error_a == 0 or b == error_b == 0:
        return 0.0, 0.0
    middle = a * b
    size = abs(a)
    radius = size * error_b + error_a * (abs(b) + error_b) + abs(middle) * EPSILON + TINY
    return middle, radius


def _multiply(values: list[Ball], number: int) -> Ball:
    product = values[0]
    for value in values[1:]:
        product = _times(product, value)
    return product


def _power(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    if number == 2:
        return _times(values[0], values[0])
    size = abs(middle)
    if size <= error:
        if number < 0:
            raise Undefined if size == error == 0 else Unclear
        if size == error == 0:
            return 0.0, 0.0
        return 0.0, (size + error) ** number * 1.01 + TINY
    share = error / (size - error) * abs(number)
    if share > 0.05:
        raise Unclear
    value = float(middle**number)
    return value, abs(value) * (share * 1.1 + 2 * EPSILON) + TINY


def _root(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    if middle < 0 and number % 2:
        value, radius = _root([(-middle, error)], number)
        return -value, radius
    if middle <= error:
        if middle == error == 0:
            return 0.0, 0.0
        raise NotReal if middle < -error else Unclear
    if number == 2:
        value, rounding = math.sqrt(middle), EPSILON
    else:
        value = middle ** (1 / number)
        rounding = EPSILON * (2 + abs(math.log(middle)) / number)
    return value, value * (error / (middle - error) + rounding)


def _principal(values: list[Ball], number: int) -> Ball:
    if values[0][0] < 0:
        raise NotReal
    return _root(values, number)


def _exp(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    if error > 0.1:
        raise Unclear
    value = math.exp(middle)
    return value, value * (math.expm1(error) + EPSILON) + TINY


def _ln(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    if middle <= error:
        if middle == error == 0:
            raise Undefined
        raise NotReal if middle < -error else Unclear
    value = math.log(middle)
    return value, error / (middle - error) + abs(value) * EPSILON


def _sin(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    return math.sin(middle), error + EPSILON


def _cos(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    return math.cos(middle), error + EPSILON


def _asin(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    edge = abs(middle) + error
    if edge >= 1:
        if error == 0 and edge == 1:
            return math.asin(middle), 2 * EPSILON
        raise NotReal if abs(middle) - error > 1 else Unclear
    return math.asin(middle), error / math.sqrt((1 - edge) * (1 + edge)) * 1.01 + 2 * EPSILON


def _atan(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    return math.atan(middle), error + 2 * EPSILON


def _acot(values: list[Ball], number: int) -> Ball:
    if values[0][0] <= values[0][1]:
        # Two conventions differ for negative arguments.
        raise Undefined
    return _atan([_power(values, -1)], 0)


def _abs(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    return abs(middle), error


def _floor(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    low, high = math.floor(middle - error), math.floor(middle + error)
    if low != high or error > 0.1 or abs(low) > 1 << 52:
        raise Unclear
    return float(low), 0.0


def _sgn(values: list[Ball], number: int) -> Ball:
    ((middle, error),) = values
    if abs(middle) <= error:
        raise Unclear
    return math.copysign(1.0, middle), 0.0


def _extreme(choose: Callable[..., float]) -> Callable[[list[Ball], int], Ball]:
    def extreme(values: list[Ball], number: int) -> Ball:
        # The sum keeps what is not finite from being passed over: it is below no gap.
        total = sum(error for _, error in values)
        best = choose(middle for middle, _ in values)
        if len(values) == 2:
            (one, error), (other, other_error) = values
            if abs(one - other) > total:
                # One of the two is it for sure.
                return (one, error) if best == one else (other, other_error)
        return best, total

    return extreme


def _im(values: list[Ball], number: int) -> Ball:
    return 0.0, 0.0


def _arg(values: list[Ball], number: int) -> Ball:
    return (0.0, 0.0) if _sgn(values, 0)[0] > 0 else (math.pi, EPSILON)


_CONSTANTS: dict[str, Ball] = {"pi": (math.pi, EPSILON), "e": (math.e, EPSILON)}


class Floats(Algebra[Ball]):
    """Evaluation with floats; one value serves all threads."""

    operations: Mapping[str, Callable[[list[Ball], int], Ball]] = {
        "add": _add,
        "multiply": _multiply,
        "power": _power,
        "root": _root,
        "principal": _principal,
        "exp": _exp,
        "ln": _ln,
        "sin": _sin,
        "cos": _cos,
        "asin": _asin,
        "atan": _atan,
        "acot": _acot,
        "abs": _abs,
        "floor": _floor,
        "sgn": _sgn,
        "max": _extreme(max),
        "min": _extreme(min),
        "re": lambda values, number: values[0],
        "conj": lambda values, number: values[0],
        "im": _im,
        "arg": _arg,
    }

    def number(self, value: Exact) -> Ball:
        """See `Algebra`; raises OverflowError beyond the floats."""
        middle = value.numerator / value.denominator
        if value.denominator == 1 and -(1 << 53) < value < (1 << 53):
            return middle, 0.0
        return middle, abs(middle) * EPSILON + TINY

    def constant(self, name: str) -> Ball:
        """See `Algebra`."""
        if name not in _CONSTANTS:
            raise NotReal
        return _CONSTANTS[name]

    def raise_to(self, base: Ball, exponent: Ball, known: Exact | None) -> Ball:
        """See `Algebra`."""
        if known is not None and known.denominator <= MAX_ROOT_INDEX:
            root = base if known.denominator == 1 else _root([base], known.denominator)
            return _power([root], known.numerator) if known else (1.0, 0.0)
        middle, error = base
        if middle == error == 0 and exponent[0] > exponent[1]:
            return 0.0, 0.0
        return _exp([_times(exponent, _ln([base], 0))], 0)


FLOATS = Floats()


def apart(first: Ball, second: Ball) -> bool | None:
    """Whether two values differ: True if proven, False if they agree, None if that says nothing."""
    a, error_a = first
    b, error_b = second
    gap, radius = abs(a - b), error_a + error_b
    size = max(abs(a), abs(b))
    if not (math.isfinite(gap) and math.isfinite(radius)) or radius > 1e-3 * max(size, 1e-6):
        # Values near zero after cancellation agree if at all with zero, which says something.
        return None if not (math.isfinite(gap) and gap <= radius < 1e-6) else False
    if gap <= radius:
        return False
    # A hair's breadth is left to a higher precision.
    return True if gap > 8 * radius and gap > 1e-9 * size else None
