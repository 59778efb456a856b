"""Which rows the report shows one by one: a bounded number, what should be looked at first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from verifiers_math.report.kinds import kind_of_answer
from verifiers_math.report.rollout import Rollout


class Reason(NamedTuple):
    """Why a row is shown.

    Attributes:
        label: For a list to choose from.
        phrase: For a sentence: so many rows "that could not be scored".
    """

    label: str
    phrase: str


CONTRADICTED: Final = "contradicted"
DISPUTED: Final = "disputed"
UNSCORED: Final = "unscored"
LENIENT: Final = "lenient"
OTHER: Final = "other"

REASONS: Final[dict[str, Reason]] = {
    CONTRADICTED: Reason("label or reward contradicts", "that their label or reward contradicts"),
    DISPUTED: Reason("evaluators differ", "on which evaluators differ"),
    UNSCORED: Reason("could not be scored", "that could not be scored"),
    LENIENT: Reason("right by a lenient rule", "that are right by a lenient rule only"),
    OTHER: Reason("sample of the others", "others"),
}
"""The reasons, in the order in which the report shows their rows; each row has one."""

SHOWN_SHORT: Final = 400
SHOWN_PROMPT: Final = 1_500
SHOWN_RESPONSE: Final = 4_000
"""Characters of a text that are kept; of a response the end, where its answer stands."""

_HEAD: Final = 0.3
"""The share of a text that is cut which is kept of its beginning."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text, cut where it is too long.

    Attributes:
        head: Its beginning, or all of it.
        tail: Its end, where it was cut.
        left_out: Characters between the two.
    """

    head: str
    tail: str = ""
    left_out: int = 0

    @classmethod
    def of(cls, text: str, most: int, head: float = _HEAD) -> Excerpt:
        """The text, or its beginning and its end.

        Args:
            text: The text.
            most: Characters to keep.
            head: The share of them that is kept of the beginning.
        """
        if len(text) <= most:
            return cls(text)
        kept = round(most * head)
        return cls(text[:kept], text[len(text) - (most - kept) :], len(text) - most)

    @property
    def length(self) -> int:
        """Characters of the whole text."""
        return len(self.head) + len(self.tail) + self.left_out

    @property
    def is_whole(self) -> bool:
        """Whether nothing was cut."""
        return not self.left_out


@dataclass(frozen=True, slots=True)
class Entry:
    """A row as it is shown.

    Attributes:
        reason: A key of `REASONS`.
        row: Its number in the file.
        status: What happened.
        passed: Whether it counts as right; None where it could not be scored.
        score: Its score or reward; None likewise.
        stage: The stage that decided, or "".
        rule: The lenient rule that made it right, or "".
        kind: The kind of its gold.
        gold: The gold.
        answer: The final answer.
        detail: Why it was judged so.
        notes: Who contradicts the verdict, as sentences.
        dataset: Its data set, or "".
        group: Its group, or "".
        step: Its step, or None.
        seconds: The time of the judgement, or None.
        prompt: What was asked.
        response: What was answered.
    """

    reason: str
    row: int
    status: str
    passed: bool | None
    score: float | None
    stage: str
    rule: str
    kind: str
    gold: Excerpt
    answer: Excerpt
    detail: Excerpt
    notes: tuple[str, ...]
    dataset: str
    group: str
    step: float | None
    seconds: float | None
    prompt: Excerpt
    response: Excerpt

    @classmethod
    def of(cls, rollout: Rollout, reason: str) -> Entry:
        """What is shown of a rollout."""
        verdict = rollout.verdict
        return cls(
            reason=reason,
            row=rollout.number,
            status=verdict.status,
            passed=verdict.passed,
            score=verdict.score,
            stage=verdict.stage,
            rule=verdict.rule if rollout.lenient else "",
            kind=kind_of_answer(rollout.gold),
            gold=Excerpt.of(rollout.gold, SHOWN_SHORT, head=1),
            answer=Excerpt.of(verdict.answer, SHOWN_SHORT, head=1),
            detail=Excerpt.of(verdict.detail, SHOWN_SHORT, head=1),
            notes=(*rollout.contradictions, *rollout.disagreements),
            dataset=rollout.dataset,
            group=rollout.group_name,
            step=rollout.place("step"),
            seconds=rollout.seconds,
            prompt=Excerpt.of(rollout.prompt, SHOWN_PROMPT),
            response=Excerpt.of(rollout.response, SHOWN_RESPONSE),
        )


@dataclass
class _Draw:
    """An even draw from the rows that have one reason.

    Attributes:
        seen: How many there are.
        entries: The drawn ones.
    """

    seen: int = 0
    entries: list[Entry] = field(default_factory=list)


class Selection:
    """The rows to show.

    Each reason has an even draw of its rows, so the same file gives the same rows. The places are
    shared out evenly among the reasons; what one does not need, the others get.

    Args:
        most: Rows to show.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._draws = {reason: _Draw() for reason in REASONS}
        self._random = Random(0)

    def offer(self, rollout: Rollout) -> None:
        """Considers a rollout."""
        reason = _reason(rollout)
        draw = self._draws[reason]
        draw.seen += 1
        if len(draw.entries) < self.most:
            draw.entries.append(Entry.of(rollout, reason))
        elif (place := self._random.randrange(draw.seen)) < self.most:
            draw.entries[place] = Entry.of(rollout, reason)

    def counts(self) -> dict[str, tuple[int, int]]:
        """How many rows of each reason are shown, and how many there are."""
        shares = self._shares()
        return {
            reason: (shares[reason], draw.seen) for reason, draw in self._draws.items() if draw.seen
        }

    def entries(self) -> Iterator[Entry]:
        """The rows to show, by reason, and in the file's order within each."""
        for reason, share in self._shares().items():
            drawn = Random(0).sample(self._draws[reason].entries, share)
            yield from sorted(drawn, key=lambda entry: entry.row)

    def _shares(self) -> dict[str, int]:
        left = self.most
        shares: dict[str, int] = {}
        by_size = sorted(self._draws, key=lambda reason: len(self._draws[reason].entries))
        for position, reason in enumerate(by_size):
            fair = -(-left // (len(by_size) - position))
            shares[reason] = min(len(self._draws[reason].entries), fair)
            left -= shares[reason]
        return {reason: shares[reason] for reason in REASONS}


def _reason(rollout: Rollout) -> str:
    """The rarest of the reasons that a row has."""
    if rollout.contradictions:
        return CONTRADICTED
    if rollout.verdict.passed is None:
        return UNSCORED
    if rollout.lenient:
        return LENIENT
    return DISPUTED if rollout.disagreements else OTHER
