"""Values modulo a large prime: equality of rational functions by one evaluation.

The primes are one more than a multiple of 8 and of every odd prime below 100, so -1 and these
primes have square roots: numbers such as ``3 + 2 sqrt(6) i`` have exact images. Anything else
(``sin x``, a nested root) gets a random value that hangs on what it is applied to: equal images
then show that two sides are the same combination of the same parts, while different images show
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b

from verifiers_math.equivalence.sampling.exact import Exact, Undefined
from verifiers_math.equivalence.sampling.program import Slice, Step

SMALL_PRIMES = tuple(n for n in range(2, 100) if all(n % d for d in range(2, n)))

PRIMES = (
    9812206162763270510374967111379240315725626081,
    6700407817192114204717358580098069607090013801,
    8998864745533251034339215831514036109824385641,
    5853921730135579215666756984998587273139914681,
    8771704880754057960890199847360653218947680841,
    5910948976162954901003212871297527790866791001,
    5376739103308611152989798150607655222802054201,
    6042313792380543349176129021978887312145419281,
)
"""About 150 bits each."""

_RATIONAL = frozenset(("number", "letter", "i", "add", "multiply", "power", "pi", "e"))


@lru_cache(maxsize=256)
def _square_root(value: int, prime: int) -> int:
    """A square root modulo a prime of a number that has one (Tonelli and Shanks)."""
    odd, twos = prime - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    other = next(n for n in range(101, 10_000) if pow(n, (prime - 1) // 2, prime) == prime - 1)
    turn = pow(other, odd, prime)
    root, rest = pow(value, (odd + 1) // 2, prime), pow(value, odd, prime)
    while rest != 1:
        height, square = 0, rest
        while square != 1:
            square, height = square * square % prime, height + 1
        factor = pow(turn, 1 << (twos - height - 1), prime)
        root, turn = root * factor % prime, factor * factor % prime
        rest, twos = rest * turn % prime, height
    return root


@lru_cache(maxsize=1024)
def _split(value: int) -> tuple[tuple[int, ...], int, int]:
    """Writes a whole number as ``square^2`` times different primes below 100 times a rest.

    Returns:
        The primes, the square's root, the rest.
    """
    primes = []
    root = 1
    for prime in SMALL_PRIMES:
        odd = False
        while value % prime == 0:
            value //= prime
            root *= prime if odd else 1
            odd = not odd
        if odd:
            primes.append(prime)
    whole = math.isqrt(value)
    if whole * whole == value:
        return tuple(primes), root * whole, 1
    return tuple(primes), root, value


@lru_cache(maxsize=1024)
def square_root_image(radicand: Fraction, prime: int) -> int | None:
    """The image of the square root of a number; None where a large prime is left below it."""
    primes, root, rest = _split(abs(radicand.numerator * radicand.denominator))
    if rest != 1:
        return None
    value = root * pow(radicand.denominator, -1, prime) % prime
    for small in primes:
        value = value * _square_root(small, prime) % prime
    return value if radicand > 0 else value * _square_root(prime - 1, prime) % prime


def _radicand(step: Step, steps: Sequence[Step]) -> Exact | None:
    """The small number that a square root is taken of, if it is one."""
    if step.name != "root" or step.number != 2:
        return None
    inner = steps[step.arguments[0]]
    if inner.name != "number":
        return None
    value = inner.number
    return value if value.numerator.bit_length() + value.denominator.bit_length() < 512 else None


def is_field(part: Slice) -> bool:
    """Whether different images prove the sides different.

    So it is for rational functions with coefficients that are rational, or hold ``i``, square
    roots of small numbers, and one of π and e (both are transcendental).
    """
    if {"pi", "e"} <= part.names:
        return False
    if part.names <= _RATIONAL:
        return True
    if not part.names <= _RATIONAL | {"root"}:
        return False
    steps = part.program.steps
    for index in part.needed:
        if steps[index].name == "root":
            value = _radicand(steps[index], steps)
            if value is None or _split(abs(value.numerator * value.denominator))[2] != 1:
                return False
    return True


class Images:
    """The images of a program's steps modulo one prime.

    Args:
        part: The steps needed.
        prime: The prime.
        seed: What the random values hang on.
    """

    def __init__(self, part: Slice, prime: int, seed: bytes) -> None:
        self._part = part
        self._prime = prime
        self._seed = seed
        self._constants: dict[int, int] = {}
        self._fill(part.constants, self._constants, b"")

    def at(self, point: int) -> list[int]:
        """The images of the results, the letters having random values of this point's own.

        Raises:
            Undefined: A denominator is zero here.
        """
        values = dict(self._constants)
        self._fill(self._part.varying, values, b"%d" % point)
        return [values[result] for result in self._part.results]

    def _random(self, *words: object) -> int:
        text = repr(words).encode()
        return int.from_bytes(blake2b(text, digest_size=32, key=self._seed).digest()) % self._prime

    def _fill(self, order: Sequence[int], values: dict[int, int], point: bytes) -> None:
        steps, prime = self._part.program.steps, self._prime
        for index in order:
            step = steps[index]
            name, arguments, number, letter = step
            if name == "number":
                values[index] = self._number(number)
            elif name == "add":
                values[index] = sum([values[a] for a in arguments]) % prime
            elif name == "multiply":
                product = 1
                for argument in arguments:
                    product = product * values[argument] % prime
                values[index] = product
            elif name == "power":
                values[index] = self._power(values[arguments[0]], int(number))
            elif name == "letter":
                values[index] = self._random("letter", letter, point)
            elif name == "i":
                values[index] = _square_root(prime - 1, prime)
            else:
                radicand = _radicand(step, steps)
                if radicand is None:
                    inner = [values[argument] for argument in arguments]
                    values[index] = self._random(name, number, inner)
                else:
                    values[index] = self._square_root(radicand)

    def _number(self, value: Exact) -> int:
        if value.denominator == 1:
            return int(value) % self._prime
        return value.numerator * self._power(value.denominator, -1) % self._prime

    def _power(self, base: int, exponent: int) -> int:
        if -3 < exponent < 4:
            if exponent < 0 and base == 0:
                raise Undefined
            return pow(base, exponent, self._prime)
        if base == 0:
            if exponent < 0:
                raise Undefined
            return 0
        return pow(base, exponent % (self._prime - 1), self._prime)

    def _square_root(self, radicand: Exact) -> int:
        prime = self._prime
        primes, root, rest = _split(abs(radicand.numerator * radicand.denominator))
        value = root * self._number(Fraction(1, radicand.denominator)) % prime
        for small in primes:
            value = value * _square_root(small, prime) % prime
        if radicand < 0:
            value = value * _square_root(prime - 1, prime) % prime
        return value if rest == 1 else value * self._random("rest", rest) % prime
