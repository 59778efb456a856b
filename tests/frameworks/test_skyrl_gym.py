"""The environment in skyrl-gym's own registry."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import verifiers_math.integrations.skyrl as plug
from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD

skyrl_gym = pytest.importorskip("skyrl_gym", reason="needs skyrl-gym")
metrics = pytest.importorskip("skyrl_gym.metrics", reason="needs skyrl-gym")

QUESTION = [{"role": "user", "content": "What is 12 + 30?"}]


@pytest.fixture
def env_id() -> Iterator[str]:
    plug._math_env.cache_clear()  # another test may have had a stand-in for the base class
    plug.register("verifiers_math_test", policy="strict")
    yield "verifiers_math_test"
    skyrl_gym.envs.deregister("verifiers_math_test")


def make(env_id: str, gold: Any) -> Any:
    """The call in SkyRL's generator; it passes an empty configuration for classes of others."""
    extras = {"reward_spec": {"method": "rule", "ground_truth": gold}, "max_turns": 1}
    return skyrl_gym.make(env_id, env_config={}, extras=extras)


def test_an_episode_runs_through_the_registry(env_id: str) -> None:
    env = make(env_id, "42")
    assert isinstance(env, plug.MathEnv)
    assert env.spec.id == env_id
    assert env.judge.policy.label == "strict"
    assert env.init(QUESTION) == (QUESTION, {})
    output = env.step(r"\boxed{42}")
    assert (output["reward"], output["done"], output["observations"]) == (1.0, True, [])
    env.close()


def test_metrics_are_averaged_over_the_episodes(env_id: str) -> None:
    episodes = [make(env_id, gold) for gold in ("42", "43", None, "41")]
    with ThreadPoolExecutor(4, thread_name_prefix="skyrl-gym-env-") as executor:
        list(executor.map(lambda env: env.step(r"\boxed{42}"), episodes))
    found = metrics.aggregate_for_environment(env_id, [env.get_metrics() for env in episodes])
    assert (found["acc"], found["scored"], found["gold_unreadable"]) == (0.25, 0.75, 0.25)


def test_an_answer_that_needs_a_worker_is_judged(env_id: str) -> None:
    assert make(env_id, NEEDS_WORKER_GOLD).step(NEEDS_WORKER)["reward"] == 1.0
