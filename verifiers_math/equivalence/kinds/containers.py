"""Comparisons of what holds several values: lists, sets, tuples, vectors."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.kinds.collections import (
    compare_ordered,
    compare_unordered,
    items_of,
)
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.matrices import (
    as_matrix,
    entries_of,
    is_vector,
    of_unit_vectors,
)
from verifiers_math.equivalence.kinds.regions import as_region
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Listing,
    Node,
    Number,
    Relation,
    Symbol,
    is_expression,
)

_ZERO: Node = Number(Fraction(0))


def ordered(gold: Node, answer: Node, same: Compare) -> Finding:
    """Item by item, in order; values of which one holds (``3 or 5``) are no tuple."""
    if any(isinstance(node, Listing) and node.joiner == "or" for node in (gold, answer)):
        return Finding(False, "one value or another is no tuple")
    return compare_ordered(_components(gold), _components(answer), same)


def _components(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Brackets | Listing) else (node,)


def as_sets(gold: Node, answer: Node, same: Compare) -> Finding:
    """In any order; repetitions count for nothing."""
    return compare_unordered(items_of(gold), items_of(answer), _as_items(same), as_sets=True)


def as_lists(gold: Node, answer: Node, same: Compare) -> Finding:
    """In any order, each as often as in the gold."""
    if _are_statements(gold, answer):
        return Finding(False, "one side says and, the other says or")
    return compare_unordered(items_of(gold), items_of(answer), _as_items(same), as_sets=False)


def _as_items(same: Compare) -> Compare:
    """The comparison of items, of which none is a set of the other: ``{3}`` is not 3 there."""

    def compare(gold: Node, answer: Node) -> Finding:
        for one, other in ((gold, answer), (answer, gold)):
            if isinstance(one, Brackets) and one.left == "{" and is_expression(other):
                return Finding(False, "a set is not its member")
        return same(gold, answer)

    return compare


def _are_statements(gold: Node, answer: Node) -> bool:
    """Whether both join statements, one by "or", the other not: letters, or inequalities."""
    if not (isinstance(gold, Listing) and isinstance(answer, Listing)):
        return False
    items, joiners = (*gold.items, *answer.items), {gold.joiner, answer.joiner}
    if all(isinstance(item, Symbol) for item in items):
        return joiners == {"and", "or"}
    return len(joiners) == 2 and "or" in joiners and all(map(_is_inequality, items))


def _is_inequality(node: Node) -> bool:
    return isinstance(node, Relation) and not {"<", ">", "<=", ">=", "!="}.isdisjoint(node.signs)


def as_spans(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two pairs in brackets: points or intervals, item by item; the brackets must agree."""
    if not (isinstance(gold, Brackets) and isinstance(answer, Brackets)):
        return UNKNOWN
    if (gold.left, gold.right) != (answer.left, answer.right) and not _falls(gold, answer):
        return Finding(False, "an end is open on one side and closed on the other")
    return ordered(gold, answer, same)


def _falls(gold: Brackets, answer: Brackets) -> bool:
    """Whether square brackets hold a larger number first: ``[3, 1]`` is a pair, and no interval."""
    both = {gold.left + gold.right, answer.left + answer.right} == {"()", "[]"}
    return both and gold.left == "[" and as_region(gold) is None


def vector_or_tuple(gold: Node, answer: Node, same: Compare) -> Finding:
    """A row or a column against a tuple or a list of its entries."""
    matrices = (as_matrix(gold), as_matrix(answer))
    if any(matrix is not None and not is_vector(matrix) for matrix in matrices):
        return Finding(False, "a matrix is not a list")
    return compare_ordered(_vector_items(gold), _vector_items(answer), same)


def unit_vectors(gold: Node, answer: Node, same: Compare) -> Finding:
    """``2i + 3j`` against a tuple or a column."""
    found = of_unit_vectors(gold), of_unit_vectors(answer)
    if found[0] is None and found[1] is None:
        return Finding(False, "a value is no vector")
    sides = [
        parts or _vector_items(node) for node, parts in zip((gold, answer), found, strict=True)
    ]
    longest = max(map(len, sides))
    padded = [
        side if parts is None else side + (_ZERO,) * (longest - len(side))
        for side, parts in zip(sides, found, strict=True)
    ]
    return compare_ordered(padded[0], padded[1], same)


def _vector_items(node: Node) -> tuple[Node, ...]:
    matrix = as_matrix(node)
    return _components(node) if matrix is None else entries_of(matrix)


def only_entry(gold: Node, answer: Node, same: Compare) -> Finding:
    """A matrix of one entry against a value."""
    sides: list[Node] = []
    for node in (gold, answer):
        matrix = as_matrix(node)
        entries = (node,) if matrix is None else entries_of(matrix)
        if len(entries) != 1:
            return unit_vectors(gold, answer, same)
        sides.append(entries[0])
    return same(*sides)


def all_equal(gold: Node, answer: Node, same: Compare) -> Finding:
    """One gold against several candidates: all have to be it, or equal to one that is."""
    candidates = items_of(answer)
    if not candidates:
        return Finding(False, "the answer is empty")
    findings = [same(gold, item) for item in candidates]
    if all(finding.same is False for finding in findings):
        return Finding(False, "none of the answer's values is the gold")
    chosen = next((at for at, finding in enumerate(findings) if finding.same), None)
    if chosen is not None:
        for at, finding in enumerate(findings):
            if finding.same is False:
                findings[at] = same(candidates[chosen], candidates[at])
    finding = all_of(findings, "every candidate is the gold")
    return Finding(False, "the answer holds several values") if finding.same is False else finding


def one_of_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """Several golds against one value: it counts where they are spellings of one value."""
    findings = [same(item, answer) for item in items_of(gold)]
    if not findings:
        return Finding(False, "the gold is empty")
    if any(finding.same is False for finding in findings):
        return Finding(False, "the answer holds one value of several")
    return all_of(findings, "every item of the gold is this value")
