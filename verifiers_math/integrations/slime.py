"""slime (interface as of August 2026): the function for ``--custom-rm-path``.

```
--custom-rm-path verifiers_math.integrations.slime.custom_rm
```

slime awaits one function with a ``Sample``, and the same one with a list of them under
``--group-rm`` or where one prompt fans out. It runs on an event loop beside the trainer's main
thread. slime itself is not imported.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

from verifiers_math.answers import Answer, AnswerJudge, answer_judge, log_values
from verifiers_math.equivalence.verdict import Verdict

METADATA_KEY = "verifiers_math"
"""Where a sample's ``metadata`` holds the verdict, as plain data."""


async def custom_rm(
    args: Any, sample: Any, *, judge: AnswerJudge | None = None, **unused: Any
) -> Any:
    """Judges a sample, or a group of them, by ``sample.label``.

    Whatever the reward, ``sample.metadata["verifiers_math"]`` says why. A sample that could not be
    judged gets 0.0 and, where it has that field, ``remove_sample``, which keeps it out of the
    loss; its 0.0 still counts in its group's mean.

    Args:
        args: The trainer's arguments, which are not needed.
        sample: A ``Sample``, or a list of them.
        judge: Another judge than the default one, which wants a box; bind it with
            ``functools.partial`` in a module of your own.
        **unused: Whatever else slime passes.

    Returns:
        The reward, or a list of them, one for each sample.

    Raises:
        TypeError: If something is no sample, or its response neither text nor messages.
    """
    return await _judge(sample, judge, lambda verdict: verdict.reward)


async def custom_rm_dict(
    args: Any, sample: Any, *, judge: AnswerJudge | None = None, **unused: Any
) -> Any:
    """`custom_rm` with a dict for each sample; needs ``--reward-key score``.

    Args:
        args: As for `custom_rm`.
        sample: As for `custom_rm`.
        judge: As for `custom_rm`.
        **unused: As for `custom_rm`.

    Returns:
        ``score`` and what `log_values` holds, or a list of that.

    Raises:
        TypeError: As for `custom_rm`.
    """
    return await _judge(sample, judge, lambda v: {"score": v.reward, **log_values(v)})


async def _judge(sample: Any, judge: AnswerJudge | None, result: Callable[[Verdict], Any]) -> Any:
    judge = judge or answer_judge()
    if not isinstance(sample, Sequence):
        return result(_noted(sample, await judge.averdict(*_answer(0, sample))))
    verdicts = await judge.averdicts([_answer(*member) for member in enumerate(sample)])
    return [result(_noted(*pair)) for pair in zip(sample, verdicts, strict=True)]


def _answer(index: int, sample: Any) -> Answer:
    missing = [name for name in ("response", "label") if not hasattr(sample, name)]
    if missing:
        kind = type(sample).__name__
        raise TypeError(f"sample {index} is a {kind} without {' and '.join(missing)}")
    return Answer(sample.response, sample.label, getattr(sample, "prompt", None))


def _noted(sample: Any, verdict: Verdict) -> Verdict:
    metadata = getattr(sample, "metadata", None)
    if isinstance(metadata, MutableMapping):
        metadata[METADATA_KEY] = verdict.to_dict()
    if not verdict.scored and hasattr(sample, "remove_sample"):
        sample.remove_sample = True
    return verdict
