"""Two trees as one straight-line program.

Equal parts become one step, whatever side they stand on: numbers are folded exactly while they
stay small, sums and products are flattened and ordered, and every function is written in terms
of a few (``tan`` is a sine over a cosine, ``sqrt`` a root). What is left to the evaluators is a
list of steps, each after its arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import Generic, NamedTuple, TypeVar, cast

from verifiers_math.equivalence.reader.tree import (
    Call,
    Constant,
    Degrees,
    Negative,
    Node,
    Number,
    Percent,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)
from verifiers_math.equivalence.sampling import exact
from verifiers_math.equivalence.sampling.exact import Exact, TooLarge, Undefined, Unsupported, tidy
from verifiers_math.equivalence.sampling.limits import (
    MAX_DEPTH,
    MAX_INTEGER_BITS,
    MAX_LETTERS,
    MAX_NODES,
    MAX_POINT_BITS,
    MAX_ROOT_INDEX,
    MAX_TOTAL_BITS,
)

V = TypeVar("V")


class Step(NamedTuple):
    """One step of a program.

    Attributes:
        name: The operation: ``number``, ``letter``, ``pi``, ``e``, ``i``, ``infinity``, ``add``,
            ``multiply``, ``power`` (to a whole exponent), ``root`` (the real one where it is odd),
            ``principal`` (another odd root), ``pow`` (to any exponent), ``exp ln sin cos asin atan
            acot abs floor sgn max min factorial double_factorial binom gcd lcm re im conj arg``.
        arguments: The steps that it is applied to.
        number: The value of a ``number``, the exponent of a ``power``, the index of a ``root``.
        letter: The name of a ``letter``.
    """

    name: str
    arguments: tuple[int, ...] = ()
    number: Exact = 0
    letter: str = ""


DISCRETE = frozenset("factorial double_factorial binom gcd lcm".split())
"""Operations that only whole numbers have."""
STEPPED = frozenset(("floor", "sgn"))
"""Operations that jump at points which no random real number hits."""

LOG_BASES = ("e", "10")
"""What ``log`` without a base may mean."""


class Program:
    """Steps, built from trees.

    Attributes:
        steps: All steps; arguments come before what uses them.
        log_base: The base of a ``log`` that has none, one of `LOG_BASES`.
        principal: Whether ``x^{1/3}`` is the principal root instead of the real one.
        bare_log: Whether such a ``log`` was met.
        odd_power: Whether a power such as ``x^{1/3}`` was met, for which that makes a difference.
        digits: The longest numeral, in decimal digits.
        obliged: Steps that are no part of a result any more, but must have a value: the ``1/x`` of
            ``1/(1/x)``.
    """

    def __init__(self, log_base: str = "e", *, principal: bool = False) -> None:
        self.steps: list[Step] = []
        self.log_base = log_base
        self.principal = principal
        self.bare_log = False
        self.odd_power = False
        self.digits = 0
        self.obliged: set[int] = set()
        self._index: dict[tuple[str, tuple[int, ...], Exact, str], int] = {}
        self._letters: set[str] = set()
        self._nodes = 0
        self._bits = 0

    def copy(self) -> Program:
        """A program with the same steps, to which another tree can be added."""
        other = Program(self.log_base, principal=self.principal)
        other.steps = self.steps.copy()
        other.bare_log = self.bare_log
        other.odd_power = self.odd_power
        other.digits = self.digits
        other.obliged = self.obliged.copy()
        other._index = self._index.copy()
        other._letters = self._letters.copy()
        other._nodes = self._nodes
        other._bits = self._bits
        return other

    def seed(self) -> bytes:
        """Bytes that hang on the trees alone, the same in every process."""
        # The hash of a number is the same everywhere, that of a string is not.
        text = [
            f"{name}{inner}{hash(number)}{letter}" for name, inner, number, letter in self.steps
        ]
        return blake2b("".join(text).encode(), digest_size=16).digest()

    def read(self, node: Node) -> int:
        """Adds a tree; returns the step that holds its value.

        Raises:
            TooLarge: The tree is beyond the limits.
            Undefined: The tree holds something that is no expression.
        """
        return self._read(node, 0)

    def _read(self, node: Node, depth: int) -> int:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise TooLarge
        reader = _READERS.get(type(node))
        if reader is None:
            raise Undefined
        return reader(self, node, depth + 1)

    def _all(self, nodes: Sequence[Node], depth: int) -> list[int]:
        return [self._read(node, depth) for node in nodes]

    def step(
        self, name: str, arguments: tuple[int, ...] = (), number: Exact = 0, letter: str = ""
    ) -> int:
        """The index of a step, which is added unless it is there."""
        key = (name, arguments, number, letter)
        found = self._index.get(key)
        if found is None:
            found = self._index[key] = len(self.steps)
            self.steps.append(Step(*key))
            if found > 16 * MAX_NODES:
                raise TooLarge
        return found

    def number(self, value: Exact) -> int:
        """The step of a number."""
        self._bits += exact.bits(value)
        if self._bits > MAX_TOTAL_BITS:
            raise TooLarge
        return self.step("number", (), value)

    def value(self, index: int) -> Exact | None:
        """The number that a step is; None where it is none."""
        step = self.steps[index]
        return step.number if step.name == "number" else None

    def letter(self, name: str) -> int:
        """The step of a letter."""
        self._letters.add(name)
        if len(self._letters) > MAX_LETTERS:
            raise TooLarge
        return self.step("letter", (), 0, name)

    def apply(self, name: str, arguments: tuple[int, ...], number: int = 0) -> int:
        """The step of an operation, as a number where that is exact and small."""
        values = []
        for argument in arguments:
            step = self.steps[argument]
            if step.name != "number":
                return self.step(name, arguments, number)
            values.append(step.number)
        try:
            value = exact.apply(name, values, number)
        except Undefined:
            value = None
        return self.step(name, arguments, number) if value is None else self.number(value)

    def _commutative(self, name: str, arguments: Sequence[int], neutral: int) -> int:
        flat: list[int] = []
        values: list[Exact] = []
        for argument in arguments:
            step = self.steps[argument]
            for part in step.arguments if step.name == name else (argument,):
                inner = self.steps[part]
                if inner.name == "number":
                    values.append(inner.number)
                else:
                    flat.append(part)
        total: Exact | None = neutral
        if len(values) == 1:
            total = values[0]
        elif values:
            total = exact.apply(name, values)
        if total is None:
            flat.extend(self.step("number", (), value) for value in values)
        elif total != neutral or not flat:
            flat.append(self.number(total))
        if len(flat) == 1:
            return flat[0]
        if len(flat) > MAX_NODES:
            raise TooLarge
        flat.sort()
        return self.step(name, tuple(flat))

    def add(self, *terms: int) -> int:
        """The step of a sum."""
        return self._commutative("add", terms, 0)

    def multiply(self, *factors: int) -> int:
        """The step of a product."""
        return self._commutative("multiply", factors, 1)

    def negative(self, argument: int) -> int:
        """The step of ``-argument``."""
        return self.multiply(self.number(-1), argument)

    def divide(self, top: int, bottom: int) -> int:
        """The step of ``top / bottom``."""
        return self.multiply(top, self.power(bottom, -1))

    def power(self, base: int, exponent: int) -> int:
        """The step of a power with a whole exponent."""
        step = self.steps[base]
        if step.name == "i":
            turned = (1, None, -1, None)[exponent % 4]
            if turned is not None:
                return self.number(turned)
            return base if exponent % 4 == 1 else self.negative(base)
        if step.name == "power":
            inner = int(step.number)
            if inner * exponent != 0 and exact.bits(inner * exponent) < MAX_INTEGER_BITS:
                if inner < 0:
                    self.obliged.add(base)
                return self.power(step.arguments[0], inner * exponent)
        if exponent == 1:
            return base
        if exponent == 0:
            self.obliged.add(base)
            return self.number(1)
        return self.apply("power", (base,), exponent)

    def root(self, base: int, index: int) -> int:
        """The step of a root."""
        return base if index == 1 else self.apply("root", (base,), index)

    def raise_to(self, base: int, exponent: int) -> int:
        """The step of a power with any exponent."""
        if self.steps[base].name == "e":
            return self.exp(exponent)
        value = self.value(exponent)
        if value is None or value.denominator > MAX_ROOT_INDEX:
            return self.apply("pow", (base, exponent))
        if value.denominator > 1 and value.denominator % 2 and not self._is_positive(base):
            self.odd_power = True
            if self.principal:
                root = self.step("principal", (base,), value.denominator)
                return self.power(root, value.numerator)
        return self.power(self.root(base, value.denominator), value.numerator)

    def _is_positive(self, base: int) -> bool:
        step = self.steps[base]
        return step.name in ("pi", "e", "exp") or (step.name == "number" and step.number > 0)

    def exp(self, exponent: int) -> int:
        """The step of the exponential function."""
        value = self.value(exponent)
        if value is None or value.denominator > MAX_ROOT_INDEX:
            return self.apply("exp", (exponent,))
        return self.power(self.root(self.step("e"), value.denominator), value.numerator)

    def ln(self, argument: int) -> int:
        """The step of the natural logarithm."""
        step = self.steps[argument]
        if step.name == "e":
            return self.number(1)
        if step.name == "power" and self.steps[step.arguments[0]].name == "e":
            return self.number(step.number)
        return self.apply("ln", (argument,))

    def log(self, argument: int, base: int) -> int:
        """The step of a logarithm to a base."""
        top, bottom = self.value(argument), self.value(base)
        known = None if top is None or bottom is None else exact.logarithm(top, bottom)
        if known is not None:
            return self.number(known)
        return self.divide(self.ln(argument), self.ln(base))


def _number(program: Program, node: Number, depth: int) -> int:
    value = tidy(node.value)
    # A decimal digit is 3.33 bits; what counts is the order.
    program.digits = max(program.digits, exact.bits(value) * 3 // 10)
    return program.number(value)


def _constant(program: Program, node: Constant, depth: int) -> int:
    if node.name not in ("pi", "e", "i", "infinity"):
        raise Undefined
    return program.step(node.name)


def _power(program: Program, node: Power, depth: int) -> int:
    base = program._read(node.base, depth)
    return program.raise_to(base, program._read(node.exponent, depth))


def _quotient(program: Program, node: Quotient, depth: int) -> int:
    top = program._read(node.top, depth)
    return program.divide(top, program._read(node.bottom, depth))


def _degrees(program: Program, node: Degrees, depth: int) -> int:
    value = program._read(node.value, depth)
    return program.multiply(value, program.step("pi"), program.number(Fraction(1, 180)))


def _percent(program: Program, node: Percent, depth: int) -> int:
    return program.multiply(program._read(node.value, depth), program.number(Fraction(1, 100)))


def _call(program: Program, node: Call, depth: int) -> int:
    arguments = program._all(node.arguments, depth)
    if node.name in _VARIADIC and arguments:
        if len(arguments) == 1:
            return arguments[0]
        return program.apply(node.name, tuple(sorted(arguments)))
    rule = _CALLS.get((node.name, len(arguments)))
    if rule is None:
        raise Undefined
    return rule(program, *arguments)


_READERS: dict[type, Callable[..., int]] = {
    Number: _number,
    Symbol: lambda program, node, depth: program.letter(node.name),
    Constant: _constant,
    Sum: lambda program, node, depth: program.add(*program._all(node.terms, depth)),
    Product: lambda program, node, depth: program.multiply(*program._all(node.factors, depth)),
    Quotient: _quotient,
    Power: _power,
    Negative: lambda program, node, depth: program.negative(program._read(node.argument, depth)),
    Degrees: _degrees,
    Percent: _percent,
    Call: _call,
}

_VARIADIC = frozenset(("gcd", "lcm", "max", "min"))


def _tan(p: Program, x: int) -> int:
    return p.divide(p.apply("sin", (x,)), p.apply("cos", (x,)))


def _cot(p: Program, x: int) -> int:
    return p.divide(p.apply("cos", (x,)), p.apply("sin", (x,)))


def _acos(p: Program, x: int) -> int:
    half_turn = p.multiply(p.step("pi"), p.number(Fraction(1, 2)))
    return p.add(half_turn, p.negative(p.apply("asin", (x,))))


def _sinh(p: Program, x: int, sign: int = -1) -> int:
    rising, falling = p.exp(x), p.exp(p.negative(x))
    return p.multiply(p.number(Fraction(1, 2)), p.add(rising, p.multiply(p.number(sign), falling)))


def _cosh(p: Program, x: int) -> int:
    return _sinh(p, x, 1)


def _tanh(p: Program, x: int) -> int:
    return p.divide(_sinh(p, x), _cosh(p, x))


def _arsinh(p: Program, x: int) -> int:
    return p.ln(p.add(x, p.root(p.add(p.power(x, 2), p.number(1)), 2)))


def _arcosh(p: Program, x: int) -> int:
    one = p.number(1)
    roots = p.root(p.add(x, one), 2), p.root(p.add(x, p.negative(one)), 2)
    return p.ln(p.add(x, p.multiply(*roots)))


def _artanh(p: Program, x: int) -> int:
    one = p.number(1)
    above, below = p.ln(p.add(one, x)), p.ln(p.add(one, p.negative(x)))
    return p.multiply(p.number(Fraction(1, 2)), p.add(above, p.negative(below)))


def _bare_log(p: Program, x: int) -> int:
    p.bare_log = True
    return p.ln(x) if p.log_base == "e" else p.log(x, p.number(10))


def _root(p: Program, radicand: int, index: int) -> int:
    value = p.value(index)
    if value is None or value.denominator > 1 or not 0 < exact.size(value) <= MAX_ROOT_INDEX:
        return p.raise_to(radicand, p.power(index, -1))
    found = p.root(radicand, abs(int(value)))
    return found if value > 0 else p.power(found, -1)


def _mod(p: Program, a: int, b: int) -> int:
    whole = p.apply("floor", (p.divide(a, b),))
    return p.add(a, p.negative(p.multiply(b, whole)))


def _ceil(p: Program, x: int) -> int:
    return p.negative(p.apply("floor", (p.negative(x),)))


def _of_inverse(rule: Callable[[Program, int], int]) -> Callable[[Program, int], int]:
    """``f(1/x)``: how the functions named after a reciprocal are defined."""
    return lambda p, x: rule(p, p.power(x, -1))


def _inverse_of(rule: Callable[[Program, int], int]) -> Callable[[Program, int], int]:
    """``1/f(x)``."""
    return lambda p, x: p.power(rule(p, x), -1)


def _plain(name: str) -> Callable[[Program, int], int]:
    """An operation of the program itself."""
    return lambda p, x: p.apply(name, (x,))


_CALLS: dict[tuple[str, int], Callable[..., int]] = {
    ("sin", 1): _plain("sin"),
    ("cos", 1): _plain("cos"),
    ("tan", 1): _tan,
    ("cot", 1): _cot,
    ("sec", 1): _inverse_of(_plain("cos")),
    ("csc", 1): _inverse_of(_plain("sin")),
    ("arcsin", 1): _plain("asin"),
    ("arccos", 1): _acos,
    ("arctan", 1): _plain("atan"),
    ("arccot", 1): _plain("acot"),
    ("arcsec", 1): _of_inverse(_acos),
    ("arccsc", 1): _of_inverse(_plain("asin")),
    ("sinh", 1): _sinh,
    ("cosh", 1): _cosh,
    ("tanh", 1): _tanh,
    ("coth", 1): _inverse_of(_tanh),
    ("sech", 1): _inverse_of(_cosh),
    ("csch", 1): _inverse_of(_sinh),
    ("arsinh", 1): _arsinh,
    ("arcosh", 1): _arcosh,
    ("artanh", 1): _artanh,
    ("arcoth", 1): _of_inverse(_artanh),
    ("arsech", 1): _of_inverse(_arcosh),
    ("arcsch", 1): _of_inverse(_arsinh),
    ("exp", 1): Program.exp,
    ("ln", 1): Program.ln,
    ("log", 1): _bare_log,
    ("log", 2): Program.log,
    ("sqrt", 1): lambda p, x: p.root(x, 2),
    ("root", 2): _root,
    ("abs", 1): _plain("abs"),
    ("floor", 1): _plain("floor"),
    ("ceil", 1): _ceil,
    ("sgn", 1): _plain("sgn"),
    ("factorial", 1): _plain("factorial"),
    ("double_factorial", 1): _plain("double_factorial"),
    ("gamma", 1): lambda p, x: p.apply("factorial", (p.add(x, p.number(-1)),)),
    ("binom", 2): lambda p, n, k: p.apply("binom", (n, k)),
    ("mod", 2): _mod,
    ("re", 1): _plain("re"),
    ("im", 1): _plain("im"),
    ("conj", 1): _plain("conj"),
    ("arg", 1): _plain("arg"),
}


class Slice:
    """The steps that some results need, and what is in them.

    Attributes:
        program: The program.
        results: The steps asked for.
        constants: The needed steps without letters, in order.
        varying: The needed steps with letters, in order.
        letters: The letters' names, sorted.
        names: The names of the needed operations.
    """

    def __init__(self, program: Program, results: tuple[int, ...]) -> None:
        self.program = program
        self.results = results
        steps = program.steps
        needed = set(results)
        for index in range(max(results), -1, -1):
            if index in needed:
                needed.update(steps[index].arguments)
        self.constants: list[int] = []
        self.varying: list[int] = []
        moving: set[int] = set()
        letters: list[str] = []
        for index in sorted(needed):
            step = steps[index]
            if step.name == "letter":
                letters.append(step.letter)
                moving.add(index)
            elif not moving.isdisjoint(step.arguments):
                moving.add(index)
            (self.varying if index in moving else self.constants).append(index)
        self.letters = sorted(letters)
        self.names = {steps[index].name for index in needed}
        self.needed = sorted(needed)

    def exact_values(
        self, letters: Mapping[str, Exact], limit: int = MAX_POINT_BITS
    ) -> list[Exact | None]:
        """The exact values of the steps at a point, None where they have none or a large one.

        Raises:
            Undefined: A step has no value.
        """
        steps = self.program.steps
        known: list[Exact | None] = [None] * len(steps)
        for index in self.needed:
            step = steps[index]
            if step.name == "number":
                known[index] = step.number
            elif step.name == "letter":
                known[index] = letters.get(step.letter)
            else:
                values = [known[argument] for argument in step.arguments]
                if values and None not in values:
                    found = [value for value in values if value is not None]
                    known[index] = exact.apply(step.name, found, int(step.number), limit)
        return known


class Algebra(ABC, Generic[V]):
    """A way to evaluate steps.

    Attributes:
        operations: By the step's name, a function of the arguments' values and the step's number.
    """

    operations: Mapping[str, Callable[[list[V], int], V]]

    @abstractmethod
    def number(self, value: Exact) -> V:
        """The value of an exact number."""

    @abstractmethod
    def constant(self, name: str) -> V:
        """The value of ``pi``, ``e`` or ``i``; raises `Undefined` for others."""

    @abstractmethod
    def raise_to(self, base: V, exponent: V, known: Exact | None) -> V:
        """A power with any exponent, whose exact value comes along where it is known."""

    def run(
        self,
        steps: Sequence[Step],
        order: Sequence[int],
        values: list[V | None],
        letters: Mapping[str, V],
        known: Sequence[Exact | None] | None = None,
    ) -> None:
        """Fills in the values of some steps.

        Args:
            steps: The program's steps.
            order: Which of them, arguments first.
            values: The values by step, filled in here.
            letters: The values of the letters.
            known: Exact values by step, where they are known.

        Raises:
            ArithmeticError: A step has no value, or an unclear or too large one.
            ValueError: As `ArithmeticError`.
        """
        operations = self.operations
        for index in order:
            if known is not None and (given := known[index]) is not None:
                values[index] = self.number(given)
                continue
            name, arguments, number, letter = steps[index]
            if name == "number":
                values[index] = self.number(number)
            elif name == "letter":
                values[index] = letters[letter]
            elif not arguments:
                values[index] = self.constant(name)
            elif name == "pow":
                base, exponent = arguments
                exactly = steps[exponent].number if steps[exponent].name == "number" else None
                if exactly is None and known is not None:
                    exactly = known[exponent]
                values[index] = self.raise_to(
                    cast("V", values[base]), cast("V", values[exponent]), exactly
                )
            else:
                operation = operations.get(name)
                if operation is None:
                    raise Unsupported
                given_values = [values[argument] for argument in arguments]
                values[index] = operation(cast("list[V]", given_values), cast("int", number))
