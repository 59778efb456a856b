"""Where an expression with absolute values and the like changes from one form to another.

``|x - 10| + |x - 20|`` is ``|2x - 30|`` but between 10 and 20. Random points may miss such a part
of the line, so the places where a switching part changes its sign are looked for between the
points where it has different signs, and both sides of them are looked at too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Set
from fractions import Fraction
from itertools import pairwise

from verifiers_math.equivalence.sampling.exact import Exact, tidy
from verifiers_math.equivalence.sampling.floats import Ball
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


class Switches:
    """The switching parts of two sides.

    Args:
        part: The steps of both sides.
        whole: Letters that have no values between whole ones.
    """

    def __init__(self, part: Slice, whole: Set[str]) -> None:
        self._whole = whole
        # A switch is a step that changes its sign, or two that change places.
        self._switches: list[tuple[int, int | None]] = []
        self._seen: list[tuple[Point, list[bool | None]]] = []
        steps = part.program.steps
        for index in part.varying:
            step = steps[index]
            if step.name in ("abs", "sgn"):
                self._switches.append((step.arguments[0], None))
            elif step.name in ("max", "min"):
                first, *others = step.arguments
                self._switches.extend((first, other) for other in others)
            elif step.name in ("root", "ln"):
                inner = steps[step.arguments[0]]
                if inner.name == "power" and inner.number % 2 == 0:
                    self._switches.append((inner.arguments[0], None))

    def note(self, point: Point, values: Values) -> None:
        """Notes the signs of the switches at a point."""
        if self._switches:
            self._seen.append((point, self._signs(values)))

    def one_sided(self) -> bool:
        """Whether a switch was never noted in one of its two positions."""
        for place in range(len(self._switches)):
            signs = {signs[place] for _, signs in self._seen}
            if not {True, False} <= signs:
                return True
        return False

    def representatives(self) -> list[Point]:
        """One of the noted points for each way in which the switches stand, up to a number."""
        ways: dict[tuple[bool | None, ...], Point] = {}
        for point, signs in self._seen:
            ways.setdefault(tuple(signs), point)
        return list(ways.values())[:MAX_WAYS]

    def _signs(self, values: Values) -> list[bool | None]:
        signs: list[bool | None] = []
        for first, second in self._switches:
            value, other = values[first], (0.0, 0.0) if second is None else values[second]
            gap = None if value is None or other is None else value[0] - other[0]
            signs.append(None if gap is None else gap > 0)
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
