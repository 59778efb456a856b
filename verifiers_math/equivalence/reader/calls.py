r"""Functions that only the problem knows: ``f(x)``, ``P(A | B)``, ``E[X^2]``, ``O(n)``.

A letter before a bracket is such a function, or a factor: what stands inside tells.
"""

from __future__ import annotations

from verifiers_math.equivalence.reader import vocabulary as words
from verifiers_math.equivalence.reader.brackets import parentheses
from verifiers_math.equivalence.reader.cursor import Cursor
from verifiers_math.equivalence.reader.tokens import Kind, Token
from verifiers_math.equivalence.reader.tree import Apply, Call, Listing, Node, Relation


def known_apply(cursor: Cursor, letter: str, name: str, start: int) -> Node | None:
    """``f(x)``: arguments of a function that only the problem knows; None where it is a factor.

    Args:
        cursor: Behind the name.
        letter: The name's letter.
        name: The name with its subscript and primes.
        start: The place of the letter's token.
    """
    if cursor.sees("[") or letter in words.OPERATORS_OF_CHANCE:
        found = _moment(cursor, letter, name) or _in_square_brackets(cursor, letter, name)
        if found is not None:
            return found
    raised = _raised(cursor) if letter in words.FUNCTION_LETTERS else ("", 0)
    if letter in words.FACTOR_LETTERS and raised[0] != "^-1":
        raised = ("", 0)
    opening = cursor.ahead(raised[1])
    if opening.text != "(" or opening.kind is not Kind.SIGN:
        return None
    cursor.at += raised[1]
    defined = _is_defined_here(cursor, start)
    if opening.spaced and not defined and letter not in "fgh":
        cursor.at -= raised[1]
        return None
    if letter in words.FACTOR_LETTERS and not defined and _holds_sum(cursor):
        cursor.at -= raised[1]
        return None
    if name == "Gamma" and not opening.spaced:
        cursor.next()
        return Call("gamma", (parentheses(cursor, opening),))
    is_function = letter in words.FUNCTION_LETTERS or name.endswith("'") or defined
    if not is_function and not _takes_one_letter(cursor, name) and not _is_called(cursor, letter):
        cursor.at -= raised[1]
        return None
    return call_of(cursor, name + raised[0], given=letter in words.OPERATORS_OF_CHANCE)


def _takes_one_letter(cursor: Cursor, name: str) -> bool:
    """Whether a usual variable stands alone in the parentheses: ``u(t)``, ``y(x)``, ``phi(n)``."""
    if cursor.token.spaced or cursor.ahead(2).text != ")":
        return False
    if name.partition("_")[0] in words.FUNCTION_SYMBOLS:
        return True
    inside = cursor.ahead()
    return inside.kind is Kind.LETTER and inside.text in words.VARIABLES_OF.get(name, "")


def _is_called(cursor: Cursor, letter: str) -> bool:
    """Whether a letter that is no factor is called, as in ``O(n^2)``; ``O(0, 0)`` is a point."""
    return (
        letter in words.CALLED
        and not cursor.token.spaced
        and "," not in (token.text for token in _inside(cursor))
    )


# --- brackets ----------------------------------------------------------------------------------


def call_of(cursor: Cursor, name: str, *, given: bool = False) -> Node:
    """The arguments in brackets that follow a name.

    Args:
        cursor: Before the opening bracket.
        name: The name of the function.
        given: Whether a bar may part a condition from the argument: ``P(A | B)``.
    """
    closing = _CLOSING[cursor.expect("(", "[").text]
    inside = cursor.statement(_GIVEN if given else frozenset())
    if given and cursor.take("|"):
        inside = Relation((inside, cursor.statement()), ("given",))
    cursor.expect(closing)
    return Apply(name, inside.items if isinstance(inside, Listing) else (inside,))


_CLOSING = {"(": ")", "[": "]"}
_GIVEN = frozenset("|")


def chance(cursor: Cursor, name: str) -> Node | None:
    r"""What a blackboard letter takes, also without brackets: ``\mathbb{E} X^2``."""
    operator = words.OPERATORS_OF_CHANCE.get(name)
    if operator is not None and _is_random(cursor.token):
        return applied_to_factor(cursor, operator)
    return _moment(cursor, name, name)


def applied_to_factor(cursor: Cursor, name: str) -> Node:
    r"""A named function with the one factor behind it: ``\operatorname{tr} A``."""
    return Apply(name, (cursor.grammar.factor(cursor),))


def _moment(cursor: Cursor, letter: str, name: str) -> Node | None:
    """``E[X^2]``, ``D(X)``: of a random variable, so that ``E(R + r)`` stays a product."""
    operator = words.OPERATORS_OF_CHANCE.get(letter)
    if operator is None or not cursor.sees("(", "["):
        return None
    inside = _inside(cursor)
    is_certain = cursor.sees("[") and not cursor.token.spaced and letter == "E"
    if letter == "P":
        is_certain = len(inside) == 2 or any(token.text == "|" for token in inside)
    if not (is_certain or len(letter) > 1 or any(map(_is_random, inside))):
        return None
    return call_of(cursor, operator + name[len(letter) :], given=True)


def _is_random(token: Token) -> bool:
    """Whether a token is the usual name of a random variable, or a product of such names."""
    if token.kind not in (Kind.LETTER, Kind.NAME):
        return False
    return token.text in ("xi", "eta") or words.RANDOM_VARIABLES.issuperset(token.text)


def _in_square_brackets(cursor: Cursor, letter: str, name: str) -> Node | None:
    """``f[x^2]``; a sum in square brackets is a factor."""
    if not cursor.sees("[") or cursor.token.spaced or letter not in "fghFGH":
        return None
    if any(token.text in ("+", "-") for token in _inside(cursor)):
        return None
    return call_of(cursor, name)


def _inside(cursor: Cursor) -> list[Token]:
    """The tokens in the brackets that open here, as far as one looks ahead."""
    depth, found = 0, list[Token]()
    for at in range(_LOOK_INSIDE):
        token = cursor.ahead(at)
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth == 0:
            break
        found.append(token)
    return found


_LOOK_INSIDE = 24


def _raised(cursor: Cursor) -> tuple[str, int]:
    """The exponent of ``f^{-1}(x)`` or ``f^{(n)}(x)``, and its tokens; none where it is long."""
    if not cursor.sees("^"):
        return "", 0
    if cursor.ahead().text == "-" and cursor.ahead(2).text == "1":
        return "^-1", 3
    if [cursor.ahead(at).text for at in range(1, 5)] == ["(", "-", "1", ")"]:
        return "^-1", 5
    if cursor.ahead().text != "{":
        return "^" + cursor.ahead().text, 2
    pieces: list[str] = []
    for at in range(2, 8):
        token = cursor.ahead(at)
        if token.text == "}":
            return "^" + "".join(pieces), at + 1
        pieces.append(token.text)
    return "", 0


def _holds_sum(cursor: Cursor) -> bool:
    """Whether the parentheses hold a sum, as those of a factor do: ``P(1+r)``."""
    depth = 0
    for at in range(_LOOK_AHEAD):
        text = cursor.ahead(at).text
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return False
        if depth == 1 and text in ("+", "-") and at > 1:
            return True
    return False


_LOOK_AHEAD = 12
_ITEM_STARTS = frozenset({",", ";", "and", "or", "{", "(", "\\{", "\\\\", "&", "\\quad", "}"})


def _is_defined_here(cursor: Cursor, start: int) -> bool:
    """Whether ``name(…)`` begins an item and a relation follows: ``S(n) = 2n``."""
    if start > 0 and cursor.tokens[start - 1].text not in _ITEM_STARTS:
        return False
    depth = 0
    for at in range(_LOOK_AHEAD):
        text = cursor.ahead(at).text
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return cursor.ahead(at + 1).text in words.RELATIONS
    return False
