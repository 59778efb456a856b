"""Sets, lists and tuples: items compared in their order, or in any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.matrices import entries_of
from verifiers_math.equivalence.kinds.rewriting import expanded
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Listing,
    Matrix,
    Negative,
    Node,
    Number,
    Quotient,
    is_expression,
    symbols,
)
from verifiers_math.equivalence.sampling import approximate

MAX_PAIRINGS = 100
"""Comparisons of items in any order, once those with one exact value are paired off."""
MAX_ORDERED = 40
"""So many constants of a side are put in order, so that each is compared once."""
MAX_EXPANDED = 64
ORDER_DIGITS = 20


def items_of(node: Node) -> tuple[Node, ...]:
    """The members of a set, a list or a tuple, with plus-minus signs expanded."""
    if isinstance(node, Brackets | Listing):
        items = node.items
    elif isinstance(node, Matrix):
        items = entries_of(node)
    else:
        items = (node,)
    return tuple(value for item in items for value in spread(item))


def values_of(node: Node) -> tuple[Node, ...]:
    """The values that one name has: several in a list or a set, else one (a tuple is one)."""
    several = isinstance(node, Listing) or (isinstance(node, Brackets) and node.left == "{")
    return items_of(node) if several else spread(node)


def spread(item: Node) -> tuple[Node, ...]:
    """The values of one item: a tuple's components choose their signs independently."""
    if isinstance(item, Brackets) and item.left != "{":
        choices = [expanded(part) for part in item.items]
        count = 1
        for choice in choices:
            count *= len(choice)
        if 1 < count <= MAX_EXPANDED:
            return tuple(Brackets(item.left, item.right, parts) for parts in product(*choices))
        return (item,)
    return expanded(item)


def compare_ordered(gold: tuple[Node, ...], answer: tuple[Node, ...], same: Compare) -> Finding:
    """Item by item, in order."""
    if len(gold) != len(answer):
        return Finding(False, f"{len(answer)} items for the gold's {len(gold)}")
    pairs = (same(left, right) for left, right in zip(gold, answer, strict=True))
    return all_of(pairs, "the same items in the same order")


def compare_unordered(
    gold: tuple[Node, ...], answer: tuple[Node, ...], same: Compare, *, as_sets: bool
) -> Finding:
    """Each item of one side is one of the other; nothing missing, nothing added.

    Args:
        gold: The gold's items.
        answer: The answer's items.
        same: Compares two items.
        as_sets: Whether repetitions count for nothing.
    """
    if as_sets:
        gold, answer = _distinct(gold), _distinct(answer)
    elif len(gold) != len(answer):
        return Finding(False, f"{len(answer)} items for the gold's {len(gold)}")
    gold_left, answer_left = _unpaired(gold, answer), _unpaired(answer, gold)
    if not gold_left and not answer_left:
        return Finding(True, "the same items")
    if all(map(_is_exact, (*gold, *answer))):  # nothing but an equal value can be a partner
        missing = "an item of the gold is missing"
        return Finding(False, missing if gold_left else "the answer has an item too many")
    if len(gold_left) == len(answer_left):
        finding = _in_order_of_size(gold_left, answer_left, same)
        if finding.same or (finding.same is False and not as_sets):
            return finding
    if as_sets:
        return _cover(gold_left, answer_left, gold, answer, same)
    return _pair_off(gold_left, answer_left, same)


def _is_exact(node: Node) -> bool:
    return isinstance(node, Number) and node.places is None


def _key(node: Node) -> Hashable:
    """A key that only nodes of one exact value share, whatever the policy."""
    match node:
        case Number(value):
            return value
        case Negative(Number(value)):
            return -value
        case Quotient(Number(top), Number(bottom)) if bottom:
            return Fraction(top, bottom)
        case Brackets(left, right, items):
            return left, right, tuple(map(_key, items))
        case _:
            return node


def _distinct(items: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple({_key(item): item for item in reversed(items)}.values())[::-1]


def _unpaired(items: tuple[Node, ...], others: tuple[Node, ...]) -> list[Node]:
    """The items without those that have the exact value of one of the others."""
    left = Counter(map(_key, others))
    unpaired: list[Node] = []
    for item in items:
        key = _key(item)
        if left[key]:
            left[key] -= 1
        else:
            unpaired.append(item)
    return unpaired


def _in_order_of_size(gold: list[Node], answer: list[Node], same: Compare) -> Finding:
    """Real constants, smallest first: each is compared with its only possible partner."""
    if max(len(gold), len(answer)) > MAX_ORDERED:
        return UNKNOWN
    ranked = [_by_size(items) for items in (gold, answer)]
    if ranked[0] is None or ranked[1] is None:
        return UNKNOWN
    pairs = (same(a, b) for a, b in zip(ranked[0], ranked[1], strict=True))
    finding = all_of(pairs, "the same items")
    return Finding(False, "an item of the gold is missing") if finding.same is False else finding


def _by_size(items: list[Node]) -> list[Node] | None:
    sizes: list[tuple[Fraction, int]] = []
    for at, item in enumerate(items):
        if not is_expression(item) or symbols(item):
            return None
        size = approximate(item, ORDER_DIGITS)
        if size is None:
            return None
        sizes.append((size, at))
    return [items[at] for _, at in sorted(sizes)]


def _pair_off(gold: list[Node], answer: list[Node], same: Compare) -> Finding:
    """A partner for every item of the gold."""
    if len(gold) * len(answer) > MAX_PAIRINGS:
        return UNKNOWN
    return all_of(_partners(gold, answer, same, used=True), "the same items")


def _cover(
    gold_left: list[Node],
    answer_left: list[Node],
    gold: tuple[Node, ...],
    answer: tuple[Node, ...],
    same: Compare,
) -> Finding:
    """Every item of each side is somewhere in the other."""
    if len(gold_left) * len(answer) + len(answer_left) * len(gold) > 2 * MAX_PAIRINGS:
        return UNKNOWN
    missing = all_of(_partners(gold_left, list(answer), same), "the same members")
    if missing.same is False:
        return missing

    def swapped(first: Node, second: Node) -> Finding:
        return same(second, first)

    added = all_of(_partners(answer_left, list(gold), swapped), "the same members")
    if added.same is False:
        return Finding(False, "the answer has an item too many")
    return all_of((missing, added), "the same members")


def _partners(
    items: list[Node], others: list[Node], same: Compare, *, used: bool = False
) -> Iterator[Finding]:
    """What is found about each item: its partner among the others, or that it has none."""
    for item in items:
        known = True
        for at, other in enumerate(others):
            finding = same(item, other)
            if finding.same:
                if used:
                    del others[at]
                yield finding
                break
            known = known and finding.same is False
        else:
            yield Finding(False, "an item of the gold is missing") if known else UNKNOWN
