r"""A tree as LaTeX, so that it can be shown, and read again to the same tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from verifiers_math.equivalence.reader.tree import (
    Apply,
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
    Operator,
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
)
from verifiers_math.equivalence.reader.vocabulary import ACCENTS, FUNCTIONS, GREEK
from verifiers_math.equivalence.units import CURRENCIES

_SIGNS = {
    "<=": r"\le",
    ">=": r"\ge",
    "!=": r"\ne",
    "~": r"\approx",
    "similar": r"\sim",
    "congruent": r"\cong",
    "proportional": r"\propto",
    "parallel": r"\parallel",
    "perpendicular": r"\perp",
    "equiv": r"\equiv",
    "in": r"\in",
    "notin": r"\notin",
    "subset": r"\subseteq",
    "supset": r"\supseteq",
    "ni": r"\ni",
    "to": r"\to",
    "maps": r"\mapsto",
    "given": r"\mid",
    "implies": r"\Rightarrow",
    "implied": r"\Leftarrow",
    "iff": r"\Leftrightarrow",
}
_SET_SIGNS = {"union": r"\cup", "intersection": r"\cap", "difference": r"\setminus"}
_CONSTANTS = {"pi": r"\pi", "infinity": r"\infty"}
_COMMANDS = frozenset(
    (
        "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth exp ln log max min gcd"
    ).split()
)


def to_latex(node: Node) -> str:
    """Returns the tree as LaTeX, which the reader reads to the same tree."""
    return _PRINTERS[type(node)](node)


_ONE_THING = (Symbol, Constant, Call, Apply, Brackets, NamedSet, Ellipsis)


def _base(node: Node) -> str:
    """A node below an exponent or before a sign: in parentheses unless it is one thing already."""
    is_operation = isinstance(node, Call) and node.name in _OPERATIONS
    if (isinstance(node, _ONE_THING) and not is_operation) or _is_plain_number(node):
        return to_latex(node)
    return f"({to_latex(node)})"


def _factor(node: Node) -> str:
    """A node between signs of multiplication."""
    return to_latex(node) if isinstance(node, Power | Quotient | Matrix) else _base(node)


def _product(node: Product) -> str:
    if node.explicit:
        return r" \cdot ".join(_factor(factor) for factor in node.factors)
    text = _factor(node.factors[0])
    for before, factor in pairwise(node.factors):
        text += _beside(before, factor)
    return text


def _beside(before: Node, node: Node) -> str:
    """A factor without a sign: in braces, which hold it apart from units, calls and numerals."""
    text = to_latex(node)
    is_letter = isinstance(node, Symbol) and len(text) == 1 and text.islower()
    if is_letter and _is_plain_number(before):
        return text
    return f" {text}" if is_letter and isinstance(before, Symbol) else f"{{{text}}}"


def _signed(node: Node) -> str:
    """What a sign stands before."""
    if isinstance(node, Sum | Product | Negative | PlusMinus | Call) and not _is_call(node):
        return f"({to_latex(node)})"
    return _factor(node)


def _is_call(node: Node) -> bool:
    return isinstance(node, Call) and node.name not in ("mod", "pmod")


def _is_plain_number(node: Node) -> bool:
    return (
        isinstance(node, Number)
        and node.value >= 0
        and (node.value.denominator == 1 or node.places is not None)
    )


def _number(node: Number) -> str:
    value = node.value
    if node.places is not None:
        scaled = abs(value) * 10**node.places
        digits = str(scaled.numerator // scaled.denominator).rjust(node.places + 1, "0")
        point = len(digits) - node.places
        return ("-" if value < 0 else "") + f"{digits[:point]}.{digits[point:]}"
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    whole, part = divmod(abs(value.numerator), value.denominator)
    return rf"{sign}{whole}\frac{{{part}}}{{{value.denominator}}}"


_SLOPE = re.compile(r"(d|partial)(\d?)(\w*)/(d|partial)(\w)(\d?)")


def _symbol(node: Symbol) -> str:
    slope = _SLOPE.fullmatch(node.name)
    if slope is not None:
        return _slope(*slope.groups())
    name, raised, order = node.name.partition("^(")
    if raised:
        return f"{_symbol(Symbol(name))}^{{({order}}}"
    name, mark, subscript = node.name.partition("_")
    command, space, letters = name.partition(" ")
    primes = name[len(name.rstrip("'")) :]
    if space and command in ACCENTS | {"mathbb"}:
        name = rf"\{command}{{{letters.rstrip(chr(39))}}}{primes}"
    elif space:
        name = rf"\{command} {letters}"
    elif name.rstrip("'") in GREEK:
        name = rf"\{name.rstrip(chr(39))} {primes}"
    return f"{name}_{{{subscript}}}" if mark else name


def _slope(above: str, order: str, name: str, below: str, letter: str, power: str) -> str:
    above, below = (rf"\{it} " if it == "partial" else it for it in (above, below))
    order, power = (f"^{{{it}}}" if it else "" for it in (order, power))
    return rf"\frac{{{above}{order}{name}}}{{{below}{letter}{power}}}"


def _sum(node: Sum) -> str:
    first = node.terms[0]
    text = f"({to_latex(first)})" if isinstance(first, Sum) else to_latex(first)
    for term in node.terms[1:]:
        if isinstance(term, Negative):
            text += f"-{_term(term.argument)}"
        elif isinstance(term, PlusMinus):
            text += (r"\mp " if term.inverse else r"\pm ") + _term(term.argument)
        elif isinstance(term, Number) and term.value < 0:
            text += to_latex(term)
        else:
            text += f"+{_term(term)}"
    return text


def _term(node: Node) -> str:
    negative = isinstance(node, Number) and node.value < 0
    return f"({to_latex(node)})" if negative or isinstance(node, _SIGNED) else to_latex(node)


_SIGNED = (Sum, Negative, PlusMinus)
_OPERATIONS = frozenset({"mod", "pmod", "factorial", "double_factorial"})
_SPELLINGS = {"re": "Re", "im": "Im"}


def _call(node: Call) -> str:
    arguments = [to_latex(argument) for argument in node.arguments]
    match node.name, arguments:
        case "sqrt", [radicand]:
            return rf"\sqrt{{{radicand}}}"
        case "root", [radicand, index]:
            return rf"\sqrt[{index}]{{{radicand}}}"
        case "abs", [inside]:
            return rf"\left|{inside}\right|"
        case "floor", [inside]:
            return rf"\lfloor {inside} \rfloor"
        case "ceil", [inside]:
            return rf"\lceil {inside} \rceil"
        case "factorial", _:
            return f"{_base(node.arguments[0])}!"
        case "double_factorial", _:
            return f"{_base(node.arguments[0])}!!"
        case "binom", [top, bottom]:
            return rf"\binom{{{top}}}{{{bottom}}}"
        case "log", [inside, base]:
            return rf"\log_{{{base}}}({inside})"
        case "mod", _:
            left, right = node.arguments
            return rf"{_base(left)} \bmod {_base(right)}"
        case "pmod", [residue, modulus]:
            return rf"{residue} \pmod{{{modulus}}}"
        case "gamma", [inside]:
            return rf"\Gamma({inside})"
        case name, _:
            name = _SPELLINGS.get(name, name)
            command = rf"\{name}" if name in _COMMANDS else rf"\operatorname{{{name}}}"
            return f"{command}({', '.join(arguments)})"


def _relation(node: Relation) -> str:
    text = to_latex(node.members[0])
    for sign, member in zip(node.signs, node.members[1:], strict=True):
        text += f" {_SIGNS.get(sign, sign)} {to_latex(member)}"
    return text


_BRACKETS = {"{": r"\{", "}": r"\}", "<": r"\langle ", ">": r" \rangle"}


def _brackets(node: Brackets) -> str:
    separator = "; " if any(isinstance(item, Listing) for item in node.items) else ", "
    inside = separator.join(to_latex(item) for item in node.items)
    return _BRACKETS.get(node.left, node.left) + inside + _BRACKETS.get(node.right, node.right)


def _matrix(node: Matrix) -> str:
    name = "vmatrix" if node.determinant else "pmatrix"
    rows = r" \\ ".join(" & ".join(to_latex(entry) for entry in row) for row in node.rows)
    return rf"\begin{{{name}}} {rows} \end{{{name}}}"


def _named_set(node: NamedSet) -> str:
    if node.name == "empty":
        return r"\emptyset"
    letter, sign = node.name[0], node.name[1:]
    if not sign:
        return rf"\mathbb{{{letter}}}"
    return rf"\mathbb{{{letter}}}{'^' if sign in ('+', '-', '*') else '_'}{{{sign}}}"


def _with_unit(node: WithUnit) -> str:
    if node.unit in CURRENCIES:
        return f"{node.unit}{_factor(node.value)}"
    return f"{to_latex(node.value)} {node.unit}"


def _apply(node: Apply) -> str:
    name, mark, power = node.name.partition("^")
    arguments = ", ".join(to_latex(item) for item in node.arguments)
    if mark:
        name = f"{name}^{{{power}}}"
    elif len(name) > 1 and name.isalpha() and name not in GREEK:
        name = rf"\operatorname{{{name}}}"
    else:
        name = _symbol(Symbol(name)).rstrip()
    return f"{name}({arguments})"


def _words(node: Words) -> str:
    is_plain = not any(char in node.text for char in "{}\\") and node.text not in FUNCTIONS
    return rf"\text{{{node.text}}}" if is_plain else node.text


def _qualified(node: Qualified) -> str:
    if isinstance(node.remark, Words):
        return f"{to_latex(node.value)} {node.remark.text}"
    return rf"\begin{{cases}} {to_latex(node.value)} & {to_latex(node.remark)} \end{{cases}}"


def _listing(node: Listing) -> str:
    if node.joiner == "and" and any(map(_has_condition, node.items)):
        return _cases(node)
    items = [to_latex(item) for item in node.items]
    if node.joiner in (",", ";"):
        return f"{node.joiner} ".join(items)
    return rf"{', '.join(items[:-1])}, \text{{ {node.joiner} }} {items[-1]}"


def _has_condition(node: Node) -> bool:
    return isinstance(node, Qualified) and not isinstance(node.remark, Words)


def _cases(node: Listing) -> str:
    rows = (
        f"{to_latex(item.value)} & {to_latex(item.remark)}"
        if isinstance(item, Qualified)
        else to_latex(item)
        for item in node.items
    )
    lines = r" \\ ".join(rows)
    return rf"\begin{{cases}} {lines} \end{{cases}}"


def _part(node: Node) -> str:
    return f"({to_latex(node)})" if isinstance(node, Ratio) else to_latex(node)


def _in_base(node: InBase) -> str:
    digits = node.digits if node.digits[0].isdigit() else "0" + node.digits
    return f"{digits}_{{{node.base}}}"


def _set_operation(node: SetOperation) -> str:
    return f" {_SET_SIGNS[node.name]} ".join(
        f"({to_latex(it)})" if isinstance(it, SetOperation) else to_latex(it) for it in node.sets
    )


_PRINTERS: dict[type, Callable[[Any], str]] = {
    Number: _number,
    Symbol: _symbol,
    Constant: lambda node: _CONSTANTS.get(node.name, node.name),
    Sum: _sum,
    Product: _product,
    Quotient: lambda node: rf"\frac{{{to_latex(node.top)}}}{{{to_latex(node.bottom)}}}",
    Power: lambda node: f"{_base(node.base)}^{{{to_latex(node.exponent)}}}",
    Negative: lambda node: f"-{_signed(node.argument)}",
    PlusMinus: lambda node: (r"\mp " if node.inverse else r"\pm ") + _signed(node.argument),
    Call: _call,
    Apply: _apply,
    Operator: lambda node: node.text,
    Relation: _relation,
    Brackets: _brackets,
    Listing: _listing,
    SetBuilder: lambda node: rf"\{{{to_latex(node.element)} \mid {to_latex(node.condition)}\}}",
    SetOperation: _set_operation,
    NamedSet: _named_set,
    Matrix: _matrix,
    WithUnit: _with_unit,
    Percent: lambda node: rf"{_base(node.value)}\%",
    Degrees: lambda node: rf"{_base(node.value)}^\circ",
    InBase: _in_base,
    Ratio: lambda node: ":".join(map(_part, node.parts)),
    Words: _words,
    Qualified: _qualified,
    Ellipsis: lambda _: r"\ldots",
}
