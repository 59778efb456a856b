"""What the scanner for answers finds, and the marks that it takes off."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifiers_math.equivalence.normalize import without_closing_marks


class Found(NamedTuple):
    """What the scanner found.

    Attributes:
        answer: The final answer, or None where there is none.
        how: Where it stood: ``"box"``, ``"boxes"``, ``"####"``, ``"tag"``, ``"json"``,
            ``"phrase"``, ``"whole"``, ``"sentence"``; or why there is none.
    """

    answer: str | None
    how: str


_MARKDOWN = "*_` \n\t"


_BOLD = re.compile(r"(?<=[=:] )\*\*([^*\n]{1,200})\Z")
"""``6 × 7 = **42``, once the marks at its end are gone."""


def trim(answer: str) -> str:
    """Removes markdown and closing punctuation around an answer."""
    answer = answer.strip().strip(_MARKDOWN)
    if "**" in answer:
        answer = _BOLD.sub(r"\1", answer)
    if answer.startswith(":"):
        answer = answer[1:].lstrip(_MARKDOWN)
    return without_closing_marks(without_closing_marks(answer).rstrip(_MARKDOWN))
