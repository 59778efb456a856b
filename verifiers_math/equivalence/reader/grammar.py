r"""The grammar: operators by how tightly they bind, relations, and lists.

From loose to tight: lists, relations, set operations, ratios, sums, ``mod``, products (also those
without a sign) and quotients, powers, factorials and other signs behind a value.
"""

from __future__ import annotations

import re

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.arguments import argument, subscript
from verifiers_math.equivalence.reader.atoms import atom, begins_value, plain
from verifiers_math.equivalence.reader.brackets import group
from verifiers_math.equivalence.reader.cursor import CLOSERS, OPEN_BAR, Cursor
from verifiers_math.equivalence.reader.lookahead import (
    MODULO_SIGNS,
    begins_assignment,
    begins_item,
    closes_interval,
    condition_sign,
    goes_on,
    is_remark,
    opens_again,
    takes_numeral,
    takes_times,
)
from verifiers_math.equivalence.reader.measures import (
    based,
    temperature,
    unit_ahead,
    with_unit,
)
from verifiers_math.equivalence.reader.tokens import Kind, ReadError
from verifiers_math.equivalence.reader.tree import (
    Apply,
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
from verifiers_math.equivalence.units import CURRENCIES

SUM, MODULO, PRODUCT, POWER = 10, 15, 20, 30
_SETS = (Brackets, SetBuilder, SetOperation, NamedSet)
_BOLD_SETS = frozenset(map(Symbol, words.BLACKBOARD))
_UNION_LETTERS = ("U", "u")
_SUM_SIGNS = ("+", "-", "\\pm", "\\mp")
_PRODUCT_SIGNS = ("*", "/", "\\cross")
_UPRIGHT = re.compile(r"\\text ?\{([^{}]*)\}")
_BLANKS = frozenset({"\\quad", "\\\\", ",", "only", *words.IMPLIES})
"""What means nothing before the first item."""
_ITEM_ENDS = frozenset({*words.SEPARATORS, *words.IMPLIES, "\\ldots", "..."})
_BEHIND_FACTORS = frozenset(("^", "**", "!", "\\%", "_"))
"""What may stand behind a factor and belong to it."""


class MathGrammar:
    """Reads statements and values from a cursor; see `Grammar`."""

    # --- lists -----------------------------------------------------------------------------

    def statement(self, cursor: Cursor) -> Node:
        """A list of relations, up to a closing bracket, a stop or the end."""
        while cursor.token.text.strip() in _BLANKS and cursor.token.text not in cursor.stops:
            cursor.next()
        rows: list[list[Node]] = [[self._item(cursor)]]
        joiners: list[str] = []
        while True:
            if cursor.sees_any(words.IMPLIES):
                arrow, before = cursor.next().text, rows[-1][-1]
                rows, joiners = [[_concluded(before, arrow, self._item(cursor))]], []
                continue
            joiner = None if cursor.token.kind is Kind.END else self._separator(cursor)
            if joiner is None or self._at_end(cursor):
                break
            joiners.append(joiner)
            self._skip_condition_word(cursor)
            if joiner == ";":
                rows.append([])
            rows[-1].append(self._item(cursor))
        return _listed(rows, joiners)

    def _skip_condition_word(self, cursor: Cursor) -> None:
        r"""Skips the ``where`` of ``2k, \text{ where } k \in \mathbb{Z}``."""
        if cursor.token.text.strip().lower() in words.CONDITION_WORDS and cursor.ahead().kind in (
            Kind.LETTER,
            Kind.NAME,
            Kind.SIGN,
        ):
            cursor.next()

    def _separator(self, cursor: Cursor) -> str | None:
        """Takes what stands between two items: ``,``, ``and``, ``, and``."""
        joiner: str | None = None
        while cursor.sees_any(words.SEPARATORS) and cursor.token.text not in cursor.stops:
            found = words.SEPARATORS[cursor.next().text]
            joiner = found if joiner in (None, ",") else joiner
        if joiner is None and (cursor.sees("\\ldots", "...") or begins_item(cursor)):
            return ","
        return joiner

    def _at_end(self, cursor: Cursor) -> bool:
        token = cursor.token
        return token.kind is Kind.END or token.text in CLOSERS or token.text in cursor.stops

    def _item(self, cursor: Cursor) -> Node:
        node = self.relation(cursor)
        if cursor.token.kind is Kind.END:
            return node
        if cursor.take("\\tag"):
            subscript(cursor)
        if self._at_end(cursor) or cursor.sees_any(_ITEM_ENDS) or begins_item(cursor):
            return node
        if cursor.sees("[") and closes_interval(cursor.ahead()):
            return node
        if isinstance(node, Words):
            return self._sentence(cursor, node)
        if cursor.token.kind in (Kind.TEXT, Kind.WORD):
            return Qualified(node, Words(self._rest_of_item(cursor)))
        if cursor.sees("(") and (
            cursor.ahead().kind in (Kind.TEXT, Kind.WORD) or condition_sign(cursor) is not None
        ):
            return Qualified(node, Words(self._rest_of_item(cursor)))
        raise ReadError(f"{cursor.token.text!r} cannot follow")

    def _sentence(self, cursor: Cursor, start: Words) -> Node:
        """Words that go on with letters and signs; numbers in a sentence are no part of it."""
        rest = self._rest_of_item(cursor)
        if any(char.isdigit() for char in rest):
            raise ReadError("a sentence with numbers in it")
        return Words(plain(f"{start.text} " + _UPRIGHT.sub(r"\1", rest)))

    def _rest_of_item(self, cursor: Cursor) -> str:
        start = cursor.token.start
        self._skip_item(cursor)
        return " ".join(cursor.text[start : cursor.tokens[cursor.at - 1].end].split())

    def _skip_item(self, cursor: Cursor) -> None:
        depth = 0
        while cursor.token.kind is not Kind.END:
            text = cursor.token.text
            opens = text in ("(", "[", "{", "\\{") or text.count("(") > text.count(")")
            closes = text in CLOSERS or text.count(")") > text.count("(")
            if depth == 0 and (closes or text in cursor.stops or text in (",", ";", "\\\\")):
                return
            depth += opens - closes
            cursor.next()

    # --- relations -------------------------------------------------------------------------

    def relation(self, cursor: Cursor) -> Node:
        """A chain of relations, or the single value that stands alone."""
        cursor.take("=")  # the other side stands elsewhere
        members: list[Node] = []
        signs: list[str] = []
        if self._sign(cursor) is not None:
            members.append(Symbol(""))  # "> 0": the name is left out
        else:
            members.append(self._sets(cursor))
        while (sign := self._sign(cursor)) is not None and cursor.token.text not in cursor.stops:
            cursor.next()
            signs.append(sign)
            member = self._sets(cursor)
            if sign in ("in", "notin") and member in _BOLD_SETS:
                member = NamedSet(member.name)
            members.append(member)
        return Relation(tuple(members), tuple(signs)) if signs else members[0]

    def _sign(self, cursor: Cursor) -> str | None:
        token = cursor.token
        if token.kind not in (Kind.SIGN, Kind.COMMAND):
            return None
        return words.RELATIONS.get(token.text)

    def _sets(self, cursor: Cursor) -> Node:
        start = cursor.at
        node = self.expression(cursor)
        if cursor.at_usual_end():
            return node
        node = self._ratio(cursor, self._measured(cursor, node))
        while True:
            if cursor.token.text in cursor.stops:
                return node
            begun = cursor.at
            if cursor.sees_any(words.SET_OPERATIONS):
                name = words.SET_OPERATIONS[cursor.next().text]
            elif cursor.token.text in _UNION_LETTERS and isinstance(node, Brackets | SetOperation):
                cursor.next()
                name = "union"
            elif cursor.sees("-") and isinstance(node, _SETS):
                cursor.next()
                name = "difference"
            else:
                return node
            node, start = _as_set(cursor, start, begun, node), cursor.at
            right = self._ratio(cursor, self._measured(cursor, self.expression(cursor)))
            right = _as_set(cursor, start, cursor.at, right)
            if isinstance(node, SetOperation) and node.name == name != "difference":
                node = SetOperation(name, (*node.sets, right))
            else:
                node = SetOperation(name, (node, right))

    def _ratio(self, cursor: Cursor, first: Node) -> Node:
        """What a value and the colons behind it make."""
        parts = [first]
        while cursor.sees(":") and ":" not in cursor.stops:
            cursor.next()
            parts.append(self._measured(cursor, self.expression(cursor)))
        return first if len(parts) == 1 else Ratio(tuple(parts))

    def _measured(self, cursor: Cursor, node: Node) -> Node:
        """A value with the unit or the modulus behind it."""
        if cursor.sees("\\quad") and cursor.ahead(2).text in MODULO_SIGNS:
            cursor.next()
        if cursor.take("\\pmod", "\\mod"):
            return Call("pmod", (node, self._modulus(cursor)))
        if cursor.sees("(") and cursor.ahead().text in MODULO_SIGNS:
            cursor.at += 2
            modulus = cursor.expression()
            cursor.expect(")")
            return Call("pmod", (node, modulus))
        if cursor.take("percent", "pct"):
            return Percent(node)
        if cursor.sees_any(CURRENCIES):
            return WithUnit(node, cursor.next().text)
        unit = unit_ahead(cursor)
        if unit is None:
            return node
        text, length = unit
        cursor.at += length
        return with_unit(node, text)

    def _modulus(self, cursor: Cursor) -> Node:
        r"""``\pmod{7}``, ``\pmod 13``, ``\mod 13``."""
        if cursor.sees("{", "("):
            return argument(cursor)
        return self.expression(cursor, PRODUCT)

    # --- values ----------------------------------------------------------------------------

    def expression(self, cursor: Cursor, power: int = 0) -> Node:
        """One value; stops before an operator that binds less tightly than ``power``."""
        node = self.factor(cursor)
        while True:
            if cursor.at_usual_end():
                return node
            token = cursor.token
            if token.text in cursor.stops and not opens_again(cursor):
                return node
            if token.text in _SUM_SIGNS and token.kind in (Kind.SIGN, Kind.COMMAND):
                if power >= SUM or (token.text == "-" and isinstance(node, _SETS)):
                    return node
                node = self._sum(cursor, node)
            elif cursor.sees("\\bmod"):
                if power >= MODULO:
                    return node
                cursor.next()
                node = Call("mod", (node, self.expression(cursor, MODULO)))
            elif cursor.sees("\\choose", "\\over"):
                node = self._over(cursor, node)
            elif power >= PRODUCT or not self._continues(cursor, node):
                return node
            else:
                node = self._product(cursor, node)

    def _over(self, cursor: Cursor, top: Node) -> Node:
        r"""``{5 \choose 2}``, ``{1 \over 2}``."""
        cursor.enter()
        name = cursor.next().text
        bottom = self.expression(cursor)
        cursor.leave()
        return Call("binom", (top, bottom)) if name == "\\choose" else Quotient(top, bottom)

    def _continues(self, cursor: Cursor, node: Node) -> bool:
        """Whether a factor or a divisor follows."""
        if cursor.sees(*_PRODUCT_SIGNS):
            return True
        if isinstance(node, Brackets | Words):
            return False
        token = cursor.token
        if token.kind is Kind.NUMBER:
            return takes_numeral(cursor, node)
        if token.text in ("\\ldots", "..."):
            return goes_on(cursor)
        if not begins_value(token):
            return False
        if token.text == "(" and cursor.ahead().kind in (Kind.TEXT, Kind.WORD, Kind.COMMAND):
            return not (cursor.ahead().text in MODULO_SIGNS or is_remark(cursor))
        if token.text == "(" and condition_sign(cursor) is not None:
            return False
        if token.text == "[" and closes_interval(cursor.ahead()):
            return False
        return unit_ahead(cursor) is None and not begins_assignment(cursor)

    def _sum(self, cursor: Cursor, first: Node) -> Node:
        terms = [first]
        while cursor.sees_any(_SUM_SIGNS):
            sign = cursor.next().text
            term = self.expression(cursor, SUM)
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
        if cursor.take("\\cross"):
            return self._cross(cursor, node)
        explicit = cursor.take("*") or takes_times(cursor)
        factor = self.factor(cursor)
        if isinstance(node, Product):
            return Product((*node.factors, factor), explicit or node.explicit)
        return Product((node, factor), explicit)

    def _cross(self, cursor: Cursor, node: Node) -> Node:
        r"""``2\vec a \times 3\vec b``: the sign takes the last factor before it, and a vector."""
        right = self.factor(cursor)
        while isinstance(right, Number) and begins_value(cursor.token):
            right = Product((right, self.factor(cursor)))
        before, left = node.factors[:-1] if isinstance(node, Product) else (), node
        if isinstance(node, Product):
            left = node.factors[-1]
        crossed = Apply("cross", (left, right))
        return Product((*before, crossed)) if before else crossed

    def factor(self, cursor: Cursor) -> Node:
        """A value with its powers and the signs behind it."""
        node = atom(cursor)
        if isinstance(node, Words):
            return node
        while True:
            if cursor.token.text not in _BEHIND_FACTORS:
                return node
            if cursor.sees("^") and cursor.ahead().text == "\\circ":
                cursor.at += 2
                node = temperature(cursor, node) or Degrees(node)
            elif cursor.take("^", "**"):
                node = Power(node, self.exponent(cursor))
            elif cursor.take("!"):
                double = cursor.sees("!") and not cursor.token.spaced and cursor.take("!")
                node = Call("double_factorial" if double else "factorial", (node,))
            elif cursor.take("\\%"):
                node = Percent(node)
            elif cursor.sees("_") and isinstance(node, Number) and node.places is None:
                node = based(cursor, node)
            else:
                return node

    def exponent(self, cursor: Cursor) -> Node:
        """What is raised: a group, or one token with its sign; powers of powers from the right."""
        cursor.enter()
        if cursor.take("-"):
            inner = self.exponent(cursor)
            node: Node = (
                Number(-inner.value, inner.places) if isinstance(inner, Number) else Negative(inner)
            )
            cursor.leave()
            return node
        cursor.take("+")
        if cursor.sees("{"):
            node = group(cursor)
        elif cursor.token.kind is Kind.NUMBER:
            token = cursor.next()
            node = Number(token.value, token.places)
        else:
            _part_transpose(cursor)
            node = self.atom(cursor)
        if cursor.sees("^", "**") and cursor.ahead().text != "\\circ":
            cursor.next()
            node = Power(node, self.exponent(cursor))
        cursor.leave()
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
        if token.text in ("\\ldots", "..."):
            return False
        if token.text == "e" and cursor.ahead().text == "^":  # \\sin x e^{-t}
            return False
        if token.text in ("(", "[", "{"):
            return all(isinstance(factor, Number) for factor in factors)
        return token.text not in ("|", OPEN_BAR) and unit_ahead(cursor) is None


def _concluded(before: Node, arrow: str, behind: Node) -> Node:
    r"""What an arrow ends with, or the two letters that it joins: ``A \Rightarrow B``."""
    sign = words.ARROWS.get(arrow)
    if sign is None or not isinstance(behind, Symbol) or behind.name not in words.STATEMENTS:
        return behind
    match before:
        case Symbol(name) if name in words.STATEMENTS:
            return Relation((before, behind), (sign,))
        case Relation(members, signs) if set(signs) <= {*words.ARROWS.values()}:
            return Relation((*members, behind), (*signs, sign))
        case _:
            return behind


def _part_transpose(cursor: Cursor) -> None:
    """Parts ``TA`` in ``A^TA``: without braces one letter is raised."""
    token = cursor.token
    if token.kind is not Kind.NAME or not token.text.isupper() or token.text[0] != "T":
        return
    rest = token.text[1:]
    kind = Kind.LETTER if len(rest) == 1 else Kind.NAME
    cursor.tokens[cursor.at : cursor.at + 1] = [
        token._replace(kind=Kind.LETTER, text="T", end=token.start + 1),
        token._replace(kind=kind, text=rest, start=token.start + 1, spaced=False),
    ]


def _listed(rows: list[list[Node]], joiners: list[str]) -> Node:
    if len(rows) == 1 and len(rows[0]) == 1:
        return rows[0][0]
    if len(rows) == 1:
        if "or" in joiners and "and" in joiners and all(map(_is_statement, rows[0])):
            return Listing(_alternatives(rows[0], joiners), "or")
        joiner = "or" if "or" in joiners else "and" if "and" in joiners else ","
        return Listing(tuple(rows[0]), joiner)
    items = tuple(row[0] if len(row) == 1 else Listing(tuple(row)) for row in rows)
    return Listing(items, ";")


def _as_set(cursor: Cursor, start: int, end: int, node: Node) -> Node:
    """``{6}`` beside a set as the set of one number that it is there."""
    first, last = cursor.tokens[start].text, cursor.tokens[end - 1].text
    return Brackets("{", "}", (node,)) if first == "{" and last == "}" and _is_bare(node) else node


def _is_bare(node: Node) -> bool:
    return isinstance(node, Number | Negative | Symbol)


def _is_statement(node: Node) -> bool:
    """Whether a node is true or false, and no value: a letter of logic, or an inequality."""
    return isinstance(node, Symbol) or (isinstance(node, Relation) and "=" not in node.signs)


def _alternatives(items: list[Node], joiners: list[str]) -> tuple[Node, ...]:
    """What stands between each "or": "and" binds tighter."""
    groups = [[items[0]]]
    for item, joiner in zip(items[1:], joiners, strict=True):
        if joiner == "or":
            groups.append([])
        groups[-1].append(item)
    return tuple(group[0] if len(group) == 1 else Listing(tuple(group), "and") for group in groups)
