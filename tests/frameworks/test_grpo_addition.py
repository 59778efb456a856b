"""Real GRPO steps of the training example, on the CPU."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the trl extra")

import grpo_addition as example
from transformers import set_seed

import verifiers_math as vf

# transformers and TRL tell of their own coming changes; that is not about this package.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def train(rubric: vf.Rubric, out: Path, steps: int = 3, **options: Any) -> list[dict[str, float]]:
    set_seed(0)
    tokenizer = example.make_tokenizer()
    model = example.make_model(tokenizer)
    trainer = example.make_trainer(
        model, tokenizer, rubric, steps=steps, out=out, batch_size=16, **options
    )
    trainer.train()
    return example.step_logs(trainer)


def test_the_tokenizer_reads_its_own_writing() -> None:
    tokenizer = example.make_tokenizer()
    tokens = tokenizer("12+3=\\boxed{15}")["input_ids"]
    assert len(tokens) == 9
    assert tokenizer.decode(tokens) == "12+3=\\boxed{15}"


def test_every_sum_occurs_once() -> None:
    rows = example.sums()
    assert len({row["prompt"] for row in rows}) == len(rows) == 100
    assert {"prompt": "9+9=", "answer": "18"} in rows


def test_the_model_has_a_third_of_a_million_parameters() -> None:
    model = example.make_model(example.make_tokenizer())
    assert 0.25e6 < sum(parameter.numel() for parameter in model.parameters()) < 0.4e6


@pytest.mark.parametrize("conversational", [False, True])
def test_grpo_steps_log_each_function_under_its_own_name(
    conversational: bool, tmp_path: Path
) -> None:
    with example.make_rubric() as rubric:
        logs = train(rubric, tmp_path, conversational=conversational)
    assert [entry["step"] for entry in logs] == [1, 2, 3]
    for entry in logs:
        assert entry["reward"] == pytest.approx(entry["rewards/correct_answer/mean"])
        assert 0.0 <= entry["rewards/in_a_box/mean"] <= 1.0


@pytest.mark.parametrize("conversational", [False, True])
def test_the_reward_that_trl_logs_is_the_rubrics_weighted_sum(
    conversational: bool, tmp_path: Path
) -> None:
    def constant(completion: Any) -> float:
        return 0.5

    def digits(completion: Any) -> float:
        text = completion if isinstance(completion, str) else completion[-1]["content"]
        return float(sum(character.isdigit() for character in text))

    rubric = vf.Rubric([constant, digits], weights=[1.0, 0.25])
    for entry in train(rubric, tmp_path, conversational=conversational):
        assert entry["rewards/constant/mean"] == 0.5
        assert entry["rewards/digits/mean"] > 0.0
        expected = 0.5 + 0.25 * entry["rewards/digits/mean"]
        assert entry["reward"] == pytest.approx(expected, rel=1e-4)


def test_completions_without_a_judgement_stay_out_of_every_mean(tmp_path: Path) -> None:
    def five_without_gold(state: dict[str, Any]) -> float:
        return 5.0 if state["answer"] is None else 1.0

    set_seed(0)
    tokenizer = example.make_tokenizer()
    model = example.make_model(tokenizer)
    with vf.MathRubric([five_without_gold], unscored="none") as rubric:
        trainer = example.make_trainer(
            model, tokenizer, rubric, steps=2, out=tmp_path, batch_size=64
        )
        trainer.train_dataset = trainer.train_dataset.map(
            lambda row, place: {"answer": row["answer"] if place % 2 else None}, with_indices=True
        )
        trainer.train()
    for entry in example.step_logs(trainer):
        assert entry["rewards/five_without_gold/mean"] == 1.0
        assert entry["reward"] == pytest.approx(1.0 + entry["rewards/correct_answer/mean"])


def test_the_warm_up_reaches_its_target() -> None:
    set_seed(0)
    tokenizer = example.make_tokenizer()
    model = example.make_model(tokenizer)
    assert example.warm_up(model, tokenizer, target=0.02, limit=100) >= 0.02


def test_a_run_that_does_not_rise_fails_and_leaves_its_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "WARM_UP_ACCURACY", 0.02)
    out = tmp_path / "run"
    assert example.main(["--steps", "2", "--seed", "1", "--out", str(out)]) == 1
    printed = capsys.readouterr()
    assert "The reward has not risen" in printed.err
    assert "mean reward" in printed.out
    assert ET.parse(out / "reward.svg").getroot().tag.endswith("svg")
    with (out / "log.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["step"] for row in rows] == ["1", "2"]
    assert "rewards/correct_answer/mean" in rows[0]


def test_the_ends_of_a_curve_are_means_of_its_tenths() -> None:
    assert example.ends([0.0] * 10 + [0.5] * 80 + [1.0] * 10) == (0.0, 1.0)
    assert example.ends([0.25]) == (0.25, 0.25)


@pytest.mark.parametrize("steps", ["0", "-3", "many"])
def test_a_senseless_number_of_steps_is_refused(steps: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        example.main(["--steps", steps])
    assert stopped.value.code == 2
