"""Whether an expression has a value at all.

Images modulo primes and folded forms know nothing of domains: ``ln 0 - ln 0`` has the image zero.
Before two sides are called the same, what they are made of must have values: every part without
letters, and with letters all parts at one real point. (``x / x`` is still 1: a point where a part
has no value takes nothing from the others.)
"""

from __future__ import annotations

from itertools import islice
from random import Random

from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.exact import Unclear, Undefined, Unsupported
from verifiers_math.equivalence.sampling.floats import FLOATS
from verifiers_math.equivalence.sampling.floats import Ball as FloatBall
from verifiers_math.equivalence.sampling.points import real_points, roles
from verifiers_math.equivalence.sampling.program import Program, Slice
from verifiers_math.equivalence.sampling.sameness import COMPLEX, FAILURES

_PARTIAL = frozenset("ln pow asin factorial double_factorial arg acot".split())
"""Operations that some numbers have no value under."""
_NONZERO = frozenset(("pi", "e", "i", "exp"))


def _suspect(program: Program, index: int) -> bool:
    """Whether a step may have no value though its arguments have."""
    step = program.steps[index]
    if step.name == "power" and step.number < 0:
        return not _is_not_zero(program, step.arguments[0])
    if step.name == "ln":
        value = program.value(step.arguments[0])
        return value is None or value == 0
    return step.name in _PARTIAL


def _is_not_zero(program: Program, index: int) -> bool:
    step = program.steps[index]
    if step.name == "number":
        return step.number != 0
    if step.name in ("root", "power"):
        return _is_not_zero(program, step.arguments[0])
    return step.name in _NONZERO


def surely_undefined(part: Slice) -> bool:
    """Whether a part without letters is known to have no value, real or complex.

    A denominator that is zero to as many digits as equal constants agree to is zero.
    """
    program = part.program
    suspects = [index for index in part.constants if _suspect(program, index)]
    if not suspects:
        return False
    return not _clear_by_floats(part, suspects) and _undefined_by_balls(part, suspects)


def _clear_by_floats(part: Slice, suspects: list[int]) -> bool:
    steps = part.program.steps
    values: list[FloatBall | None] = [None] * len(steps)
    try:
        FLOATS.run(steps, range(suspects[-1] + 1), values, {})
    except (*FAILURES, KeyError):
        pass
    return all(values[index] is not None for index in suspects)


def _undefined_by_balls(part: Slice, suspects: list[int]) -> bool:
    from verifiers_math.equivalence.sampling.balls import Ball, balls_at, is_zero, spread, zero_to

    program = part.program
    bits = limits.CONSTANT_BITS + limits.DIGIT_BITS * program.digits
    balls = balls_at(min(bits + 256, limits.MAX_CONSTANT_PRECISION), real=False)
    values: list[Ball | None] = [None] * len(program.steps)
    marked = set(suspects)
    for index in part.constants:
        step = program.steps[index]
        given = [values[argument] for argument in step.arguments]
        if None in given:
            continue
        if index in marked:
            first = given[0]
            exactly = program.value(step.arguments[0])
            if step.name in ("power", "ln", "arg") and first is not None:
                if zero_to(first, bits + limits.SPREAD_BITS * spread(values)):
                    return True
            elif step.name == "pow" and first is not None and is_zero(first):
                exponent = program.value(step.arguments[1])
                if exponent is not None and exponent < 0:
                    return True
            elif step.name in ("factorial", "double_factorial") and exactly is not None:
                lowest = 0 if step.name == "factorial" else -1
                if exactly.denominator == 1 and exactly < lowest:
                    return True
        try:
            balls.run(program.steps, [index], values, {})
        except FAILURES:
            continue
    return False


def has_values(part: Slice, seed: bytes) -> bool:
    """Whether all parts have real values at some point, as far as that can be told.

    Args:
        part: The steps of both sides, with letters.
        seed: What the points hang on.
    """
    program = part.program
    if (
        not part.letters
        or not COMPLEX.isdisjoint(part.names)
        or not any(_suspect(program, index) for index in part.varying)
    ):
        return True
    found = roles(part)
    for point in islice(real_points(part.letters, found, Random(int.from_bytes(seed))), 24):
        values: list[FloatBall | None] = [None] * len(program.steps)
        letters = {name: FLOATS.number(value) for name, value in point.items()}
        try:
            known = part.exact_values(point) if found.exact else None
            FLOATS.run(program.steps, part.needed, values, letters, known)
        except Unsupported:
            return True
        except (Undefined, Unclear):
            continue
        except FAILURES:
            # Too large a value is a value.
            return True
        return True
    return False
