"""Where two sides are looked at: values for the letters, chosen by a seed.

All values are rationals that machine floats hold exactly. Real ones come from several ranges and
in both signs, since equal on one range is not equal; letters that only whole numbers make sense
for are whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from verifiers_math.equivalence.sampling.exact import Exact, size
from verifiers_math.equivalence.sampling.program import DISCRETE, STEPPED, Slice

Point = dict[str, Exact]
"""A real value for each letter."""
ComplexPoint = dict[str, tuple[Exact, Exact]]
"""A real and an imaginary part for each letter."""

WHOLE_NAMES = frozenset("n k m N K M j l".split())
"""Letters that are whole numbers where the expression asks for it: ``cos(n pi)``."""

_COMPLEX = frozenset("re im conj arg".split())
_SMOOTH = frozenset(
    "number letter pi e i add multiply power exp sin cos factorial double_factorial binom".split()
)


@dataclass(frozen=True, slots=True)
class Roles:
    """What the letters of a comparison may stand for.

    Attributes:
        whole: Letters that are whole numbers.
        natural: Those of them that are not negative (in factorials and binomials).
        partly: Letters that are whole at every other point (exponents called ``n``).
        unsure: Letters for which whole numbers may refute, but not confirm: ``(-1)^x`` has other
            real values nowhere.
        stepped: Letters that jumps depend on; whole ones and halves are tried too.
        complex_letters: Whether letters stand for complex numbers (``re``, ``conj``).
        smooth: Whether agreement on one range is agreement on all.
        scale: The largest number written, where it is more than a few.
        marks: Numerators and denominators written: jumps and periods may hang on them.
        far: Whether numbers are written that put a change of form far out.
        exact: Whether exact values decide which case holds (whole exponents, ``floor``, roots of
            what may be exactly zero).
    """

    whole: frozenset[str]
    natural: frozenset[str]
    partly: frozenset[str]
    unsure: frozenset[str]
    stepped: frozenset[str]
    complex_letters: bool
    smooth: bool
    scale: float
    marks: tuple[int, ...]
    far: bool
    exact: bool


def roles(part: Slice) -> Roles:
    """Finds the roles of the letters of a slice."""
    names = part.names
    steps = part.program.steps
    under = _letters_under(part)
    whole: set[str] = set()
    natural: set[str] = set()
    partly: set[str] = set()
    unsure: set[str] = set()
    stepped: set[str] = set()
    scale = 0.0
    marks: set[int] = set()
    pi = _above(part, "pi") if "pi" in names else set()
    unit = _above(part, "i") if "i" in names else set()
    for index in part.needed:
        name, arguments, number, _ = steps[index]
        if name == "number":
            scale = max(scale, float(min(size(number), 1_000_000)))
            marks.update((abs(number.numerator), number.denominator))
        if name in DISCRETE:
            # Nothing is said of other values, whatever the letter.
            natural |= under[index]
        elif name in STEPPED:
            whole |= {letter for letter in under[index] if letter[0] in WHOLE_NAMES}
            stepped |= under[index]
        elif name == "pow":
            base = steps[arguments[0]]
            named = {letter for letter in under[arguments[1]] if letter[0] in WHOLE_NAMES}
            if base.name == "number" and base.number < 0:
                whole |= named
                unsure |= under[arguments[1]]
            elif arguments[0] in unit:
                whole |= named
            partly |= named
        elif name in ("sin", "cos", "exp") and index in pi:
            whole |= {letter for letter in under[index] if letter[0] in WHOLE_NAMES}
    whole |= natural
    return Roles(
        frozenset(whole),
        frozenset(natural),
        frozenset((partly | unsure) - whole),
        frozenset(unsure - whole),
        frozenset(stepped - whole),
        not names.isdisjoint(_COMPLEX),
        names <= _SMOOTH,
        scale,
        tuple(sorted(mark for mark in marks if 1 < mark <= MAX_MARK)[:MAX_MARKS]),
        max(marks, default=0) >= _FAR,
        not names.isdisjoint(DISCRETE | STEPPED | {"pow"}) or _root_of_kink(part),
    )


_KINKS = frozenset("abs max min root".split())
_EDGED = frozenset("root principal ln asin".split())


def _root_of_kink(part: Slice) -> bool:
    """Whether a root is taken of what may be exactly zero on a whole range: ``x + |x|``."""
    if part.names.isdisjoint(_KINKS) or part.names.isdisjoint(_EDGED):
        return False
    steps = part.program.steps
    kinked: set[int] = set()
    for index in part.varying:
        step = steps[index]
        if not kinked.isdisjoint(step.arguments):
            if step.name in _EDGED or (step.name == "power" and step.number < 0):
                return True
            kinked.add(index)
        elif step.name in _KINKS:
            kinked.add(index)
    return False


def _letters_under(part: Slice) -> dict[int, frozenset[str]]:
    steps = part.program.steps
    under: dict[int, frozenset[str]] = {}
    for index in part.needed:
        step = steps[index]
        if step.name == "letter":
            under[index] = frozenset((step.letter,))
        else:
            found = [under[argument] for argument in step.arguments]
            under[index] = frozenset().union(*found)
    return under


def _above(part: Slice, name: str) -> set[int]:
    """The steps in which a constant occurs."""
    steps = part.program.steps
    found: set[int] = set()
    for index in part.needed:
        step = steps[index]
        if step.name == name or not found.isdisjoint(step.arguments):
            found.add(index)
    return found


# Ranges of the sizes and the share of negative signs, point by point. A scale multiplies those
# after the first list.
_RANGES = (
    (0.1, 1.0, 0.0),
    (1.0, 4.0, 0.5),
    (0.1, 1.0, 1.0),
    (1.0, 4.0, 0.0),
    (0.2, 2.0, 0.5),
    (1.0, 6.0, 1.0),
    (2.0, 12.0, 0.5),
    (4.0, 40.0, 0.0),
    (0.02, 0.5, 0.5),
    (20.0, 900.0, 0.3),
)
_SCALED = ((0.5, 1.0, 0.0), (1.0, 3.0, 0.0), (0.3, 2.0, 0.5), (1.0, 3.0, 1.0), (0.05, 0.6, 0.3))
_UNIT = 1 << 20
MAX_MARK = 1000
MAX_MARKS = 4


def _real(random: Random, low: float, high: float, negative: float) -> Fraction:
    value = Fraction(int(_UNIT * random.uniform(low, high)) | 1, _UNIT)
    return -value if random.random() < negative else value


_WHOLE = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 12, 15, 11, 20, 10, 14, 13)
_NEGATIVE = (-1, -2, -3, -7, -6)
_STEPS = (0, 1, -1, 2, Fraction(1, 2), -2, 3, 4, Fraction(-3, 2), -3, 5, 6, Fraction(2, 3))


def _whole_values(found: Roles) -> list[int]:
    positive = [*_WHOLE[:10], *found.marks, *_WHOLE[10:]]
    if found.natural == found.whole:
        return positive
    # Every third value is below zero.
    for place, value in enumerate(_NEGATIVE):
        positive.insert(3 * place + 2, value)
    return positive


def _stepped_values(found: Roles) -> list[Exact]:
    marks = [sign * mark + more for mark in found.marks for more in (0, 1) for sign in (1, -1)]
    return [*_STEPS[:6], *marks, *_STEPS[6:], 7, -4, Fraction(-1, 2), 8, -5, Fraction(5, 2)]


def real_points(letters: list[str], found: Roles, random: Random) -> Iterator[Point]:
    """Points with real values, without end."""
    ranges = list(_RANGES)
    if found.scale > 3:
        scaled = [(low * found.scale, high * found.scale, sign) for low, high, sign in _SCALED]
        ranges[3:3] = scaled[:2]
        ranges[7:7] = scaled[2:]
    # One letter goes through these values in turn, several take them as they come.
    whole, stepped = _whole_values(found), _stepped_values(found)
    many = len(found.whole) + len(found.partly) + len(found.stepped) > 1
    turn = 0
    while True:
        low, high, negative = ranges[turn % len(ranges)]
        mixed = turn > 2 and turn % 2 == 1 and len(letters) > 1
        point: Point = {}
        for letter in letters:
            if mixed:
                low, high, negative = random.choice(ranges)
            if letter in found.whole or (letter in found.partly and turn % 2):
                choice = random.randrange(3 + turn // 2) if many else turn
                value = whole[choice % len(whole)]
                point[letter] = abs(value) if letter in found.natural else value
            elif letter in found.stepped and turn % 3:
                choice = random.randrange(4 + turn) if many else turn - turn // 3 - 1
                point[letter] = stepped[choice % len(stepped)]
            else:
                point[letter] = _real(random, low, high, negative)
        yield point
        turn += 1


_FAR = 300
_LARGE = (1_234_567, 12_345_678_901, 123_456_789_012_345_678_901)


def large_points(letters: list[str], found: Roles) -> Iterator[Point]:
    """A few points far out, of both signs where letters have both."""
    for sign in (1, -1):
        for size_ in _LARGE:
            yield {
                letter: (1 if letter in found.natural else sign) * size_ * (7 + place) // 7
                for place, letter in enumerate(letters)
            }


def complex_points(letters: list[str], found: Roles, random: Random) -> Iterator[ComplexPoint]:
    """Points with a real and an imaginary part for each letter, without end."""
    for point in real_points(letters, found, random):
        yield {
            letter: (value, 0 if letter in found.whole else _real(random, 0.1, 1.5, 0.5))
            for letter, value in point.items()
        }


def beside(point: Point) -> Point:
    """A point very near to another, whole values as they are."""
    near = Fraction(65537, 65536)
    return {
        letter: value if value.denominator == 1 else value * near for letter, value in point.items()
    }
