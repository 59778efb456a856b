"""TRL: a rubric's reward functions in the shape that ``GRPOTrainer`` and ``RLOOTrainer`` call.

```python
functions, weights = reward_funcs(rubric)
GRPOTrainer(reward_funcs=functions, args=GRPOConfig(reward_weights=weights, ...), ...)
```

TRL calls one function after another with the same batch. The first call scores the whole batch with
the rubric, so that functions may share state and run in their order; the others read what it found.
TRL itself is not imported.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from itertools import groupby
from typing import Any

from verifiers_math.rubrics import Rubric, RubricGroup
from verifiers_math.rubrics.calling import callable_name, distinct_names, make_plans
from verifiers_math.rubrics.running import gather, run_blocking

GOLD_COLUMNS = ("answer", "solution", "ground_truth")
"""The data set columns that may hold the gold; the first one present does."""

_MAX_OPEN_BATCHES = 64  # batches that not every function has asked for are forgotten beyond this

Batch = list[dict[str, Any]]


def reward_funcs(rubric: Rubric) -> tuple[list[RewardFunction], list[float]]:
    """The reward functions and weights of a rubric, for a TRL trainer.

    Each function is logged under its own name (``rewards/correct_answer/mean``); metrics come with
    weight 0. A completion whose reward is None (``unscored="none"``) gets None from all of them,
    and TRL leaves it out of its group.

    The gold is taken from the data set's column ``answer``, ``solution`` or ``ground_truth``; every
    other column is in the ``state`` that the rubric's functions see. Rubric functions that score
    groups get the completions of one prompt at a time.

    Args:
        rubric: The rubric; functions that are added to it later are not among the result.

    Returns:
        The functions for ``reward_funcs`` and the weights for ``reward_weights``.

    Raises:
        ValueError: If the rubric has no functions, or is a group in which two functions of one
            name have different weights (their scores are added, so neither is known alone).
    """
    weights: dict[str, float] = {}
    for name, weight in _names_and_weights(rubric):
        if weights.setdefault(name, weight) != weight:
            raise ValueError(
                f"the group has two functions named {name!r} with the weights {weights[name]:g} "
                f"and {weight:g}; give one of them another name, or both the same weight"
            )
    if not weights:
        raise ValueError("the rubric has no reward functions")
    scorer = _Scorer(rubric, tuple(weights))
    return [RewardFunction(name, scorer) for name in weights], list(weights.values())


def _names_and_weights(rubric: Rubric) -> Iterator[tuple[str, float]]:
    """The metrics that a rubric's functions are found under; a group's may repeat."""
    if isinstance(rubric, RubricGroup):
        for member in rubric.rubrics:
            yield from _names_and_weights(member)
    names = distinct_names([callable_name(func) for func in rubric.funcs])
    yield from zip(names, rubric.weights, strict=True)


class RewardFunction:
    """One function of a rubric, as TRL calls it. Made by `reward_funcs`.

    Attributes:
        __name__: The function's name in the rubric, which TRL logs it under.
    """

    def __init__(self, name: str, scorer: _Scorer) -> None:
        self.__name__ = name
        self._scorer = scorer

    def __repr__(self) -> str:
        return f"RewardFunction({self.__name__!r})"

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Sequence[Any] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Score a batch.

        Args:
            prompts: A text or a list of messages for each completion.
            completions: The texts or lists of messages to score.
            completion_ids: Their tokens, which are not needed.
            **columns: The data set's columns, a list each; whatever else TRL passes is ignored.

        Returns:
            The raw score of each completion by this function; None where it could not be judged.

        Raises:
            ValueError: If a column has another length than ``completions``, or no column holds
                the gold that a function of the rubric requires.
        """
        lists = {name: value for name, value in columns.items() if isinstance(value, list | tuple)}
        return self._scorer.column(self.__name__, completions, {"prompt": prompts, **lists})


class _Scorer:
    """Scores each batch once, however many functions ask for it and from whichever threads."""

    def __init__(self, rubric: Rubric, names: tuple[str, ...]) -> None:
        self.rubric = rubric
        self.names = names
        self._lock = threading.Lock()
        self._open: dict[int, _OpenBatch] = {}

    def __reduce__(self) -> tuple[type[_Scorer], tuple[Rubric, tuple[str, ...]]]:
        return _Scorer, (self.rubric, self.names)  # open batches belong to this process

    def column(
        self, name: str, completions: Sequence[Any], columns: Mapping[str, Sequence[Any]]
    ) -> list[float | None]:
        """One function's scores of a batch."""
        batch, is_new = self._claim(name, completions)
        if is_new:
            try:
                batch.states.set_result(self._score(completions, columns))
            except BaseException as error:
                with self._lock:
                    self._open.pop(id(completions), None)
                batch.states.set_exception(error)
                raise
        return [self._value(name, state) for state in batch.states.result()]

    def _claim(self, name: str, completions: Sequence[Any]) -> tuple[_OpenBatch, bool]:
        """The batch that these completions are, and whether the caller has to score it.

        A batch is known by the identity of its list, and kept alive until every function has read
        it. A function that asks again has a new batch before it, in a list that is used again.
        """
        key = id(completions)
        with self._lock:
            batch = self._open.get(key)
            is_new = batch is None or name in batch.readers
            if batch is None or is_new:
                batch = self._open[key] = _OpenBatch(completions)
            batch.readers.add(name)
            if len(batch.readers) == len(self.names):
                del self._open[key]
            while len(self._open) > _MAX_OPEN_BATCHES:
                del self._open[next(iter(self._open))]
        return batch, is_new

    def _score(self, completions: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> Batch:
        _check_lengths(len(completions), columns)
        plans = make_plans(self.rubric._get_reward_funcs())
        gold = next((name for name in GOLD_COLUMNS if name in columns), None)
        if gold is None:
            for plan in plans:
                if {"answer", "answers"}.intersection(plan.required):
                    raise ValueError(
                        f"{plan.name} requires the gold, and the data set has no column "
                        f"{', '.join(GOLD_COLUMNS)}; its columns are {', '.join(columns)}"
                    )
        states = [
            {name: values[row] for name, values in columns.items()} | {"completion": completion}
            for row, completion in enumerate(completions)
        ]
        if gold is not None:
            for state, value in zip(states, columns[gold], strict=True):
                state["answer"] = value
        groups = [states]
        if any(plan.is_group for plan in plans):  # only these mind who else is scored with them
            groups = [list(group) for _, group in groupby(states, key=lambda s: s["prompt"])]
        run_blocking(lambda: gather(self.rubric.score_group(group) for group in groups))
        return states

    def _value(self, name: str, state: Mapping[str, Any]) -> float | None:
        if state["reward"] is None:
            return None
        metrics: Mapping[str, float] = state["metrics"]
        if name in metrics:
            return metrics[name]
        # The function returned a mapping: its score is the sum of what no function is named for.
        missing = [other for other in self.names if other not in metrics]
        if len(missing) > 1:
            raise ValueError(
                f"the functions {', '.join(missing)} return mappings, and TRL wants one number "
                "from each; let at most one function of a rubric return a mapping"
            )
        return sum(value for key, value in metrics.items() if key not in self.names)


class _OpenBatch:
    """A batch that is being scored, or was and has not been read by every function."""

    __slots__ = ("completions", "readers", "states")

    def __init__(self, completions: Sequence[Any]) -> None:
        self.completions = completions  # held, so that no other list gets its identity
        self.readers: set[str] = set()
        self.states: Future[Batch] = Future()


def _check_lengths(size: int, columns: Mapping[str, Sequence[Any]]) -> None:
    for name, values in columns.items():
        if len(values) != size:
            raise ValueError(f"the column {name!r} has {len(values)} values for {size} completions")
