"""HTML that is made of elements, never of pasted text: strings in it are escaped and visible."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from verifiers_math.formulas import Element, mathml


class Markup(str):
    """A text that is HTML already. Any other string is a text to show."""

    __slots__ = ()


Child = str | None
"""What stands in an element: `Markup` as it is, another string escaped, None not at all."""

_VOID: Final = frozenset({"meta", "input", "br"})
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode counts as printable although nothing is seen of them."""

_PLAIN: Final = "\n\t\u3000"
"""White space that is shown as it is, though not printable: U+3000 is the space of CJK text."""

_SEEN: Final = {ord(char): None for char in _PLAIN}

_UNWRITTEN: Final = "\u2061\u2062\u2063\u2064"
"""What MathML puts between a function and its argument, and the like."""


def element(tag: str, *children: Child, **attributes: Any) -> Markup:
    """An element.

    Args:
        tag: Its name.
        *children: What stands in it.
        **attributes: Its attributes. An underscore at the end is left out (``class_``), one within
            is a hyphen. None and False leave the attribute out, True has no value.
    """
    inner = "".join(text(child) for child in children if child is not None)
    start = f"<{tag}{''.join(_attributes(attributes))}>"
    return Markup(start if tag in _VOID else f"{start}{inner}</{tag}>")


def _attributes(attributes: Mapping[str, Any]) -> Iterator[str]:
    for name, value in attributes.items():
        name = name.rstrip("_").replace("_", "-")
        if value is True:
            yield f" {name}"
        elif value is not None and value is not False:
            yield f' {name}="{html.escape(_spelled(str(value)))}"'


def joined(*parts: Child) -> Markup:
    """Some parts, one after another."""
    return Markup("".join(text(part) for part in parts if part is not None))


def text(part: str) -> Markup:
    """A string as HTML: `Markup` as it is; what cannot be seen in any other is spelled out.

    Args:
        part: The string. Control and formatting characters (which may turn the direction of
            writing), lone surrogates, and blanks other than a space become a box with their code.
    """
    if isinstance(part, Markup):
        return part
    part = part.replace("\r\n", "\n")
    if not _has_hidden(part):
        return Markup(html.escape(part, quote=False))
    pieces = []
    for is_hidden, run in groupby(part, _is_hidden):
        piece = "".join(run)
        pieces.append(_boxes(piece) if is_hidden else html.escape(piece, quote=False))
    return Markup("".join(pieces))


def _boxes(run: str) -> str:
    """Hidden characters as boxes, each with how often it stands there in a row."""
    boxes = []
    for char, same in groupby(run):
        count = sum(1 for _ in same)
        times = f" ×{count:,}" if count > 1 else ""
        name = unicodedata.name(char, "no name")
        boxes.append(f'<span class="hidden-char" title="{name}">{_code(char)}{times}</span>')
    return "".join(boxes)


def _spelled(value: str) -> str:
    """An attribute's value, its hidden characters as their codes."""
    if not _has_hidden(value):
        return value
    return "".join(_code(char) if _is_hidden(char) else char for char in value)


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


def _is_hidden(char: str) -> bool:
    return (not char.isprintable() and char not in _PLAIN) or _BLANK.match(char) is not None


def _has_hidden(value: str) -> bool:
    if value.isascii() and value.isprintable():
        return False
    seen = value.translate(_SEEN)
    return not seen.isprintable() or _BLANK.search(seen) is not None


class _HiddenError(Exception):
    """A formula holds characters that cannot be seen."""


def formula(latex: str) -> Markup | None:
    """LaTeX as a formula; None where it cannot be rendered, or hides characters.

    Args:
        latex: A formula without delimiters.
    """
    made = None if _has_hidden(latex) else mathml(latex)
    if made is None:
        return None
    try:
        return _from_mathml(made)
    except _HiddenError:
        return None


def _from_mathml(made: Element) -> Markup:
    tag, attributes, children = made
    inner = "".join(
        _symbols(child) if isinstance(child, str) else _from_mathml(child) for child in children
    )
    return Markup(f"<{tag}{''.join(_attributes(attributes))}>{inner}</{tag}>")


def _symbols(token: str) -> str:
    """The characters of a formula: spaces of every width, and operators that are not written.

    References in its LaTeX (``&#x202e;``) have become characters only now.
    """
    if not all(char in _UNWRITTEN or char.isspace() or not _is_hidden(char) for char in token):
        raise _HiddenError
    return html.escape(token, quote=False)
