"""The pool: judges on every node of a cluster, behind a handle that any process can hold."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Self, TypeVar

from verifiers_math.answers import Answer, AnswerJudge, answer_judge
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.ray.actor import ActorInfo, pack_answers
from verifiers_math.integrations.ray.crew import ActorLostError, Crew, Session, Settings
from verifiers_math.integrations.ray.rubric import RemoteRubric
from verifiers_math.integrations.rows import error_verdict
from verifiers_math.parsers import assistant_text
from verifiers_math.promise import Promise
from verifiers_math.rubrics import Rubric
from verifiers_math.rubrics.running import gather, run_blocking

LOSSES_IN_COMPANY = 2
"""The actors that a chunk may lose while it shares them; then it gets one for itself. Where it
loses that one too it is halved, so that the answer that kills actors, if it is one, ends alone."""

LOSSES_ALONE = 2
"""The actors that a single answer may lose which it had for itself."""

LEAST_CHUNK = 32
"""What it takes to send a chunk is as much as to judge some dozen answers."""

Item = TypeVar("Item")

logger = logging.getLogger(__name__)


class RewardPool:
    """Judges on every node of a Ray cluster, one actor each by default.

    The pool is known by its name: every process that makes one of the same name, or gets a pickled
    one, uses the same actors, and makes those that are missing. Making it starts nothing; the first
    batch, or `warm_up`, starts the actors. It may be used from any thread, any event loop, tasks
    and actors.

    A batch is cut into chunks, which go to the actors with the least to do. An actor that dies
    loses nothing: its chunks go to another one, and it is started anew. Nodes that come later get
    their actors within seconds, as long as some process uses the pool.

    Args:
        judge: Judges answers; ``answer_judge()`` by default. It travels with each chunk, so one
            pool serves processes with different settings.
        name: What the pool is known by in the whole cluster, across Ray's namespaces.
        actors_per_node: More than one where the judging of a node's share takes more than one
            core; see ``docs/ray.md``.
        num_cpus: The CPUs that each actor reserves with Ray. With 0 it starts also where trainers
            hold all of them.
        resources: Custom resources of Ray that each actor reserves; only nodes that have them get
            actors.
        detached: Whether the actors outlive the process that made them, until `close`.
        chunk_size: The most answers in a chunk.
        max_in_flight: The chunks that this process gives to an actor before it has answered; the
            others wait here.

    Raises:
        ValueError: If a number is out of range.
    """

    def __init__(
        self,
        judge: AnswerJudge | None = None,
        *,
        name: str = "rewards",
        actors_per_node: int = 1,
        num_cpus: float = 0,
        resources: Mapping[str, float] | None = None,
        detached: bool = False,
        chunk_size: int = 256,
        max_in_flight: int = 8,
    ) -> None:
        limits = {
            "actors_per_node": actors_per_node,
            "chunk_size": chunk_size,
            "max_in_flight": max_in_flight,
        }
        for option, value in limits.items():
            if value < 1:
                raise ValueError(f"{option} must be at least 1, not {value}")
        if num_cpus < 0:
            raise ValueError(f"num_cpus must not be negative, not {num_cpus}")
        self.judge = judge or answer_judge()
        self.chunk_size = chunk_size
        self._settings = Settings(
            name=name,
            actors_per_node=actors_per_node,
            num_cpus=num_cpus,
            resources=tuple(sorted((resources or {}).items())),
            detached=detached,
            max_in_flight=max_in_flight,
        )

    @property
    def name(self) -> str:
        """What the pool is known by."""
        return self._settings.name

    def __repr__(self) -> str:
        return f"RewardPool(name={self.name!r}, judge={self.judge!r})"

    # --- judging -------------------------------------------------------------------------------

    def verdict(self, response: Any, gold: Any, prompt: Any = None) -> Verdict:
        """Judges one response; calls from many threads at once travel together.

        Args:
            response: What the model wrote: text, messages, or None.
            gold: The reference answer in any shape that `golds_of` reads.
            prompt: What the model was asked, as text or messages.

        Raises:
            TypeError: If the response is neither text nor messages.
            RuntimeError: If Ray is not initialised, or no actor comes up.
        """
        return self._submit(Answer(response, gold, prompt)).result()

    async def averdict(self, response: Any, gold: Any, prompt: Any = None) -> Verdict:
        """`verdict` for an event loop; calls that wait at once travel together."""
        return await asyncio.wrap_future(self._submit(Answer(response, gold, prompt)))

    def _submit(self, answer: Answer) -> Promise[Verdict]:
        return self._crew().gathering(self.judge, self.averdicts).submit(_as_text(0, answer))

    def verdicts(self, answers: Iterable[Sequence[Any]]) -> list[Verdict]:
        """`averdicts` from sync code; a running event loop is no hindrance."""
        answers = list(answers)
        return run_blocking(lambda: self.averdicts(answers))

    async def averdicts(self, answers: Iterable[Sequence[Any]]) -> list[Verdict]:
        """Judges a batch.

        Args:
            answers: An `Answer` each, or a tuple of response, gold and perhaps prompt.

        Returns:
            The verdicts, in order. An answer on which several actors died has the status ``error``.

        Raises:
            TypeError: If a response is neither text nor messages; the message has its index.
            RuntimeError: If Ray is not initialised, or no actor comes up.
        """
        crew = self._crew()
        texts = [_as_text(index, Answer(*answer)) for index, answer in enumerate(answers)]
        chunks = self._chunks(texts, crew.size)
        found = await gather(self._judged(crew, chunk, 0) for chunk in chunks)
        return [verdict for part in found for verdict in part]

    async def _judged(self, crew: Crew, chunk: Sequence[Answer], losses: int) -> list[Verdict]:
        """Judges a chunk that has lost some actors before."""
        try:
            packed = await crew.ask(
                "verdicts", self.judge, pack_answers(chunk), alone=losses >= LOSSES_IN_COMPANY
            )
            verdicts: list[Verdict] = pickle.loads(packed)  # noqa: S301 - see unpack_answers
            return verdicts
        except ActorLostError as error:
            reason = error
        self._log_loss(reason, len(chunk))
        losses += 1
        if losses <= LOSSES_IN_COMPANY:
            return await self._judged(crew, chunk, losses)
        if len(chunk) > 1:
            half = len(chunk) // 2
            parts = (chunk[:half], chunk[half:])
            found_each = await gather(self._judged(crew, part, losses - 1) for part in parts)
            return [verdict for found in found_each for verdict in found]
        if losses < LOSSES_IN_COMPANY + LOSSES_ALONE:
            return await self._judged(crew, chunk, losses)
        return [error_verdict("ray", f"the actors died that judged it: {reason}")]

    def _chunks(self, items: Sequence[Item], actors: int) -> list[Sequence[Item]]:
        """Parts for the actors: two for each, unless they would be too small or too large."""
        share = max(LEAST_CHUNK, -(-len(items) // (2 * actors)))
        size = min(self.chunk_size, share)
        return [items[start : start + size] for start in range(0, len(items), size)]

    def rubric(self, rubric: Rubric) -> RemoteRubric:
        """A rubric whose rollouts are scored by this pool's actors; see `RemoteRubric`.

        Args:
            rubric: Scores; it has to be picklable.
        """
        return RemoteRubric(rubric, self)

    async def _scored(self, *arguments: Any) -> Any:
        """What an actor's ``scores`` returns; see `RemoteRubric`."""
        crew = self._crew()
        for losses in range(LOSSES_IN_COMPANY + LOSSES_ALONE):
            try:
                return await crew.ask("scores", *arguments, alone=losses >= LOSSES_IN_COMPANY)
            except ActorLostError as error:
                reason = error
                self._log_loss(error, len(arguments[-1]))
        raise RuntimeError(f"the actors died that scored the same rollouts: {reason}") from reason

    def _log_loss(self, error: ActorLostError, amount: int) -> None:
        logger.warning(
            "an actor of the reward pool %r was lost; its %d answers go to another: %s",
            self.name,
            amount,
            error,
        )

    # --- actors --------------------------------------------------------------------------------

    def warm_up(self) -> None:
        """Starts the actors and their workers, and waits until all nodes have theirs.

        Raises:
            RuntimeError: If Ray is not initialised, or no actor comes up.
        """
        self._crew().warm_up(self.judge)

    def actors(self) -> list[ActorInfo]:
        """The actors that there are; those that are missing are started, and waited for.

        Raises:
            RuntimeError: If Ray is not initialised.
        """
        return self._crew().members()

    def close(self) -> None:
        """Kills the pool's actors, whoever uses them; a later batch starts new ones.

        Raises:
            RuntimeError: If Ray is not initialised.
        """
        self._crew().close()
        with _lock:
            _crews.pop(self._settings, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _crew(self) -> Crew:
        """The actors as this process knows them, one `Crew` for all pools that are alike."""
        session = Session.current()
        with _lock:
            crew = _crews.get(self._settings)
            if crew is not None and crew.session != session:  # Ray was shut down meanwhile
                crew.dismiss()
                crew = None
            if crew is None:
                crew = _crews[self._settings] = Crew(self._settings, session)
            return crew


_crews: dict[Settings, Crew] = {}
_lock = Lock()


def _as_text(index: int, answer: Answer) -> Answer:
    """The answer without the messages around its text, which need not travel."""
    if isinstance(answer.response, str):
        return answer
    try:
        return answer._replace(response=assistant_text(answer.response) or "")
    except TypeError as error:
        raise TypeError(f"response {index}: {error}") from error
