r"""Boxes: ``\boxed``, ``\fbox``, ``\framebox``, ``\Boxed``, from the end of a text.

The last box counts, also when it is empty or unfinished. Boxes that follow each other with nothing
but commas or ``and`` between them are one list; joined by ``or`` they are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifiers_math.equivalence.found import Found, trim


class Box(NamedTuple):
    """One box: where its command starts, where it ends, and what it holds (None: unfinished)."""

    start: int
    end: int
    content: str | None


_COMMAND = re.compile(
    r"\\(?:boxed|Boxed|fbox|framebox)(?![A-Za-z])|boxed(?<![\\A-Za-z]boxed)(?=\s{0,9}\{)"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PLAIN = re.compile(r"\{([^{}\\]*)\}")
_OPEN = re.compile(r"\s*(?:\[[^\]\n]{0,20}\]\s*){0,2}\{")
_BARE = re.compile(
    r"[ \t]*(?:([-+]?\d[\d.,]*\d|[-+]?\d)(?=[ \t.,;:!?)*]*(?:$|[\n$]|\\[)\]]|[A-Za-z]{2}))"
    r"|([^\s$\\{}](?:[^\n$\\]|\\[^\n()\[\]])*|\\[A-Za-z]+(?:[^\n$\\]|\\[^\n()\[\]])*))"
)
_CHUNK_CHARS = 1 << 16
_REACH_CHARS = 32
"""More than a box command takes with the white space behind it."""
MAX_BOXES = 50_000
"""More boxes in a row than this are no answer."""


def last_box(text: str) -> str | None:
    """Returns the content of the last box: "" where it is unfinished, None where there is none."""
    box = next(boxes_backwards(text), None)
    return None if box is None else (box.content or "")


def boxes_backwards(text: str, limit: int | None = None) -> Iterator[Box]:
    """The boxes of a text, the last one first; what holds a later box is unfinished.

    Args:
        text: The text.
        limit: Where a later box starts; None where there is none yet.
    """
    limit = len(text) if limit is None else limit
    for command in _commands_backwards(text, limit):
        box = _read_box(text, command, limit)
        if box is not None:
            limit = box.start
            yield box


def _commands_backwards(text: str, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the box commands before ``end``, chunk by chunk: only the end is read."""
    last = text.rfind("boxed{", 0, end)
    if last > 0:  # the usual end of a response: no need to look at each of its characters
        match = _COMMAND.match(text, last - 1)
        if match is not None and text.find("ox", match.end(), end) < 0:
            yield match.span()
            end = match.start()
    while end > 0:
        start = max(0, end - _CHUNK_CHARS)
        reach = min(len(text), end + _REACH_CHARS)
        if text.find("box", start, reach) >= 0 or text.find("Box", start, reach) >= 0:
            spans = [match.span() for match in _COMMAND.finditer(text, start, reach)]
            yield from (span for span in reversed(spans) if span[0] < end)
        end = start


def _read_box(text: str, command: tuple[int, int], limit: int) -> Box | None:
    start, after = command
    plain = _PLAIN.match(text, after, limit)
    if plain is not None:  # as below, at once
        return Box(start, plain.end(), plain[1].strip())
    opening = _OPEN.match(text, after, limit)
    if opening is not None:
        end = closing_brace(text, opening.end(), limit)
        if end is None:
            return Box(start, limit, None)
        return Box(start, end + 1, text[opening.end() : end].strip())
    bare = _BARE.match(text, after, limit)
    content = "" if bare is None else trim(bare[1] or bare[2])
    return Box(start, bare.end(), content) if bare and content.strip(" .*)") else None


def closing_brace(text: str, start: int, limit: int) -> int | None:
    """The place of the brace that closes the one before ``start``; escaped braces do not count."""
    depth = 1
    for match in _BRACE.finditer(text, start, limit):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return None


_LIST_GAP = re.compile(
    r"(?:[\s$,;.*]|\\[()\[\],;!\\ ]|\\q?quad|\\text\s?\{\s*and\s*\}|\band\b|&"
    r"|[A-Za-z](?:_\{?\w{1,3}\}?)?\s*=)*"
)
_MAY_BE = "(?:it )?(?:could|might|may)(?: also| well)? be"
_OR = (
    r"(?:(?:or|(?:but |and )?also|as well as|but|oder|ou|o|или|或者?|vs\.?"
    r"|versus|alternatively|maybe|perhaps|possibly)"
    rf"(?: {_MAY_BE})?|{_MAY_BE})"
    r"(?: (?:else|maybe|perhaps|possibly|even))?"
)
_OR_GAP = re.compile(
    rf"[\s$,;.*]*(?:\\[()\[\],;]\s*)?\(?(?:\\text\s?\{{\s*{_OR},?\s*\}}|(?<!\w){_OR}(?!\w)"
    r"|\\vee|\\lor|\u2228|/|\|)[\s$*,]*(?:\\[(\[])?\s*",
    re.IGNORECASE,
)
_MAX_GAP = 60
_BARE_REACH = 400


def from_boxes(text: str, last: Box) -> Found:
    """The last box, joined with those that stand directly before it as one list."""
    if not last.content:
        return Found(
            None, "the last box is unfinished" if last.content is None else "the last box is empty"
        )
    around = _box_around(text, last)
    if around is not None:
        return Found(around, "box")
    if not _may_follow_a_box(text, last.start):
        return Found(last.content, "box")
    contents, joiner = _row(text, last)
    if len(contents) > MAX_BOXES:
        return Found(None, f"more than {MAX_BOXES} boxes stand in a row")
    distinct = list(dict.fromkeys(reversed(contents)))
    if len(distinct) == 1:
        return Found(last.content, "box")
    return Found((" \\text{ or } " if joiner == "or" else ", ").join(distinct), "boxes")


def _row(text: str, last: Box) -> tuple[list[str], str]:
    """What the boxes hold that end with the last one, backwards, and the kind of their gaps.

    One more than are allowed end the search.
    """
    before, first = _plain_row(text, last.start)
    contents, joiner = [last.content or "", *before], "list" if before else ""
    kinds: dict[str, str | None] = {}
    for box in boxes_backwards(text, first):
        if not box.content or len(contents) > MAX_BOXES:
            break
        gap = text[box.end : first]
        kind = kinds[gap] if gap in kinds else kinds.setdefault(gap, _gap_kind(gap))
        if kind is None or (joiner and kind != joiner and box.content != contents[-1]):
            break
        joiner = kind
        contents.append(box.content)
        first = box.start
    return contents, joiner


_PLAIN_PIECE = re.compile(rf"([^{{}}\\]*)\}}[\s$,;.*]{{0,{_MAX_GAP}}}")


def _plain_row(text: str, end: int) -> tuple[list[str], int]:
    r"""What the boxes hold that stand in a row before ``end``, backwards, and where it starts.

    They are the usual ones: ``\boxed{}`` without a brace or a command inside, and commas between.
    A text may be made of nothing else, so they are cut apart at once, and equal ones read once.
    """
    contents: list[str] = []
    known: dict[str, str] = {}
    _, *pieces = text[:end].rsplit(r"\boxed{", MAX_BOXES)
    for piece in reversed(pieces):
        content = known.get(piece)
        if content is None:
            plain = _PLAIN_PIECE.fullmatch(piece)
            content = known[piece] = plain[1].strip() if plain else ""
        if not content:
            break
        contents.append(content)
        end -= len(r"\boxed{") + len(piece)
    return contents, end


def _box_around(text: str, last: Box) -> str | None:
    """What a box holds besides the last one inside it: both are candidates, or one formula."""
    start = max(0, last.start - _MAX_GAP)
    if text.find("ox", start, last.start) < 0:
        return None
    commands = list(_COMMAND.finditer(text, start, last.start))
    opening = _OPEN.match(text, commands[-1].end(), last.start) if commands else None
    if opening is None or closing_brace(text, opening.end(), last.start) is not None:
        return None
    before = text[opening.end() : last.start]
    end = closing_brace(text, last.end, min(len(text), last.end + _MAX_GAP))
    behind = text[last.end : end]
    if end is None or before.count("{") != before.count("}") or before.rstrip()[-1:] in ("", "="):
        return None
    return f"{before}{{{last.content}}}{behind}".strip()


def _may_follow_a_box(text: str, start: int) -> bool:
    """Whether what stands right before a box could be the end of another: a quick look.

    A box ends with a brace, or holds bare text that its command stands not far before.
    """
    if text.find("ox", max(0, start - _BARE_REACH), start) >= 0:
        return True
    brace = text.rfind("}", max(0, start - _MAX_GAP - 1), start)
    return brace >= 0 and _gap_kind(text[brace + 1 : start]) is not None


def _gap_kind(gap: str) -> str | None:
    gap = gap.rstrip("\\")  # of a doubled backslash
    if len(gap) > _MAX_GAP:
        return None
    if _OR_GAP.fullmatch(gap):
        return "or"
    return "list" if _LIST_GAP.fullmatch(gap) else None
