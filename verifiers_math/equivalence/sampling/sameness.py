"""What can be asked of two expressions, and what can be said."""

from __future__ import annotations

from enum import Enum


class Sameness(Enum):
    """What is known of two expressions."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


SAME, DIFFERENT, UNKNOWN = Sameness


class Mode(Enum):
    """What is asked of two expressions.

    Attributes:
        EQUAL: Whether they are equal.
        PROPORTIONAL: Whether one is the other times a number.
        SHIFTED: Whether one is the other plus a number.
    """

    EQUAL = "equal"
    PROPORTIONAL = "proportional"
    SHIFTED = "shifted"


FAILURES = (ArithmeticError, ValueError, RecursionError, MemoryError)
"""What evaluating a hostile tree may end in."""

COMPLEX = frozenset("i re im conj arg".split())
"""Operations that have to do with complex numbers."""
