"""The oat oracle, called as oat 0.2.4's actors call theirs, and in daemonic processes."""

from __future__ import annotations

import functools
import multiprocessing
import pickle

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.oat import MathOracle

torch = pytest.importorskip("torch", reason="needs torch, which oat's rewards are tensors of")


def test_a_batch_gives_a_tensor_and_a_dict_for_each_response() -> None:
    oracle = MathOracle("qwen_math", "fast", 1.0, 0.0)
    rewards, infos = oracle.get_reward(
        ["2+2?"] * 4, [r"\boxed{4}", r"\boxed{5}", "4", NEEDS_WORKER], ["4"] * 3 + ["1/3"]
    )
    assert rewards.dtype == torch.float32
    assert rewards.reshape(2, 2).tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert [info["formatted"] for info in infos] == [True, True, False, True]


def test_rewards_are_those_of_the_configuration() -> None:
    oracle = MathOracle(correct_reward=2.0, incorrect_reward=-1.0)
    rewards, _ = oracle.get_reward(["q"] * 2, [r"\boxed{4}", r"\boxed{5}"], ["4", "4"])
    assert rewards.tolist() == [2.0, -1.0]


def test_an_unreadable_gold_is_told_by_its_dict_and_the_tensor_stays_finite() -> None:
    rewards, (info,) = MathOracle().get_reward(["q"], [r"\boxed{4}"], [None])
    assert rewards.isfinite().all()
    assert (info["status"], info["scored"]) == ("gold_unreadable", 0.0)


@pytest.mark.parametrize("template", ["r1", "r1_distill_qwen"])
def test_templates_that_open_the_thinking_want_its_end(template: str) -> None:
    rewards, infos = MathOracle(template).get_reward(
        ["q"] * 2, [r"maybe \boxed{4}", r"so </think> <answer> \boxed{4} </answer>"], ["4"] * 2
    )
    assert rewards.tolist() == [0.0, 1.0]
    assert [info["formatted"] for info in infos] == [False, True]


def test_comparing_gives_an_array_for_evaluation() -> None:
    rewards, infos = MathOracle().compare(["q"] * 2, [r"\boxed{4}", "4"], ["4", "4"])
    assert rewards.tolist() == [1.0, 0.0]
    assert len(infos) == 2


def test_lists_of_different_lengths_are_an_error() -> None:
    with pytest.raises(ValueError, match="'references' has 1 values for 2 completions"):
        MathOracle().get_reward(["q"] * 2, ["a", "b"], ["4"])
    with pytest.raises(ValueError, match="'references' is a NoneType"):
        MathOracle().get_reward(["q"], ["a"], None)  # type: ignore[arg-type] # no list


def in_a_daemon(oracle: MathOracle) -> tuple[bool, list[tuple[float, str]]]:
    rewards, infos = oracle.get_reward(
        ["q"] * 3, [NEEDS_WORKER, STUCK, r"\boxed{4}"], [NEEDS_WORKER_GOLD, STUCK_GOLD, "4"]
    )
    statuses = [info["status"] for info in infos]
    daemonic = multiprocessing.current_process().daemon
    return daemonic, list(zip(rewards.tolist(), statuses, strict=True))


def test_it_judges_in_daemonic_processes() -> None:
    oracle = MathOracle(judge=answer_judge(timeout_seconds=1))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        daemonic, found = pool.apply_async(in_a_daemon, (oracle,)).get(timeout=120)
    assert daemonic
    assert found == [(1.0, "correct"), (0.0, "timeout"), (1.0, "correct")]


def test_an_oracle_pickles_with_its_judge() -> None:
    judge = answer_judge(policy="strict")
    oracle = pickle.loads(pickle.dumps(functools.partial(MathOracle, judge=judge)()))
    assert oracle.judge is judge
