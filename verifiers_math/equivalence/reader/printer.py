r"""A tree as LaTeX, so that it can be shown, and read again to the same tree."""

from __future__ import annotations

from collections.abc import Callable
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
from verifiers_math.equivalence.reader.vocabulary import GREEK

_SIGNS = {
    "<=": r"\le",
    ">=": r"\ge",
    "!=": r"\ne",
    "~": r"\approx",
    "similar": r"\sim",
    "equiv": r"\equiv",
    "in": r"\in",
    "notin": r"\notin",
    "subset": r"\subseteq",
    "to": r"\to",
}
_SET_SIGNS = {"union": r"\cup", "intersection": r"\cap", "difference": r"\setminus"}
_CONSTANTS = {"pi": r"\pi", "infinity": r"\infty"}
_COMMANDS = frozenset(
    (
        "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth exp ln log max min gcd"
    ).split()
)


def to_latex(node: Node) -> str:
    """Returns the tree as LaTeX."""
    return _PRINTERS[type(node)](node)


def _grouped(node: Node) -> str:
    """A node as a factor or a base: in parentheses unless it is one thing already."""
    text = to_latex(node)
    if isinstance(node, Symbol | Constant | Call | Brackets) or _is_plain_number(node):
        return text
    return f"({text})"


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
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _symbol(node: Symbol) -> str:
    name, mark, subscript = node.name.partition("_")
    accent, space, letter = name.partition(" ")
    if space:
        name = rf"\{accent}{{{letter}}}"
    elif name in GREEK:
        name = rf"\{name} "
    return f"{name}_{{{subscript}}}" if mark else name


def _sum(node: Sum) -> str:
    text = to_latex(node.terms[0])
    for term in node.terms[1:]:
        if isinstance(term, Negative):
            text += f"-{_term(term.argument)}"
        elif isinstance(term, PlusMinus) or (isinstance(term, Number) and term.value < 0):
            text += to_latex(term)
        else:
            text += f"+{_term(term)}"
    return text


def _term(node: Node) -> str:
    return f"({to_latex(node)})" if isinstance(node, Sum | Negative | PlusMinus) else to_latex(node)


def _call(node: Call) -> str:
    arguments = [to_latex(argument) for argument in node.arguments]
    match node.name, arguments:
        case "sqrt", [radicand]:
            return rf"\sqrt{{{radicand}}}"
        case "root", [radicand, index]:
            return rf"\sqrt[{index}]{{{radicand}}}"
        case "abs", [inside]:
            return rf"|{inside}|"
        case "floor", [inside]:
            return rf"\lfloor {inside} \rfloor"
        case "ceil", [inside]:
            return rf"\lceil {inside} \rceil"
        case "factorial", _:
            return f"{_grouped(node.arguments[0])}!"
        case "double_factorial", _:
            return f"{_grouped(node.arguments[0])}!!"
        case "binom", [top, bottom]:
            return rf"\binom{{{top}}}{{{bottom}}}"
        case "log", [inside, base]:
            return rf"\log_{{{base}}}({inside})"
        case "mod", _:
            left, right = node.arguments
            return rf"{_grouped(left)} \bmod {_grouped(right)}"
        case "pmod", [residue, modulus]:
            return rf"{residue} \pmod{{{modulus}}}"
        case name, _:
            command = rf"\{name}" if name in _COMMANDS else rf"\operatorname{{{name}}}"
            return f"{command}({', '.join(arguments)})"


def _relation(node: Relation) -> str:
    text = to_latex(node.members[0])
    for sign, member in zip(node.signs, node.members[1:], strict=True):
        text += f" {_SIGNS.get(sign, sign)} {to_latex(member)}"
    return text


_BRACKETS = {"{": r"\{", "}": r"\}", "<": r"\langle ", ">": r" \rangle"}


def _brackets(node: Brackets) -> str:
    inside = ", ".join(to_latex(item) for item in node.items)
    return _BRACKETS.get(node.left, node.left) + inside + _BRACKETS.get(node.right, node.right)


def _listing(node: Listing) -> str:
    joiner = {",": ", ", ";": "; "}.get(node.joiner, rf" \text{{ {node.joiner} }} ")
    return joiner.join(to_latex(item) for item in node.items)


def _matrix(node: Matrix) -> str:
    name = "vmatrix" if node.determinant else "pmatrix"
    rows = r" \\ ".join(" & ".join(to_latex(entry) for entry in row) for row in node.rows)
    return rf"\begin{{{name}}} {rows} \end{{{name}}}"


def _named_set(node: NamedSet) -> str:
    if node.name == "empty":
        return r"\emptyset"
    sign = f"^{{{node.name[1:]}}}" if node.name[1:] else ""
    return rf"\mathbb{{{node.name[0]}}}{sign}"


def _with_unit(node: WithUnit) -> str:
    if node.unit.startswith("\\") and not node.unit.startswith("\\text"):
        return f"{node.unit}{to_latex(node.value)}"
    return f"{to_latex(node.value)} {node.unit}"


_PRINTERS: dict[type, Callable[[Any], str]] = {
    Number: _number,
    Symbol: _symbol,
    Constant: lambda node: _CONSTANTS.get(node.name, node.name),
    Sum: _sum,
    Product: lambda node: r" \cdot ".join(_grouped(factor) for factor in node.factors),
    Quotient: lambda node: rf"\frac{{{to_latex(node.top)}}}{{{to_latex(node.bottom)}}}",
    Power: lambda node: f"{_grouped(node.base)}^{{{to_latex(node.exponent)}}}",
    Negative: lambda node: f"-{_term(node.argument)}",
    PlusMinus: lambda node: (r"\mp " if node.inverse else r"\pm ") + _term(node.argument),
    Call: _call,
    Apply: lambda node: f"{node.name}({', '.join(to_latex(item) for item in node.arguments)})",
    Operator: lambda node: node.text,
    Relation: _relation,
    Brackets: _brackets,
    Listing: _listing,
    SetBuilder: lambda node: rf"\{{{to_latex(node.element)} \mid {to_latex(node.condition)}\}}",
    SetOperation: lambda node: f" {_SET_SIGNS[node.name]} ".join(to_latex(it) for it in node.sets),
    NamedSet: _named_set,
    Matrix: _matrix,
    WithUnit: _with_unit,
    Percent: lambda node: rf"{_grouped(node.value)}\%",
    Degrees: lambda node: rf"{_grouped(node.value)}^\circ",
    InBase: lambda node: f"{node.digits}_{{{node.base}}}",
    Ratio: lambda node: ":".join(to_latex(part) for part in node.parts),
    Words: lambda node: rf"\text{{{node.text}}}",
    Qualified: lambda node: f"{to_latex(node.value)} {to_latex(node.remark)}",
    Ellipsis: lambda _: r"\ldots",
}
