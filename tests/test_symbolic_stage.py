from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from verifiers_math import symbolic_stage
from verifiers_math.equivalence.cost import expected_cost
from verifiers_math.equivalence.verdict import Status
from verifiers_math.symbolic_stage import SymbolicStage
from verifiers_math.workers import Outcome, OutcomeKind


class SlowPool:
    """A pool whose pairs end when the test says so."""

    def __init__(self, *arguments, **options):
        self.begun = []
        self.costs = []
        self.closed = False

    def start(self, gold, answer, *, cost, on_done, **limits):
        self.begun.append(Future())
        self.begun[-1].add_done_callback(on_done)
        self.costs.append(cost)
        return self.begun[-1]

    def close(self):
        self.closed = True


@pytest.fixture
def stage(monkeypatch):
    monkeypatch.setattr(symbolic_stage, "WorkerPool", SlowPool)
    made = SymbolicStage(
        timeout_seconds=1,
        hard_timeout_seconds=2,
        max_workers=2,
        memory_bytes=1,
        isolation="process",
        as_text=True,
    )
    yield made
    made.close()


EQUAL = Outcome(OutcomeKind.EQUAL, 0.0)


def test_pairs_that_ask_while_it_runs_join_it_and_the_next_runs_anew(stage):
    kept = []
    first = stage.ask("g", "a", kept.append, True)
    second = stage.ask("g", "a", kept.append, False)
    other = stage.ask("g", "b", kept.append, True)
    assert second is first
    assert other is not first
    stage._pool.begun[0].set_result(EQUAL)
    assert first.result(1).status is Status.CORRECT
    assert [decision.status for decision in kept] == [Status.CORRECT]
    assert stage.ask("g", "a", kept.append, True) is not first


def test_a_pair_that_was_decided_since_the_caller_looked_is_not_run_again(stage):
    kept = []
    stage.ask("g", "a", kept.append, True)
    stage._pool.begun[0].set_result(EQUAL)
    promise = stage.ask("g", "a", kept.append, True, lambda: kept[0])
    assert promise.result(1) is kept[0]
    assert len(stage._pool.begun) == len(kept) == 1
    assert stage.waiting == 0


@pytest.mark.parametrize("fault", [RuntimeError("broken"), None])
def test_a_pool_that_fails_or_cancels_a_pair_is_an_error_and_not_kept(stage, fault):
    kept = []
    promise = stage.ask("g", "a", kept.append, True)
    begun = stage._pool.begun[0]
    if fault is None:
        begun.cancel()
        begun.set_running_or_notify_cancel()
    else:
        begun.set_exception(fault)
    assert promise.result(1).status is Status.ERROR
    assert kept == []


@pytest.mark.parametrize(
    ("seconds", "kept"), [(0.3, False), (1.0, True), (1.4, True), (3.0, False), (3.2, False)]
)
def test_a_timeout_is_kept_only_where_the_pair_itself_used_up_its_time(stage, seconds, kept):
    found = []
    promise = stage.ask("g", "a", found.append, True)
    stage._pool.begun[0].set_result(Outcome(OutcomeKind.TIMEOUT, seconds))
    assert promise.result(1).status is Status.TIMEOUT
    assert bool(found) is kept


def test_an_outcome_that_comes_after_closing_changes_nothing(stage):
    kept = []
    promise = stage.ask("g", "a", kept.append, True)
    stage.close()
    assert promise.result(1).status is Status.ERROR
    stage._pool.begun[0].set_result(EQUAL)
    assert promise.result(1).status is Status.ERROR


def test_closing_while_pairs_end_never_raises_in_a_thread(stage, monkeypatch):
    faults = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    promises = [stage.ask("g", str(number), lambda _: None, True) for number in range(200)]
    ending = threading.Thread(
        target=lambda: [begun.set_result(EQUAL) for begun in stage._pool.begun]
    )
    ending.start()
    stage.close()
    ending.join()
    assert all(promise.done() for promise in promises)
    assert faults == []


def test_the_pool_is_told_what_a_pair_may_cost(stage):
    stage.ask("4", "2+2", lambda _: None, True)
    stage.ask("4", "9^{9^{9}}", lambda _: None, True)
    assert stage._pool.costs == [expected_cost("2+2"), expected_cost("9^{9^{9}}")]
    assert stage._pool.costs[0] == 0.0 < stage._pool.costs[1]


@pytest.mark.parametrize("answer", [r"\frac{\sqrt{3}}{2}", "x^2+1", "(1, 2)", r"\{1,2,3\}"])
def test_honest_answers_are_expected_to_cost_nothing(answer):
    assert expected_cost(answer) == 0.0


@pytest.mark.parametrize(
    "answer", ["100!", r"\sum_{k=1}^{n} k", "2^{1000}", "123456^7", "x+" * 500, r"\binom{50}{25}"]
)
def test_answers_that_may_run_long_are_expected_to(answer):
    assert expected_cost(answer) > 0.0
