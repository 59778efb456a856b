r"""Arithmetic that an answer leaves to be done: ``123\times456`` where the gold is a numeral.

What counts as worked out is a positive list, since there is no end of ways to write a product.
"""

from __future__ import annotations

from math import isqrt

from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Constant,
    Degrees,
    Ellipsis,
    InBase,
    Listing,
    Matrix,
    NamedSet,
    Negative,
    Node,
    Number,
    Percent,
    PlusMinus,
    Power,
    Product,
    Qualified,
    Quotient,
    Ratio,
    Relation,
    SetBuilder,
    SetOperation,
    Sum,
    Symbol,
    WithUnit,
    Words,
    children,
    holds,
    walk,
)

_HOLDERS = (Brackets, Listing, Ratio, Matrix, SetOperation, PlusMinus)
_NO_VALUES = (Words, Ellipsis, NamedSet, SetBuilder, Symbol)
"""What is compared as it stands, and never is a numeral."""
_OPERATIONS = frozenset(
    ("sqrt", "root", "factorial", "double_factorial", "binom", "max", "min", "floor", "ceil", "abs")
)
_WHOLE = frozenset({"factorial", "double_factorial", "binom"})
MAX_ROOT = 64


def leaves_arithmetic(tree: Node) -> bool:
    """Returns whether an answer is more than a value: what is asked of one to a numeral gold.

    Values are numerals and fractions of them, one power, root, factorial, binomial, ``max``,
    ``min``, floor, ceiling or absolute value of numerals, a numeral times one radical or
    constant, sums of such surds, and fractions of these. A sum, difference or product of things
    that are rational leaves arithmetic to be done.
    """
    match tree:
        case Relation(members):
            return leaves_arithmetic(members[-1]) or any(map(_calculates, members[:-1]))
        case Qualified(value) | WithUnit(value):
            return leaves_arithmetic(value)
        case _ if isinstance(tree, _HOLDERS):
            return any(map(leaves_arithmetic, children(tree)))
        case _ if isinstance(tree, _NO_VALUES):
            return False
        case _:
            return not _is_value(tree)


def _calculates(tree: Node) -> bool:
    """Whether a sum or a product of numerals stands anywhere in a link of a chain."""
    return any(
        isinstance(node, Sum | Product) and sum(map(_is_rational, children(node))) > 1
        for node in walk(tree)
    )


def _is_value(node: Node) -> bool:
    match node:
        case Negative(argument) | Degrees(argument) | Percent(argument):
            return _is_value(argument)
        case Quotient(top, bottom):
            return _is_fraction(top, bottom)
        case Call("sqrt", (Sum() as radicand,)):
            return _is_surd(radicand)
        case _:
            return _is_rational(node) or _is_operation(node) or _is_surd(node)


def _is_rational(node: Node) -> bool:
    """A numeral or a fraction of numerals."""
    match node:
        case Number() | InBase():
            return True
        case Percent(Number()):
            return True
        case Negative(argument):
            return _is_rational(argument)
        case Quotient(top, bottom):
            return _is_numeral(top) and _is_numeral(bottom)
        case _:
            return False


def _is_numeral(node: Node) -> bool:
    return isinstance(node, Number) or (
        isinstance(node, Negative) and isinstance(node.argument, Number)
    )


def _is_operation(node: Node) -> bool:
    """One operation on numerals."""
    match node:
        case Power(base, exponent):
            return (_is_rational(base) or isinstance(base, Constant)) and _is_rational(exponent)
        case Call(name, arguments):
            return name in _OPERATIONS and all(map(_is_rational, arguments))
        case _:
            return False


def _is_fraction(top: Node, bottom: Node) -> bool:
    """A fraction of numerals or surds, or of a numeral and a power; nothing turned upside down."""
    if _is_numeral(top) and _is_numeral(bottom):
        return True
    if (_is_numeral(top) and _grows(bottom)) or (_is_numeral(bottom) and _grows(top)):
        return True
    if _is_rational(top) and _is_rational(bottom):
        return False
    return _is_surd(top) and _is_surd(bottom) and not holds(bottom, Quotient)


def _grows(node: Node) -> bool:
    """A power, factorial or binomial that cannot be a factor turned upside down."""
    match node:
        case Power(Number(base), Number(exponent)):
            return base.denominator == 1 and exponent.denominator == 1 and exponent > 1
        case Call(name, arguments) if name in _WHOLE:
            return all(isinstance(it, Number) and it.value.denominator == 1 for it in arguments)
        case _:
            return False


# --- surds -------------------------------------------------------------------------------------


def _is_surd(node: Node) -> bool:
    """A rational number, a multiple of one radical or constant, or a sum of different ones."""
    terms = node.terms if isinstance(node, Sum) else (node,)
    kinds = [_irrational_part(term) for term in terms]
    return None not in kinds and len(set(kinds)) == len(kinds)


def _irrational_part(term: Node) -> tuple[Node, ...] | None:
    """The radical and the constants of a term, () where it is rational; None where it is more."""
    while isinstance(term, Negative | PlusMinus):
        term = term.argument
    if _is_rational(term):
        return ()
    if isinstance(term, Quotient):
        if not _is_numeral(term.bottom):
            return None
        return _irrational_part(term.top)
    factors = term.factors if isinstance(term, Product) else (term,)
    atoms = tuple(factor for factor in factors if not _is_rational(factor))
    radicals = [atom for atom in atoms if not isinstance(atom, Constant)]
    if len(factors) - len(atoms) > 1 or len(radicals) > 1 or len(set(atoms)) != len(atoms):
        return None
    return atoms if all(map(_is_irrational, radicals)) else None


def _is_irrational(node: Node) -> bool:
    match node:
        case Call("sqrt", (radicand,)):
            return not _is_power(radicand, 2)
        case Call("root", (radicand, Number(index))):
            return index.denominator == 1 and not _is_power(radicand, int(index))
        case Power(Constant(), Number(exponent)):
            return bool(exponent)
        case Power(base, Quotient(Number(top), Number(bottom))) if bottom:
            whole = top.denominator == bottom.denominator == 1
            return whole and bool(top % bottom) and not _is_power(base, int(bottom))
        case _:
            return False


def _is_power(node: Node, index: int) -> bool:
    """Whether a numeral is a power of a rational number; also where that is not known."""
    match node:
        case Number(value):
            pass
        case Quotient(Number(top), Number(bottom)) if bottom:
            value = top / bottom
        case _:
            return True
    if not 2 <= index <= MAX_ROOT or value < 0:
        return True
    return _is_whole_power(value.numerator, index) and _is_whole_power(value.denominator, index)


def _is_whole_power(value: int, index: int) -> bool:
    if index == 2:
        return isqrt(value) ** 2 == value
    low: int = 0
    high: int = 1 << (value.bit_length() // index + 1)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**index < value else (low, middle)
    return bool(low**index == value)
