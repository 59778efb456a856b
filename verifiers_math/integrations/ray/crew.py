"""The actors of a pool as one process sees them: which there are, and who gets the next batch."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, NamedTuple

from verifiers_math.answers import Answer, AnswerJudge
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.integrations.ray.actor import ACTOR_CONCURRENCY, ActorInfo, JudgeActor
from verifiers_math.integrations.ray.gathering import Gathering

NAMESPACE: Final = "verifiers_math"
"""Ray's namespace of all pools, so that jobs of one cluster can share them."""

REFRESH_SECONDS = 10.0
"""How often a process that uses the pool looks for new nodes."""

HURRY_SECONDS = 1.0
"""The same while actors are missing."""

START_SECONDS = 120.0
"""How long a batch waits for a first actor."""

_FAILURES_EACH = 3

SendAnswers = Callable[[list[Answer]], Awaitable[list[Verdict]]]

logger = logging.getLogger(__name__)


class ActorLostError(Exception):
    """An actor died, or its node did, before it had answered."""


class Session(NamedTuple):
    """A process's connection to a cluster.

    Attributes:
        node_id: The node that this process runs on.
        worker_id: What Ray knows this process by.
    """

    node_id: str
    worker_id: str

    @classmethod
    def current(cls) -> Session:
        """The connection of this process.

        Raises:
            RuntimeError: Ray is not installed, or not initialised.
        """
        try:
            import ray
        except ImportError as error:
            raise RuntimeError("Ray is missing: pip install 'verifiers-math[ray]'") from error
        if not ray.is_initialized():
            raise RuntimeError(
                "Ray is not initialised in this process: call ray.init() first, with the address "
                "of the cluster if there is one"
            )
        context = ray.get_runtime_context()
        return cls(context.get_node_id(), context.get_worker_id())


@dataclass(frozen=True)
class Settings:
    """How a pool's actors are made; see `RewardPool`."""

    name: str
    actors_per_node: int
    num_cpus: float
    resources: tuple[tuple[str, float], ...]
    detached: bool
    max_in_flight: int


@dataclass(eq=False, slots=True)
class Seat:
    """One actor, as this process sees it.

    Attributes:
        name: The actor's name.
        node_id: Its node.
        actor: Ray's handle.
        taken: The places that this process has taken there: one for each call under way.
    """

    name: str
    node_id: str
    actor: Any
    taken: int = 0


class Crew:
    """The actors of a pool. Used from any thread and any event loop.

    Every process finds the actors by their names, and makes those that are not there: that is how
    all get the same ones, how new nodes get theirs, and how the dead are replaced. Nothing
    central has to be running for it.

    Args:
        settings: How the actors are made.
        session: This process's connection to the cluster, which handles are bound to.
    """

    def __init__(self, settings: Settings, session: Session) -> None:
        self.settings = settings
        self.session = session
        self._lock = Lock()
        self._refreshing = Lock()
        self._known: dict[str, Seat] = {}
        self._seats: list[Seat] = []  # those of them that answer
        self._waiting: deque[tuple[Future[Seat], int]] = deque()
        self._refresh_at = 0.0
        self._failures = 0
        self._gatherings: dict[AnswerJudge, Gathering[Answer, Verdict]] = {}
        self._reason = "the cluster has no node that the pool could use"

    def gathering(self, judge: AnswerJudge, send: SendAnswers) -> Gathering[Answer, Verdict]:
        """Where single answers for a judge come together, to be sent as batches."""
        with self._lock:
            if judge not in self._gatherings:
                self._gatherings[judge] = Gathering(send)
            return self._gatherings[judge]

    @property
    def size(self) -> int:
        """The actors that answer; 1 until the first one does."""
        return max(1, len(self._seats))

    async def ask(self, method: str, *arguments: Any, alone: bool = False) -> Any:
        """Calls a method of the least busy actor, once one is free.

        Args:
            method: Its name.
            *arguments: Its arguments.
            alone: Whether this process gives the actor nothing else meanwhile, so that nothing
                else is lost if this call kills it.

        Returns:
            What the method returns.

        Raises:
            ActorLostError: The actor was lost. The call may have been carried out, or not.
            RuntimeError: No actor came up.
        """
        from ray.exceptions import RayError

        places = self.settings.max_in_flight if alone else 1
        seat = await self._take(places)
        try:
            reference = getattr(seat.actor, method).remote(*arguments)
        except BaseException:  # what cannot be pickled
            self._give_back(seat, places)
            raise
        promise = reference.future()
        promise.add_done_callback(lambda done: self._done(seat, places, done))
        try:
            # A cancelled caller leaves the call running, and its place taken until it has ended.
            return await asyncio.shield(asyncio.wrap_future(promise))
        except RayError as error:
            if _is_lost(error):
                raise ActorLostError(f"{type(error).__name__}: {error}".strip()) from error
            raise

    def refresh(self) -> None:
        """Finds or makes the actors of every node. Blocks for Ray's answers, not for the actors."""
        import ray

        if not self._refreshing.acquire(blocking=False):
            return  # somebody is at it
        try:
            for node in ray.nodes():
                if node["Alive"] and self._is_usable(node["Resources"]):
                    for number in range(self.settings.actors_per_node):
                        self._employ(node, number)
            with self._lock:
                is_full = bool(self._known) and len(self._seats) == len(self._known)
                pause = REFRESH_SECONDS if is_full else HURRY_SECONDS
                self._refresh_at = time.monotonic() + pause
        finally:
            self._refreshing.release()

    def members(self) -> list[ActorInfo]:
        """Asks every actor about itself, and waits for those that are starting."""
        self.refresh()
        return self._ask_all("ready")

    def warm_up(self, judge: AnswerJudge) -> None:
        """Starts the actors and their workers for a judge, and waits for them.

        Raises:
            RuntimeError: No actor came up.
        """
        self.refresh()
        if not self._ask_all("warm_up", judge):
            raise RuntimeError(self._no_actor())

    def _ask_all(self, method: str, *arguments: Any) -> list[Any]:
        """What every actor answers; those that do not are left out."""
        from ray.exceptions import RayError

        seats = list(self._known.values())
        asked = [_surely(seat, method, *arguments) for seat in seats]
        found = []
        for seat, promise in zip(seats, asked, strict=True):
            try:
                found.append(promise.result(START_SECONDS))
            except (RayError, TimeoutError) as error:
                logger.warning("the actor %s does not answer: %s", seat.name, error)
        return found

    def close(self) -> None:
        """Kills the actors of every node, whoever uses them."""
        import ray

        self.dismiss()
        for node in ray.nodes():
            for number in range(self.settings.actors_per_node):
                try:
                    actor = ray.get_actor(self._name(node["NodeID"], number), NAMESPACE)
                except ValueError:  # there is none
                    continue
                ray.kill(actor, no_restart=True)

    def dismiss(self) -> None:
        """Ends the threads that this process has for the actors, which live on."""
        with self._lock:
            gatherings = list(self._gatherings.values())
        for gathering in gatherings:
            gathering.close()

    # --- who gets the next batch ---------------------------------------------------------------

    async def _take(self, places: int) -> Seat:
        """The least busy actor, with some of its places taken; waits until it has as many."""
        await self._refresh_in_time()
        give_up_at = time.monotonic() + START_SECONDS
        waiter = self._queue(places)
        try:
            waiting = asyncio.wrap_future(waiter)
            while not (await asyncio.wait([waiting], timeout=HURRY_SECONDS))[0]:
                self._check_hope(give_up_at)
                await self._refresh_in_time()
            return waiter.result()
        except BaseException:
            if not waiter.cancel():  # it has come after all
                self._give_back(waiter.result(), places)
            raise

    async def _refresh_in_time(self) -> None:
        if time.monotonic() >= self._refresh_at:
            await asyncio.to_thread(self.refresh)

    def _queue(self, places: int) -> Future[Seat]:
        waiter: Future[Seat] = Future()
        with self._lock:
            self._waiting.append((waiter, places))
        self._serve()
        return waiter

    def _serve(self) -> None:
        """Gives free actors to those who wait longest."""
        served: list[tuple[Future[Seat], Seat]] = []
        with self._lock:
            while self._waiting:
                waiter, places = self._waiting[0]
                seat = self._least_busy(places)
                if seat is None and not waiter.cancelled():
                    break
                self._waiting.popleft()
                if seat is not None and waiter.set_running_or_notify_cancel():
                    seat.taken += places
                    served.append((waiter, seat))
        for waiter, seat in served:  # without the lock, as this wakes others up
            waiter.set_result(seat)

    def _least_busy(self, places: int) -> Seat | None:
        most = self.settings.max_in_flight - places
        free = [seat for seat in self._seats if seat.taken <= most]
        if not free:
            return None
        return min(free, key=lambda seat: (seat.taken, seat.node_id != self.session.node_id))

    def _give_back(self, seat: Seat, places: int) -> None:
        with self._lock:
            seat.taken -= places
        self._serve()

    def _check_hope(self, give_up_at: float) -> None:
        with self._lock:
            is_hopeless = self._failures >= _FAILURES_EACH * max(1, len(self._known))
            if self._seats or not (is_hopeless or time.monotonic() > give_up_at):
                return
            self._failures = 0  # the next batch tries again
        raise RuntimeError(self._no_actor())

    def _no_actor(self) -> str:
        return f"no actor of the reward pool {self.settings.name!r} came up: {self._reason}"

    # --- how actors come and go ----------------------------------------------------------------

    def _is_usable(self, resources: Mapping[str, float]) -> bool:
        wanted = self.settings.resources
        return resources.get("CPU", 0) > 0 and all(
            resources.get(name, 0) >= amount for name, amount in wanted
        )

    def _name(self, node_id: str, number: int) -> str:
        return f"{self.settings.name}/{node_id}/{number}"

    def _employ(self, node: Mapping[str, Any], number: int) -> None:
        name = self._name(node["NodeID"], number)
        with self._lock:
            if name in self._known:
                return
        seat = Seat(name, node["NodeID"], self._actor(name, node))
        with self._lock:
            self._known[name] = seat
        self._await(seat)

    def _actor(self, name: str, node: Mapping[str, Any]) -> Any:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        settings = self.settings
        workers = int(node["Resources"]["CPU"]) // settings.actors_per_node
        options: dict[str, Any] = {
            "name": name,
            "namespace": NAMESPACE,
            "get_if_exists": True,
            "lifetime": "detached" if settings.detached else None,
            "num_cpus": settings.num_cpus,
            "resources": dict(settings.resources),
            "max_restarts": -1,
            "max_concurrency": ACTOR_CONCURRENCY,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
        }
        return ray.remote(JudgeActor).options(**options).remote(name, workers)

    def _await(self, seat: Seat) -> None:
        """Lets an actor take part as soon as it answers.

        Ray's own thread does the rest, so that this depends on nobody's event loop.
        """
        _surely(seat, "ready").add_done_callback(lambda done: self._answered(seat, done))

    def _answered(self, seat: Seat, done: Future[ActorInfo]) -> None:
        error = done.exception()
        with self._lock:
            if error is None:
                self._failures = 0
                # Anywhere, so that not every process prefers the same one.
                self._seats.insert(random.randint(0, len(self._seats)), seat)
            else:  # dead for good: somebody makes it anew, if the node is still there
                self._failures += 1
                self._reason = str(error).strip()
                self._forget(seat)
        self._serve()

    def _done(self, seat: Seat, places: int, done: Future[Any]) -> None:
        if _is_lost(done.exception()):
            with self._lock:
                is_news = seat in self._seats
                if is_news:
                    self._seats.remove(seat)
            if is_news:
                self._await(seat)
        self._give_back(seat, places)

    def _forget(self, seat: Seat) -> None:
        if self._known.get(seat.name) is seat:
            del self._known[seat.name]
        self._refresh_at = min(self._refresh_at, time.monotonic() + HURRY_SECONDS)


def _surely(seat: Seat, method: str, *arguments: Any) -> Future[Any]:
    """Calls an actor, and again when it was started anew, until it answers or is dead for good."""
    call = getattr(seat.actor, method).options(max_task_retries=-1)
    promise: Future[Any] = call.remote(*arguments).future()
    return promise


def _is_lost(error: BaseException | None) -> bool:
    """Whether a call failed since its actor is gone, and not by what it did."""
    from ray import exceptions as ray_errors

    lost = (
        ray_errors.RayActorError,
        ray_errors.WorkerCrashedError,
        ray_errors.OutOfMemoryError,
        ray_errors.ObjectLostError,
        ray_errors.NodeDiedError,
    )
    # A reward function that calls an actor of its own may raise these too, from within the call.
    return isinstance(error, lost) and not isinstance(error, ray_errors.RayTaskError)
