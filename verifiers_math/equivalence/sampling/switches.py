"""Where an expression with absolute values and the like changes from one form to another.

``|x - 10| + |x - 20|`` is ``|2x - 30|`` but between 10 and 20. Random points may miss such a part
of the line, so the places where a switching part changes its sign are looked for between the
points where it has different signs, and both sides of them are looked at too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from verifiers_math.equivalence.sampling.bounds import Interval, bounds, keeps_sign
from verifiers_math.equivalence.sampling.exact import Exact, tidy
from verifiers_math.equivalence.sampling.floats import Ball
from verifiers_math.equivalence.sampling.limits import MAX_MACHINE_STEPS
from verifiers_math.equivalence.sampling.points import Point
from verifiers_math.equivalence.sampling.program import Slice
from verifiers_math.equivalence.sampling.sameness import FAILURES

Values = list["Ball | None"]

MAX_BRACKETS = 12
"""Changes of sign that are followed, of all switches together."""
MAX_BRACKETS_EACH = 4
MAX_WAYS = 12
"""Ways in which the switches stand that are looked at to a high precision."""
HALVINGS = 12
"""Steps towards each."""
MAX_SOUGHT = 160
"""Values of switches that are asked for in search of what was not seen."""
MAX_TURNS = 4
"""Newton's steps for each."""
MAX_JUMP = 1e60
"""No place further out is looked at."""
OVERSHOOTS = (1.0, 0.1, 1e-3, 1e-6, 1e-9, 0.0)
"""How far beyond the place of a change is looked, in parts of the way to it."""

JUMPING = frozenset("max min floor sgn".split())
"""Operations that have no complex values."""


class Evaluator(Protocol):
    """What gives values to steps at points."""

    def alone(self, indices: Sequence[int], point: Point) -> Values:
        """The values of some steps at a point, None where there is none."""


class Switches:
    """The switching parts of two sides; false if there are none.

    Args:
        part: The steps of both sides.
        whole: Letters that have no values between whole ones.
        evaluator: Gives values to the switching parts where the sides have none.
    """

    def __init__(self, part: Slice, whole: Set[str], evaluator: Evaluator) -> None:
        self._part = part
        self._whole = whole
        self._evaluator = evaluator
        # A switch is a step that changes its sign, or two that change places; a jump is a step
        # that ``floor`` is taken of.
        self._switches: list[tuple[int, int | None]] = []
        self._jumps: list[int] = []
        self._seen: list[tuple[Point, list[bool | None]]] = []
        self._floors: list[set[int]] = []
        # What the jumps are where a side has no value.
        self._beyond: list[set[int]] = []
        self._ways: dict[tuple[bool | None, ...], Point] = {}
        steps = part.program.steps
        for index in part.varying:
            step = steps[index]
            if step.name in ("abs", "sgn"):
                self._switches.append((step.arguments[0], None))
            elif step.name in ("max", "min"):
                first, *others = step.arguments
                self._switches.extend((first, other) for other in others if other != first)
            elif step.name == "floor":
                self._jumps.append(step.arguments[0])
                self._floors.append(set())
                self._beyond.append(set())
            elif step.name in ("root", "ln"):
                inner = steps[step.arguments[0]]
                factors = inner.arguments if inner.name == "multiply" else step.arguments[:1]
                for factor in map(steps.__getitem__, factors):
                    if factor.name == "power" and factor.number % 2 == 0:
                        self._switches.append((factor.arguments[0], None))
        self._sides: list[set[bool]] = [set() for _ in self._switches]
        self._fixed: set[int] | None = None

    def __bool__(self) -> bool:
        return bool(self._switches or self._jumps)

    def note(self, point: Point, values: Values) -> None:
        """Notes how the switches stand at a point."""
        if not self:
            return
        signs = self._signs(values)
        self._seen.append((point, signs))
        self._note_signs(signs)
        self._note_floors(values)
        steps = (values[step] for step in self._jumps)
        levels = [value is not None and math.floor(value[0]) == 0 for value in steps]
        self._ways.setdefault((*signs, *levels), point)

    def shows_more(self, values: Values) -> bool:
        """Whether a switch stands there in a position that was not noted yet."""
        signs = zip(self._sides, self._signs(values), strict=True)
        if any(sign is not None and sign not in side for side, sign in signs):
            return True
        return any(len(floors) < 2 for floors in self._floors)

    def note_alone(self, point: Point) -> None:
        """Notes how the switches stand at a point where a side has no value."""
        values = self._evaluator.alone(self._needed(), point)
        self._note_signs(self._signs(values))
        for step, floors in zip(self._jumps, self._beyond, strict=True):
            value = values[step]
            if value is not None:
                floors.add(math.floor(min(max(value[0], -MAX_JUMP), MAX_JUMP)))

    def _note_signs(self, signs: Sequence[bool | None]) -> None:
        for side, sign in zip(self._sides, signs, strict=True):
            if sign is not None:
                side.add(sign)

    def _note_floors(self, values: Values) -> None:
        for step, floors in zip(self._jumps, self._floors, strict=True):
            value = values[step]
            if value is not None and abs(value[0]) < MAX_JUMP and len(floors) < 2:
                floors.add(math.floor(value[0]))

    def _needed(self) -> list[int]:
        pairs = {index for pair in self._switches for index in pair if index is not None}
        return Slice(self._part.program, tuple({*pairs, *self._jumps})).needed

    def one_sided(self) -> bool:
        """Whether a switch that has two positions was never noted in one of them."""
        return next(self._half_seen(), None) is not None

    def _half_seen(self) -> Iterator[tuple[int, int | None, float]]:
        """What has not been seen to cross what: a step, and another one or a number."""
        for place, (first, second) in enumerate(self._switches):
            if len(self._sides[place]) < 2 and place not in self._never():
                yield first, second, 0.0
        for step, floors, beyond in zip(self._jumps, self._floors, self._beyond, strict=True):
            if len(floors) < 2:
                level = next(iter(floors), 0)
                low, high = bounds(self._part.program, step, {})
                if high >= level + 1 and not any(other > level for other in beyond):
                    yield step, None, level + 1.0
                if low < level and not any(other < level for other in beyond):
                    yield step, None, float(level)

    def _never(self) -> set[int]:
        """The switches that have one position only."""
        if self._fixed is None:
            known: dict[int, Interval] = {}
            count = len(self._part.letters)
            self._fixed = {
                place
                for place, pair in enumerate(self._switches)
                if len(self._sides[place]) < 2
                and keeps_sign(self._part.program, *pair, count, known)
            }
        return self._fixed

    def beyond(self) -> Iterator[Point]:
        """Points at the other side of what has not been seen to change, where they are found."""
        budget = min(MAX_SOUGHT, MAX_MACHINE_STEPS // len(self._part.needed))
        starts = [point for point, _ in self._seen[:2]] or [
            {letter: 3 + place for place, letter in enumerate(self._part.letters)}
        ]
        for first, second, level in list(self._half_seen()):
            indices = (first,) if second is None else (first, second)
            order = Slice(self._part.program, indices).needed
            gap = _Gap(self._evaluator, order, first, second, level)
            for start in starts:
                for letter in self._part.letters[:3]:
                    if budget <= 0:
                        return
                    before = gap.calls
                    yield from _cross(gap, start, letter, letter in self._whole)
                    budget -= gap.calls - before

    def representatives(self) -> list[Point]:
        """One of the noted points for each way in which the switches stand, up to a number."""
        return list(self._ways.values())[:MAX_WAYS]

    def _signs(self, values: Values) -> list[bool | None]:
        signs: list[bool | None] = []
        for first, second in self._switches:
            value, other = values[first], (0.0, 0.0) if second is None else values[second]
            if value is None or other is None:
                signs.append(None)
                continue
            gap = value[0] - other[0]
            # Just where it changes, a switch stands in neither position.
            signs.append(gap > 0 if abs(gap) > value[1] + other[1] else None)
        return signs

    def neighbours(self, evaluate: Callable[[Point], Values]) -> Iterator[Point]:
        """Points at both sides of places where a switch changes.

        Args:
            evaluate: The values of all steps at a point.
        """
        followed: Counter[int] = Counter()
        seen = list(self._seen)
        if seen and len(seen[0][0]) == 1:
            # Along a line no place is met twice.
            seen = sorted(seen, key=lambda found: next(iter(found[0].values())))
        for (start, signs), (end, other_signs) in pairwise(seen):
            if any(start[letter] != end[letter] for letter in self._whole):
                continue
            for switch, (sign, other) in enumerate(zip(signs, other_signs, strict=True)):
                if sign is None or other is None or sign == other:
                    continue
                if followed[switch] < MAX_BRACKETS_EACH and followed.total() < MAX_BRACKETS:
                    followed[switch] += 1
                    yield from self._close_in(evaluate, switch, start, end, sign)

    def _close_in(
        self, evaluate: Callable[[Point], Values], switch: int, start: Point, end: Point, sign: bool
    ) -> tuple[Point, Point]:
        for _ in range(HALVINGS):
            middle = {name: _halfway(start[name], end[name]) for name in start}
            try:
                here = self._signs(evaluate(middle))[switch]
            except FAILURES:
                break
            if here == sign:
                start = middle
            else:
                end = middle
        return start, end


def _halfway(first: Exact, second: Exact) -> Exact:
    return first if first == second else tidy(Fraction(first + second) / 2)


class _Gap:
    """How far a switch is from changing.

    Args:
        evaluator: Gives the values.
        order: The steps that are needed.
        first: What crosses.
        second: What it crosses; None for the level alone.
        level: Added to that.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        order: Sequence[int],
        first: int,
        second: int | None,
        level: float,
    ) -> None:
        self._evaluator = evaluator
        self._order = order
        self._first = first
        self._second = second
        self._level = level
        self.calls = 0

    def at(self, point: Point) -> float | None:
        """The gap at a point."""
        self.calls += 1
        values = self._evaluator.alone(self._order, point)
        value = values[self._first]
        other = (0.0, 0.0) if self._second is None else values[self._second]
        gap = None if value is None or other is None else value[0] - other[0] - self._level
        return gap if gap is not None and math.isfinite(gap) else None


def _cross(gap: _Gap, start: Point, letter: str, whole: bool) -> Iterator[Point]:
    """Follows one letter to where a gap changes its sign (by Newton's way); points beyond it."""
    place, here = float(start[letter]), gap.at(start)
    for _ in range(MAX_TURNS):
        if here is None:
            return
        width = 1.0 if whole else max(abs(place), 1.0) / 1024
        near = gap.at(_moved(start, letter, place + width, whole))
        if near is None or near == here:
            return
        zero = place - here * width / (near - here)
        if not abs(zero) < MAX_JUMP:
            return
        found = False
        for share in OVERSHOOTS:
            point = _moved(start, letter, zero + share * (zero - place), whole)
            value = gap.at(point)
            if value is not None and (value >= 0) != (here >= 0):
                found = True
                yield point
        if found:
            return
        place, here = zero, gap.at(_moved(start, letter, zero, whole))


def _moved(point: Point, letter: str, place: float, whole: bool) -> Point:
    return {**point, letter: round(place) if whole else tidy(Fraction(place))}
