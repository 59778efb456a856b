r"""The letter that a quantifier binds: ``\forall x, x > 0`` is ``\forall y, y > 0``."""

from __future__ import annotations

import re

from verifiers_math.equivalence.kinds.rewriting import renamed
from verifiers_math.equivalence.reader.bound_letters import BOUND
from verifiers_math.equivalence.reader.tree import Listing, Node, Words

_QUANTIFIER = re.compile(r"(?:for all|for every|there exists) (?P<letter>[a-z])(?![A-Za-z])")


def with_bound_letter(node: Node) -> Node:
    r"""``\forall x, x > 0`` with its letter under one name, as in a big operator."""
    first = node.items[0] if isinstance(node, Listing) else node
    match = _QUANTIFIER.match(first.text) if isinstance(first, Words) else None
    if match is None or not isinstance(first, Words):
        return node
    letter = match["letter"]
    alone = re.compile(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])")
    words = Words(alone.sub(BOUND, first.text))
    if not isinstance(node, Listing):
        return words
    rest = (renamed(item, {letter: BOUND}) for item in node.items[1:])
    return Listing((words, *rest), node.joiner)
