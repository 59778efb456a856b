"""Rows of a data set: where response, gold and prompt stand, and what scoring adds to a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from verifiers_math.answers import Answer, AnswerJudge
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.fields import GOLD_FIELDS, PROMPT_FIELDS, RESPONSE_FIELDS
from verifiers_math.parsers import assistant_text
from verifiers_math.types import Unscored

SCORE_FIELDS: Final = (
    "reward",
    "status",
    "stage",
    "rule",
    "extracted_answer",
    "detail",
    "judge",
)
"""What scoring adds to a row. All of it comes out the same another time, so no times are among
it."""


class Fields(NamedTuple):
    """The fields of a row that are judged. Made by `find_fields`.

    Attributes:
        response: Holds what the model wrote: text, or messages.
        gold: Holds the reference answer in any shape that `golds_of` reads.
        prompt: Holds what the model was asked; None where no field does.
    """

    response: str
    gold: str
    prompt: str | None = None

    def answer(self, row: Any) -> Answer:
        """A row, which is a mapping, as an answer to judge."""
        return Answer(
            row.get(self.response), row.get(self.gold), self.prompt and row.get(self.prompt)
        )


def find_fields(
    columns: Iterable[str],
    *,
    response: str | None = None,
    gold: str | None = None,
    prompt: str | None = None,
) -> Fields:
    """Finds the fields to judge among the columns of a data set.

    Args:
        columns: The columns that there are.
        response: The column with the response; by default the first of `RESPONSE_FIELDS` that is
            no other role's.
        gold: The column with the gold; by default the first of `GOLD_FIELDS`, likewise.
        prompt: The column with the prompt; by default the first of `PROMPT_FIELDS`, if any.

    Raises:
        ValueError: If a column that is named is not there, or none can be guessed for response or
            gold. The message has the columns that are there.
    """
    present = list(columns)
    named = {name for name in (response, gold, prompt) if name is not None}

    def find(role: str, wanted: str | None, guesses: Sequence[str], taken: str = "") -> str | None:
        if wanted is None:
            usual = (guess.partition(".")[0] for guess in guesses)  # a column holds all of it
            free = (name for name in usual if name not in named and name != taken)
            return next((name for name in free if name in present), None)
        if wanted not in present:
            raise ValueError(
                f"there is no column {wanted!r} for the {role}; "
                f"the columns are {', '.join(present)}"
            )
        return wanted

    def find_any(role: str, wanted: str | None, guesses: Sequence[str], taken: str = "") -> str:
        name = find(role, wanted, guesses, taken)
        if name is None:
            raise ValueError(
                f"no column holds the {role}: there is none of {', '.join(guesses)}; "
                f"the columns are {', '.join(present)}"
            )
        return name

    found = find_any("gold", gold, GOLD_FIELDS)
    return Fields(
        find_any("response", response, RESPONSE_FIELDS, taken=found),
        found,
        find("prompt", prompt, PROMPT_FIELDS),
    )


@dataclass(frozen=True)
class RowJudge:
    """Judges rows, and says what is added to each. It is picklable.

    Attributes:
        fields: The fields to judge.
        judge: Judges.
        unscored: The ``reward`` of what could not be judged: "zero" for 0.0, "none" for None.
        prefix: Put before the names of the fields that are added.
    """

    fields: Fields
    judge: AnswerJudge
    unscored: Unscored = "zero"
    prefix: str = ""

    def verdicts(self, answers: Sequence[Answer]) -> list[Verdict]:
        """Judges rows; one whose response is neither text nor messages gets an error.

        Args:
            answers: The rows.

        Returns:
            The verdicts, in order.
        """
        faults: dict[int, str] = {}
        for index, answer in enumerate(answers):
            try:
                assistant_text(answer.response)
            except TypeError as error:
                faults[index] = str(error)
        sound = [answer for index, answer in enumerate(answers) if index not in faults]
        judged = iter(self.judge.verdicts(sound))
        return [
            error_verdict("row", faults[index]) if index in faults else next(judged)
            for index in range(len(answers))
        ]

    def added(self, verdict: Verdict) -> dict[str, Any]:
        """What is added to a row with this verdict: the values of `SCORE_FIELDS`, in order."""
        is_none = self.unscored == "none" and not verdict.scored
        scored = {
            "reward": None if is_none else verdict.reward,
            "status": verdict.status.value,
            "stage": verdict.stage,
            "rule": verdict.rule,
            "extracted_answer": verdict.answer,
            "detail": verdict.detail,
            "judge": verdict.judge,
        }
        return {self.prefix + name: value for name, value in scored.items()}


def error_verdict(stage: str, detail: str) -> Verdict:
    """The verdict on a row that nothing could be said about.

    Args:
        stage: Where it failed.
        detail: Why, as a sentence for a person.
    """
    return Verdict(
        equal=False,
        status=Status.ERROR,
        stage=stage,
        gold="",
        answer="",
        seconds=0.0,
        cached=False,
        detail=detail,
        judge="",
    )
