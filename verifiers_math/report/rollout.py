"""One row of a file as the report sees it: what was said of it, and where it belongs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from verifiers_math.evaluators.evaluator import gold_texts
from verifiers_math.fields import get_field
from verifiers_math.report.fields import FIELDS, as_json, first, moment, name, number, spoken
from verifiers_math.report.judgement import REWARD, Judgement, judgements
from verifiers_math.rows import Row

_WORDS: Final = {
    **dict.fromkeys(("correct", "right", "true", "pass", "passed", "yes"), True),
    **dict.fromkeys(("incorrect", "wrong", "false", "fail", "failed", "no"), False),
}
"""What labels say, by their words."""


class Rollout:
    """A row of the file.

    Args:
        row: The row.

    Attributes:
        number: Its number in the file.
        judgements: What was said of it, at least one; the first is the verdict.
    """

    def __init__(self, row: Row) -> None:
        self._data: Mapping[str, Any] = {"raw": row.raw} if row.fault else row.data
        self.number = row.number
        self.judgements = judgements(row)

    @property
    def verdict(self) -> Judgement:
        """The judgement that counts."""
        return self.judgements[0]

    @property
    def lenient(self) -> bool:
        """Whether only a lenient rule made it right."""
        return self.verdict.passed is True and self.verdict.rule != ""

    @property
    def seconds(self) -> float | None:
        """Wall time of the verdict; None where it is not known."""
        known = self.verdict.seconds
        return number(first(self._data, "seconds")) if known is None else known

    # --- its texts ---

    @cached_property
    def gold(self) -> str:
        """The gold as it was compared, or else as it stands in the row; "" where there is none."""
        if self.verdict.gold:
            return self.verdict.gold
        return next(iter(gold_texts(first(self._data, "gold"))), "")

    @property
    def response(self) -> str:
        """What the model wrote."""
        return spoken(first(self._data, "response"), whole=False)

    @property
    def prompt(self) -> str:
        """What the model was asked."""
        return spoken(first(self._data, "prompt"), whole=True)

    # --- where it belongs ---

    @cached_property
    def dataset(self) -> str:
        """The data set that it is of, or ""."""
        return name(first(self._data, "dataset"))

    @property
    def group_name(self) -> str:
        """What its group is called in the row, or ""."""
        return name(first(self._data, "group"))

    @property
    def group(self) -> int | None:
        """A key that rollouts of one prompt at one step have in common; None without a prompt."""
        prompt = first(self._data, "group")
        if prompt is None:
            prompt = first(self._data, "prompt")
        if prompt is None:
            return None
        when = first(self._data, "step")
        if when is None:
            when = first(self._data, "epoch")
        key = as_json([when, first(self._data, "dataset"), prompt])
        digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8)
        return int.from_bytes(digest.digest(), "big")

    def place(self, axis: str) -> float | None:
        """Where it stands on the axis ``step``, ``epoch`` or ``time`` (in seconds since 1970)."""
        value = first(self._data, axis)
        return moment(value) if axis == "time" else number(value)

    # --- who contradicts ---

    @cached_property
    def disagreements(self) -> tuple[str, ...]:
        """Where evaluators contradict the verdict, as sentences."""
        verdict = self.verdict
        return tuple(
            f"{verdict.judge} {verdict.word}, {other.judge} {other.word}"
            for other in self.judgements[1:]
            if None not in (verdict.passed, other.passed) and verdict.passed != other.passed
        )

    @cached_property
    def contradictions(self) -> tuple[str, ...]:
        """Where the row's own label or reward contradicts the verdict, as sentences."""
        verdict = self.verdict
        if verdict.passed is None:
            return ()
        claims = {"label": self._label(), "reward": self._logged_reward()}
        return tuple(
            f"the row's {claim} says {'right' if says else 'wrong'}, {verdict.judge} {verdict.word}"
            for claim, says in claims.items()
            if says is not None and says != verdict.passed
        )

    def _label(self) -> bool | None:
        """What a label in the row says; a number in ``label`` may as well be the gold."""
        for field in FIELDS["label"]:
            value = get_field(self._data, field)
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and (word := value.strip().lower()) in _WORDS:
                return _WORDS[word]
            if field != "label" and number(value) in (0, 1):
                return number(value) == 1
        return None

    def _logged_reward(self) -> bool | None:
        """What the trainer's own reward says of a row that was judged besides.

        Shaped rewards say neither yes nor no.
        """
        if self.verdict.judge == REWARD:
            return None
        reward = number(get_field(self._data, "reward"))
        return reward == 1 if reward in (-1, 0, 1) else None
