"""``POST /api/v1/explain``: one response, how it was judged, and both sides as formulas."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from msgspec import Struct

from verifiers_math.answers import answer_judge
from verifiers_math.explain import Explanation, aexplain
from verifiers_math.formulas import mathml, split
from verifiers_math.server.evaluating import Prompt
from verifiers_math.types import AssumeThinking
from verifiers_math.verifier import Verifier


class ExplainRequest(Struct, forbid_unknown_fields=True):
    """One response to judge.

    Attributes:
        gold: The reference answer: text or a number.
        response: What the model wrote.
        prompt: What the model was asked, as text or messages.
        strict: Whether only a box counts as the final answer; "####" lets that mark count besides.
        policy: The preset of what counts as the same.
        assume_thinking: Whether a response without a thinking tag began inside its thinking;
            "auto" looks at the prompt's end.
    """

    gold: str | int | float
    response: str
    prompt: Prompt = None
    strict: bool | Literal["####"] = False
    policy: Literal["default", "strict", "lenient"] = "default"
    assume_thinking: AssumeThinking = "auto"


async def explain(request: ExplainRequest, verifier: Verifier) -> dict[str, Any]:
    """Judges a response and tells how.

    Args:
        request: The response.
        verifier: The judge.

    Returns:
        What `verifiers_math.explain.Explanation.to_dict` gives, and ``shown``: gold and response
        in pieces (text, or a formula with its MathML), and both sides as they were read, each an
        element of MathML as tag, attributes and children, or null.

    Raises:
        VerifierBusyError: The pair needs a worker, and there is no room.
    """
    story = await aexplain(
        request.gold,
        request.response,
        strict=request.strict,
        prompt=request.prompt,
        assume_thinking=request.assume_thinking,
        policy=answer_judge(policy=request.policy).policy,
        verifier=verifier,
    )
    shown = await asyncio.to_thread(_shown, str(request.gold), request.response, story)
    return story.to_dict() | {"shown": shown}


def _shown(gold: str, response: str, story: Explanation) -> dict[str, Any]:
    read = {
        "gold_read": story.gold.latex,
        "answer_read": story.answer.latex if story.answer else None,
    }
    formulas = {name: None if latex is None else mathml(latex) for name, latex in read.items()}
    return {"gold": _gold_pieces(gold), "response": _pieces(response)} | formulas


def _gold_pieces(gold: str) -> list[dict[str, Any]]:
    r"""A gold is mostly LaTeX without any delimiter: ``\frac{1}{2}``."""
    pieces = _pieces(gold)
    if any(piece["mathml"] for piece in pieces):
        return pieces
    return [{"text": gold, "mathml": mathml(gold)}]


def _pieces(text: str) -> list[dict[str, Any]]:
    return [
        {
            "text": piece.text,
            "mathml": mathml(piece.text, piece.is_block) if piece.is_formula else None,
        }
        for piece in split(text)
    ]
