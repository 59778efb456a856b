"""A rubric that scores in a pool's actors, and is used like any other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from verifiers_math.integrations.ray.actor import Changes
from verifiers_math.rubrics import Rubric, RubricGroup
from verifiers_math.rubrics.calling import make_plans
from verifiers_math.rubrics.running import gather
from verifiers_math.rubrics.scores import Scores
from verifiers_math.types import RewardFunc, State

if TYPE_CHECKING:
    from verifiers_math.integrations.ray.pool import RewardPool


class RemoteRubric(Rubric):
    """A rubric whose rollouts are scored by the actors of a pool. Made by `RewardPool.rubric`.

    It is a `Rubric` like the one inside it: `score_rollout`, `score_group` and their sync twins
    write the same results, TRL's plug takes it, and a `RubricGroup` may hold it. Rollouts of a
    group go to several actors, unless a function scores the group as a whole.

    States travel to the actor and back, so they must be picklable. What functions put into a state
    comes back; what they change within an object that was there already does not. A function may
    run again where an actor was lost. The `counts` of a `MathRubric` stay in the actors; the
    verdicts are in the states.

    Args:
        rubric: Scores. Functions and objects are added through this one; what is changed in it
            directly after the first score is not seen.
        pool: Its actors score.
    """

    def __init__(self, rubric: Rubric, pool: RewardPool) -> None:
        self.rubric = rubric
        self.pool = pool
        self._source: _Source | None = None
        super().__init__(
            rubric._get_reward_funcs(),
            rubric._get_reward_weights(),
            rubric.parser,
            on_error=rubric.on_error,
            sync=rubric.sync,
            unscored=rubric.unscored,
            scale_rewards=rubric.scale_rewards,
        )

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_source": None, "_plans": []}  # a reference belongs to its process

    def add_reward_func(self, func: RewardFunc, weight: float = 1.0) -> None:
        """Add a function to the rubric inside.

        Args:
            func: The reward function.
            weight: What its score is multiplied by.

        Raises:
            TypeError: If it cannot be called.
            ValueError: If the weight is not finite.
        """
        self.rubric.add_reward_func(func, weight)
        self.funcs = list(self.rubric._get_reward_funcs())
        self.weights = list(self.rubric._get_reward_weights())
        self._source = None

    def add_class_object(self, name: str, obj: Any) -> None:
        """Offer an object to the functions of the rubric inside.

        Args:
            name: The argument's name.
            obj: What the functions get; it has to be picklable.
        """
        self.rubric.add_class_object(name, obj)
        super().add_class_object(name, obj)
        self._source = None

    def _prepare_all(self) -> None:
        self.rubric._prepare_all()

    async def _evaluate(self, states: Sequence[State]) -> list[Scores]:
        self._prepare_all()  # a missing argument is found before anything travels
        if _needs_whole_group(self.rubric):
            chunks = [states]
        else:
            chunks = self.pool._chunks(states, self.pool._crew().size)
        found = await gather(self._scores(chunk) for chunk in chunks)
        return [scores for part in found for scores in part]

    async def _scores(self, states: Sequence[State]) -> list[Scores]:
        session = self.pool._crew().session
        if self._source is None or self._source.session != session:
            self._source = _Source(self.rubric, session)
        results: list[tuple[Scores, Changes]] = await self.pool._scored(
            self._source.key, [self._source.reference], [dict(state) for state in states]
        )
        for state, (_, changes) in zip(states, results, strict=True):
            state.update(changes)
        return [scores for scores, _ in results]


class _Source:
    """A pickled rubric in Ray's object store, where actors fetch it once."""

    def __init__(self, rubric: Rubric, session: Any) -> None:
        import ray
        from ray import cloudpickle

        pickled = cloudpickle.dumps(rubric)
        self.session = session
        self.key = hashlib.blake2b(pickled, digest_size=16).digest()
        self.reference = ray.put(pickled)


def _needs_whole_group(rubric: Rubric) -> bool:
    """Whether something in the rubric looks at all rollouts of a group at once."""
    if isinstance(rubric, RubricGroup) and any(map(_needs_whole_group, rubric.rubrics)):
        return True
    has_own_way = type(rubric).score_group is not Rubric.score_group
    return has_own_way or any(plan.is_group for plan in make_plans(rubric.funcs))
