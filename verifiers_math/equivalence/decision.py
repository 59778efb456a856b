"""What one stage of the cascade says when it decides."""

from __future__ import annotations

from typing import NamedTuple

from verifiers_math.equivalence.verdict import Status


class Decision(NamedTuple):
    """A stage's answer; a stage that is not certain returns None instead.

    Attributes:
        status: What happened.
        stage: The stage that decided.
        detail: The reason, as a sentence for a person.
        rule: The lenient rule without which it would not be equal, else ``""``.
    """

    status: Status
    stage: str
    detail: str
    rule: str = ""


def equal(stage: str, detail: str, rule: str = "") -> Decision:
    """The answer counts as the gold."""
    return Decision(Status.CORRECT, stage, detail, rule)


def different(stage: str, detail: str) -> Decision:
    """The answer does not count as the gold."""
    return Decision(Status.INCORRECT, stage, detail)
