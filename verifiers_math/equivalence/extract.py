r"""The one scanner for the final answer in a response.

The last box counts (``\boxed``, ``\fbox``, ``\framebox``, ``\Boxed``), also when it is empty or
unfinished: then there is no answer, and nothing earlier is taken instead. Without any box come,
in this order, ``#### x``, ``<answer>x</answer>``, the ``"answer"`` of a JSON object, a phrase such
as "the final answer is x", the whole text when it reads as one answer, and the value that the last
sentence states. A number is never cut out of a larger answer.

Everything walks the text a constant number of times, from its end; patterns that could look far
are given short, bounded pieces.
"""

from __future__ import annotations

from verifiers_math.equivalence.boxes import boxes_backwards, from_boxes, last_box
from verifiers_math.equivalence.found import Found
from verifiers_math.equivalence.statements import (
    after_hashes,
    after_phrase,
    gives_up,
    has_no_subject,
    in_answer_tag,
    in_json,
    last_sentence,
    whole_text,
)
from verifiers_math.types import Strict

__all__ = ["Found", "find_answer", "last_box", "stated_value", "unwrap_gold"]

_BY_MARK = (after_hashes,)
_ANYWHERE = (after_hashes, in_answer_tag, in_json, after_phrase, whole_text, last_sentence)


def find_answer(text: str, strict: Strict = False) -> Found:
    """Finds the final answer in what follows the thinking.

    Args:
        text: The response, without its thinking.
        strict: Whether only a box counts; "####" lets that mark count besides.
    """
    box = next(boxes_backwards(text), None)
    if box is not None:
        return from_boxes(text, box)
    if strict is True:
        return Found(None, "there is no box")
    if gives_up(text):
        return Found(None, "the response gives up")
    for look in _BY_MARK if strict else _ANYWHERE:
        found = look(text)
        if found is not None:
            return found if found.answer != "" else Found(None, "nothing but marks stands there")
    return Found(None, "no final answer was found")


def stated_value(sentence: str) -> str | None:
    """Returns the value that a sentence given as an answer states, or None where it states none."""
    if has_no_subject(sentence):
        return None
    for look in (after_phrase, last_sentence):
        found = look(sentence)
        if found is not None and found.answer:
            return found.answer
    return None


def unwrap_gold(gold: str) -> str:
    r"""Returns the answer inside a gold that comes in a box or behind ``####``; else the gold."""
    if "box" in gold or "Box" in gold:
        box = next(boxes_backwards(gold), None)
        if box is not None and box.content:
            return from_boxes(gold, box).answer or gold
    if "####" in gold:
        return gold.rpartition("####")[2].strip() or gold
    return gold
