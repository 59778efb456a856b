"""OpenRLHF: the ``reward_func`` of a reward file, and the handler of its reward server's protocol.

```python
# reward.py, given as --reward.remote_url reward.py
from verifiers_math.integrations.openrlhf import reward_func
```

Other settings than the default (a box is wanted) come with a judge:

```python
reward_func = functools.partial(openrlhf.reward_func, judge=answer_judge(strict=False))
```

Written for OpenRLHF 0.11.2 (``openrlhf/utils/agent.py``): it calls ``reward_func`` with lists of
one, in a thread of the vLLM actor, or posts the same lists to a server. A query is prompt and
response in one text, with the special tokens in it. An exception would cost the sample its reward,
and a batch with such a sample ends the run; a NaN would spread to every advantage of its group, or
of its batch with some estimators. So a response that could not be judged has the reward 0.0, and
``extra_logs`` says why. OpenRLHF itself is not imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from verifiers_math.answers import Answer, AnswerJudge, answer_judge, log_values
from verifiers_math.equivalence.verdict import Verdict

END_TOKENS: Final = (
    "<|im_end|>",  # Qwen, Yi
    "<|endoftext|>",
    "</s>",  # Llama 2, Mistral
    "<|eot_id|>",  # Llama 3
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|eot|>",  # Llama 4
    "<end_of_turn>",  # Gemma
    "<eos>",
    "<|end|>",  # Phi
    "<|return|>",  # gpt-oss
    "<｜end▁of▁sentence｜>",  # DeepSeek
    "<|endofturn|>",
    "<|END_OF_TURN_TOKEN|>",  # Command
    "[|endofturn|]",  # EXAONE
    "<|user|>",  # GLM stops where the user would go on
    "<pad>",
    "<|pad|>",
    "[PAD]",
    "<|finetune_right_pad_id|>",
)
"""Special tokens that end or fill a response; they are cut from its end."""

_TAIL: Final = 64  # characters that tell the end of a prompt from any other place


def reward_func(
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Any],
    *,
    judge: AnswerJudge | None = None,
    **_kwargs: Any,
) -> dict[str, Any]:
    """The rewards of some rollouts, for the trainer (torch is there, as OpenRLHF needs it).

    Args:
        queries: Prompt and response of each rollout, decoded with special tokens.
        prompts: Their prompts.
        labels: Their golds in any shape that `golds_of` reads.
        judge: What judges them; by default `answer_judge()`.
        **_kwargs: What other versions of OpenRLHF may pass; not used.

    Returns:
        ``rewards`` and ``scores`` (1.0 for a correct answer, else 0.0; scores decide about dynamic
        filtering), and in ``extra_logs`` the numbers of `log_values` by name: each a float tensor
        of shape (rollouts,).

    Raises:
        ValueError: If the lists have different lengths, or a query or prompt is no text; the
            message names field and index.
    """
    import torch

    answers = _answers(queries, prompts, labels)
    reply = _reply((judge or answer_judge()).verdicts(answers))
    logs = {name: torch.tensor(values) for name, values in reply.pop("extra_logs").items()}
    return {name: torch.tensor(values) for name, values in reply.items()} | {"extra_logs": logs}


def handle(request: Mapping[str, Any], *, judge: AnswerJudge | None = None) -> dict[str, Any]:
    """The reply to ``POST /get_reward``.

    Args:
        request: The body: ``query`` (texts), ``labels`` (the golds, of any JSON type) and perhaps
            ``prompts`` (texts), lists of one length.
        judge: What judges them; by default `answer_judge()`.

    Returns:
        ``rewards``, ``scores`` and ``extra_logs`` as `reward_func` describes them, as lists of
        finite numbers.

    Raises:
        ValueError: If the request is not like that; the message names field and index.
    """
    return _reply((judge or answer_judge()).verdicts(_requested(request)))


async def ahandle(
    request: Mapping[str, Any], *, judge: AnswerJudge | None = None
) -> dict[str, Any]:
    """`handle` for an event loop."""
    return _reply(await (judge or answer_judge()).averdicts(_requested(request)))


def response_of(query: str, prompt: str | None) -> str:
    """What the model wrote: the query without its prompt, special tokens at its end, outer blanks.

    Args:
        query: Prompt and response.
        prompt: The prompt. Decoding may have changed its white space, and a long one may have lost
            its beginning; where it is not found all the same, the whole query is the response.
    """
    return _without_end_tokens(query[_prompt_end(query, prompt or "") :].lstrip())


def _reply(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    logs = [log_values(verdict) for verdict in verdicts]
    names = logs[0] if logs else {}
    rewards = [log["acc"] for log in logs]
    return {
        "rewards": rewards,
        "scores": list(rewards),
        "extra_logs": {name: [log[name] for log in logs] for name in names},
    }


def _requested(request: Mapping[str, Any]) -> list[Answer]:
    if not isinstance(request, Mapping):
        raise ValueError(f"the request is an object, not {type(request).__name__}")
    for name in ("query", "labels"):
        if name not in request:
            raise ValueError(f"the request has no {name!r}; it holds query, prompts and labels")
    return _answers(request["query"], request.get("prompts"), request["labels"], "query")


def _answers(queries: Any, prompts: Any, labels: Any, name: str = "queries") -> list[Answer]:
    size = len(_texts(name, queries))
    if prompts is None:
        prompts = [None] * size
    fields = {"prompts": _texts("prompts", prompts, type(None)), "labels": _list("labels", labels)}
    for other, values in fields.items():
        if len(values) != size:
            raise ValueError(f"{other} has {len(values)} entries and {name} has {size}")
    return [
        Answer(response_of(query, prompt), label, prompt)
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]


def _texts(name: str, values: Any, *also: type) -> Sequence[Any]:
    entries = _list(name, values)
    for index, entry in enumerate(entries):
        if not isinstance(entry, (str, *also)):
            raise ValueError(f"{name}[{index}] is a text, not {type(entry).__name__}")
    return entries


def _list(name: str, values: Any) -> Sequence[Any]:
    if isinstance(values, list | tuple):
        return values
    raise ValueError(f"{name} is a list, not {type(values).__name__}")


def _prompt_end(query: str, prompt: str) -> int:
    if query.startswith(prompt):
        return len(prompt)
    shown, whole = "".join(query.split()), "".join(prompt.split())
    if shown.startswith(whole):
        return _after_characters(query, len(whole))
    at = shown.find(whole[-_TAIL:]) if len(whole) >= _TAIL else -1
    return _after_characters(query, at + _TAIL) if at >= 0 else 0


def _after_characters(text: str, count: int) -> int:
    """The place behind so many characters that are no white space."""
    places = (place for place, character in enumerate(text) if not character.isspace())
    return next(islice(places, count - 1, None)) + 1 if count else 0


def _without_end_tokens(text: str) -> str:
    end = len(text)
    while True:
        while end and text[end - 1].isspace():
            end -= 1
        token = next((token for token in END_TOKENS if text.endswith(token, 0, end)), None)
        if token is None:
            return text[:end]
        end -= len(token)
