"""Which comparison two trees get: a table from the kinds of both sides to a function."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial

from verifiers_math.equivalence.kinds import relations
from verifiers_math.equivalence.kinds.collections import (
    as_matrix,
    compare_matrices,
    compare_ordered,
    compare_unordered,
    is_vector,
    items_of,
)
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, any_of
from verifiers_math.equivalence.kinds.preparation import (
    alternatives,
    prepare,
    with_signs_expanded,
    without_approximation,
)
from verifiers_math.equivalence.kinds.regions import as_region, compare_regions, is_unbounded
from verifiers_math.equivalence.kinds.values import (
    compare_congruences,
    compare_ratios,
    compare_values,
)
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Ellipsis,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Operator,
    Qualified,
    Ratio,
    Relation,
    SetBuilder,
    SetOperation,
    Words,
    walk,
)


class Kind(Enum):
    """What an answer is, as far as its own text tells."""

    VALUE = "a value"
    ASSIGNMENT = "an assignment"
    ASSIGNMENTS = "several assignments"
    EQUATION = "an equation"
    INEQUALITY = "an inequality"
    REGION = "a set of numbers"
    SPAN = "a pair in brackets"
    TUPLE = "a tuple"
    SET = "a set"
    LIST = "a list"
    SEQUENCE = "a list with an ellipsis"
    MATRIX = "a matrix"
    RATIO = "a ratio"
    CONGRUENCE = "a residue class"
    NAMED_SET = "a named set"
    WORDS = "words"
    OTHER = "something else"


Comparison = Callable[[Node, Node, Compare], Finding]


def compare_trees(gold: Node, answer: Node, policy: Policy) -> Finding:
    """Compares two answers as they were read, gold first.

    Args:
        gold: The gold's tree.
        answer: The answer's tree.
        policy: What counts as the same.
    """
    value, stated = without_approximation(answer)
    if stated is not None and _compare(stated, value, policy).same is False:
        return Finding(False, "the answer's decimal is not its exact value")
    findings = (_compare(*prepare(it, value), policy) for it in alternatives(gold))
    return any_of(findings)


def _compare(gold: Node, answer: Node, policy: Policy) -> Finding:
    gold, answer = with_signs_expanded(gold), with_signs_expanded(answer)
    if gold == answer and not _holds_unevaluated(answer):
        return Finding(True, "the same structure")
    kinds = kind_of(gold), kind_of(answer)
    same = partial(_compare, policy=policy)
    if kinds == (Kind.VALUE, Kind.VALUE):
        return compare_values(gold, answer, policy)
    comparison = _TABLE.get(kinds)
    if comparison is not None:
        return comparison(gold, answer, same)
    if Kind.OTHER in kinds:
        return UNKNOWN
    return Finding(False, f"the gold is {kinds[0].value}, the answer is {kinds[1].value}")


def _holds_unevaluated(node: Node) -> bool:
    return any(isinstance(found, Operator) for found in walk(node))


# --- kinds -------------------------------------------------------------------------------------


def kind_of(node: Node) -> Kind:
    """The kind of an answer."""
    match node:
        case Relation():
            return _kind_of_relation(node)
        case Listing():
            return _kind_of_listing(node)
        case Brackets():
            return _kind_of_brackets(node)
        case Matrix(determinant=False):
            return Kind.MATRIX
        case SetBuilder() | SetOperation():
            return Kind.REGION if as_region(node) is not None else Kind.OTHER
        case NamedSet():
            return Kind.REGION if as_region(node) is not None else Kind.NAMED_SET
        case Ratio():
            return Kind.RATIO
        case Words():
            return Kind.WORDS
        case Call("pmod"):
            return Kind.CONGRUENCE
        case Ellipsis():
            return Kind.WORDS
        case Qualified() | Matrix():
            return Kind.OTHER
        case _:
            return Kind.OTHER if _is_opaque(node) else Kind.VALUE


def _is_opaque(node: Node) -> bool:
    """Whether a value holds what cannot be evaluated."""
    return any(
        isinstance(
            found,
            Operator | Words | Matrix | Brackets | Relation | Listing | Ellipsis | NamedSet,
        )
        for found in walk(node)
    )


def _kind_of_relation(node: Relation) -> Kind:
    if set(node.signs) == {"="}:
        found = relations.as_assignments(node)
        if found is None:
            return Kind.EQUATION
        return Kind.ASSIGNMENT if len(found) == 1 else Kind.ASSIGNMENTS
    if node.signs == ("in",) and as_region(node) is None:
        return Kind.OTHER
    if set(node.signs) <= {"<", ">", "<=", ">=", "!=", "in"}:
        return Kind.REGION if as_region(node) is not None else Kind.INEQUALITY
    return Kind.OTHER


def _kind_of_listing(node: Listing) -> Kind:
    if any(isinstance(item, Ellipsis) for item in node.items):
        return Kind.SEQUENCE
    if any(isinstance(item, Relation) for item in node.items):
        if relations.as_assignments(node) is not None:
            return Kind.ASSIGNMENTS
        if as_region(node) is not None:
            return Kind.REGION
    return Kind.LIST


def _kind_of_brackets(node: Brackets) -> Kind:
    if any(isinstance(item, Ellipsis) for item in node.items):
        return Kind.SEQUENCE
    if as_matrix(node) is not None:
        return Kind.MATRIX
    if node.left == "{":
        return Kind.SET
    if node.left == "(" and relations.as_assignments(node):
        return Kind.ASSIGNMENTS
    if len(node.items) == 2 and node.left in "([]" and node.right in ")][":
        region = as_region(node)
        half_open = (node.left, node.right) not in (("(", ")"), ("[", "]"))
        if region is not None and (half_open or is_unbounded(region)):
            return Kind.REGION
        return Kind.SPAN
    return Kind.TUPLE if (node.left, node.right) != ("[", "]") else Kind.LIST


# --- comparisons -------------------------------------------------------------------------------


def _ordered(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_ordered(_components(gold), _components(answer), same)


def _components(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Matrix):
        return tuple(entry for row in node.rows for entry in row)
    return node.items if isinstance(node, Brackets | Listing) else (node,)


def _sets(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_unordered(items_of(gold), items_of(answer), same, as_sets=True)


def _lists(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_unordered(items_of(gold), items_of(answer), same, as_sets=False)


def _spans(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two pairs in brackets: points or intervals, item by item; the brackets must agree."""
    if not (isinstance(gold, Brackets) and isinstance(answer, Brackets)):
        return UNKNOWN
    if (gold.left, gold.right) != (answer.left, answer.right):
        return Finding(False, "an end is open on one side and closed on the other")
    return _ordered(gold, answer, same)


def _regions(gold: Node, answer: Node, same: Compare) -> Finding:
    regions = as_region(gold), as_region(answer)
    if regions[0] is None or regions[1] is None:
        return UNKNOWN
    return compare_regions(regions[0], regions[1], same)


def _inequalities(gold: Node, answer: Node, same: Compare) -> Finding:
    return relations.compare_inequalities(gold, answer, same)


def _vector_or_list(gold: Node, answer: Node, same: Compare) -> Finding:
    matrix = gold if isinstance(gold, Matrix) else answer
    if not is_vector(matrix):
        return Finding(False, "a matrix is not a list")
    return _ordered(gold, answer, same)


def _all_equal(gold: Node, answer: Node, same: Compare) -> Finding:
    """One gold against several candidates: all have to be it."""
    findings = [same(gold, item) for item in items_of(answer)]
    if not findings:
        return Finding(False, "the answer is empty")
    if all(finding.same for finding in findings):
        return Finding(True, "every candidate is the gold")
    if any(finding.same is False for finding in findings):
        return Finding(False, "the answer holds several values")
    return UNKNOWN


def _single(gold: Node, answer: Node, same: Compare) -> Finding:
    """Several golds against one value: it counts where they are spellings of one value."""
    if not items_of(gold):
        return Finding(False, "the gold is empty")
    findings = [same(item, answer) for item in items_of(gold)]
    if all(finding.same for finding in findings):
        return Finding(True, "every item of the gold is this value")
    return Finding(False, "the answer holds one value of several")


def _assigned_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold ``name = value`` is matched by the value alone."""
    found = relations.as_assignment(gold)
    return UNKNOWN if found is None else same(found.value, answer)


def _assigned_answer(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignment(answer)
    if found is None:
        return UNKNOWN
    if not relations.links_hold(found, same):
        return Finding(False, "the members of the answer's chain are not equal")
    return same(gold, found.value)


def _assignments(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(gold), relations.as_assignments(answer)
    if found[0] is None or found[1] is None:
        return UNKNOWN
    if any(not relations.links_hold(item, same) for item in found[1]):
        return Finding(False, "the members of the answer's chain are not equal")
    by_name = relations.compare_assignments(found[0], found[1], same)
    if by_name.same or not relations.may_be_one_curve(found[0], found[1]):
        return by_name
    return any_of([by_name, relations.compare_equations(gold, answer, same)], by_name.detail)


def _equation_for_assignment(gold: Node, answer: Node, same: Compare) -> Finding:
    """``y = 2x + 3`` may be written as any equation of the curve; ``x = 4`` only as it stands."""
    found = relations.as_assignment(gold)
    if found is None or relations.is_solved(found):
        return Finding(False, "the answer is an equation, not the value")
    finding = relations.compare_equations(gold, answer, same)
    if finding.same is not False or not isinstance(answer, Relation):
        return finding
    return finding if relations.contradicts_curve(found, answer) else UNKNOWN


def _value_of_chain(gold: Node, answer: Node, same: Compare) -> Finding:
    """A value against an equation: only a true chain of constants gives one."""
    if not isinstance(answer, Relation):
        return UNKNOWN
    value = relations.chain_value(answer, same)
    if value is None:
        return Finding(False, "the answer is an equation, and its left side names nothing")
    return same(gold, value)


def _values_of_names(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(answer)
    return (
        UNKNOWN if found is None else relations.compare_with_values(found, gold, same, swapped=True)
    )


def _names_of_values(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(gold)
    return (
        UNKNOWN
        if found is None
        else relations.compare_with_values(found, answer, same, swapped=False)
    )


def _matrices(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_matrices(as_matrix(gold) or gold, as_matrix(answer) or answer, same)


_K = Kind
_POINTS = (_K.SPAN, _K.TUPLE, _K.LIST, _K.SET)
_TABLE: dict[tuple[Kind, Kind], Comparison] = {
    (_K.SPAN, _K.SPAN): _spans,
    (_K.TUPLE, _K.TUPLE): _ordered,
    (_K.SPAN, _K.TUPLE): _ordered,
    (_K.TUPLE, _K.SPAN): _ordered,
    (_K.SET, _K.SET): _sets,
    (_K.LIST, _K.LIST): _lists,
    (_K.SET, _K.LIST): _sets,
    (_K.LIST, _K.SET): _sets,
    (_K.SPAN, _K.LIST): _ordered,
    (_K.LIST, _K.SPAN): _ordered,
    (_K.TUPLE, _K.LIST): _ordered,
    (_K.LIST, _K.TUPLE): _ordered,
    (_K.SEQUENCE, _K.SEQUENCE): _ordered,
    (_K.MATRIX, _K.MATRIX): _matrices,
    (_K.RATIO, _K.RATIO): compare_ratios,
    (_K.RATIO, _K.VALUE): compare_ratios,
    (_K.VALUE, _K.RATIO): compare_ratios,
    (_K.CONGRUENCE, _K.CONGRUENCE): compare_congruences,
    (_K.REGION, _K.REGION): _regions,
    (_K.REGION, _K.SPAN): _regions,
    (_K.SPAN, _K.REGION): _regions,
    (_K.REGION, _K.SET): _regions,
    (_K.SET, _K.REGION): _regions,
    (_K.INEQUALITY, _K.INEQUALITY): _inequalities,
    (_K.EQUATION, _K.EQUATION): relations.compare_equations,
    (_K.EQUATION, _K.ASSIGNMENT): relations.compare_equations,
    (_K.ASSIGNMENT, _K.EQUATION): _equation_for_assignment,
    (_K.ASSIGNMENT, _K.ASSIGNMENT): _assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENTS): _assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENT): _assignments,
    (_K.ASSIGNMENT, _K.ASSIGNMENTS): _assignments,
    (_K.VALUE, _K.EQUATION): _value_of_chain,
    (_K.VALUE, _K.LIST): _all_equal,
    (_K.VALUE, _K.SET): _all_equal,
    (_K.LIST, _K.VALUE): _single,
    (_K.SET, _K.VALUE): _single,
}
for _other in (_K.SPAN, _K.TUPLE, _K.LIST):
    _TABLE[(_K.MATRIX, _other)] = _vector_or_list
    _TABLE[(_other, _K.MATRIX)] = _vector_or_list
for _other in _POINTS:
    _TABLE[(_other, _K.ASSIGNMENTS)] = _values_of_names
    _TABLE[(_K.ASSIGNMENTS, _other)] = _names_of_values
for _other in (*_POINTS, _K.VALUE, _K.MATRIX, _K.REGION, _K.RATIO, _K.CONGRUENCE, _K.NAMED_SET):
    _TABLE[(_other, _K.ASSIGNMENT)] = _assigned_answer
    _TABLE[(_K.ASSIGNMENT, _other)] = _assigned_gold
