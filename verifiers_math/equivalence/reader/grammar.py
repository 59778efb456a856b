r"""The grammar: operators by how tightly they bind, relations, and lists.

From loose to tight: lists, relations, set operations, ratios, sums, ``mod``, products (also those
without a sign) and quotients, powers, factorials and other signs behind a value.
"""

from __future__ import annotations

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.arguments import argument
from verifiers_math.equivalence.reader.atoms import atom, begins_value
from verifiers_math.equivalence.reader.brackets import group, parentheses
from verifiers_math.equivalence.reader.cursor import CLOSERS, Cursor
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Degrees,
    Listing,
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
)
from verifiers_math.equivalence.units import read_unit

SUM, MODULO, PRODUCT, POWER = 10, 15, 20, 30
_SETS = (Brackets, SetBuilder, SetOperation, NamedSet)
_SUM_SIGNS = ("+", "-", "\\pm", "\\mp")
_PRODUCT_SIGNS = ("*", "/")
_IMPLIES = ("\\Rightarrow", "\\Leftrightarrow", "\\therefore", "\\iff", "\\Longrightarrow")


class MathGrammar:
    """Reads statements and values from a cursor; see `Grammar`."""

    # --- lists -----------------------------------------------------------------------------

    def statement(self, cursor: Cursor) -> Node:
        """A list of relations, up to a closing bracket, a stop or the end."""
        rows: list[list[Node]] = [[self._item(cursor)]]
        joiners: set[str] = set()
        while True:
            if cursor.take(*_IMPLIES):
                rows, joiners = [[self._item(cursor)]], set()
                continue
            joiner = self._separator(cursor)
            if joiner is None or self._at_end(cursor):
                break
            joiners.add(joiner)
            if joiner == ";":
                rows.append([])
            rows[-1].append(self._item(cursor))
        return _listed(rows, joiners)

    def _separator(self, cursor: Cursor) -> str | None:
        """Takes what stands between two items: ``,``, ``and``, ``, and``."""
        joiner: str | None = None
        while cursor.sees(*words.SEPARATORS) and cursor.token.text not in cursor.stops:
            found = words.SEPARATORS[cursor.next().text]
            joiner = found if joiner in (None, ",") else joiner
        return joiner

    def _at_end(self, cursor: Cursor) -> bool:
        token = cursor.token
        return token.kind is Kind.END or token.text in CLOSERS or token.text in cursor.stops

    def _item(self, cursor: Cursor) -> Node:
        node = self._relation(cursor)
        if self._at_end(cursor) or cursor.sees(*words.SEPARATORS, *_IMPLIES):
            return node
        if cursor.token.kind in (Kind.TEXT, Kind.WORD):
            return Qualified(node, Words(self._rest_of_item(cursor)))
        raise ReadError(f"{cursor.token.text!r} cannot follow")

    def _rest_of_item(self, cursor: Cursor) -> str:
        start = cursor.token.start
        self._skip_item(cursor)
        return " ".join(cursor.text[start : cursor.tokens[cursor.at - 1].end].split())

    def _skip_item(self, cursor: Cursor) -> None:
        depth = 0
        while cursor.token.kind is not Kind.END:
            text = cursor.token.text
            if depth == 0 and (
                text in CLOSERS or text in cursor.stops or text in (",", ";", "\\\\")
            ):
                return
            depth += (text in ("(", "[", "{", "\\{")) - (text in CLOSERS)
            cursor.next()

    # --- relations -------------------------------------------------------------------------

    def _relation(self, cursor: Cursor) -> Node:
        members: list[Node] = []
        signs: list[str] = []
        if self._sign(cursor) is not None:
            members.append(Symbol(""))  # "> 0": the name is left out
        else:
            members.append(self._sets(cursor))
        while (sign := self._sign(cursor)) is not None and cursor.token.text not in cursor.stops:
            cursor.next()
            signs.append(sign)
            members.append(self._sets(cursor))
        return Relation(tuple(members), tuple(signs)) if signs else members[0]

    def _sign(self, cursor: Cursor) -> str | None:
        token = cursor.token
        if token.kind not in (Kind.SIGN, Kind.COMMAND):
            return None
        return words.RELATIONS.get(token.text)

    def _sets(self, cursor: Cursor) -> Node:
        node = self._ratio(cursor)
        while True:
            if cursor.sees(*words.SET_OPERATIONS):
                name = words.SET_OPERATIONS[cursor.next().text]
            elif cursor.token.text == "U" and isinstance(node, Brackets | SetOperation):
                cursor.next()
                name = "union"
            elif cursor.sees("-") and isinstance(node, _SETS):
                cursor.next()
                name = "difference"
            else:
                return node
            right = self._ratio(cursor)
            if isinstance(node, SetOperation) and node.name == name != "difference":
                node = SetOperation(name, (*node.sets, right))
            else:
                node = SetOperation(name, (node, right))

    def _ratio(self, cursor: Cursor) -> Node:
        parts = [self._measured(cursor)]
        while cursor.sees(":") and ":" not in cursor.stops:
            cursor.next()
            parts.append(self._measured(cursor))
        return parts[0] if len(parts) == 1 else Ratio(tuple(parts))

    def _measured(self, cursor: Cursor) -> Node:
        """A value, and the unit or the modulus behind it."""
        node = self.expression(cursor)
        if cursor.take("\\pmod", "\\mod"):
            return Call("pmod", (node, argument(cursor)))
        if cursor.sees("(") and cursor.ahead().text in ("\\bmod", "\\mod"):
            cursor.at += 2
            modulus = cursor.expression()
            cursor.expect(")")
            return Call("pmod", (node, modulus))
        if cursor.take("percent", "pct"):
            return Percent(node)
        unit = _unit_ahead(cursor)
        if unit is None:
            return node
        text, length = unit
        cursor.at += length
        return _with_unit(node, text)

    # --- values ----------------------------------------------------------------------------

    def expression(self, cursor: Cursor, power: int = 0) -> Node:
        """One value; stops before an operator that binds less tightly than ``power``."""
        node = self.factor(cursor)
        while True:
            token = cursor.token
            if token.text in cursor.stops or token.kind is Kind.END:
                return node
            if token.text in _SUM_SIGNS and token.kind in (Kind.SIGN, Kind.COMMAND):
                if power >= SUM or (token.text == "-" and isinstance(node, _SETS)):
                    return node
                node = self._sum(cursor, node)
            elif cursor.sees("\\bmod"):
                if power >= MODULO:
                    return node
                cursor.next()
                node = Call("mod", (node, cursor.expression(MODULO)))
            elif cursor.sees("\\choose", "\\over"):
                name = cursor.next().text
                right = cursor.expression()
                node = Call("binom", (node, right)) if name == "\\choose" else Quotient(node, right)
            elif power >= PRODUCT or not self._continues(cursor, node):
                return node
            else:
                node = self._product(cursor, node)

    def _continues(self, cursor: Cursor, node: Node) -> bool:
        """Whether a factor or a divisor follows."""
        if cursor.sees(*_PRODUCT_SIGNS):
            return True
        if isinstance(node, Brackets):
            return False
        if cursor.token.kind is Kind.NUMBER:
            return _takes_numeral(cursor, node)
        if not begins_value(cursor.token):
            return False
        if cursor.sees("(") and cursor.ahead().text in ("\\bmod", "\\mod"):
            return False
        return _unit_ahead(cursor) is None

    def _sum(self, cursor: Cursor, first: Node) -> Node:
        terms = [first]
        while cursor.sees(*_SUM_SIGNS) and cursor.token.text not in cursor.stops:
            sign = cursor.next().text
            term = cursor.expression(SUM)
            if sign == "-":
                term = (
                    Number(-term.value, term.places) if isinstance(term, Number) else Negative(term)
                )
            elif sign != "+":
                term = PlusMinus(term, inverse=sign == "\\mp")
            terms.append(term)
        return Sum(tuple(terms))

    def _product(self, cursor: Cursor, node: Node) -> Node:
        """Factors and divisors from the left: ``1/2x`` is ``(1/2)x``."""
        if cursor.take("/"):
            return Quotient(node, self.factor(cursor))
        explicit = cursor.take("*")
        factor = self.factor(cursor)
        if isinstance(node, Product):
            return Product((*node.factors, factor), explicit or node.explicit)
        return Product((node, factor), explicit)

    def factor(self, cursor: Cursor) -> Node:
        """A value with its powers and the signs behind it."""
        node = atom(cursor)
        if isinstance(node, Words):
            return node
        while True:
            if cursor.sees("^") and cursor.ahead().text == "\\circ":
                cursor.at += 2
                node = Degrees(node)
            elif cursor.take("^", "**"):
                node = Power(node, self.exponent(cursor))
            elif cursor.take("!"):
                double = cursor.sees("!") and not cursor.token.spaced and cursor.take("!")
                node = Call("double_factorial" if double else "factorial", (node,))
            elif cursor.take("\\%"):
                node = Percent(node)
            else:
                return node

    def exponent(self, cursor: Cursor) -> Node:
        """What is raised: a group, or one token with its sign; powers of powers from the right."""
        if cursor.take("-"):
            inner = self.exponent(cursor)
            return Number(-inner.value) if isinstance(inner, Number) else Negative(inner)
        cursor.take("+")
        if cursor.sees("{"):
            node = group(cursor)
        elif cursor.token.kind is Kind.NUMBER:
            token = cursor.next()
            node = Number(token.value, token.places)
        elif cursor.sees("("):
            node = parentheses(cursor, cursor.next())
        else:
            node = self.atom(cursor)
        if cursor.sees("^") and cursor.ahead().text != "\\circ":
            cursor.next()
            node = Power(node, self.exponent(cursor))
        return node

    def atom(self, cursor: Cursor) -> Node:
        """What begins at this place, without what follows."""
        return atom(cursor)

    def argument(self, cursor: Cursor) -> Node:
        """One argument of a command: a group, or a single token."""
        return argument(cursor)

    def continues_argument(self, cursor: Cursor, factors: list[Node]) -> bool:
        r"""Whether another factor belongs to an argument without brackets: ``\sin 2x``."""
        token = cursor.token
        if token.text in cursor.stops or token.kind is Kind.FUNCTION or not begins_value(token):
            return False
        if token.text in ("(", "[", "{"):
            return all(isinstance(factor, Number) for factor in factors)
        return token.text != "|" and _unit_ahead(cursor) is None


def _takes_numeral(cursor: Cursor, node: Node) -> bool:
    """Whether a numeral is a factor behind a value: ``(n-2)2^n``, ``2^6 3^5``, ``N2^{-N}``."""
    last = node.factors[-1] if isinstance(node, Product) else node
    raised = cursor.ahead().text == "^"
    if isinstance(last, Symbol | Number):
        return raised and isinstance(last, Symbol)
    return raised or (isinstance(last, Sum | Call | Power) and not cursor.token.spaced)


def _listed(rows: list[list[Node]], joiners: set[str]) -> Node:
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    if len(rows) == 1:
        joiner = "or" if "or" in joiners else "and" if "and" in joiners else ","
        return Listing(tuple(rows[0]), joiner)
    items = tuple(row[0] if len(row) == 1 else Listing(tuple(row)) for row in rows)
    return Listing(items, ";")


# --- units -------------------------------------------------------------------------------------

_UNIT_ENDS = frozenset(
    {",", ";", ")", "]", "}", "\\}", "=", "<", ">", "\\le", "\\ge", "\\approx", "&"}
)
_MAX_UNIT_TOKENS = 12


def _unit_ahead(cursor: Cursor) -> tuple[str, int] | None:
    """The text of a unit that stands from here to the end of the item, and its tokens."""
    token = cursor.token
    starts = token.kind in (Kind.TEXT, Kind.WORD) or token.text in ("min", "sec", "deg")
    if not starts and not (token.kind is Kind.LETTER and token.spaced and _lone_numeral(cursor)):
        return None
    length = 0
    while length <= _MAX_UNIT_TOKENS:
        ahead = cursor.ahead(length) if length else token
        closing = ahead.text in _UNIT_ENDS and not (ahead.text == "}" and _opened(cursor, length))
        if ahead.kind is Kind.END or closing or ahead.text in cursor.stops or _joins(ahead):
            break
        length += 1
    end = cursor.ahead(length - 1) if length > 1 else token
    if not 0 < length <= _MAX_UNIT_TOKENS:
        return None
    text = cursor.text[token.start : end.end]
    return (text, length) if read_unit(" " + text) is not None else None


_ITEM_STARTS = frozenset(
    {",", ";", "=", "-", "+", "\\approx", "\\le", "\\ge", "<", ">", "and", "or"}
)


def _lone_numeral(cursor: Cursor) -> bool:
    """Whether all that stands before, in this item, is a numeral: only then is a letter a unit."""
    before = cursor.tokens[cursor.at - 1]
    if before.kind is not Kind.NUMBER:
        return False
    return cursor.at == 1 or cursor.tokens[cursor.at - 2].text in _ITEM_STARTS


def _opened(cursor: Cursor, length: int) -> bool:
    """Whether a closing brace belongs to the exponent of a unit."""
    inside = [cursor.ahead(at).text for at in range(1, length)]
    return inside.count("{") > inside.count("}")


def _joins(token: Token) -> bool:
    return token.kind is Kind.WORD and token.text in ("and", "or")


def _with_unit(node: Node, text: str) -> Node:
    unit = read_unit(" " + text)
    if unit is not None and unit.label == "degree^1":
        return Degrees(node)
    return WithUnit(node, text)
