"""Names under the module path where code written for ``verifiers`` imports them from."""

from __future__ import annotations

from verifiers_math.parsers import extract_boxed_answer

__all__ = ["extract_boxed_answer"]
