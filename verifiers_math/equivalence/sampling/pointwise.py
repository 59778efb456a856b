"""Two expressions with letters, compared at points.

Machine floats look at many points, at both sides of every place where an absolute value or the
like switches, and refute; a few of the points where they agree are then looked at to a high
precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.exact import Exact, Undefined, Unsupported
from verifiers_math.equivalence.sampling.floats import FLOATS, Ball, apart
from verifiers_math.equivalence.sampling.points import (
    Point,
    Roles,
    complex_points,
    large_points,
    real_points,
    roles,
)
from verifiers_math.equivalence.sampling.program import Slice
from verifiers_math.equivalence.sampling.sameness import (
    DIFFERENT,
    FAILURES,
    SAME,
    UNKNOWN,
    Mode,
    Sameness,
)
from verifiers_math.equivalence.sampling.switches import JUMPING, Switches

if TYPE_CHECKING:
    from verifiers_math.equivalence.sampling.precise import Precise


class Machine:
    """The values of both sides as machine floats.

    Args:
        part: The steps of both sides.
        exact: Whether exact values at a point decide which case holds.

    Raises:
        ArithmeticError: A part without letters has no real value.
        ValueError: The same.
    """

    def __init__(self, part: Slice, *, exact: bool) -> None:
        self._part = part
        self._exact = exact
        self._constants: list[Ball | None] = [None] * len(part.program.steps)
        FLOATS.run(part.program.steps, part.constants, self._constants, {})

    def values(self, point: Point) -> list[Ball | None]:
        """The values of all steps at a point; raises as the class does."""
        part = self._part
        values = list(self._constants)
        known = part.exact_values(point) if self._exact else None
        letters = {name: FLOATS.number(value) for name, value in point.items()}
        FLOATS.run(part.program.steps, part.varying, values, letters, known)
        return values

    def alone(self, indices: Sequence[int], point: Point) -> list[Ball | None]:
        """The values of some steps, arguments first; None where one has no clear value."""
        steps = self._part.program.steps
        values = list(self._constants)
        try:
            letters = {name: FLOATS.number(value) for name, value in point.items()}
        except FAILURES:
            return values
        for index in indices:
            if values[index] is not None:
                continue
            if None in [values[argument] for argument in steps[index].arguments]:
                continue
            try:
                FLOATS.run(steps, (index,), values, letters)
            except FAILURES:
                continue
        return values

    def sides(self, values: list[Ball | None]) -> tuple[Ball, Ball]:
        """The values of the two sides."""
        gold, answer = (values[result] for result in self._part.results)
        if gold is None or answer is None:
            raise Undefined
        return gold, answer


class Pointwise:
    """One comparison at points.

    Args:
        part: The steps of both sides.
        mode: What is asked.
        seed: What the points hang on.
    """

    def __init__(self, part: Slice, mode: Mode, seed: bytes) -> None:
        self._part = part
        self._mode = mode
        self._seed = int.from_bytes(seed)
        self._roles: Roles = roles(part)
        self._precise_judge: Precise | None = None
        # Points where the sides agree as far as machine floats can tell, and some of them that
        # must be looked at closely.
        self._clean: list[Point] = []
        self._needed: list[Point] = []
        self._reference: tuple[Ball, Ball] | None = None
        # Points where a side has no real value, and whether a switch hides one of its positions.
        self._outside: list[Point] = []
        self._half_seen = False

    def decide(self) -> Sameness:
        """The verdict."""
        found = self._roles
        if found.complex_letters:
            wanted = limits.CONFIRMING_POINTS_COMPLEX
            return self._at_complex_points(wanted, refute=True)
        general = "i" in self._part.names
        if general and not self._part.names.isdisjoint(JUMPING):
            self._half_seen = True
        if not general and self._refuted_by_floats():
            return DIFFERENT
        wanted = self._wanted()
        confirmed = self._confirmed(wanted, real=not general)
        if confirmed is None:
            return DIFFERENT
        if self._precise.split or self._half_seen:
            return UNKNOWN
        if confirmed >= wanted:
            return self._unless_complex_differs()
        if self._mode is not Mode.EQUAL or general or found.whole:
            return UNKNOWN
        missing = wanted - confirmed if confirmed else limits.CONFIRMING_POINTS_COMPLEX
        return self._at_complex_points(missing, refute=False)

    @property
    def _precise(self) -> Precise:
        if self._precise_judge is None:
            from verifiers_math.equivalence.sampling.precise import Precise

            self._precise_judge = Precise(self._part, self._mode, exact=self._roles.exact)
        return self._precise_judge

    def _wanted(self) -> int:
        found = self._roles
        if found.whole or found.stepped:
            return limits.CONFIRMING_POINTS_INTEGER
        if found.smooth and not found.partly:
            return limits.CONFIRMING_POINTS
        return limits.CONFIRMING_POINTS_PIECEWISE

    def _points(self, count: int) -> Iterator[Point]:
        random = Random(self._seed)
        return islice(real_points(self._part.letters, self._roles, random), count)

    def _confirmed(self, wanted: int, *, real: bool) -> int | None:
        """How many points confirm to a high precision, or None if one refutes."""
        clean = self._clean
        more = _spread(clean, wanted + 2) if clean else self._points(2 * wanted)
        points = [*self._needed, *(point for point in more if point not in self._needed)]
        unsure = self._roles.unsure
        reference: Point | None = None
        confirmed = 0
        for place, point in enumerate(points):
            verdict = self._precise.at(point, reference, real=real)
            if verdict is DIFFERENT:
                return None
            if verdict is SAME and not any(_is_whole(point[letter]) for letter in unsure):
                if reference is None and self._mode is not Mode.EQUAL:
                    reference = point
                confirmed += 1
            if confirmed >= wanted and place >= len(self._needed) - 1:
                break
        return confirmed

    def _refuted_by_floats(self) -> bool:
        """Looks at real points with floats; keeps the clean ones that agree."""
        found = self._roles
        enough = limits.CLEAN_POINTS
        if found.stepped:
            enough = limits.MAX_POINTS
        elif found.smooth and not found.whole and not found.partly:
            enough = limits.CLEAN_POINTS_SMOOTH
        try:
            machine = Machine(self._part, exact=found.exact)
        except FAILURES:
            return False
        switches = None if found.smooth else Switches(self._part, found.whole, machine)
        most = limits.MAX_MACHINE_STEPS // len(self._part.needed)
        for point in self._points(max(6, min(limits.MAX_POINTS, most))):
            values = self._look(machine, point)
            if values is None:
                return True
            if values and switches is not None:
                switches.note(point, values)
            if len(self._clean) >= enough and not (switches is not None and switches.one_sided()):
                break
        return switches is not None and self._refuted_beyond(machine, switches)

    def _refuted_beyond(self, machine: Machine, switches: Switches) -> bool:
        """Looks at both sides of where the switches change, and far out."""
        if switches or self._roles.far:
            for point in large_points(self._part.letters, self._roles):
                if self._glance(machine, point, switches):
                    return True
        for point in switches.neighbours(machine.values):
            values = self._look(machine, point)
            if values is None:
                return True
            if values:
                switches.note(point, values)
        if switches.one_sided():
            spare = limits.MAX_MACHINE_STEPS // len(self._part.needed)
            for point in islice(switches.beyond(), spare):
                found = self._look_hard(machine, point)
                if found is DIFFERENT:
                    return True
                if found is SAME:
                    switches.note_alone(point)
            for point in self._outside[: min(limits.MAX_OUTSIDE, spare)]:
                switches.note_alone(point)
            self._half_seen = switches.one_sided()
        self._needed = switches.representatives()
        return False

    def _glance(self, machine: Machine, point: Point, switches: Switches) -> bool:
        """Whether a point where nothing else is expected of floats refutes."""
        try:
            values = machine.values(point)
            pair = machine.sides(values)
            if self._mode is not Mode.EQUAL or not _both_clear(pair):
                return False
        except FAILURES:
            return False
        differs = apart(*pair)
        if differs is False and switches.shows_more(values):
            found = self._precise.at(point, None, real=True)
            if found is SAME:
                switches.note(point, values)
            return found is DIFFERENT
        return bool(differs)

    def _look_hard(self, machine: Machine, point: Point) -> Sameness:
        """The verdict at one point; SAME too where a side has no value."""
        before = len(self._clean), len(self._outside)
        if self._look(machine, point) is None:
            return DIFFERENT
        clean, outside = len(self._clean), len(self._outside)
        if outside > before[1] or (clean > before[0] and self._mode is not Mode.EQUAL):
            return SAME
        return self._precise.at(point, None, real=True) if self._mode is Mode.EQUAL else UNKNOWN

    def _look(self, machine: Machine, point: Point) -> list[Ball | None] | None:
        """The values at a point, an empty list if it is not clean, None if it refutes."""
        try:
            values = machine.values(point)
            pair = machine.sides(values)
            if self._mode is not Mode.EQUAL:
                if self._reference is None:
                    if self._mode is Mode.PROPORTIONAL and not _both_clear(pair):
                        return []
                    self._reference = pair
                pair = self._combined(pair, self._reference)
        except Unsupported:
            return []
        except Undefined:
            self._outside.append(point)
            return []
        except FAILURES:
            return self._look_closely(point)
        differs = apart(*pair)
        if differs is False:
            self._clean.append(point)
            return values
        if differs and self._mode is Mode.EQUAL:
            return None
        first = self._clean[0] if self._clean and self._mode is not Mode.EQUAL else None
        return None if self._precise.at(point, first, real=True) is DIFFERENT else values

    def _look_closely(self, point: Point) -> list[Ball | None] | None:
        """As `_look`, where machine floats do not do."""
        if self._mode is Mode.EQUAL:
            found = self._precise.at(point, None, real=True)
            if found is DIFFERENT:
                return None
            if found is SAME:
                self._clean.append(point)
        return []

    def _combined(self, pair: tuple[Ball, Ball], reference: tuple[Ball, Ball]) -> tuple[Ball, Ball]:
        operation = FLOATS.operations["add" if self._mode is Mode.SHIFTED else "multiply"]
        return operation([pair[0], reference[1]], 0), operation([reference[0], pair[1]], 0)

    def _at_complex_points(self, wanted: int, *, refute: bool) -> Sameness:
        """Agreement at complex points, which is the same unless one of them disagrees."""
        if self._mode is not Mode.EQUAL:
            return UNKNOWN
        points = complex_points(self._part.letters, self._roles, Random(self._seed + 1))
        confirmed = 0
        for point in islice(points, limits.MAX_COMPLEX_POINTS):
            found = self._precise.at_complex(point)
            if found is DIFFERENT:
                return DIFFERENT if refute else UNKNOWN
            confirmed += found is SAME
            if confirmed == wanted:
                return SAME
        return UNKNOWN

    def _unless_complex_differs(self) -> Sameness:
        """Same, unless a letter for complex numbers makes ``|z|^2`` of ``z^2``."""
        if "abs" in self._part.names and any(name[0] in "zw" for name in self._part.letters):
            return self._at_complex_points(2, refute=False)
        return SAME


def _spread(points: list[Point], count: int) -> list[Point]:
    """Some of the points, the first one and others from all over."""
    if len(points) <= count:
        return points
    return [points[index * len(points) // count] for index in range(count)]


def _is_whole(value: Exact) -> bool:
    return value.denominator == 1


def _both_clear(pair: tuple[Ball, Ball]) -> bool:
    return all(abs(middle) > 1e6 * radius for middle, radius in pair)


def has_real_value(part: Slice, seed: bytes) -> bool:
    """Whether an expression has a finite real value at some point, or is a real constant."""
    found = roles(part)
    points = real_points(part.letters, found, Random(int.from_bytes(seed)))
    try:
        machine = Machine(part, exact=found.exact)
    except FAILURES:
        return False
    for point in islice(points, 12):
        try:
            value = machine.sides(machine.values(point))[0]
        except FAILURES:
            continue
        if value[1] < 1 + abs(value[0]) < 1e308:
            return True
    return False
