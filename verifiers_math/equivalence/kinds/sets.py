"""Comparisons of sets of numbers, however they are given."""

from __future__ import annotations

from verifiers_math.equivalence.kinds import relations
from verifiers_math.equivalence.kinds.collections import compare_ordered, compare_unordered
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, any_of
from verifiers_math.equivalence.kinds.regions import (
    as_region,
    compare_regions,
    is_no_region,
    is_solved,
    readings,
)
from verifiers_math.equivalence.kinds.rewriting import renamed
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Listing,
    Node,
    Relation,
    SetBuilder,
    SetOperation,
    Symbol,
    is_expression,
    symbols,
)


def as_regions(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two sets of numbers, whatever their spelling."""
    if is_no_region(gold) and as_region(gold) is None:
        return Finding(False, "the gold is no set of numbers")
    if is_no_region(answer) and as_region(answer) is None:
        return Finding(False, "the answer is no set of numbers")
    regions = as_region(gold), as_region(answer)
    if regions[0] is None or regions[1] is None:
        return UNKNOWN
    return compare_regions(regions[0], regions[1], same)


def listed_region(gold: Node, answer: Node, same: Compare) -> Finding:
    r"""``(-\infty, -1) or (1, \infty)`` against a set of numbers: "or" unites intervals."""
    if isinstance(answer, Listing) and all(map(is_expression, answer.items)):
        return as_regions(gold, Brackets("{", "}", answer.items), same)
    if not isinstance(answer, Listing) or answer.joiner != "or":
        return Finding(False, "the gold is a set of numbers, the answer is a list")
    if not all(isinstance(item, Brackets) for item in answer.items):
        return Finding(False, "the gold is a set of numbers, the answer is a list")
    return as_regions(gold, SetOperation("union", answer.items), same)


def inequality_or_region(gold: Node, answer: Node, same: Compare) -> Finding:
    r"""``x + y > 2`` and ``x > 2 - y``; ``x > a`` and ``(a, \infty)``.

    Against a gold that is solved the answer has to be solved too.
    """
    region = as_region(gold)
    if region is not None and is_solved(region):
        return Finding(False, "the gold is solved, the answer is not")
    if isinstance(gold, Relation) and isinstance(answer, Relation):
        return relations.compare_inequalities(gold, answer, same)
    ways = [
        compare_regions(one, other, same) for one in readings(gold) for other in readings(answer)
    ]
    return any_of(ways, "not the same set of numbers")


def points_or_region(gold: Node, answer: Node, same: Compare) -> Finding:
    """``x = 1 or x = 2`` and a set of numbers."""
    sides = _values_as_set(gold), _values_as_set(answer)
    if sides[0] is None or sides[1] is None:
        return Finding(False, "values of several letters are no set of numbers")
    return as_regions(sides[0], sides[1], same)


def _values_as_set(node: Node) -> Node | None:
    found = relations.as_assignments(node)
    if found is None:
        return node
    if len({item.name for item in found}) != 1:
        return None
    return Brackets("{", "}", tuple(item.value for item in found))


def builders(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two sets by their conditions; bound letters may be renamed."""
    if not (isinstance(gold, SetBuilder) and isinstance(answer, SetBuilder)):
        return UNKNOWN
    names = _bound_letter(gold), _bound_letter(answer)
    if names[0] and names[1] and names[0] not in symbols(answer):
        return builders(gold, renamed(answer, {names[1]: names[0]}), same)
    element = same(gold.element, answer.element)
    return same(gold.condition, answer.condition) if element.same else UNKNOWN


def _bound_letter(node: SetBuilder) -> str:
    """The letter of ``{x | …}`` and ``{x in S | …}``; "" where it is an expression."""
    element = node.element
    if isinstance(element, Relation) and element.signs == ("in",):
        element = element.members[0]
    return element.name if isinstance(element, Symbol) else ""


def structures(gold: Node, answer: Node, same: Compare) -> Finding:
    r"""``A \cup B``, ``x \notin A``, ``A \to B``: by their parts."""
    match gold, answer:
        case Relation(), Relation():
            return relations.compare_members(gold, answer, same)
        case SetOperation(name, golds), SetOperation(other, answers):
            letters = all(isinstance(part, Symbol) for part in (*golds, *answers))
            if name != other:
                return Finding(False, "another operation on sets") if letters else UNKNOWN
            if name == "difference":
                finding = compare_ordered(golds, answers, same)
            else:
                finding = compare_unordered(golds, answers, same, as_sets=True)
            return finding if finding.same or letters else UNKNOWN
        case _:
            return UNKNOWN
