"""Single calls gathered into batches, without Ray."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import verifiers_math as vf
from verifiers_math.answers import Answer
from verifiers_math.integrations.ray import RewardPool
from verifiers_math.integrations.ray.crew import Session
from verifiers_math.integrations.ray.gathering import Gathering

PATIENCE = 60.0


class Sender:
    """Doubles numbers, and notes the batches that it got."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.gate = threading.Event()
        self.gate.set()

    async def __call__(self, batch: list[int]) -> list[int]:
        self.batches.append(batch)
        while not self.gate.is_set():  # noqa: ASYNC110 - it is set by another thread
            await asyncio.sleep(0.001)
        if 13 in batch:
            raise LookupError("13")
        return [2 * number for number in batch]


def threads() -> set[threading.Thread]:
    """Those of the gatherings, as threads that other tests have left may end at any time."""
    return {thread for thread in threading.enumerate() if thread.name == "verifiers-math-ray"}


def threads_come_down_to(count: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while len(threads()) > count and time.monotonic() < deadline:
        time.sleep(0.01)
    return len(threads()) == count


@pytest.fixture
def sender() -> Sender:
    return Sender()


@pytest.fixture
def gathering(sender: Sender) -> Iterator[Gathering[int, int]]:
    before = len(threads())
    made = Gathering(sender)
    yield made
    made.close()
    assert threads_come_down_to(before)


async def test_calls_of_one_loop_travel_together(
    gathering: Gathering[int, int], sender: Sender
) -> None:
    promises = [gathering.submit(number) for number in range(14, 500)]
    found = await asyncio.gather(*map(asyncio.wrap_future, promises))
    assert found == [2 * number for number in range(14, 500)]
    assert len(sender.batches) < 50


def test_threads_each_get_their_own_result(gathering: Gathering[int, int], sender: Sender) -> None:
    def ask(number: int) -> bool:
        return gathering.submit(number).result(timeout=30) == 2 * number

    with ThreadPoolExecutor(16) as askers:
        assert all(askers.map(ask, range(14, 300)))
    assert len(sender.batches) < 286


def test_an_item_that_fails_fails_alone(gathering: Gathering[int, int]) -> None:
    promises = [gathering.submit(number) for number in (12, 13, 14)]
    assert promises[0].result(timeout=30) == 24
    assert promises[2].result(timeout=30) == 28
    with pytest.raises(LookupError, match="13"):
        promises[1].result(timeout=30)


def test_what_nobody_waits_for_any_more_is_not_sent(
    gathering: Gathering[int, int], sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifiers_math.integrations.ray.gathering.GATHER_SECONDS", 0.5)
    promises = [gathering.submit(number) for number in (1, 2, 3)]
    assert promises[1].cancel()
    assert promises[0].result(timeout=30) == 2
    assert 2 not in [number for batch in sender.batches for number in batch]


def test_a_slow_batch_holds_up_no_other(gathering: Gathering[int, int], sender: Sender) -> None:
    sender.gate.clear()
    first = gathering.submit(1)
    deadline = time.monotonic() + PATIENCE
    while not sender.batches and time.monotonic() < deadline:
        time.sleep(0.001)
    second = gathering.submit(2)
    while len(sender.batches) < 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    assert sender.batches == [[1], [2]]
    sender.gate.set()
    assert (first.result(timeout=30), second.result(timeout=30)) == (2, 4)


def test_an_item_that_comes_after_the_end_gets_its_result(gathering: Gathering[int, int]) -> None:
    for pause in range(20):
        assert gathering.submit(1).result(timeout=30) == 2
        gathering.close()
        time.sleep(pause / 400)  # shorter than the thread takes to end, then longer


def test_a_pool_in_a_new_session_leaves_no_thread_of_the_old_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def send(answers: list[Answer]) -> list[vf.Verdict]:
        return [vf.equivalent(answer.gold, answer.response) for answer in answers]

    pool = RewardPool(name=f"sessions-{id(send)}")
    before = len(threads())
    for worker in ("first", "second"):
        monkeypatch.setattr(Session, "current", lambda worker=worker: Session("node", worker))
        gathering = pool._crew().gathering(pool.judge, send)
        assert gathering.submit(Answer("4", "4")).result(timeout=30).equal
    assert threads_come_down_to(before + 1)
    pool._crew().dismiss()
    assert threads_come_down_to(before)
