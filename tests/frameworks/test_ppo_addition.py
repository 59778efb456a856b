"""Real PPO steps of the training example, on the CPU."""

from __future__ import annotations

import csv
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the trl extra, whose example has the model and the task")

import grpo_addition as task
import ppo_addition as example
import torch
from transformers import set_seed

import verifiers_math as vf

# transformers and TRL tell of their own coming changes; that is not about this package.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def make_actor() -> tuple[example.ActorCritic, Any]:
    set_seed(0)
    tokenizer = task.make_tokenizer()
    return example.ActorCritic(task.make_model(tokenizer).eval()), tokenizer


def sampled(rubric: vf.Rubric, size: int = 32) -> tuple[example.ActorCritic, example.Rollouts]:
    actor, tokenizer = make_actor()
    return actor, example.sample(actor, tokenizer, rubric, task.sums()[:size])


def one(state: dict[str, Any]) -> float:
    return 1.0


def test_a_few_steps_log_finite_losses_and_the_metrics_of_the_rubric() -> None:
    actor, tokenizer = make_actor()
    before = [parameter.clone() for parameter in actor.parameters()]
    with task.make_rubric() as rubric:
        logs = example.train(actor, tokenizer, rubric, steps=3, batch_size=32)
        assert rubric.counts["total"] == 3 * 32
    assert [entry["step"] for entry in logs] == [1, 2, 3]
    for entry in logs:
        assert all(math.isfinite(value) for value in entry.values())
        assert entry["reward"] == entry["correct_answer"]
        assert 0.0 <= entry["in_a_box"] <= 1.0
        assert entry["first_ratio"] == pytest.approx(1.0, abs=1e-4)
        assert entry["entropy"] > 0.0
    after = list(actor.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


def test_the_ratio_of_every_token_starts_at_one() -> None:
    actor, batch = sampled(vf.Rubric([one]))
    again, _, _ = actor(batch.tokens, batch.start)
    ratio = (again - batch.log_probs).exp()
    assert torch.allclose(ratio, torch.ones_like(ratio), atol=1e-4)


def test_every_rollout_is_scored_by_the_rubric_with_its_own_gold() -> None:
    def is_gold(completion: str, answer: str, prompt: str) -> float:
        a, b = prompt.rstrip("=").split("+")
        return float(int(a) + int(b) == int(answer))

    with vf.MathRubric([is_gold]) as rubric:
        _, batch = sampled(rubric)
    assert [state["metrics"]["is_gold"] for state in batch.states] == [1.0] * 32
    for state in batch.states:
        assert state["metrics"]["correct_answer"] == state["verdict"].reward
        assert state["reward"] == 1.0 + state["verdict"].reward


def test_the_reward_arrives_at_the_last_token_and_nothing_behind_it() -> None:
    _, batch = sampled(vf.Rubric([one]))
    # The value function knows nothing yet, so that every token has the whole reward before it.
    assert torch.equal(batch.returns, batch.mask)
    assert torch.equal(batch.mask, batch.mask.sort(dim=1, descending=True).values)


def test_without_bias_an_advantage_is_what_came_less_what_was_expected() -> None:
    rewards = torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.5, 0.0]])
    values = torch.tensor([[0.2, 0.4, 0.6], [0.1, 0.3, 9.0]])
    mask = torch.tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    gains = example.advantages(rewards, values, mask)
    assert torch.allclose(gains, torch.tensor([[0.8, 0.6, 0.4], [0.4, 0.2, 0.0]]))


def test_with_lambda_zero_an_advantage_is_the_surprise_of_one_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(example, "LAMBDA", 0.0)
    rewards = torch.tensor([[0.0, 0.0, 1.0]])
    values = torch.tensor([[0.2, 0.5, 0.6]])
    gains = example.advantages(rewards, values, torch.ones(1, 3))
    assert torch.allclose(gains, torch.tensor([[0.3, 0.1, 0.4]]))


def test_an_update_makes_the_rewarded_tokens_likelier() -> None:
    def starts_with_a_box(completion: str) -> float:
        return float(completion.startswith("\\boxed{"))

    actor, tokenizer = make_actor()
    rubric = vf.Rubric([starts_with_a_box])
    logs = example.train(actor, tokenizer, rubric, steps=20, batch_size=64)
    first, last = task.ends([entry["reward"] for entry in logs])
    assert first < 0.4
    assert last > first + 0.3


def test_a_run_that_does_not_rise_fails_and_leaves_its_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "WARM_UP_ACCURACY", 0.02)
    monkeypatch.setattr(example, "BATCH", 32)
    out = tmp_path / "run"
    assert example.main(["--steps", "1", "--out", str(out)]) == 1
    printed = capsys.readouterr()
    assert "The reward has not risen" in printed.err
    assert "mean reward" in printed.out
    assert "PPO" in ET.parse(out / "reward.svg").getroot().attrib["aria-label"]
    with (out / "log.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert {"step", "reward", "correct_answer", "in_a_box", "value_loss"} <= row.keys()
