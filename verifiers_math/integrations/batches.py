"""A trainer's batch: its columns checked, and scored once for all functions of a rubric.

A trainer that knows only plain reward functions calls one after another with the same completions.
A `BatchScorer` scores the batch at the first of these calls, so that the rubric's functions may
share state, run in their order, and see a whole group; the other calls read what it found.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from verifiers_math.answers import GOLD_COLUMNS, gold_column, reward_or_none
from verifiers_math.checks import kind_of
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.parsers import assistant_texts
from verifiers_math.promise import Promise
from verifiers_math.rubrics import Rubric, RubricGroup
from verifiers_math.rubrics.calling import CallPlan, callable_name, distinct_names, make_plans
from verifiers_math.rubrics.running import gather, run_blocking
from verifiers_math.rubrics.scores import unscored_reason
from verifiers_math.types import State

_MOST_OPEN_BATCHES = 64  # batches that not everyone has asked for are forgotten beyond this

States: TypeAlias = list[State]
Columns: TypeAlias = Mapping[str, Sequence[Any]]
OnScored: TypeAlias = Callable[[Sequence[State]], None]
Reader: TypeAlias = str | None

REWARD: Final = None
"""The reader that wants the rubric's reward, the weighted sum, in place of one function's score."""


def checked_columns(
    completions: Sequence[Any], prompts: Sequence[Any] | None, columns: Mapping[str, Any]
) -> Columns:
    """The columns of a batch that hold a value for each completion.

    Args:
        completions: Texts, or lists of messages.
        prompts: A prompt for each of them, or None.
        columns: What the trainer passes by name; what is no list is left out.

    Returns:
        The columns, with the prompts as ``prompt``.

    Raises:
        ValueError: If a column has another length than the completions.
        TypeError: If a completion is neither text nor messages, or a column of golds no list.
    """
    if not isinstance(completions, list | tuple):
        raise TypeError(
            f"completions is a list of texts or of messages, not {type(completions).__name__}"
        )
    for index, completion in enumerate(completions):
        _check_completion(index, completion)
    kept = dict(_kept(columns)) if prompts is None else {"prompt": prompts, **_kept(columns)}
    for name, values in kept.items():
        if len(values) != len(completions):
            raise ValueError(
                f"the column {name!r} has {len(values)} values for {len(completions)} completions"
            )
    return kept


def _kept(columns: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    found: dict[str, Sequence[Any]] = {}
    for name, values in columns.items():
        if isinstance(values, list | tuple):
            found[name] = values
        elif name in GOLD_COLUMNS and values is not None:
            raise TypeError(
                f"the column {name!r} is a list of golds, one for each completion, not "
                f"{type(values).__name__}"
            )
    return found


def _check_completion(index: int, completion: Any) -> None:
    if isinstance(completion, str):
        return
    try:
        assistant_texts(completion)
    except TypeError as error:
        raise TypeError(f"completions[{index}]: {error}") from error
    for place, message in enumerate(completion if isinstance(completion, list | tuple) else ()):
        if not isinstance(message, Mapping) and not hasattr(message, "content"):
            raise TypeError(
                f"completions[{index}][{place}] is a message, not {type(message).__name__}"
            )


def rubric_weights(rubric: Rubric) -> dict[str, float]:
    """The functions of a rubric, by the names of their metrics, and their weights.

    Args:
        rubric: A rubric, or a group: functions of one name in several of its members are one here,
            since their scores are added.

    Raises:
        ValueError: If a group has two of one name with different weights, so that neither score
            is known alone.
        TypeError: If it is no rubric.
    """
    if not isinstance(rubric, Rubric):
        raise TypeError(f"a rubric is wanted, such as MathRubric(), not {kind_of(rubric)}")
    weights: dict[str, float] = {}
    for name, weight in _names_and_weights(rubric):
        if weights.setdefault(name, weight) != weight:
            raise ValueError(
                f"the group has two functions named {name!r} with the weights {weights[name]:g} "
                f"and {weight:g}; give one of them another name, or both the same weight"
            )
    return weights


def _names_and_weights(rubric: Rubric) -> Iterator[tuple[str, float]]:
    if isinstance(rubric, RubricGroup):
        for member in rubric.rubrics:
            yield from _names_and_weights(member)
    names = distinct_names([callable_name(func) for func in rubric.funcs])
    yield from zip(names, rubric.weights, strict=True)


class BatchScorer:
    """Scores each batch once, however many functions ask for it and from whichever threads.

    A copy, as one that is pickled for another process, has the rubric's copy and no batches.

    Args:
        rubric: The rubric; functions that are added to it later are not asked for.
        readers: Who asks for every batch: functions by name, or `REWARD` for their weighted sum.

    Attributes:
        names: The names of the rubric's functions.

    Raises:
        ValueError: If the rubric has no functions.
    """

    def __init__(self, rubric: Rubric, readers: Sequence[Reader]) -> None:
        self.rubric = rubric
        self.readers = tuple(readers)
        self.names = tuple(dict.fromkeys(name for name, _ in _names_and_weights(rubric)))
        if not self.names:
            raise ValueError("the rubric has no reward functions")
        self._lock = threading.Lock()
        self._open: dict[int, _OpenBatch] = {}

    def __reduce__(self) -> tuple[type[BatchScorer], tuple[Rubric, tuple[Reader, ...]]]:
        return BatchScorer, (self.rubric, self.readers)

    def column(
        self, reader: Reader, completions: Sequence[Any], columns: Columns, on_scored: OnScored
    ) -> list[float | None]:
        """One reader's scores of a batch.

        Args:
            reader: Who asks.
            completions: The batch; it is known by the identity of this list.
            columns: The other columns, each as long as ``completions``: ``prompt``, the gold
                (see `GOLD_COLUMNS`), and what else the rubric's functions find in the state.
            on_scored: Called with the states when this call has scored the batch.

        Returns:
            The raw score of each completion. None where the function failed; and for every reader
            where the rubric's reward is None, or `reward_or_none` says that the verdict is not the
            model's doing.

        Raises:
            ValueError: If a function requires a gold or a prompt that no column holds.
        """
        batch, is_new = self._claim(reader, completions)
        if is_new:
            run_blocking(lambda: self._fill(batch, columns))
            on_scored(batch.states.result())
        return [self._value(reader, state) for state in batch.states.result()]

    async def acolumn(
        self, reader: Reader, completions: Sequence[Any], columns: Columns, on_scored: OnScored
    ) -> list[float | None]:
        """`column` for an event loop: the rubric's async functions run in this one."""
        batch, is_new = self._claim(reader, completions)
        if is_new:
            batch.scoring = asyncio.ensure_future(self._fill(batch, columns))
            batch.scoring.add_done_callback(_retrieve)
        # Neither this caller's cancellation nor another's ends what the rest of them wait for.
        states = await asyncio.shield(asyncio.wrap_future(batch.states))
        if is_new:
            on_scored(states)
        return [self._value(reader, state) for state in states]

    def _claim(self, reader: Reader, completions: Sequence[Any]) -> tuple[_OpenBatch, bool]:
        """The batch that these completions are, and whether the caller has to score it.

        It is kept alive until everyone has read it. Who asks again has a new batch before it, in a
        list that is used again.
        """
        key = id(completions)
        with self._lock:
            batch = self._open.get(key)
            is_new = batch is None or reader in batch.readers
            if batch is None or is_new:
                batch = self._open[key] = _OpenBatch(completions)
            batch.readers.add(reader)
            if len(batch.readers) == len(self.readers):
                del self._open[key]
            while len(self._open) > _MOST_OPEN_BATCHES:
                del self._open[next(iter(self._open))]
        return batch, is_new

    async def _fill(self, batch: _OpenBatch, columns: Columns) -> None:
        try:
            states = self._states(batch.completions, columns)
            await gather(self.rubric.score_group(group) for group in self._groups(states, columns))
        except BaseException as error:
            with self._lock:  # who asks next shall try again
                if self._open.get(id(batch.completions)) is batch:
                    del self._open[id(batch.completions)]
            batch.states.set_exception(error)
            raise
        batch.states.set_result(states)

    def _states(self, completions: Sequence[Any], columns: Columns) -> States:
        states: States = [
            {name: values[row] for name, values in columns.items()} | {"completion": completion}
            for row, completion in enumerate(completions)
        ]
        gold = gold_column(columns)
        if gold is not None:
            for state, value in zip(states, columns[gold], strict=True):
                state["answer"] = value
            return states
        for plan in self._plans():
            if {"answer", "answers"}.intersection(plan.required):
                raise _missing(f"{plan.name} requires the gold", GOLD_COLUMNS, columns)
        return states

    def _groups(self, states: States, columns: Columns) -> list[States]:
        """The states by prompt, where any function minds who else is scored with them."""
        of_groups = [plan.name for plan in self._plans() if plan.is_group]
        if not of_groups:
            return [states]
        if "prompt" not in columns:
            raise _missing(f"{of_groups[0]} scores groups of one prompt", ("prompt",), columns)
        return [list(group) for _, group in groupby(states, key=lambda state: state["prompt"])]

    def _plans(self) -> list[CallPlan]:
        return make_plans(self.rubric._get_reward_funcs())

    def _value(self, name: Reader, state: State) -> float | None:
        reward: float | None = state["reward"]
        if reward is None or _is_blameless(state):
            return None
        if name is REWARD:
            return reward
        if has_failed(name, state):
            return None
        metrics: Mapping[str, float] = state["metrics"]
        if name in metrics:
            return metrics[name]
        # The function returned a mapping: its score is the sum of what no function is named for.
        missing = [other for other in self.names if other not in metrics]
        if len(missing) > 1:
            raise ValueError(
                f"the functions {', '.join(missing)} return mappings, and the trainer wants one "
                "number from each; let at most one function of a rubric return a mapping"
            )
        return sum(value for key, value in metrics.items() if key not in self.names)


class _OpenBatch:
    """A batch that is being scored, or was and has not been read by everyone."""

    __slots__ = ("completions", "readers", "scoring", "states")

    def __init__(self, completions: Sequence[Any]) -> None:
        self.completions = completions  # held, so that no other list gets its identity
        self.readers: set[Reader] = set()
        self.states: Promise[States] = Promise()
        self.scoring: asyncio.Future[None] | None = None  # an event loop holds its tasks weakly


def _retrieve(scoring: asyncio.Future[None]) -> None:
    """Takes note of an error, which the batch's readers have from its future."""
    if not scoring.cancelled():
        scoring.exception()


def verdict_of(state: State) -> Verdict | None:
    """The verdict that `MathRubric` has left in a state; None where there is none."""
    verdict = state.get("verdict")
    return verdict if isinstance(verdict, Verdict) else None


def _is_blameless(state: State) -> bool:
    verdict = verdict_of(state)
    return verdict is not None and reward_or_none(verdict) is None


def has_failed(name: str, state: State) -> bool:
    """Whether the function of this name raised or gave no number.

    A verdict that says nothing about the answer is no failure: what it counts is the rubric's
    choice.
    """
    reason = (state.get("errors") or {}).get(name)
    return reason is not None and reason != unscored_reason(state.get("verdict"))


def _missing(what: str, wanted: Sequence[str], columns: Columns) -> ValueError:
    return ValueError(
        f"{what}, and the data set has no column {', '.join(wanted)}; "
        f"its columns are {', '.join(columns) or 'none'}"
    )
