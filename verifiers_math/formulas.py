r"""Formulas as MathML that is safe to show, and where they stand in a text.

`latex2mathml` (in the extras ``server`` and ``report``) turns LaTeX into MathML. What it makes of a
model's text is not to be trusted: `mathml` rebuilds it from a list of elements and attributes,
bounded in length, depth and size, as plain data that a page turns into nodes without parsing any
markup. Where the package is missing, or the LaTeX cannot be read, there is none, and the text is
shown as it is.
"""

from __future__ import annotations

import contextlib
import html
import itertools
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

MAX_FORMULA_CHARS: Final = 600
MAX_TEXT_CHARS: Final = 20_000
MAX_OPENINGS: Final = 300
MAX_DEPTH: Final = 40
MAX_NODES: Final = 2_000
MAX_SIDESETS: Final = 2
r"""Each ``\sideset`` doubles the work on what is inside it; no answer has one in another."""

MAX_CALLS: Final = 200_000
"""Function calls and returns that one formula may cost, some 50 ms: three times what an honest one
of this length does."""

Element = tuple[str, dict[str, str], tuple[Any, ...]]
"""Tag, attributes, and children: elements and texts."""


class Piece(NamedTuple):
    """A stretch of a text.

    Attributes:
        text: The characters; of a formula, those between its delimiters.
        is_formula: Whether they are LaTeX.
        is_block: Whether the formula stands on a line of its own.
    """

    text: str
    is_formula: bool = False
    is_block: bool = False


# --- where the formulas stand --------------------------------------------------------------------

_CLOSING = {"$$": "$$", "$": "$", r"\[": r"\]", r"\(": r"\)"}
_OPENING = re.compile(r"\\[(\[]|\$\$?|\\boxed ?\{|\\[\\$]")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def split(text: str) -> list[Piece]:
    r"""Divides a text into prose and formulas: ``$…$``, ``$$…$$``, ``\(…\)``, ``\[…\]``, boxes.

    Args:
        text: What a model wrote. What stands beyond `MAX_TEXT_CHARS` characters, or behind
            `MAX_OPENINGS` marks that may open a formula, is left as text.

    Returns:
        The pieces, in order; delimiters are left out, all else is there.
    """
    pieces: list[Piece] = []
    done = at = 0
    for _ in range(MAX_OPENINGS):
        opening = _OPENING.search(text, at, MAX_TEXT_CHARS)
        if opening is None:
            break
        piece, at = _formula(text, opening)
        if piece is not None:
            if opening.start() > done:
                pieces.append(Piece(text[done : opening.start()]))
            pieces.append(piece)
            done = at
    if done < len(text):
        pieces.append(Piece(text[done:]))
    return pieces


def _formula(text: str, opening: re.Match[str]) -> tuple[Piece | None, int]:
    """The formula that opens here, and where it ends."""
    mark, begin = opening[0], opening.end()
    reach = begin + MAX_FORMULA_CHARS
    if mark.startswith(r"\boxed"):
        end = _closing_brace(text, begin, reach) + 1
        boxed = Piece(text[opening.start() : end], is_formula=True)
        return (boxed, end) if end else (None, begin)
    closing = _CLOSING.get(mark)
    if closing is None:  # a backslash or a dollar sign that is escaped
        return None, begin
    end = text.find(closing, begin, reach)
    inside = text[begin:end]
    if end < 0 or not inside.strip() or (mark == "$" and _is_money(inside)):
        return None, begin
    return Piece(inside, is_formula=True, is_block=mark in ("$$", r"\[")), end + len(closing)


def _is_money(inside: str) -> bool:
    """``$5 and $`` is no formula: a closing sign has no space before it, an opening none behind."""
    return inside[0].isspace() or inside[-1].isspace() or "\n\n" in inside


def _closing_brace(text: str, begin: int, reach: int) -> int:
    depth = 1
    for match in _BRACE.finditer(text, begin, min(reach, len(text))):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0:
            return match.start()
    return -1


# --- LaTeX to MathML -----------------------------------------------------------------------------

# A definition may call itself twice, and its double twice again.
_DEFINITION = re.compile(
    r"\\(?:new|renew|provide)command|\\[exg]?def(?![A-Za-z])|\\let(?![A-Za-z])"
    r"|\\DeclareMathOperator|\\newenvironment"
)
_ELEMENTS = frozenset(
    "math mfrac mi mn mo mover mpadded mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable "
    "mtd mtext mtr munder munderover".split()
)
_ATTRIBUTES = {
    "accent": re.compile("true|false"),
    "accentunder": re.compile("true|false"),
    "display": re.compile("inline|block"),
    "displaystyle": re.compile("true|false"),
    "fence": re.compile("true|false"),
    "form": re.compile("prefix|infix|postfix"),
    "linethickness": re.compile(r"0(?:px|em)?"),
    "mathvariant": re.compile("normal"),
    "scriptlevel": re.compile(r"\+?[0-2]"),
    "separator": re.compile("true|false"),
    "stretchy": re.compile("true|false"),
    "width": re.compile(r"-?[01]?\.\d{1,4}em|[0-3]em"),
}
_BOXED: dict[str, str] = {"class": "boxed"}


def mathml(latex: str, is_block: bool = False) -> Element | None:
    """LaTeX as MathML, of harmless elements and attributes only.

    Args:
        latex: A formula without its delimiters.
        is_block: Whether it stands on a line of its own.

    Returns:
        The element ``math``; None where the LaTeX is too long, cannot be read, defines commands,
        or where `latex2mathml` is not installed.
    """
    if len(latex) > MAX_FORMULA_CHARS or _DEFINITION.search(latex):
        return None
    if latex.count(r"\sideset") > MAX_SIDESETS:
        return None
    return _mathml(latex, is_block)


@lru_cache(maxsize=1024)
def _mathml(latex: str, is_block: bool) -> Element | None:
    try:
        from latex2mathml.converter import Converter
    except ImportError:
        return None
    try:
        with _bounded_calls(MAX_CALLS):
            made = Converter(display="block" if is_block else "inline").convert_to_element(latex)
        return _Rebuilt().element(made, MAX_DEPTH)
    except Exception:  # it raises errors of many kinds on what is no LaTeX
        return None


class _TooLargeError(Exception):
    """The formula has more elements, or more levels, than are shown, or costs too much."""


@contextlib.contextmanager
def _bounded_calls(most: int) -> Iterator[None]:
    r"""Ends what this thread does in the block once it has made so many calls.

    Nested ``\sideset`` doubles its argument each time. Counting calls stops that in any thread, and
    at the same place on every machine.
    """
    if sys.getprofile() is not None:  # a profiler is at work, and only one can be
        yield
        return
    left = most

    def count(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLargeError

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)


class _Rebuilt:
    """Copies what is harmless, and counts it."""

    def __init__(self) -> None:
        self._nodes = 0

    def element(self, made: Any, depth: int) -> Element:
        self._nodes += 1
        if depth == 0 or self._nodes > MAX_NODES:
            raise _TooLargeError
        children = [_text(made.text)] + [
            part for child in made for part in (self.element(child, depth - 1), _text(child.tail))
        ]
        kept = _with_signs([child for child in children if child])
        if made.tag == "menclose" and made.get("notation") == "box":
            return "mrow", _BOXED, kept
        tag = made.tag if made.tag in _ELEMENTS else "mrow"
        return tag, _harmless(made.attrib), kept


_SIGNS = frozenset("+-−±∓")
_OPENINGS_OF_TERMS = frozenset("([{⟨⌊⌈,;:=≠<>≤≥≈≡∼∈→⇒↦·⋅×÷/+-−±∓")


def _with_signs(children: list[Any]) -> tuple[Any, ...]:
    """The children with each sign close to its number: ``[-7, 1)`` has no difference in it.

    A browser takes an operator for one between two terms wherever something stands before it.
    """
    signed = children[:1]
    for before, child in itertools.pairwise(children):
        is_first = len(signed) == 1
        signed.append(_prefix(child) if _is_sign(child) and _opens(before, is_first) else child)
    return tuple(signed)


def _is_sign(child: Any) -> bool:
    return isinstance(child, tuple) and child[0] == "mo" and child[2] and child[2][0] in _SIGNS


def _opens(child: Any, is_first: bool) -> bool:
    """Whether a term begins behind it: an opening bracket, a comma, a relation."""
    if not (isinstance(child, tuple) and child[0] == "mo" and child[2]):
        return False
    return child[2][0] in _OPENINGS_OF_TERMS or (is_first and child[2][0] == "|")


def _prefix(child: Element) -> Element:
    tag, attributes, texts = child
    return tag, attributes | {"form": "prefix"}, texts


def _harmless(attributes: dict[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in attributes.items()
        if name in _ATTRIBUTES and _ATTRIBUTES[name].fullmatch(value)
    }


def _text(text: str | None) -> str:
    """The characters, which the converter writes as references (``&#x0222B;``)."""
    return html.unescape(text or "").strip("\n")
