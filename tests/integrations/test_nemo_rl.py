"""The NeMo-RL worker, called as its math environment calls the workers it has."""

from __future__ import annotations

import logging
import pickle

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.nemo_rl import VerifyWorker


def test_a_chunk_gets_a_number_for_each_response() -> None:
    worker = VerifyWorker()
    responses = [r"\boxed{4}", r"\boxed{5}", "4", NEEDS_WORKER]
    golds = ["4", "4", "4", NEEDS_WORKER_GOLD]
    assert worker.verify(responses, golds) == [1.0, 0.0, 0.0, 1.0]
    rewards, answers = worker.verify(responses[:3], golds[:3], True, math_verify_impl="hf")
    assert rewards == [1.0, 0.0, 0.0]
    assert answers == ["4", "5", None]


def test_what_could_not_be_judged_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    worker = VerifyWorker(answer_judge(timeout_seconds=1))
    with caplog.at_level(logging.WARNING):
        rewards = worker.verify([STUCK, r"\boxed{4}", r"\boxed{4}"], [STUCK_GOLD, None, "4"])
    assert rewards == [0.0, 0.0, 1.0]
    (record,) = caplog.records
    assert record.getMessage().endswith("gold_unreadable 1, timeout 1")


def test_a_chunk_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="'ground_truths' has 1 values for 2 completions"):
        VerifyWorker().verify(["a", "b"], ["1"])


def test_a_worker_pickles_as_ray_wants_it() -> None:
    assert pickle.loads(pickle.dumps(VerifyWorker())).verify([r"\boxed{4}"], ["4"]) == [1.0]
