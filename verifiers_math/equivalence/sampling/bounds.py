"""Bounds on the values of a step that its form shows: ``x^2 + 1`` is never negative."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from verifiers_math.equivalence.sampling.exact import Exact, bits
from verifiers_math.equivalence.sampling.program import Program

Interval = tuple[float, float]

_ALL: Interval = (-math.inf, math.inf)
_POSITIVE: Interval = (0.0, math.inf)
_FIXED: dict[str, Interval] = {
    "pi": (math.pi, math.pi),
    "e": (math.e, math.e),
    "sin": (-1.0, 1.0),
    "cos": (-1.0, 1.0),
    "sgn": (-1.0, 1.0),
    "atan": (-math.pi / 2, math.pi / 2),
    "asin": (-math.pi / 2, math.pi / 2),
    "factorial": _POSITIVE,
    "double_factorial": _POSITIVE,
    "gcd": _POSITIVE,
}
MAX_DEGREE = 8
MAX_BITS = 256
"""Bits of a coefficient."""
MAX_STEPS = 200


def _point(value: Exact) -> Interval:
    try:
        return float(value), float(value)
    except OverflowError:
        return (1e308, math.inf) if value > 0 else (-math.inf, -1e308)


def _add(parts: Sequence[Interval], number: Exact) -> Interval:
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _multiply(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = parts[0]
    for other_low, other_high in parts[1:]:
        ends = [
            0.0 if 0 in (one, other) else one * other
            for one in (low, high)
            for other in (other_low, other_high)
        ]
        low, high = min(ends), max(ends)
    return low, high


def _abs(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = parts[0]
    return max(low, -high, 0.0), max(high, -low)


def _power(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = parts[0]
    if number == 2:
        low, high = _abs(parts, number)
        return low * low, high * high
    if number % 2 == 0 or low >= 0:
        return _POSITIVE
    return (-math.inf, 0.0) if high <= 0 else _ALL


def _root(parts: Sequence[Interval], number: Exact) -> Interval:
    if number % 2 == 0 or parts[0][0] >= 0:
        return _POSITIVE
    return _ALL


def _exp(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = (math.exp(max(min(end, 700.0), -700.0)) for end in parts[0])
    return (0.0 if parts[0][0] < -700 else low), (math.inf if parts[0][1] > 700 else high)


def _ln(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = parts[0]
    return (math.log(low) if low > 0 else -math.inf), (math.log(high) if high > 0 else math.inf)


def _floor(parts: Sequence[Interval], number: Exact) -> Interval:
    low, high = parts[0]
    return (math.floor(low) if math.isfinite(low) else low), high


_RULES: dict[str, Callable[[Sequence[Interval], Exact], Interval]] = {
    "add": _add,
    "multiply": _multiply,
    "power": _power,
    "root": _root,
    "pow": lambda parts, number: _POSITIVE if parts[0][0] >= 0 else _ALL,
    "abs": _abs,
    "exp": _exp,
    "ln": _ln,
    "floor": _floor,
    "max": lambda parts, number: (max(p[0] for p in parts), max(p[1] for p in parts)),
    "min": lambda parts, number: (min(p[0] for p in parts), min(p[1] for p in parts)),
}


def bounds(program: Program, index: int, known: dict[int, Interval]) -> Interval:
    """Bounds on a step's real values.

    Args:
        program: The program.
        index: The step.
        known: What is known already, by step; added to.
    """
    found = known.get(index)
    if found is not None:
        return found
    if len(known) > MAX_STEPS:
        return _ALL
    step = program.steps[index]
    if step.name == "number":
        found = _point(step.number)
    elif step.name in _RULES:
        parts = [bounds(program, argument, known) for argument in step.arguments]
        found = _RULES[step.name](parts, step.number)
    else:
        found = _FIXED.get(step.name, _ALL)
    known[index] = found
    return found


Polynomial = list[Fraction]
"""Coefficients, the constant first."""


def _polynomial(program: Program, index: int) -> Polynomial | None:
    """A step as a polynomial in its one letter, None if it is no small one."""
    step = program.steps[index]
    if step.name == "number":
        return [Fraction(step.number)] if bits(step.number) <= MAX_BITS else None
    if step.name == "letter":
        return [Fraction(0), Fraction(1)]
    if step.name not in ("add", "multiply", "power"):
        return None
    if step.name == "power" and not 0 < step.number <= MAX_DEGREE:
        return None
    found: list[Polynomial] = []
    for argument in step.arguments:
        part = _polynomial(program, argument)
        if part is None:
            return None
        found.append(part)
    if step.name == "add":
        length = max(map(len, found))
        return [sum((p[n] for p in found if n < len(p)), Fraction(0)) for n in range(length)]
    total = [Fraction(1)]
    for factors in found * int(step.number if step.name == "power" else 1):
        product = [Fraction(0)] * (len(total) + len(factors) - 1)
        if len(product) > MAX_DEGREE + 1:
            return None
        for place, value in enumerate(total):
            for shift, factor in enumerate(factors):
                product[place + shift] += value * factor
        total = product
    return total


def _remainder(top: Polynomial, bottom: Polynomial) -> Polynomial:
    rest = top.copy()
    while len(rest) >= len(bottom):
        factor = rest[-1] / bottom[-1]
        for place, value in enumerate(bottom, len(rest) - len(bottom)):
            rest[place] -= factor * value
        rest.pop()
    while rest and not rest[-1]:
        rest.pop()
    return rest


def _has_no_change(polynomial: Polynomial) -> bool:
    """Whether a polynomial has no real zero, or is a quadratic that only touches zero (Sturm)."""
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    if len(polynomial) == 3:
        constant, middle, top = polynomial
        return middle * middle <= 4 * constant * top
    if len(polynomial) % 2 == 0:
        return not polynomial
    chain = [polynomial, [n * value for n, value in enumerate(polynomial)][1:]]
    while len(chain[-1]) > 1:
        rest = _remainder(chain[-2], chain[-1])
        if not rest:
            break
        chain.append([-value for value in rest])
    right = [part[-1] > 0 for part in chain if part]
    left = [(part[-1] > 0) == (len(part) % 2 == 1) for part in chain if part]
    return _changes(left) == _changes(right)


def _changes(signs: list[bool]) -> int:
    return sum(one != other for one, other in pairwise(signs))


def keeps_sign(
    program: Program, first: int, second: int | None, letters: int, known: dict[int, Interval]
) -> bool:
    """Whether ``first - second`` is shown never to change its sign.

    Args:
        program: The program.
        first: A step.
        second: Another; None for zero.
        letters: How many letters the comparison has.
        known: See `bounds`.
    """
    low, high = bounds(program, first, known)
    if second is not None:
        other_low, other_high = bounds(program, second, known)
        low, high = low - other_high, high - other_low
    if low >= 0 or high <= 0:
        return True
    if letters != 1:
        return False
    one = _polynomial(program, first)
    other = [Fraction(0)] if second is None else _polynomial(program, second)
    if one is None or other is None:
        return False
    length = max(len(one), len(other))
    padded = [part + [Fraction(0)] * (length - len(part)) for part in (one, other)]
    return _has_no_change([a - b for a, b in zip(*padded, strict=True)])
