"""The story of a verdict: what was extracted, how it was read, and who decided."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import verifiers_math as vf
from verifiers_math.equivalence.cascade import STAGES
from verifiers_math.explain import PLACES, Outcome, aexplain, explain

NEEDS_A_WORKER = (r"\min_{x\in\mathbb{R}} (x^2+3)", r"\boxed{\min_{y\in\mathbb{R}} (3+y^2)}")


def outcomes(story: Any) -> dict[str, str]:
    return {step.stage: step.outcome.value for step in story.steps}


def test_the_number_stage_decides_and_the_rest_is_not_asked(verifier: vf.Verifier) -> None:
    story = explain("1/2", r"So it is \boxed{0.5}.", verifier=verifier)
    assert (story.found, story.place) == ("box", "in the last box")
    assert outcomes(story) == {
        "extract": "found",
        "identical": "undecided",
        "normalized": "undecided",
        "number": "equal",
        "algebra": "not_asked",
        "math_verify": "not_asked",
        "normalizer": "not_asked",
    }
    assert story.answer is not None
    assert (story.gold.value, story.answer.value) == ("1/2", "1/2")
    assert (story.gold.latex, story.answer.latex) == (r"\frac{1}{2}", "0.5")
    assert story.decided_by.stage == "number"
    assert story.verdict.equal


FOUND = [
    (r"\boxed{5}", "box"),
    (r"\boxed{5} or \boxed{6}", "boxes"),
    ("so\n#### 5", "####"),
    ("<answer>5</answer>", "tag"),
    ('{"answer": "5"}', "json"),
    ("We add. The final answer is 5. Done, and thank you for reading it.", "phrase"),
    ("5", "whole"),
    ("We have $x=2$ first and then more. So we get $5$.", "sentence"),
]


def test_every_place_is_tried() -> None:
    assert list(PLACES) == [found for _, found in FOUND]


@pytest.mark.parametrize(("response", "found"), FOUND)
def test_the_place_of_the_answer_has_a_name(
    response: str, found: str, verifier: vf.Verifier
) -> None:
    story = explain("5", response, verifier=verifier)
    assert story.found == found
    assert story.place == PLACES[found]


def test_a_response_without_an_answer_says_why(verifier: vf.Verifier) -> None:
    story = explain("5", "I think that it is five", strict=True, verifier=verifier)
    assert (story.found, story.place) == ("", "there is no box")
    assert story.answer is None
    assert story.decided_by.stage == "extract"
    assert story.decided_by.status is vf.Status.NO_ANSWER
    assert set(outcomes(story).values()) == {"failed", "not_asked"}


def test_thinking_is_counted(verifier: vf.Verifier) -> None:
    thought = "<think>So 4?</think>"
    assert explain("5", thought + r"\boxed{5}", verifier=verifier).thinking_chars == len(thought)
    endless = explain("5", r"<think>\boxed{5}", verifier=verifier)
    assert endless.thinking_chars == len(r"<think>\boxed{5}")
    assert endless.place == "the thinking never ends"


def test_an_answer_that_restates_the_prompt_is_refused_last(verifier: vf.Verifier) -> None:
    story = explain("5", r"\boxed{2+3}", prompt="What is 2+3?", verifier=verifier)
    assert outcomes(story)["algebra"] == "equal"
    assert story.decided_by.stage == "policy"
    assert story.decided_by.outcome is Outcome.DIFFERENT
    assert not story.verdict.equal


def test_an_unreadable_side_says_what_is_wrong_with_it(verifier: vf.Verifier) -> None:
    story = explain("5", r"\boxed{\heartsuit}", verifier=verifier)
    assert story.answer is not None
    assert story.answer.latex is None
    assert "heartsuit" in story.answer.unreadable
    assert explain(None, "5", verifier=verifier).verdict.status is vf.Status.GOLD_UNREADABLE


def test_a_huge_value_is_described_not_written_out(verifier: vf.Verifier) -> None:
    story = explain("4", r"\boxed{9e4000}", verifier=verifier)
    assert story.answer is not None
    assert story.answer.value == "a number of about 4000 digits"


def test_a_long_side_is_not_read(verifier: vf.Verifier) -> None:
    story = explain("x" * 5000, "5", verifier=verifier)
    assert story.gold.unreadable == "longer than 4096 characters"
    assert story.decided_by.stage == "limits"


def test_the_story_agrees_with_the_verdict_and_is_plain_data(verifier: vf.Verifier) -> None:
    pairs = [
        ("1/2", r"\boxed{0.5}"),
        ("x>3", r"\boxed{(3,\infty)}"),
        ("x>3", r"\boxed{[3,\infty)}"),
        ("red", r"\boxed{\text{blue}}"),
        ("", "5"),
        ("5", ""),
        ("25%", r"\boxed{25}"),
        NEEDS_A_WORKER,
    ]
    for gold, response in pairs:
        story = explain(gold, response, verifier=verifier)
        verdict = verifier.verify(gold, response)
        assert story.verdict.status is verdict.status
        assert story.decided_by.status is verdict.status
        assert story.decided_by.rule == verdict.rule
        assert set(STAGES) <= set(outcomes(story))
        assert json.loads(json.dumps(story.to_dict()))["verdict"]["status"] == verdict.status


def test_a_worker_s_word_is_a_step_too(verifier: vf.Verifier) -> None:
    story = explain(*NEEDS_A_WORKER, verifier=verifier)
    assert outcomes(story)["algebra"] == "undecided"
    assert story.decided_by.stage == story.verdict.stage == "math_verify"


def test_a_verifier_of_fewer_stages_has_fewer_steps() -> None:
    story = explain("1/2", "0.5", verifier=vf.Verifier(stages=("identical", "number")))
    assert list(outcomes(story)) == ["extract", "identical", "number"]


def test_the_async_twin_tells_the_same(verifier: vf.Verifier) -> None:
    story = explain("1/2", "0.5", strict=False, verifier=verifier)
    twin = asyncio.run(aexplain("1/2", "0.5", strict=False, verifier=verifier))
    assert outcomes(twin) == outcomes(story)
    assert twin.gold == story.gold


def test_an_unknown_option_is_an_error(verifier: vf.Verifier) -> None:
    with pytest.raises(TypeError, match="strickt"):
        explain("1", "1", strickt=True, verifier=verifier)
