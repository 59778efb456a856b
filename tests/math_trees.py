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
)


def shape(node: Node) -> str:
    """The tree in prefix form; decimals keep their places, implicit products have a dot."""
    match node:
        case Number(value, None):
            return str(value)
        case Number(value, places):
            return f"{float(value):.{places}f}"
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
            head, items = _head(node)
            return f"({' '.join([head, *map(shape, items)])})"


def _head(node: Node) -> tuple[str, tuple[Node, ...]]:
    match node:
        case Sum(terms):
            return "+", terms
        case Product(factors, explicit):
            return "*" if explicit else ".", factors
        case Quotient(top, bottom):
            return "/", (top, bottom)
        case Power(base, exponent):
            return "^", (base, exponent)
        case Negative(argument):
            return "-", (argument,)
        case PlusMinus(argument, inverse):
            return "-+" if inverse else "+-", (argument,)
        case Call(name, arguments):
            return name, arguments
        case Apply(name, arguments):
            return "@" + name, arguments
        case Brackets(left, right, items):
            return f"in {left}{right}", items
        case Listing(items, joiner):
            return f"list{joiner}", items
        case SetBuilder(element, condition):
            return "all", (element, condition)
        case SetOperation(name, sets):
            return name, sets
        case Percent(value):
            return "percent", (value,)
        case Degrees(value):
            return "degrees", (value,)
        case Ratio(parts):
            return "ratio", parts
        case Qualified(value, remark):
            return "given", (value, remark)
    raise TypeError(type(node))
