"""The pages of the documentation, cut into what can be checked."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

_BLOCK = re.compile(r"^```(\w*)(?: (\w+))?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"^ {4}(\S.*)$", re.MULTILINE)
_INLINE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block.

    Attributes:
        kind: Its language, ``""`` where none is named.
        mark: The word behind it: ``notest`` for what cannot run as it stands.
        body: Its text.
    """

    kind: str
    mark: str
    body: str


class Snippet(NamedTuple):
    """Python that runs as it stands.

    Attributes:
        page: Where it is, from the root.
        code: The block.
        shown: What the page shows as its output; ``""`` where it shows none.
    """

    page: str
    code: str
    shown: str


def name_of(page: Path) -> str:
    """The path of a page from the root."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    return [Block(*found) for found in _BLOCK.findall(page.read_text("utf-8"))]


def snippets(page: Path) -> list[Snippet]:
    """The Python of a page that is to run, each with the ``text`` block right behind it."""
    found = [*blocks(page), Block("", "", "")]
    return [
        Snippet(name_of(page), block.body, after.body if after.kind == "text" else "")
        for block, after in pairwise(found)
        if block.kind == "python" and block.mark != "notest"
    ]


def commands(page: Path, program: str) -> list[str]:
    """What a page tells to type, wherever it stands, that begins with a program's name."""
    fenced = [
        line
        for block in blocks(page)
        for line in block.body.splitlines()
        if block.kind != "console" or line.startswith("$ ")  # the others are its output
    ]
    text = _BLOCK.sub("", page.read_text("utf-8"))
    lines = [*fenced, *_INDENTED.findall(text), *_INLINE.findall(text)]
    typed = [line.strip().removeprefix("$ ") for line in lines]
    return [line.partition("  #")[0].strip() for line in typed if line.startswith(f"{program} ")]


def links(page: Path) -> list[str]:
    """The targets of a page's links."""
    return _LINK.findall(_BLOCK.sub("", page.read_text("utf-8")))


def anchors(page: Path) -> set[str]:
    """The names by which links reach a page's headings."""
    headings = _HEADING.findall(_BLOCK.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
