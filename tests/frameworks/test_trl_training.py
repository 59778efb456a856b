"""Real steps of TRL's trainers with the rewards for TRL, on the CPU."""

from __future__ import annotations

import copy
import functools
import importlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the trl extra")

import grpo_addition as example
import pandas as pd
import torch
from datasets import Dataset
from transformers import LlamaForCausalLM, set_seed
from trl import GRPOConfig, GRPOTrainer, RLOOConfig, RLOOTrainer

import verifiers_math as vf
from benchmarks.trl_step import HANGS, HANGS_GOLD
from verifiers_math.integrations.trl import (
    accuracy_reward,
    async_accuracy_reward,
    async_reasoning_accuracy_reward,
    async_reward_funcs,
    reasoning_accuracy_reward,
    reward_funcs,
    rubric_reward,
)

# transformers and TRL tell of their own coming changes; that is not about this package.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

TRAINERS = {"grpo": (GRPOTrainer, GRPOConfig), "rloo": (RLOOTrainer, RLOOConfig)}
GROUP = 4
BATCH = 32


@pytest.fixture(scope="module")
def trained() -> LlamaForCausalLM:
    """A model that is right often enough to have rewards of both kinds."""
    set_seed(0)
    tokenizer = example.make_tokenizer()
    model = example.make_model(tokenizer)
    assert example.warm_up(model, tokenizer, target=0.2) >= 0.2
    return model


@pytest.fixture
def model(trained: LlamaForCausalLM) -> LlamaForCausalLM:
    return copy.deepcopy(trained)


def make_trainer(
    kind: str,
    model: LlamaForCausalLM,
    functions: Any,
    out: Path,
    *,
    rows: Sequence[dict[str, Any]] | None = None,
    conversational: bool = False,
    steps: int = 2,
    **options: Any,
) -> Any:
    trainer_class, config_class = TRAINERS[kind]
    set_seed(0)
    return trainer_class(
        model=model,
        processing_class=example.make_tokenizer(),
        reward_funcs=functions,
        train_dataset=Dataset.from_list(rows or example.sums(conversational=conversational)),
        args=config_class(
            output_dir=str(out),
            max_steps=steps,
            per_device_train_batch_size=BATCH,
            num_generations=GROUP,
            max_completion_length=example.ANSWER_TOKENS,
            learning_rate=1e-4,
            beta=0.0,
            bf16=False,
            use_cpu=True,
            gradient_checkpointing=False,
            dataloader_pin_memory=False,
            logging_steps=1,
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
            **options,
        ),
    )


def train(*arguments: Any, **options: Any) -> list[dict[str, float]]:
    """The numbers logged at each step."""
    trainer = make_trainer(*arguments, **options)
    trainer.train()
    return example.step_logs(trainer)


def completions_table(out: Path, step: int) -> pd.DataFrame:
    return pd.read_parquet(out / "completions" / f"completions_{step:05d}.parquet")


def text_of(completion: Any) -> str:
    return completion if isinstance(completion, str) else completion[-1]["content"]


def stage_shares(entry: dict[str, float]) -> float:
    return sum(value for name, value in entry.items() if name.startswith("judge/stage/"))


# ---- trainers


@pytest.mark.parametrize("conversational", [False, True], ids=["standard", "conversational"])
@pytest.mark.parametrize("reward", [accuracy_reward, async_accuracy_reward])
@pytest.mark.parametrize("kind", TRAINERS)
def test_a_trainer_logs_the_accuracy_and_what_the_judge_did(
    kind: str,
    reward: Callable[..., Any],
    conversational: bool,
    model: LlamaForCausalLM,
    tmp_path: Path,
) -> None:
    trainer = make_trainer(kind, model, reward, tmp_path, conversational=conversational)
    trainer.train()
    logs = example.step_logs(trainer)
    assert [entry["step"] for entry in logs] == [1, 2]
    for entry in logs:
        assert entry[f"rewards/{reward.__name__}/mean"] == pytest.approx(entry["reward"])
        assert 0.0 < entry["reward"] < 1.0
        assert entry["judge/timeout"] == entry["judge/error"] == 0.0
        assert stage_shares(entry) == pytest.approx(1.0)

    table = trainer._logs["extra"]  # of the last batch: what goes to the completions table
    rewards = trainer._logs["rewards"][reward.__name__]
    assert len(rewards) == len(table["judge/gold"]) == BATCH
    assert list(rewards) == [float(status == "correct") for status in table["judge/status"]]
    shares = Counter(table["judge/status"])
    assert logs[-1]["reward"] == pytest.approx(shares["correct"] / BATCH)
    assert logs[-1]["judge/no_answer"] == pytest.approx(shares["no_answer"] / BATCH)
    for completion, answer in zip(trainer._logs["completion"], table["judge/answer"], strict=True):
        assert f"\\boxed{{{answer}" in text_of(completion) or answer == ""


@pytest.mark.parametrize("make", [reward_funcs, async_reward_funcs])
@pytest.mark.parametrize("kind", TRAINERS)
def test_a_rubric_is_scored_once_a_step_and_its_weights_hold(
    kind: str, make: Callable[..., Any], model: LlamaForCausalLM, tmp_path: Path
) -> None:
    sizes = []

    def shortest(completions: list[Any]) -> list[float]:
        """A function of a group: 1.0 for the shortest."""
        sizes.append(len(completions))
        lengths = [len(text_of(completion)) for completion in completions]
        return [float(length == min(lengths)) for length in lengths]

    async def starts_in_a_box(completion: Any) -> float:
        return float(text_of(completion).startswith("\\boxed{"))

    with vf.MathRubric([shortest], weights=[0.25], strict=True) as rubric:
        rubric.add_metric(starts_in_a_box)
        functions, weights = make(rubric)
        logs = train(kind, model, functions, tmp_path, reward_weights=weights, conversational=True)
        assert rubric.counts["total"] == 2 * BATCH
    assert sizes == [GROUP] * (2 * BATCH // GROUP)
    for entry in logs:
        assert entry["reward"] == pytest.approx(
            entry["rewards/correct_answer/mean"] + 0.25 * entry["rewards/shortest/mean"], rel=1e-4
        )
        assert entry["rewards/starts_in_a_box/mean"] > 0.0
        assert entry["errors/shortest"] == entry["errors/correct_answer"] == 0.0
        assert stage_shares(entry) == pytest.approx(1.0)


def test_async_and_sync_functions_of_both_faces_train_side_by_side(
    model: LlamaForCausalLM, tmp_path: Path
) -> None:
    with vf.MathRubric(strict=True) as one, vf.MathRubric(strict=True) as two:
        (sync,), _ = reward_funcs(one)
        (waits,), _ = async_reward_funcs(two)
        waits.__name__ = "awaited"
        (entry,) = train(
            "grpo", model, [sync, async_accuracy_reward, waits, accuracy_reward], tmp_path, steps=1
        )
    means = [entry[f"rewards/{name}/mean"] for name in ("correct_answer", "awaited")]
    assert means == [entry[f"rewards/{twin.__name__}/mean"] for twin in ACCURACY]
    assert 0.0 < means[0] < 1.0


ACCURACY = (accuracy_reward, async_accuracy_reward)
REASONING = (reasoning_accuracy_reward, async_reasoning_accuracy_reward)


@pytest.mark.parametrize("reward", REASONING)
def test_only_what_follows_the_delimiter_is_rewarded(
    reward: Callable[..., Any], model: LlamaForCausalLM, tmp_path: Path
) -> None:
    # The example's model knows no thinking tag; what it writes after "=" counts as thought through.
    never = functools.partial(reward, reasoning_delimiters=["</think>"])
    (entry,) = train("grpo", model, never, tmp_path, steps=1)
    assert entry[f"rewards/{reward.__name__}/mean"] == 0.0
    assert entry["judge/no_answer"] == 1.0


def test_a_gold_that_cannot_be_read_stays_out_of_the_means(
    model: LlamaForCausalLM, tmp_path: Path
) -> None:
    rows = [
        row | {"answer": row["answer"] if place % 2 else None}
        for place, row in enumerate(example.sums())
    ]
    (entry,) = train(
        "grpo", model, accuracy_reward, tmp_path, rows=rows, steps=1, log_completions=True
    )
    table = completions_table(tmp_path, 1)
    unread = table["judge/status"] == "gold_unreadable"
    assert 0 < unread.sum() < BATCH
    assert table["accuracy_reward"][unread].isna().all()
    assert (table["advantage"][unread] == 0.0).all()
    assert entry["reward"] == pytest.approx(table["accuracy_reward"][~unread].mean())
    assert entry["judge/gold_unreadable"] == pytest.approx(unread.mean())


@pytest.mark.parametrize("reward", ACCURACY)
@pytest.mark.parametrize("kind", TRAINERS)
def test_trainers_own_code_survives_the_answer_that_hangs_trls_reward(
    kind: str, reward: Callable[..., Any], model: LlamaForCausalLM, tmp_path: Path
) -> None:
    trainer = make_trainer(kind, model, reward, tmp_path)
    texts = [HANGS, r"\boxed{5}", r"\boxed{6}", "5"]
    rewards = trainer._calculate_rewards(
        [{"prompt": "p", "answer": HANGS_GOLD}] * 4, ["p"] * 4, texts, [[1]] * 4
    )
    assert rewards.tolist() == [[0.0], [1.0], [0.0], [0.0]]
    assert trainer._pending_metrics["judge/timeout"] == [0.25]
    assert trainer._pending_extra_logs["judge/status"] == [
        "timeout",
        "correct",
        "incorrect",
        "no_answer",
    ]


def test_an_error_of_the_input_ends_the_run_with_its_reason(
    model: LlamaForCausalLM, tmp_path: Path
) -> None:
    rows = [{"prompt": row["prompt"], "target": row["answer"]} for row in example.sums()]
    with pytest.raises(
        ValueError, match=r"no column holds the gold: answer, solution, ground_truth.*target"
    ):
        train("grpo", model, accuracy_reward, tmp_path, rows=rows)


# ---- the functions of the trainers that are not run here


def stand_in(functions: list[Any]) -> Any:
    return SimpleNamespace(
        accelerator=SimpleNamespace(device="cpu", gather=lambda tensor: tensor),
        reward_funcs=functions,
        reward_processing_classes=[None] * len(functions),
        reward_weights=torch.ones(len(functions)),
        state=None,
    )


def test_sdpo_online_dpo_and_a2po_call_the_same_functions() -> None:
    from trl.experimental.a2po import A2POTrainer
    from trl.experimental.online_dpo import OnlineDPOTrainer
    from trl.experimental.sdpo import SDPOTrainer

    with vf.MathRubric(strict=True) as rubric:
        functions = [accuracy_reward, *reward_funcs(rubric)[0]]
        prompts, texts, golds = ["p", "p"], [r"\boxed{4}", r"\boxed{5}"], ["4", "4"]
        inputs = [{"prompt": "p", "answer": gold} for gold in golds]
        online = OnlineDPOTrainer._calculate_rewards_from_functions
        assert online(stand_in(functions), prompts, texts, [[1]] * 2, answer=golds).tolist() == [
            2.0,
            0.0,
        ]
        sdpo = SDPOTrainer._calculate_rewards(
            stand_in(functions), inputs, prompts, texts, [[1]] * 2
        )
        assert sdpo.tolist() == [[1.0, 1.0], [0.0, 0.0]]
        a2po = A2POTrainer._calculate_rewards
        assert a2po(stand_in(functions), prompts, texts, answer=golds).tolist() == [2.0, 0.0]


def test_trl_sees_the_names_and_kinds_of_all_functions() -> None:
    from trl.trainer.utils import get_callable_name, is_async_callable

    rubric = vf.MathRubric()
    (sync,), _ = reward_funcs(rubric)
    (waits,), _ = async_reward_funcs(rubric)
    chosen = functools.partial(reasoning_accuracy_reward, reasoning_delimiters=["###"])
    known = {
        "correct_answer": (sync, False),
        "rubric_reward": (rubric_reward(rubric), False),
        "accuracy_reward": (accuracy_reward, False),
        "async_accuracy_reward": (async_accuracy_reward, True),
        "reasoning_accuracy_reward": (chosen, False),
        "async_reasoning_accuracy_reward": (async_reasoning_accuracy_reward, True),
    }
    for name, (function, is_async) in known.items():
        assert get_callable_name(function) == name
        assert is_async_callable(function) is is_async
    assert (get_callable_name(waits), is_async_callable(waits)) == ("correct_answer", True)


# ---- beside trl.rewards


PAIRS = [
    (r"\frac{1}{3}", r"\boxed{\frac{1}{3}}"),
    (r"\frac{1}{3}", r"\boxed{\frac{1}{2}}"),
    (r"$\frac{1}{3}$", r"It is $\boxed{\dfrac{2}{6}}$."),
    (r"So it is $\boxed{12}$.", r"\boxed{12}"),
    ("72", r"\boxed{72}"),
    ("72", "72"),
    ("72", r"\boxed{}"),
    (r"$(1, 2)$", r"\boxed{(1,2)}"),
    (r"$x^2+2x+1$", r"\boxed{(x+1)^2}"),
    ("", r"\boxed{1}"),
]


@pytest.mark.parametrize(("gold", "text"), PAIRS)
def test_plain_pairs_get_what_trls_own_function_gives(gold: str, text: str) -> None:
    from trl import rewards

    completions = [[{"role": "assistant", "content": text}]]
    assert accuracy_reward(completions, [gold]) == rewards.accuracy_reward(completions, [gold])
    thought = [[{"role": "assistant", "content": f"<think>no</think> {text}"}]]
    theirs = rewards.reasoning_accuracy_reward(thought, [gold])
    assert reasoning_accuracy_reward(thought, [gold]) == theirs


# ---- the command line


@pytest.mark.parametrize("script", ["grpo", "rloo"])
def test_the_command_line_trains_with_a_reward_named_by_its_path(
    script: str, model: LlamaForCausalLM, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = importlib.import_module(f"trl.scripts.{script}")
    model.save_pretrained(tmp_path / "model")
    example.make_tokenizer().save_pretrained(tmp_path / "model")
    (tmp_path / "data").mkdir()
    rows = [{"prompt": row["prompt"], "solution": row["answer"]} for row in example.sums()]
    (tmp_path / "data" / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "path", list(sys.path))  # the script puts the directory in front
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    arguments = f"""
        --model_name_or_path {tmp_path / "model"} --dataset_name {tmp_path / "data"}
        --reward_funcs verifiers_math.integrations.trl.accuracy_reward
        --output_dir {out} --max_steps 2 --per_device_train_batch_size {BATCH}
        --num_generations {GROUP} --max_completion_length {example.ANSWER_TOKENS} --beta 0.0
        --bf16 False --use_cpu True --gradient_checkpointing False --logging_steps 1
        --report_to none --save_strategy steps --save_steps 2 --disable_tqdm True
        --dataloader_pin_memory False
    """
    parsed = run.make_parser().parse_args_and_config(arguments.split())
    run.main(*parsed)
    state = json.loads((out / "checkpoint-2" / "trainer_state.json").read_text())
    steps = [entry for entry in state["log_history"] if "reward" in entry]
    assert len(steps) == 2
    for entry in steps:
        assert 0.0 < entry["rewards/accuracy_reward/mean"] < 1.0
        assert stage_shares(entry) == pytest.approx(1.0)
