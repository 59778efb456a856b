"""ms-swift 4.6: accuracy as an outcome reward model (ORM), sync and async.

```python
# plugin.py, for: --external_plugins plugin.py --reward_funcs verifiers_math
from verifiers_math.integrations.ms_swift import register

register()
```

ms-swift calls an ORM with the whole batch: a sync one on the trainer's main thread, an async one on
an event loop that ``asyncio.run`` makes anew for each batch. It wants objects of that shape and no
base class, so ms-swift is imported by `register` alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifiers_math.answers import (
    Answer,
    AnswerJudge,
    answer_judge,
    reward_or_none,
)
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.columns import batch_answers


class _AccuracyOrm:
    def __init__(
        self, args: Any = None, *, judge: AnswerJudge | None = None, **unused: Any
    ) -> None:
        self.args = args
        self.judge = judge or answer_judge()


class AccuracyReward(_AccuracyOrm):
    """Judges a batch. ms-swift logs it by the name of its class.

    Args:
        args: The trainer's arguments, which are not needed.
        judge: Another judge than the default one, which wants a box.
        **unused: Whatever else ms-swift passes.

    Attributes:
        judge: What judges.
    """

    def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Scores a batch.

        Args:
            completions: The texts.
            **columns: The data set's columns, a list each; ``answer``, ``solution`` or
                ``ground_truth`` holds the golds. Whatever else ms-swift passes is ignored.

        Returns:
            1.0 or 0.0 for each completion; None where the fault is not the model's (see
            `reward_or_none`), which ms-swift leaves out of the function's mean and of the sum
            over its reward functions.

        Raises:
            ValueError: If no column holds the gold, or it has another length than the completions.
            TypeError: If a completion is neither text nor messages.
        """
        return _rewards(self.judge.verdicts(_answers(completions, columns)))


class AsyncAccuracyReward(_AccuracyOrm):
    """`AccuracyReward` for ms-swift's async path.

    Args:
        args: As for `AccuracyReward`.
        judge: As for `AccuracyReward`.
        **unused: As for `AccuracyReward`.

    Attributes:
        judge: What judges.
    """

    async def __call__(self, completions: Sequence[Any], **columns: Any) -> list[float | None]:
        """Scores a batch; see `AccuracyReward`."""
        return _rewards(await self.judge.averdicts(_answers(completions, columns)))


ORMS = {"verifiers_math": AccuracyReward, "verifiers_math_async": AsyncAccuracyReward}
"""The classes by the names that ``--reward_funcs`` knows them by."""


def register() -> None:
    """Makes ``--reward_funcs verifiers_math`` and ``verifiers_math_async`` known to ms-swift.

    Raises:
        ImportError: If ms-swift is not installed.
    """
    from swift.rewards import orms

    orms.update(ORMS)


def _answers(completions: Sequence[Any], columns: Mapping[str, Any]) -> list[Answer]:
    """The batch, with the messages before each completion as its prompt."""
    conversations = columns.get("messages")
    if conversations is None:
        return batch_answers(completions, columns)
    prompts = [messages[:-1] if messages else None for messages in conversations]
    return batch_answers(completions, columns, prompts)


def _rewards(verdicts: Sequence[Verdict]) -> list[float | None]:
    return [reward_or_none(verdict) for verdict in verdicts]
