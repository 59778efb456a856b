r"""Why one pair was judged as it was: what was extracted, how both sides were read, who decided.

`explain` judges a pair as `Verifier.verify` does and keeps what each stage said on the way. It
returns plain data; the command line and the server's page show it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from time import perf_counter
from typing import Any, Final

from verifiers_math.equivalence.cascade import PURE_STAGES, steps
from verifiers_math.equivalence.decision import Decision
from verifiers_math.equivalence.kinds.classify import kind_of
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.numbers import Quantity, read_quantity
from verifiers_math.equivalence.policy import Policy, as_policy
from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.limits import MAX_CHARS
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.equivalence.thinking import after_thinking, prompt_opens_thinking
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.question import Question
from verifiers_math.types import AssumeThinking, Strict
from verifiers_math.verifier import Verifier, default_verifier

MAX_VALUE_DIGITS: Final = 300
"""An exact value of more digits is described instead of written out."""

PLACES: Final = {
    "box": "in the last box",
    "boxes": "in the boxes at the end",
    "####": "behind the mark ####",
    "tag": "in the answer tag",
    "json": "in the answer's field of a JSON object",
    "phrase": "behind the words that announce the answer",
    "whole": "the whole text reads as an answer",
    "sentence": "in the last sentence",
}
"""Where an answer was found, in words, by `Explanation.found`."""


class Outcome(StrEnum):
    """What a stage said."""

    FOUND = "found"
    """The final answer stands there; only of the stage ``extract``."""
    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"
    FAILED = "failed"
    """It ended the judgement without a word on equality: see the step's status."""
    NOT_ASKED = "not_asked"
    """An earlier stage had decided, or the verifier does not use it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage and what it said.

    Attributes:
        stage: ``"extract"``, ``"limits"``, a stage of the cascade, or ``"policy"``.
        outcome: What it said.
        status: The verdict's status where it decided, else None.
        detail: The reason, as a sentence for a person; ``""`` where there is none.
        rule: The lenient rule that it used, else ``""``.
        seconds: The time that it took, in wall seconds; for a worker, the wait included.
    """

    stage: str
    outcome: Outcome
    status: Status | None = None
    detail: str = ""
    rule: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Reading:
    r"""How one side was read.

    Attributes:
        text: The text that was compared.
        normalized: The same in one spelling, as the stage ``normalized`` sees it.
        value: The exact value of a numeral or quantity (``"1/2"``, ``"5/100 m"``); None where it
            is none.
        kind: What kind of answer it is (``"a value"``, ``"an equation"``); None where it could
            not be read to a tree.
        latex: The tree as LaTeX; None as for `kind`.
        unreadable: Why there is no tree; ``""`` where there is one.
    """

    text: str
    normalized: str
    value: str | None
    kind: str | None
    latex: str | None
    unreadable: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The judgement of one response, and how it came about.

    Attributes:
        found: Where the final answer stood: a key of `PLACES`; ``""`` where none was found.
        place: The same in words, or why there is no answer.
        thinking_chars: Characters of the response that were passed over as thinking; all of them
            where the thinking never ends.
        gold: How the gold was read.
        answer: How the final answer was read; None where there is none.
        steps: Every stage in its order.
        verdict: The verdict, the same as `Verifier.verify` gives.
    """

    found: str
    place: str
    thinking_chars: int
    gold: Reading
    answer: Reading | None
    steps: tuple[Step, ...]
    verdict: Verdict

    @property
    def decided_by(self) -> Step:
        """The step that decided."""
        return next(step for step in reversed(self.steps) if step.status is not None)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data that ``json.dumps`` takes."""
        return {
            "found": self.found,
            "place": self.place,
            "thinking_chars": self.thinking_chars,
            "gold": asdict(self.gold),
            "answer": None if self.answer is None else asdict(self.answer),
            "steps": [asdict(step) for step in self.steps],
            "verdict": self.verdict.to_dict(),
        }


def explain(
    gold: object, response: object, *, verifier: Verifier | None = None, **options: Any
) -> Explanation:
    r"""Judges a response and tells how.

    Args:
        gold: As for `Verifier.verify`.
        response: As for `Verifier.verify`.
        verifier: The verifier to ask; the shared one by default.
        **options: ``strict``, ``prompt``, ``assume_thinking`` and ``policy``, as for
            `Verifier.verify`.

    Raises:
        TypeError: An option is unknown.

    Example:
        >>> story = explain("1/2", r"So it is \boxed{0.5}.")
        >>> story.place, story.answer.value, story.decided_by.stage
        ('in the last box', '1/2', 'number')
    """
    judge = verifier or default_verifier()
    trace = _Trace(judge, gold, response, **options)
    return trace.told(judge.verify(gold, response, **options))


async def aexplain(
    gold: object, response: object, *, verifier: Verifier | None = None, **options: Any
) -> Explanation:
    """`explain` for an event loop: the stages that need no worker run in a thread.

    Args:
        gold: As for `explain`.
        response: As for `explain`.
        verifier: As for `explain`.
        **options: As for `explain`.

    Raises:
        TypeError: As for `explain`.
    """
    import asyncio  # only async callers pay for it

    judge = verifier or default_verifier()
    trace = await asyncio.to_thread(_Trace, judge, gold, response, **options)
    return trace.told(await judge.averify(gold, response, **options))


class _Trace:
    """What the stages say that need no worker, before the verdict is known."""

    def __init__(
        self,
        verifier: Verifier,
        gold: object,
        response: object,
        *,
        strict: Strict = False,
        prompt: object = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | str | None = None,
    ) -> None:
        self._stages = verifier.stages
        question = Question(gold, response, as_policy(policy or verifier.policy))
        given = question.answer
        begin = perf_counter()
        question.search(strict, prompt, assume_thinking)
        seconds = perf_counter() - begin
        self._thinking = _thinking_chars(given, prompt, assume_thinking)
        self._found = question.found
        self._gold = _read_side(question.gold)
        self._answer = _read_side(question.answer) if question.answer else None
        decided = question.decided
        if decided is None:
            self._place = PLACES[self._found] if self._found else "there is none"
            outcome = Outcome.FOUND if self._found else Outcome.UNDECIDED  # the gold is at fault
            self._steps = [Step("extract", outcome, None, self._place, "", seconds)]
            self._steps += _asked(question, self._stages)
        else:
            self._place = decided.detail
            self._steps = [_step("extract", decided, seconds)]

    def told(self, verdict: Verdict) -> Explanation:
        """The whole story, once the verdict is there."""
        told = [*self._steps]
        if told[-1].status is not verdict.status:  # a worker decided, or the prompt's wording did
            told.append(_from_verdict(verdict, 0.0 if told[-1].status else verdict.seconds))
        asked = {step.stage for step in told}
        told += [Step(name, Outcome.NOT_ASKED) for name in self._stages if name not in asked]
        return Explanation(
            self._found,
            self._place,
            self._thinking,
            self._gold,
            self._answer,
            tuple(told),
            verdict,
        )


def _asked(question: Question, stages: tuple[str, ...]) -> Iterator[Step]:
    """The steps of the cascade up to the one that decides."""
    begin = perf_counter()
    for name, decision in steps(question.gold, question.answer, question.policy, stages):
        end = perf_counter()
        if decision is not None or name in PURE_STAGES:
            yield _step(name, decision, end - begin)
        if decision is not None:
            return
        begin = perf_counter()


_OUTCOMES = {Status.CORRECT: Outcome.EQUAL, Status.INCORRECT: Outcome.DIFFERENT}


def _step(stage: str, decision: Decision | None, seconds: float) -> Step:
    if decision is None:
        return Step(stage, Outcome.UNDECIDED, seconds=seconds)
    outcome = _OUTCOMES.get(decision.status, Outcome.FAILED)
    return Step(stage, outcome, decision.status, decision.detail, decision.rule, seconds)


def _from_verdict(verdict: Verdict, seconds: float) -> Step:
    """What only the verifier knows: computer algebra, and the answer held beside the prompt."""
    decision = Decision(verdict.status, verdict.stage, verdict.detail, verdict.rule)
    return _step(verdict.stage, decision, seconds)


def _thinking_chars(response: str, prompt: object, assume_thinking: AssumeThinking) -> int:
    opened = prompt_opens_thinking(prompt) if assume_thinking == "auto" else bool(assume_thinking)
    return len(response) - len(after_thinking(response, opened) or "")


def _read_side(text: str) -> Reading:
    if len(text) > MAX_CHARS:
        reason = f"longer than {MAX_CHARS} characters"
        return Reading(text, text, None, None, None, reason)
    quantity = read_quantity(text)
    value = None if quantity is None else _value(quantity)
    tree = read(text)
    if isinstance(tree, Unreadable):
        return Reading(text, normalize(text), value, None, None, tree.reason)
    return Reading(text, normalize(text), value, kind_of(tree).value, to_latex(tree))


def _value(quantity: Quantity) -> str:
    """The exact value; in the unit as it was written, where there is one."""
    unit = "" if quantity.unit is None else f" {quantity.unit.label}"
    return _exact(quantity.value) + unit


def _exact(value: Fraction) -> str:
    # log10(2) is about 0.301; Python refuses to write out integers of more than 4300 digits.
    digits = max(value.numerator.bit_length(), value.denominator.bit_length()) * 301 // 1000
    return str(value) if digits <= MAX_VALUE_DIGITS else f"a number of about {digits} digits"
