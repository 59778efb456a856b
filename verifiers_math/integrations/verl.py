"""verl: a custom reward function, sync and async, that says of every sample what happened to it.

```yaml
reward:
  custom_reward_function:
    path: pkg://verifiers_math.integrations.verl
    name: acompute_score  # or compute_score, for the `remote` reward manager
    reward_kwargs: {timeout_seconds: 5}
```

Written for the reward loop of verl 0.9.1 (``verl/experimental/reward_loop``), which asks about one
sample at a time: a sync function in a thread, an ``async def`` on the actor's event loop. It puts
each value of the result into an array of its batch, so the keys never vary and the values are plain
numbers and text. verl itself is not imported.
"""

# verl may also load this file by its path, and then it has no entry in sys.modules: dataclasses
# with postponed annotations fail there, and so do functions in a cache when they are pickled.

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, TypedDict, Unpack

from verifiers_math.answers import AnswerJudge, answer_judge, log_values
from verifiers_math.equivalence.normalize import normalize
from verifiers_math.equivalence.policy import Policy
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.types import AssumeThinking, Strict

STRICT_BY_DATA_SOURCE: Final[Mapping[str, Strict]] = {
    "openai/gsm8k": "####",
    "math": False,
    "math_dapo": False,
    "math_dapo_reasoning": False,
}
"""Where the final answer stands by the prompts of verl's data sets; elsewhere, in a box.

GSM8K's prompt asks for ``####``, DAPO's for a last line ``Answer: ...``.
"""

_LIKE_DAPO = "aime"  # verl scores every source that begins so as it scores math_dapo
_PROMPT_KEYS = ("prompt", "raw_prompt", "question", "problem")
_PRED_CHARS: Final = 200  # numpy gives every sample of a batch the room of the longest text
_CORRECT_SCORE: Final = 1.0


class RewardKwargs(TypedDict, total=False):
    """What ``reward.custom_reward_function.reward_kwargs`` may hold. None is as good as absent.

    Attributes:
        strict: Whether only a box counts as the final answer; "####" lets that mark count besides.
            By default `STRICT_BY_DATA_SOURCE` decides, and asks for a box where it says nothing.
        policy: What counts as the same: "default", "strict" or "lenient" (or a `Policy`).
        assume_thinking: Whether a response without a thinking tag began inside a thinking block.
            Say True where the chat template opens one, or take a reward manager that looks at the
            prompt: see `verifiers_math.integrations.verl_manager`.
        timeout_seconds: CPU seconds for one verification; 5 by default.
        incorrect_score: The score of a wrong or missing answer; 0 by default, and -1 in DAPO.
        unscored_score: The score where nothing is known about the answer (a timeout, an error, an
            unreadable gold); 0 by default.
        flags: Whether the result has a number for each status; True by default. verl's validation
            resamples every number of the result when a prompt has several responses, and False
            saves that time.
        reward_router_address: Added by verl where a reward model runs; not used.
        reward_model_tokenizer: Added by verl where a reward model runs; not used.
    """

    strict: Strict | None
    policy: Policy | str | None
    assume_thinking: AssumeThinking | None
    timeout_seconds: float | None
    incorrect_score: float | None
    unscored_score: float | None
    flags: bool | None
    reward_router_address: Any
    reward_model_tokenizer: Any


_JUDGE_KWARGS = ("strict", "policy", "assume_thinking", "timeout_seconds")
_OPTIONS = ", ".join(name for name in RewardKwargs.__annotations__ if "reward_" not in name)


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **reward_kwargs: Unpack[RewardKwargs],
) -> dict[str, float | str]:
    """Scores one response; verl calls this in a thread, its ``remote`` manager in an actor.

    Args:
        data_source: The data set's name, which tells where the answer stands.
        solution_str: The response, decoded without special tokens.
        ground_truth: The gold in any shape that `golds_of` reads: text, a number, a list or an
            array of alternatives, JSON of these, a mapping.
        extra_info: The row's ``extra_info``; its ``prompt``, ``raw_prompt``, ``question`` or
            ``problem`` is what the model was asked, and an answer that only restates it is wrong.
        **reward_kwargs: See `RewardKwargs`.

    Returns:
        ``score``, then the numbers of `log_values` from ``acc`` on, then ``pred``: the answer that
        was found, in the normaliser's spelling and at most 200 characters long ("" where there is
        none), by which verl's validation lets the responses vote (``maj@n``). The keys depend on
        ``flags`` alone.

    Raises:
        TypeError: If an option is unknown, or the response is not text.
        ValueError: If an option's value is out of its range.
    """
    judge = _judge(data_source, reward_kwargs)
    return _result(judge.verdict(solution_str, ground_truth, _prompt(extra_info)), reward_kwargs)


async def acompute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **reward_kwargs: Unpack[RewardKwargs],
) -> dict[str, float | str]:
    """`compute_score` for an event loop, where a stuck answer holds no thread of the actor."""
    judge = _judge(data_source, reward_kwargs)
    verdict = await judge.averdict(solution_str, ground_truth, _prompt(extra_info))
    return _result(verdict, reward_kwargs)


def _judge(data_source: str, options: RewardKwargs) -> AnswerJudge:
    unknown = sorted(options.keys() - RewardKwargs.__annotations__.keys())
    if unknown:
        raise TypeError(f"reward_kwargs has no {', '.join(unknown)}; it may hold {_OPTIONS}")
    given: dict[str, Any] = {
        name: value
        for name, value in options.items()
        if name in _JUDGE_KWARGS and value is not None
    }
    return answer_judge(**{"strict": _strict(data_source)} | given)


def _strict(data_source: str) -> Strict:
    source = str(data_source)
    if source.startswith(_LIKE_DAPO):
        source = "math_dapo"
    return STRICT_BY_DATA_SOURCE.get(source, True)


def _prompt(extra_info: Mapping[str, Any] | None) -> Any:
    for key in _PROMPT_KEYS:
        prompt = (extra_info or {}).get(key)
        if prompt is not None:
            return prompt.tolist() if hasattr(prompt, "tolist") else prompt
    return None


def _result(verdict: Verdict, options: RewardKwargs) -> dict[str, float | str]:
    incorrect = _finite("incorrect_score", options.get("incorrect_score"))
    unscored = _finite("unscored_score", options.get("unscored_score"))
    numbers = log_values(verdict)
    if options.get("flags") is False:
        numbers = {"acc": numbers["acc"]}
    wrong = incorrect if verdict.scored else unscored
    return {
        "score": _CORRECT_SCORE if verdict.equal else wrong,
        **numbers,
        "pred": normalize(verdict.answer[:_PRED_CHARS])[:_PRED_CHARS],
    }


def _finite(name: str, score: float | None) -> float:
    """The score, or 0 for None; one NaN would make every advantage of its group NaN.

    Raises:
        ValueError: It is no finite number.
    """
    if score is None:
        return 0.0
    if not isinstance(score, int | float) or not math.isfinite(score):
        raise ValueError(f"{name} is a finite number, not {score!r}")
    return float(score)
