r"""The sign between two vectors: a cross there, where it is a point between numbers.

``2 \times 3`` and ``2 \cdot 3`` are one product, ``\vec a \times \vec b`` and
``\vec a \cdot \vec b`` are two. An arrow, a bold letter or the hat of a unit vector tells.
"""

from __future__ import annotations

import re

_BOLD = r"\\(?:mathbf|boldsymbol|bm|pmb|bf) {0,2}\{? {0,2}"
_ARROW = r"\\(?:vec|overrightarrow) {0,2}\{? {0,2}"
_HAT = r"\\(?:wide)?hat {0,2}\{? {0,2}"
_VECTOR = (
    r"\{?(?:"
    rf"{_ARROW}(?:{_BOLD})?\\?[A-Za-z]{{1,8}}"
    # \mathbf{R} is a set
    rf"|{_BOLD}(?:{_HAT}|{_ARROW})?(?:\\[A-Za-z]{{1,8}}|(?![RZNQC])[A-Za-z](?![A-Za-z]))"
    # \hat{p} is an estimate
    rf"|{_HAT}(?:{_BOLD}\\?[A-Za-z]{{1,8}}|\\?[abijknruvxyz](?:math)?(?![A-Za-z]))"
    r") {0,2}\}{0,3}(?: {0,2}_ {0,2}(?:\{ {0,2}\w{1,8} {0,2}\}|\w))?"
)
_GAP = r"(?: |\\[,;:! ]|~){0,4}"
_SIGN = r"(?:\\times(?![A-Za-z])|\u00d7)"
_CROSS = re.compile(
    rf"(?P<left>{_VECTOR}{_GAP}(?:(?:\\right ?)?[)\]}}]{_GAP})?"
    rf"(?={_SIGN}{_GAP}(?:(?:\\left ?)?[(\[{{]{_GAP})?[-\dd]{{0,4}}{_GAP}(?:{_VECTOR}|\\nabla))"
    rf"|\\nabla{_GAP}){_SIGN}{_GAP}"
)


def with_crosses(text: str) -> str:
    r"""Returns the text with ``\cross`` for the sign between two vectors, or behind ``\nabla``."""
    if "\\times" not in text and "\u00d7" not in text:
        return text
    return _CROSS.sub(r"\g<left>\\cross ", text)
