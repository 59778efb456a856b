"""Values to any precision with a bound on their error, real and complex.

A real value is a pair: an mpmath number and the exponent of a power of two that its error stays
below. A complex one is a triple with two such numbers. mpmath's contexts hold the precision in a
place that threads share, so only its pure functions are called here, which are told the
precision. Importing this module loads mpmath.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mpmath import libmp

from verifiers_math.equivalence.sampling.exact import (
    Exact,
    NotReal,
    TooLarge,
    Unclear,
    Undefined,
)
from verifiers_math.equivalence.sampling.limits import (
    MAX_ANGLE,
    MAX_COMPLEX_MAGNITUDE,
    MAX_CONSTANT_PRECISION,
    MAX_FACTORIAL,
    MAX_FACTORIAL_PRECISION,
    MAX_GAMMA_PRECISION,
    MAX_MAGNITUDE,
    MAX_ROOT_INDEX,
)
from verifiers_math.equivalence.sampling.program import Algebra

Float = Any
"""mpmath's raw number: sign, mantissa, exponent, bits of the mantissa."""
Ball = tuple[Any, ...]
"""``(value, error)`` or ``(real part, imaginary part, error)``."""

EXACTLY = -(1 << 62)
"""The error exponent of a value without error."""

# mpmath keeps π, e and the like in a cache that is not safe to grow in one thread while another
# reads it; filled beyond every precision used here, it never grows.
for _constant in (libmp.mpf_pi, libmp.mpf_e, libmp.mpf_ln2):
    _constant(MAX_CONSTANT_PRECISION + MAX_ANGLE + 1000)
# The numbers that its gamma function needs are cached less carefully.
_gamma_lock = threading.Lock()


def magnitude(value: Float) -> int:
    """The exponent of the first power of two above a number that is not zero."""
    return int(value[2] + value[3])


def _checked(value: Float, error: int) -> Ball:
    if value[1] and abs(magnitude(value)) > MAX_MAGNITUDE:
        raise TooLarge
    return value, error


def holds_zero(ball: Ball) -> bool:
    """Whether zero is among the values that a ball stands for."""
    return lower(ball) is None


def lower(ball: Ball) -> int | None:
    """The exponent of a power of two that the size of the value is above, or None near zero."""
    parts = [magnitude(part) for part in ball[:-1] if part[1]]
    if not parts:
        return None
    top = max(parts)
    return top - 2 if ball[-1] < top - 2 else None


def upper(ball: Ball) -> int:
    """The exponent of a power of two that the size of the value is below."""
    parts = [magnitude(part) for part in ball[:-1] if part[1]]
    return max([*parts, int(ball[-1])]) + len(ball) - 1


def zero_to(ball: Ball, bits: int) -> bool:
    """Whether a ball is zero to so many bits."""
    return is_zero(ball) or (holds_zero(ball) and ball[-1] <= -bits)


def is_zero(ball: Ball) -> bool:
    """Whether a ball is exactly zero."""
    return ball[-1] <= EXACTLY // 2 and not any(part[1] for part in ball[:-1])


def _sure_sign(ball: Ball) -> int:
    """The sign of a real ball.

    Raises:
        Unclear: Zero is in it, but it is not zero.
    """
    if holds_zero(ball):
        if is_zero(ball):
            return 0
        raise Unclear
    return -1 if ball[0][0] else 1


def _relative(ball: Ball) -> int:
    """The exponent of the relative error."""
    low = lower(ball)
    if low is None:
        raise Unclear
    return max(int(ball[-1]) - low, EXACTLY)


def complex_ball(ball: Ball) -> Ball:
    """A ball as a complex one."""
    return ball if len(ball) == 3 else (ball[0], libmp.fzero, ball[1])


def _moderate(ball: Ball) -> None:
    """Asks that a complex ball is neither huge nor tiny: mpmath adds its squares exactly."""
    if any(part[1] and abs(magnitude(part)) > MAX_COMPLEX_MAGNITUDE for part in ball[:-1]):
        raise TooLarge


def _off_cut(ball: Ball) -> None:
    """Asks that a complex ball does not touch the negative axis."""
    real, imaginary, error = ball
    if (real[0] or not real[1]) and (not imaginary[1] or magnitude(imaginary) - 1 <= error):
        raise Unclear


class Balls(Algebra[Ball]):
    """Evaluation to a precision.

    Args:
        precision: Bits of the numbers.
        real: Whether values that are not real raise `NotReal`.
    """

    def __init__(self, precision: int, *, real: bool = True) -> None:
        self.precision = precision
        self.real = real
        self.operations: Mapping[str, Callable[[list[Ball], int], Ball]] = {
            "add": self._add,
            "multiply": self._multiply,
            "power": lambda values, number: self.power(values[0], number),
            "root": lambda values, number: self.root(values[0], number),
            "principal": lambda values, number: self.principal(values[0], number),
            "exp": lambda values, number: self.exp(values[0]),
            "ln": lambda values, number: self.ln(values[0]),
            "sin": self._circular(libmp.mpf_sin, libmp.mpc_sin),
            "cos": self._circular(libmp.mpf_cos, libmp.mpc_cos),
            "asin": self._asin,
            "atan": lambda values, number: self._atan(values[0]),
            "acot": self._acot,
            "abs": self._abs,
            "floor": self._floor,
            "sgn": self._sgn,
            "max": self._extreme(1),
            "min": self._extreme(-1),
            "factorial": self._factorial,
            "re": lambda values, number: (values[0][0], values[0][-1]),
            "im": lambda values, number: (complex_ball(values[0])[1], values[0][-1]),
            "conj": self._conj,
            "arg": self._arg,
        }

    def number(self, value: Exact) -> Ball:
        """See `Algebra`."""
        if value.denominator == 1:
            found = libmp.from_int(int(value))
            if found[3] <= self.precision:
                return found, EXACTLY
        found = libmp.from_rational(value.numerator, value.denominator, self.precision)
        return found, magnitude(found) - self.precision + 1

    def constant(self, name: str) -> Ball:
        """See `Algebra`."""
        if name == "pi":
            return libmp.mpf_pi(self.precision), 3 - self.precision
        if name == "e":
            return libmp.mpf_e(self.precision), 3 - self.precision
        if name == "i" and not self.real:
            return libmp.fzero, libmp.fone, EXACTLY
        raise NotReal

    def raise_to(self, base: Ball, exponent: Ball, known: Exact | None) -> Ball:
        """See `Algebra`."""
        if known is not None and known.denominator <= MAX_ROOT_INDEX:
            if known == 0:
                return self.number(1)
            return self.power(self.root(base, known.denominator), known.numerator)
        if is_zero(base):
            if len(exponent) == 2 and _sure_sign(exponent) > 0:
                return base
            raise Undefined
        return self.exp(self._multiply([exponent, self.ln(base)], 0))

    def _add(self, values: list[Ball], number: int) -> Ball:
        precision = self.precision
        if any(len(value) == 3 for value in values):
            parts = [complex_ball(value) for value in values]
            real, error = self._add([(value[0], value[2]) for value in parts], 0)
            imaginary, other = self._add([(value[1], value[2]) for value in parts], 0)
            return real, imaginary, max(error, other) + 1
        total, error = values[0]
        for middle, next_error in values[1:]:
            total = libmp.mpf_add(total, middle, precision)
            error = max(error, next_error)
            if total[1]:
                error = max(error, magnitude(total) - precision + 1)
        return total, error + len(values).bit_length()

    def _multiply(self, values: list[Ball], number: int) -> Ball:
        product = values[0]
        for value in values[1:]:
            product = self._times(product, value)
        return product

    def _times(self, first: Ball, second: Ball) -> Ball:
        precision = self.precision
        if is_zero(first) or is_zero(second):
            return libmp.fzero, EXACTLY
        error = max(upper(first) + second[-1], upper(second) + first[-1])
        if len(first) == 2 and len(second) == 2:
            found = libmp.mpf_mul(first[0], second[0], precision)
            if found[1]:
                error = max(error, magnitude(found) - precision + 1)
            return _checked(found, error + 2)
        one, other = complex_ball(first), complex_ball(second)
        real, imaginary = libmp.mpc_mul(one[:2], other[:2], precision)
        error = max(error, upper(first) + upper(second) - precision + 1) + 2
        both = error <= EXACTLY // 2
        return (real, error) if both and not imaginary[1] else (real, imaginary, error)

    def power(self, base: Ball, exponent: int) -> Ball:
        """A power with a whole exponent."""
        if exponent.bit_length() > 64:
            raise TooLarge
        if holds_zero(base):
            if exponent < 0:
                raise Undefined if is_zero(base) else Unclear
            if is_zero(base):
                return base
            if exponent > 1 << 16:
                raise Unclear
            return (*([libmp.fzero] * (len(base) - 1)), exponent * upper(base))
        if abs(exponent) * (abs(upper(base)) + 1) > MAX_MAGNITUDE:
            raise TooLarge
        share = max(_relative(base), -self.precision - 1) + abs(exponent).bit_length() + 2
        if share > -2:
            raise Unclear
        if len(base) == 2:
            found = libmp.mpf_pow_int(base[0], exponent, self.precision + 4)
            return found, magnitude(found) + share
        working = self.precision + 2 * abs(exponent).bit_length() + 8
        parts = libmp.mpc_pow_int(base[:2], exponent, working)
        found_ball = (*parts, EXACTLY)
        return (*parts, upper(found_ball) + share + 1)

    def root(self, base: Ball, index: int) -> Ball:
        """A root; of a negative number the real one where the index is odd."""
        if index == 1:
            return base
        if len(base) == 3:
            return self._complex_root(base, index)
        sign = _sure_sign(base)
        if sign == 0:
            return base
        if sign < 0:
            if index % 2:
                found, error = self.root((libmp.mpf_neg(base[0]), base[1]), index)
                return libmp.mpf_neg(found), error
            if self.real:
                raise NotReal
            return self._complex_root(base, index)
        share = max(_relative(base), -self.precision)
        if index == 2:
            found = libmp.mpf_sqrt(base[0], self.precision)
        else:
            found = libmp.mpf_nthroot(base[0], index, self.precision)
        return found, magnitude(found) + share + 2

    def _complex_root(self, base: Ball, index: int) -> Ball:
        if is_zero(base):
            return base
        share = self.power(self.number(index), -1)
        return self.exp(self._times(share, self.ln(base)))

    def principal(self, base: Ball, index: int) -> Ball:
        """A root, of a negative number too the principal one."""
        if len(base) == 2 and _sure_sign(base) < 0:
            if self.real:
                raise NotReal
            return self._complex_root(base, index)
        return self.root(base, index)

    def exp(self, exponent: Ball) -> Ball:
        """The exponential function."""
        if exponent[0][1] and magnitude(exponent[0]) > 40:
            raise TooLarge
        if exponent[-1] > -2:
            raise Unclear
        share = max(int(exponent[-1]) + 1, -self.precision) + 2
        if len(exponent) == 2:
            found = libmp.mpf_exp(exponent[0], self.precision)
            return _checked(found, magnitude(found) + share)
        if exponent[1][1] and magnitude(exponent[1]) > self.precision:
            raise TooLarge
        parts = libmp.mpc_exp(exponent[:2], self.precision)
        return (*parts, upper((*parts, EXACTLY)) + share)

    def ln(self, argument: Ball) -> Ball:
        """The principal natural logarithm."""
        if is_zero(argument):
            raise Undefined
        if len(argument) == 2 and _sure_sign(argument) < 0:
            if self.real:
                raise NotReal
            real, error = self.ln((libmp.mpf_neg(argument[0]), argument[1]))
            turn, turn_error = self.constant("pi")
            return real, turn, max(error, turn_error) + 1
        share = _relative(argument) + 2
        if share > -1:
            raise Unclear
        if len(argument) == 2:
            found = libmp.mpf_log(argument[0], self.precision)
            rounding = magnitude(found) - self.precision + 1 if found[1] else EXACTLY
            return found, max(share, rounding) + 1
        _moderate(argument)
        _off_cut(argument)
        parts = libmp.mpc_log(argument[:2], self.precision)
        size = max(upper((*parts, EXACTLY)), 0)
        return (*parts, max(share, size - self.precision + 1) + 1)

    def _circular(
        self, real: Callable[..., Float], general: Callable[..., tuple[Float, Float]]
    ) -> Callable[[list[Ball], int], Ball]:
        def circular(values: list[Ball], number: int) -> Ball:
            value = values[0]
            if value[0][1] and magnitude(value[0]) > MAX_ANGLE:
                raise TooLarge
            if value[-1] > -2:
                raise Unclear
            if len(value) == 2:
                return real(value[0], self.precision), max(value[1], -self.precision) + 1
            height = magnitude(value[1]) if value[1][1] else 0
            if height > 16:
                raise TooLarge
            parts = general(value[:2], self.precision)
            # The derivative is below the hyperbolic cosine of the imaginary part.
            steep = (3 << max(height, 0)) // 2 + 2
            size = upper((*parts, EXACTLY))
            return (*parts, max(value[2] + steep, size - self.precision) + 2)

        return circular

    def _asin(self, values: list[Ball], number: int) -> Ball:
        value = values[0]
        if len(value) == 2:
            one = self.number(1)
            gap = self.minus(one, (libmp.mpf_abs(value[0]), value[1]))
            if holds_zero(gap) and not gap[0][1] and value[1] <= EXACTLY // 2:
                steep: int = EXACTLY
            else:
                if _sure_sign(gap) < 0:
                    raise NotReal
                low = lower(gap) or 0
                if value[1] > low - 3:
                    raise Unclear
                steep = int(value[1]) - (min(low, 0) - 1) // 2 + 1
            found = libmp.mpf_asin(value[0], self.precision)
            rounding = magnitude(found) - self.precision + 1 if found[1] else EXACTLY
            return found, max(steep, rounding) + 1
        _moderate(value)
        square = self.power(value, 2)
        gap = self._add([self.number(1), self._times(self.number(-1), square)], 0)
        _off_cut(complex_ball(gap))
        low_gap = lower(gap)
        if low_gap is None or square[-1] > low_gap - 3:
            raise Unclear
        parts = libmp.mpc_asin(value[:2], self.precision)
        size = upper((*parts, EXACTLY))
        slope = int(value[2]) - (min(low_gap, 0) - 1) // 2 + 1
        return (*parts, max(slope, max(size, 0) - self.precision + 4) + 1)

    def _atan(self, value: Ball) -> Ball:
        if len(value) == 2:
            found = libmp.mpf_atan(value[0], self.precision)
            rounding = magnitude(found) - self.precision + 1 if found[1] else EXACTLY
            return found, max(value[1], rounding) + 1
        _moderate(value)
        # Cuts run along the imaginary axis: the square is negative there.
        square = self.power(value, 2)
        gap = self._add([self.number(1), square], 0)
        _off_cut(complex_ball(gap))
        low_gap = lower(gap)
        if low_gap is None or square[-1] > low_gap - 3:
            raise Unclear
        parts = libmp.mpc_atan(value[:2], self.precision)
        size = upper((*parts, EXACTLY))
        return (*parts, max(value[2] - low_gap + 1, max(size, 0) - self.precision + 4) + 1)

    def _acot(self, values: list[Ball], number: int) -> Ball:
        # Two conventions differ for negative arguments.
        if len(values[0]) == 3 or _sure_sign(values[0]) <= 0:
            raise Undefined
        return self._atan(self.power(values[0], -1))

    def _abs(self, values: list[Ball], number: int) -> Ball:
        value = values[0]
        if len(value) == 2:
            return libmp.mpf_abs(value[0]), value[1]
        _moderate(value)
        found = libmp.mpc_abs(value[:2], self.precision)
        return found, max(int(value[2]), upper(value) - self.precision) + 2

    def _only_real(self, values: Sequence[Ball]) -> None:
        if any(len(value) == 3 for value in values):
            raise Undefined

    def _floor(self, values: list[Ball], number: int) -> Ball:
        self._only_real(values)
        value, error = values[0]
        if error > -2 or (value[1] and magnitude(value) > self.precision):
            raise Unclear
        radius = (0, 1, error, 1) if error > EXACTLY // 2 else libmp.fzero
        low = libmp.mpf_floor(libmp.mpf_sub(value, radius))
        if low != libmp.mpf_floor(libmp.mpf_add(value, radius)):
            raise Unclear
        return low, EXACTLY

    def _sgn(self, values: list[Ball], number: int) -> Ball:
        self._only_real(values)
        return self.number(_sure_sign(values[0]))

    def _extreme(self, direction: int) -> Callable[[list[Ball], int], Ball]:
        def extreme(values: list[Ball], number: int) -> Ball:
            self._only_real(values)
            if len(values) == 2 and not holds_zero(gap := self.minus(*values)):
                return values[1 if is_negative(gap) == (direction > 0) else 0]
            best = values[0][0]
            for value in values[1:]:
                if libmp.mpf_cmp(value[0], best) == direction:
                    best = value[0]
            return best, max(int(value[1]) for value in values)

        return extreme

    def _factorial(self, values: list[Ball], number: int) -> Ball:
        self._only_real(values)
        value = self._add([values[0], self.number(1)], 0)
        if _sure_sign(value) <= 0:
            # Between the poles there are values, but no answer asks for them.
            raise Undefined
        size = magnitude(value[0])
        if size > MAX_FACTORIAL.bit_length():
            raise TooLarge
        broken = value[0][2] < -1
        if self.precision > (MAX_GAMMA_PRECISION if broken else MAX_FACTORIAL_PRECISION):
            # mpmath's series take long there, most of all but for whole numbers and halves.
            raise TooLarge
        # The logarithm's slope is below log2(x) + 1/x.
        slope = max(size.bit_length(), 1 - size) + 1
        if value[1] + slope > -2:
            raise Unclear
        with _gamma_lock:
            found = libmp.mpf_gamma(value[0], self.precision)
        return _checked(found, magnitude(found) + max(value[1] + slope, 4 - self.precision))

    def _conj(self, values: list[Ball], number: int) -> Ball:
        value = values[0]
        return value if len(value) == 2 else (value[0], libmp.mpf_neg(value[1]), value[2])

    def _arg(self, values: list[Ball], number: int) -> Ball:
        value = values[0]
        if len(value) == 2:
            sign = _sure_sign(value)
            if sign == 0:
                raise Undefined
            return self.number(0) if sign > 0 else self.constant("pi")
        _off_cut(value)
        found = libmp.mpc_arg(value[:2], self.precision)
        return found, max(_relative(value), 3 - self.precision) + 1

    def minus(self, first: Ball, second: Ball) -> Ball:
        """The difference of two values."""
        turned = (*(libmp.mpf_neg(part) for part in second[:-1]), second[-1])
        return self._add([first, turned], 0)

    def times(self, first: Ball, second: Ball) -> Ball:
        """The product of two values."""
        return self._times(first, second)


def spread(values: Sequence[Ball | None]) -> int:
    """How many powers of two the values that are known not to be zero lie from one, at most."""
    widest = 0
    for value in values:
        if value is not None and (low := lower(value)) is not None:
            widest = max(widest, abs(low))
    return widest


def is_negative(ball: Ball) -> bool:
    """Whether the middle of a real ball is below zero."""
    return bool(ball[0][0])


def to_fraction(ball: Ball) -> tuple[int, int]:
    """The middle of a real ball as numerator and denominator."""
    top, bottom = libmp.to_rational(ball[0])
    return int(top), int(bottom)


@lru_cache(maxsize=64)
def balls_at(precision: int, *, real: bool = True) -> Balls:
    """The evaluation to a precision; it has no state, so one of each serves all threads."""
    return Balls(precision, real=real)
