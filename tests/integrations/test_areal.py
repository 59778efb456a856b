"""The AReaL adapter, called as AReaL 1.0.4's rollout workflows call a reward function."""

from __future__ import annotations

import functools
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.errors import UnscoredError
from verifiers_math.integrations.areal import TIMEOUT_SECONDS, reward_fn

ROW = {"messages": [{"role": "user", "content": "2+2?"}], "answer": "4", "query_id": "7"}


def call(completion: str, gold: object, prompt: str = "2+2?") -> float:
    """The one call in AReaL's RLVRWorkflow: four positional arguments and the row."""
    return reward_fn(prompt, completion, [1, 2], [3, 4], **ROW | {"answer": gold})


def test_a_completion_gets_a_number() -> None:
    assert call(r"So \boxed{4}<|im_end|>", "4") == 1.0
    assert call(r"So \boxed{5}<|im_end|>", "4") == 0.0
    assert call("So 4", "4") == 0.0


def test_a_template_that_opens_the_thinking_is_seen_in_the_prompt() -> None:
    assert call(r"maybe \boxed{4}", "4", "2+2?<|im_end|><think>\n") == 0.0
    assert call(r"maybe 5 </think> \boxed{4}", "4", "2+2?<|im_end|><think>\n") == 1.0


def test_an_unreadable_gold_raises_instead_of_a_zero() -> None:
    with pytest.raises(UnscoredError, match="gold_unreadable"):
        call(r"\boxed{4}", None)


def test_a_row_without_gold_is_an_error_that_names_its_columns() -> None:
    with pytest.raises(ValueError, match="there are messages, query_id"):
        reward_fn("p", r"\boxed{4}", [], [], messages=[], query_id="7")


def test_the_limit_ends_before_areal_stops_waiting() -> None:
    areals_limit, backstop = 15.0, 3
    assert TIMEOUT_SECONDS * backstop < areals_limit


def test_it_works_in_the_workers_of_a_process_pool_and_errors_come_back() -> None:
    rm = functools.partial(reward_fn, judge=answer_judge(timeout_seconds=1))
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as executor:
        stuck = executor.submit(functools.partial(rm, "p", STUCK, [], [], answer=STUCK_GOLD))
        hard = executor.submit(
            functools.partial(rm, "p", NEEDS_WORKER, [], [], answer=NEEDS_WORKER_GOLD)
        )
        with pytest.raises(UnscoredError, match="timeout: "):
            stuck.result(timeout=240)
        assert hard.result(timeout=240) == 1.0
