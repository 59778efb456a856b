"""TRL: rewards in the shape that its trainers call, from ``GRPOTrainer`` to ``AsyncGRPOTrainer``.

`accuracy_reward` and `reasoning_accuracy_reward` take the place of ``trl.rewards``' functions of
the same names. `reward_funcs` makes one function of each function of a rubric:

```python
functions, weights = reward_funcs(rubric)
GRPOTrainer(reward_funcs=functions, args=GRPOConfig(reward_weights=weights, ...), ...)
```

A trainer calls ``function(prompts=..., completions=..., completion_ids=..., **columns)`` with a
list for each column of the data set; where it has them, it adds ``trainer_state``, ``log_extra``
(a column of the completions table) and ``log_metric`` (a number of this step). The functions here
use the last two for what the judge did; the names are below. Read in TRL 1.16.0; axolotl, unsloth
and ms-swift call the same shape. TRL itself is not imported.

The gold is in the column ``answer``, ``solution`` or ``ground_truth``, the first one present. A
completion gets None, and TRL leaves it out of its group, where the fault is not the model's: its
gold cannot be read, or a worker failed.

Logged for each batch, as shares of its completions where nothing else is said:

* ``judge/no_answer``, ``judge/answer_unreadable``, ``judge/gold_unreadable``, ``judge/limit``,
  ``judge/timeout``, ``judge/error``;
* ``judge/stage/identical``, ... ``judge/stage/normalizer``: which stage decided, and
  ``judge/stage/other`` for what none of them had to look at;
* ``judge/lenient``: the share of the 1.0s that only a lenient rule gave; absent where none is 1.0;
* ``judge/seconds``: the time that the batch took;
* ``errors/<function>``: where a function of a rubric raised or returned no number.

The completions table gets the columns ``judge/gold``, ``judge/answer`` (the final answer that was
found) and ``judge/status``.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, Final, TypeAlias, TypeVar

from verifiers_math.answers import Answer, AnswerJudge, answer_judge, reward_or_none
from verifiers_math.equivalence.cascade import STAGES
from verifiers_math.equivalence.thinking import after_thinking
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.integrations.batches import (
    REWARD,
    BatchScorer,
    Reader,
    checked_columns,
    has_failed,
    rubric_weights,
    verdict_of,
)
from verifiers_math.integrations.columns import batch_answers
from verifiers_math.parsers import assistant_text
from verifiers_math.rubrics import Rubric
from verifiers_math.types import State

LogExtra: TypeAlias = Callable[[str, list[Any]], None]
LogMetric: TypeAlias = Callable[[str, float], None]
Rewards: TypeAlias = list[float | None]

_FLAGGED: Final = [s for s in Status if s not in (Status.CORRECT, Status.INCORRECT)]
_TABLE: Final = {"judge/gold": "gold", "judge/answer": "answer", "judge/status": "status"}
_REASONING_FIELDS: Final = ("reasoning_content", "reasoning", "thinking")


# --- a rubric's functions ------------------------------------------------------------------------


def reward_funcs(rubric: Rubric) -> tuple[list[RewardFunction], list[float]]:
    """The reward functions and weights of a rubric, for a TRL trainer.

    Each function is logged under its own name (``rewards/correct_answer/mean``); metrics come with
    weight 0. TRL calls one after another with the same batch: the first call scores it with the
    rubric, so that functions may share state and run in their order; the others read what it found.
    Functions that score groups get the completions of one prompt at a time. What is no gold of the
    data set's columns is in the ``state`` that functions see.

    A completion that could not be judged for no fault of the model gets None from all functions,
    and so does one that ran into a limit where the rubric has ``unscored="none"``. A function that
    raised, or returned no number, gives None itself (``on_error="raise"`` ends the run).

    Args:
        rubric: The rubric; functions that are added to it later are not among the result. It is
            pickled with the functions, as ``AsyncGRPOTrainer`` wants.

    Returns:
        The functions for ``reward_funcs`` and the weights for ``reward_weights``.

    Raises:
        ValueError: If the rubric has no functions, or is a group in which two functions of one
            name have different weights (their scores are added, so neither is known alone).
    """
    return _functions(RewardFunction, rubric)


def async_reward_funcs(rubric: Rubric) -> tuple[list[AsyncRewardFunction], list[float]]:
    """`reward_funcs` that the trainer awaits in its event loop, beside other async rewards.

    Worth it for a rubric with async functions, such as a judge behind HTTP. TRL knows an object
    with an async ``__call__`` since 1.14; OnlineDPO, SDPO and A2PO await nothing.

    Args:
        rubric: See `reward_funcs`.

    Returns:
        See `reward_funcs`.

    Raises:
        ValueError: See `reward_funcs`.
    """
    return _functions(AsyncRewardFunction, rubric)


def rubric_reward(rubric: Rubric) -> RewardFunction:
    """The reward of a rubric, its weighted sum, as one function.

    For a trainer without ``reward_weights``: ``AsyncGRPOTrainer`` adds up whatever it is given, so
    that a metric of weight 0 would count.

    Args:
        rubric: See `reward_funcs`.

    Returns:
        A function named ``rubric_reward``.

    Raises:
        ValueError: If the rubric has no functions.
    """
    return RewardFunction("rubric_reward", REWARD, BatchScorer(rubric, [REWARD]))


class _OfRubric:
    """What a rubric gives for a batch, under a name.

    Attributes:
        __name__: What TRL logs it under.
    """

    def __init__(self, name: str, reader: Reader, scorer: BatchScorer) -> None:
        self.__name__ = name
        self._reader = reader
        self._scorer = scorer

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__name__!r})"

    def _writes(self, log: _Log) -> Callable[[Sequence[State]], None]:
        return functools.partial(log.states, self._scorer.names)


class RewardFunction(_OfRubric):
    """One function of a rubric, or all of them, as TRL calls it. Made by `reward_funcs`."""

    def __call__(
        self,
        completions: Sequence[Any],
        prompts: Sequence[Any] | None = None,
        completion_ids: Sequence[Any] | None = None,
        log_extra: LogExtra | None = None,
        log_metric: LogMetric | None = None,
        **columns: Any,
    ) -> Rewards:
        """Score a batch.

        Args:
            completions: The texts or lists of messages to score.
            prompts: A text or a list of messages for each of them.
            completion_ids: Their tokens, which are not needed.
            log_extra: Logs a column of the completions table; once a batch.
            log_metric: Logs a number; once a batch.
            **columns: The data set's columns, a list each; whatever else TRL passes is ignored.

        Returns:
            The raw score of each completion by this function, or None: see `reward_funcs`.

        Raises:
            ValueError: If a column has another length than ``completions``, or no column holds
                what a function of the rubric requires.
            TypeError: If a completion is neither text nor messages, or a column of golds no list.
        """
        kept = checked_columns(completions, prompts, columns)
        log = _Log(log_extra, log_metric)
        return self._scorer.column(self._reader, completions, kept, self._writes(log))


class AsyncRewardFunction(_OfRubric):
    """One function of a rubric, as TRL awaits it. Made by `async_reward_funcs`."""

    async def __call__(
        self,
        completions: Sequence[Any],
        prompts: Sequence[Any] | None = None,
        completion_ids: Sequence[Any] | None = None,
        log_extra: LogExtra | None = None,
        log_metric: LogMetric | None = None,
        **columns: Any,
    ) -> Rewards:
        """Score a batch; see `RewardFunction`."""
        kept = checked_columns(completions, prompts, columns)
        log = _Log(log_extra, log_metric)
        return await self._scorer.acolumn(self._reader, completions, kept, self._writes(log))


Function = TypeVar("Function", bound=_OfRubric)


def _functions(kind: type[Function], rubric: Rubric) -> tuple[list[Function], list[float]]:
    weights = rubric_weights(rubric)
    scorer = BatchScorer(rubric, tuple(weights))
    return [kind(name, name, scorer) for name in weights], list(weights.values())


# --- whole rewards -------------------------------------------------------------------------------


def accuracy_reward(
    completions: Sequence[Any],
    solution: Sequence[Any] | None = None,
    log_extra: LogExtra | None = None,
    log_metric: LogMetric | None = None,
    **columns: Any,
) -> Rewards:
    r"""Rewards the right final answer in a box, in place of ``trl.rewards.accuracy_reward``.

    It takes standard and conversational data, never hangs, and can be named in a configuration::

        trl grpo --reward_funcs verifiers_math.integrations.trl.accuracy_reward ...

    Only ``\boxed{}`` counts as an answer (TRL's also takes ``The answer is $4$``). For anything
    else that is to be chosen, make a `MathRubric` and use `reward_funcs`.

    Args:
        completions: The texts or lists of messages to score.
        solution: The golds, each in any shape that `golds_of` reads; or give them as ``answer``
            or ``ground_truth``. Where there are several of these columns, the first one of
            `GOLD_COLUMNS` holds.
        log_extra: Logs a column of the completions table.
        log_metric: Logs a number.
        **columns: The data set's columns and what else the trainer passes. ``prompts``, if there,
            shows which answers only restate the question.

    Returns:
        1.0 or 0.0 for each completion; an answer that ran into a limit of time or size has 0.0.
        None where the gold cannot be read, or a worker failed.

    Raises:
        ValueError: If a column has another length than ``completions``, or none holds the golds.
        TypeError: If a completion is neither text nor messages, or a column of golds no list.
    """
    log = _Log(log_extra, log_metric)
    verdicts = answer_judge().verdicts(_answers(completions, solution, columns))
    return log.rewards(verdicts)


async def async_accuracy_reward(
    completions: Sequence[Any],
    solution: Sequence[Any] | None = None,
    log_extra: LogExtra | None = None,
    log_metric: LogMetric | None = None,
    **columns: Any,
) -> Rewards:
    """`accuracy_reward` that the trainer awaits, beside other async rewards."""
    log = _Log(log_extra, log_metric)
    verdicts = await answer_judge().averdicts(_answers(completions, solution, columns))
    return log.rewards(verdicts)


def reasoning_accuracy_reward(
    completions: Sequence[Any],
    solution: Sequence[Any] | None = None,
    reasoning_delimiters: Sequence[str] | None = None,
    log_extra: LogExtra | None = None,
    log_metric: LogMetric | None = None,
    **columns: Any,
) -> Rewards:
    """`accuracy_reward` for a model that always thinks first: only what follows it counts.

    A completion whose reasoning never ends has no answer and gets 0.0, as it does from
    ``trl.rewards.reasoning_accuracy_reward``, whose place this takes. Where the tokenizer parses
    the reasoning out of the content (``reasoning_content`` or ``thinking`` in the message), it has
    ended.

    Args:
        completions: See `accuracy_reward`.
        solution: See `accuracy_reward`.
        reasoning_delimiters: What ends the reasoning; the answer follows the last occurrence of
            any of them. ``</think>`` and the marks of other models by default. Choose with
            ``functools.partial``.
        log_extra: See `accuracy_reward`.
        log_metric: See `accuracy_reward`.
        **columns: See `accuracy_reward`.

    Returns:
        See `accuracy_reward`.

    Raises:
        ValueError: As `accuracy_reward`, or if a delimiter is empty.
        TypeError: As `accuracy_reward`, or if the delimiters are no list of texts.
    """
    log = _Log(log_extra, log_metric)
    answers = _answers(completions, solution, columns)
    verdicts = _reasoned_judge().verdicts(_reasoned(answers, reasoning_delimiters))
    return log.rewards(verdicts)


async def async_reasoning_accuracy_reward(
    completions: Sequence[Any],
    solution: Sequence[Any] | None = None,
    reasoning_delimiters: Sequence[str] | None = None,
    log_extra: LogExtra | None = None,
    log_metric: LogMetric | None = None,
    **columns: Any,
) -> Rewards:
    """`reasoning_accuracy_reward` that the trainer awaits, beside other async rewards."""
    log = _Log(log_extra, log_metric)
    answers = _answers(completions, solution, columns)
    verdicts = await _reasoned_judge().averdicts(_reasoned(answers, reasoning_delimiters))
    return log.rewards(verdicts)


def _reasoned_judge() -> AnswerJudge:
    # What `_after_reasoning` leaves is not inside a thought, whatever the prompt ends with.
    return answer_judge(assume_thinking=False)


def _answers(
    completions: Sequence[Any], solution: Sequence[Any] | None, columns: Mapping[str, Any]
) -> list[Answer]:
    given = dict(columns)
    prompts = given.pop("prompts", None)
    if solution is not None:
        given["solution"] = solution
    kept = checked_columns(completions, prompts, given)
    return batch_answers(completions, kept, kept.get("prompt"))


def _reasoned(answers: list[Answer], delimiters: Sequence[str] | None) -> list[Answer]:
    if delimiters is not None:
        if isinstance(delimiters, str) or not all(isinstance(end, str) for end in delimiters):
            raise TypeError(f"reasoning_delimiters is a list of texts, not {delimiters!r:.80}")
        if "" in delimiters:
            raise ValueError("a reasoning delimiter is empty")
    return [
        answer._replace(response=_after_reasoning(answer.response, delimiters))
        for answer in answers
    ]


def _after_reasoning(completion: Any, delimiters: Sequence[str] | None) -> str | None:
    """What follows the reasoning; None where it never ends."""
    text = assistant_text(completion) or ""
    if _is_parsed(completion):
        return text
    if delimiters is None:
        return after_thinking(text, opened=True)
    ends = [text.rindex(end) + len(end) for end in delimiters if end in text]
    return text[max(ends) :] if ends else None


def _is_parsed(completion: Any) -> bool:
    """Whether the tokenizer has put the reasoning into a field of its own."""
    if not isinstance(completion, list | tuple) or not completion:
        return False
    last = completion[-1]
    return isinstance(last, Mapping) and any(last.get(name) for name in _REASONING_FIELDS)


# --- what is logged ------------------------------------------------------------------------------


class _Log:
    """What a batch leaves in the trainer's log; its clock starts when it is made."""

    def __init__(self, log_extra: LogExtra | None, log_metric: LogMetric | None) -> None:
        self.log_extra = log_extra
        self.log_metric = log_metric
        self.began = perf_counter()

    def rewards(self, verdicts: Sequence[Verdict]) -> Rewards:
        """Log the verdicts, and turn them into rewards."""
        self.verdicts(verdicts)
        return [reward_or_none(verdict) for verdict in verdicts]

    def states(self, functions: Sequence[str], states: Sequence[State]) -> None:
        """Log what a rubric has found: its verdicts, and which functions failed."""
        self.verdicts([verdict_of(state) for state in states])
        for name in functions if states else ():
            failed = sum(has_failed(name, state) for state in states)
            self._metric(f"errors/{name}", failed / len(states))

    def verdicts(self, verdicts: Sequence[Verdict | None]) -> None:
        """Log verdicts; a rubric without a judge has none, and then nothing is logged."""
        judged = [verdict for verdict in verdicts if verdict is not None]
        if not judged:
            return
        for name, value in _shares(judged):
            self._metric(name, value)
        self._metric("judge/seconds", perf_counter() - self.began)
        if self.log_extra is not None:
            for column, field in _TABLE.items():
                self.log_extra(column, [_cell(verdict, field) for verdict in verdicts])

    def _metric(self, name: str, value: float) -> None:
        if self.log_metric is not None:
            self.log_metric(name, value)


def _cell(verdict: Verdict | None, field: str) -> str | None:
    return None if verdict is None else str(getattr(verdict, field))


def _shares(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, float]]:
    """Always the same names, or a mean over batches would be one over those that have them."""
    statuses = Counter(verdict.status for verdict in verdicts)
    stages = Counter(verdict.stage if verdict.stage in STAGES else "other" for verdict in verdicts)
    for status in _FLAGGED:
        yield f"judge/{status}", statuses[status] / len(verdicts)
    for stage in (*STAGES, "other"):
        yield f"judge/stage/{stage}", stages[stage] / len(verdicts)
    if correct := statuses[Status.CORRECT]:
        yield "judge/lenient", sum(verdict.lenient for verdict in verdicts) / correct
