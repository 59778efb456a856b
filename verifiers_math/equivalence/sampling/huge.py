"""Telling constants apart that are too large to be evaluated: by their logarithms.

``9^{9^{9^9}}`` has a logarithm that can be evaluated, and where it can not, its logarithm may.
This never shows two constants equal.
"""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.sampling.exact import TooLarge, Undefined
from verifiers_math.equivalence.sampling.limits import MAX_FACTORIAL, MAX_TOWER
from verifiers_math.equivalence.sampling.program import Program, Slice

PRECISION = 512
# Stirling's formula without its series is off by less than 2**-31 for factorials this large.
GAP = -20


def _sign(program: Program, index: int) -> int:
    """The sign that a step's form shows; raises `Undefined` where it shows none."""
    step = program.steps[index]
    if step.name == "number":
        return (step.number > 0) - (step.number < 0)
    if step.name in ("pi", "e", "exp", "factorial"):
        return 1
    if step.name == "multiply":
        sign = 1
        for argument in step.arguments:
            sign *= _sign(program, argument)
        return sign
    if step.name in ("power", "root", "pow"):
        sign = _sign(program, step.arguments[0])
        if sign > 0:
            return 1
        if sign < 0 and step.name == "power":
            return -1 if step.number % 2 else 1
    if step.name == "ln":
        inner = program.value(step.arguments[0])
        if inner is not None and inner > 1:
            return 1
    if step.name == "add" and all(_sign(program, argument) > 0 for argument in step.arguments):
        return 1
    raise Undefined


def _logarithm(program: Program, index: int) -> int:
    """The step of the logarithm of a positive step."""
    step = program.steps[index]
    first = step.arguments[0] if step.arguments else index
    if step.name == "multiply":
        return program.add(*(_logarithm(program, factor) for factor in step.arguments))
    if step.name == "power":
        return program.multiply(program.number(step.number), _logarithm(program, first))
    if step.name == "root":
        share = program.number(Fraction(1, int(step.number)))
        return program.multiply(share, _logarithm(program, first))
    if step.name == "pow":
        return program.multiply(step.arguments[1], _logarithm(program, first))
    if step.name == "exp":
        return first
    if step.name == "factorial":
        value = program.value(first)
        if value is None or value >= MAX_FACTORIAL:
            return _stirling(program, first)
    if _sign(program, index) <= 0:
        raise Undefined
    return program.ln(index)


def _stirling(program: Program, count: int) -> int:
    if _sign(program, count) <= 0:
        raise Undefined
    log = _logarithm(program, count)
    turn = program.ln(program.multiply(program.number(2), program.step("pi")))
    half = program.multiply(program.number(Fraction(1, 2)), program.add(turn, log))
    minus_one = program.number(-1)
    return program.add(program.multiply(count, program.add(log, minus_one)), half)


def compare_logarithms(program: Program, first: int, second: int) -> int | None:
    """The order of two constants, -1 or 1, or None if their logarithms do not tell.

    Args:
        program: The program; steps are added to it.
        first: The step of one constant.
        second: The step of the other.

    Raises:
        ArithmeticError: The logarithms have no value.
    """
    signs = _sign(program, first), _sign(program, second)
    if 0 in signs or signs[0] != signs[1]:
        return (signs[0] > signs[1]) - (signs[0] < signs[1]) or None
    if signs[0] < 0:
        first, second = program.negative(first), program.negative(second)
    for _ in range(MAX_TOWER):
        first, second = _logarithm(program, first), _logarithm(program, second)
        try:
            order = _order(program, first, second)
        except TooLarge:
            if _sign(program, first) <= 0 or _sign(program, second) <= 0:
                return None
            continue
        return None if order is None else order * signs[0]
    return None


def _order(program: Program, first: int, second: int) -> int | None:
    from verifiers_math.equivalence.sampling.balls import Ball, balls_at, is_negative, lower

    balls = balls_at(PRECISION)
    values: list[Ball | None] = [None] * len(program.steps)
    balls.run(program.steps, Slice(program, (first, second)).needed, values, {})
    one, other = values[first], values[second]
    if one is None or other is None:
        return None
    gap = balls.minus(one, other)
    size = lower(gap)
    if size is None or size < GAP:
        return None
    return -1 if is_negative(gap) else 1
