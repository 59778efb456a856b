"""What the pure stages say of a pair, and tables of pairs as rows of one test."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from verifiers_math.equivalence.cascade import judge
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy
from verifiers_math.equivalence.verdict import Status

Pairs = Iterable[tuple[str, str]]
Row = tuple[str, str, tuple[bool | None, ...]]


def says(gold: str, answer: str, policy: Policy = DEFAULT_POLICY) -> bool | None:
    """True, False, or None where the pure stages leave the pair to computer algebra."""
    decision = judge(gold, answer, policy)
    return None if decision is None else decision.status is Status.CORRECT


def each_pair(
    same: Pairs = (),
    same_both_ways: Pairs = (),
    different: Pairs = (),
    different_both_ways: Pairs = (),
    never_same: Pairs = (),
) -> pytest.MarkDecorator:
    """Runs a test of ``gold``, ``answer`` and ``verdicts`` for each pair of some tables.

    Args:
        same: Pairs that the pure stages find equal.
        same_both_ways: Pairs that are equal whichever comes first.
        different: Pairs that they find different.
        different_both_ways: Pairs that are different whichever comes first.
        never_same: Pairs that they may leave to computer algebra, and never find equal.
    """
    tables = [
        (same, True),
        (different, False),
        (_both_ways(same_both_ways), True),
        (_both_ways(different_both_ways), False),
    ]
    rows: list[Row] = [(*pair, (verdict,)) for pairs, verdict in tables for pair in pairs]
    rows += [(*pair, (False, None)) for pair in never_same]
    return pytest.mark.parametrize(("gold", "answer", "verdicts"), rows)


def _both_ways(pairs: Pairs) -> Pairs:
    return [row for one, other in pairs for row in ((one, other), (other, one))]
