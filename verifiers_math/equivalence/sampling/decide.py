"""Whether two expressions are equal: structure, then primes, then floats, then any precision.

Each way says same, different, or nothing. Only what is proven counts as different: other images
in a field that holds both sides, or values apart by more than the bounds on their errors at a
point where every part is real and defined. Same is said after an equality of images modulo two
random primes, or after agreement to a precision that the sizes met on the way ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from verifiers_math.equivalence.reader.tree import Call, Node, Number, walk
from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.exact import (
    Exact,
    TooLarge,
    Unclear,
    Undefined,
)
from verifiers_math.equivalence.sampling.floats import FLOATS, apart
from verifiers_math.equivalence.sampling.floats import Ball as FloatBall
from verifiers_math.equivalence.sampling.modular import PRIMES, Images, is_field
from verifiers_math.equivalence.sampling.points import (
    Point,
    Roles,
    beside,
    complex_points,
    real_points,
    roles,
)
from verifiers_math.equivalence.sampling.program import LOG_BASES, Program, Slice

if TYPE_CHECKING:
    from verifiers_math.equivalence.sampling.balls import Ball, Balls


class Sameness(Enum):
    """What is known of two expressions."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


SAME, DIFFERENT, UNKNOWN = Sameness

FAILURES = (ArithmeticError, ValueError, RecursionError, MemoryError)
"""What evaluating a hostile tree may end in."""


class Mode(Enum):
    """What is asked of two sides."""

    EQUAL = "equal"
    PROPORTIONAL = "proportional"
    SHIFTED = "shifted"


_TRANSCENDENTAL = frozenset("exp ln sin cos asin atan acot pow factorial arg root".split())
_COMPLEX = frozenset("i re im conj arg".split())


class Comparison:
    """Two sides of one program.

    Args:
        program: The program.
        gold: The step of one side.
        answer: The step of the other.
        mode: What is asked.
    """

    def __init__(self, program: Program, gold: int, answer: int, mode: Mode) -> None:
        self.program = program
        self.part = Slice(program, (gold, answer))
        self.mode = mode
        self.seed = program.seed()
        self._work = 0.0
        self._roles: Roles | None = None

    def decide(self) -> Sameness:
        """The verdict."""
        gold, answer = self.part.results
        steps = self.program.steps
        if self.mode is Mode.EQUAL:
            if gold == answer:
                return SAME
            if steps[gold].name == steps[answer].name == "number":
                return DIFFERENT
        if "infinity" in self.part.names:
            return self._infinite() if self.mode is Mode.EQUAL else UNKNOWN
        found = self._by_primes()
        if found is not UNKNOWN:
            return found
        if self.mode is Mode.PROPORTIONAL and not self.part.names.isdisjoint(_COMPLEX):
            return UNKNOWN
        if self.part.letters:
            return self._by_points()
        return self._by_value() if self.mode is Mode.EQUAL else UNKNOWN

    # Infinity.

    def _infinite(self) -> Sameness:
        signs = [infinite_sign(self.program, result) for result in self.part.results]
        if all(signs):
            return SAME if signs[0] == signs[1] else DIFFERENT
        if not any(signs):
            return UNKNOWN
        other = self.part.results[0 if signs[1] else 1]
        finite = Slice(self.program, (other, other))
        if "infinity" in finite.names or not finite.names.isdisjoint(_COMPLEX):
            return UNKNOWN
        return DIFFERENT if _has_real_value(finite, self.seed) else UNKNOWN

    # Primes.

    def _by_primes(self) -> Sameness:
        start = self.seed[0]
        try:
            first = self._images(PRIMES[start % len(PRIMES)])
            if first:
                second = self._images(PRIMES[(start + 1) % len(PRIMES)])
                return SAME if second else UNKNOWN
        except Undefined:
            return UNKNOWN
        return DIFFERENT if first is False and is_field(self.part) else UNKNOWN

    def _images(self, prime: int) -> bool | None:
        images = Images(self.part, prime, self.seed)
        gold, answer = images.at(0)
        if self.mode is Mode.EQUAL:
            return gold == answer
        if not self.part.letters and self.mode is Mode.PROPORTIONAL:
            return None
        other_gold, other_answer = images.at(1)
        if self.mode is Mode.SHIFTED:
            return (gold - answer - other_gold + other_answer) % prime == 0
        if 0 in (gold, answer) and gold == answer:
            return None
        if "i" in self.part.names:
            return None
        return (gold * other_answer - answer * other_gold) % prime == 0 and 0 not in (gold, answer)

    # Constants.

    def _by_value(self) -> Sameness:
        program = self.program
        if self.part.names.isdisjoint(_COMPLEX):
            try:
                if apart(*self._floats(None, {})):
                    return DIFFERENT
            except FAILURES:
                pass
        try:
            return self._constants()
        except TooLarge:
            from verifiers_math.equivalence.sampling.huge import compare_logarithms

            order = compare_logarithms(program, *self.part.results)
            return UNKNOWN if order is None else DIFFERENT
        except FAILURES:
            return UNKNOWN

    def _constants(self) -> Sameness:
        from verifiers_math.equivalence.sampling.balls import Balls

        bits = limits.CONSTANT_BITS + limits.DIGIT_BITS * self.program.digits
        precision = bits + 96
        while precision <= limits.MAX_CONSTANT_PRECISION:
            balls = Balls(precision, real=False)
            try:
                found = self._judged(balls, None, bits, None)
            except Unclear:
                found = 2 * precision
            if isinstance(found, Sameness):
                return found
            precision = max(found, precision + precision // 2)
        return UNKNOWN

    # Points.

    def _by_points(self) -> Sameness:
        self._roles = found = roles(self.part)
        general = "i" in self.part.names or found.complex_letters
        clean: list[Point] = []
        if not general:
            verdict = self._by_floats(clean)
            if verdict is not UNKNOWN:
                return verdict
        if found.complex_letters:
            return self._by_complex_points(limits.CONFIRMING_POINTS_COMPLEX, refute=True)
        wanted = self._wanted(found)
        candidates = _spread(clean, wanted + 2) if clean else self._points(2 * wanted)
        reference: Point | None = None
        confirmed = 0
        for point in candidates:
            verdict = self._at_point(point, reference, real=not general)
            if verdict is DIFFERENT:
                return DIFFERENT
            if verdict is SAME:
                if reference is None:
                    reference = point
                confirmed += 1
                if confirmed == wanted:
                    break
        if confirmed == wanted or (confirmed >= 3 and not found.whole and found.smooth):
            return self._unless_complex_differs()
        if self.mode is not Mode.EQUAL or general:
            return UNKNOWN
        missing = wanted - confirmed if confirmed else limits.CONFIRMING_POINTS_COMPLEX
        return self._by_complex_points(missing, refute=False)

    @staticmethod
    def _wanted(found: Roles) -> int:
        if found.whole or found.stepped:
            return limits.CONFIRMING_POINTS_INTEGER
        if found.smooth and not found.partly:
            return limits.CONFIRMING_POINTS
        return limits.CONFIRMING_POINTS_PIECEWISE

    def _points(self, count: int) -> Iterator[Point]:
        assert self._roles is not None  # noqa: S101 - set before any point is asked for
        random = Random(int.from_bytes(self.seed))
        return islice(real_points(self.part.letters, self._roles, random), count)

    def _by_floats(self, clean: list[Point]) -> Sameness:
        """Looks at real points with floats; the clean ones that agree are added to `clean`."""
        found = self._roles
        enough = 16
        if found and found.stepped:
            enough = limits.MAX_POINTS
        elif found and found.smooth and not found.whole and not found.partly:
            enough = 5
        steps = self.program.steps
        constants: list[FloatBall | None] = [None] * len(steps)
        try:
            FLOATS.run(steps, self.part.constants, constants, {})
        except FAILURES:
            return UNKNOWN
        reference: tuple[FloatBall, FloatBall] | None = None
        for point in self._points(limits.MAX_POINTS):
            try:
                pair = self._floats(constants, point)
                if self.mode is not Mode.EQUAL:
                    if reference is None:
                        if self.mode is Mode.SHIFTED or _both_clear(pair):
                            reference = pair
                            clean.append(point)
                        continue
                    pair = self._combined_floats(pair, reference)
            except FAILURES:
                continue
            differs = apart(*pair)
            if differs is False:
                clean.append(point)
                if len(clean) == enough:
                    break
            elif differs or pair[0] != pair[1]:
                first = clean[0] if clean and self.mode is not Mode.EQUAL else None
                if differs and self.mode is Mode.EQUAL:
                    return DIFFERENT
                if self._at_point(point, first, real=True) is DIFFERENT:
                    return DIFFERENT
        return UNKNOWN

    def _combined_floats(
        self, pair: tuple[FloatBall, FloatBall], reference: tuple[FloatBall, FloatBall]
    ) -> tuple[FloatBall, FloatBall]:
        operation = FLOATS.operations["add" if self.mode is Mode.SHIFTED else "multiply"]
        return operation([pair[0], reference[1]], 0), operation([reference[0], pair[1]], 0)

    def _floats(
        self, constants: list[FloatBall | None] | None, point: Point
    ) -> tuple[FloatBall, FloatBall]:
        steps, part = self.program.steps, self.part
        values: list[FloatBall | None] = list(constants or [None] * len(steps))
        if constants is None:
            FLOATS.run(steps, part.constants, values, {})
        if part.varying:
            known = part.exact_values(point) if self._roles and self._roles.exact else None
            letters = {name: (float(value), 0.0) for name, value in point.items()}
            FLOATS.run(steps, part.varying, values, letters, known)
        gold, answer = (values[result] for result in part.results)
        if gold is None or answer is None:
            raise Undefined
        return gold, answer

    def _at_point(self, point: Point, reference: Point | None, *, real: bool) -> Sameness:
        """The verdict at one point with real letters; UNKNOWN where it counts for nothing."""
        from verifiers_math.equivalence.sampling.balls import Balls

        bits = limits.POINT_BITS + limits.DIGIT_BITS * self.program.digits
        precision = bits + 192
        while precision <= limits.MAX_POINT_PRECISION:
            balls = Balls(precision, real=real)
            try:
                found = self._judged(balls, point, bits, reference)
            except Unclear:
                found = 2 * precision
            except FAILURES:
                return UNKNOWN
            if isinstance(found, int):
                precision = max(found, precision + precision // 2)
                continue
            return found
        return UNKNOWN

    def _judged(
        self, balls: Balls, point: Point | None, bits: int, reference: Point | None
    ) -> Sameness | int:
        """The verdict at a point and a precision, or the precision that it takes.

        Raises:
            ArithmeticError: The point counts for nothing.
        """
        gold, answer, width = self._values_at(balls, point or {})
        if self.mode is Mode.EQUAL or point is None:
            return _verdict(balls, gold, answer, width, bits)
        if reference is None and self.mode is Mode.PROPORTIONAL and not _both_sure(gold, answer):
            # Every value is in proportion to zero.
            raise Undefined
        near = beside(point) if self.mode is Mode.SHIFTED else reference
        found: Sameness | int = SAME
        for other in (near, reference):
            if other is None:
                continue
            other_gold, other_answer, other_width = self._values_at(balls, other)
            if self.mode is Mode.SHIFTED:
                left, right = balls.minus(gold, answer), balls.minus(other_gold, other_answer)
            else:
                left, right = balls.times(gold, other_answer), balls.times(other_gold, answer)
            found = _verdict(balls, left, right, max(width, other_width), bits)
            if found is not SAME:
                # Antiderivatives may differ by another constant on another part of the line.
                local = self.mode is Mode.PROPORTIONAL or other is near
                return found if local or found is not DIFFERENT else UNKNOWN
        return found

    def _values_at(self, balls: Balls, point: Point) -> tuple[Ball, Ball, int]:
        letters = {name: balls.number(value) for name, value in point.items()}
        return self._values(balls, letters, self._known(point))

    def _known(self, point: Point) -> list[Exact | None] | None:
        """Exact values of the steps, where which case holds hangs on them."""
        if not (point and self._roles and self._roles.exact):
            return None
        return self.part.exact_values(point)

    def _values(
        self, balls: Balls, letters: dict[str, Ball], known: list[Exact | None] | None
    ) -> tuple[Ball, Ball, int]:
        """Both sides, and how far from one the values met on the way lie; see `spread`."""
        from verifiers_math.equivalence.sampling.balls import spread

        steps, part = self.program.steps, self.part
        self._spend(balls.precision)
        values: list[Ball | None] = [None] * len(steps)
        balls.run(steps, part.constants, values, {})
        balls.run(steps, part.varying, values, letters, known)
        gold, answer = (values[result] for result in part.results)
        if gold is None or answer is None:
            raise Undefined
        return gold, answer, spread(values)

    def _spend(self, precision: int) -> None:
        steps = self.program.steps
        hard = sum(steps[index].name in _TRANSCENDENTAL for index in self.part.needed)
        self._work += 2 * len(self.part.needed) + hard * (15 + (precision / 100) ** 1.5)
        if self._work > limits.MAX_WORK:
            raise Undefined

    def _by_complex_points(self, wanted: int, *, refute: bool) -> Sameness:
        """Agreement at complex points, which is the same unless one of them disagrees."""
        from verifiers_math.equivalence.sampling.balls import Balls

        if self.mode is not Mode.EQUAL or self._roles is None:
            return UNKNOWN
        bits = limits.POINT_BITS + limits.DIGIT_BITS * self.program.digits
        random = Random(int.from_bytes(self.seed) + 1)
        points = complex_points(self.part.letters, self._roles, random)
        confirmed = 0
        for point in islice(points, limits.MAX_COMPLEX_POINTS):
            balls = Balls(bits + 256, real=False)
            letters = {}
            for name, (real, imaginary) in point.items():
                middle, error = balls.number(real)
                height, other = balls.number(imaginary)
                letters[name] = (
                    (middle, height, max(error, other) + 1)
                    if imaginary
                    else (
                        middle,
                        error,
                    )
                )
            try:
                found = _verdict(balls, *self._values(balls, letters, None), bits)
            except FAILURES:
                continue
            if found is DIFFERENT:
                return DIFFERENT if refute else UNKNOWN
            confirmed += found is SAME
            if confirmed == wanted:
                return SAME
        return UNKNOWN

    def _unless_complex_differs(self) -> Sameness:
        """Same, unless a letter for complex numbers makes ``|z|^2`` of ``z^2``."""
        if "abs" in self.part.names and any(name[0] in "zw" for name in self.part.letters):
            return self._by_complex_points(2, refute=False)
        return SAME


def _spread(points: list[Point], count: int) -> list[Point]:
    """Some of the points, the first one and others from all over."""
    if len(points) <= count:
        return points
    return [points[index * len(points) // count] for index in range(count)]


def _both_clear(pair: tuple[FloatBall, FloatBall]) -> bool:
    return all(abs(middle) > 1e6 * radius for middle, radius in pair)


def _both_sure(gold: Ball, answer: Ball) -> bool:
    from verifiers_math.equivalence.sampling.balls import holds_zero

    return not (holds_zero(gold) or holds_zero(answer))


def _verdict(balls: Balls, gold: Ball, answer: Ball, width: int, bits: int) -> Sameness | int:
    """Compares two values: apart, equal to so many bits, or the precision that it takes."""
    from verifiers_math.equivalence.sampling.balls import holds_zero

    gap = balls.minus(gold, answer)
    if not holds_zero(gap):
        return DIFFERENT
    error, wanted = int(gap[-1]), -bits - limits.SPREAD_BITS * width
    if error <= wanted:
        return SAME
    return balls.precision + error - wanted + 16


def infinite_sign(program: Program, index: int) -> int:
    """The sign of an infinite step, 0 for others."""
    step = program.steps[index]
    if step.name == "infinity":
        return 1
    if step.name != "multiply" or len(step.arguments) != 2:
        return 0
    inner = [program.steps[argument] for argument in step.arguments]
    if {found.name for found in inner} != {"number", "infinity"}:
        return 0
    factor = next(found.number for found in inner if found.name == "number")
    return (factor > 0) - (factor < 0)


def _has_real_value(part: Slice, seed: bytes) -> bool:
    """Whether an expression has a finite real value at some point."""
    steps = part.program.steps
    found = roles(part)
    points = real_points(part.letters, found, Random(int.from_bytes(seed)))
    for point in islice(points, 12 if part.letters else 1):
        values: list[FloatBall | None] = [None] * len(steps)
        try:
            known = part.exact_values(point) if found.exact else None
            letters = {name: (float(value), 0.0) for name, value in point.items()}
            FLOATS.run(steps, part.needed, values, letters, known)
        except FAILURES:
            continue
        value = values[part.results[0]]
        if value is not None and value[1] < 1 + abs(value[0]) < 1e308:
            return True
    return False


def settle(gold: Node, answer: Node, mode: Mode) -> Sameness:
    """Compares two trees; see `Mode` for what is asked.

    Never raises: what is too large, undefined or no expression is UNKNOWN.
    """
    verdicts = set()
    try:
        bases: tuple[str, ...] = LOG_BASES[:1]
        program, sides = _read(gold, answer)
        if program.bare_log:
            bases = log_bases(gold, answer)
        for base in bases:
            if base != program.log_base:
                program, sides = _read(gold, answer, base)
            verdict = _settle_roots(gold, answer, mode, program, sides)
            if verdict is SAME:
                return SAME
            verdicts.add(verdict)
    except FAILURES:
        return UNKNOWN
    return DIFFERENT if verdicts == {DIFFERENT} else UNKNOWN


def _read(
    gold: Node, answer: Node, base: str = LOG_BASES[0], *, principal: bool = False
) -> tuple[Program, tuple[int, int]]:
    program = Program(base, principal=principal)
    return program, (program.read(gold), program.read(answer))


def _settle_roots(
    gold: Node, answer: Node, mode: Mode, program: Program, sides: tuple[int, int]
) -> Sameness:
    """Compares with real roots, and before it calls ``(-8)^{1/3}`` wrong, with principal ones."""
    verdict = Comparison(program, *sides, mode).decide()
    if verdict is not DIFFERENT or not program.odd_power:
        return verdict
    program, sides = _read(gold, answer, program.log_base, principal=True)
    comparison = Comparison(program, *sides, mode)
    other = comparison.decide()
    return UNKNOWN if other is SAME and comparison.part.letters else other


def log_bases(gold: Node, answer: Node) -> tuple[str, ...]:
    """What ``log`` without a base may mean in a comparison.

    The base that the other side writes, where one side has no such ``log`` and writes just one of
    the two; else both. One of them, where there is no such ``log`` at all.
    """
    gold_bare, gold_bases = _logs(gold)
    answer_bare, answer_bases = _logs(answer)
    if not (gold_bare or answer_bare):
        return LOG_BASES[:1]
    if gold_bare and answer_bare:
        return LOG_BASES
    written = gold_bases if answer_bare else answer_bases
    return tuple(written) if len(written) == 1 else LOG_BASES


def _logs(node: Node) -> tuple[bool, set[str]]:
    """Whether there is a ``log`` without a base in a tree, and which of `LOG_BASES` are written."""
    bare = False
    written: set[str] = set()
    for found in islice(walk(node), limits.MAX_NODES):
        match found:
            case Call("log", (_,)):
                bare = True
            case Call("ln", (Number(value=value),)) if value == 10:
                written.update(LOG_BASES)
            case Call("ln"):
                written.add("e")
            case Call("log", (_, Number(value=value))) if value == 10:
                written.add("10")
    return bare, written
