"""The reward function inside verl's own reward loop: loader, managers, workers, batch builder."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import os
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl.protocol", reason="needs verl")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what verl imports tells of coming changes
    import numpy as np
    import ray
    import torch
    from hydra import compose, initialize_config_module
    from omegaconf import DictConfig, open_dict
    from transformers import PreTrainedTokenizerFast
    from verl import DataProto
    from verl.experimental.reward_loop.reward_loop import RewardLoopManager
    from verl.trainer.ppo.metric_utils import process_validation_metrics
    from verl.trainer.ppo.reward import extract_reward, get_custom_reward_fn, load_reward_manager

    from tests.frameworks.character_tokenizer import END, THINK, character_tokenizer

from verifiers_math.integrations import verl as adapter

PACKAGE = "pkg://verifiers_math.integrations.verl"
EXAMPLE = Path(__file__).parent.parent.parent / "examples/verl/train.sh"
MANAGERS = ["naive", "dapo", "gdpo", "rate_limited"]
STUCK = {"response": r"\boxed{\binom{10^9}{10^8}}", "gold": "4"}
"""A row that only computer algebra could decide, and not before the sun burns out."""

pytestmark = [
    # verl and its dependencies tell of coming changes; that is not about this package.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return character_tokenizer()


@functools.cache
def default_config() -> DictConfig:
    with initialize_config_module("verl.trainer.config", version_base=None):
        return compose("ppo_trainer", overrides=["trainer.experiment_name=test"])


def reward_config(name: str = "compute_score", manager: str = "naive", **kwargs: Any) -> DictConfig:
    """verl's default configuration with our reward function."""
    config = copy.deepcopy(default_config())
    with open_dict(config):
        config.reward.custom_reward_function = {
            "path": PACKAGE,
            "name": name,
            "reward_kwargs": kwargs,
        }
        config.reward.reward_manager.name = manager
        config.reward.max_concurrent = 8
    return config


def batch_of(tokenizer: Any, rows: list[dict[str, Any]]) -> DataProto:
    """Rollouts as verl's rollout workers hand them over: prompts padded left, responses right."""
    prompts = [tokenizer(row.get("prompt", "?"))["input_ids"] for row in rows]
    responses = [tokenizer(row["response"] + END)["input_ids"] for row in rows]
    sides = [(prompts, max(map(len, prompts)), True), (responses, max(map(len, responses)), False)]
    (prompt_ids, prompt_mask), (response_ids, response_mask) = (
        padded(texts, width, left) for texts, width, left in sides
    )
    columns = {
        "data_source": [row.get("data_source", "lighteval/MATH") for row in rows],
        "reward_model": [{"style": "rule", "ground_truth": row["gold"]} for row in rows],
        "extra_info": [dict(row.get("extra_info", {})) for row in rows],
    }
    return DataProto.from_dict(
        tensors={
            "prompts": prompt_ids,
            "responses": response_ids,
            "attention_mask": torch.cat([prompt_mask, response_mask], dim=1),
        },
        non_tensors={name: objects(values) for name, values in columns.items()},
    )


def padded(texts: list[list[int]], width: int, left: bool) -> tuple[torch.Tensor, torch.Tensor]:
    rows, masks = [], []
    for ids in texts:
        fill = [0] * (width - len(ids))
        ones = [1] * len(ids)
        rows.append(fill + ids if left else ids + fill)
        masks.append(fill + ones if left else ones + fill)
    return torch.tensor(rows), torch.tensor(masks)


def objects(values: list[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


async def score(config: DictConfig, tokenizer: Any, rows: list[dict[str, Any]]) -> list[dict]:
    """What verl's manager makes of each row, all of them at once."""
    manager = load_reward_manager(config, tokenizer)
    data = batch_of(tokenizer, rows)
    return await asyncio.gather(*(manager.run_single(data[i : i + 1]) for i in range(len(data))))


ROWS = [
    {"response": r"So $x = \boxed{\frac{1}{2}}$.", "gold": "0.5"},
    {"response": r"So $x = \boxed{3}$.", "gold": "0.5"},
    {"response": "So x is 0.5.", "gold": "0.5"},
    {"response": "It is\n#### 1,234", "gold": "1234", "data_source": "openai/gsm8k"},
    {"response": "Thus.\nAnswer: $34$", "gold": '["34"]', "data_source": "math_dapo"},
    {"response": r"\boxed{34}", "gold": np.array(["33", "34"]), "data_source": "own"},
    {"response": r"\boxed{34}", "gold": None},
    {"response": r"<think>\boxed{0.5}", "gold": "0.5"},
]
SCORES = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]


# --- the loader ---------------------------------------------------------------------------------


def test_verl_loads_the_function_from_the_package_and_sees_which_one_is_async() -> None:
    sync = get_custom_reward_fn(reward_config("compute_score"))
    twin = get_custom_reward_fn(reward_config("acompute_score"))
    assert not inspect.iscoroutinefunction(sync)
    assert inspect.iscoroutinefunction(twin)
    assert sync("own", r"\boxed{4}", "4")["score"] == 1.0
    assert asyncio.run(twin("own", r"\boxed{4}", "4"))["score"] == 1.0


@pytest.mark.parametrize("name", ["compute_score", "acompute_score"])
async def test_verl_loads_the_function_from_its_file(name: str, tokenizer: Any) -> None:
    config = reward_config(name)
    config.reward.custom_reward_function.path = adapter.__file__
    results = await score(config, tokenizer, ROWS)
    assert [result["reward_score"] for result in results] == SCORES


def test_options_reach_the_function_and_unknown_ones_are_named() -> None:
    shouted = get_custom_reward_fn(reward_config(strict=False, incorrect_score=-1))
    assert shouted("own", "The answer is 4.", "4")["score"] == 1.0
    assert shouted("own", "The answer is 5.", "4")["score"] == -1.0
    misspelt = get_custom_reward_fn(reward_config(stric=False))
    with pytest.raises(TypeError, match=r"reward_kwargs has no stric;.* strict, policy"):
        misspelt("own", r"\boxed{4}", "4")


# --- the managers -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["compute_score", "acompute_score"])
@pytest.mark.parametrize("manager", MANAGERS)
async def test_every_manager_scores_a_batch(manager: str, name: str, tokenizer: Any) -> None:
    results = await score(reward_config(name, manager), tokenizer, ROWS)
    assert [result["reward_score"] for result in results] == SCORES
    infos = [result["reward_extra_info"] for result in results]
    assert len({tuple(info) for info in infos}) == 1
    assert [info["acc"] for info in infos] == SCORES
    assert [info["gold_unreadable"] for info in infos] == [0.0] * 6 + [1.0, 0.0]
    assert [info["no_answer"] for info in infos] == [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert [info["pred"] for info in infos[:4]] == [r"\frac{1}{2}", "3", "", "1,234"]


async def test_dapos_penalty_for_length_is_added_to_the_score(tokenizer: Any) -> None:
    config = reward_config(manager="dapo")
    response = ROWS[0]["response"]
    with open_dict(config):
        config.reward.reward_kwargs = {
            "max_resp_len": len(response) + 1,
            "overlong_buffer_cfg": {"enable": True, "len": 10, "penalty_factor": 1.0, "log": True},
        }
    (result,) = await score(config, tokenizer, ROWS[:1])
    assert result["reward_score"] == pytest.approx(0.0)
    assert result["reward_extra_info"]["score"] == 1.0
    assert bool(result["reward_extra_info"]["overlong"])


@pytest.mark.parametrize(("name", "gold"), [("compute_score", "4"), ("acompute_score", "5")])
async def test_a_stuck_answer_costs_only_itself(name: str, gold: str, tokenizer: Any) -> None:
    manager = load_reward_manager(reward_config(name, timeout_seconds=1.0), tokenizer)
    data = batch_of(tokenizer, [STUCK | {"gold": gold}] + ROWS[:4] * 4)  # none remembered
    results: dict[int, dict[str, Any]] = {}  # in the order in which they are done

    async def run(row: int) -> None:
        results[row] = await manager.run_single(data[row : row + 1])

    await asyncio.gather(*(run(row) for row in range(len(data))))
    assert [results[row]["reward_score"] for row in range(1, len(data))] == SCORES[:4] * 4
    assert list(results)[-1] == 0
    stuck = results[0]["reward_extra_info"]
    assert (stuck["scored"], stuck["timeout"]) == (0.0, 1.0)


# --- managers of our own ------------------------------------------------------------------------


def prompt_config(manager: str, name: str = "acompute_score") -> DictConfig:
    config = reward_config(name)
    with open_dict(config):
        config.reward.reward_manager.source = "importlib"
        config.reward.reward_manager.name = manager
        config.reward.reward_manager.module.path = f"{PACKAGE}_manager"
    return config


@pytest.mark.parametrize("manager", ["PromptRewardManager", "PromptDAPORewardManager"])
async def test_our_managers_refuse_what_verls_cannot_see(manager: str, tokenizer: Any) -> None:
    rows = [
        {"response": r"\boxed{2+3}", "gold": "5", "prompt": "What is $2+3$?"},
        {"response": r"It may be \boxed{5}", "gold": "5", "prompt": f"What is $2+3$?{THINK}\n"},
        {"response": r"\boxed{5}", "gold": "5", "prompt": "What is $2+3$?"},
    ]
    blind = await score(reward_config("acompute_score"), tokenizer, rows)
    seeing = await score(prompt_config(manager), tokenizer, rows)
    assert [result["reward_score"] for result in blind] == [1.0, 1.0, 1.0]
    assert [result["reward_score"] for result in seeing] == [0.0, 0.0, 1.0]


async def test_our_manager_leaves_the_rows_extra_info_as_it_is(tokenizer: Any) -> None:
    data = batch_of(tokenizer, [ROWS[0] | {"extra_info": {"index": 7}}])
    manager = load_reward_manager(prompt_config("PromptRewardManager"), tokenizer)
    await manager.run_single(data)
    assert data.non_tensor_batch["extra_info"][0] == {"index": 7}
    del data.non_tensor_batch["extra_info"]
    assert (await manager.run_single(data))["reward_score"] == 1.0


# --- what verl makes of the result --------------------------------------------------------------


async def test_validation_lets_equal_spellings_vote_together(tokenizer: Any) -> None:
    spellings = [r"\frac12", r"\dfrac{1}{2}", r"\frac{1}{2}", "3", "4"]
    rows = [{"response": rf"\boxed{{{text}}}", "gold": "1/2"} for text in spellings]
    infos = [r["reward_extra_info"] for r in await score(reward_config(), tokenizer, rows)]
    columns = {key: [info[key] for info in infos] for key in infos[0]}
    metrics = process_validation_metrics(["own"] * 5, ["prompt 0"] * 5, columns)["own"]
    assert metrics["acc"]["mean@5"] == pytest.approx(0.6)
    assert metrics["acc"]["maj@5/mean"] > 0.7  # three lone voices would have 0.6
    assert metrics["timeout"]["mean@5"] == 0.0
    assert "pred" not in metrics


def test_results_without_flags_leave_validation_two_numbers_to_resample() -> None:
    short = get_custom_reward_fn(reward_config(flags=False))("own", r"\boxed{4}", "4")
    assert short == {"score": 1.0, "acc": 1.0, "pred": "4"}


# --- the example --------------------------------------------------------------------------------


async def test_the_examples_overrides_make_a_configuration_that_scores(
    tokenizer: Any, tmp_path: Path
) -> None:
    overrides = overrides_of(EXAMPLE, tmp_path)
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose("ppo_trainer", overrides=overrides)
    assert config.actor_rollout_ref.rollout.n == 4  # what follows the script's name comes last
    assert config.reward.custom_reward_function.reward_kwargs.timeout_seconds == 3
    variables = config.ray_kwargs.ray_init.runtime_env.env_vars
    assert dict(variables) == {"VERIFIERS_MATH_MAX_WORKERS": "2"}  # Ray takes text alone
    results = await score(config, tokenizer, ROWS)
    assert [result["reward_score"] for result in results] == SCORES


def overrides_of(script: Path, folder: Path) -> list[str]:
    """The arguments that the script gives to the trainer, for which a stand-in notes them."""
    stand_in = folder / "python3"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    stand_in.chmod(0o755)
    given = {"MODEL": "model", "TRAIN": "train.parquet", "TEST": "test.parquet"}
    done = subprocess.run(
        ["bash", script, "actor_rollout_ref.rollout.n=4"],
        env=os.environ | given | {"PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    module, *overrides = done.stdout.split("\n")[1:-1]
    assert module == "verl.trainer.main_ppo"
    return overrides


# --- Ray ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A local Ray of two cores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        patch.setenv("VERIFIERS_MATH_MAX_WORKERS", "2")
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


@pytest.fixture(scope="module")
def tokenizer_folder(tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tokenizer")
    tokenizer.save_pretrained(folder)
    return folder


def in_actors(config: DictConfig, folder: Path) -> RewardLoopManager:
    config.actor_rollout_ref.model.tokenizer_path = str(folder)
    config.reward.num_workers = 1
    return RewardLoopManager(config)


@pytest.mark.parametrize(
    ("name", "registered"), [("acompute_score", "naive"), ("compute_score", "remote")]
)
def test_reward_workers_score_a_batch_in_ray(
    name: str, registered: str, cluster: None, tokenizer: Any, tokenizer_folder: Path
) -> None:
    config = reward_config(name, registered, timeout_seconds=0.4)
    manager = in_actors(config, tokenizer_folder)
    data = batch_of(tokenizer, [STUCK, *ROWS])
    scored = manager.compute_rm_score(data)
    rewards, infos = extract_reward(scored)
    assert rewards.shape == data.batch["responses"].shape
    assert rewards.sum(dim=-1).tolist() == [0.0, *SCORES]
    assert list(infos)[:2] == ["score", "acc"]
    assert infos["acc"].tolist() == [0.0, *SCORES]
    assert infos["acc"].dtype == np.float64
    assert infos["pred"].dtype.kind == "U"
    for worker in manager.reward_loop_workers:
        ray.kill(worker)
