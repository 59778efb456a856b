r"""verifiers v1 (0.4 and later) and prime-rl, which runs its tasksets: a reward of a `Task`.

By configuration, for a taskset that is left as it is (TOML, or ``--env.taskset.task.…``):

```toml
[env.taskset.task.rewards.correct_answer]
fn = "verifiers_math.integrations.verifiers_v1:correct_answer"
weight = 1.0
```

In a taskset of one's own, with options:

```python
class ProblemTask(vf.Task[ProblemData]):
    correct_answer = vf.reward(CorrectAnswer(gold="target", policy="strict"), weight=1.0)
```

v1 calls a reward in its event loop, which never waits here for computer algebra. verifiers itself
is not imported. Read from verifiers 0.4.0.
"""

from __future__ import annotations

from typing import Any, Literal

from verifiers_math.answers import (
    GOLD_COLUMNS,
    answer_judge,
    gold_column,
    log_values,
)
from verifiers_math.equivalence.policy import Policy
from verifiers_math.errors import UnscoredError
from verifiers_math.types import AssumeThinking, Strict

UnscoredRollout = Literal["error", "zero"]
"""What a rollout gets whose verdict says nothing about the answer."""

_UNSCORED = ("error", "zero")


class CorrectAnswer:
    """A reward for v1: is the final answer of the last reply the task's gold?

    Besides the reward, a rollout's trace gets metrics: the values of `log_values` under
    ``correct_answer/`` (``correct_answer/timeout``, ``correct_answer/lenient``, …), and in
    ``trace.info["correct_answer"]`` the whole verdict. Both are there too where no reward is.

    Args:
        gold: The field of the task's data that holds the gold, in any shape that `golds_of` reads;
            by default ``answer``, ``solution`` or ``ground_truth``, the first one present.
        unscored: What a rollout gets whose verdict says nothing about the answer: a timeout, a
            limit, an error, an unreadable gold. "error" raises `UnscoredError`: v1 then leaves the
            reward None (its word for "not scored") and records a ``TaskError`` on the trace, which
            can be retried by a rule. "zero" gives 0.0.
        strict: See `AnswerJudge`.
        policy: See `answer_judge`.
        assume_thinking: See `Verifier.verify`. v1 hands on the reply without its reasoning where
            the endpoint tells them apart; True is for an endpoint that does not, with a template
            that opens the thinking.
        timeout_seconds: See `AnswerJudge`.
        name: The name of the reward and of its metrics.

    Raises:
        ValueError: If an option is out of range, or a policy's name unknown.
        TypeError: If the policy is neither a `Policy` nor a name.
    """

    def __init__(
        self,
        *,
        gold: str | None = None,
        unscored: UnscoredRollout = "error",
        strict: Strict = True,
        policy: Policy | str | None = None,
        assume_thinking: AssumeThinking = "auto",
        timeout_seconds: float = 5.0,
        name: str = "correct_answer",
    ) -> None:
        if unscored not in _UNSCORED:
            raise ValueError(f"unscored is one of {_UNSCORED}, not {unscored!r}")
        self.__name__ = name  # v1 knows a reward by its name
        self.gold = gold
        self.unscored: UnscoredRollout = unscored
        self.judge = answer_judge(
            strict=strict,
            policy=policy,
            assume_thinking=assume_thinking,
            timeout_seconds=timeout_seconds,
        )

    def __repr__(self) -> str:
        return f"CorrectAnswer(name={self.__name__!r}, gold={self.gold!r})"

    async def __call__(self, task: Any, trace: Any) -> float:
        """Score one rollout; v1 passes both arguments by name.

        Args:
            task: The `TaskData`.
            trace: The `Trace`, which gets the metrics and the verdict.

        Returns:
            1.0 or 0.0.

        Raises:
            UnscoredError: If the verdict says nothing about the answer and ``unscored`` is "error".
            ValueError: If the task has no field for the gold.
        """
        gold = self._gold_of(task)
        verdict = await self.judge.averdict(trace.last_reply, gold, _question(task, trace))
        name = self.__name__
        trace.record_metrics({f"{name}/{key}": value for key, value in log_values(verdict).items()})
        trace.info[name] = verdict.to_dict()
        if not verdict.scored and self.unscored == "error":
            raise UnscoredError(verdict)
        return verdict.reward

    def _gold_of(self, task: Any) -> Any:
        fields = dict(task)  # a pydantic model gives its fields, those without a declaration too
        field = gold_column(fields) if self.gold is None else self.gold
        if field not in fields:
            wanted = self.gold or ", ".join(GOLD_COLUMNS)
            raise ValueError(
                f"{self.__name__} wants the gold in a field {wanted} of {type(task).__name__}, "
                f"whose fields are {', '.join(fields)}"
            )
        return fields[field]


correct_answer = CorrectAnswer()
"""The reward with default options, to be named in a configuration."""


def _question(task: Any, trace: Any) -> Any:
    """What the model was asked: without a prompt, a task is opened by its user."""
    if task.prompt is not None:
        return task.prompt
    return [message for message in trace.messages if message.role == "user"][:1]
