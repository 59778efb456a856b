"""The stages in their order: each says equal, different or nothing, and the first word counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from verifiers_math.equivalence import algebra
from verifiers_math.equivalence.choices import compare_marks, read_choice, read_several
from verifiers_math.equivalence.compare import compare_quantities
from verifiers_math.equivalence.decision import Decision, different, equal
from verifiers_math.equivalence.normalize import normalize, tidy
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.parts import Parts, read_named, read_parts, split_items
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.text import compare_text
from verifiers_math.equivalence.unworked import leaves_arithmetic
from verifiers_math.equivalence.verdict import Status
from verifiers_math.equivalence.vetoes import misread, veto

PURE_STAGES = ("identical", "normalized", "number", "algebra")
STAGES = (*PURE_STAGES, "math_verify", "normalizer")
"""Every stage, in the order in which they are asked."""

MAX_ANSWER_CHARS = 4096
"""Longer answers and golds are compared as text and as plain integers only."""
MAX_NESTING = 100
LONG_INTEGER_DIGITS = 8192
"""An integer of more digits is larger than any quantity that is read as a value."""

Stage = Callable[[str, str, Policy], Decision | None]


def _identical(gold: str, answer: str, policy: Policy) -> Decision | None:
    return equal("identical", "the texts are the same") if gold.strip() == answer.strip() else None


_PLAIN_NUMERAL = re.compile(r"[-+]?[0-9.]+")


def _normalized(gold: str, answer: str, policy: Policy) -> Decision | None:
    if _PLAIN_NUMERAL.fullmatch(gold) and _PLAIN_NUMERAL.fullmatch(answer):
        return None  # there is nothing to rewrite: the values decide
    same = normalize(gold) == normalize(answer)
    return equal("normalized", "the texts are the same once normalised") if same else None


def _number(gold: str, answer: str, policy: Policy) -> Decision | None:
    gold_quantity = read_quantity(gold)
    answer_quantity = read_quantity(answer)
    if gold_quantity is None or answer_quantity is None:
        return None
    return compare_quantities(gold_quantity, answer_quantity, policy)


def _choice(gold: str, answer: str, policy: Policy) -> Decision | None:
    """Choices: the letter counts, or the value behind it, if no part contradicts."""
    marks = compare_marks(gold, answer)
    if marks is not None:
        return (
            equal("text", "the same statements") if marks else different("text", "other statements")
        )
    several = read_several(gold)
    if several is not None and read_several(answer) is not None:
        same = several == read_several(answer)
        return equal("text", "the same choices") if same else different("text", "other choices")
    wanted, given = read_choice(gold), read_choice(answer)
    if wanted is None:
        return None if given is None else _chosen_value(gold, answer, given.value, policy)
    if given is None:
        return _value_behind(wanted.value, answer, policy) if wanted.value else None
    if wanted.letter != given.letter:
        return different("text", f"the answer is choice {given.letter}, not {wanted.letter}")
    if wanted.value and given.value:
        return _value_behind(wanted.value, given.value, policy)
    return equal("text", f"both are choice {wanted.letter}")


_CALL = re.compile(r"\s*[A-J]\s?\(")
"""``C(12)`` is a function's value, or a choice with its value: nothing says which."""


def _chosen_value(gold: str, answer: str, value: str, policy: Policy) -> Decision | None:
    """``(B) 12`` against ``12``: the gold names no letter, so only an equal value decides."""
    if not value or _CALL.match(answer):
        return None
    decision = _value_behind(gold, value, policy)
    return decision if decision is not None and decision.status == "correct" else None


def _value_behind(gold: str, answer: str, policy: Policy) -> Decision | None:
    """The values behind the letters of choices, which are no choices again."""
    for stage in (_identical, _normalized, _number, _meaning):
        decision = stage(gold, answer, policy)
        if decision is not None:
            return decision
    return None


def _parts(gold: str, answer: str, policy: Policy) -> Decision | None:
    """Labelled parts one by one; where one side has no labels, in the order in which they stand."""
    wanted = read_parts(gold) if ")" in gold else None
    given = read_parts(answer) if ")" in answer else None
    if wanted is None and given is None:
        return _named(gold, answer, policy)
    wanted = wanted or read_parts(gold, beside_parts=True) or split_items(gold)
    given = given or read_parts(answer, beside_parts=True) or split_items(answer)
    if len(wanted) != len(given):
        return different(algebra.STAGE, "not the same number of parts")
    return _one_by_one(wanted, given, policy)


def _named(gold: str, answer: str, policy: Policy) -> Decision | None:
    """Values with the same names in words; other names may be other words for them."""
    wanted = read_named(gold)
    given = None if wanted is None else read_named(answer)
    if wanted is None or given is None or wanted.keys() != given.keys():
        return None
    return _one_by_one(tuple(wanted.values()), tuple(map(given.__getitem__, wanted)), policy)


def _one_by_one(wanted: Parts, given: Parts, policy: Policy) -> Decision:
    for number, (part, other) in enumerate(zip(wanted, given, strict=True), 1):
        decision = _value_behind(part, other, policy)
        if decision is None or decision.status == "incorrect":
            return different(algebra.STAGE, f"part {number} is not the same")
        if decision.status != "correct":
            return decision
    return equal(algebra.STAGE, "the same in each part")


def _algebra(gold: str, answer: str, policy: Policy) -> Decision | None:
    return (
        _parts(gold, answer, policy)
        or _choice(gold, answer, policy)
        or _meaning(gold, answer, policy)
    )


def _meaning(gold: str, answer: str, policy: Policy) -> Decision | None:
    """Words as words, mathematics as trees; what the policy refuses in between."""
    decision = compare_text(gold, answer)
    if decision is not None:
        return decision
    reason = misread(tidy(gold), tidy(answer), policy)
    if reason is not None:
        return different("policy", reason)
    if policy.values_only and _is_unworked(gold, answer):
        return different("policy", "the answer leaves arithmetic to be done")
    return algebra.compare_algebra(gold, answer, policy)


def _is_unworked(gold: str, answer: str) -> bool:
    """Whether the gold is a numeral, and the answer a sum or a product of numerals."""
    if read_quantity(gold) is None or read_quantity(answer) is not None:
        return False
    tree = read(answer)
    return not isinstance(tree, Unreadable) and leaves_arithmetic(tree)


_RUN: dict[str, Stage] = {
    "identical": _identical,
    "normalized": _normalized,
    "number": _number,
    "algebra": _algebra,
}


def judge(
    gold: str, answer: str, policy: Policy, stages: tuple[str, ...] = STAGES
) -> Decision | None:
    """Compares two bare answers by the pure stages.

    Args:
        gold: The gold, unboxed.
        answer: The final answer, unboxed.
        policy: What counts as the same.
        stages: The stages to ask, of `STAGES`; those that are not pure are passed over.

    Returns:
        The decision, or None where only computer algebra can tell.
    """
    for _, decision in steps(gold, answer, policy, stages):
        if decision is not None:
            return decision
    return None


def steps(
    gold: str, answer: str, policy: Policy, stages: tuple[str, ...] = STAGES
) -> Iterator[tuple[str, Decision | None]]:
    """What each check of `judge` says in turn; nothing counts after the first decision.

    Args:
        gold: As for `judge`.
        answer: As for `judge`.
        policy: As for `judge`.
        stages: As for `judge`.

    Yields:
        The name of a stage, ``"limits"`` or ``"policy"``, and its decision, or None where it is
        not certain.
    """
    yield "limits", _unreadable(gold, answer)
    if "identical" in stages:
        yield "identical", _identical(gold, answer, policy)
    if len(gold) > MAX_ANSWER_CHARS or len(answer) > MAX_ANSWER_CHARS:
        yield "limits", _long(gold, answer)
    for name in stages:
        stage = _RUN.get(name)
        if stage is not None and name != "identical":
            yield name, stage(gold, answer, policy)
    if nesting(answer) > MAX_NESTING or nesting(gold) > MAX_NESTING:
        detail = f"nested deeper than {MAX_NESTING} levels"
        yield "limits", Decision(Status.LIMIT, "limits", detail)
    if set(stages) & set(PURE_STAGES):
        yield "policy", refuse(gold, answer, policy)


def refuse(gold: str, answer: str, policy: Policy) -> Decision | None:
    """What is no mathematics, and the policy's refusals, before computer algebra is asked."""
    decision = compare_text(gold, answer)
    if decision is not None:
        return decision
    reason = veto(tidy(gold), tidy(answer), policy)
    return None if reason is None else different("policy", reason)


def judge_as_text(gold: str, answer: str) -> Decision:
    """The last resort where computer algebra is not to be had: the normal forms decide."""
    if normalize(gold) == normalize(answer):
        return equal("normalizer", "the texts are the same once normalised")
    return different(
        "normalizer", "the texts differ once normalised; computer algebra was not asked"
    )


def _unreadable(gold: str, answer: str) -> Decision | None:
    bare_gold = gold.strip()
    if not bare_gold or bare_gold.lower() == "nan":
        return Decision(Status.GOLD_UNREADABLE, "limits", "the gold is empty or not a number")
    if not answer or answer.isspace():
        return Decision(Status.NO_ANSWER, "extract", "the answer is empty")
    return None


def _long(gold: str, answer: str) -> Decision:
    long, short = (gold, answer) if len(gold) > len(answer) else (answer, gold)
    digits = long.strip().lstrip("+-").lstrip("0")
    is_integer = digits.isascii() and digits.isdigit()
    if is_integer and len(digits) > LONG_INTEGER_DIGITS and read_quantity(short) is not None:
        return different("number", "one number has thousands of digits more")
    if long.strip() == short.strip():
        return equal("identical", "the texts are the same")
    if len(gold) > MAX_ANSWER_CHARS:
        return Decision(
            Status.GOLD_UNREADABLE,
            "limits",
            f"the gold is longer than {MAX_ANSWER_CHARS} characters",
        )
    return Decision(
        Status.LIMIT, "limits", f"the answer is longer than {MAX_ANSWER_CHARS} characters"
    )


_OPENING = frozenset("({[")
_CLOSING = frozenset(")}]")


def nesting(text: str) -> int:
    """Returns the depth to which brackets of any kind are nested."""
    depth = deepest = 0
    for char in text:
        if char in _OPENING:
            depth += 1
            deepest = max(deepest, depth)
        elif char in _CLOSING:
            depth -= 1
    return deepest
