r"""The fast lane: most expressions are walked straight to their images modulo large primes.

For sums, products, quotients and whole powers of rational numbers, letters, π and square roots
of small numbers no program has to be built: such expressions lie in a field, in which other
images prove a difference, and equal images modulo two primes of 150 bits an equality. Whatever
else is met, a denominator inside a denominator too, is left to `decide`, which knows all of it.

The points hang on the gold alone, so that it is walked once for all answers of its group.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from hashlib import blake2b
from typing import Any, Final

from verifiers_math.equivalence.identity import ByIdentity
from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    symbols,
)
from verifiers_math.equivalence.sampling.modular import PRIMES, square_root_image
from verifiers_math.equivalence.sampling.program import Program
from verifiers_math.equivalence.sampling.sameness import DIFFERENT, SAME, UNKNOWN, Sameness

MAX_EXPONENT_BITS: Final = 64
MAX_RADICAND_BITS: Final = 40


class _NotWalked(Exception):
    """Something stands here that the fast lane does not know."""


class _Point:
    """One prime, and the images of letters and of π modulo it."""

    __slots__ = ("_letters", "_seed", "divides", "pi", "prime")

    def __init__(self, prime: int, seed: bytes, pi: int) -> None:
        self.prime = prime
        self.pi = pi  # a constant: the same at every point
        self._seed = seed
        self._letters: dict[str, int] = {}
        self.divides = False

    def letter(self, name: str) -> int:
        """The image of a letter: random, but the same wherever the gold is the same."""
        known = self._letters.get(name)
        if known is None:
            digest = blake2b(name.encode(), digest_size=32, key=self._seed).digest()
            known = self._letters[name] = int.from_bytes(digest) % self.prime
        return known

    def inverse(self, value: int) -> int:
        """The image of a reciprocal."""
        if value == 0:
            raise _NotWalked
        return pow(value, -1, self.prime)

    def image_of(self, tree: Node) -> int:
        """The image of a whole tree.

        Raises:
            _NotWalked: It holds what the fast lane does not know.
        """
        self.divides = False
        return self.image(tree)

    def image(self, node: Node) -> int:
        """The image of a part of a tree."""
        walk = _WALKS.get(type(node))
        if walk is None:
            raise _NotWalked
        return walk(self, node)


def _number(point: _Point, node: Number) -> int:
    value = node.value
    if value.denominator == 1:
        return value.numerator % point.prime
    return value.numerator * point.inverse(value.denominator % point.prime) % point.prime


def _symbol(point: _Point, node: Symbol) -> int:
    return point.letter(node.name)


def _constant(point: _Point, node: Constant) -> int:
    if node.name != "pi":
        raise _NotWalked
    return point.pi


def _sum(point: _Point, node: Sum) -> int:
    return sum([point.image(term) for term in node.terms]) % point.prime


def _product(point: _Point, node: Product) -> int:
    result = 1
    for factor in node.factors:
        result = result * point.image(factor) % point.prime
    return result


def _quotient(point: _Point, node: Quotient) -> int:
    top = point.image(node.top)
    outer, point.divides = point.divides, False
    bottom = point.image(node.bottom)
    if point.divides:  # 1/(1/x) has no value where x is 0
        raise _NotWalked
    point.divides = outer or not isinstance(node.bottom, Number)
    return top * point.inverse(bottom) % point.prime


_HALVES: tuple[Node, ...] = (
    Number(Fraction(1, 2)),
    Quotient(Number(Fraction(1)), Number(Fraction(2))),
)


def _power(point: _Point, node: Power) -> int:
    exponent = node.exponent
    if exponent in _HALVES and isinstance(node.base, Number) and node.base.value > 0:
        return _root_image(node.base.value, point.prime)
    if not isinstance(exponent, Number) or exponent.value.denominator != 1:
        raise _NotWalked
    power = exponent.value.numerator
    if power == 0 or power.bit_length() > MAX_EXPONENT_BITS:
        raise _NotWalked
    outer, point.divides = point.divides, False
    base = point.image(node.base)
    if point.divides:
        raise _NotWalked
    point.divides = outer or power < 0
    return pow(base if power > 0 else point.inverse(base), abs(power), point.prime)


def _negative(point: _Point, node: Negative) -> int:
    return -point.image(node.argument) % point.prime


def _square_root(point: _Point, node: Call) -> int:
    if node.name != "sqrt" or len(node.arguments) != 1:
        raise _NotWalked
    radicand = node.arguments[0]
    if not isinstance(radicand, Number) or radicand.value <= 0:
        raise _NotWalked
    return _root_image(radicand.value, point.prime)


def _root_image(radicand: Fraction, prime: int) -> int:
    if radicand.numerator.bit_length() + radicand.denominator.bit_length() > MAX_RADICAND_BITS:
        raise _NotWalked
    image = square_root_image(radicand, prime)
    if image is None:
        raise _NotWalked
    return image


_WALKS: dict[type, Callable[[_Point, Any], int]] = {
    Number: _number,
    Symbol: _symbol,
    Constant: _constant,
    Sum: _sum,
    Product: _product,
    Quotient: _quotient,
    Power: _power,
    Negative: _negative,
    Call: _square_root,
}


class _Side:
    """A tree's images modulo two primes, found once for all answers of a group.

    Attributes:
        points: For each prime, two points; none where the tree is not one for the fast lane.
        images: The tree's images there.
    """

    __slots__ = ("images", "points")

    def __init__(self, tree: Node) -> None:
        self.points: list[tuple[_Point, _Point]] = []
        self.images: list[tuple[int, int]] = []
        try:
            program = Program()
            program.read(tree)
            seed = program.seed()
            for at in range(2):
                prime = PRIMES[(seed[0] + at) % len(PRIMES)]
                pi = int.from_bytes(blake2b(b"pi", digest_size=32, key=seed).digest()) % prime
                points = _Point(prime, seed, pi), _Point(prime, seed[::-1], pi)
                self.images.append((points[0].image(tree), points[1].image(tree)))
                self.points.append(points)
        except (_NotWalked, ArithmeticError):
            self.points, self.images = [], []


_side = ByIdentity(_Side, room=256)


def compare_walked(gold: Node, answer: Node) -> Sameness:
    """Whether two expressions are equal, where the fast lane can tell; else UNKNOWN.

    Args:
        gold: An expression.
        answer: Another.
    """
    side = _side(gold)
    try:
        for (point, _), (image, _) in zip(side.points, side.images, strict=True):
            if point.image_of(answer) != image:
                return DIFFERENT
    except (_NotWalked, ArithmeticError):
        return UNKNOWN
    return SAME if side.points else UNKNOWN


def proportional_walked(gold: Node, answer: Node) -> Sameness:
    """Whether one expression with letters is the other times a constant that is not zero.

    Args:
        gold: An expression.
        answer: Another.

    Returns:
        UNKNOWN where the fast lane cannot tell, as where either side may be zero everywhere.
    """
    if not (symbols(gold) and symbols(answer)):
        return UNKNOWN
    side = _side(gold)
    try:
        for (one, other), (first, second) in zip(side.points, side.images, strict=True):
            left, right = one.image_of(answer), other.image_of(answer)
            if 0 in (first, second, left, right):
                return UNKNOWN
            if (first * right - second * left) % one.prime:
                return DIFFERENT
    except (_NotWalked, ArithmeticError):
        return UNKNOWN
    return SAME if side.points else UNKNOWN
