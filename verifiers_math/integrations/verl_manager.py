"""verl: reward managers that tell the reward function what the model was asked.

```yaml
reward:
  reward_manager:
    source: importlib
    name: PromptRewardManager  # or PromptDAPORewardManager
    module: {path: pkg://verifiers_math.integrations.verl_manager}
```

verl's own managers give a reward function the row's ``extra_info`` alone, which for most data sets
says nothing about the question. These put the prompt into it, as the model saw it: so an answer
that only restates the question is not rewarded, and neither is a box inside a thinking block that
the chat template opened and the response never closed. Any reward function can be used with them.

Written for verl 0.9.1, which this module imports.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from verl.experimental.reward_loop.reward_manager import DAPORewardManager, NaiveRewardManager


class _WithPrompt:
    """Adds ``extra_info["prompt"]``, the decoded prompt with its special tokens, to each sample."""

    tokenizer: Any
    loop: Any

    async def run_single(self, data: Any) -> dict[str, Any]:
        """Scores the last sequence of a sample (a ``DataProto`` with a batch dimension)."""
        data = data[-1:]
        item = data[0]
        prompt = await self.loop.run_in_executor(None, self._prompt, item.batch)
        info = dict(item.non_tensor_batch.get("extra_info") or {}) | {"prompt": prompt}
        data.non_tensor_batch["extra_info"] = _object_array(info)
        result: dict[str, Any] = await super().run_single(data)  # type: ignore[misc]
        return result

    def _prompt(self, batch: Any) -> str:
        tokens = batch["prompts"]
        shown = batch["attention_mask"][: tokens.shape[-1]].bool()
        text: str = self.tokenizer.decode(tokens[shown], skip_special_tokens=False)
        return text


def _object_array(value: Any) -> Any:
    """An array of one object, as verl keeps what is no tensor."""
    array = np.empty(1, dtype=object)
    array[0] = value
    return array


class PromptRewardManager(_WithPrompt, NaiveRewardManager):  # type: ignore[misc]
    """verl's manager ``naive`` with the prompt in ``extra_info``."""


class PromptDAPORewardManager(_WithPrompt, DAPORewardManager):  # type: ignore[misc]
    """verl's manager ``dapo`` (overlong responses are penalised) with the prompt in it."""
