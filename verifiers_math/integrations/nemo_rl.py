"""NeMo-RL (interface as of August 2026): a worker with the shape of its math environment's.

```python
worker = ray.remote(VerifyWorker).remote()
rewards = ray.get(worker.verify.remote(responses, golds))
```

NeMo-RL cuts a batch into as many chunks as it has workers, and waits for all of them without a
limit. It catches what a worker of its own raises and makes a 0.0 of it. NeMo-RL itself is not
imported, nor is Ray.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifiers_math.answers import Answer, AnswerJudge, answer_judge
from verifiers_math.integrations.columns import same_length
from verifiers_math.integrations.unscored import log_unscored


class VerifyWorker:
    """Judges chunks of a batch.

    Args:
        judge: Another judge than the default one, which wants a box.

    Attributes:
        judge: What judges.
    """

    def __init__(self, judge: AnswerJudge | None = None) -> None:
        self.judge = judge or answer_judge()

    def verify(
        self,
        pred_responses: Sequence[str],
        ground_truths: Sequence[Any],
        return_extracted_answer: bool = False,
        **unused: Any,
    ) -> list[float] | tuple[list[float], list[str | None]]:
        """Judges a chunk.

        Args:
            pred_responses: What the model wrote.
            ground_truths: The golds, one for each response.
            return_extracted_answer: Whether to return the answers, too.
            **unused: Whatever else NeMo-RL passes, such as ``math_verify_impl``.

        Returns:
            1.0 or 0.0 for each response, and, where asked for, its answer, None where there is
            none. Answers that could not be judged get 0.0; a warning says how many and why.

        Raises:
            ValueError: If there are not as many golds as responses.
            TypeError: If a response is neither text nor messages; the message has its index.
        """
        golds = same_length("ground_truths", ground_truths, len(pred_responses))
        answers = [Answer(*pair) for pair in zip(pred_responses, golds, strict=True)]
        verdicts = self.judge.verdicts(answers)
        log_unscored(verdicts, "nemo_rl")
        rewards = [verdict.reward for verdict in verdicts]
        if not return_extracted_answer:
            return rewards
        return rewards, [verdict.answer or None for verdict in verdicts]
