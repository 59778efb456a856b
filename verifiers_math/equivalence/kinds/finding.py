"""What a comparison finds: the same, different, or not known; and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from verifiers_math.equivalence.reader.tree import Node


class Finding(NamedTuple):
    """The result of one comparison.

    Attributes:
        same: True, False, or None where it is not known.
        detail: The reason, as a sentence for a person.
        rule: The lenient rule without which it would not be the same.
        percent: How a percent sign on one side was read: ``"number"`` (25% is 25), ``"value"``
            (25% is 0.25), or ``""`` where no sign stands on one side alone.
    """

    same: bool | None
    detail: str
    rule: str = ""
    percent: str = ""


Compare = Callable[[Node, Node], Finding]
"""Compares two nodes, gold first, under the policy of the whole comparison."""


def together(same: Compare) -> Compare:
    """The comparison for parts that belong together, so that none may move along its family."""
    joint: Compare = getattr(same, "together", same)
    return joint


UNKNOWN = Finding(None, "not decided")


def all_of(findings: Iterable[Finding], detail: str) -> Finding:
    """The same where every part is; different where one part is, which is asked no further.

    Percent signs must be read in one way in all parts.
    """
    known = True
    rule = percent = ""
    for finding in findings:
        if finding.same is False:
            return finding
        if percent and finding.percent and percent != finding.percent:
            return Finding(False, "the percent signs would have to be read in two ways")
        known = known and finding.same is True
        rule, percent = rule or finding.rule, percent or finding.percent
    return Finding(True, detail, rule, percent) if known else UNKNOWN


def any_of(findings: Iterable[Finding], detail: str = "") -> Finding:
    """The same where one way of reading is; different where every way is.

    Args:
        findings: The ways.
        detail: Why it is different; the first way's reason where empty.
    """
    known = True
    for finding in findings:
        if finding.same:
            return finding
        known = known and finding.same is False
        detail = detail or finding.detail
    return Finding(False, detail) if known else UNKNOWN
