"""open-instruct (interface as of August 2026): a verifier for its ``dataset`` column.

```python
import verifiers_math.integrations.open_instruct as plug

plug.MathVerifier  # made here, it is found among the subclasses of VerifierFunction
```

open-instruct calls a verifier by ``async_call``, from many rollouts at once. `MathVerifier` is a
class of open-instruct and made when it is first asked for; importing this module needs no
open-instruct.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from verifiers_math.answers import AnswerJudge, answer_judge
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.deriving import derived_class

NAME = "verifiers_math"
_MODULE = "open_instruct.ground_truth_utils"


class _MathVerifier:
    """Judges a prediction by its label.

    Args:
        verifier_config: open-instruct's configuration, which is not needed.
        name: What the data's column ``dataset`` calls it, and its metrics.
        weight: What a correct answer is worth beside other verifiers.
        judge: Another judge than the default one, which wants a box.
    """

    def __init__(
        self,
        verifier_config: Any = None,
        *,
        name: str = NAME,
        weight: float = 1.0,
        judge: AnswerJudge | None = None,
    ) -> None:
        super().__init__(name=name, weight=weight)  # type: ignore[call-arg]
        self.verifier_config = verifier_config
        self.judge = judge or answer_judge()

    def __call__(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Any:
        """Judges one prediction.

        Args:
            tokenized_prediction: Its tokens, which are not needed.
            prediction: What the model wrote.
            label: The gold, or several of them as a list or JSON.
            query: The rendered prompt.
            rollout_state: Not needed.

        Returns:
            open-instruct's ``VerificationResult``: the score is 1.0 or 0.0, and ``reasoning``
            begins with the status, so that a zero for a timeout or an unreadable label can be
            told from one for a wrong answer.

        Raises:
            TypeError: If the prediction is neither text nor messages.
        """
        return _result(self.judge.verdict(prediction, label, query))

    async def async_call(
        self,
        tokenized_prediction: Any,
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: Any = None,
    ) -> Any:
        """Judges one prediction on an event loop, without a thread of the loop's executor."""
        return _result(await self.judge.averdict(prediction, label, query))


if TYPE_CHECKING:
    MathVerifier = _MathVerifier


def _result(verdict: Verdict) -> Any:
    from open_instruct.ground_truth_utils import VerificationResult

    reasoning = f"{verdict.status.value}: {verdict.detail}"
    return VerificationResult(score=verdict.reward, reasoning=reasoning)


@functools.cache
def _math_verifier() -> type[Any]:
    base = f"{_MODULE}:VerifierFunction"
    return derived_class(_MathVerifier, "MathVerifier", base, "open-instruct")


def __getattr__(name: str) -> Any:
    if name == "MathVerifier":
        return _math_verifier()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
