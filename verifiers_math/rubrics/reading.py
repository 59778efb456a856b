"""How a rubric asks a parser for the answer in a completion: with a prompt, later, in a thread."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.parsers import assistant_text
from verifiers_math.rubrics.calling import accepts_argument
from verifiers_math.types import Completion

PARSER_STAGE = "parser"
"""The stage of a verdict where a parser raised."""

_LONG_CHARACTERS = 50_000
"""Completions beyond this are parsed in a thread, not in the event loop."""


class AnswerReader:
    """Reads completions with any parser: sync or async, with or without a ``prompt`` argument."""

    def __init__(self) -> None:
        # The last parser and whether it takes a prompt; one value, as threads may read it at once.
        self._known: tuple[Any, bool] = (None, False)

    async def read(self, parser: Any, completion: Completion | None, prompt: Any) -> str:
        """What the parser finds.

        Args:
            parser: Whatever has a ``parse_answer``.
            completion: A string or a list of messages.
            prompt: What the model was asked; handed on where the parser takes it.

        Returns:
            The answer; "" where it finds None.

        Raises:
            TypeError: If it finds something that is neither text nor a number.
            Exception: Whatever the parser raises.
        """
        parse = parser.parse_answer
        known, takes_prompt = self._known
        if known is not parser:
            takes_prompt = accepts_argument(parse, "prompt")
            self._known = (parser, takes_prompt)
        if takes_prompt:
            parse = functools.partial(parse, prompt=prompt)
        if _is_long(completion):
            found = await asyncio.to_thread(parse, completion)
        else:
            found = parse(completion)
        if inspect.isawaitable(found):
            found = await found
        if found is None:
            return ""
        if not isinstance(found, str | int | float | Fraction):
            raise TypeError(f"the parser found {type(found).__name__}, not text")
        return str(found)


def parser_failed(answer: Any, error: Exception) -> Verdict:
    """The verdict where a parser raised.

    Args:
        answer: The gold.
        error: What it raised.
    """
    return Verdict(
        equal=False,
        status=Status.ERROR,
        stage=PARSER_STAGE,
        gold=answer if isinstance(answer, str) else repr(answer),
        answer="",
        seconds=0.0,
        cached=False,
        detail=f"the parser raised {type(error).__name__}: {error}",
        judge="",
    )


def text_of(completion: Any) -> str:
    """What the assistant has written; "" for a completion that only a custom parser can read."""
    try:
        return assistant_text(completion) or ""
    except TypeError:
        return ""


def _is_long(completion: Any) -> bool:
    if isinstance(completion, str):
        return len(completion) > _LONG_CHARACTERS
    return isinstance(completion, Sequence) and len(text_of(completion)) > _LONG_CHARACTERS
