"""Matrices and vectors: the spellings of one, and their comparison by entry."""

from __future__ import annotations

from fractions import Fraction

from verifiers_math.equivalence.kinds.finding import UNKNOWN, Compare, Finding, all_of
from verifiers_math.equivalence.kinds.rewriting import at_point, minus, rewrite
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Constant,
    Matrix,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    holds,
    is_expression,
    symbols,
    walk,
)
from verifiers_math.equivalence.sampling import Sameness, compare

Rows = tuple[tuple[Node, ...], ...]
_TRANSPOSED = ("T", "top", "intercal")


def as_matrix(node: Node) -> Matrix | None:
    """A matrix in any spelling: nested brackets, transposed, scaled, or a sum of matrices."""
    match node:
        case Matrix(determinant=False):
            return node
        case Brackets():
            return _of_brackets(node)
        case Negative(argument):
            return _scaled(as_matrix(argument), Number(Fraction(-1)))
        case Quotient(top, bottom) if is_expression(bottom):
            return _scaled(as_matrix(top), Quotient(Number(Fraction(1)), bottom))
        case Product(factors):
            return _of_product(factors)
        case Sum(terms):
            return _of_sum(terms)
        case Power(base, Symbol(name)) if name in _TRANSPOSED:
            return _transposed(base)
        case _:
            return None


def _of_brackets(node: Brackets) -> Matrix | None:
    if node.left not in ("[", "("):
        return None
    rows = [row.items for row in node.items if isinstance(row, Brackets) and row.left == "["]
    if not rows or len(rows) != len(node.items) or len({len(row) for row in rows}) != 1:
        return None
    return Matrix(tuple(rows))


def _of_product(factors: tuple[Node, ...]) -> Matrix | None:
    """One matrix times values; matrices are not multiplied."""
    values = tuple(factor for factor in factors if is_expression(factor))
    matrices = [factor for factor in factors if not is_expression(factor)]
    if len(matrices) != 1 or not values:
        return None
    return _scaled(as_matrix(matrices[0]), values[0] if len(values) == 1 else Product(values))


def multiplies_matrices(node: Node) -> bool:
    """Whether a product, or a power, of matrices stands anywhere in a tree."""
    return holds(node, Matrix) and any(map(_is_product_of_matrices, walk(node)))


def _is_product_of_matrices(node: Node) -> bool:
    match node:
        case Product(factors):
            return sum(holds(factor, Matrix) for factor in factors) > 1
        case Power(base, exponent):
            return holds(base, Matrix) and not _is_transposing(exponent)
        case _:
            return False


def _is_transposing(exponent: Node) -> bool:
    return isinstance(exponent, Symbol) and exponent.name in _TRANSPOSED


def _of_sum(terms: tuple[Node, ...]) -> Matrix | None:
    matrices = [matrix for term in terms if (matrix := as_matrix(term)) is not None]
    if len(matrices) != len(terms) or len({_shape(matrix) for matrix in matrices}) != 1:
        return None
    rows = zip(*(matrix.rows for matrix in matrices), strict=True)
    return Matrix(tuple(tuple(map(_sum, zip(*row, strict=True))) for row in rows))


def _sum(entries: tuple[Node, ...]) -> Node:
    return Sum(tuple(entries))


def _scaled(matrix: Matrix | None, factor: Node) -> Matrix | None:
    if matrix is None:
        return None
    if factor == Number(Fraction(-1)):
        return Matrix(tuple(tuple(minus(entry) for entry in row) for row in matrix.rows))
    return Matrix(tuple(tuple(Product((factor, entry)) for entry in row) for row in matrix.rows))


def _transposed(node: Node) -> Matrix | None:
    """A transposed matrix; a tuple is a row before it is transposed."""
    matrix = as_matrix(node)
    if matrix is not None:
        return Matrix(tuple(zip(*matrix.rows, strict=True)))
    if isinstance(node, Brackets) and node.left in ("(", "[", "<"):
        return Matrix(tuple((item,) for item in node.items))
    return None


def _shape(matrix: Matrix) -> tuple[int, int]:
    return len(matrix.rows), len(matrix.rows[0])


def entries_of(matrix: Matrix) -> tuple[Node, ...]:
    """All entries, row by row."""
    return tuple(entry for row in matrix.rows for entry in row)


def is_vector(matrix: Matrix) -> bool:
    """Whether a matrix is one row or one column."""
    return 1 in _shape(matrix)


def of_unit_vectors(node: Node) -> tuple[Node, ...] | None:
    """The components of ``2i + 3j - k``; None where a value is no sum of unit vectors."""
    vector = rewrite(node, lambda found: Symbol("i") if found == Constant("i") else found)
    names = symbols(vector)
    if not {"i", "j"} <= names <= {"i", "j", "k"} or not is_expression(vector):
        return None
    units = "ijk"[: len(names)]
    components = tuple(
        at_point(vector, {name: Fraction(name == unit) for name in units}) for unit in units
    )
    parts = zip(components, units, strict=True)
    whole = Sum(tuple(Product((part, Symbol(unit))) for part, unit in parts))
    return components if compare(vector, whole) is Sameness.SAME else None


def compare_matrices(gold: Node, answer: Node, same: Compare) -> Finding:
    """Entry by entry; the shape counts."""
    matrices = as_matrix(gold), as_matrix(answer)
    if matrices[0] is None or matrices[1] is None:
        return UNKNOWN
    if _shape(matrices[0]) != _shape(matrices[1]):
        return Finding(False, "the matrices have different shapes")
    pairs = zip(entries_of(matrices[0]), entries_of(matrices[1]), strict=True)
    return all_of((same(a, b) for a, b in pairs), "the same entries")


MAX_EXPANDED_SIZE = 3


def determinants_expanded(node: Node) -> Node:
    """The tree with small determinants of its entries written out as sums of products."""
    if not holds(node, Matrix):
        return node

    def change(found: Node) -> Node:
        if not isinstance(found, Matrix) or not found.determinant:
            return found
        size = len(found.rows)
        square = all(len(row) == size for row in found.rows)
        return _expansion(found.rows) if square and size <= MAX_EXPANDED_SIZE else found

    return rewrite(node, change)


def _expansion(rows: Rows) -> Node:
    """The expansion of a determinant along its first row."""
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for at, entry in enumerate(rows[0]):
        minor = tuple(row[:at] + row[at + 1 :] for row in rows[1:])
        product = Product((entry, _expansion(minor)))
        terms.append(minus(product) if at % 2 else product)
    return Sum(tuple(terms))
