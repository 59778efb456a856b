"""A guess, from the text alone, of how long computer algebra would take."""

from __future__ import annotations

import re

_COSTLY = re.compile(
    r"!|\\(?:sum|prod|int|binom|lim|zeta|Gamma)(?![A-Za-z])"
    r"|\^\s?\{[^{}]{0,40}\^|\^\s?\{\s?\d{3}|\d{5}"
)
CHARS_A_POINT = 200


def expected_cost(answer: str) -> float:
    """Returns a rough rank: 0 for what honest answers look like, more for what may run long.

    Pairs that wait for a worker are taken in this order, so that honest ones do not queue behind
    those that were written to be slow. Nothing is decided by it.
    """
    return len(answer) // CHARS_A_POINT + 2.0 * len(_COSTLY.findall(answer))
