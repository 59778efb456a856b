"""One stuck answer among 1,024, wherever a trainer may call: it costs one soft timeout, no more.

Each context scores a batch through `AnswerJudge` and another through `MathRubric.score_group`.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import sys
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
import stuck_batch
from processes import eventually, marked
from stuck_batch import Scored

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and reads /proc")
FORK = multiprocessing.get_context("fork")


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Every worker ends with the process that it works for, however that one ends."""
    marker = f"marker-{uuid.uuid4().hex}"
    _start_anew()  # other tests may have workers of these settings, without the marker
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKER_TEST_MARKER", marker)
        yield
    assert marked(marker)  # the workers of this process
    _start_anew()
    assert eventually(lambda: not marked(marker))


def _start_anew() -> None:
    """End the workers that all judges of these settings share in this process."""
    verifier = stuck_batch.judge().verifier
    verifier.close()
    verifier._make_anew()


def in_the_main_thread() -> list[Scored]:
    assert threading.current_thread() is threading.main_thread()
    return stuck_batch.score_sync()


def in_a_daemon_thread_with_a_running_loop() -> list[Scored]:
    """As TRL's trainers await their asynchronous reward functions."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="GRPOTrainer-AsyncLoop", daemon=True)
    thread.start()
    try:
        return asyncio.run_coroutine_threadsafe(stuck_batch.score_async(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def by_sync_calls_in_a_thread_whose_loop_runs() -> list[Scored]:
    async def call() -> list[Scored]:
        return stuck_batch.score_sync()

    return asyncio.run(call())


def in_a_new_loop_for_each_batch() -> list[Scored]:
    """As ms-swift calls its asynchronous rewards."""
    return [scored for _ in range(2) for scored in asyncio.run(stuck_batch.score_async())]


def in_a_daemonic_pool_worker() -> list[Scored]:
    """A daemonic process may not start children by `multiprocessing`."""
    with FORK.Pool(1) as pool:
        assert pool.apply(_is_daemonic)
        return pool.apply(stuck_batch.score_sync)


def in_a_process_pool_executor() -> list[Scored]:
    with ProcessPoolExecutor(1, mp_context=FORK) as executor:
        return executor.submit(stuck_batch.score_sync).result()


def in_a_torch_data_loader_worker() -> list[Scored]:
    data = pytest.importorskip("torch.utils.data", reason="needs torch")
    loader = data.DataLoader(
        _Scoring(), batch_size=None, num_workers=1, multiprocessing_context="fork"
    )
    (scored,) = loader
    return [Scored(*each) for each in scored]


def in_a_forked_child_of_a_process_with_workers() -> list[Scored]:
    stuck_batch.judge().verifier.warm_up()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                pipe.write(pickle.dumps(stuck_batch.score_sync()))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        sent = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    found: list[Scored] = pickle.loads(sent)
    # The parent's own workers are as they were.
    return found + stuck_batch.score_sync()


class _Scoring:
    """A data set of one item, which is a scored batch."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> list[Any]:
        return stuck_batch.score_sync()


def _is_daemonic() -> bool:
    return multiprocessing.current_process().daemon


@pytest.mark.parametrize(
    "context",
    [
        in_the_main_thread,
        in_a_daemon_thread_with_a_running_loop,
        by_sync_calls_in_a_thread_whose_loop_runs,
        in_a_new_loop_for_each_batch,
        in_a_daemonic_pool_worker,
        in_a_process_pool_executor,
        in_a_torch_data_loader_worker,
        in_a_forked_child_of_a_process_with_workers,
    ],
    ids=lambda context: context.__name__,
)
def test_a_stuck_answer_costs_a_soft_timeout_and_no_other_answer_its_reward(
    context: Callable[[], list[Scored]],
) -> None:
    found = context()
    assert len(found) >= 2
    assert [list(stuck_batch.faults(scored)) for scored in found] == [[]] * len(found)
