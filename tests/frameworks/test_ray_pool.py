"""The pool of judges on Ray, for real: actors, rubrics that score in them, two nodes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import stuck_batch
from processes import alive, eventually

import verifiers_math as vf
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.ray import RewardPool
from verifiers_math.integrations.ray.crew import Crew, Session
from verifiers_math.integrations.trl import reward_funcs

ray = pytest.importorskip("ray", reason="needs the ray extra")

pytestmark = [
    # Ray Data warns of its own settings as it reads their defaults.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    # Ray leaves sockets to the garbage collector with which it has looked for free ports.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]


def score_by(way: Callable[..., Any]) -> list[stuck_batch.Scored]:
    return stuck_batch.score_sync([way])


class SyncActor:
    def score_by(self, way: Callable[..., Any]) -> list[stuck_batch.Scored]:
        return stuck_batch.score_sync([way])


class AsyncActor:
    async def score(self) -> list[stuck_batch.Scored]:
        return await stuck_batch.score_async()


# ---- before there is a cluster


def test_without_ray_the_error_says_what_to_do() -> None:
    assert not ray.is_initialized()
    pool = RewardPool()
    for call in (pool.warm_up, pool.actors, pool.close, lambda: pool.verdict("a", "b")):
        with pytest.raises(RuntimeError, match=r"not initialised.*ray\.init\(\)"):
            call()
    assert not ray.is_initialized()


@pytest.mark.parametrize("option", ["actors_per_node", "chunk_size", "max_in_flight"])
def test_a_number_out_of_range_is_refused(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} must be at least 1, not 0"):
        RewardPool(**{option: 0})


# ---- the judge in Ray's own processes


def test_a_stuck_answer_costs_a_soft_timeout_in_every_kind_of_ray_process(cluster: Any) -> None:
    free = {"num_cpus": 0}
    by_judge, by_rubric = stuck_batch.SYNC
    sync = ray.remote(SyncActor).options(**free).remote()
    threaded = ray.remote(SyncActor).options(**free, max_concurrency=2).remote()
    awaited = ray.remote(AsyncActor).options(**free).remote()
    calls: list[Callable[[], list[Any]]] = [
        lambda: [ray.remote(score_by).options(**free).remote(by_judge)],
        lambda: [sync.score_by.remote(by_rubric)],
        lambda: [threaded.score_by.remote(by_judge), threaded.score_by.remote(by_rubric)],
        lambda: [awaited.score.remote()],
    ]
    # One after the other: an answer that gets no CPU time for three seconds is given up.
    found = [scored for call in calls for batches in ray.get(call()) for scored in batches]
    assert [list(stuck_batch.faults(scored)) for scored in found] == [[]] * 6
    for actor in (sync, threaded, awaited):
        ray.kill(actor)


# ---- the pool


def test_a_stuck_answer_costs_the_pool_a_soft_timeout(pool: RewardPool) -> None:
    start = time.perf_counter()
    verdicts = pool.verdicts(stuck_batch.answers())
    scored = stuck_batch.Scored(verdicts, time.perf_counter() - start)
    assert list(stuck_batch.faults(scored)) == []


def test_all_actors_take_part(pool: RewardPool) -> None:
    before = {actor.pid: actor.judged for actor in pool.actors()}
    assert len(before) == 2
    pool.verdicts([(rf"\boxed{{{i}}}", str(i)) for i in range(4096)])
    gained = [actor.judged - before[actor.pid] for actor in pool.actors()]
    assert sum(gained) == 4096
    assert min(gained) >= 64


async def test_single_and_async_calls_agree(pool: RewardPool) -> None:
    assert (await pool.averdict(r"\boxed{5}", ["4", "5"])).equal
    assert pool.verdict(r"\boxed{5}", "4").status is vf.Status.INCORRECT  # a loop is running
    found = await asyncio.gather(*(pool.averdict(rf"\boxed{{{i}}}", "7") for i in range(20)))
    assert [verdict.equal for verdict in found] == [i == 7 for i in range(20)]
    assert await pool.averdicts([]) == []


async def test_single_calls_travel_together(
    pool: RewardPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    ask = Crew.ask

    async def counted(crew: Crew, method: str, *arguments: Any, **options: Any) -> Any:
        calls.append(method)
        return await ask(crew, method, *arguments, **options)

    monkeypatch.setattr(Crew, "ask", counted)
    found = await asyncio.gather(*(pool.averdict(rf"\boxed{{{i}}}", "7") for i in range(1000)))
    assert [i for i, verdict in enumerate(found) if verdict.equal] == [7]
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda i: pool.verdict(rf"\boxed{{{i}}}", "7"), range(160)))
    assert [i for i, verdict in enumerate(found) if verdict.equal] == [7]
    assert 0 < len(calls) < 300


async def test_a_single_call_that_is_wrong_costs_no_other_its_reward(pool: RewardPool) -> None:
    golds: list[Any] = ["1", threading.Lock(), "1"]
    calls = (pool.averdict(r"\boxed{1}", gold) for gold in golds)
    first, wrong, last = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(wrong, TypeError)
    assert first.equal
    assert last.equal


def test_a_response_of_another_type_is_named_by_its_index(pool: RewardPool) -> None:
    with pytest.raises(TypeError, match=r"response 70: .*not int"):
        pool.verdicts([("a", "1")] * 70 + [(7, "1")])


def test_what_is_wrong_with_a_call_is_said_and_costs_no_place(pool: RewardPool) -> None:
    for _ in range(3 * 8):  # more than may be under way
        with pytest.raises(TypeError, match="lock"):
            pool.verdict(r"\boxed{1}", threading.Lock())
    assert pool.verdict(r"\boxed{1}", "1").equal


def test_settings_travel_with_the_answers(pool: RewardPool) -> None:
    spoken = "The answer is 4."
    lax = RewardPool(answer_judge(strict=False), actors_per_node=2)
    assert lax.verdict(spoken, "4").equal
    assert not pool.verdict(spoken, "4").equal
    assert {actor.pid for actor in lax.actors()} == {actor.pid for actor in pool.actors()}


def test_tasks_and_actors_share_the_pool(pool: RewardPool) -> None:
    def judge_with(given: RewardPool) -> tuple[bool, set[int]]:
        named = RewardPool(actors_per_node=2)  # the same by its name alone
        pids = {actor.pid for actor in (*given.actors(), *named.actors())}
        return given.verdict(r"\boxed{4}", "4").equal, pids

    class Trainer:
        async def reward(self, given: RewardPool) -> bool:
            return (await given.averdict(r"\boxed{4}", "4")).equal

    mine = {actor.pid for actor in pool.actors()}
    trainer = ray.remote(Trainer).options(num_cpus=0).remote()
    task = ray.remote(judge_with).options(num_cpus=0).remote(pool)
    assert ray.get([task, trainer.reward.remote(pool)]) == [(True, mine), True]
    assert pickle.loads(pickle.dumps(pool)).actors() == pool.actors()


async def test_a_cancelled_call_frees_its_place(pool: RewardPool) -> None:
    batch = [(rf"\boxed{{{i}}}", str(i)) for i in range(2000)]
    for _ in range(5):
        call = asyncio.ensure_future(pool.averdicts(batch))
        await asyncio.sleep(0.01)
        call.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await call
    assert all(verdict.equal for verdict in await pool.averdicts(batch))
    assert [seat.taken for seat in pool._crew()._seats] == [0, 0]


async def test_what_an_actor_has_no_place_for_waits(pool: RewardPool) -> None:
    narrow = RewardPool(actors_per_node=2, chunk_size=8, max_in_flight=1)
    batch = [(rf"\boxed{{{i}}}", str(i)) for i in range(800)]
    call = asyncio.ensure_future(narrow.averdicts(batch))
    taken = set()
    while not call.done():
        taken |= {seat.taken for seat in narrow._crew()._seats}
        await asyncio.sleep(0.001)
    assert all(verdict.equal for verdict in await call)
    assert max(taken) == 1


def test_a_killed_actor_loses_nothing(pool: RewardPool) -> None:
    victim = pool.actors()[0]
    batch = stuck_batch.answers()  # its stuck answer keeps an actor busy for a second

    def kill() -> None:
        time.sleep(0.3)
        os.kill(victim.pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    start = time.perf_counter()
    thread.start()
    verdicts = pool.verdicts(batch)
    thread.join()
    scored = stuck_batch.Scored(verdicts, time.perf_counter() - start)
    assert list(stuck_batch.faults(scored)) == []
    after = pool.actors()
    assert len(after) == 2
    assert victim.pid not in {actor.pid for actor in after}  # it was started anew


class Poison:
    """A judge that one answer kills."""

    async def averdicts(self, answers: list[Any]) -> list[vf.Verdict]:
        if any("poison" in answer.response for answer in answers):
            os.kill(os.getpid(), signal.SIGKILL)
        return await answer_judge().averdicts(answers)


def test_an_answer_that_kills_actors_costs_no_other_its_reward(pool: RewardPool) -> None:
    deadly = RewardPool(Poison(), actors_per_node=2, chunk_size=2)  # type: ignore[arg-type] # no judge
    batch = [(rf"\boxed{{{i}}}", str(i)) for i in range(8)]
    batch[6] = ("poison", "6")
    verdicts = deadly.verdicts(batch)
    assert [i for i, verdict in enumerate(verdicts) if not verdict.equal] == [6]
    assert verdicts[6].status is vf.Status.ERROR
    assert "died" in verdicts[6].detail


def test_an_actor_that_cannot_start_is_an_error_and_no_hang(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = RewardPool(name="nowhere", resources={"unobtainium": 1})
    monkeypatch.setattr("verifiers_math.integrations.ray.crew.START_SECONDS", 1.5)
    with pytest.raises(RuntimeError, match=r"no actor of the reward pool 'nowhere' came up.*node"):
        nowhere.verdict(r"\boxed{1}", "1")


def test_closing_ends_the_actors_and_all_their_workers(cluster: Any) -> None:
    with RewardPool(answer_judge(), name="short") as pool:
        pool.warm_up()
        (actor,) = pool.actors()
        below = [pid for pid in children(actor.pid) if alive(pid)]
        assert below
    assert eventually(lambda: not any(alive(pid) for pid in (actor.pid, *below)))
    assert pool.verdict(r"\boxed{1}", "1").equal  # a later batch starts a new one
    assert pool.actors()[0].pid != actor.pid
    pool.close()


SCRIPT = """
import ray, sys
from verifiers_math.integrations.ray import RewardPool
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR", namespace="another")
for detached in (True, False):
    pool = RewardPool(name=f"kept-{detached}", detached=detached)
    print(pool.verdict("\\\\boxed{1}", "1").equal, pool.actors()[0].pid)
"""


def test_a_detached_pool_outlives_the_job_that_made_it(cluster: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, cluster.address], capture_output=True, text=True, check=True
    )
    (judged, kept), (also_judged, gone) = (line.split() for line in done.stdout.splitlines())
    assert judged == also_judged == "True"
    assert eventually(lambda: not alive(int(gone)))
    for detached in (True, False):
        with RewardPool(name=f"kept-{detached}", detached=detached) as pool:
            assert pool.verdict(r"\boxed{1}", "1").equal  # one that is gone is made anew
            assert (pool.actors()[0].pid == int(kept)) is detached
    assert eventually(lambda: not alive(int(kept)))


def children(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found += [child, *children(child)]
    return found


# ---- rubrics


def length(completion: str) -> float:
    return float(len(completion))


def share(completions: list[str]) -> list[float]:
    whole = sum(map(len, completions))
    return [len(completion) / whole for completion in completions]


def note(state: dict[str, Any]) -> float:
    state["seen"] = os.getpid()
    return 0.0


def states() -> list[dict[str, Any]]:
    return [
        {
            "completion": rf"\boxed{{{i}}}" + " " * i,
            "answer": "3",
            "trajectory": [{"reward": None, "advantage": None}],
            "timing": {"total_ms": 5.0},
        }
        for i in range(8)
    ]


@pytest.mark.parametrize("functions", [[length], [length, share]], ids=["each", "group"])
async def test_a_remote_rubric_writes_what_the_rubric_writes(
    pool: RewardPool, functions: list[Any]
) -> None:
    rubric = vf.MathRubric(functions, strict=True, scale_rewards=True)
    remote = RewardPool(actors_per_node=2, chunk_size=3).rubric(rubric)
    here, there = states(), states()
    await rubric.score_group(here)
    await remote.score_group(there)
    for mine, other in zip(here, there, strict=True):
        for key in ("reward", "metrics", "errors", "advantage", "trajectory"):
            assert mine[key] == other[key]
        assert other["verdict"].status == mine["verdict"].status
        assert other["timing"]["scoring_ms"] > 0
    rubric.close()


async def test_what_functions_put_into_a_state_comes_back(pool: RewardPool) -> None:
    remote = pool.rubric(vf.Rubric([note]))
    (state,) = states()[:1]
    await remote.score_rollout(state)
    assert state["seen"] in {actor.pid for actor in pool.actors()}


def test_functions_can_be_added_to_a_remote_rubric(pool: RewardPool) -> None:
    remote = pool.rubric(vf.MathRubric(strict=True))
    remote.add_metric(lambda state, bonus: bonus, weight=0.5)  # a name of its own it has not
    remote.add_class_object("bonus", 2.0)
    state = states()[3]
    remote.score_rollout_sync(state)
    assert state["reward"] == 2.0
    twin = pickle.loads(ray.cloudpickle.dumps(remote))
    state = states()[4]
    twin.score_rollout_sync(state)
    assert state["reward"] == 1.0


def test_a_missing_argument_is_found_before_anything_travels(pool: RewardPool) -> None:
    remote = pool.rubric(vf.Rubric([lambda missing: 0.0]))
    with pytest.raises(vf.MissingArgumentError, match="missing"):
        remote.score_rollout_sync({"completion": "x"})


def test_a_function_that_fails_is_told_apart_or_raises(pool: RewardPool) -> None:
    def broken(completion: str) -> float:
        raise LookupError("no")

    state = states()[0]
    pool.rubric(vf.Rubric([broken, length])).score_rollout_sync(state)
    assert state["errors"] == {"broken": "LookupError: no"}
    assert state["metrics"] == {"broken": 0.0, "length": 9.0}
    with pytest.raises(LookupError, match="no"):
        pool.rubric(vf.Rubric([broken], on_error="raise")).score_rollout_sync(states()[0])


async def test_a_remote_rubric_can_be_in_a_group_and_hold_one(pool: RewardPool) -> None:
    group = vf.RubricGroup([pool.rubric(vf.MathRubric(strict=True)), vf.Rubric([length])])
    mixed, inside = states(), states()
    await group.score_group(mixed)
    both = vf.RubricGroup([vf.MathRubric(strict=True), vf.Rubric([length])])
    await pool.rubric(both).score_group(inside)
    assert [state["reward"] for state in mixed] == [state["reward"] for state in inside]
    assert mixed[3]["metrics"] == {"correct_answer": 1.0, "length": 12.0}


def test_trl_gets_its_functions_from_a_remote_rubric(pool: RewardPool) -> None:
    functions, weights = reward_funcs(pool.rubric(vf.MathRubric([length], strict=True)))
    completions = [r"\boxed{4}", r"\boxed{15}"]
    columns = {"prompts": ["p", "p"], "completions": completions, "answer": ["4", "4"]}
    scores = {f.__name__: f(**columns) for f in functions}
    assert scores == {"length": [9.0, 10.0], "correct_answer": [1.0, 0.0]}
    assert weights == [1.0, 1.0]


# ---- two nodes; the last test, as the second one leaves by a kill


def test_a_node_that_comes_gets_an_actor_and_one_that_goes_loses_nothing(cluster: Any) -> None:
    pool = RewardPool(stuck_batch.judge(), name="nodes", chunk_size=16)
    assert [actor.node_id for actor in pool.actors()] == [Session.current().node_id]
    node = cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
    cluster.wait_for_nodes()
    pool.verdict(r"\boxed{1}", "1")

    def nodes() -> set[str]:
        pool.verdict(r"\boxed{1}", "1")  # using it is what looks for new nodes
        return {seat.node_id for seat in pool._crew()._seats}

    assert eventually(lambda: len(nodes()) == 2)
    other = next(actor for actor in pool.actors() if actor.node_id != Session.current().node_id)
    batch = stuck_batch.answers()
    gone = threading.Timer(0.2, lambda: cluster.remove_node(node, allow_graceful=False))
    start = time.perf_counter()
    gone.start()
    verdicts = pool.verdicts(batch)
    gone.join()
    scored = stuck_batch.Scored(verdicts, time.perf_counter() - start)
    assert list(stuck_batch.faults(scored)) == []
    assert not alive(other.pid)
    assert eventually(lambda: nodes() == {Session.current().node_id})
    pool.close()
