"""AReaL 1.0.4: the reward function of its rollout workflows.

```python
RLVRWorkflow(reward_fn="verifiers_math.integrations.areal.reward_fn", ...)
```

AReaL runs it in a worker of a ``ProcessPoolExecutor``, stops waiting after 15 s, and tries again
three times. The limit here is lower, so that it is a judgement that comes back, and not AReaL's
zero. AReaL itself is not imported.
"""

from __future__ import annotations

from typing import Any, Final

from verifiers_math.answers import AnswerJudge, answer_judge
from verifiers_math.integrations.columns import row_gold
from verifiers_math.integrations.unscored import scored_reward

TIMEOUT_SECONDS: Final = 3.0
"""CPU seconds of a worker on one pair; its backstop, three times as much wall time, is below the
15 s that AReaL waits."""


def reward_fn(
    prompt: Any,
    completions: Any,
    prompt_ids: Any = None,
    completion_ids: Any = None,
    *,
    judge: AnswerJudge | None = None,
    **data: Any,
) -> float:
    """Judges one completion.

    Args:
        prompt: The rendered prompt.
        completions: The text of the one completion, special tokens included.
        prompt_ids: The prompt's tokens, which are not needed.
        completion_ids: The completion's tokens, which are not needed.
        judge: Another judge than the default one, which wants a box; bind it with
            ``functools.partial`` in a module of your own.
        **data: The columns of the data set's row; ``answer``, ``solution`` or ``ground_truth``
            holds the gold.

    Returns:
        1.0 or 0.0.

    Raises:
        UnscoredError: If the answer could not be judged. AReaL tries again, then rejects the
            rollout and counts it under ``rollout/rejected``.
        ValueError: If no column holds the gold.
        TypeError: If the completion is neither text nor messages.
    """
    judge = judge or answer_judge(timeout_seconds=TIMEOUT_SECONDS)
    return scored_reward(judge.verdict(completions, row_gold(data), prompt))
