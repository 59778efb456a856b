"""What adapters do about answers that could not be judged where a trainer takes only numbers.

A gold that nobody can read, a timeout or a dead worker says nothing about the answer. Where a
trainer has a field for that, its adapter fills it. Where a rollout that raises is left out of the
batch, `scored_reward` raises; where neither is possible, `log_unscored` writes a line, so that the
zero can be told from a wrong answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.errors import UnscoredError


def scored_reward(verdict: Verdict) -> float:
    """The reward of an answer that could be judged.

    Raises:
        UnscoredError: If it could not.
    """
    if not verdict.scored:
        raise UnscoredError(verdict)
    return verdict.reward


def log_unscored(verdicts: Sequence[Verdict], framework: str) -> None:
    """Logs a warning for a batch in which answers could not be judged; none where all could.

    Args:
        verdicts: The judgements of the batch.
        framework: The adapter, which names the logger.
    """
    why = Counter(verdict.status.value for verdict in verdicts if not verdict.scored)
    if why:
        import logging

        counts = ", ".join(f"{status} {count}" for status, count in sorted(why.items()))
        logging.getLogger(f"verifiers_math.integrations.{framework}").warning(
            "%d of %d answers could not be judged and get the reward of a wrong one: %s",
            why.total(),
            len(verdicts),
            counts,
        )
