"""ART 0.5: the reward and the metrics of a trajectory.

```python
async def rollout(model, problem):
    trajectory = art.Trajectory(messages_and_choices=[...])
    ...
    await ascore_trajectory(trajectory, problem.answer)
    return trajectory
```

In ART the user's own rollout sets the reward. ART itself is not imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from verifiers_math.answers import AnswerJudge, answer_judge, log_values
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.unscored import scored_reward

UnscoredTrajectory = Literal["zero", "raise"]
"""What an answer that could not be judged gets: a reward of 0.0, or an exception."""


def score_trajectory(
    trajectory: Any,
    gold: Any,
    *,
    prompt: Any = None,
    unscored: UnscoredTrajectory = "zero",
    judge: AnswerJudge | None = None,
) -> Verdict:
    """Judges what a trajectory ends with; sets its ``reward`` and adds to its ``metrics``.

    Args:
        trajectory: An ``art.Trajectory``, of either representation.
        gold: The reference answer in any shape that `golds_of` reads.
        prompt: What the model was asked; the messages before its last one by default.
        unscored: ``"zero"`` gives an answer that could not be judged 0.0 and the metric
            ``scored`` 0.0; ``"raise"`` raises, and ART leaves the trajectory out of its group, if
            it was given ``max_exceptions``.
        judge: Another judge than the default one, which wants a box.

    Returns:
        The verdict.

    Raises:
        UnscoredError: If the answer could not be judged, and ``unscored`` is ``"raise"``.
        TypeError: If this is no trajectory.
        ValueError: If ``unscored`` is something else.
    """
    given = _read(trajectory, gold, prompt, unscored)
    return _set(trajectory, (judge or answer_judge()).verdict(*given), unscored)


async def ascore_trajectory(
    trajectory: Any,
    gold: Any,
    *,
    prompt: Any = None,
    unscored: UnscoredTrajectory = "zero",
    judge: AnswerJudge | None = None,
) -> Verdict:
    """`score_trajectory` for an event loop, as ART's rollouts run on one.

    Args:
        trajectory: As for `score_trajectory`.
        gold: As for `score_trajectory`.
        prompt: As for `score_trajectory`.
        unscored: As for `score_trajectory`.
        judge: As for `score_trajectory`.

    Returns:
        The verdict.

    Raises:
        UnscoredError: As for `score_trajectory`.
        TypeError: As for `score_trajectory`.
        ValueError: As for `score_trajectory`.
    """
    given = _read(trajectory, gold, prompt, unscored)
    return _set(trajectory, await (judge or answer_judge()).averdict(*given), unscored)


def _read(trajectory: Any, gold: Any, prompt: Any, unscored: str) -> tuple[Any, Any, Any]:
    if unscored not in ("zero", "raise"):
        raise ValueError(f"unscored is 'zero' or 'raise', not {unscored!r}")
    messages = _messages(trajectory)
    if prompt is None and len(messages) > 1:
        prompt = messages[:-1]
    return messages, gold, prompt


def _set(trajectory: Any, verdict: Verdict, unscored: str) -> Verdict:
    trajectory.metrics.update(log_values(verdict))
    trajectory.reward = scored_reward(verdict) if unscored == "raise" else verdict.reward
    return verdict


def _messages(trajectory: Any) -> Sequence[Any]:
    """The conversation as messages; a sampled one stands in a choice of the chat API."""
    held = getattr(trajectory, "messages_and_choices", None)
    if held is None:
        raise TypeError(f"a trajectory has messages_and_choices; a {type(trajectory)!r} has not")
    if not held and getattr(trajectory, "exchanges", None):
        held = trajectory.history().as_chat_completions_history().messages
    return [getattr(member, "message", member) for member in held]
