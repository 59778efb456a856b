"""Every choice about what counts as the same answer, in one frozen value."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from verifiers_math.checks import check_choice, kind_of


@dataclass(frozen=True)
class Policy:
    r"""What counts as the same answer.

    The defaults are what a competent person grading a contest accepts when shown the gold and
    the final answer, but not the question. `strict` is for training, where a model looks for what
    is let through; `lenient` for evaluating models that do not keep to a format.

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
        decimal_comma: Whether 0,111 may be 0.111 where no list fits the other side.
        allow_unevaluated: Whether a sum, integral, limit, gcd or the like that is left
            unevaluated counts as its value, although the gold has none. It would make most
            questions their own answers.
        values_only: Whether a numeral gold wants a value: no sum, difference or product of plain
            numerals (``123\times456``). Powers, roots, factorials and fractions are values.
        refuse_restated: Whether an answer that is a piece of the prompt with an operator in it, in
            any spelling, is refused, and a numeral or a quantity of the prompt that is to be
            written in another form or unit.
            Applies where the prompt is known.
        sentences: Whether a bare answer that is a sentence counts by the value that it states.
        list_is_tuple: Whether a list without brackets equals a tuple of the same members in the
            same order (3, 5 and (3, 5)).
        rename_constants: Whether an arbitrary constant may have another name (+ C and + k).

    Raises:
        TypeError: If a choice that is a number is given something else, or one that is true or
            false is.

    Examples:
        >>> Policy(drop_lone_unit=False).drop_lone_unit
        False
        >>> Policy.strict(sentences=True).percent_or_number
        False
    """

    min_significant: int = 6
    exact_for_decimal_gold: bool = True
    min_gold_significant: int = 2
    longer_for_decimal_gold: bool = True
    percent_or_number: bool = True
    drop_lone_unit: bool = True
    convert_units: bool = True
    decimal_comma: bool = True
    allow_unevaluated: bool = False
    values_only: bool = False
    refuse_restated: bool = True
    sentences: bool = True
    list_is_tuple: bool = True
    rename_constants: bool = True

    def __post_init__(self) -> None:
        for field in fields(self):
            value, kind = getattr(self, field.name), type(field.default)
            if type(value) is not kind:
                raise TypeError(f"{field.name} is of type {kind.__name__}, not {kind_of(value)}")

    @classmethod
    def strict(cls, **choices: Any) -> Policy:
        """The policy for training against cheating: nothing that could be a guess or an echo.

        Args:
            **choices: Fields to set otherwise.
        """
        return cls(**_STRICT | choices)

    @classmethod
    def lenient(cls, **choices: Any) -> Policy:
        """The policy for evaluating models that round early and leave arithmetic undone.

        Args:
            **choices: Fields to set otherwise.
        """
        return cls(**_LENIENT | choices)

    def __hash__(self) -> int:
        return hash(self.label)

    @cached_property
    def label(self) -> str:
        """``"default"``, ``"strict"``, ``"lenient"``, or a short stable hash of the choices."""
        for name, preset in _PRESETS.items():
            if self == preset:
                return name
        choices = ";".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
        return hashlib.blake2s(choices.encode(), digest_size=4).hexdigest()


_STRICT: dict[str, Any] = {
    "percent_or_number": False,
    "decimal_comma": False,
    "values_only": True,
    "sentences": False,
}
_LENIENT: dict[str, Any] = {
    "min_significant": 3,
    "min_gold_significant": 1,
    "allow_unevaluated": True,
    "refuse_restated": False,
}

DEFAULT_POLICY = Policy()
_PRESETS = {
    "default": DEFAULT_POLICY,
    "strict": Policy(**_STRICT),
    "lenient": Policy(**_LENIENT),
}


def as_policy(policy: Policy | str) -> Policy:
    """The policy, given as such or by the name of a preset, as configuration files can hold it.

    Args:
        policy: A `Policy`, or "default", "strict" or "lenient".

    Raises:
        ValueError: If no preset has this name.
        TypeError: If it is neither.
    """
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise TypeError(f"policy is a Policy or a preset's name, not {kind_of(policy)}")
    check_choice("policy", policy, _PRESETS)
    return _PRESETS[policy]
