"""Both sides of a comparison to any precision: the verdict at one point."""

from __future__ import annotations

from collections.abc import Callable

from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.balls import Ball, Balls, balls_at, holds_zero, spread
from verifiers_math.equivalence.sampling.exact import Exact, TooLarge, Unclear, Undefined
from verifiers_math.equivalence.sampling.points import ComplexPoint, Point, beside
from verifiers_math.equivalence.sampling.program import Slice
from verifiers_math.equivalence.sampling.sameness import (
    DIFFERENT,
    FAILURES,
    SAME,
    UNKNOWN,
    Mode,
    Sameness,
)

_HARD = frozenset("exp ln sin cos asin atan acot pow factorial arg root principal".split())
"""Operations that take long."""


class Precise:
    """Judges two sides at points.

    Args:
        part: The steps of both sides.
        mode: What is asked.
        exact: Whether exact values at a point decide which case holds.

    Attributes:
        split: Whether the sides' difference was found to be one constant here, another there.
    """

    def __init__(self, part: Slice, mode: Mode, *, exact: bool) -> None:
        self._part = part
        self._mode = mode
        self._exact = exact
        self._work = 0.0
        self._unclear = 0
        self._hard = sum(part.program.steps[index].name in _HARD for index in part.needed)
        self._digit_bits = limits.DIGIT_BITS * part.program.digits
        self.split = False

    def constants(self) -> Sameness:
        """The verdict on two constants.

        Raises:
            TooLarge: They are too large to be evaluated.
            ArithmeticError: They have no value.
        """
        bits = limits.CONSTANT_BITS + self._digit_bits
        return self._rising(
            lambda balls: self._judged(balls, {}, bits, None),
            bits + 96,
            limits.MAX_CONSTANT_PRECISION,
            real=False,
        )

    def at(self, point: Point, reference: Point | None, *, real: bool) -> Sameness:
        """The verdict at one point with real letters.

        Args:
            point: The point.
            reference: Where proportion or shift are known from; not for the mode EQUAL.
            real: Whether all parts must be real.

        Returns:
            SAME or DIFFERENT, or UNKNOWN where the point counts for nothing.
        """
        bits = limits.POINT_BITS + self._digit_bits
        hopeless = self._unclear >= limits.UNCLEAR_POINTS
        try:
            found = self._rising(
                lambda balls: self._judged(balls, point, bits, reference),
                bits + 192,
                bits + 193 if hopeless else limits.MAX_POINT_PRECISION,
                real=real,
            )
        except FAILURES:
            return UNKNOWN
        # What no precision makes clear at a few points, such as a zero, stays so at others.
        self._unclear += found is UNKNOWN
        return found

    def at_complex(self, point: ComplexPoint) -> Sameness:
        """The verdict on equality at one point with complex letters."""
        bits = limits.POINT_BITS + self._digit_bits
        try:
            balls = balls_at(bits + 256, real=False)
            letters = {}
            for name, (real, imaginary) in point.items():
                middle, error = balls.number(real)
                height, other = balls.number(imaginary)
                whole = (middle, height, max(error, other) + 1)
                letters[name] = whole if imaginary else (middle, error)
            found = _verdict(balls, *self._values(balls, letters, None), bits)
        except FAILURES:
            return UNKNOWN
        return found if isinstance(found, Sameness) else UNKNOWN

    @staticmethod
    def _rising(
        judge: Callable[[Balls], Sameness | int], precision: int, limit: int, *, real: bool
    ) -> Sameness:
        while precision < limit:
            try:
                found = judge(balls_at(precision, real=real))
            except Unclear:
                found = 2 * precision
            if isinstance(found, Sameness):
                return found
            precision = max(found, precision + precision // 2)
        if real or limit < limits.MAX_CONSTANT_PRECISION:
            return UNKNOWN
        # The most that there is may still tell two constants apart.
        last = judge(balls_at(limit, real=False))
        return last if isinstance(last, Sameness) else UNKNOWN

    def _judged(
        self, balls: Balls, point: Point, bits: int, reference: Point | None
    ) -> Sameness | int:
        """The verdict at a point and a precision, or the precision that it takes.

        Raises:
            ArithmeticError: The point counts for nothing.
        """
        gold, answer, width = self._values_at(balls, point)
        if self._mode is Mode.EQUAL:
            return _verdict(balls, gold, answer, width, bits)
        if self._mode is Mode.PROPORTIONAL:
            if reference is None:
                if holds_zero(gold) or holds_zero(answer):
                    # Every value is in proportion to zero.
                    raise Undefined
                return SAME
            other_gold, other_answer, other_width = self._values_at(balls, reference)
            products = balls.times(gold, other_answer), balls.times(other_gold, answer)
            return _verdict(balls, *products, max(width, other_width), bits)
        return self._shifted(balls, balls.minus(gold, answer), width, point, bits, reference)

    def _shifted(
        self,
        balls: Balls,
        gap: Ball,
        width: int,
        point: Point,
        bits: int,
        reference: Point | None,
    ) -> Sameness | int:
        """The verdict on the gap between the sides: it stays the same nearby and far away."""
        gold, answer, other_width = self._values_at(balls, beside(point))
        near = balls.minus(gold, answer)
        found = _verdict(balls, gap, near, max(width, other_width), bits)
        if found is not SAME or reference is None:
            return found
        gold, answer, other_width = self._values_at(balls, reference)
        far = balls.minus(gold, answer)
        found = _verdict(balls, gap, far, max(width, other_width), bits)
        if found is DIFFERENT:
            # Antiderivatives may differ by another constant on another part of the line.
            self.split = True
            return UNKNOWN
        return found

    def _values_at(self, balls: Balls, point: Point) -> tuple[Ball, Ball, int]:
        letters = {name: balls.number(value) for name, value in point.items()}
        known = self._part.exact_values(point) if self._exact and point else None
        return self._values(balls, letters, known)

    def _values(
        self, balls: Balls, letters: dict[str, Ball], known: list[Exact | None] | None
    ) -> tuple[Ball, Ball, int]:
        """Both sides, and how far from one the values met on the way lie; see `spread`."""
        part = self._part
        self._spend(balls.precision)
        values: list[Ball | None] = [None] * len(part.program.steps)
        balls.run(part.program.steps, part.needed, values, letters, known)
        gold, answer = (values[result] for result in part.results)
        if gold is None or answer is None:
            raise Undefined
        return gold, answer, spread(values)

    def _spend(self, precision: int) -> None:
        self._work += 2 * len(self._part.needed) + self._hard * (15 + (precision / 100) ** 2)
        if self._work > limits.MAX_WORK:
            raise Undefined


def _verdict(balls: Balls, gold: Ball, answer: Ball, width: int, bits: int) -> Sameness | int:
    """Compares two values: apart, equal to so many bits, or the precision that it takes."""
    gap = balls.minus(gold, answer)
    if not holds_zero(gap):
        return DIFFERENT
    error, wanted = int(gap[-1]), -bits - limits.SPREAD_BITS * width
    if error <= wanted:
        return SAME
    return balls.precision + error - wanted + 16


def has_value(part: Slice) -> bool:
    """Whether a constant is a real number that can be evaluated."""
    balls = balls_at(256)
    values: list[Ball | None] = [None] * len(part.program.steps)
    try:
        balls.run(part.program.steps, part.needed, values, {})
    except TooLarge:
        return part.names.isdisjoint(("add", "ln", "sin", "cos"))
    except FAILURES:
        return False
    return True
