"""MathRubric: its documented examples, how it is made, used and copied."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import verifiers_math as vf
from tests.math_rollouts import S, scored, state

# --- documented examples -----------------------------------------------------------------------


async def test_the_smallest_example():
    rubric = vf.MathRubric()
    result = {"prompt": "2+2?", "completion": "x = 4", "answer": "4"}
    await rubric.score_rollout(result)
    assert result["reward"] == 1.0
    assert result["metrics"] == {"correct_answer": 1.0}
    assert result["verdict"].status is S.CORRECT
    await rubric.teardown()


EXAMPLES = [
    (r"The answer is \boxed{\frac{5}{6}}.", r"\frac{5}{6}", 1.0),
    (r"\boxed{2x + 6}", "2(x + 3)", 1.0),
    (r"\boxed{\sin^2(x)+\cos^2(x)}", "1", 1.0),
    (r"\boxed{0.333...}", "1/3", 1.0),
    (r"<think>maybe \boxed{3}</think> So \boxed{4}.", "4", 1.0),
    (r"<think>it is \boxed{4}", "4", 0.0),
    (r"\boxed{5}", "4", 0.0),
    (r"\boxed{4", "4", 0.0),
    ("", "4", 0.0),
    ("   ", "4", 0.0),
    ("I have no idea.", "4", 0.0),
    ([{"role": "assistant", "content": r"\boxed{4}"}], "4", 1.0),
    ([{"role": "assistant", "content": [{"type": "text", "text": r"\boxed{4}"}]}], "4", 1.0),
    (
        [{"role": "assistant", "content": r"\boxed{4}"}, {"role": "assistant", "content": ""}],
        "4",
        0.0,
    ),
    ([{"role": "user", "content": r"\boxed{4}"}], "4", 0.0),
    ([], "4", 0.0),
    (None, "4", 0.0),
    (r"\boxed{4}", 4, 1.0),
    (r"\boxed{0.5}", 0.5, 1.0),
    (r"\boxed{\frac{1}{3}}", Fraction(1, 3), 1.0),
    (r"\boxed{4}", r"\boxed{4}", 1.0),
    (r"\boxed{4}", "2 + 2 = 4, so #### 4", 1.0),
]


@pytest.mark.parametrize(("completion", "answer", "reward"), EXAMPLES)
async def test_answers_are_judged(completion, answer, reward, verifier):
    result = await scored(completion, answer, verifier=verifier)
    assert result["reward"] == reward
    assert result["metrics"] == {"correct_answer": reward}
    assert result["verdict"].scored
    assert result["errors"] == {}


async def test_metrics_of_length_and_steps_stand_beside_the_answer(verifier):
    async def response_length(completion):
        return len(completion)

    def step_count(completion, **kwargs):
        return completion.count("Step")

    rubric = vf.MathRubric(verifier=verifier)
    rubric.add_metric(response_length, weight=0.0)
    rubric.add_metric(step_count)
    result = state(r"Step 1: add. Step 2: \boxed{4}")
    await rubric.score_rollout(result)
    assert result["reward"] == 1.0
    assert result["metrics"] == {"correct_answer": 1.0, "response_length": 30.0, "step_count": 2.0}


async def test_another_reward_is_added_with_its_weight(verifier):
    async def shows_reasoning(completion):
        return 1.0 if "because" in completion else 0.0

    rubric = vf.MathRubric(verifier=verifier)
    rubric.add_reward_func(shows_reasoning, weight=0.2)
    result = state(r"because 2+2 is \boxed{4}")
    await rubric.score_rollout(result)
    assert result["reward"] == pytest.approx(1.2)


async def test_a_custom_parser_finds_the_answer(verifier):
    parser = vf.XMLParser(["reasoning", "answer"])
    for completion, reward in (
        ("<reasoning>add</reasoning><answer>4</answer>", 1.0),
        ("<answer>5</answer>", 0.0),
        (r"\boxed{4}", 0.0),
    ):
        result = await scored(completion, verifier=verifier, parser=parser)
        assert result["reward"] == reward
        assert result["verdict"].scored


async def test_limits_and_workers_can_be_chosen():
    with vf.MathRubric(timeout_seconds=2.0, max_workers=100) as rubric:
        assert rubric.timeout_seconds == 2.0
        assert rubric.max_workers == 100
        assert isinstance(rubric.executor, ThreadPoolExecutor)
        assert rubric.executor._max_workers == 100
        result = state(r"\boxed{4}")
        await rubric.score_rollout(result)
        assert result["reward"] == 1.0


async def test_a_group_of_answers_gets_advantages(verifier):
    states = [state(rf"\boxed{{{answer}}}") for answer in ("4", "5", "3+1", r"\frac{8}{2}")]
    await vf.MathRubric(verifier=verifier).score_group(states)
    assert [s["reward"] for s in states] == [1.0, 0.0, 1.0, 1.0]
    assert [s["advantage"] for s in states] == [0.25, -0.75, 0.25, 0.25]


# --- construction ------------------------------------------------------------------------------


def test_the_answer_comes_last_with_weight_one(verifier):
    def brief(completion):
        return 1.0

    funcs, weights = [brief], [0.5]
    rubric = vf.MathRubric(funcs, weights, verifier=verifier)
    assert rubric._get_reward_func_names() == ["brief", "correct_answer"]
    assert rubric._get_reward_weights() == [0.5, 1.0]
    assert rubric.funcs[-1] == rubric.correct_answer
    assert (funcs, weights) == ([brief], [0.5])
    assert repr(rubric) == "MathRubric(brief: 0.5, correct_answer: 1)"


@pytest.mark.parametrize(("funcs", "weights"), [([len], [1.0, 1.0]), (None, [1.0])])
def test_a_weight_for_the_answer_is_refused_with_the_reason(funcs, weights):
    with pytest.raises(ValueError, match="correct_answer"):
        vf.MathRubric(funcs, weights)


BAD_ARGUMENTS = [
    ({"timeout": 3}, TypeError),
    ({"timeout_seconds": 0}, ValueError),
    ({"timeout_seconds": -1.0}, ValueError),
    ({"max_workers": 0}, ValueError),
    ({"isolation": "hope"}, ValueError),
    ({"assume_thinking": "always"}, ValueError),
    ({"on_error": "ignore"}, ValueError),
]


@pytest.mark.parametrize(("options", "error"), BAD_ARGUMENTS)
def test_bad_arguments_are_refused(options, error):
    with pytest.raises(error, match=next(iter(options))):
        vf.MathRubric(**options)


def test_making_a_rubric_starts_nothing():
    before = threading.active_count()
    rubrics = [vf.MathRubric() for _ in range(20)]
    assert threading.active_count() == before
    assert rubrics[0].counts["total"] == 0


def test_the_signature_is_the_documented_one():
    names = list(inspect.signature(vf.MathRubric).parameters)
    assert names[:5] == ["funcs", "weights", "parser", "max_workers", "timeout_seconds"]


# --- correct_answer by itself ------------------------------------------------------------------


async def test_the_answer_can_be_scored_without_a_state(verifier):
    rubric = vf.MathRubric(verifier=verifier)
    score = await rubric.correct_answer(rubric.parser, r"\boxed{4}", "4")
    assert isinstance(score, float)
    assert score == 1.0
    assert await rubric.correct_answer(parser=rubric.parser, completion="", answer="4") == 0.0


async def test_the_answer_is_a_reward_function_for_any_rubric(verifier):
    rubric = vf.Rubric([vf.MathRubric(verifier=verifier).correct_answer], [0.5])
    result = state("the answer is 4")
    await rubric.score_rollout(result)
    assert result["metrics"] == {"correct_answer": 1.0}
    assert result["reward"] == 0.5


# --- copies ------------------------------------------------------------------------------------


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])
async def test_a_rubric_can_be_pickled_and_its_copy_counts_from_zero(clone):
    rubric = vf.MathRubric(timeout_seconds=2.5, strict=True)
    await rubric.score_rollout(state(r"\boxed{4}"))
    twin = clone(rubric)
    assert twin.counts["total"] == 0
    assert twin.timeout_seconds == twin.verifier.timeout_seconds == 2.5
    result = state(r"\boxed{4}")
    await twin.score_rollout(result)
    assert result["reward"] == 1.0
    assert twin.counts["total"] == 1
    assert rubric.counts["total"] == 1


def test_one_rubric_serves_several_event_loops(verifier):
    rubric = vf.MathRubric(verifier=verifier)
    for _ in range(3):
        result = state(r"\boxed{(x+1)^2}", "x^2+2x+1")
        asyncio.run(rubric.score_rollout(result))
        assert result["reward"] == 1.0


UNGUARDED = """
import verifiers_math as vf
rubric = vf.MathRubric()
state = {"completion": "\\\\boxed{(x+1)^2}", "answer": "x^2+2x+1"}
rubric.score_rollout_sync(state)
print(state["reward"])
"""


def test_an_unguarded_script_scores_and_ends():
    done = subprocess.run(
        [sys.executable, "-c", UNGUARDED], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("1.0\n", 0), done.stderr
