r"""Brackets of every kind: groups, tuples, intervals, sets, bars, matrices and systems."""

from __future__ import annotations

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.cursor import CLOSE_BAR, CLOSERS, OPEN_BAR, Cursor
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Qualified,
    Relation,
    SetBuilder,
    Symbol,
    Words,
)


def group(cursor: Cursor) -> Node:
    """``{…}`` around the argument of a command."""
    cursor.expect("{")
    node = cursor.statement()
    cursor.expect("}")
    return node


def parentheses(cursor: Cursor, token: Token) -> Node:
    """``(…)`` and ``[…]``: a group, or where commas stand inside, a tuple, interval or matrix."""
    before = cursor.tokens[cursor.at - 2] if cursor.at > 1 else None
    left = token.text if token.text in ("(", "[", "]") else "("
    if left == "[" and cursor.take("]"):
        return NamedSet("empty")
    inside = cursor.statement(frozenset({"["}) if left == "]" else frozenset())
    right = cursor.expect(")", "]", "[").text
    if (
        (left, right) == ("[", "]")
        and isinstance(inside, Symbol)
        and _are_factors(before, cursor.token)
    ):
        return Call("floor", (inside,))
    return _bracketed(left, right, inside)


def _are_factors(before: Token | None, behind: Token) -> bool:
    r"""Whether a letter in brackets is a term or a factor by what surrounds it: ``x - [x]``.

    A letter alone needs no brackets but those of its whole part; ``\mathbb{R}[x]`` is a ring.
    """
    if before is not None and before.text == "}":
        return False
    if behind.text in _BEHIND_FACTORS:
        return True
    return before is not None and (
        before.text in _BEFORE_FACTORS or before.kind in (Kind.NUMBER, Kind.LETTER)
    )


_OPERATIONS = frozenset("+-*/^")
_BEHIND_FACTORS = _OPERATIONS | {"["}
_BEFORE_FACTORS = _OPERATIONS | {"]"}


def _bracketed(left: str, right: str, inside: Node) -> Node:
    if not isinstance(inside, Listing):
        grouped = (left, right) in (("(", ")"), ("[", "]"))
        return inside if grouped else Brackets(left, right, (inside,))
    if left == "(" and right == ")" and inside.joiner in _IN_WORDS and len(inside.items) == 2:
        return inside  # (2 or 3) is no pair
    if left == "[" and right == "]":
        matrix = _rows_of_listing(inside)
        if matrix is not None:
            return matrix
    return Brackets(left, right, inside.items)


_IN_WORDS = frozenset({"and", "or"})


def _rows_of_listing(listing: Listing) -> Matrix | None:
    """``[1, 2; 3, 4]``."""
    rows = [row.items for row in listing.items if isinstance(row, Listing)]
    if listing.joiner != ";" or len(rows) != len(listing.items):
        return None
    return Matrix(tuple(rows)) if len({len(row) for row in rows}) == 1 else None


def braces(cursor: Cursor, token: Token) -> Node:
    """``{…}`` where a value is expected: a group, or a set where commas or a bar stand inside."""
    if cursor.take("}"):
        return _behind_nothing(cursor)
    inside = cursor.statement(_SUCH_THAT)
    if cursor.sees(*_SUCH_THAT):
        return _set_builder(cursor, inside, "}")
    cursor.expect("}")
    return Brackets("{", "}", inside.items) if isinstance(inside, Listing) else inside


def _behind_nothing(cursor: Cursor) -> Node:
    """``{}_5C_2`` behind its empty braces; braces alone are the empty set."""
    if cursor.token.kind is Kind.END or cursor.token.text in CLOSERS:
        return NamedSet("empty")
    return cursor.grammar.atom(cursor)


_SUCH_THAT = frozenset({"|", ":"})


def _set_builder(cursor: Cursor, element: Node, closing: str) -> Node:
    """The condition behind the bar; ``{x: 3, y: 4}`` are assignments, as Python writes them."""
    sign = cursor.next().text
    condition = cursor.statement(_SUCH_THAT)
    if sign == ":" and isinstance(element, Symbol) and not _is_condition(condition):
        return _pairs(cursor, element, condition, closing)
    cursor.expect(closing)
    return SetBuilder(element, condition)


def _is_condition(node: Node) -> bool:
    return isinstance(node, Relation | Qualified | Words) or (
        isinstance(node, Listing) and any(map(_is_condition, node.items))
    )


def _pairs(cursor: Cursor, name: Node, value: Node, closing: str) -> Node:
    found: list[Node] = []
    while cursor.take(":"):
        if not isinstance(value, Listing) or len(value.items) != 2:
            raise ReadError("names and values do not take turns")
        found.append(Relation((name, value.items[0]), ("=",)))
        name, value = value.items[1], cursor.statement(_SUCH_THAT)
    cursor.expect(closing)
    found.append(Relation((name, value), ("=",)))
    return found[0] if len(found) == 1 else Brackets("{", "}", tuple(found))


def set_braces(cursor: Cursor, token: Token) -> Node:
    r"""``\{…\}``: a set by its members, or by a condition behind ``|`` or ``:``."""
    if cursor.take("\\}"):
        return NamedSet("empty")
    if cursor.sees("\\begin"):
        return _system(cursor)
    inside = cursor.statement(_SUCH_THAT)
    if cursor.sees(*_SUCH_THAT):
        return _set_builder(cursor, inside, "\\}")
    cursor.expect("\\}")
    items = inside.items if isinstance(inside, Listing) else (inside,)
    return Brackets("{", "}", items)


def _system(cursor: Cursor) -> Node:
    r"""``\left\{\begin{array}…\end{array}\right.``: a system, or cases; its brace never closes."""
    cursor.next()
    node = environment(cursor)
    if cursor.take("\\}") or not isinstance(node, Matrix):
        return node
    return _lines(list(node.rows))


def angle(cursor: Cursor, token: Token) -> Node:
    r"""``\langle 1, 2 \rangle``, a vector."""
    inside = cursor.statement()
    cursor.expect("\\rangle")
    return Brackets("<", ">", inside.items if isinstance(inside, Listing) else (inside,))


def floor(cursor: Cursor, token: Token) -> Node:
    r"""``\lfloor x \rfloor``."""
    inside = cursor.expression()
    cursor.expect("\\rfloor")
    return Call("floor", (inside,))


def ceiling(cursor: Cursor, token: Token) -> Node:
    r"""``\lceil x \rceil``."""
    inside = cursor.expression()
    cursor.expect("\\rceil")
    return Call("ceil", (inside,))


def bars(cursor: Cursor, token: Token) -> Node:
    """What stands between two bars."""
    closing = CLOSE_BAR if token.text == OPEN_BAR else token.text
    inside = cursor.statement(frozenset({closing}))
    cursor.expect(closing)
    return inside


# --- environments ------------------------------------------------------------------------------

_CELL_ENDS = frozenset({"&", "\\\\"})


def environment(cursor: Cursor) -> Node:
    r"""A matrix, a system of equations or cases, behind ``\begin``."""
    name = _environment_name(cursor)
    if name in words.ALIGNED:
        _drop_alignment(cursor)
    if name in ("array", "alignedat") and cursor.sees("{"):
        _environment_name(cursor)
    elif name.endswith("matrix*") and cursor.sees("["):
        cursor.at += 3
    rows = _rows(cursor)
    if not cursor.take("\\end") or _environment_name(cursor) != name:
        raise ReadError(f"the environment {name} does not end")
    if name == "array" and all(isinstance(row[0], Relation) for row in rows):
        return _lines(rows)
    if name in words.MATRICES:
        if len({len(row) for row in rows}) != 1:
            raise ReadError("the rows of a matrix differ in length")
        return Matrix(tuple(rows), determinant=name == "vmatrix")
    if name in words.ALIGNED or name in words.CASES:
        return _lines(rows)
    raise ReadError(f"the environment {name} is not known")


def _lines(rows: list[tuple[Node, ...]]) -> Node:
    """The rows of a system, or of cases with their conditions."""
    lines = tuple(row[0] if len(row) == 1 else Qualified(row[0], row[-1]) for row in rows)
    return lines[0] if len(lines) == 1 else Listing(lines, "and")


def _environment_name(cursor: Cursor) -> str:
    start = cursor.expect("{").end
    while not cursor.sees("}"):
        if cursor.next().kind is Kind.END:
            raise ReadError("the name of an environment never ends")
    return cursor.text[start : cursor.next().start].strip()


def _drop_alignment(cursor: Cursor) -> None:
    """Removes the ``&`` of an environment whose columns mean nothing; those inside others stay."""
    kept: list[Token] = []
    depth, end = 0, cursor.at
    for token in cursor.tokens[cursor.at :]:
        depth += (token.text == "\\begin") - (token.text == "\\end")
        if depth < 0 or token.kind is Kind.END:
            break
        if depth or token.text != "&":
            kept.append(token)
        end += 1
    cursor.tokens[cursor.at : end] = kept


def _rows(cursor: Cursor) -> list[tuple[Node, ...]]:
    rows: list[tuple[Node, ...]] = []
    row: list[Node] = []
    while not cursor.sees("\\end"):
        if cursor.take("\\hline", ","):
            continue
        if row and cursor.token.text.strip().lower() in words.CONDITION_WORDS:
            cursor.next()
        row.append(cursor.statement(_CELL_ENDS))
        if cursor.take("&"):
            continue
        rows.append(tuple(row))
        row = []
        if not cursor.take("\\\\") and not cursor.sees("\\end"):
            raise ReadError("a cell of a matrix cannot be read to its end")
    if row or not rows:
        raise ReadError("a matrix has an empty cell")
    return rows
