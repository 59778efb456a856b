r"""Answers of several parts: ``(a) 3 (b) 5``, ``i) x > 2, ii) 4``, ``width 4, length 9``."""

from __future__ import annotations

import re

from verifiers_math.equivalence.normalize import tidy

_NAME = r"\(?(?P<{}>[a-h]|i{{1,3}}|iv|vi{{0,3}}|[1-9])\) ?[.:]?"
_LABEL = re.compile(
    r"(?:^|(?<=[\s,;}\\]))(?:(?:and )?(?:[Pp]art )?" + _NAME.format("plain") + r"(?=[^)])"
    r"|\\text ?\{[,;. ]*(?:and )?(?:[Pp]art )?" + _NAME.format("upright") + r" ?\})"
)
"""The name of a part, at the start or behind what parts it from the part before."""
_LABEL_CHARS = 24
"""The first label ends within these."""
_STYLES = (
    tuple("abcdefgh"),
    ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii"),
    tuple("123456789"),
)
_DIGITS = _STYLES[-1]
_STOP = frozenset(",;")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


Parts = tuple[str, ...]
"""The parts of an answer in the order of their names, or as they stand where they have none."""


def read_parts(text: str, beside_parts: bool = False) -> Parts | None:
    """Reads an answer of two labelled parts or more; None where it is none.

    Args:
        text: The answer as it was written.
        beside_parts: Whether the other side has labelled parts, so that ``(1) 3 (2) 5`` is no
            product.
    """
    if ")" not in text[:_LABEL_CHARS]:
        return None
    plain = tidy(text)
    if _LABEL.match(plain) is None:
        return None
    found = _labels(plain)
    names = [match["plain"] or match["upright"] for match in found]
    style = next((style for style in _STYLES if set(names) == set(style[: len(names)])), None)
    if style is None or len(names) < 2:
        return None
    ends = [*(match.start() for match in found[1:]), len(plain)]
    pieces = [plain[match.end() : end] for match, end in zip(found, ends, strict=True)]
    if (
        style is _DIGITS
        and not beside_parts
        and not all(_is_parted(piece) for piece in pieces[:-1])
    ):
        return None
    items = {name: _trimmed(piece) for name, piece in zip(names, pieces, strict=True)}
    return tuple(items[name] for name in style[: len(names)]) if all(items.values()) else None


def _labels(plain: str) -> list[re.Match[str]]:
    """The labels outside brackets: ``2)`` is none in ``(1, 2)``."""
    found, at, depth = [], 0, 0
    for match in _LABEL.finditer(plain):
        between = plain[at : match.start()]
        depth += sum(map(between.count, _OPENING)) - sum(map(between.count, _CLOSING))
        at = match.start()
        if depth == 0:
            found.append(match)
            at = match.end()
    return found


def split_items(text: str) -> Parts:
    """The items of an answer without labels, parted by commas or semicolons outside brackets."""
    return _parted(tidy(text))


def _parted(plain: str) -> Parts:
    items, start, depth = [], 0, 0
    for at, char in enumerate(plain):
        depth += (char in _OPENING) - (char in _CLOSING)
        if depth == 0 and char in _STOP:
            items.append(plain[start:at].strip())
            start = at + 1
    return (*items, plain[start:].strip())


def _is_parted(piece: str) -> bool:
    """Whether a sign ends a part: ``(1) 3 (2) 5`` may be a product, ``(1) 3; (2) 5`` is none."""
    return piece.rstrip().endswith((",", ";", ".", "\\\\", "\\quad", "and"))


_EDGES = " ,;.\n"
_ENDINGS = ("\\quad", "\\\\", " and")


def _trimmed(piece: str) -> str:
    """A part without what parts it from its neighbours."""
    before, piece = "", piece.strip(_EDGES)
    while piece != before:
        before = piece
        for ending in _ENDINGS:
            piece = piece.removesuffix(ending)
        piece = piece.strip(_EDGES)
    return piece


_UPRIGHT = re.compile(r"\\(?:text(?:bf|it|rm)?|mathrm) ?\{([^{}]*)\}")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3}")
_MARKUP = re.compile(r"(?<!\\)\$|\\displaystyle(?![A-Za-z])")
_AND = re.compile(r",? and (?=\d)")
_COUNTED = re.compile(
    r"(?P<value>[-+]?\d[\d.]*) ?(?P<name>[a-z][a-z '-]{1,40}[a-z])", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?:and )?(?:the )?(?P<name>[a-z][a-z '-]{1,40}[a-z])"
    r"(?: ?[:=] ?(?=\S)| ?(?=[-+(\[\\\d.]))(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)


def read_named(text: str) -> dict[str, str] | None:
    """Reads values that words name, ``width 4, length 9``, or count, ``3 red, 4 blue``.

    Args:
        text: The answer as it was written.

    Returns:
        Each name with its value; None where there are no two of them.
    """
    if not ("," in text or ";" in text or "and" in text) or _WORD.search(text) is None:
        return None
    plain = " ".join(_UPRIGHT.sub(r" \1 ", _MARKUP.sub("", text)).split())
    items = _parted(_AND.sub(", ", plain))
    found = [_COUNTED.fullmatch(item) or _NAMED.fullmatch(item) for item in items]
    named = {_name_of(item): item["value"] for item in found if item is not None}
    return named if len(named) == len(found) > 1 else None


def _name_of(item: re.Match[str]) -> str:
    return item["name"].lower().removesuffix(" is").replace(" -", "-")
