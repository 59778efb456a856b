"""Whether two expressions are equal, decided by evaluating them.

Trees go in (`verifiers_math.equivalence.reader.tree`), one of three answers comes out. Nothing
here uses a computer algebra system, a clock or unseeded randomness; mpmath is loaded on the first
comparison that needs it. The reader bounds depth and length of trees; whatever comes, nothing
raises.
"""

from __future__ import annotations

from verifiers_math.equivalence.reader.tree import Node
from verifiers_math.equivalence.sampling.constants import approximate, order
from verifiers_math.equivalence.sampling.decide import settle
from verifiers_math.equivalence.sampling.sameness import Mode, Sameness
from verifiers_math.equivalence.sampling.walked import compare_walked, proportional_walked

__all__ = ["Sameness", "approximate", "compare", "differ_by_constant", "order", "proportional"]


def compare(gold: Node, answer: Node) -> Sameness:
    """Whether two expressions are equal wherever both are defined.

    Args:
        gold: An expression, its plus-minus signs expanded.
        answer: Another.

    Returns:
        SAME or DIFFERENT where that is certain, else UNKNOWN.
    """
    found = compare_walked(gold, answer)
    return settle(gold, answer, Mode.EQUAL) if found is Sameness.UNKNOWN else found


def proportional(gold: Node, answer: Node) -> Sameness:
    """Whether one expression with letters is the other times a real number that is not zero.

    Equations, their sides moved to one, are the same then.

    Args:
        gold: An expression.
        answer: Another.

    Returns:
        SAME or DIFFERENT where that is certain, else UNKNOWN, as for expressions without letters.
    """
    found = proportional_walked(gold, answer)
    return settle(gold, answer, Mode.PROPORTIONAL) if found is Sameness.UNKNOWN else found


def differ_by_constant(gold: Node, answer: Node) -> Sameness:
    """Whether two expressions are equal up to a constant, as antiderivatives are.

    Args:
        gold: An expression.
        answer: Another.

    Returns:
        SAME or DIFFERENT where that is certain, else UNKNOWN. Functions whose difference is one
        constant here and another there are UNKNOWN.
    """
    return settle(gold, answer, Mode.SHIFTED)
