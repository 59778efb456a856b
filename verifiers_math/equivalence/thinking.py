"""Where a model's thinking ends and its answer begins.

Models mark their thinking with different tags; `MARKERS` is the table of them. Everything here
is a handful of substring searches, so it is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Marker(NamedTuple):
    """One habit of marking thoughts.

    Attributes:
        opening: The tag that begins the thinking.
        closing: The tag that ends it.
    """

    opening: str
    closing: str


MARKERS_BY_STEM: dict[str, tuple[Marker, ...]] = {
    "hink": (
        Marker("<think>", "</think>"),
        Marker("<seed:think>", "</seed:think>"),
        Marker("<thinking>", "</thinking>"),
        Marker("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ),
    "hought": (
        Marker("<thought>", "</thought>"),
        Marker("<|begin_of_thought|>", "<|end_of_thought|>"),
    ),
    "THINK": (
        Marker("<THINK>", "</THINK>"),
        Marker("[THINK]", "[/THINK]"),
        Marker("<|START_THINKING|>", "<|END_THINKING|>"),
    ),
    "<|channel|>": (Marker("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),),
}
"""The markers by a piece that both of their tags contain: a text without it has neither."""
_RARE = re.compile(
    r"\s*(?P<tag>[<\[]\|?\s?(?P<name>think|thinking|thoughts?|reasoning|scratchpad|analysis"
    r"|reflection)\s?\|?[>\]])",
    re.IGNORECASE,
)
"""Tags in any case that mark thinking where a response begins with them."""
MARKERS = tuple(marker for markers in MARKERS_BY_STEM.values() for marker in markers)
_OPENINGS = frozenset(marker.opening for marker in MARKERS)
_PROMPT_ENDS = tuple(_OPENINGS)
_OPENING_REACH = 40


def after_thinking(text: str, opened: bool = False) -> str | None:
    """Returns what follows the thinking, or None where the thinking never ends.

    Args:
        text: What the model wrote.
        opened: Whether the text begins inside a thinking block that the prompt opened.
    """
    tagged = ">" in text or text[:_OPENING_REACH].lstrip()[:1] == "[" or not text.isascii()
    tagged = tagged or ("K" in text and "THINK]" in text)
    if not tagged and not opened:  # looking for one character is fast
        return text
    used = _markers_in(text)
    start = 0
    if "<" in text[:_OPENING_REACH] or "[" in text[:_OPENING_REACH]:
        rare = _RARE.match(text)
        if rare is not None and rare["tag"] not in _OPENINGS:
            closed = _rare_end(text, rare["name"])
            if closed is None:
                return None
            start = closed
    for _, closing in used:
        closed_at = text.rfind(closing)
        if closed_at >= 0:
            start = max(start, closed_at + len(closing))
    if any(text.find(opening, start) >= 0 for opening, _ in used):
        return None
    if opened and start == 0:
        return None
    return text[start:] if start else text


_FEW = 16
_LONGEST = max(len(tag) for marker in MARKERS for tag in marker)


def _markers_in(text: str) -> list[Marker]:
    """The markers that a text may hold a tag of; the others it does not hold.

    To look for a word takes far longer than to look for one character: where there are only a few
    of "<", what follows them is enough to look at.
    """
    pieces = text.split("<", _FEW)
    if len(pieces) <= _FEW and text.isascii() and not ("K" in text and "THINK]" in text):
        text = "".join("<" + piece[:_LONGEST] for piece in pieces[1:])
    return [
        marker
        for stem, markers in MARKERS_BY_STEM.items()
        if stem in text
        for marker in markers
        if marker.opening in text or marker.closing in text
    ]


def _rare_end(text: str, name: str) -> int | None:
    """Where the last closing tag of this name, in any case, ends; None where there is none."""
    end = None
    for closing in re.finditer(rf"[<\[]\|?/\s?{name}\s?\|?[>\]]", text, re.IGNORECASE):
        end = closing.end()
    return end


def prompt_opens_thinking(prompt: object) -> bool:
    """Returns whether a prompt ends with the tag that begins a thinking block.

    Args:
        prompt: The rendered prompt, or a list of messages (dicts or objects) whose last content
            is looked at; anything else opens nothing.
    """
    return prompt is not None and last_content(prompt).rstrip().endswith(_PROMPT_ENDS)


def last_content(prompt: object) -> str:
    """Returns the text of a prompt, or that of its last message; "" where there is none.

    Args:
        prompt: A text, or messages (dicts or objects) whose content is a text or a list of parts.
    """
    if isinstance(prompt, str):
        return prompt
    if not isinstance(prompt, Sequence) or not prompt:
        return ""
    content = _field(prompt[-1], "content")
    if isinstance(content, Sequence) and not isinstance(content, (str, bytes)):
        texts = (_field(part, "text") for part in content)
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
