"""SkyRL (skyrl-gym 0.4): a single-turn environment for mathematics.

```python
from verifiers_math.integrations.skyrl import register

register()  # data rows then have env_class="verifiers_math"
```

SkyRL makes an environment for each rollout and calls ``step`` in a thread, or on its event loop
where ``max_env_workers`` is 0; leave it above 0, since an answer may take seconds. `MathEnv` is a
class of skyrl-gym and made when it is first asked for; importing this module needs no SkyRL.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifiers_math.answers import answer_judge, log_values
from verifiers_math.integrations.deriving import derived_class

ENV_ID = "verifiers_math"
_GOLD_FIELDS = ("reward_spec", "reward_model")


class _MathEnv:
    """One question, one answer: an episode ends with its first step.

    Args:
        env_config: SkyRL's configuration for this class, which has none for classes of others.
        extras: The row of the data set; ``reward_spec`` or ``reward_model`` has the gold under
            ``ground_truth``.
        **options: What `answer_judge` takes; `register` hands them on.

    Raises:
        ValueError: If the row has no gold.
        TypeError: If an option is unknown.
    """

    def __init__(
        self, env_config: Any = None, extras: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.judge = answer_judge(**options)
        self.ground_truth = _gold(extras or {})
        self.prompt: Any = None
        self._metrics: dict[str, float] = {}

    def init(self, prompt: Any) -> tuple[Any, dict[str, Any]]:
        """Takes the messages of the question; they are the first observation."""
        self.prompt = prompt
        return prompt, {}

    def step(self, action: str) -> dict[str, Any]:
        """Judges the model's answer and ends the episode.

        Args:
            action: What the model wrote.

        Returns:
            skyrl-gym's ``BaseTextEnvStepOutput``. SkyRL wants a number as reward: an answer that
            could not be judged gets 0.0, and ``metadata["status"]`` and the metrics say so.
        """
        verdict = self.judge.verdict(action, self.ground_truth, self.prompt)
        self._metrics = log_values(verdict)
        metadata = {"pred": verdict.answer, "status": verdict.status.value} | self._metrics
        return {"observations": [], "reward": verdict.reward, "done": True, "metadata": metadata}

    def get_metrics(self) -> dict[str, float]:
        """What `log_values` says of the episode; SkyRL averages it over the episodes."""
        return self._metrics


if TYPE_CHECKING:
    MathEnv = _MathEnv


def register(env_id: str = ENV_ID, **options: Any) -> None:
    """Makes the environment known to skyrl-gym.

    It has to be called in the process that makes environments, as SkyRL's examples do in the
    function that starts the trainer.

    Args:
        env_id: What the data's column ``env_class`` calls it.
        **options: What `answer_judge` takes: ``strict``, ``policy``, ``assume_thinking``,
            ``timeout_seconds``.

    Raises:
        ImportError: If skyrl-gym is not installed.
        TypeError: If an option is unknown.
    """
    import skyrl_gym

    answer_judge(**options)  # an unknown option fails here, and not in every rollout
    skyrl_gym.register(id=env_id, entry_point=f"{__name__}:MathEnv", kwargs=options)


def _gold(extras: Mapping[str, Any]) -> Any:
    for field in _GOLD_FIELDS:
        spec = extras.get(field)
        if isinstance(spec, Mapping) and "ground_truth" in spec:
            return spec["ground_truth"]
    raise ValueError(
        f"the row has no ground_truth in {' or '.join(_GOLD_FIELDS)}; "
        f"it has {', '.join(map(str, extras)) or 'no columns'}"
    )


@functools.cache
def _math_env() -> type[Any]:
    base = "skyrl_gym.envs.base_text_env:BaseTextEnv"
    return derived_class(_MathEnv, "MathEnv", base, "skyrl-gym")


def __getattr__(name: str) -> Any:
    if name == "MathEnv":
        return _math_env()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
