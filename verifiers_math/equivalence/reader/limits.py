"""The sizes that the reader keeps to, so that no text costs more than its length."""

from __future__ import annotations

MAX_CHARS = 4096
MAX_TOKENS = 3000
MAX_DEPTH = 40
"""Nesting of brackets, exponents and arguments; each level takes some frames of Python's stack."""
MAX_TREE_DEPTH = 120
"""Levels of a tree: ``1/2/3/4`` nests without brackets, and what walks trees is recursive."""
MAX_DIGITS = 1200
"""Digits of one numeral."""
