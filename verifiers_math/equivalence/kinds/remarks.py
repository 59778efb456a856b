"""Words, and values with a condition or a remark behind them."""

from __future__ import annotations

import re
from fractions import Fraction

from verifiers_math.equivalence.kinds.asides import is_aside, is_condition, plain_words
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.number_words import spelled_number
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.reader.tree import (
    Degrees,
    Node,
    Number,
    Percent,
    Product,
    Qualified,
    Quotient,
    Ratio,
    Symbol,
    WithUnit,
    Words,
    walk,
)
from verifiers_math.equivalence.units import Unit, read_unit

_SECOND_VALUE = re.compile(
    r"\d|\b[ap]\.? ?m\b"  # a time
    r"|\b(?:or|else|otherwise|and|not|but|no|never|unless|except|instead|maybe|perhaps|possibly"
    r"|wrong|incorrect|false|impossible|zero|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|hundred|thousand|million|half|double|twice"
    r"|at least|at most|more|less|fewer|about|roughly|approximately)\b"
)
_TO = re.compile(r"to (\d{1,30})")
_OUT_OF = re.compile(r"(?:out of|in) (?:every )?(\d{1,30})")


def without_remark(node: Node, other: Node) -> Node:
    """The gold's value without its remark in words, unless the remark may hold another value."""
    if not isinstance(node, Qualified) or not isinstance(node.remark, Words):
        return node
    text = node.remark.text.lower()
    if _says_of_letter(node) or _is_other_measure(text, other):
        return node
    return node.value if is_condition(text) or not _SECOND_VALUE.search(text) else node


def _says_of_letter(node: Node) -> bool:
    """Whether the remark is the answer: ``n is odd``."""
    match node:
        case Qualified(Symbol(), Words(text)):
            return plain_words(text).startswith("is ")
        case _:
            return False


_OF_NO_MEASURE = frozenset("only total overall altogether exactly".split())
"""Words that say neither what is counted nor in which unit."""
_COMMAND = re.compile(r"\\[a-z%]")


def _is_other_measure(text: str, other: Node) -> bool:
    """Whether a remark counts things where the other side measures: ``5 decades``, ``5 years``."""
    plain = plain_words(text).lower()
    if _COMMAND.search(plain):  # \\AA, \\mu m: a unit that no table knows
        return any(isinstance(part, WithUnit | Percent | Degrees) for part in walk(other))
    if {*plain.split()} <= _OF_NO_MEASURE or not is_aside(text):
        return False
    return any(_measures(part, plain) for part in walk(other))


def _measures(node: Node, words: str) -> bool:
    """Whether a value has a unit that the words, or one of them, do not name."""
    if isinstance(node, Percent):
        return words != "percentage"
    if not isinstance(node, WithUnit):
        return isinstance(node, Degrees)
    quantity = read_quantity(f"1 {node.unit}")
    if quantity is None or quantity.unit is None:
        return True
    named = (read_unit(rf"\text{{ {name}}}") for name in (words, *words.split()))
    return not any(unit is not None and _names(unit, quantity.unit) for unit in named)


def _names(unit: Unit, wanted: Unit) -> bool:
    """Whether both are one unit, or the same things: ``red apples`` are apples."""
    if wanted.dimensions is None:
        return not {*unit.label.split()}.isdisjoint(wanted.label.split())
    return unit.measures_like(wanted) and unit.factor == wanted.factor


def without_harmless_remark(node: Node, other: Node) -> Node:
    """The answer's value without its remark, where that is of a shape that adds nothing."""
    match node:
        case Qualified(Number(number) as value, Words(text)) if _spells(text, number):
            return value
        case Qualified(_, Words(text)) | Product((_, Words(text))) if _is_other_measure(
            text, other
        ):
            return node
        case Qualified(value, Words(text)):
            return value if is_condition(text.lower()) or _adds_nothing(value, text) else node
        case Product((value, Words(text))) if _adds_nothing(value, text):
            return value
        case _:
            return node


def _adds_nothing(value: Node, text: str) -> bool:
    return is_aside(text, of_one=_is_at_most_one(value))


def _is_at_most_one(value: Node) -> bool:
    """Whether a noun behind a number is in the singular: ``1 apple``, ``3/5 cup``."""
    match value:
        case Number(number):
            return 0 < abs(number) <= 1
        case Quotient(Number(top), Number(bottom)):
            return 0 < abs(top) <= abs(bottom)
        case _:
            return False


def _spells(text: str, number: Fraction) -> bool:
    """Whether a remark is the number in words: ``7 (seven)``."""
    plain = plain_words(text)
    return plain[:1] == "(" and spelled_number(plain.strip("()")) == number


def as_ratio(node: Node, other: Node) -> Node:
    r"""``3 \text{ to } 4`` against a ratio."""
    match node, other:
        case Qualified(Number() as first, Words(text)), Ratio():
            second = _TO.fullmatch(plain_words(text))
            return Ratio((first, Number(first.value * 0 + int(second[1])))) if second else node
        case _:
            return node


def as_fraction(node: Node, other: Node) -> Node:
    r"""``1 \text{ out of } 3`` as the fraction that it says, which is no ratio ``1:3``."""
    match node:
        case _ if isinstance(other, Ratio):
            return node
        case Qualified(Number(count) as top, Words(text)) if count.denominator == 1:
            bottom = _OUT_OF.fullmatch(plain_words(text))
            total = 0 if bottom is None else int(bottom[1])
            return Quotient(top, Number(Fraction(total))) if 0 <= count < total else node
        case _:
            return node


def words(gold: Node, answer: Node, same: Compare) -> Finding:
    """The same words, but for case and spaces."""
    if not (isinstance(gold, Words) and isinstance(answer, Words)):
        return Finding(False, "an ellipsis is no word")
    equal = normalize(gold.text).lower() == normalize(answer.text).lower()
    return Finding(equal, "the same words" if equal else "the words are not the same")


def qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """Values with conditions: both have to agree, words for words and relations for relations."""
    if not (isinstance(gold, Qualified) and isinstance(answer, Qualified)):
        return UNKNOWN
    remark = same(gold.remark, answer.remark)
    in_words = isinstance(gold.remark, Words) or isinstance(answer.remark, Words)
    if remark.same is False and in_words:
        remark = UNKNOWN
    return all_of((same(gold.value, answer.value), remark), "the same value and condition")


def one_qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """A value with a condition on one side: a remark in words is dropped, a case is not."""
    one, other = without_remark(gold, answer), without_harmless_remark(answer, gold)
    if (one, other) != (gold, answer):
        return same(one, other)
    if _says_of_letter(gold):
        return Finding(False, "the gold says something of a letter")
    if isinstance(answer, Qualified) and isinstance(answer.remark, Words):
        return Finding(False, "the answer says more than its value")
    match gold:
        case Qualified(_, Words(text)) if _is_other_measure(text, answer):
            return Finding(False, "the answer measures what the gold counts")
    sides = [node.value if isinstance(node, Qualified) else node for node in (gold, answer)]
    finding = same(*sides)
    return finding if finding.same is False else UNKNOWN
