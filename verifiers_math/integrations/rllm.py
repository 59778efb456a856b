"""rLLM (interface as of August 2026): an evaluator, and the older reward function.

```python
agent_trainer = AgentTrainer(..., evaluator=evaluator)  # or by name, from the entry points
env_args = {"reward_fn": math_reward_fn}  # the older environments
```

rLLM takes a pair of reward and correctness from an evaluator, and reads a reward function's result
by its attributes, so rLLM itself is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from verifiers_math.answers import AnswerJudge, answer_judge, log_values
from verifiers_math.integrations.columns import row_gold

_PROMPT_FIELDS = ("question", "problem", "prompt", "instruction")
_STEP_FIELDS = ("model_response", "chat_completions", "output", "action")


class MathEvaluator:
    """Judges an episode by its task's gold.

    Args:
        judge: Another judge than the default one, which wants a box.

    Attributes:
        judge: What judges.
    """

    def __init__(self, judge: AnswerJudge | None = None) -> None:
        self.judge = judge or answer_judge()

    def evaluate(self, task: Any, episode: Any) -> tuple[float, bool]:
        """Judges what an episode ended with.

        The response is ``episode.artifacts["answer"]``, else the output of the last trajectory,
        else what the model wrote in its last step. What `log_values` says of it goes into
        ``episode.metrics``: an answer that could not be judged gets 0.0 with ``scored`` 0.0.

        Args:
            task: The row of the data set as a mapping, or an object whose ``metadata`` is one;
                ``answer``, ``solution`` or ``ground_truth`` holds the gold.
            episode: An ``Episode``.

        Returns:
            The reward, 1.0 or 0.0, and whether the answer is correct.

        Raises:
            ValueError: If the task has no gold.
            TypeError: If the task is no row, or the episode no episode.
        """
        row = _row(task)
        verdict = self.judge.verdict(_response(episode), row_gold(row), _prompt(row))
        metrics = getattr(episode, "metrics", None)
        if isinstance(metrics, MutableMapping):
            metrics.update(log_values(verdict))
        return verdict.reward, verdict.equal

    __call__ = evaluate


evaluator = MathEvaluator()
"""The evaluator for the entry point group ``rllm.evaluators``."""


@dataclass(frozen=True)
class RewardOutput:
    """What an older rLLM environment reads of a reward function's result.

    Attributes:
        reward: 1.0 or 0.0.
        metadata: The answer, its status and what `log_values` holds.
        is_correct: Whether the answer counts as the gold.
    """

    reward: float
    metadata: dict[str, Any] = field(default_factory=dict)
    is_correct: bool | None = None


def math_reward_fn(
    task_info: Mapping[str, Any], action: str, *, judge: AnswerJudge | None = None
) -> RewardOutput:
    """Judges one response, as the older environments of rLLM call a ``RewardFunction``.

    Args:
        task_info: The row of the data set; ``answer``, ``solution`` or ``ground_truth`` holds the
            gold.
        action: What the model wrote.
        judge: Another judge than the default one, which wants a box.

    Returns:
        The result; an answer that could not be judged has the reward 0.0 and in ``metadata``
        ``scored`` 0.0 and its status.

    Raises:
        ValueError: If the task has no gold.
        TypeError: If the response is neither text nor messages.
    """
    row = _row(task_info)
    verdict = (judge or answer_judge()).verdict(action, row_gold(row), _prompt(row))
    metadata = {"answer": verdict.answer, "status": verdict.status.value, **log_values(verdict)}
    return RewardOutput(verdict.reward, metadata, verdict.equal)


def _row(task: Any) -> Mapping[str, Any]:
    row = task if isinstance(task, Mapping) else getattr(task, "metadata", None)
    if not isinstance(row, Mapping):
        raise TypeError(f"a task is a mapping or has one as its metadata; this is {type(task)!r}")
    return row


def _prompt(row: Mapping[str, Any]) -> Any:
    return next((row[name] for name in _PROMPT_FIELDS if row.get(name)), None)


def _response(episode: Any) -> Any:
    """What the episode ended with; None where it ended without a word."""
    artifacts = getattr(episode, "artifacts", None)
    if isinstance(artifacts, Mapping) and artifacts.get("answer") is not None:
        return artifacts["answer"]
    if not hasattr(episode, "trajectories"):
        raise TypeError(f"an episode has trajectories; a {type(episode).__name__} has none")
    if not episode.trajectories:
        return None
    last = episode.trajectories[-1]
    if isinstance(getattr(last, "output", None), str):
        return last.output
    steps = getattr(last, "steps", None)
    held = [getattr(steps[-1], name, None) for name in _STEP_FIELDS] if steps else []
    return next((value for value in held if value), None)
