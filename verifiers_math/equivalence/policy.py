"""Every choice about what counts as the same answer, in one frozen value."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property


@dataclass(frozen=True)
class Policy:
    """What counts as the same answer.

    The defaults are what a competent person grading a contest accepts when shown the gold and
    the final answer, but not the question.

    Attributes:
        min_significant: Significant digits that a decimal answer needs before it may stand for an
            exact gold without a short decimal form (0.333333 for 1/3). Fewer is a guess.
        exact_for_decimal_gold: Whether an exact answer counts that rounds to a decimal gold
            (1/3 for 0.33).
        min_gold_significant: Significant digits that a decimal gold needs for that.
        longer_for_decimal_gold: Whether a longer decimal counts that rounds to a decimal gold of
            at least 3 significant digits that does not end in 0 (2.7183 for 2.718).
        percent_or_number: Whether 25 and 25% are the same where exactly one side has the sign
            and the number is above 1. 25% and 0.25 always are.
        drop_lone_unit: Whether a unit on one side only is dropped (5 cm and 5).
        convert_units: Whether units of one dimension are converted (1 m and 100 cm).
        allow_unevaluated: Whether a sum, integral, limit, gcd or the like that is left
            unevaluated counts as its value, although the gold has none. It would make most
            questions their own answers.
    """

    min_significant: int = 6
    exact_for_decimal_gold: bool = True
    min_gold_significant: int = 2
    longer_for_decimal_gold: bool = True
    percent_or_number: bool = True
    drop_lone_unit: bool = True
    convert_units: bool = True
    allow_unevaluated: bool = False

    @cached_property
    def label(self) -> str:
        """``"default"``, or a short stable hash of the choices that differ from the default."""
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        if not changed:
            return "default"
        return hashlib.blake2s(";".join(changed).encode(), digest_size=4).hexdigest()


DEFAULT_POLICY = Policy()
