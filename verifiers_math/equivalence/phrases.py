"""Words for which mathematics has a symbol."""

from __future__ import annotations

SYMBOL_OF_PHRASE = {
    "infinity": "infinity",
    "positive infinity": "infinity",
    "no solution": "empty",
    "no solutions": "empty",
    "no real solution": "empty",
    "no real solutions": "empty",
    "empty set": "empty",
    "the empty set": "empty",
    "all real numbers": "R",
    "all reals": "R",
    "the real numbers": "R",
}
"""Each phrase, in lower case, and the name of the constant or set that it stands for."""
