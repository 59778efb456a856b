r"""Backslashes that a string literal or a JSON text has swallowed.

``"\frac{1}{2}"`` without an ``r`` in Python, or with one backslash in JSON, is a form feed and
``rac{1}{2}``. Data sets hold such golds, and what reads a model's JSON makes such answers. Where
the control character stands in no honest text, or the letters behind it can be nothing else, the
command is given back.
"""

from __future__ import annotations

import re

_LETTERS = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}
_IN_PROSE = (
    "[\a\b\f\v](?=[A-Za-z])"  # these stand in no honest text; white space does
    r"|\t(?=imes|heta|frac|riangle|ext\{)|\r(?=ight|ho\b)"
)
_LOST_IN_PROSE = re.compile(_IN_PROSE)
_LOST = re.compile(_IN_PROSE + r"|\n(?=eq\b|abla|otin)")
_MARKS = "\b\f\t\v\a\r"


def with_backslashes(text: str) -> str:
    """Returns a gold or a final answer with the backslashes that it has lost."""
    if text.isprintable():
        return text
    return _LOST.sub(_command, text)


def response_with_backslashes(response: str) -> str:
    """Returns a response with the backslashes that it has lost, but for those before an ``n``.

    It may be long: looking for one character is fast.
    """
    if any(mark in response for mark in _MARKS):
        return _LOST_IN_PROSE.sub(_command, response)
    return response


def _command(match: re.Match[str]) -> str:
    return "\\" + _LETTERS[match[0]]
