"""Sets, lists, tuples and matrices: items compared in their order, or in any."""

from __future__ import annotations

from itertools import product

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.rewriting import expanded
from verifiers_math.equivalence.reader.tree import Brackets, Listing, Matrix, Node

MAX_PAIRINGS = 900
"""Comparisons of items in any order; longer collections must match by structure."""
MAX_EXPANDED = 64


def items_of(node: Node) -> tuple[Node, ...]:
    """The members of a set, a list or a tuple, with plus-minus signs expanded."""
    if isinstance(node, Brackets | Listing):
        items = node.items
    elif isinstance(node, Matrix):
        items = tuple(entry for row in node.rows for entry in row)
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
    gold_left, answer_left = _without_identical(gold, answer, as_sets=as_sets)
    if len(gold_left) * len(answer_left) > MAX_PAIRINGS:
        return UNKNOWN
    if not as_sets and len(gold) != len(answer):
        return Finding(False, f"{len(answer)} items for the gold's {len(gold)}")
    if as_sets:
        return _cover(gold, answer, gold_left, answer_left, same)
    return _pair_off(gold_left, answer_left, same)


def _without_identical(
    gold: tuple[Node, ...], answer: tuple[Node, ...], *, as_sets: bool
) -> tuple[list[Node], list[Node]]:
    """What is left of both sides without the items that are the same tree."""
    if as_sets:
        known = set(gold) & set(answer)
        return (
            [item for item in dict.fromkeys(gold) if item not in known],
            [item for item in dict.fromkeys(answer) if item not in known],
        )
    gold_left = list(gold)
    answer_left: list[Node] = []
    counts: dict[Node, int] = {}
    for item in gold_left:
        counts[item] = counts.get(item, 0) + 1
    for item in answer:
        if counts.get(item, 0):
            counts[item] -= 1
            gold_left.remove(item)
        else:
            answer_left.append(item)
    return gold_left, answer_left


def _pair_off(gold: list[Node], answer: list[Node], same: Compare) -> Finding:
    """A partner for every item of the gold."""
    rule = ""
    for item in gold:
        findings = [(same(item, other), other) for other in answer]
        partner = next(((found, other) for found, other in findings if found.same), None)
        if partner is None:
            if any(found.same is None for found, _ in findings):
                return UNKNOWN
            return Finding(False, "an item of the gold is missing")
        rule = rule or partner[0].rule
        answer.remove(partner[1])
    return Finding(True, "the same items", rule)


def _cover(
    gold: tuple[Node, ...],
    answer: tuple[Node, ...],
    gold_left: list[Node],
    answer_left: list[Node],
    same: Compare,
) -> Finding:
    """Every item of each side is somewhere in the other."""
    rule = ""
    for items, others, swap in ((gold_left, answer, False), (answer_left, gold, True)):
        for item in items:
            findings = [same(other, item) if swap else same(item, other) for other in others]
            found = next((finding for finding in findings if finding.same), None)
            if found is not None:
                rule = rule or found.rule
            elif any(finding.same is None for finding in findings):
                return UNKNOWN
            else:
                what = "an item too many" if swap else "an item of the gold is missing"
                return Finding(False, what)
    return Finding(True, "the same members", rule)


def compare_matrices(gold: Node, answer: Node, same: Compare) -> Finding:
    """Entry by entry; the shape counts."""
    if not (isinstance(gold, Matrix) and isinstance(answer, Matrix)):
        return UNKNOWN
    shapes = [(len(matrix.rows), len(matrix.rows[0])) for matrix in (gold, answer)]
    if shapes[0] != shapes[1]:
        return Finding(False, "the matrices have different shapes")
    entries = zip(gold.rows, answer.rows, strict=True)
    pairs = (same(a, b) for left, right in entries for a, b in zip(left, right, strict=True))
    return all_of(pairs, "the same entries")


def is_vector(node: Node) -> bool:
    """Whether a matrix is one row or one column."""
    return isinstance(node, Matrix) and (len(node.rows) == 1 or len(node.rows[0]) == 1)


def as_matrix(node: Node) -> Matrix | None:
    """``[[1, 2], [3, 4]]`` as a matrix."""
    if isinstance(node, Matrix):
        return node
    if not isinstance(node, Brackets) or node.left not in "[(":
        return None
    rows = [row.items for row in node.items if isinstance(row, Brackets) and row.left == "["]
    if len(rows) != len(node.items) or len({len(row) for row in rows}) != 1:
        return None
    return Matrix(tuple(rows))
