"""The rubric: weighted reward functions, applied to rollouts and to groups of them."""

from __future__ import annotations

import asyncio
import inspect
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import groupby
from typing import Any, Literal, Self

from verifiers_math.checks import check_choice, check_list, kind_of
from verifiers_math.errors import RewardValueError
from verifiers_math.parsers import Parser
from verifiers_math.rubrics.calling import (
    GROUP_ARGUMENTS,
    ROLLOUT_ARGUMENTS,
    CallPlan,
    callable_name,
    distinct_names,
    make_plans,
)
from verifiers_math.rubrics.running import Slots, gather, run_blocking, run_in_threads
from verifiers_math.rubrics.scores import (
    Failure,
    Scores,
    advantages,
    split_group,
    to_score,
    unscored_reason,
)
from verifiers_math.types import RewardFunc, State, Unscored

OnError = Literal["zero", "raise"]
SyncMode = Literal["thread", "inline"]

_OPTIONS = {
    "on_error": ("zero", "raise"),
    "sync": ("thread", "inline"),
    "unscored": ("zero", "none"),
}

_MISSING = object()


class Rubric:
    """Reward functions with weights; their weighted sum is a rollout's reward.

    A function is sync or async, and names the arguments it wants: ``prompt, completion, answer,
    state, task, info, parser`` or a class object; with ``**kwargs`` it gets all of them. One that
    requires any of ``prompts, completions, answers, states, tasks, infos``, or is annotated to
    return a list, scores a whole group in one call and returns a score for each rollout.

    A score is a finite number, or what ``float()`` makes one of: a bool, a numeric string, a numpy
    scalar, a 0-d tensor; or a `Verdict`. A mapping of names to numbers becomes a metric for each
    name, and its sum counts towards the reward; a name that is already taken has the function's
    name put before it (``function.name``). Where a function raises or returns something else, its
    score is 0.0, ``state["errors"]`` holds the reason under its name, and it is logged. The reason
    is there too where a verdict says nothing about the answer.

    Args:
        funcs: The reward functions.
        weights: A weight for each; 1.0 each by default.
        parser: Handed to the functions that ask for it.
        on_error: "zero" counts a failed function as 0.0; "raise" raises what it raised, or
            `RewardValueError`, out of the scoring, and writes nothing.
        sync: "thread" runs sync functions in threads, so that they do not block the event loop:
            then a function can run for several rollouts of a group at once. "inline" calls them
            in the event loop, one after another.
        max_concurrency: The most rollouts that are worked on at once in an event loop; no limit
            by default.
        unscored: What a rollout gets whose verdict (of a function with a weight) says nothing
            about the answer: a timeout, a limit, an error, an unreadable gold. "zero" gives it
            0.0; "none" gives it the reward None, and leaves it out of its group's mean and
            deviation, with the advantage 0.0.
        scale_rewards: Whether advantages are divided by the group's standard deviation.

    Raises:
        ValueError: If the numbers of functions and weights differ, or an option is none of the
            above.
        TypeError: If a function cannot be called.

    Examples:
        >>> def brevity(completion):
        ...     return 1.0 / len(completion)
        >>> rubric = Rubric([brevity], weights=[0.5])
        >>> rubric.add_metric(lambda completion, answer: completion == answer)
        >>> state = {"prompt": "1 + 1?", "completion": "2", "answer": "2"}
        >>> rubric.score_rollout_sync(state)  # or: await rubric.score_rollout(state)
        >>> state["reward"], state["metrics"]
        (0.5, {'brevity': 1.0, '<lambda>': 1.0})
    """

    def __init__(
        self,
        funcs: Iterable[RewardFunc] | None = None,
        weights: Iterable[float] | None = None,
        parser: Any = None,
        *,
        on_error: OnError = "zero",
        sync: SyncMode = "thread",
        max_concurrency: int | None = None,
        unscored: Unscored = "zero",
        scale_rewards: bool = False,
    ) -> None:
        chosen = {"on_error": on_error, "sync": sync, "unscored": unscored}
        for option, value in chosen.items():
            check_choice(option, value, _OPTIONS[option])
        funcs = () if funcs is None else funcs  # either may be an array, which has no truth value
        weights = () if weights is None else weights
        check_list("funcs", funcs, "reward functions")
        check_list("weights", weights, "numbers, one for each function")
        self.funcs: list[RewardFunc] = [_checked_func(func) for func in funcs]
        self.weights: list[float] = [_checked_weight(weight) for weight in weights]
        if not self.weights:
            self.weights = [1.0] * len(self.funcs)
        self._check_lengths()
        self.class_objects: dict[str, Any] = {"parser": Parser() if parser is None else parser}
        self.on_error: OnError = on_error
        self.sync: SyncMode = sync
        self.unscored: Unscored = unscored
        self.scale_rewards = scale_rewards
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._slots = Slots(max_concurrency)
        self._plans: list[CallPlan] = []
        self._reported: set[tuple[str, str]] = set()

    def __repr__(self) -> str:
        terms = ", ".join(
            f"{name}: {weight:g}"
            for name, weight in zip(
                self._get_reward_func_names(), self._get_reward_weights(), strict=False
            )
        )
        return f"{type(self).__name__}({terms})"

    # --- building -----------------------------------------------------------------------------

    @property
    def parser(self) -> Any:
        """The parser that functions get: ``class_objects["parser"]``."""
        return self.class_objects["parser"]

    @parser.setter
    def parser(self, parser: Any) -> None:
        self.class_objects["parser"] = parser

    @property
    def max_concurrency(self) -> int | None:
        """The most rollouts that are worked on at once in an event loop; None for no limit."""
        return self._slots.limit

    def add_reward_func(self, func: RewardFunc, weight: float = 1.0) -> None:
        """Add a function whose score counts towards the reward.

        Args:
            func: The reward function.
            weight: What its score is multiplied by.

        Raises:
            TypeError: If it cannot be called.
            ValueError: If the weight is not finite.
        """
        weight = _checked_weight(weight)
        self.funcs.append(_checked_func(func))
        self.weights.append(weight)

    def add_metric(self, func: RewardFunc, weight: float = 0.0) -> None:
        """Add a function that is only recorded in ``state["metrics"]``.

        Args:
            func: The function.
            weight: 0.0, or what its score adds to the reward all the same.

        Raises:
            TypeError: If it cannot be called.
            ValueError: If the weight is not finite.
        """
        self.add_reward_func(func, weight)

    def add_class_object(self, name: str, obj: Any) -> None:
        """Offer an object to every function under a name; it wins over the rollout's own.

        Args:
            name: The argument's name.
            obj: What the functions get.
        """
        self.class_objects[name] = obj

    def _get_reward_func_names(self) -> list[str]:
        return distinct_names([callable_name(func) for func in self._get_reward_funcs()])

    def _get_reward_funcs(self) -> list[RewardFunc]:
        return self.funcs

    def _get_reward_weights(self) -> list[float]:
        return self.weights

    # --- scoring ------------------------------------------------------------------------------

    async def score_rollout(self, state: State) -> None:
        """Score one rollout and write the result into its state.

        Sets ``reward``, ``metrics`` (raw scores by name) and ``errors`` (why a score counts 0.0;
        usually empty), replacing old ones; and where there is a ``timing``, its ``scoring_ms``,
        which is added to its ``total_ms``. Functions run in order. A group function gets a group
        of one.

        Args:
            state: The rollout. What it lacks has a natural default: "" or {}.

        Raises:
            MissingArgumentError: If a function requires an argument that nobody supplies.
            TypeError: If the state is no mapping.
        """
        _check_state(state)
        started = time.perf_counter()
        (scores,) = await self._evaluate([state])
        _write_scores(state, scores, _milliseconds_since(started))

    async def score_group(self, states: Iterable[State]) -> None:
        """Score the rollouts of one prompt and write the results into their states.

        Besides what `score_rollout` writes, sets ``advantage`` (reward minus the group's mean) and
        fills ``reward`` and ``advantage`` of those steps in ``trajectory`` where they are None.
        Rollouts are scored at once, each by its functions in order.

        Args:
            states: The rollouts. Their ``timing`` gets the time of the whole group.

        Raises:
            MissingArgumentError: If a function requires an argument that nobody supplies.
            TypeError: If the states are no list of mappings.
        """
        if isinstance(states, Mapping):
            raise TypeError("score_group takes a list of states, not one: see score_rollout")
        check_list("states", states, "states, one for each rollout")
        states = list(states)
        for state in states:
            _check_state(state)
        if not states:
            self.logger.warning("there are no rollouts to score")
            return
        started = time.perf_counter()
        results = await self._evaluate(states)
        elapsed = _milliseconds_since(started)
        gains = advantages([scores.reward for scores in results], self.scale_rewards)
        for state, scores, advantage in zip(states, results, gains, strict=True):
            _write_scores(state, scores, elapsed)
            _write_advantage(state, scores.reward, advantage)

    def score_rollout_sync(self, state: State) -> None:
        """Do what `score_rollout` does, from sync code; a running event loop is no hindrance.

        Args:
            state: The rollout.

        Raises:
            MissingArgumentError: If a function requires an argument that nobody supplies.
        """
        run_blocking(lambda: self.score_rollout(state))

    def score_group_sync(self, states: Iterable[State]) -> None:
        """Do what `score_group` does, from sync code; a running event loop is no hindrance.

        Args:
            states: The rollouts.

        Raises:
            MissingArgumentError: If a function requires an argument that nobody supplies.
        """
        run_blocking(lambda: self.score_group(states))

    async def _evaluate(self, states: Sequence[State]) -> list[Scores]:
        """The scores of a group's rollouts; nothing is written by this."""
        plans = self._prepare()
        rollouts = [_Rollout(state) for state in states]
        for kind, phase in groupby(plans, key=self._phase):
            run = getattr(self, f"_run_{kind}")
            await run(list(phase), rollouts)
        names = {plan.name for plan in plans}
        return [self._collect(names, plans, rollout) for rollout in rollouts]

    def _prepare(self) -> list[CallPlan]:
        """The call plans; read anew where the functions have changed."""
        self._check_lengths()
        plans = self._plans
        if len(plans) != len(self.funcs) or any(
            plan.func is not func for plan, func in zip(plans, self.funcs, strict=True)
        ):
            plans = self._plans = make_plans(self.funcs)
        for plan in plans:
            names = GROUP_ARGUMENTS if plan.is_group else ROLLOUT_ARGUMENTS
            plan.check(names | self.class_objects.keys())
        return plans

    def _prepare_all(self) -> None:
        """Check every argument that will be needed; a group of rubrics checks its members' too."""
        self._prepare()

    def _phase(self, plan: CallPlan) -> Literal["group", "here", "threads"]:
        """Where a function runs. Neighbours that run in the same way share a phase."""
        if plan.is_group:
            return "group"
        return "here" if plan.is_async or self.sync == "inline" else "threads"

    async def _run_here(self, plans: list[CallPlan], rollouts: list[_Rollout]) -> None:
        async def run(rollout: _Rollout) -> None:
            async with self._slots.take():
                for plan in plans:
                    await self._run_one(plan, rollout)

        if len(rollouts) == 1:
            await run(rollouts[0])
        else:
            await gather(run(rollout) for rollout in rollouts)

    async def _run_one(self, plan: CallPlan, rollout: _Rollout) -> None:
        value = _call(plan, rollout.offer(self.class_objects))
        rollout.results.append(self._checked(plan, await _finish(value)))

    async def _run_threads(self, plans: list[CallPlan], rollouts: list[_Rollout]) -> None:
        done = len(rollouts[0].results)

        def work(rollout: _Rollout) -> bool:
            for plan in plans[len(rollout.results) - done :]:
                value = _call(plan, rollout.offer(self.class_objects))
                rollout.results.append(value)
                if inspect.isawaitable(value):
                    return False  # the loop has to go on with this one
                if isinstance(value, Failure) and self._must_raise(value):
                    return True
            return False

        waiting = rollouts
        while waiting:
            await run_in_threads(waiting, work, self._slots)
            for rollout in waiting:
                started = rollout.results[done:]
                for i, (plan, value) in enumerate(zip(plans, started, strict=False), done):
                    rollout.results[i] = self._checked(plan, await _finish(value))
            waiting = [r for r in waiting if len(r.results) < done + len(plans)]

    async def _run_group(self, plans: list[CallPlan], rollouts: list[_Rollout]) -> None:
        for plan in plans:
            for rollout, value in zip(
                rollouts, await self._group_values(plan, rollouts), strict=True
            ):
                rollout.results.append(value)

    async def _group_values(self, plan: CallPlan, rollouts: list[_Rollout]) -> list[Any]:
        offered = _offer_group([rollout.state for rollout in rollouts], self.class_objects)
        if plan.is_async or self.sync == "inline":
            value = _call(plan, offered)
        else:
            value = await asyncio.to_thread(_call, plan, offered)
        value = self._checked(plan, await _finish(value))
        if not isinstance(value, Failure):
            try:
                return split_group(value, len(rollouts))
            except Exception as error:  # iterating over a stranger may raise anything
                value = self._checked(plan, Failure(error))
        return [value] * len(rollouts)

    # --- results ------------------------------------------------------------------------------

    def _collect(self, names: set[str], plans: list[CallPlan], rollout: _Rollout) -> Scores:
        """One rollout's raw results as scores."""
        scores = Scores()
        total, judged = 0.0, True
        for plan, weight, value in zip(plans, self.weights, rollout.results, strict=True):
            for name, item in _named_values(plan.name, value, names, scores.metrics):
                score = self._score_of(name, item, scores.errors)
                scores.metrics[name] = score
                total += weight * score
                reason = unscored_reason(item)
                if reason is not None:
                    scores.errors[name] = reason
                    judged = judged and not weight
        if not math.isfinite(total):
            error = RewardValueError(f"the weighted sum is {total}")
            self._checked_score("reward", error, scores.errors)
            total = 0.0
        scores.reward = total if judged or self.unscored == "zero" else None
        return scores

    def _score_of(self, name: str, value: object, errors: dict[str, str]) -> float:
        if isinstance(value, Failure):
            errors[name] = value.reason
            return 0.0
        try:
            return to_score(value)
        except RewardValueError as error:
            return self._checked_score(name, error, errors)

    def _checked_score(self, name: str, error: RewardValueError, errors: dict[str, str]) -> float:
        if self.on_error == "raise":
            raise RewardValueError(f"reward function {name!r}: {error}") from error
        errors[name] = Failure(error).reason
        self._report(name, error)
        return 0.0

    def _checked(self, plan: CallPlan, value: Any) -> Any:
        """The value; where it is a failure, it is raised or logged."""
        if isinstance(value, Failure):
            if self._must_raise(value):
                if isinstance(value.error, Exception):
                    value.error.add_note(f"raised by the reward function {plan.name!r}")
                raise value.error
            self._report(plan.name, value.error)
        return value

    def _must_raise(self, failure: Failure) -> bool:
        return self.on_error == "raise" or not isinstance(failure.error, Exception)

    def _report(self, name: str, error: BaseException) -> None:
        """Log a failure: each kind of it once as an error, and every traceback at debug."""
        kind = (name, type(error).__name__)
        if kind not in self._reported:
            self._reported.add(kind)
            self.logger.error(
                "reward function %r failed and counts 0.0: %s (said once for each kind of error; "
                'state["errors"] holds every one)',
                name,
                Failure(error).reason,
            )
        self.logger.debug("reward function %r failed", name, exc_info=error)

    def _check_lengths(self) -> None:
        if len(self.weights) != len(self.funcs):
            raise ValueError(
                f"Number of weights ({len(self.weights)}) must match number of functions "
                f"({len(self.funcs)})"
            )

    # --- what environments ask (`verifiers` 0.1 to 0.3) -----------------------------------------

    @property
    def has_group_rewards(self) -> bool:
        """Whether a function scores whole groups: then a prompt's rollouts have to come at once."""
        return any(plan.is_group for plan in make_plans(self._get_reward_funcs()))

    @property
    def has_advantages(self) -> bool:
        """False: `score_group` sets advantages, but none that a trainer could not find itself."""
        return False

    async def dummy_score_rollout(self, state: State) -> None:
        """Write the reward 0.0 and no metrics, where an environment is told not to score.

        Args:
            state: The rollout.
        """
        state["reward"] = 0.0
        state["metrics"] = {}

    async def dummy_score_group(self, states: Iterable[State]) -> None:
        """Do what `dummy_score_rollout` does, for several rollouts.

        Args:
            states: The rollouts.
        """
        for state in states:
            await self.dummy_score_rollout(state)

    # --- life cycle ---------------------------------------------------------------------------

    async def cleanup(self, state: State) -> None:
        """Do nothing; a subclass may free here what it keeps for one rollout.

        Args:
            state: The rollout that is over.
        """

    def close(self) -> None:
        """Free what the rubric holds; a plain rubric holds nothing. May be called again."""

    async def teardown(self) -> None:
        """Close the rubric, from async code."""
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.teardown()


class _Rollout:
    """A state, and what its functions have returned so far."""

    __slots__ = ("results", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.results: list[Any] = []

    def offer(self, class_objects: Mapping[str, Any]) -> dict[str, Any]:
        """What a function of one rollout can get: read anew for each, as functions may write."""
        state = self.state
        offered = {"state": state}
        for name, default in _DEFAULTS:
            offered[name] = _value(state, name, default)
        offered.update(class_objects)
        return offered


_DEFAULTS: tuple[tuple[str, Callable[[], Any]], ...] = (
    ("prompt", str),
    ("completion", str),
    ("answer", str),
    ("task", str),
    ("info", dict),
)
_KEEPS_NONE = "answer"  # a gold of None is not the same as an empty one


def _value(state: State, name: str, default: Callable[[], Any]) -> Any:
    value = state.get(name, _MISSING)
    if value is _MISSING or (value is None and name != _KEEPS_NONE):
        return default()
    return value


def _offer_group(states: list[State], class_objects: Mapping[str, Any]) -> dict[str, Any]:
    offered: dict[str, Any] = {"states": states}
    for name, default in _DEFAULTS:
        offered[f"{name}s"] = [_value(state, name, default) for state in states]
    return {**offered, **class_objects}


def _call(plan: CallPlan, offered: Mapping[str, Any]) -> Any:
    """What the function returns, or how it failed: a thread has to hand over either."""
    try:
        return plan.call(offered)
    except BaseException as error:  # the loop re-raises what is no Exception
        return Failure(error)


async def _finish(value: Any) -> Any:
    if not inspect.isawaitable(value):
        return value
    try:
        return await value
    except Exception as error:
        return Failure(error)


def _named_values(
    name: str, value: Any, functions: set[str], taken: Mapping[str, float]
) -> Iterator[tuple[str, Any]]:
    """A function's scores by metric name: one under its own, or those of a mapping."""
    if not isinstance(value, Mapping):
        yield name, value
        return
    for key, item in value.items():
        metric = str(key)
        yield (f"{name}.{metric}" if metric in functions or metric in taken else metric), item


def _check_state(state: object) -> None:
    if not isinstance(state, MutableMapping):
        raise TypeError(
            f"a state is a dict with prompt, completion and answer, not {kind_of(state)}"
        )


def _checked_func(func: RewardFunc) -> RewardFunc:
    if not callable(func):
        raise TypeError(f"a reward function must be callable, not {kind_of(func)}")
    return func


def _checked_weight(weight: float) -> float:
    if not hasattr(weight, "__float__"):
        raise TypeError(f"a weight is a number, not {kind_of(weight)}")
    if not math.isfinite(weight):
        raise ValueError(f"a weight must be finite, not {weight}")
    return weight


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000.0


def _write_scores(state: State, scores: Scores, elapsed_ms: float) -> None:
    state["reward"] = scores.reward
    state["metrics"] = scores.metrics
    state["errors"] = scores.errors
    timing = state.get("timing")
    if isinstance(timing, MutableMapping):
        # Scoring again replaces the time of the scoring before it.
        before = timing.get("scoring_ms") or 0.0
        timing["scoring_ms"] = elapsed_ms
        timing["total_ms"] = (timing.get("total_ms") or 0.0) + elapsed_ms - before


def _write_advantage(state: State, reward: float | None, advantage: float) -> None:
    state["advantage"] = advantage
    for step in state.get("trajectory") or ():
        for name, value in (("reward", reward), ("advantage", advantage)):
            if isinstance(step, MutableMapping):
                if step.get(name) is None:
                    step[name] = value
            elif getattr(step, name, None) is None:
                setattr(step, name, value)
