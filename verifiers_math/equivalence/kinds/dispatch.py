"""Which comparison two trees get: a table from the kinds of both sides to a function."""

from __future__ import annotations

from collections.abc import Callable

from verifiers_math.equivalence.kinds import containers, names, remarks, sets
from verifiers_math.equivalence.kinds.classify import Kind, kind_of
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, any_of
from verifiers_math.equivalence.kinds.matrices import compare_matrices, multiplies_matrices
from verifiers_math.equivalence.kinds.preparation import (
    alternatives,
    is_plain,
    prepare,
    with_signs_expanded,
    without_approximation,
)
from verifiers_math.equivalence.kinds.relations import compare_equations, compare_inequalities
from verifiers_math.equivalence.kinds.values import (
    compare_congruences,
    compare_ratios,
    compare_values,
    rounds_to,
)
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.reader.tree import Node, Number, Relation, Words, holds

Comparison = Callable[[Node, Node, Compare], Finding]

MAX_COMPARISONS = 400
"""Values and structures compared for one pair of answers."""
MAX_EVALUATED = 60
"""Of these, pairs of values that are not both plain numbers, and have to be evaluated."""


_SAME_STRUCTURE = Finding(True, "the same structure")


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
        if gold == answer:
            return _SAME_STRUCTURE
        kinds = kind_of(gold), kind_of(answer)
        if kinds == (Kind.VALUE, Kind.VALUE):
            return self._values(gold, answer)
        if kinds in _LIST_AND_TUPLE and not self._policy.list_is_tuple:
            return Finding(False, "a list without brackets is no tuple")
        refused = self._refused(gold, answer, kinds) if kinds[1] in _SUSPECT else None
        if refused is not None:
            return refused
        comparison = _TABLE.get(kinds)
        if comparison is not None:
            return self._by(comparison, gold, answer)
        if Kind.OTHER in kinds:
            return UNKNOWN
        return Finding(False, f"the gold is {kinds[0].value}, the answer is {kinds[1].value}")

    def _refused(self, gold: Node, answer: Node, kinds: tuple[Kind, Kind]) -> Finding | None:
        """What computer algebra would take a value out of although the answer states none."""
        if kinds[1] is Kind.RATIO and holds(answer, Words) and not holds(gold, Words):
            return Finding(False, "the words before the colon are no label")
        if kinds[1] is not Kind.OTHER:
            return None
        if isinstance(answer, Relation) and kinds[0] in _STATED and not holds(gold, Words):
            return Finding(False, "relations of several kinds state no value")
        if self._policy.allow_unevaluated or multiplies_matrices(gold):
            return None
        if multiplies_matrices(answer):
            return Finding(False, "the answer leaves a product of matrices to be worked out")
        return None

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


def compare_trees(gold: Node, answer: Node, policy: Policy) -> Finding:
    """Compares two answers as they were read, gold first.

    Args:
        gold: The gold's tree.
        answer: The answer's tree.
        policy: What counts as the same.
    """
    if gold == answer:
        return _SAME_STRUCTURE
    if is_plain(gold) and is_plain(answer):
        return compare_values(gold, answer, policy)
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


# --- the table ---------------------------------------------------------------------------------

_K = Kind
_POINTS = (_K.SPAN, _K.TUPLE, _K.LIST, _K.SET)
_LIST_AND_TUPLE = frozenset(
    {(_K.LIST, _K.TUPLE), (_K.LIST, _K.SPAN), (_K.TUPLE, _K.LIST), (_K.SPAN, _K.LIST)}
)
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
    _K.WORDS,
)
_SUSPECT = frozenset({_K.RATIO, _K.OTHER})
_STATED = frozenset({*_BARE, _K.ASSIGNMENT, _K.ASSIGNMENTS}) - {_K.WORDS}
_TABLE: dict[tuple[Kind, Kind], Comparison] = {
    (_K.SPAN, _K.SPAN): containers.as_spans,
    (_K.SET, _K.SET): containers.as_sets,
    (_K.SET, _K.LIST): containers.as_sets,
    (_K.LIST, _K.SET): containers.as_sets,
    (_K.LIST, _K.LIST): containers.as_lists,
    (_K.SEQUENCE, _K.SEQUENCE): containers.ordered,
    (_K.MATRIX, _K.MATRIX): compare_matrices,
    (_K.RATIO, _K.RATIO): compare_ratios,
    (_K.RATIO, _K.VALUE): compare_ratios,
    (_K.VALUE, _K.RATIO): compare_ratios,
    (_K.CONGRUENCE, _K.CONGRUENCE): compare_congruences,
    (_K.REGION, _K.REGION): sets.as_regions,
    (_K.REGION, _K.SPAN): sets.as_regions,
    (_K.SPAN, _K.REGION): sets.as_regions,
    (_K.REGION, _K.SET): sets.as_regions,
    (_K.SET, _K.REGION): sets.as_regions,
    (_K.REGION, _K.LIST): sets.listed_region,
    (_K.BUILDER, _K.BUILDER): sets.builders,
    (_K.INEQUALITY, _K.INEQUALITY): compare_inequalities,
    (_K.EQUATION, _K.EQUATION): compare_equations,
    (_K.EQUATION, _K.ASSIGNMENT): compare_equations,
    (_K.ASSIGNMENT, _K.EQUATION): names.equation_for_assignment,
    (_K.ASSIGNMENT, _K.ASSIGNMENT): names.assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENTS): names.assignments,
    (_K.ASSIGNMENTS, _K.ASSIGNMENT): names.assignments,
    (_K.ASSIGNMENT, _K.ASSIGNMENTS): names.assignments,
    (_K.VALUE, _K.EQUATION): names.value_of_chain,
    (_K.EQUATION, _K.VALUE): names.chain_of_gold,
    (_K.WORDS, _K.WORDS): remarks.words,
    (_K.QUALIFIED, _K.QUALIFIED): remarks.qualified,
    (_K.OTHER, _K.OTHER): sets.structures,
}


def _add(one: Kind, others: tuple[Kind, ...], comparison: Comparison) -> None:
    """Enters a comparison that takes its two kinds in any order."""
    for other in others:
        _TABLE[(one, other)] = _TABLE[(other, one)] = comparison


def _enter(gold: tuple[Kind, ...], answer: tuple[Kind, ...], comparison: Comparison) -> None:
    for one in gold:
        for other in answer:
            _TABLE[(one, other)] = comparison


_add(_K.TUPLE, (_K.TUPLE, _K.SPAN, _K.LIST), containers.ordered)
_add(_K.SPAN, (_K.LIST,), containers.ordered)
_add(_K.MATRIX, (_K.SPAN, _K.TUPLE, _K.LIST), containers.vector_or_tuple)
_add(_K.MATRIX, (_K.VALUE,), containers.only_entry)
_add(_K.VALUE, (_K.SPAN, _K.TUPLE), containers.unit_vectors)
_add(_K.INEQUALITY, _RANGES, sets.inequality_or_region)
_add(_K.CONGRUENCE, (_K.VALUE,), compare_congruences)
_add(_K.REGION, (_K.ASSIGNMENTS,), sets.points_or_region)
_enter((_K.VALUE,), (_K.LIST, _K.SET), containers.all_equal)
_enter((_K.LIST, _K.SET), (_K.VALUE,), containers.one_of_gold)
_enter(_POINTS, (_K.ASSIGNMENTS,), names.values_of_names)
_enter((_K.ASSIGNMENTS,), _POINTS, names.names_of_values)
_enter(_BARE, (_K.ASSIGNMENT,), names.assigned_answer)
_enter((_K.ASSIGNMENT,), _BARE, names.assigned_gold)
_add(
    _K.QUALIFIED,
    tuple(kind for kind in _K if kind not in (_K.QUALIFIED, _K.WORDS, _K.OTHER)),
    remarks.one_qualified,
)
_BY_ITEM: frozenset[Comparison] = frozenset(
    (
        containers.as_lists,
        containers.as_sets,
        containers.all_equal,
        containers.one_of_gold,
        names.assigned_gold,
        names.assigned_answer,
        names.assignments,
        remarks.one_qualified,
    )
)
"""Comparisons of values that stand for themselves; the parts of all others belong together."""
