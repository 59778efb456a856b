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
        partly: Letters that are whole at every other point (exponents called ``n``).
        stepped: Letters that jumps depend on; whole ones and halves are tried too.
        complex_letters: Whether letters stand for complex numbers (``re``, ``conj``).
        smooth: Whether agreement on one range is agreement on all.
        scale: The largest number written, where it is more than a few.
        exact: Whether exact values decide which case holds (whole exponents, ``floor``).
    """

    whole: frozenset[str]
    partly: frozenset[str]
    stepped: frozenset[str]
    complex_letters: bool
    smooth: bool
    scale: float
    exact: bool


def roles(part: Slice) -> Roles:
    """Finds the roles of the letters of a slice."""
    names = part.names
    steps = part.program.steps
    under = _letters_under(part)
    whole: set[str] = set()
    partly: set[str] = set()
    stepped: set[str] = set()
    scale = 0.0
    pi = _pi_under(part) if "pi" in names else set()
    for index in part.needed:
        name, arguments, number, _ = steps[index]
        if name == "number":
            scale = max(scale, float(min(size(number), 1_000_000)))
        if name in DISCRETE:
            whole |= under[index]
        elif name in STEPPED:
            stepped |= under[index]
        elif name == "pow":
            base = steps[arguments[0]]
            named = {letter for letter in under[arguments[1]] if letter[0] in WHOLE_NAMES}
            if base.name == "number" and base.number < 0:
                whole |= under[arguments[1]]
            partly |= named
        elif name in ("sin", "cos", "exp") and index in pi:
            whole |= {letter for letter in under[index] if letter[0] in WHOLE_NAMES}
    return Roles(
        frozenset(whole),
        frozenset(partly - whole),
        frozenset(stepped - whole),
        not names.isdisjoint(_COMPLEX),
        names <= _SMOOTH,
        scale,
        not names.isdisjoint(DISCRETE | STEPPED | {"pow"}),
    )


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


def _pi_under(part: Slice) -> set[int]:
    steps = part.program.steps
    found: set[int] = set()
    for index in part.needed:
        step = steps[index]
        if step.name == "pi" or not found.isdisjoint(step.arguments):
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


def _real(random: Random, low: float, high: float, negative: float) -> Fraction:
    value = Fraction(int(_UNIT * random.uniform(low, high)) | 1, _UNIT)
    return -value if random.random() < negative else value


def _whole(random: Random, turn: int, many: bool) -> int:
    if many:
        return random.randrange(0, 4 + turn // 2)
    return turn + 1 if turn < 9 else (0, 12, 15, 11, 20, 10, 14, 13)[turn % 8]


def _stepped(random: Random, turn: int) -> Exact:
    value = Fraction(random.randrange(-12, 13), (1, 1, 2, 3)[turn % 4])
    return value.numerator if value.denominator == 1 else value


def real_points(letters: list[str], found: Roles, random: Random) -> Iterator[Point]:
    """Points with real values, without end."""
    ranges = list(_RANGES)
    if found.scale > 3:
        scaled = [(low * found.scale, high * found.scale, sign) for low, high, sign in _SCALED]
        ranges[3:3] = scaled[:2]
        ranges[7:7] = scaled[2:]
    many = len(found.whole) > 1
    turn = 0
    while True:
        low, high, negative = ranges[turn % len(ranges)]
        point: Point = {}
        for letter in letters:
            if letter in found.whole or (letter in found.partly and turn % 2):
                point[letter] = _whole(random, turn, many or letter in found.partly)
            elif letter in found.stepped and turn % 2:
                point[letter] = _stepped(random, turn // 2)
            else:
                point[letter] = _real(random, low, high, negative)
        yield point
        turn += 1


def complex_points(
    letters: list[str], found: Roles, random: Random
) -> Iterator[dict[str, tuple[Exact, Exact]]]:
    """Points with a real and an imaginary part for each letter, without end."""
    for point in real_points(letters, found, random):
        yield {
            letter: (value, 0 if letter in found.whole else _real(random, 0.1, 1.5, 0.5))
            for letter, value in point.items()
        }


def beside(point: Point) -> Point:
    """A point very near to another."""
    return {letter: value * Fraction(65537, 65536) for letter, value in point.items()}
