"""The reward file for OpenRLHF: ``--reward.remote_url examples/openrlhf/reward.py``.

It is loaded by every vLLM engine, which calls ``reward_func`` for each rollout. The label is the
gold: give the data set's column for it as ``--data.label_key``. See ``train.sh`` beside this file.
"""

from __future__ import annotations

from functools import partial

from verifiers_math.answers import answer_judge
from verifiers_math.integrations import openrlhf

# A box is wanted, for which the prompt has to ask; strict=False takes an answer in any form.
reward_func = partial(openrlhf.reward_func, judge=answer_judge(strict=True, timeout_seconds=3))
