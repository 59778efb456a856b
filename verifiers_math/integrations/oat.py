"""oat 0.2.4: an oracle in place of its ``MATHOracle``.

```python
class MathActor(PPOActor):
    def init(self, actor_id, save_path):
        super().init(actor_id, save_path)
        self.oracle = MathOracle(template=args.prompt_template)
```

oat's own oracle hands each response to a pool of two processes, waits a second for it, and never
ends a process that is stuck. This one judges the batch at once in oat's actor, which may be a
daemonic process. oat asks its oracles for these two methods and no base class, so oat itself is not
imported; torch is, on the first call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from verifiers_math.answers import (
    Answer,
    AnswerJudge,
    answer_judge,
    log_values,
)
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.columns import same_length

THINKING_TEMPLATES: Final = frozenset({"r1", "r1_distill_qwen"})
"""oat's prompt templates that open the thinking, so that no response begins with its tag."""


class MathOracle:
    """Judges batches for oat's actors.

    Args:
        template: The name of oat's prompt template; oracles see the question without it.
        verifier_version: For oat's signature; there is one version here.
        correct_reward: The reward of a correct answer.
        incorrect_reward: The reward of any other.
        judge: Another judge than the default one, which wants a box.

    Attributes:
        judge: What judges.
    """

    def __init__(
        self,
        template: str = "qwen_math",
        verifier_version: str = "fast",
        correct_reward: float = 1.0,
        incorrect_reward: float = 0.0,
        *,
        judge: AnswerJudge | None = None,
    ) -> None:
        thinks = template in THINKING_TEMPLATES
        self.judge = judge or answer_judge(assume_thinking=True if thinks else "auto")
        self.correct_reward = correct_reward
        self.incorrect_reward = incorrect_reward

    def get_reward(
        self,
        inputs: Sequence[str],
        responses: Sequence[str],
        references: Sequence[Any],
        batch_size: int = 4,
    ) -> tuple[Any, list[dict[str, Any]]]:
        """Judges a batch.

        Args:
            inputs: The questions.
            responses: What the model wrote, one text for each question.
            references: The golds, one for each question.
            batch_size: Not needed.

        Returns:
            The rewards, a float tensor of shape (responses,), and a dict for each response:
            ``formatted`` (whether there is an answer in its place, which oat logs), ``status``,
            and what `log_values` holds. An answer that could not be judged has the reward of a
            wrong one and ``scored`` 0.0; NaN would spoil the whole batch in oat.

        Raises:
            ValueError: If the lists differ in length.
            TypeError: If a response is neither text nor messages; the message has its index.
        """
        import torch

        size = len(responses)
        golds = same_length("references", references, size)
        prompts = same_length("inputs", inputs, size)
        answers = [Answer(*row) for row in zip(responses, golds, prompts, strict=True)]
        verdicts = self.judge.verdicts(answers)
        rewards = [self.correct_reward if it.equal else self.incorrect_reward for it in verdicts]
        return torch.tensor(rewards, dtype=torch.float32), [_info(it) for it in verdicts]

    def compare(
        self,
        inputs: Sequence[str],
        candidates_A: Sequence[str],
        candidates_B: Sequence[Any],
        batch_size: int = 4,
        return_probs: bool = False,
        disable_tqdm: bool = False,
    ) -> tuple[Any, list[dict[str, Any]]]:
        """Judges candidates for oat's evaluation, whose other side is the golds.

        Args:
            inputs: The questions.
            candidates_A: What the model wrote.
            candidates_B: The golds.
            batch_size: Not needed.
            return_probs: Not needed.
            disable_tqdm: Not needed.

        Returns:
            As `get_reward`, with the rewards as a numpy array.
        """
        rewards, infos = self.get_reward(inputs, candidates_A, candidates_B)
        return rewards.numpy(), infos


def _info(verdict: Verdict) -> dict[str, Any]:
    formatted = verdict.answer != ""
    return {"formatted": formatted, "status": verdict.status.value, **log_values(verdict)}
