"""NeMo-Gym 0.7: what a mathematics resources server does on ``POST /verify``.

```python
class Server(SimpleResourcesServer):
    async def verify(self, body):
        return BaseVerifyResponse(**await ahandle(body.model_dump(mode="json")))
```

The request and the reply are those of NeMo-Gym's ``math_with_judge``, with our reasons added.
NeMo-Gym itself is not imported; the server of this package mounts the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifiers_math.answers import Answer, AnswerJudge, answer_judge, log_values
from verifiers_math.equivalence.verdict import Verdict

_PRIVATE = "_ng_"  # NeMo-Gym keeps such fields out of its replies


def handle(request: Mapping[str, Any], *, judge: AnswerJudge | None = None) -> dict[str, Any]:
    """Judges one response.

    Args:
        request: The decoded body: ``expected_answer``, ``response`` (an object of OpenAI's
            Responses API), and perhaps ``question`` and ``responses_create_params``.
        judge: Another judge than the default one, which wants a box.

    Returns:
        The request's fields, and ``reward``, ``library_reward``, ``extracted_answer`` (None
        where there is none), ``judge_evaluations`` (always None), and what `log_values` holds.
        An answer that could not be judged has ``mask_sample`` True, which keeps it out of
        NeMo-Gym's scores, with ``failure_kind`` and ``failure_reason``.

    Raises:
        ValueError: If a field is missing or of another type; the message has its path.
    """
    return _reply(request, (judge or answer_judge()).verdict(*_read(request)))


async def ahandle(
    request: Mapping[str, Any], *, judge: AnswerJudge | None = None
) -> dict[str, Any]:
    """`handle` for an event loop, which it never blocks longer than a pure stage takes."""
    return _reply(request, await (judge or answer_judge()).averdict(*_read(request)))


def _read(request: Any) -> Answer:
    request = _mapping("the request", request)
    if "expected_answer" not in request:
        raise ValueError("expected_answer is missing")
    gold = request["expected_answer"]
    if gold is not None and not isinstance(gold, str | int | float | list):
        raise ValueError(f"expected_answer is a {type(gold).__name__}, not text or a number")
    asked = request.get("question")
    if asked is None and isinstance(request.get("responses_create_params"), Mapping):
        asked = request["responses_create_params"].get("input")
    return Answer(_output_text(request.get("response")), gold, asked)


def _output_text(response: Any) -> str:
    """What the assistant said, as one text; its reasoning and its calls of tools are no answer."""
    output = _mapping("response", response).get("output")
    texts: list[str] = []
    for path, item in _members("response.output", output):
        if item.get("type") != "message":
            continue
        for place, part in _members(f"{path}.content", item.get("content")):
            if part.get("type") == "output_text":
                if not isinstance(part.get("text"), str):
                    raise ValueError(f"{place}.text is a {type(part.get('text')).__name__}")
                texts.append(part["text"])
    return "".join(texts)


def _members(path: str, values: Any) -> list[tuple[str, Mapping[str, Any]]]:
    if not isinstance(values, list):
        raise ValueError(f"{path} is a {type(values).__name__}, not a list")
    places = ((f"{path}[{index}]", value) for index, value in enumerate(values))
    return [(place, _mapping(place, value)) for place, value in places]


def _mapping(path: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{path} is a {type(value).__name__}, not an object")
    return value


def _reply(request: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    kept = {name: value for name, value in request.items() if not name.startswith(_PRIVATE)}
    return kept | {
        "reward": verdict.reward,
        "library_reward": verdict.reward,
        "extracted_answer": verdict.answer or None,
        "judge_evaluations": None,
        "mask_sample": not verdict.scored,
        "failure_kind": None if verdict.scored else f"verifiers_math:{verdict.status.value}",
        "failure_reason": None if verdict.scored else verdict.detail,
        **log_values(verdict),
    }
