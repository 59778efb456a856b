"""The SkyRL environment over a stand-in for skyrl-gym's base class; see also tests/frameworks."""

from __future__ import annotations

import importlib
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest

import verifiers_math.integrations.skyrl as plug
from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD

QUESTION = [{"role": "user", "content": "What is 12 + 30?"}]


class BaseTextEnv:
    def __init__(self) -> None:
        self.turns = 0
        self.max_turns = 1

    def init(self, prompt: Any) -> Any:
        raise AssertionError("the environment has its own")

    def close(self) -> None:
        pass


@pytest.fixture
def skyrl_gym(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """skyrl-gym's modules as far as the adapter imports them, and what was registered there."""
    registered: list[dict[str, Any]] = []
    package, base = ModuleType("skyrl_gym"), ModuleType("skyrl_gym.envs.base_text_env")
    package.register = lambda **spec: registered.append(spec)  # type: ignore[attr-defined] # a stand-in
    base.BaseTextEnv = BaseTextEnv  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "skyrl_gym", package)
    monkeypatch.setitem(sys.modules, "skyrl_gym.envs", ModuleType("skyrl_gym.envs"))
    monkeypatch.setitem(sys.modules, "skyrl_gym.envs.base_text_env", base)
    plug._math_env.cache_clear()
    yield registered
    plug._math_env.cache_clear()


def make(gold: Any, field: str = "reward_spec", **options: Any) -> Any:
    """As SkyRL's generator makes an environment: found by its path, both arguments by name."""
    creator = getattr(importlib.import_module("verifiers_math.integrations.skyrl"), "MathEnv")  # noqa: B009 - as skyrl-gym does
    extras = {field: {"method": "rule", "ground_truth": gold}, "max_turns": 1}
    return creator(env_config={}, extras=extras, **options)


@pytest.mark.usefixtures("skyrl_gym")
class TestEpisodes:
    @pytest.mark.parametrize("field", ["reward_spec", "reward_model"])
    def test_an_episode_is_one_step(self, field: str) -> None:
        env = make("42", field)
        assert env.init(QUESTION) == (QUESTION, {})
        output = env.step(r"So \boxed{42}")
        assert (output["observations"], output["reward"], output["done"]) == ([], 1.0, True)
        assert output["metadata"]["pred"] == "42"
        assert env.get_metrics()["acc"] == 1.0

    def test_it_is_one_of_skyrls_environments(self) -> None:
        env = make("42")
        assert isinstance(env, BaseTextEnv)
        assert env.max_turns == 1
        assert pickle.loads(pickle.dumps(type(env))) is type(env)

    def test_restating_the_question_is_no_answer(self) -> None:
        env = make("42")
        env.init(QUESTION)
        assert env.step(r"\boxed{12 + 30}")["reward"] == 0.0

    def test_an_unreadable_gold_is_told_by_status_and_metric(self) -> None:
        env = make(None)
        output = env.step(r"\boxed{42}")
        assert (output["reward"], output["metadata"]["status"]) == (0.0, "gold_unreadable")
        assert env.get_metrics()["scored"] == 0.0

    def test_an_episode_without_a_step_has_no_metrics(self) -> None:
        assert make("42").get_metrics() == {}

    def test_options_choose_the_judge(self) -> None:
        assert make("42").step("#### 42")["reward"] == 0.0
        assert make("42", strict="####").step("#### 42")["reward"] == 1.0

    def test_threads_step_at_once_and_a_stuck_one_costs_only_itself(self) -> None:
        given = [(STUCK, STUCK_GOLD), (NEEDS_WORKER, NEEDS_WORKER_GOLD), (r"\boxed{4}", "4")]
        with ThreadPoolExecutor(32, thread_name_prefix="skyrl-gym-env-") as executor:
            steps = [
                executor.submit(make(gold, timeout_seconds=1).step, action)
                for action, gold in given
            ]
            outputs = [step.result(timeout=240) for step in steps]
        assert [output["reward"] for output in outputs] == [0.0, 1.0, 1.0]
        assert outputs[0]["metadata"]["status"] == "timeout"


@pytest.mark.usefixtures("skyrl_gym")
@pytest.mark.parametrize("extras", [{}, {"reward_spec": "42"}, {"reward_spec": {"style": "rule"}}])
def test_a_row_without_gold_is_an_error_when_the_environment_is_made(extras: Any) -> None:
    with pytest.raises(ValueError, match="no ground_truth in reward_spec or reward_model"):
        plug.MathEnv(env_config={}, extras=extras)


def test_registering_names_the_class_by_its_path(skyrl_gym: list[dict[str, Any]]) -> None:
    plug.register(strict="####")
    (spec,) = skyrl_gym
    assert spec == {
        "id": "verifiers_math",
        "entry_point": "verifiers_math.integrations.skyrl:MathEnv",
        "kwargs": {"strict": "####"},
    }


def test_an_unknown_option_fails_when_it_is_registered(skyrl_gym: list[dict[str, Any]]) -> None:
    with pytest.raises(TypeError, match="strickt"):
        plug.register(strickt=True)
    assert skyrl_gym == []


def test_without_skyrl_the_class_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {"skyrl_gym", *sys.modules}:
        if name.partition(".")[0] == "skyrl_gym":  # other tests may have run the real one
            monkeypatch.setitem(sys.modules, name, None)
    plug._math_env.cache_clear()
    with pytest.raises(ImportError, match=r"integrations.skyrl.MathEnv needs skyrl-gym"):
        plug.MathEnv  # noqa: B018 - the access itself is what is tested
    with pytest.raises(AttributeError, match="no attribute 'MathEnw'"):
        plug.MathEnw  # noqa: B018
