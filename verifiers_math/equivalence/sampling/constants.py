"""Real constants: their value to some digits, and their order."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.reader.tree import Node
from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.decide import Comparison, infinite_sign, log_bases
from verifiers_math.equivalence.sampling.defined import surely_undefined
from verifiers_math.equivalence.sampling.exact import TooLarge, Unclear
from verifiers_math.equivalence.sampling.floats import FLOATS, apart
from verifiers_math.equivalence.sampling.floats import Ball as FloatBall
from verifiers_math.equivalence.sampling.program import Program, Slice
from verifiers_math.equivalence.sampling.sameness import FAILURES, Mode, Sameness


def approximate(node: Node, digits: int = 40) -> Fraction | None:
    """The value of a real constant.

    Args:
        node: An expression.
        digits: How many significant digits must be right, at most 2,000.

    Returns:
        The value, exact where it is rational and small; 0 where it is 0 to 200 digits of the
        numbers it is made of. None where it is no real constant, is too large or too small to be
        written out, or depends on what base ``log`` has.
    """
    if len(log_bases(node, node)) > 1:
        return None
    try:
        program = Program()
        result = program.read(node)
        value = program.value(result)
        if value is not None:
            return Fraction(value)
        part = Slice(program, (result,))
        if part.letters or "infinity" in part.names:
            return None
        return _value(part, result, min(digits, 2000))
    except FAILURES:
        return None


def _value(part: Slice, result: int, digits: int) -> Fraction | None:
    from verifiers_math.equivalence.sampling.balls import (
        Ball,
        balls_at,
        holds_zero,
        lower,
        spread,
        to_fraction,
        upper,
    )

    bits = digits * 10 // 3 + 8
    zero_bits = max(bits, limits.CONSTANT_BITS) + limits.DIGIT_BITS * part.program.digits
    precision = bits + 64
    steps = part.program.steps
    while precision <= limits.MAX_CONSTANT_PRECISION:
        balls = balls_at(precision, real=False)
        values: list[Ball | None] = [None] * len(steps)
        try:
            balls.run(steps, part.needed, values, {})
        except Unclear:
            if precision == bits + 64 and surely_undefined(part):
                return None
            precision *= 2
            continue
        ball = values[result]
        if ball is None:
            return None
        error, zero = int(ball[-1]), -zero_bits - limits.SPREAD_BITS * spread(values)
        if len(ball) == 3:
            if not holds_zero((ball[1], error)):
                return None
            ball = (ball[0], error)
            if error > zero:
                precision = max(precision * 3 // 2, precision + error - zero + 16)
                continue
        size = lower(ball)
        if size is None:
            if error <= zero:
                return Fraction(0)
            precision = max(precision * 3 // 2, precision + error - zero + 16)
        elif abs(size) > limits.MAX_INTEGER_BITS or upper(ball) > limits.MAX_INTEGER_BITS:
            return None
        elif error <= size - bits:
            return Fraction(*to_fraction(ball))
        else:
            precision = max(precision * 3 // 2, precision + error - size + bits + 16)
    return None


def order(first: Node, second: Node) -> int | None:
    """The order of two real constants, ``infinity`` and its negative among them.

    Returns:
        -1, 0 or 1 as the first is below, equal to or above the second; None where that is
        undecided, or one of them is no real constant.
    """
    found = {_order(first, second, base) for base in log_bases(first, second)}
    return found.pop() if len(found) == 1 else None


def _order(first: Node, second: Node, base: str) -> int | None:
    try:
        program = Program(base)
        one, other = program.read(first), program.read(second)
        values = program.value(one), program.value(other)
        if values[0] is not None and values[1] is not None:
            return (values[0] > values[1]) - (values[0] < values[1])
        part = Slice(program, (one, other))
        if part.letters:
            return None
        if "infinity" in part.names:
            return _infinite_order(program, one, other)
        if not _is_real(program, one) or not _is_real(program, other):
            return None
        return _finite_order(program, one, other)
    except FAILURES:
        return None


def _infinite_order(program: Program, one: int, other: int) -> int | None:
    from verifiers_math.equivalence.sampling.precise import has_value

    signs = infinite_sign(program, one), infinite_sign(program, other)
    for sign, index in zip(signs, (one, other), strict=True):
        if sign == 0 and not (_is_real(program, index) and has_value(Slice(program, (index,)))):
            return None
    return (signs[0] > signs[1]) - (signs[0] < signs[1])


def _is_real(program: Program, index: int) -> bool:
    return Slice(program, (index,)).names.isdisjoint(("i", "infinity"))


def _finite_order(program: Program, one: int, other: int) -> int | None:
    part = Slice(program, (one, other))
    values: list[FloatBall | None] = [None] * len(program.steps)
    try:
        FLOATS.run(program.steps, part.needed, values, {})
        left, right = values[one], values[other]
        if left is not None and right is not None and apart(left, right):
            return -1 if left[0] < right[0] else 1
    except FAILURES:
        pass
    same = Comparison(program, one, other, Mode.EQUAL).decide()
    if same is not Sameness.DIFFERENT:
        return 0 if same is Sameness.SAME else None
    return _sign_of_difference(program, part, one, other)


def _sign_of_difference(program: Program, part: Slice, one: int, other: int) -> int | None:
    from verifiers_math.equivalence.sampling.balls import Ball, balls_at, holds_zero, is_negative

    precision = 128
    while precision <= limits.MAX_CONSTANT_PRECISION:
        balls = balls_at(precision)
        values: list[Ball | None] = [None] * len(program.steps)
        precision *= 2
        try:
            balls.run(program.steps, part.needed, values, {})
        except Unclear:
            continue
        except TooLarge:
            from verifiers_math.equivalence.sampling.huge import compare_logarithms

            return compare_logarithms(program, one, other)
        left, right = values[one], values[other]
        if left is None or right is None:
            return None
        gap = balls.minus(left, right)
        if not holds_zero(gap):
            return -1 if is_negative(gap) else 1
    return None
