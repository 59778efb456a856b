"""The actor: a process of the cluster that judges batches for whoever asks."""

from __future__ import annotations

import os
import pickle
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from verifiers_math.answers import Answer, AnswerJudge
from verifiers_math.rubrics import Rubric
from verifiers_math.rubrics.group import changes, scores_of
from verifiers_math.rubrics.scores import Scores
from verifiers_math.workers.cores import MAX_WORKERS_VARIABLE

MOST_RUBRICS = 16
"""The rubrics that an actor keeps between calls; each may have worker processes of its own."""

ACTOR_CONCURRENCY = 32
"""The batches that an actor works on at once. Batches that wait for a stuck answer hold a place."""

_PROTOCOL = 5

Changes = dict[str, Any]


class ActorInfo(NamedTuple):
    """An actor of a pool.

    Attributes:
        name: Its name, unique in the cluster.
        node_id: The node that it runs on.
        pid: Its process.
        judged: The answers and rollouts that this process has judged.
    """

    name: str
    node_id: str
    pid: int
    judged: int


class JudgeActor:
    """Judges batches; many at once, as an async actor.

    Args:
        name: The name that it is found by.
        max_workers: The most worker processes of one verifier in it.
    """

    def __init__(self, name: str, max_workers: int) -> None:
        limit_workers(max_workers)
        self._name = name
        self._judged = 0
        self._rubrics = RubricShelf(MOST_RUBRICS)

    async def ready(self) -> ActorInfo:
        """Answers when the actor runs; by Ray's retries also after it was started anew."""
        import ray

        node = ray.get_runtime_context().get_node_id()
        return ActorInfo(self._name, node, os.getpid(), self._judged)

    async def warm_up(self, judge: AnswerJudge) -> None:
        """Starts the judge's workers."""
        import asyncio

        await asyncio.to_thread(judge.verifier.warm_up)

    async def verdicts(self, judge: AnswerJudge, packed: bytes) -> bytes:
        """Judges a batch.

        Args:
            judge: Judges.
            packed: The answers, by `pack_answers`.

        Returns:
            The verdicts, pickled.
        """
        found = await judge.averdicts(unpack_answers(packed))
        self._judged += len(found)
        return pickle.dumps(found, _PROTOCOL)

    async def scores(
        self, key: bytes, source: Sequence[Any], states: Sequence[dict[str, Any]]
    ) -> list[tuple[Scores, Changes]]:
        """Scores rollouts with a rubric.

        Args:
            key: Tells rubrics apart.
            source: The reference of the pickled rubric, in a list so that Ray hands it over as it
                is: only the first call with this rubric looks into it.
            states: The rollouts.

        Returns:
            The scores of each, and what its functions have put into its state.
        """
        from ray import cloudpickle

        rubric = self._rubrics.take(key)
        if rubric is None:
            rubric = self._rubrics.take_new(key, cloudpickle.loads(await source[0]))
        try:
            before = [dict(state) for state in states]
            found = await scores_of(rubric, states)
        finally:
            self._rubrics.give_back(key)
        self._judged += len(found)
        changed = [changes(old, new) for old, new in zip(before, states, strict=True)]
        return list(zip(found, changed, strict=True))


def pack_answers(answers: Sequence[Answer]) -> bytes:
    """Pickles answers by columns.

    Handed to Ray as they are, answers and verdicts take several times as long, since Ray looks at
    every object by itself.
    """
    return pickle.dumps(tuple(zip(*answers, strict=True)), _PROTOCOL)


def unpack_answers(packed: bytes) -> list[Answer]:
    """The answers that were packed."""
    # Ray itself unpickles whatever the processes of its cluster send each other.
    columns = pickle.loads(packed)  # noqa: S301
    return list(map(Answer, *columns))


def limit_workers(most: int) -> None:
    """Bounds the worker processes of each verifier in this process, unless the user has."""
    os.environ.setdefault(MAX_WORKERS_VARIABLE, str(max(1, most)))


@dataclass(slots=True)
class _Shelved:
    rubric: Rubric
    users: int = 0


class RubricShelf:
    """Rubrics that stay between calls, so that their workers stay warm.

    Those beyond the limit that were not used for longest are closed when nobody uses them.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._shelved: OrderedDict[bytes, _Shelved] = OrderedDict()

    def take(self, key: bytes) -> Rubric | None:
        """The rubric, in use until it is given back; None where it is not here."""
        shelved = self._shelved.get(key)
        if shelved is None:
            return None
        shelved.users += 1
        self._shelved.move_to_end(key)
        return shelved.rubric

    def take_new(self, key: bytes, rubric: Rubric) -> Rubric:
        """Puts a rubric here and takes it, or the one that came to be here meanwhile."""
        shelved = self._shelved.setdefault(key, _Shelved(rubric))
        shelved.users += 1
        return shelved.rubric

    def give_back(self, key: bytes) -> None:
        """Ends a use."""
        self._shelved[key].users -= 1
        idle = [key for key, shelved in self._shelved.items() if not shelved.users]
        for old in idle[: max(0, len(self._shelved) - self._most)]:
            self._shelved.pop(old).rubric.close()
