r"""Trees as short text, so that a table of readings can be read.

``\frac{1}{2}x < 3`` has the shape ``(rel (. (/ 1 2) x) < 3)``.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

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
        case Operator(name, _, _, text):
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


# --- random trees ------------------------------------------------------------------------------
# Only trees that some text is read to: the reader joins the factors of a product, gives a numeral
# its sign, and so on; the builders below do the same.

LETTERS = "abckmnpqrtuvwxyz"
NAMES = [*LETTERS, "x_1", "a_n+1", "x'", "alpha", "theta_0", "AB", "vec v", "hat x_1", "angle ABC"]
CONSTANTS = ["pi", "e", "infinity"]
CALLS = (
    "sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth sech "
    "csch arsinh arcosh artanh arcoth arsech arcsch exp ln log sqrt abs floor ceil sgn re im gamma "
    "factorial double_factorial"
).split()
PAIRS = ["root", "binom", "log", "gcd", "lcm", "max", "min", "mod"]
SIGNS = ["=", "!=", "<", "<=", ">", ">=", "~", "equiv", "subset", "to", "similar"]


def numbers() -> st.SearchStrategy[Node]:
    """Integers, decimals with their places, and mixed numbers."""
    integers = st.integers(-5000, 5000).map(lambda value: Number(Fraction(value)))
    decimals = st.builds(
        lambda digits, places: Number(Fraction(digits, 10**places), places),
        st.integers(-99999, 99999),
        st.integers(1, 7),
    )
    mixed = st.builds(
        lambda top, bottom: Number(Fraction(top, bottom)), st.integers(-40, 40), st.integers(2, 9)
    )
    return st.one_of(integers, integers, decimals, mixed)


def expressions(leaves: int = 12) -> st.SearchStrategy[Node]:
    """Single values."""
    simple = st.one_of(
        numbers(),
        st.sampled_from(NAMES).map(Symbol),
        st.sampled_from(LETTERS).map(Symbol),
        st.sampled_from(CONSTANTS).map(Constant),
    )
    return st.recursive(simple, _compound, max_leaves=leaves)


def _compound(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        several.map(lambda terms: Sum(tuple(terms))),
        st.builds(_product, several, st.booleans()),
        st.builds(Quotient, inner, inner),
        st.builds(Power, inner, inner),
        inner.map(_negative),
        st.builds(PlusMinus, inner, st.booleans()),
        st.builds(lambda name, it: Call(name, (it,)), st.sampled_from(CALLS), inner),
        st.builds(_pair_call, st.sampled_from(PAIRS), inner, inner),
        st.builds(lambda name, it: Apply(name, (it,)), st.sampled_from(["f", "g'", "h^-1"]), inner),
        inner.map(Percent),
        inner.map(Degrees),
    )


def _product(factors: list[Node], explicit: bool) -> Node:
    first = factors[0]
    if isinstance(first, Product):
        return Product((*first.factors, *factors[1:]), explicit or first.explicit)
    return Product(tuple(factors), explicit)


def _negative(node: Node) -> Node:
    return Number(-node.value, node.places) if isinstance(node, Number) else Negative(node)


def _pair_call(name: str, left: Node, right: Node) -> Node:
    if name == "root" and right == Number(Fraction(2)):
        return Call("sqrt", (left,))
    return Call(name, (left, right))


def answers() -> st.SearchStrategy[Node]:
    """Whole answers of every kind."""
    value = expressions(6)
    several = st.lists(value, min_size=2, max_size=4).map(tuple)
    brackets = st.builds(
        lambda pair, items: Brackets(*pair, items),
        st.sampled_from([("(", ")"), ("[", ")"), ("(", "]"), ("[", "]"), ("{", "}"), ("<", ">")]),
        several,
    )
    relations = st.builds(
        lambda members, signs: Relation(members, tuple(signs[: len(members) - 1])),
        several,
        st.lists(st.sampled_from(SIGNS), min_size=3, max_size=3),
    )
    sets = st.one_of(brackets, st.sampled_from(["R", "Z+", "Q-", "N*", "empty"]).map(NamedSet))
    unions = st.builds(
        SetOperation,
        st.sampled_from(["union", "intersection", "difference"]),
        st.tuples(sets, sets),
    )
    matrices = st.builds(
        lambda rows, columns, entries, determinant: Matrix(
            tuple(
                tuple(entries[(row * columns + column) % len(entries)] for column in range(columns))
                for row in range(rows)
            ),
            determinant,
        ),
        st.integers(1, 3),
        st.integers(1, 3),
        st.lists(value, min_size=1, max_size=4),
        st.booleans(),
    )
    items = st.one_of(value, brackets, relations, unions, matrices)
    listings = st.builds(
        Listing,
        st.lists(items, min_size=2, max_size=4).map(tuple),
        st.sampled_from([",", "and", "or"]),
    )
    return st.one_of(
        items,
        listings,
        st.builds(SetBuilder, value, relations),
        st.builds(
            WithUnit, value, st.sampled_from([r"\text{ cm}", r"\$", r"\text{ km} / \text{h}"])
        ),
        st.builds(lambda it: Call("pmod", it), st.tuples(value, value)),
        st.builds(Ratio, several),
        st.builds(Qualified, value, relations),
        st.builds(lambda it: Qualified(it, Words("for all x")), value),
        st.sampled_from(["Yes", "no solution", "(C)"]).map(Words),
        st.builds(InBase, st.just("1011"), st.integers(2, 9)),
    )
