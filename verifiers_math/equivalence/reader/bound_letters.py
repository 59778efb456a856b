r"""The letter that a big operator binds: ``\sum_{i=1}^n i`` is ``\sum_{k=1}^{n} k``."""

from __future__ import annotations

import re

_SCRIPT = re.compile(r"([_^])([A-Za-z0-9]|\\[A-Za-z]+)")
_BINDS = re.compile(
    r"\\(?:sum|prod|bigcup|bigcap|lim|limsup|liminf|max|min|sup|inf|argmax|argmin)_\{"
    r"(?P<letter>[A-Za-z])(?=[=<>}:]|\\(?:to|ge|le|in|ne)(?![A-Za-z]))"
)
_INTEGRATES = re.compile(r"\\int_.*(?<![A-Za-z\\])d(?P<letter>[A-Za-z])", re.DOTALL)
_PART = re.compile(r"\\[A-Za-z]+ ?|[A-Za-z]|[^A-Za-z\\]+|\\.", re.DOTALL)
BOUND = "\u25e6"
"""What stands for a bound letter; no answer writes it."""


def bound_form(text: str) -> str:
    """Returns an operator with braces around its limits and its one bound letter renamed.

    Args:
        text: The operator as it was written, without spaces.
    """
    text = _SCRIPT.sub(r"\1{\2}", text)
    binding = _BINDS.match(text) or _INTEGRATES.fullmatch(text)
    if binding is None:
        return text
    letter = binding["letter"]
    return "".join(BOUND if part == letter else part for part in _PART.findall(text))
