"""What kind of answer a tree is, as far as its own text tells."""

from __future__ import annotations

from enum import Enum

from verifiers_math.equivalence.kinds import relations
from verifiers_math.equivalence.kinds.matrices import as_matrix
from verifiers_math.equivalence.kinds.regions import as_region, is_unbounded
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
    holds,
)


class Kind(Enum):
    """The kinds, each with what a person calls it."""

    VALUE = "a value"
    ASSIGNMENT = "an assignment"
    ASSIGNMENTS = "several assignments"
    EQUATION = "an equation"
    INEQUALITY = "an inequality"
    REGION = "a set of numbers"
    BUILDER = "a set given by a condition"
    SPAN = "a pair in brackets"
    TUPLE = "a tuple"
    SET = "a set"
    LIST = "a list"
    SEQUENCE = "a list with an ellipsis"
    MATRIX = "a matrix"
    DETERMINANT = "a determinant"
    RATIO = "a ratio"
    CONGRUENCE = "a residue class"
    NAMED_SET = "a named set"
    QUALIFIED = "a value with a condition"
    WORDS = "words"
    OTHER = "something else"


_FIXED: dict[type, Kind] = {
    Ratio: Kind.RATIO,
    Words: Kind.WORDS,
    Ellipsis: Kind.WORDS,
    Qualified: Kind.QUALIFIED,
}


def kind_of(node: Node) -> Kind:
    """The kind of an answer."""
    fixed = _FIXED.get(type(node))
    if fixed is not None:
        return fixed
    match node:
        case Relation():
            return _kind_of_relation(node)
        case Listing():
            return _kind_of_listing(node)
        case Brackets():
            return _kind_of_brackets(node)
        case Matrix(_, determinant):
            return Kind.DETERMINANT if determinant else Kind.MATRIX
        case SetBuilder():
            return Kind.REGION if as_region(node) is not None else Kind.BUILDER
        case SetOperation():
            return Kind.REGION if as_region(node) is not None else Kind.OTHER
        case NamedSet():
            return Kind.REGION if as_region(node) is not None else Kind.NAMED_SET
        case Call("pmod"):
            return Kind.CONGRUENCE
        case _:
            return _kind_of_value(node)


_OPAQUE = (Operator, Words, Matrix, Brackets, Relation, Listing, Ellipsis, NamedSet, SetOperation)


def _kind_of_value(node: Node) -> Kind:
    """A value; a matrix that is scaled; or what holds something that cannot be evaluated."""
    if not holds(node, *_OPAQUE):
        return Kind.VALUE
    return Kind.MATRIX if as_matrix(node) is not None else Kind.OTHER


def _kind_of_relation(node: Relation) -> Kind:
    assignments = relations.as_assignments(node)
    if assignments is not None:
        return Kind.ASSIGNMENT if len(assignments) == 1 else Kind.ASSIGNMENTS
    if set(node.signs) == {"="}:
        return Kind.EQUATION
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
    if relations.as_assignments(node) is not None:
        return Kind.ASSIGNMENTS
    if node.left == "{":
        return Kind.SET
    if node.left + node.right == "[]" and all(isinstance(item, Brackets) for item in node.items):
        return Kind.LIST  # [(1, 2), (3, 4)], as Python lists points
    if len(node.items) == 2 and node.left in "([]" and node.right in ")][":
        return _kind_of_pair(node)
    return Kind.TUPLE if (node.left, node.right) != ("[", "]") else Kind.LIST


def _kind_of_pair(node: Brackets) -> Kind:
    region = as_region(node)
    half_open = (node.left, node.right) not in (("(", ")"), ("[", "]"))
    if region is not None and (half_open or is_unbounded(region)):
        return Kind.REGION
    return Kind.SPAN
