"""One pair on its way through a verifier: what was given, what is compared, what came out."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from time import perf_counter
from typing import Final

from verifiers_math.cache import Key
from verifiers_math.checks import kind_of
from verifiers_math.equivalence.decision import Decision, different
from verifiers_math.equivalence.extract import find_answer, unwrap_gold
from verifiers_math.equivalence.lost import response_with_backslashes, with_backslashes
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.restated import restates_prompt
from verifiers_math.equivalence.thinking import (
    after_thinking,
    last_content,
    prompt_opens_thinking,
)
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.types import AssumeThinking, Strict

JUDGE_VERSION: Final = "3"
"""Raised whenever a verdict may change, so that stored verdicts can be told apart."""


class Question:
    """A gold and an answer, as texts, and what is decided about them before they are compared.

    Args:
        gold: Text or a number; anything else is an unreadable gold.
        answer: Text or a number; None is no answer, anything else unreadable.
        policy: What counts as the same.
    """

    __slots__ = ("answer", "begin", "cached", "decided", "end", "found", "gold", "policy", "prompt")

    def __init__(self, gold: object, answer: object, policy: Policy) -> None:
        self.begin = perf_counter()
        self.end: float | None = None
        self.policy = policy
        self.prompt = ""
        self.found = ""  # where the answer stood, once it was searched: see `Found.how`
        self.cached = False
        self.decided: Decision | None = None
        gold_text = as_text(gold)
        answer_text = "" if answer is None else as_text(answer)
        self.gold = with_backslashes(gold_text or "")
        self.answer = answer_text or ""
        if gold_text is None:
            self._unreadable(Status.GOLD_UNREADABLE, _no_text("gold", gold))
        elif answer_text is None:
            self._unreadable(Status.ANSWER_UNREADABLE, _no_text("answer", answer))

    @property
    def key(self) -> Key:
        """What a decision depends on."""
        return (self.gold, self.answer, self.policy)

    def take(self) -> None:
        """Takes both texts as they are: two bare answers."""
        self.answer = with_backslashes(self.answer)

    def search(self, strict: Strict, prompt: object, assume_thinking: AssumeThinking) -> None:
        """Replaces the response by the final answer in it, or decides that there is none.

        Args:
            strict: Whether only a box counts; "####" lets that mark count besides.
            prompt: What the model was asked, as text or messages.
            assume_thinking: Whether a response without a thinking tag began inside a thinking
                block; ``"auto"`` looks at the prompt's end.
        """
        self.begin = perf_counter()
        self._search(strict, prompt, assume_thinking)
        self.stop()  # until `resume`: in a batch the others are searched first

    def _search(self, strict: Strict, prompt: object, assume_thinking: AssumeThinking) -> None:
        if self.decided is not None:
            return
        self.gold = unwrap_gold(self.gold)
        opened = (
            prompt_opens_thinking(prompt) if assume_thinking == "auto" else bool(assume_thinking)
        )
        text = after_thinking(response_with_backslashes(self.answer), opened)
        if text is None:
            self._without_answer("the thinking never ends")
            return
        found = find_answer(text, strict)
        if found.answer is None:
            self._without_answer(found.how)
            return
        self.answer = with_backslashes(found.answer)
        self.found = found.how
        self.prompt = last_content(prompt)

    def _unreadable(self, status: Status, reason: str) -> None:
        self.decided = Decision(status, "extract", reason)

    def _without_answer(self, reason: str) -> None:
        self.answer = ""
        if self.gold.strip():  # else the gold is at fault, which the cascade says
            self.decided = Decision(Status.NO_ANSWER, "extract", reason)

    def stop(self) -> None:
        """Stops the clock."""
        self.end = perf_counter()

    def resume(self) -> None:
        """Has the clock go on from where it was stopped: other pairs' time is not this one's."""
        if self.end is not None:
            self.begin += perf_counter() - self.end
            self.end = None

    def verdict(self, decision: Decision) -> Verdict:
        """The verdict for this pair, given what was decided about its texts."""
        if self._only_restates(decision):
            decision = different("policy", "the answer restates the question")
        status, stage, detail, rule = decision
        return Verdict(
            equal=status is Status.CORRECT,
            status=status,
            stage=stage,
            gold=self.gold,
            answer=self.answer,
            seconds=0.0 if self.cached else (self.end or perf_counter()) - self.begin,
            cached=self.cached,
            detail=detail,
            judge=f"{JUDGE_VERSION}/{self.policy.label}",
            rule=rule,
        )

    def _only_restates(self, decision: Decision) -> bool:
        if not (self.prompt and self.policy.refuse_restated and decision.status is Status.CORRECT):
            return False
        return restates_prompt(self.gold, self.answer, self.prompt)


def as_text(value: object) -> str | None:
    """Returns a gold or an answer as text, or None where it is neither text nor a finite number."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value)
    try:
        if isinstance(value, Rational):
            return str(Fraction(value))
        if isinstance(value, (Real, Decimal)):
            return str(value) if math.isfinite(value) else None
    except (ArithmeticError, TypeError, ValueError):  # thousands of digits; a foreign type
        pass
    return None


def _no_text(side: str, value: object) -> str:
    """Why a side cannot be read that is neither text nor a finite number."""
    if isinstance(value, (list, tuple, set, dict)):
        taker = "verifiers_math.answers.answer_judge() takes it"
        return f"the {side} is a {kind_of(value)}, and neither text nor a number; {taker}"
    what = f"the float {value!r}" if isinstance(value, float) else kind_of(value)
    return f"the {side} is {what}: neither text nor a number"
