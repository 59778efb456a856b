r"""Trees as short text, so that a table of readings can be read.

``\frac{1}{2}x < 3`` has the shape ``(rel (. (/ 1 2) x) < 3)``.
"""

from __future__ import annotations

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
    children,
)


def shape(node: Node) -> str:
    """The tree in prefix form; decimals keep their places, implicit products have a dot."""
    match node:
        case Number(value, None):
            return str(value)
        case Number(value, places):
            digits = str(abs(value.numerator) * 10**places // value.denominator).zfill(places + 1)
            return ("-" if value < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"
        case Symbol(name) | Constant(name) if " " not in name and name:
            return ("#" if isinstance(node, Constant) else "") + name
        case Symbol(name):
            return f"<{name}>"
        case Relation(members, signs):
            signed = (f"{sign} {shape(it)}" for sign, it in zip(signs, members[1:], strict=True))
            return f"(rel {shape(members[0])} {' '.join(signed)})"
        case Matrix(rows, determinant):
            lines = (f"({' '.join(map(shape, row))})" for row in rows)
            return f"({'det' if determinant else 'matrix'} {' '.join(lines)})"
        case NamedSet(name):
            return "#" + name
        case Operator(name, _, text):
            return f"(operator {name} {text})"
        case Words(text):
            return f"'{text}'"
        case InBase(digits, base):
            return f"(base {digits} {base})"
        case Ellipsis():
            return "..."
        case WithUnit(value, unit):
            return f"(unit {shape(value)} '{unit.strip()}')"
        case _:
            return f"({' '.join([_head(node), *map(shape, children(node))])})"


def _head(node: Node) -> str:
    match node:
        case Product(_, explicit):
            return "*" if explicit else "."
        case PlusMinus(_, inverse):
            return "-+" if inverse else "+-"
        case Apply(name):
            return "@" + name
        case Brackets(left, right):
            return f"in {left}{right}"
        case Listing(_, joiner):
            return f"list{joiner}"
        case Call(name) | SetOperation(name):
            return name
        case _:
            return _HEADS[type(node)]


_HEADS = {
    Sum: "+",
    Quotient: "/",
    Power: "^",
    Negative: "-",
    SetBuilder: "all",
    Percent: "percent",
    Degrees: "degrees",
    Ratio: "ratio",
    Qualified: "given",
}
