"""EasyR1 (interface as of August 2026): ``compute_score`` for its batch and sequential managers.

```
worker.reward.reward_function=/path/to/verifiers_math/integrations/easyr1.py:compute_score
worker.reward.reward_function_kwargs={strict: true}
```

EasyR1 loads a file, and reads from it by ``REWARD_TYPE`` whether a list or one dict is passed. It
runs on the main thread of one Ray actor. EasyR1 itself is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from verifiers_math.answers import Answer, answer_judge, log_values
from verifiers_math.equivalence.verdict import Verdict

REWARD_NAME: Final = "verifiers_math"
REWARD_TYPE: Final = "batch"

_FIELDS = ("response", "ground_truth")


def compute_score(reward_inputs: Any, *, format_weight: float = 0.0, **options: Any) -> Any:
    """Judges a batch, or one response where the manager is sequential.

    Args:
        reward_inputs: A list of dicts with ``response`` and ``ground_truth``, or one such dict;
            ``prompt`` is used where it is there.
        format_weight: The share of ``overall`` that having an answer in its place earns by
            itself, from 0 to 1.
        **options: What `answer_judge` takes: ``strict``, ``policy``, ``assume_thinking``,
            ``timeout_seconds``.

    Returns:
        A dict for each response, or one, always with the same keys: ``overall`` (what is
        optimised), ``format`` (1.0 where an answer was found), ``accuracy``, and what `log_values`
        holds. An answer that could not be judged has the reward of a wrong one; ``scored`` is 0.0
        there, and a flag says why.

    Raises:
        ValueError: If an input lacks a field, or ``format_weight`` is no share.
        TypeError: If an input is no dict, an option is unknown, or a response is neither text nor
            messages; the message has its index.
    """
    if not 0 <= format_weight <= 1:
        raise ValueError(f"format_weight is from 0 to 1, not {format_weight!r}")
    single = isinstance(reward_inputs, Mapping)
    inputs = [reward_inputs] if single else list(reward_inputs)
    answers = [_answer(*numbered) for numbered in enumerate(inputs)]
    scores = [_score(it, format_weight) for it in answer_judge(**options).verdicts(answers)]
    return scores[0] if single else scores


def _answer(index: int, given: Any) -> Answer:
    if not isinstance(given, Mapping):
        raise TypeError(f"reward input {index} is a {type(given).__name__}, not a dict")
    missing = [name for name in _FIELDS if name not in given]
    if missing:
        raise ValueError(
            f"reward input {index} lacks {' and '.join(missing)}; it has {', '.join(given)}"
        )
    return Answer(given["response"], given["ground_truth"], given.get("prompt"))


def _score(verdict: Verdict, format_weight: float) -> dict[str, float]:
    found = float(verdict.answer != "")
    overall = (1 - format_weight) * verdict.reward + format_weight * found
    return {
        "overall": overall,
        "format": found,
        "accuracy": verdict.reward,
        **log_values(verdict),
    }
