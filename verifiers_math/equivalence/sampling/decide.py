"""Whether two expressions are equal: structure, then primes, then floats, then any precision.

Each way says same, different, or nothing. Only what is proven counts as different: other images
in a field that holds both sides, or values apart by more than the bounds on their errors at a
point where every part is real and defined. Same is said after an equality of images modulo two
random primes, or after agreement to a precision that the sizes met on the way ask for.
"""

from __future__ import annotations

from functools import partial
from itertools import islice

from verifiers_math.equivalence.identity import ByIdentity
from verifiers_math.equivalence.reader.tree import Call, Node, Number, walk
from verifiers_math.equivalence.sampling import limits
from verifiers_math.equivalence.sampling.defined import has_values, surely_undefined
from verifiers_math.equivalence.sampling.exact import TooLarge, Undefined
from verifiers_math.equivalence.sampling.floats import apart
from verifiers_math.equivalence.sampling.modular import PRIMES, Images, is_field
from verifiers_math.equivalence.sampling.pointwise import Machine, Pointwise, has_real_value
from verifiers_math.equivalence.sampling.program import LOG_BASES, Program, Slice
from verifiers_math.equivalence.sampling.sameness import (
    COMPLEX,
    DIFFERENT,
    FAILURES,
    SAME,
    UNKNOWN,
    Mode,
    Sameness,
)


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

    def decide(self) -> Sameness:
        """The verdict: nothing is the same as what has no value."""
        found = self._decided()
        part = self.part
        obliged = self.program.obliged
        if found is not SAME or "infinity" in part.names or (not obliged and is_field(part)):
            # In a field the images of all denominators were looked at.
            return found
        if obliged:
            part = Slice(self.program, (*part.results, *obliged))
        if surely_undefined(part):
            return UNKNOWN if part.letters or self.mode is not Mode.EQUAL else DIFFERENT
        return SAME if has_values(part, self.seed) else UNKNOWN

    def _decided(self) -> Sameness:
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
        if self.mode is Mode.PROPORTIONAL and not self.part.names.isdisjoint(COMPLEX):
            return UNKNOWN
        if self.part.letters:
            return Pointwise(self.part, self.mode, self.seed).decide()
        if self.mode is not Mode.EQUAL:
            return UNKNOWN
        try:
            return self._by_value()
        except FAILURES:
            return UNKNOWN

    # Infinity.

    def _infinite(self) -> Sameness:
        signs = [infinite_sign(self.program, result) for result in self.part.results]
        if all(signs):
            return SAME if signs[0] == signs[1] else DIFFERENT
        if not any(signs):
            return UNKNOWN
        other = self.part.results[0 if signs[1] else 1]
        finite = Slice(self.program, (other, other))
        if "infinity" in finite.names or not finite.names.isdisjoint(COMPLEX):
            return UNKNOWN
        if finite.letters:
            return DIFFERENT if has_real_value(finite, self.seed) else UNKNOWN
        from verifiers_math.equivalence.sampling.precise import has_value

        return DIFFERENT if has_value(finite) else UNKNOWN

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
        if self.part.names.isdisjoint(COMPLEX):
            try:
                machine = Machine(self.part, exact=False)
                if apart(*machine.sides(machine.values({}))):
                    return DIFFERENT
            except FAILURES:
                if surely_undefined(self.part):
                    return DIFFERENT
        from verifiers_math.equivalence.sampling.precise import Precise

        try:
            return Precise(self.part, self.mode, exact=False).constants()
        except TooLarge:
            from verifiers_math.equivalence.sampling.huge import compare_logarithms

            order = compare_logarithms(self.program, *self.part.results)
            return UNKNOWN if order is None else DIFFERENT


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
    if mode is Mode.EQUAL and sides[0] == sides[1] and gold == answer:
        # What has no value is still written the same.
        return SAME
    return DIFFERENT if verdicts == {DIFFERENT} else UNKNOWN


def _read(
    gold: Node, answer: Node, base: str = LOG_BASES[0], *, principal: bool = False
) -> tuple[Program, tuple[int, int]]:
    begun, side = _GOLDS[base, principal](gold)
    program = begun.copy()
    return program, (side, program.read(answer))


def _begun(base: str, principal: bool, gold: Node) -> tuple[Program, int]:
    program = Program(base, principal=principal)
    return program, program.read(gold)


_GOLDS = {
    (base, principal): ByIdentity(partial(_begun, base, principal), room=256)
    for base in LOG_BASES
    for principal in (False, True)
}
"""The programs that golds begin, each the same for all answers of a group."""


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
