from __future__ import annotations

import asyncio
import copy
import itertools
import math
import os
import pickle
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from numbers import Real

import pytest

import verifiers_math as vf
from verifiers_math import symbolic_stage, verifier
from verifiers_math.errors import PoolClosedError
from verifiers_math.workers import Outcome, OutcomeKind

WITHOUT_ALGEBRA = ("identical", "normalized", "number", "math_verify", "normalizer")
UNDECIDED = ("x+1", "1+x")
PATIENCE = 60.0


class StubPool:
    """Stands for the workers: answers what it is told, and counts what it is asked."""

    def __init__(self, kind=OutcomeKind.EQUAL):
        self.kind = kind
        self.detail = ""
        self.asked = []
        self.closed = False
        self.warm = False
        self.gate = None
        self.options = {}

    def __call__(self, max_workers, *, memory_bytes, niceness):  # as the class of pools is called
        self.options = {"max_workers": max_workers, "memory_bytes": memory_bytes}
        return self

    def start(self, gold, answer, *, on_done, **limits):
        if self.closed:
            raise PoolClosedError("closed")
        self.asked.append((gold, answer))
        self.options |= limits
        if self.gate is not None:
            self.gate.wait(PATIENCE)
        done = Future()
        done.add_done_callback(on_done)
        if isinstance(self.kind, BaseException):
            raise self.kind
        done.set_result(Outcome(self.kind, self.options["soft_seconds"], self.detail))
        return done

    def warm_up(self):
        self.warm = True

    def close(self):
        self.closed = True


@pytest.fixture
def pool(monkeypatch):
    stub = StubPool()
    monkeypatch.setattr(symbolic_stage, "WorkerPool", stub)
    return stub


@pytest.fixture
def judge(pool):
    with vf.Verifier(stages=WITHOUT_ALGEBRA) as made:
        yield made


# --- golds and answers of any type ---------------------------------------------------------------


class Whole(int):
    """An integer of a foreign library."""


class Scalar:
    """A real number of a foreign library, which is none of Python's."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value

    def __str__(self):
        return str(self.value)


Real.register(Scalar)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (42, "42"),
        (-1, "-1"),
        (0.5, r"\frac12"),
        (3.0, "3"),
        (1e-7, "0.0000001"),
        (1e22, "10^{22}"),
        (Fraction(1, 3), r"\frac13"),
        (Fraction(4, 2), "2"),
        (Decimal("0.25"), "1/4"),
        (Decimal("1E+3"), "1000"),
        (Whole(7), "7"),
        (Scalar(0.25), "1/4"),
        (True, "yes"),
        (False, "False"),
        ("42", 42),
        ("1/2", 0.5),
        ("1/2", Fraction(1, 2)),
        (42, 42.0),
    ],
)
def test_numbers_of_any_kind_are_read(judge, gold, answer):
    assert judge.equivalent(gold, answer).equal


@pytest.mark.parametrize(
    "gold",
    [
        None, math.nan, math.inf, -math.inf, [5], {"answer": 5}, b"5", object(), 5 + 0j,
        Decimal("NaN"), Decimal("Infinity"), "", "  ", "nan", Scalar(math.nan),
    ],
)  # fmt: skip
def test_a_gold_that_is_no_answer_is_unreadable_and_never_an_exception(judge, gold):
    for verdict in (judge.equivalent(gold, "5"), judge.verify(gold, r"\boxed{5}")):
        assert verdict.status is vf.Status.GOLD_UNREADABLE
        assert not verdict.equal
        assert not verdict.scored


def test_an_integer_too_long_to_print_is_unreadable(judge):
    assert judge.equivalent(10**6000, "5").status is vf.Status.GOLD_UNREADABLE
    assert judge.equivalent("5", 10**6000).status is vf.Status.ANSWER_UNREADABLE


def test_no_answer_and_an_answer_of_a_foreign_type(judge):
    assert judge.verify("5", None).status is vf.Status.NO_ANSWER
    assert judge.equivalent("5", None).status is vf.Status.NO_ANSWER
    assert judge.equivalent("5", [5]).status is vf.Status.ANSWER_UNREADABLE
    assert judge.equivalent("5", math.nan).status is vf.Status.ANSWER_UNREADABLE
    assert judge.verify("5", b"5").status is vf.Status.ANSWER_UNREADABLE


# --- responses -----------------------------------------------------------------------------------


def test_the_answer_is_found_in_the_response_and_told(judge):
    verdict = judge.verify(r"\boxed{\frac12}", r"So it is \boxed{0.5}.")
    assert verdict.equal
    assert (verdict.gold, verdict.answer, verdict.stage) == (r"\frac12", "0.5", "number")


def test_strict_wants_a_box(judge):
    assert judge.verify("4", "x = 4").equal
    assert judge.verify("4", "x = 4", strict=True).status is vf.Status.NO_ANSWER
    assert judge.verify("4", r"\boxed{4}", strict=True).equal


def test_thinking_that_never_ends_has_no_answer(judge):
    assert not judge.verify("4", r"<think>\boxed{4}").equal
    assert judge.verify("4", r"<think>\boxed{3}</think>\boxed{4}").equal
    assert judge.verify("4", r"\boxed{4}").equal


@pytest.mark.parametrize(
    ("prompt", "assume", "equal"),
    [
        ("2+2?", "auto", True),
        ("2+2?<think>\n", "auto", False),
        ([{"role": "user", "content": "2+2?"}], "auto", True),
        ([{"role": "assistant", "content": "<think>"}], "auto", False),
        (None, "auto", True),
        ("2+2?", True, False),
        ("2+2?<think>\n", False, True),
    ],
)
def test_the_prompts_end_tells_whether_the_response_begins_inside_thinking(
    judge, prompt, assume, equal
):
    verdict = judge.verify("4", r"\boxed{4}", prompt=prompt, assume_thinking=assume)
    assert verdict.equal is equal
    closed = judge.verify("4", r"hm</think>\boxed{4}", prompt=prompt, assume_thinking=assume)
    assert closed.equal


@pytest.mark.parametrize(
    "prompt",
    [
        "Expand $(x+1)(x-1)$.",
        [{"role": "user", "content": "Expand $(x+1)(x-1)$."}],
        [{"role": "user", "content": [{"type": "text", "text": "Expand $(x+1)(x-1)$."}]}],
    ],
)
def test_a_restated_question_does_not_count(judge, prompt):
    response = r"\boxed{(x+1)(x-1)}"
    assert judge.verify("x^2-1", response).equal  # the stub calls it equal
    verdict = judge.verify("x^2-1", response, prompt=prompt)
    assert verdict.status is vf.Status.INCORRECT
    assert "restates" in verdict.detail


# --- stages, policies, the verdict ---------------------------------------------------------------


def test_math_verify_alone_gives_its_own_opinion_without_a_veto(pool):
    alone = vf.Verifier(stages=("math_verify",))
    assert alone.equivalent("4", "2x+5 = 13").equal
    assert alone.equivalent("5", "5").stage == "math_verify"
    assert pool.asked == [("4", "2x+5 = 13"), ("5", "5")]


def test_without_math_verify_the_normal_forms_decide_and_no_worker_is_asked(pool):
    pure = vf.Verifier(stages=("identical", "normalized", "number", "normalizer"))
    verdict = pure.equivalent(*UNDECIDED)
    assert verdict.status is vf.Status.INCORRECT
    assert verdict.stage == "normalizer"
    assert pool.asked == []
    pure.warm_up()
    assert not pool.warm


def test_the_policy_may_be_given_for_one_call(judge):
    assert judge.equivalent("25", "25%").equal
    strict = vf.Policy(percent_or_number=False)
    assert not judge.equivalent("25", "25%", policy=strict).equal
    assert not judge.verify("25", r"\boxed{25\%}", policy=strict).equal
    assert judge.equivalent("25", "25%").equal
    assert judge.equivalent("25", "25%", policy=strict).judge != judge.equivalent("25", "25%").judge


@pytest.mark.parametrize(
    "wrong",
    [
        {"stages": ("magic",)},
        {"stages": "number"},
        {"stages": ()},
        {"timeout_seconds": 0},
        {"timeout_seconds": math.nan},
        {"hard_timeout_seconds": -1},
        {"max_workers": 0},
        {"max_workers": 2.5},
        {"memory_bytes": 0},
        {"niceness": "low"},
        {"niceness": math.inf},
        {"isolation": "hope"},
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        vf.Verifier(**wrong)


def test_whole_numbers_may_come_as_floats():
    made = vf.Verifier(memory_bytes=2e9, max_workers=2.0, max_processes=1.0, niceness=3.0)
    given = (made.memory_bytes, made.max_workers, made.max_processes, made.niceness)
    assert given == (2_000_000_000, 2, 1, 3)
    assert all(type(number) is int for number in given)


def test_the_limits_reach_the_pool(pool):
    made = vf.Verifier(
        stages=WITHOUT_ALGEBRA,
        timeout_seconds=0.5,
        hard_timeout_seconds=7,
        max_workers=3,
        memory_bytes=10**9,
    )
    made.equivalent(*UNDECIDED)
    made.warm_up()
    assert pool.warm
    assert pool.options["soft_seconds"] == 0.5
    assert pool.options["hard_seconds"] == 7.0
    assert (pool.options["max_workers"], pool.options["memory_bytes"]) == (3, 10**9)


def test_a_limit_that_is_changed_holds_from_then_on_and_old_timeouts_are_forgotten(judge, pool):
    pool.kind = OutcomeKind.TIMEOUT
    assert not judge.equivalent(*UNDECIDED).cached
    judge.timeout_seconds = judge.timeout_seconds
    assert judge.equivalent(*UNDECIDED).cached
    judge.timeout_seconds, judge.hard_timeout_seconds = 30, 300
    assert not judge.equivalent(*UNDECIDED).cached
    assert (pool.options["soft_seconds"], pool.options["hard_seconds"]) == (30.0, 300.0)
    assert pickle.loads(pickle.dumps(judge)).timeout_seconds == 30.0
    for name in ("timeout_seconds", "hard_timeout_seconds"):
        with pytest.raises(ValueError, match=f"{name} must be a positive number"):
            setattr(judge, name, 0)


@pytest.mark.parametrize(
    ("kind", "status", "kept"),
    [
        (OutcomeKind.EQUAL, vf.Status.CORRECT, True),
        (OutcomeKind.DIFFERENT, vf.Status.INCORRECT, True),
        (OutcomeKind.GOLD_UNREADABLE, vf.Status.GOLD_UNREADABLE, True),
        (OutcomeKind.ANSWER_UNREADABLE, vf.Status.ANSWER_UNREADABLE, True),
        (OutcomeKind.TIMEOUT, vf.Status.TIMEOUT, True),
        (OutcomeKind.HARD_TIMEOUT, vf.Status.TIMEOUT, False),
        (OutcomeKind.MEMORY, vf.Status.LIMIT, True),
        (OutcomeKind.CRASHED, vf.Status.ERROR, False),
        (OutcomeKind.ERROR, vf.Status.ERROR, False),
    ],
)
def test_each_outcome_has_its_status_and_only_what_would_happen_again_is_kept(
    judge, pool, kind, status, kept
):
    pool.kind = kind
    first, second = judge.equivalent(*UNDECIDED), judge.equivalent(*UNDECIDED)
    assert first.status is second.status is status
    assert first.stage == "math_verify"
    assert first.detail
    assert not first.cached
    assert second.cached is kept
    assert len(pool.asked) == (1 if kept else 2)


def test_where_no_worker_is_to_be_had_the_normal_forms_decide(judge, pool):
    pool.kind = OutcomeKind.UNAVAILABLE
    verdict = judge.equivalent(*UNDECIDED)
    assert verdict.status is vf.Status.INCORRECT
    assert verdict.stage == "normalizer"
    pool.kind = OutcomeKind.EQUAL
    assert judge.equivalent(*UNDECIDED).equal  # it was not remembered


def test_where_no_worker_is_to_be_had_the_reason_is_in_the_verdict_and_logged_once(
    judge, pool, caplog
):
    pool.kind, pool.detail = OutcomeKind.UNAVAILABLE, "no fork"
    for answer in ("1+x", "2+x"):
        assert judge.equivalent("x+1", answer).detail.endswith("(no fork)")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "no fork" in record.getMessage()


def test_without_the_normalizer_a_missing_worker_is_an_error(pool):
    pool.kind = OutcomeKind.UNAVAILABLE
    made = vf.Verifier(stages=WITHOUT_ALGEBRA[:-1])
    assert made.equivalent(*UNDECIDED).status is vf.Status.ERROR


def test_a_pool_that_raises_is_an_error_verdict(judge, pool):
    pool.kind = OSError("no more processes")
    with ThreadPoolExecutor(1) as threads:
        verdicts = [threads.submit(judge.equivalent, *UNDECIDED).result()]
    verdicts += judge.verify_many([UNDECIDED])
    for verdict in verdicts:
        assert verdict.status is vf.Status.ERROR
        assert "no more processes" in verdict.detail


@pytest.mark.parametrize("kind", [TimeoutError, type("OutOfTime", (RuntimeError,), {})])
def test_a_time_limit_of_the_trainers_is_not_taken_for_a_fault_of_the_pool(judge, pool, kind):
    pool.kind = kind("of a signal's handler in the main thread")
    with pytest.raises(kind):
        judge.equivalent(*UNDECIDED)
    assert judge.waiting == 0
    pool.kind = OutcomeKind.EQUAL
    assert judge.equivalent(*UNDECIDED).equal


# --- cache and joining ---------------------------------------------------------------------------


def test_a_repeated_pair_comes_out_of_the_cache(judge):
    first, second = judge.equivalent("1/2", "0.5"), judge.equivalent("1/2", "0.5")
    assert first.equal
    assert second.equal
    assert not first.cached
    assert second.cached
    assert first.seconds > 0
    assert second.seconds == 0.0
    assert first.detail == second.detail


def test_the_cache_can_be_turned_off(pool):
    made = vf.Verifier(stages=WITHOUT_ALGEBRA, cache_entries=0)
    made.equivalent(*UNDECIDED)
    assert not made.equivalent(*UNDECIDED).cached
    assert len(pool.asked) == 2


def test_the_cache_is_bounded(pool):
    made = vf.Verifier(cache_entries=10)
    for number in range(100):
        made.equivalent("5", str(number))
    assert len(made._cache) == 10


def test_many_threads_that_ask_for_one_undecided_pair_run_it_once(judge, pool):
    pool.gate = threading.Event()
    verdicts = []
    threads = [
        threading.Thread(target=lambda: verdicts.append(judge.equivalent(*UNDECIDED)))
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    while len(pool.asked) < 1:
        time.sleep(0.001)
    time.sleep(0.05)
    pool.gate.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(verdicts) == 12
    assert all(verdict.equal for verdict in verdicts)
    assert len(pool.asked) == 1


def test_an_interrupted_pair_leaves_nobody_waiting(judge, pool):
    pool.kind = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        judge.equivalent(*UNDECIDED)
    pool.kind = OutcomeKind.EQUAL
    assert judge.equivalent(*UNDECIDED).equal


# --- batches -------------------------------------------------------------------------------------


def test_a_batch_keeps_its_order_and_asks_for_equal_pairs_once(judge, pool):
    pairs = [
        ("x+1", r"\boxed{1+x}"),
        ("4", r"\boxed{4}"),
        ("4", "no idea at all"),
        ("y", r"\boxed{z}"),
    ]
    pool.kind = OutcomeKind.EQUAL
    verdicts = judge.verify_many(iter(pairs * 3))
    assert [verdict.equal for verdict in verdicts] == [True, True, False, True] * 3
    assert [verdict.gold for verdict in verdicts] == ["x+1", "4", "4", "y"] * 3
    assert sorted(pool.asked) == [("x+1", "1+x"), ("y", "z")]
    assert judge.verify_many([]) == []


def test_each_pair_of_a_batch_has_its_own_prompt(judge):
    pairs = [("x^2-1", r"\boxed{(x+1)(x-1)}")] * 2
    verdicts = judge.verify_many(pairs, prompts=["Expand (x+1)(x-1)", "Something else"])
    assert [verdict.equal for verdict in verdicts] == [False, True]


def test_another_number_of_prompts_than_pairs_is_an_error(judge):
    with pytest.raises(ValueError, match="2 pairs but 1 prompts"):
        judge.verify_many([("1", "1"), ("2", "2")], prompts=["p"])


def test_a_quick_pair_is_not_charged_the_time_of_its_batch(judge, pool, monkeypatch):
    pool.gate = threading.Event()
    clock = [1.0]
    result = verifier._result

    def late(begun):
        clock[0] = 8.0
        pool.gate.set()
        return result(begun)

    monkeypatch.setattr("verifiers_math.question.perf_counter", lambda: clock[0])
    monkeypatch.setattr(verifier, "_result", late)
    slow, quick = judge.verify_many([UNDECIDED, ("4", r"\boxed{4}")])
    assert (slow.seconds, quick.seconds) == (7.0, 0.0)


def test_no_pair_of_a_batch_is_charged_what_the_others_take(judge, monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("verifiers_math.question.perf_counter", lambda: float(next(ticks)))
    verdicts = judge.verify_many([(str(n), rf"\boxed{{{n}}}") for n in range(50)])
    assert {verdict.seconds for verdict in verdicts} == {2.0}  # a tick to search, one to decide


# --- asyncio -------------------------------------------------------------------------------------


async def test_the_async_twins_say_the_same(judge):
    assert (await judge.aequivalent("1/2", "0.5")).equal
    assert (await judge.aequivalent(*UNDECIDED)).equal
    assert (await judge.averify("4", r"\boxed{4}", strict=True)).equal
    assert (await judge.averify("4", "word " * 50_000 + r"\boxed{4}")).equal
    verdicts = await judge.averify_many(
        [("4", "4"), UNDECIDED, ("4", "5")], prompts=["a", "b", "c"]
    )
    assert [verdict.equal for verdict in verdicts] == [True, True, False]


async def test_an_undecided_pair_does_not_block_the_loop(judge, pool):
    pool.gate = threading.Event()
    waiting = asyncio.create_task(judge.aequivalent(*UNDECIDED))
    for _ in range(20):
        await asyncio.sleep(0.001)
    assert not waiting.done()
    pool.gate.set()
    assert (await waiting).equal


async def test_a_cancelled_waiter_leaves_the_others_their_verdict(judge, pool):
    pool.gate = threading.Event()
    tasks = [asyncio.create_task(judge.aequivalent(*UNDECIDED)) for _ in range(3)]
    for _ in range(5000):
        if pool.asked:
            break
        await asyncio.sleep(0.001)
    tasks[0].cancel()
    with pytest.raises(asyncio.CancelledError):
        await tasks[0]
    pool.gate.set()
    assert [verdict.equal for verdict in await asyncio.gather(*tasks[1:])] == [True, True]
    assert len(pool.asked) == 1


def test_several_loops_one_after_another_may_use_one_verifier(judge):
    for _ in range(3):
        assert asyncio.run(judge.aequivalent(*UNDECIDED)).equal
        assert asyncio.run(judge.averify_many([UNDECIDED, ("4", "4")]))[1].equal


# --- closing, pickling, forking ------------------------------------------------------------------


def test_a_closed_verifier_still_judges_what_needs_no_worker(judge, pool):
    judge.close()
    judge.close()
    assert pool.closed
    assert judge.equivalent("1/2", "0.5").equal
    assert judge.verify("4", "word " * 50_000 + r"\boxed{4}").equal
    assert judge.equivalent(*UNDECIDED).status is vf.Status.ERROR
    with pytest.raises(PoolClosedError):
        _ = judge.executor


async def test_a_closed_verifier_still_judges_for_a_loop(judge):
    judge.close()
    assert (await judge.averify("4", "word " * 50_000 + r"\boxed{4}")).equal
    verdicts = await judge.averify_many([("4", "4"), UNDECIDED])
    assert [verdict.status for verdict in verdicts] == [vf.Status.CORRECT, vf.Status.ERROR]


def test_closing_ends_the_pairs_under_way(judge, pool):
    pool.gate = threading.Event()
    verdicts = []
    thread = threading.Thread(target=lambda: verdicts.extend(judge.verify_many([UNDECIDED])))
    thread.start()
    while not pool.asked:
        time.sleep(0.001)
    judge.close()
    thread.join(PATIENCE)
    pool.gate.set()
    assert [verdict.status for verdict in verdicts] == [vf.Status.ERROR]


def test_a_copy_has_the_settings_and_workers_of_its_own(pool):
    made = vf.Verifier(vf.Policy(min_significant=3), timeout_seconds=2, stages=WITHOUT_ALGEBRA)
    assert made.equivalent(r"\frac13", "0.333").equal
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert repr(other) == repr(made)
        assert other.policy == made.policy
        verdict = other.equivalent(r"\frac13", "0.333")
        assert verdict.equal
        assert not verdict.cached
        assert other.executor is not made.executor


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_starts_anew_even_while_locks_are_held(judge):
    assert judge.equivalent(*UNDECIDED).equal
    with verifier._lock, judge._cache._lock, judge._symbolic._lock:
        child = os.fork()
        if child == 0:  # no pytest in here: the child ends by _exit
            good = False
            try:
                verdict = judge.verify_many([UNDECIDED])[0]
                good = verdict.equal and not verdict.cached and vf.equivalent("1", "1.0").equal
            finally:
                os._exit(0 if good else 1)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        os.waitpid(child, 0)
        pytest.fail("the child hung on a lock of its parent")
    assert os.waitstatus_to_exitcode(status) == 0


# --- in this process, at module level, and for real ----------------------------------------------


def test_thread_isolation_asks_math_verify_in_this_process(pool, monkeypatch):
    calls = []

    def verify_pair(gold, answer):
        calls.append((gold, answer, threading.current_thread().name))
        return Outcome(OutcomeKind.EQUAL, 0.0)

    monkeypatch.setattr("verifiers_math.workers.symbolic.verify_pair", verify_pair)
    with vf.Verifier(stages=WITHOUT_ALGEBRA, isolation="thread") as made:
        assert made.equivalent(*UNDECIDED).equal
        assert made.verify_many([("y", r"\boxed{z}")])[0].equal
    assert [call[:2] for call in calls] == [UNDECIDED, ("y", "z")]
    assert "verifiers-math" in calls[1][2]
    assert pool.asked == []


@pytest.mark.parametrize(
    ("error", "status"), [(ImportError("gone"), "incorrect"), (ValueError("bad"), "error")]
)
def test_thread_isolation_survives_what_math_verify_raises(pool, monkeypatch, error, status):
    def verify_pair(gold, answer):
        raise error

    monkeypatch.setattr("verifiers_math.workers.symbolic.verify_pair", verify_pair)
    made = vf.Verifier(stages=WITHOUT_ALGEBRA, isolation="thread")
    assert made.equivalent(*UNDECIDED).status == status


def test_the_functions_of_the_module_share_one_verifier():
    assert verifier.default_verifier() is verifier.default_verifier()
    assert vf.equivalent("1/2", "0.5").equal
    assert vf.verify("4", "x = 4").equal
    assert not vf.verify("4", "x = 4", strict=True).equal
    assert [verdict.equal for verdict in vf.verify_many([("4", "4"), ("4", "5")])] == [True, False]


async def test_the_async_functions_of_the_module_share_it_too():
    assert (await verifier.aequivalent("1/2", "0.5")).equal
    assert (await vf.averify("4", "x = 4")).equal
    assert (await vf.averify_many([("4", "4")]))[0].equal


def test_another_verifier_can_be_the_shared_one():
    with vf.Verifier(policy=vf.Policy.strict()) as mine:
        before = verifier.share_verifier(mine)
        try:
            assert verifier.default_verifier() is mine
            assert vf.verify("4", "4").judge.endswith("/strict")
        finally:
            assert verifier.share_verifier(before) is mine
    assert verifier.default_verifier() is not mine


# --- shedding load -------------------------------------------------------------------------------


@pytest.fixture
def busy(pool):
    """A verifier with room for two undecided pairs, whose workers do not answer."""
    pool.gate = threading.Event()
    with vf.Verifier(stages=WITHOUT_ALGEBRA, max_waiting=2) as made:
        yield made
        pool.gate.set()


def begun(made, *pairs):
    """Sets pairs going from threads, and returns once they wait for a worker."""
    threads = [threading.Thread(target=made.equivalent, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    while made.waiting < len(pairs):
        time.sleep(0.001)
    return threads


def test_one_pair_too_many_is_refused_and_costs_nothing_else(busy, pool):
    threads = begun(busy, ("x", "y+1"), ("x", "y+2"))
    with pytest.raises(vf.VerifierBusyError, match="2 pairs wait"):
        busy.equivalent("x", "y+3")
    assert busy.equivalent("1/2", "0.5").equal  # needs no worker
    pool.gate.set()
    for thread in threads:
        thread.join()
    assert busy.waiting == 0
    assert busy.equivalent("x", "y+3").equal


def test_who_asks_for_a_pair_under_way_takes_no_room(busy, pool):
    threads = begun(busy, ("x", "y+1"), ("x", "y+2"))
    joined = threading.Thread(target=busy.equivalent, args=("x", "y+1"))
    joined.start()
    joined.join(0.5)  # time to join those that wait
    assert joined.is_alive()
    pool.gate.set()
    for thread in [*threads, joined]:
        thread.join()
    assert sorted(pool.asked) == [("x", "y+1"), ("x", "y+2")]


def test_answers_that_look_costly_get_half_of_the_room(busy):
    begun(busy, ("x", "y+1"))
    with pytest.raises(vf.VerifierBusyError):
        busy.equivalent("x", "y!+z!")
    begun(busy, ("x", "y+1"), ("x", "y+2"))  # the first of them is under way already


async def test_pairs_in_workers_keep_no_thread_from_the_pure_stages(pool):
    pool.gate = threading.Event()
    with vf.Verifier(stages=WITHOUT_ALGEBRA, max_workers=1) as made:
        waiting = asyncio.ensure_future(made.aequivalent("x", "y+1"))
        while not pool.asked:  # noqa: ASYNC110 - the workers' threads tell nobody
            await asyncio.sleep(0.001)
        assert (await made.averify_many([("4", r"\boxed{4}")]))[0].equal
        assert (await made.averify("4", "word " * 50_000 + r"\boxed{4}")).equal
        pool.gate.set()
        assert (await waiting).equal


async def test_long_answers_are_compared_beside_the_loop(judge, monkeypatch):
    threads = []
    compare = verifier.judge

    def noted(*given):
        threads.append(threading.current_thread())
        return compare(*given)

    monkeypatch.setattr(verifier, "judge", noted)
    assert (await judge.aequivalent("4", "4.0")).equal
    assert (await judge.aequivalent("4", "4" + " " * 1200)).equal
    here = threading.current_thread()
    assert [thread is here for thread in threads] == [True, False]


async def test_batches_take_turns_and_one_that_is_given_up_stops(judge, monkeypatch):
    monkeypatch.setattr(verifier, "_PART", 1)
    order = []
    gate = threading.Event()
    compare = verifier.judge

    def noted(gold, *given):
        order.append(gold)
        gate.wait(PATIENCE)
        return compare(gold, *given)

    monkeypatch.setattr(verifier, "judge", noted)
    given_up = [
        asyncio.ensure_future(judge.averify_many([(f"{name}{i}", "4") for i in range(50)]))
        for name in "ab"
    ]
    while len(order) < 2:  # noqa: ASYNC110 - the threads tell nobody
        await asyncio.sleep(0.001)
    other = asyncio.ensure_future(judge.averify_many([("c", "4")]))
    await asyncio.sleep(0.05)
    for batch in given_up:
        batch.cancel()
    gate.set()
    assert len(await other) == 1
    assert set(order) <= {"a0", "a1", "b0", "b1", "c"}


async def test_a_batch_that_was_refused_is_known_when_it_is_tried_again(busy, pool):
    pairs = [("x", f"y+{number}") for number in range(3)]
    with pytest.raises(vf.VerifierBusyError):
        await busy.averify_many(pairs)
    pool.gate.set()
    while busy.waiting:  # noqa: ASYNC110 - the workers' threads tell nobody
        await asyncio.sleep(0.001)
    verdicts = await busy.averify_many(pairs)
    assert [verdict.cached for verdict in verdicts] == [True, True, False]


def test_a_verifier_counts_what_its_workers_do():
    with vf.Verifier(stages=WITHOUT_ALGEBRA) as made:
        assert (made.stats.pairs, made.stats.workers, made.waiting) == (0, 0, 0)
        assert made.equivalent("x^2+2x+1", "(x+1)^2").equal
        assert (made.stats.pairs, made.stats.workers) == (1, 1)


def test_processes_can_be_bounded_apart_from_the_threads(pool):
    with vf.Verifier(max_processes=1) as made:
        assert pool.options["max_workers"] == 1
        assert made.executor._max_workers == 50


@pytest.mark.parametrize("bad", [0, -1, "many"])
def test_room_for_no_pair_at_all_is_an_error(bad):
    with pytest.raises(ValueError, match="max_waiting must be a whole number from 1 on"):
        vf.Verifier(max_waiting=bad)


def test_real_workers_decide_what_no_pure_stage_can():
    with vf.Verifier(stages=WITHOUT_ALGEBRA) as made:
        verdicts = made.verify_many(
            [("x^2+2x+1", r"\boxed{(x+1)^2}"), ("x^2+2x+1", r"\boxed{(x+2)^2}")]
        )
    assert [verdict.equal for verdict in verdicts] == [True, False]
    assert {verdict.stage for verdict in verdicts} == {"math_verify"}


@pytest.mark.parametrize("pair", [("3", "3", "3"), None, "33", ("3",)])
def test_what_is_no_pair_is_named_with_its_place(pair):
    with pytest.raises(ValueError, match=r"pair 1 is not \(gold, response\)"):
        vf.Verifier().verify_many([("1", "1"), pair])
