r"""Brackets of every kind: groups, tuples, intervals, sets, bars, matrices and systems."""

from __future__ import annotations

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind, ReadError, Token
from verifiers_math.equivalence.reader.tree import (
    Brackets,
    Call,
    Listing,
    Matrix,
    NamedSet,
    Node,
    Qualified,
    SetBuilder,
)


def group(cursor: Cursor) -> Node:
    """``{…}`` around the argument of a command."""
    cursor.expect("{")
    node = cursor.statement()
    cursor.expect("}")
    return node


def parentheses(cursor: Cursor, token: Token) -> Node:
    """``(…)`` and ``[…]``: a group, or where commas stand inside, a tuple, interval or matrix."""
    left = token.text if token.text in ("(", "[", "]") else "("
    if left == "[" and cursor.take("]"):
        return Brackets("{", "}", ())
    inside = cursor.statement(frozenset({"["}) if left == "]" else frozenset())
    right = cursor.expect(")", "]", "[").text
    return _bracketed(left, right, inside)


def _bracketed(left: str, right: str, inside: Node) -> Node:
    if not isinstance(inside, Listing):
        grouped = (left, right) in (("(", ")"), ("[", "]"))
        return inside if grouped else Brackets(left, right, (inside,))
    if left == "[" and right == "]":
        matrix = _rows_of_listing(inside)
        if matrix is not None:
            return matrix
    return Brackets(left, right, inside.items)


def _rows_of_listing(listing: Listing) -> Matrix | None:
    """``[1, 2; 3, 4]``."""
    rows = [row.items for row in listing.items if isinstance(row, Listing)]
    if listing.joiner != ";" or len(rows) != len(listing.items):
        return None
    return Matrix(tuple(rows)) if len({len(row) for row in rows}) == 1 else None


def braces(cursor: Cursor, token: Token) -> Node:
    """``{…}`` where a value is expected: a group, or a set where commas or a bar stand inside."""
    if cursor.take("}"):
        return _combination(cursor)
    inside = cursor.statement(frozenset({"|"}))
    if cursor.take("|"):
        condition = cursor.statement()
        cursor.expect("}")
        return SetBuilder(inside, condition)
    cursor.expect("}")
    return Brackets("{", "}", inside.items) if isinstance(inside, Listing) else inside


def _combination(cursor: Cursor) -> Node:
    """``{}_5C_2``, the number of combinations, behind its empty braces."""
    cursor.expect("_")
    top = cursor.grammar.argument(cursor)
    if cursor.next().text != "C":
        raise ReadError("empty braces")
    cursor.expect("_")
    return Call("binom", (top, cursor.grammar.argument(cursor)))


def set_braces(cursor: Cursor, token: Token) -> Node:
    r"""``\{…\}``: a set by its members, or by a condition behind ``|`` or ``:``."""
    if cursor.take("\\}"):
        return NamedSet("empty")
    inside = cursor.statement(frozenset({"|", ":"}))
    if cursor.take("|", ":"):
        condition = cursor.statement()
        cursor.expect("\\}")
        return SetBuilder(inside, condition)
    cursor.expect("\\}")
    items = inside.items if isinstance(inside, Listing) else (inside,)
    return Brackets("{", "}", items)


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
    inside = cursor.statement(frozenset({token.text}))
    cursor.expect(token.text)
    return inside


# --- environments ------------------------------------------------------------------------------

_CELL_ENDS = frozenset({"&", "\\\\"})


def environment(cursor: Cursor) -> Node:
    r"""A matrix, a system of equations or cases, behind ``\begin``."""
    name = _environment_name(cursor)
    if name in words.ROWS and "cases" not in name:
        _drop_alignment(cursor)
    if name == "array" and cursor.sees("{"):
        _environment_name(cursor)
    rows = _rows(cursor)
    if not cursor.take("\\end") or _environment_name(cursor) != name:
        raise ReadError(f"the environment {name} does not end")
    if name in words.MATRICES:
        if len({len(row) for row in rows}) != 1:
            raise ReadError("the rows of a matrix differ in length")
        return Matrix(tuple(rows), determinant=name == "vmatrix")
    if name in words.ROWS:
        lines = tuple(row[0] if len(row) == 1 else Qualified(row[0], row[-1]) for row in rows)
        return lines[0] if len(lines) == 1 else Listing(lines, "and")
    raise ReadError(f"the environment {name} is not known")


def _environment_name(cursor: Cursor) -> str:
    start = cursor.expect("{").end
    while not cursor.sees("}"):
        if cursor.next().kind is Kind.END:
            raise ReadError("the name of an environment never ends")
    return cursor.text[start : cursor.next().start].strip()


def _drop_alignment(cursor: Cursor) -> None:
    """Removes the ``&`` of an environment whose columns mean nothing."""
    end = cursor.at
    while cursor.tokens[end].kind is not Kind.END and cursor.tokens[end].text != "\\end":
        end += 1
    inside = [token for token in cursor.tokens[cursor.at : end] if token.text != "&"]
    cursor.tokens[cursor.at : end] = inside


def _rows(cursor: Cursor) -> list[tuple[Node, ...]]:
    rows: list[tuple[Node, ...]] = []
    row: list[Node] = []
    while not cursor.sees("\\end"):
        if cursor.take("\\hline", ","):
            continue
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
