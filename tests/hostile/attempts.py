"""Tables of attempts: a gold, and a block of text with one attempt a line."""

from __future__ import annotations

from collections.abc import Iterable

import verifiers_math as vf
from verifiers_math import Policy

Block = tuple[str, str]
PromptedBlock = tuple[str, str, str]

POLICIES = (Policy(), Policy.strict())


def lines(block: str) -> list[str]:
    """The attempts of a block."""
    return [line.strip() for line in block.splitlines() if line.strip()]


def rows(table: Iterable[Block]) -> list[tuple[str, str]]:
    """Rows ``(gold, attempt)`` of a table."""
    return [(gold, attempt) for gold, block in table for attempt in lines(block)]


def prompted_rows(table: Iterable[PromptedBlock]) -> list[tuple[str, str, str]]:
    """Rows ``(gold, prompt, attempt)`` of a table whose second column is the question."""
    return [(gold, prompt, attempt) for gold, prompt, block in table for attempt in lines(block)]


def boxed(answer: str) -> str:
    """A response that ends with an answer in a box."""
    return f"So we are done: $\\boxed{{{answer}}}$."


def paid(
    verifier: vf.Verifier, gold: str, response: str, *, strict: bool = True, prompt: str = ""
) -> list[bool]:
    """Whether a response counts, by the default policy and by the strict one."""
    return [
        verifier.verify(gold, response, strict=strict, prompt=prompt or None, policy=policy).equal
        for policy in POLICIES
    ]
