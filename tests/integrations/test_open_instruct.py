"""The open-instruct verifier over stand-ins for the two classes that it builds on."""

from __future__ import annotations

import asyncio
import pickle
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import verifiers_math.integrations.open_instruct as plug
from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD, STUCK, STUCK_GOLD
from verifiers_math.answers import answer_judge


@dataclass
class VerificationResult:
    score: float
    cost: float = 0.0
    reasoning: str | None = None


class VerifierFunction(ABC):
    def __init__(self, name: str, weight: float = 1.0, verifier_config: Any = None) -> None:
        self.name = name
        self.weight = weight
        self.verifier_config = verifier_config

    @abstractmethod
    def __call__(
        self,
        tokenized_prediction: list[int],
        prediction: str,
        label: Any,
        query: str | None = None,
        rollout_state: dict[str, Any] | None = None,
    ) -> VerificationResult: ...


@pytest.fixture(autouse=True)
def open_instruct(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType("open_instruct.ground_truth_utils")
    module.VerifierFunction = VerifierFunction  # type: ignore[attr-defined] # a stand-in
    module.VerificationResult = VerificationResult  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "open_instruct", ModuleType("open_instruct"))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    plug._math_verifier.cache_clear()
    yield
    plug._math_verifier.cache_clear()


def made() -> Any:
    """open-instruct makes every subclass that it finds with its configuration alone."""
    assert plug.MathVerifier in VerifierFunction.__subclasses__()
    return plug.MathVerifier(object())


def test_it_is_found_among_the_subclasses_under_its_name() -> None:
    verifier = made()
    assert isinstance(verifier, VerifierFunction)
    assert (verifier.name, verifier.weight) == ("verifiers_math", 1.0)
    assert pickle.loads(pickle.dumps(type(verifier))) is type(verifier)


@pytest.mark.parametrize("label", ["4", ["3", "4"], '["3", "4"]', 4], ids=repr)
def test_a_prediction_is_judged_by_its_label(label: Any) -> None:
    verifier = made()
    right = verifier([1, 2], r"\boxed{4}", label, "2+2?")
    assert (right.score, right.cost) == (1.0, 0.0)
    wrong = verifier(tokenized_prediction=[], prediction=r"\boxed{5}", label=label, query=None)
    assert wrong.score == 0.0
    assert wrong.reasoning.startswith("incorrect: ")


def test_an_unreadable_label_is_told_by_the_reasoning() -> None:
    assert made()([], r"\boxed{4}", None).reasoning.startswith("gold_unreadable: ")


def test_calls_on_a_loop_run_at_once_and_a_stuck_one_costs_only_itself() -> None:
    verifier = plug.MathVerifier(None, judge=answer_judge(timeout_seconds=1))

    async def rollouts() -> list[Any]:
        given = [(STUCK, STUCK_GOLD), (NEEDS_WORKER, NEEDS_WORKER_GOLD), (r"\boxed{4}", "4")]
        return await asyncio.gather(
            *(
                verifier.async_call(
                    tokenized_prediction=[1],
                    prediction=prediction,
                    label=label,
                    query="q",
                    rollout_state={},
                )
                for prediction, label in given
            )
        )

    results = asyncio.run(rollouts())
    assert [result.score for result in results] == [0.0, 1.0, 1.0]
    assert results[0].reasoning.startswith("timeout: ")


def test_it_works_in_the_threads_of_an_executor() -> None:
    verifier = made()

    async def call() -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            None, lambda: verifier([], NEEDS_WORKER, NEEDS_WORKER_GOLD)
        )

    assert asyncio.run(call()).score == 1.0


def test_name_and_weight_can_be_chosen() -> None:
    verifier = plug.MathVerifier(None, name="gsm8k", weight=2.0)
    assert (verifier.name, verifier.weight) == ("gsm8k", 2.0)


def test_without_open_instruct_the_class_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "open_instruct.ground_truth_utils", None)
    plug._math_verifier.cache_clear()
    with pytest.raises(ImportError, match="MathVerifier needs open-instruct"):
        plug.MathVerifier  # noqa: B018 - the access itself is what is tested
    with pytest.raises(AttributeError, match="no attribute 'Verifier'"):
        plug.Verifier  # noqa: B018 - the access is tested
