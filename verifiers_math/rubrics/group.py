"""Several rubrics as one: their rewards are summed."""

from __future__ import annotations

import copy
import functools
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from verifiers_math.checks import check_list, kind_of
from verifiers_math.rubrics.rubric import Rubric
from verifiers_math.rubrics.running import gather
from verifiers_math.rubrics.scores import Scores
from verifiers_math.types import RewardFunc, State


class RubricGroup(Rubric):
    """Rubrics that score the same rollouts, each with its own parser and class objects.

    They score at once, and none sees what another has found, or puts into a state; where several
    put something there under one name, the last one's stays. Rewards are summed, metrics of one
    name are added, and advantages are computed from the sums. Functions given here are scored as
    one more rubric; ``add_reward_func``, ``add_metric`` and ``add_class_object`` go to the first
    rubric, so that what they add sees that one's parser.

    Args:
        rubrics: The rubrics; one that has no functions adds nothing.
        funcs: Reward functions of the group itself.
        weights: A weight for each of them; 1.0 each by default.
        parser: Handed to those of them that ask for it.
        **options: The keywords of `Rubric`: ``on_error``, ``sync``, ``max_concurrency`` and
            ``unscored`` hold for the group's own functions, ``scale_rewards`` for the whole.

    Raises:
        ValueError: If there is no rubric, or as `Rubric` says.
        TypeError: If a member is not a rubric, or as `Rubric` says.

    Examples:
        >>> group = RubricGroup([Rubric([lambda completion: 1.0]), Rubric([lambda answer: 0.5])])
        >>> state = {"prompt": "1 + 1?", "completion": "2", "answer": "2"}
        >>> group.score_rollout_sync(state)
        >>> state["reward"]
        1.5
    """

    def __init__(
        self,
        rubrics: Iterable[Rubric],
        funcs: Iterable[RewardFunc] | None = None,
        weights: Iterable[float] | None = None,
        parser: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(funcs, weights, parser, **options)
        check_list("rubrics", rubrics, "rubrics")
        self.rubrics: list[Rubric] = list(rubrics)
        if not self.rubrics:
            raise ValueError("RubricGroup must have at least one rubric")
        for rubric in self.rubrics:
            if not isinstance(rubric, Rubric):
                raise TypeError(f"a member must be a Rubric, not {kind_of(rubric)}")

    def add_reward_func(self, func: RewardFunc, weight: float = 1.0) -> None:
        """Add a function to the first rubric.

        Args:
            func: The reward function.
            weight: What its score is multiplied by.

        Raises:
            TypeError: If it cannot be called.
            ValueError: If the weight is not finite.
        """
        self.rubrics[0].add_reward_func(func, weight)

    def add_class_object(self, name: str, obj: Any) -> None:
        """Offer an object to the functions of the first rubric and of the group itself.

        Args:
            name: The argument's name.
            obj: What the functions get.
        """
        super().add_class_object(name, obj)
        self.rubrics[0].add_class_object(name, obj)

    def _get_reward_funcs(self) -> list[RewardFunc]:
        return [func for rubric in self.rubrics for func in rubric._get_reward_funcs()] + self.funcs

    def _get_reward_weights(self) -> list[float]:
        weights = [weight for rubric in self.rubrics for weight in rubric._get_reward_weights()]
        return weights + self.weights

    def _prepare_all(self) -> None:
        for rubric in self.rubrics:
            rubric._prepare_all()
        super()._prepare_all()

    async def _evaluate(self, states: Sequence[State]) -> list[Scores]:
        self._prepare_all()  # a member's missing argument is found before any function runs
        before = [dict(state) for state in states]
        own = [super()._evaluate] if self.funcs else []
        ways = [functools.partial(scores_of, rubric) for rubric in self.rubrics] + own
        seen = [[copy.copy(state) for state in states] for _ in ways]
        first, *others = await gather(way(part) for way, part in zip(ways, seen, strict=True))
        for part in others:
            for scores, more in zip(first, part, strict=True):
                scores.add(more)
        for copies in seen:  # in order, whoever was done first
            for state, copied, old in zip(states, copies, before, strict=True):
                state.update(changes(old, copied))
        return first

    async def cleanup(self, state: State) -> None:
        """Let every rubric clean up after a rollout; where one raises, the others do it still.

        Args:
            state: The rollout that is over.

        Raises:
            ExceptionGroup: If any of them raised.
        """
        await _each(lambda rubric: rubric.cleanup(state), self.rubrics, "clean up")

    async def teardown(self) -> None:
        """Tear every rubric down; where one raises, the others are torn down still.

        Raises:
            ExceptionGroup: If any of them raised.
        """
        await _each(lambda rubric: rubric.teardown(), self.rubrics, "tear down")

    def close(self) -> None:
        """Close every rubric; where one raises, the others are closed still.

        Raises:
            ExceptionGroup: If any of them raised.
        """
        errors = []
        for rubric in self.rubrics:
            try:
                rubric.close()
            except Exception as error:  # collected, so that the others have their turn
                errors.append(error)
        _raise_all(errors, "close")


async def _each(
    step: Callable[[Rubric], Awaitable[None]], rubrics: list[Rubric], doing: str
) -> None:
    errors = []
    for rubric in rubrics:
        try:
            await step(rubric)
        except Exception as error:  # collected, so that the others have their turn
            errors.append(error)
    _raise_all(errors, doing)


async def scores_of(rubric: Rubric, states: Sequence[State]) -> list[Scores]:
    """A rubric's scores of some rollouts, which are not written into their states.

    What its functions put into a state is there. A rubric that has its own way of scoring works on
    copies of the states.

    Args:
        rubric: The rubric.
        states: The rollouts.
    """
    kind = type(rubric)
    own_group = kind.score_group is not Rubric.score_group
    if not own_group and kind.score_rollout is Rubric.score_rollout:
        return await rubric._evaluate(states)
    scratch = [_scratch(state) for state in states]
    before = [dict(state) for state in scratch]
    if own_group:
        await rubric.score_group(scratch)
    else:
        await gather(rubric.score_rollout(state) for state in scratch)
    for state, copied, old in zip(states, scratch, before, strict=True):
        found = changes(old, copied)
        state.update({key: found[key] for key in found.keys() - _RESULTS})
    return [
        Scores(
            copied["reward"], dict(copied.get("metrics") or {}), dict(copied.get("errors") or {})
        )
        for copied in scratch
    ]


_RESULTS = frozenset({"reward", "metrics", "errors", "advantage", "timing", "trajectory"})


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What has come into a state or was replaced there; within its values nothing is looked at.

    Args:
        before: The state as it was.
        after: The state as it is.
    """
    return {
        key: value for key, value in after.items() if key not in before or before[key] is not value
    }


def _scratch(state: State) -> State:
    copied = copy.copy(state)
    copied["trajectory"] = []
    if "timing" in copied:
        copied["timing"] = dict.fromkeys(copied["timing"], 0.0)
    return copied


def _raise_all(errors: list[Exception], doing: str) -> None:
    if errors:
        raise ExceptionGroup(f"rubrics failed to {doing}", errors)
