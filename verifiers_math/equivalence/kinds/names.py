"""Comparisons of values with names, and of names with equations."""

from __future__ import annotations

from verifiers_math.equivalence.kinds import relations
from verifiers_math.equivalence.kinds.classify import Kind, kind_of
from verifiers_math.equivalence.kinds.containers import as_lists
from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, any_of, together
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Listing,
    Node,
    Relation,
    Symbol,
    Words,
)

_EITHER = Finding(False, "one value or the other is not both")
_BROKEN_CHAIN = Finding(False, "the members of the answer's chain are not equal")


def assigned_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold ``name = value`` is matched by the value alone."""
    found = relations.as_assignments(gold)
    if found is None or len(found) != 1:
        return UNKNOWN
    if _is_chain_of_letters(gold):
        return Finding(False, "a value does not say that several letters are equal")
    if _is_point_for_region(found[0], answer):
        return Finding(False, "a point is no set of numbers")
    if relations.holds_equations(answer):
        return as_lists(gold, answer, same)
    several = relations.spelled_out(gold) or found
    if len(several) > 1 and isinstance(answer, Brackets | Listing):
        return relations.compare_with_values(several, answer, same, swapped=False)
    return same(found[0].value, answer)


def _is_point_for_region(assignment: relations.Assignment, other: Node) -> bool:
    """Whether ``(x, y) = (3, 4)`` stands against a set of numbers, which ``(3, 4)`` may be."""
    return "," in assignment.name and kind_of(other) is Kind.REGION


def assigned_answer(gold: Node, answer: Node, same: Compare) -> Finding:
    """An answer ``name = value`` against what may be its value."""
    found = relations.as_assignments(answer)
    if found is None or len(found) != 1:
        return UNKNOWN
    if not relations.links_hold(found[0], same):
        return _BROKEN_CHAIN
    if _is_point_for_region(found[0], gold):
        return Finding(False, "a point is no set of numbers")
    if relations.holds_equations(gold):
        return as_lists(gold, answer, same)
    several = relations.spelled_out(answer) or found
    if len(several) > 1 and isinstance(gold, Brackets | Listing):
        return relations.compare_with_values(several, gold, same, swapped=True)
    return same(gold, found[0].value)


def assignments(gold: Node, answer: Node, same: Compare) -> Finding:
    """Values bound to their names; one name may also stand for a curve."""
    golds, answers = relations.as_assignments(gold), relations.as_assignments(answer)
    if golds is None or answers is None:
        return UNKNOWN
    if not all(relations.links_hold(item, same) for item in answers):
        return _BROKEN_CHAIN
    if relations.is_either(gold, golds) != relations.is_either(answer, answers):
        return _EITHER
    letters = _equal_letters(gold)
    if letters and letters == _equal_letters(answer):
        return Finding(True, "the same letters are equal")
    if _is_chain_of_letters(gold):
        return Finding(False, "not the same letters are equal")
    chains = relations.spelled_out(gold) or golds, relations.spelled_out(answer) or answers
    of_points = any("," in item.name for item in (*golds, *answers))
    if of_points or len(golds) != len(answers) or min(map(len, chains)) > 1:
        golds, answers = chains
    one_name = len({item.name for item in (*golds, *answers)}) == 1
    by_name = relations.compare_assignments(golds, answers, same if one_name else together(same))
    if by_name.same or not relations.may_be_one_curve(golds, answers):
        return by_name
    return any_of([by_name, relations.compare_equations(gold, answer, same)], by_name.detail)


def _equal_letters(node: Node) -> frozenset[Node]:
    """The letters that ``a = b = c`` says to be equal; none where it says anything else."""
    match node:
        case Relation(members, signs) if {*signs} == {"="}:
            letters = all(isinstance(member, Symbol) for member in members)
            return frozenset(members) if letters else frozenset()
        case _:
            return frozenset()


def _is_chain_of_letters(node: Node) -> bool:
    return len(_equal_letters(node)) > 2


def equation_for_assignment(gold: Node, answer: Node, same: Compare) -> Finding:
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


def value_of_chain(gold: Node, answer: Node, same: Compare) -> Finding:
    """A value against an equation: only a true chain of constants gives one."""
    if not isinstance(answer, Relation):
        return UNKNOWN
    value = relations.chain_value(answer, same)
    if value is None:
        return Finding(False, "the answer is an equation, and its left side names nothing")
    return same(gold, value)


def chain_of_gold(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold ``5 + 6 = 11`` is matched by 11."""
    if not isinstance(gold, Relation):
        return UNKNOWN
    value = relations.chain_value(gold, same)
    if value is None and _names(gold.members[0]):
        value = gold.members[-1]
    if value is None:
        return Finding(False, "the gold is an equation, the answer is a value")
    return same(value, answer)


def _names(node: Node) -> bool:
    r"""Whether a gold says what words or a function of a letter are: ``\tan \alpha = \frac34``."""
    match node:
        case Words():
            return True
        case Call("sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "abs" | "arg", (Symbol(),)):
            return True
        case _:
            return False


def values_of_names(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold without names against an answer with names."""
    found = relations.as_assignments(answer)
    if found is None:
        return UNKNOWN
    if not all(relations.links_hold(item, same) for item in found):
        return _BROKEN_CHAIN
    if relations.is_either(answer, found):
        return _EITHER
    if relations.holds_equations(gold):
        return as_lists(gold, answer, same)
    return relations.compare_with_values(found, gold, same, swapped=True)


def names_of_values(gold: Node, answer: Node, same: Compare) -> Finding:
    """A gold with names against an answer without."""
    found = relations.as_assignments(gold)
    if found is None:
        return UNKNOWN
    if relations.is_either(gold, found):
        return _EITHER
    if relations.holds_equations(answer):
        return as_lists(gold, answer, same)
    return relations.compare_with_values(found, answer, same, swapped=False)
