"""What kind of answer a gold is, in the few words of a report."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from verifiers_math.equivalence.choices import read_choice, read_several
from verifiers_math.equivalence.kinds.classify import Kind, kind_of
from verifiers_math.equivalence.numbers import read_quantity
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.tree import Brackets
from verifiers_math.equivalence.text import only_words

MAX_CHARS: Final = 1000
"""A longer gold is text: no answer is, and a million of them have to be read."""

NUMBER: Final = "number"
EXPRESSION: Final = "expression"
EQUATION: Final = "equation"
REGION: Final = "interval or region"
SET: Final = "set or list"
TUPLE: Final = "tuple"
MATRIX: Final = "matrix"
CHOICE: Final = "choice"
TEXT: Final = "text"
OTHER: Final = "other"
MISSING: Final = "no gold"

_WORDS: Final = {
    Kind.VALUE: EXPRESSION,
    Kind.ASSIGNMENT: EQUATION,
    Kind.ASSIGNMENTS: EQUATION,
    Kind.EQUATION: EQUATION,
    Kind.INEQUALITY: REGION,
    Kind.REGION: REGION,
    Kind.BUILDER: REGION,
    Kind.SPAN: TUPLE,
    Kind.TUPLE: TUPLE,
    Kind.SET: SET,
    Kind.LIST: SET,
    Kind.SEQUENCE: SET,
    Kind.MATRIX: MATRIX,
    Kind.DETERMINANT: MATRIX,
    Kind.RATIO: EXPRESSION,
    Kind.CONGRUENCE: EQUATION,
    Kind.NAMED_SET: SET,
    Kind.QUALIFIED: EXPRESSION,
    Kind.WORDS: TEXT,
    Kind.OTHER: OTHER,
}


def kind_of_answer(text: str) -> str:
    r"""What kind of answer a text is.

    Args:
        text: A gold or an answer as it is compared.

    Returns:
        One of the constants of this module.

    Examples:
        >>> kind_of_answer(r"\frac{1}{2}"), kind_of_answer("[1, 2)"), kind_of_answer("(B)")
        ('number', 'interval or region', 'choice')
    """
    if not text.strip():
        return MISSING
    return TEXT if len(text) > MAX_CHARS else _read(text)


@lru_cache(maxsize=4096)  # a group shares its gold, and groups come back every epoch
def _read(text: str) -> str:
    if read_choice(text) is not None or read_several(text) is not None:
        return CHOICE
    if read_quantity(text) is not None:
        return NUMBER
    tree = read(text)
    if isinstance(tree, Unreadable) or only_words(text):
        return TEXT
    kind = kind_of(tree)
    if kind is Kind.SPAN and isinstance(tree, Brackets) and tree.left == "[":
        return REGION
    return _WORDS[kind]
