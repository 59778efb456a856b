"""Which comparison two trees get: a table from the kinds of both sides to a function."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verifiers_math.equivalence.kinds import relations
from verifiers_math.equivalence.kinds.classify import Kind, kind_of
from verifiers_math.equivalence.kinds.collections import (
    compare_ordered,
    compare_unordered,
    items_of,
)
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of, any_of
from verifiers_math.equivalence.kinds.matrices import (
    as_matrix,
    compare_matrices,
    entries_of,
    is_vector,
    of_unit_vectors,
)
from verifiers_math.equivalence.kinds.preparation import (
    alternatives,
    prepare,
    with_signs_expanded,
    without_approximation,
    without_remark,
)
from verifiers_math.equivalence.kinds.regions import (
    as_region,
    compare_regions,
    is_no_region,
    is_solved,
    readings,
)
from verifiers_math.equivalence.kinds.rewriting import renamed
from verifiers_math.equivalence.kinds.values import (
    compare_congruences,
    compare_ratios,
    compare_values,
    rounds_to,
)
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Listing,
    Node,
    Number,
    Operator,
    Qualified,
    Relation,
    SetBuilder,
    SetOperation,
    Symbol,
    Words,
    symbols,
    walk,
)

Comparison = Callable[[Node, Node, Compare], Finding]

_ZERO: Node = Number(Fraction(0))
MAX_COMPARISONS = 400
"""Values and structures compared for one pair of answers."""
MAX_EVALUATED = 60
"""Of these, pairs of values that are not both plain numbers, and have to be evaluated."""


class _Comparer:
    """Compares two nodes by their kinds; bounded in all by a number of comparisons."""

    def __init__(self, policy: Policy, integers: frozenset[str] = frozenset()) -> None:
        self._policy = policy
        self._integers = integers
        self._compared = self._evaluated = 0

    def __call__(self, gold: Node, answer: Node) -> Finding:
        """Compares two nodes, gold first."""
        self._compared += 1
        if self._compared > MAX_COMPARISONS:
            return UNKNOWN
        gold, answer = with_signs_expanded(gold), with_signs_expanded(answer)
        if gold == answer and not _holds_unevaluated(answer):
            return Finding(True, "the same structure")
        kinds = kind_of(gold), kind_of(answer)
        if kinds == (Kind.VALUE, Kind.VALUE):
            return self._values(gold, answer)
        comparison = _TABLE.get(kinds)
        if comparison is not None:
            return self._by(comparison, gold, answer)
        if Kind.OTHER in kinds:
            return UNKNOWN
        return Finding(False, f"the gold is {kinds[0].value}, the answer is {kinds[1].value}")

    def _by(self, comparison: Comparison, gold: Node, answer: Node) -> Finding:
        """Runs a comparison; of parts that belong together none may move along its family."""
        return comparison(gold, answer, self if comparison in _BY_ITEM else self.together)

    def together(self, gold: Node, answer: Node) -> Finding:
        """Compares two nodes that belong to others, gold first."""
        integers, self._integers = self._integers, frozenset()
        finding = self(gold, answer)
        self._integers = integers
        return finding

    def _values(self, gold: Node, answer: Node) -> Finding:
        if not (isinstance(gold, Number) and isinstance(answer, Number)):
            self._evaluated += 1
            if self._evaluated > MAX_EVALUATED:
                return UNKNOWN
        return compare_values(gold, answer, self._policy, self._integers)


def _without_families(same: Compare) -> Compare:
    """The comparison for parts that belong together, none of which may move alone."""
    return same.together if isinstance(same, _Comparer) else same


def compare_trees(gold: Node, answer: Node, policy: Policy) -> Finding:
    """Compares two answers as they were read, gold first.

    Args:
        gold: The gold's tree.
        answer: The answer's tree.
        policy: What counts as the same.
    """
    value, decimals = without_approximation(answer)
    if any(not _agrees(value, decimal, policy) for decimal in decimals):
        return Finding(False, "the answer's decimal is not its exact value")
    return any_of(_compare(spelling, value, policy) for spelling in alternatives(gold))


def _compare(gold: Node, answer: Node, policy: Policy) -> Finding:
    gold, answer, integers, conflict = prepare(gold, answer)
    return Finding(False, conflict) if conflict else _Comparer(policy, integers)(gold, answer)


def _agrees(exact: Node, decimal: Node, policy: Policy) -> bool:
    """Whether a decimal behind an approximation sign is not disproved by the exact value."""
    if isinstance(exact, Relation):
        exact = exact.members[-1]
    return rounds_to(exact, decimal) or _compare(decimal, exact, policy).same is not False


def _holds_unevaluated(node: Node) -> bool:
    return any(isinstance(found, Operator) for found in walk(node))


# --- sets, lists, tuples, matrices -------------------------------------------------------------


def _ordered(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_ordered(_components(gold), _components(answer), same)


def _components(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Brackets | Listing) else (node,)


def _sets(gold: Node, answer: Node, same: Compare) -> Finding:
    return compare_unordered(items_of(gold), items_of(answer), same, as_sets=True)


def _lists(gold: Node, answer: Node, same: Compare) -> Finding:
    if _are_statements(gold, answer):
        return Finding(False, "one side says and, the other says or")
    return compare_unordered(items_of(gold), items_of(answer), same, as_sets=False)


def _are_statements(gold: Node, answer: Node) -> bool:
    """Whether both join letters, which may be statements, one by "and", the other by "or"."""
    if not (isinstance(gold, Listing) and isinstance(answer, Listing)):
        return False
    letters = all(isinstance(item, Symbol) for item in (*gold.items, *answer.items))
    return letters and {gold.joiner, answer.joiner} == {"and", "or"}


def _spans(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two pairs in brackets: points or intervals, item by item; the brackets must agree."""
    if not (isinstance(gold, Brackets) and isinstance(answer, Brackets)):
        return UNKNOWN
    if (gold.left, gold.right) != (answer.left, answer.right):
        return Finding(False, "an end is open on one side and closed on the other")
    return _ordered(gold, answer, same)


def _vector_or_list(gold: Node, answer: Node, same: Compare) -> Finding:
    """A row or a column against a tuple or a list of its entries."""
    matrices = (as_matrix(gold), as_matrix(answer))
    if any(matrix is not None and not is_vector(matrix) for matrix in matrices):
        return Finding(False, "a matrix is not a list")
    return compare_ordered(_vector_items(gold), _vector_items(answer), same)


def _unit_vectors(gold: Node, answer: Node, same: Compare) -> Finding:
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


def _only_entry(gold: Node, answer: Node, same: Compare) -> Finding:
    """A matrix of one entry against a value."""
    sides: list[Node] = []
    for node in (gold, answer):
        matrix = as_matrix(node)
        entries = (node,) if matrix is None else entries_of(matrix)
        if len(entries) != 1:
            return _unit_vectors(gold, answer, same)
        sides.append(entries[0])
    return same(*sides)


def _all_equal(gold: Node, answer: Node, same: Compare) -> Finding:
    """One gold against several candidates: all have to be it."""
    findings = [same(gold, item) for item in items_of(answer)]
    if not findings:
        return Finding(False, "the answer is empty")
    if any(finding.same is False for finding in findings):
        return Finding(False, "the answer holds several values")
    return all_of(findings, "every candidate is the gold")


def _single(gold: Node, answer: Node, same: Compare) -> Finding:
    """Several golds against one value: it counts where they are spellings of one value."""
    findings = [same(item, answer) for item in items_of(gold)]
    if not findings:
        return Finding(False, "the gold is empty")
    if any(finding.same is False for finding in findings):
        return Finding(False, "the answer holds one value of several")
    return all_of(findings, "every item of the gold is this value")


# --- sets of numbers ---------------------------------------------------------------------------


def _regions(gold: Node, answer: Node, same: Compare) -> Finding:
    if is_no_region(gold) and as_region(gold) is None:
        return Finding(False, "the gold is no set of numbers")
    if is_no_region(answer) and as_region(answer) is None:
        return Finding(False, "the answer is no set of numbers")
    regions = as_region(gold), as_region(answer)
    if regions[0] is None or regions[1] is None:
        return UNKNOWN
    return compare_regions(regions[0], regions[1], same)


def _inequalities(gold: Node, answer: Node, same: Compare) -> Finding:
    return relations.compare_inequalities(gold, answer, same)


def _inequality_or_region(gold: Node, answer: Node, same: Compare) -> Finding:
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


def _points_or_region(gold: Node, answer: Node, same: Compare) -> Finding:
    """``x = 1 or x = 2`` and a set of numbers."""
    sides = _values_as_set(gold), _values_as_set(answer)
    if sides[0] is None or sides[1] is None:
        return Finding(False, "values of several letters are no set of numbers")
    return _regions(sides[0], sides[1], same)


def _values_as_set(node: Node) -> Node | None:
    found = relations.as_assignments(node)
    if found is None:
        return node
    if len({item.name for item in found}) != 1:
        return None
    return Brackets("{", "}", tuple(item.value for item in found))


def _builders(gold: Node, answer: Node, same: Compare) -> Finding:
    """Two sets by their conditions; bound letters may be renamed."""
    if not (isinstance(gold, SetBuilder) and isinstance(answer, SetBuilder)):
        return UNKNOWN
    names = _bound_letter(gold), _bound_letter(answer)
    if names[0] and names[1] and names[0] not in symbols(answer):
        return _builders(gold, renamed(answer, {names[1]: names[0]}), same)
    element = same(gold.element, answer.element)
    return same(gold.condition, answer.condition) if element.same else UNKNOWN


def _bound_letter(node: SetBuilder) -> str:
    """The letter of ``{x | …}`` and ``{x in S | …}``; "" where it is an expression."""
    element = node.element
    if isinstance(element, Relation) and element.signs == ("in",):
        element = element.members[0]
    return element.name if isinstance(element, Symbol) else ""


def _structures(gold: Node, answer: Node, same: Compare) -> Finding:
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


# --- names and equations -----------------------------------------------------------------------


def _assigned_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold ``name = value`` is matched by the value alone."""
    found = relations.as_assignments(gold)
    if found is None or len(found) != 1:
        return UNKNOWN
    if _is_point_for_region(found[0], answer):
        return Finding(False, "a point is no set of numbers")
    if relations.holds_equations(answer):
        return _lists(gold, answer, same)
    several = relations.spelled_out(gold) or found
    if len(several) > 1 and isinstance(answer, Brackets | Listing):
        return relations.compare_with_values(several, answer, same, swapped=False)
    return same(found[0].value, answer)


def _is_point_for_region(assignment: relations.Assignment, other: Node) -> bool:
    """Whether ``(x, y) = (3, 4)`` stands against a set of numbers, which ``(3, 4)`` may be."""
    return "," in assignment.name and kind_of(other) is Kind.REGION


def _assigned_answer(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(answer)
    if found is None or len(found) != 1:
        return UNKNOWN
    if not relations.links_hold(found[0], same):
        return Finding(False, "the members of the answer's chain are not equal")
    if _is_point_for_region(found[0], gold):
        return Finding(False, "a point is no set of numbers")
    if relations.holds_equations(gold):
        return _lists(gold, answer, same)
    several = relations.spelled_out(answer) or found
    if len(several) > 1 and isinstance(gold, Brackets | Listing):
        return relations.compare_with_values(several, gold, same, swapped=True)
    return same(gold, found[0].value)


def _assignments(gold: Node, answer: Node, same: Compare) -> Finding:
    golds, answers = relations.as_assignments(gold), relations.as_assignments(answer)
    if golds is None or answers is None:
        return UNKNOWN
    if any(not relations.links_hold(item, same) for item in answers):
        return Finding(False, "the members of the answer's chain are not equal")
    if len(golds) != len(answers):
        golds = relations.spelled_out(gold) or golds
        answers = relations.spelled_out(answer) or answers
    names = {item.name for item in (*golds, *answers)}
    together = same if len(names) == 1 else _without_families(same)
    by_name = relations.compare_assignments(golds, answers, together)
    if by_name.same or not relations.may_be_one_curve(golds, answers):
        return by_name
    return any_of([by_name, relations.compare_equations(gold, answer, same)], by_name.detail)


def _equation_for_assignment(gold: Node, answer: Node, same: Compare) -> Finding:
    """``y = 2x + 3`` may be written as any equation of the curve; ``x = 4`` only as it stands."""
    found = relations.as_assignment(gold)
    if found is None or relations.is_solved(found):
        if relations.compare_members(gold, answer, same).same:
            return Finding(True, "the same equation, member by member")
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


def _chain_of_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold ``5 + 6 = 11`` is matched by 11."""
    if not isinstance(gold, Relation):
        return UNKNOWN
    value = relations.chain_value(gold, same)
    if value is None:
        return Finding(False, "the gold is an equation, the answer is a value")
    return same(value, answer)


def _values_of_names(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(answer)
    if found is None:
        return UNKNOWN
    if relations.holds_equations(gold):
        return _lists(gold, answer, same)
    return relations.compare_with_values(found, gold, same, swapped=True)


def _names_of_values(gold: Node, answer: Node, same: Compare) -> Finding:
    found = relations.as_assignments(gold)
    if found is None:
        return UNKNOWN
    if relations.holds_equations(answer):
        return _lists(gold, answer, same)
    return relations.compare_with_values(found, answer, same, swapped=False)


# --- words and remarks -------------------------------------------------------------------------


def _words(gold: Node, answer: Node, same: Compare) -> Finding:
    if not (isinstance(gold, Words) and isinstance(answer, Words)):
        return Finding(False, "an ellipsis is no word")
    equal = normalize(gold.text).lower() == normalize(answer.text).lower()
    return Finding(equal, "the same words" if equal else "the words are not the same")


def _qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """Values with conditions: both have to agree, words for words and relations for relations."""
    if not (isinstance(gold, Qualified) and isinstance(answer, Qualified)):
        return UNKNOWN
    remark = same(gold.remark, answer.remark)
    in_words = isinstance(gold.remark, Words) or isinstance(answer.remark, Words)
    if remark.same is False and in_words:
        remark = UNKNOWN
    return all_of((same(gold.value, answer.value), remark), "the same value and condition")


def _one_qualified(gold: Node, answer: Node, same: Compare) -> Finding:
    """A value with a condition on one side: a remark in words is dropped, a case is not."""
    one, other = without_remark(gold), without_remark(answer)
    if (one, other) != (gold, answer):
        return same(one, other)
    sides = [node.value if isinstance(node, Qualified) else node for node in (gold, answer)]
    finding = same(*sides)
    return finding if finding.same is False else UNKNOWN


# --- the table ---------------------------------------------------------------------------------

_K = Kind
_POINTS = (_K.SPAN, _K.TUPLE, _K.LIST, _K.SET)
_RANGES = (_K.REGION, _K.SPAN)
_BARE = (
    *_POINTS,
    _K.VALUE,
    _K.MATRIX,
    _K.REGION,
    _K.RATIO,
    _K.CONGRUENCE,
    _K.NAMED_SET,
    _K.SEQUENCE,
    _K.BUILDER,
    _K.DETERMINANT,
)
_TABLE: dict[tuple[Kind, Kind], Comparison] = {
    (_K.SPAN, _K.SPAN): _spans,
    (_K.SET, _K.SET): _sets,
    (_K.SET, _K.LIST): _sets,
    (_K.LIST, _K.SET): _sets,
    (_K.LIST, _K.LIST): _lists,
    (_K.SEQUENCE, _K.SEQUENCE): _ordered,
    (_K.MATRIX, _K.MATRIX): compare_matrices,
    (_K.RATIO, _K.RATIO): compare_ratios,
    (_K.RATIO, _K.VALUE): compare_ratios,
    (_K.VALUE, _K.RATIO): compare_ratios,
    (_K.CONGRUENCE, _K.CONGRUENCE): compare_congruences,
    (_K.REGION, _K.REGION): _regions,
    (_K.REGION, _K.SPAN): _regions,
    (_K.SPAN, _K.REGION): _regions,
    (_K.REGION, _K.SET): _regions,
    (_K.SET, _K.REGION): _regions,
    (_K.BUILDER, _K.BUILDER): _builders,
    (_K.INEQUALITY, _K.INEQUALITY): _inequalities,
    (_K.EQUATION, _K.EQUATION): relations.compare_equations,
    (_K.EQUATION, _K.ASSIGNMENT): relations.compare_equations,
    (_K.ASSIGNMENT, _K.EQUATION): _equation_for_assignment,
    (_K.ASSIGNMENT, _K.ASSIGNMENT): _assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENTS): _assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENT): _assignments,
    (_K.ASSIGNMENT, _K.ASSIGNMENTS): _assignments,
    (_K.VALUE, _K.EQUATION): _value_of_chain,
    (_K.EQUATION, _K.VALUE): _chain_of_gold,
    (_K.WORDS, _K.WORDS): _words,
    (_K.QUALIFIED, _K.QUALIFIED): _qualified,
    (_K.OTHER, _K.OTHER): _structures,
}


def _add(one: Kind, others: tuple[Kind, ...], comparison: Comparison) -> None:
    """Enters a comparison that takes its two kinds in any order."""
    for other in others:
        _TABLE[(one, other)] = _TABLE[(other, one)] = comparison


def _enter(gold: tuple[Kind, ...], answer: tuple[Kind, ...], comparison: Comparison) -> None:
    for one in gold:
        for other in answer:
            _TABLE[(one, other)] = comparison


_add(_K.TUPLE, (_K.TUPLE, _K.SPAN, _K.LIST), _ordered)
_add(_K.SPAN, (_K.LIST,), _ordered)
_add(_K.MATRIX, (_K.SPAN, _K.TUPLE, _K.LIST), _vector_or_list)
_add(_K.MATRIX, (_K.VALUE,), _only_entry)
_add(_K.VALUE, (_K.SPAN, _K.TUPLE), _unit_vectors)
_add(_K.INEQUALITY, _RANGES, _inequality_or_region)
_add(_K.CONGRUENCE, (_K.VALUE,), compare_congruences)
_add(_K.REGION, (_K.ASSIGNMENTS,), _points_or_region)
_enter((_K.VALUE,), (_K.LIST, _K.SET), _all_equal)
_enter((_K.LIST, _K.SET), (_K.VALUE,), _single)
_enter(_POINTS, (_K.ASSIGNMENTS,), _values_of_names)
_enter((_K.ASSIGNMENTS,), _POINTS, _names_of_values)
_enter(_BARE, (_K.ASSIGNMENT,), _assigned_answer)
_enter((_K.ASSIGNMENT,), _BARE, _assigned_gold)
_add(
    _K.QUALIFIED,
    tuple(kind for kind in _K if kind not in (_K.QUALIFIED, _K.WORDS, _K.OTHER)),
    _one_qualified,
)
_BY_ITEM: frozenset[Comparison] = frozenset(
    {_lists, _sets, _all_equal, _single, _assigned_gold, _assigned_answer, _assignments}
    | {_one_qualified}
)
"""Comparisons of values that stand for themselves."""
