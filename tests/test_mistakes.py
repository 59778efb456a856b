"""What a newcomer does wrong is answered by a message that names it and says what is wanted."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest

import verifiers_math as vf
from verifiers_math import evaluators
from verifiers_math.answers import answer_judge
from verifiers_math.integrations.trl import reward_funcs


def one(completion: str) -> float:
    return 1.0


def unknown(text: str) -> float:
    return 1.0


def state(**more: Any) -> dict[str, Any]:
    return {"prompt": "1+1?", "completion": r"\boxed{2}", "answer": "2", **more}


# What is done, and a pattern of what is said. The error's type is one of the standard library's.
MISTAKES: list[tuple[Callable[[], object], type[Exception], str]] = [
    # judging
    (lambda: vf.verify("2", "2", stict=True), TypeError, "stict"),
    (lambda: vf.verify("2", "2", strict="yes"), ValueError, "strict is one of .* not 'yes'"),
    (lambda: vf.verify("2", "2", assume_thinking="no"), ValueError, "assume_thinking is one of"),
    (lambda: vf.verify("2", "2", policy="strikt"), ValueError, "policy is one of .*'strict'"),
    (lambda: vf.verify("2", "2", policy=vf.Policy), TypeError, "policy .* not the class Policy"),
    (lambda: vf.verify("2", "2", policy=vf.Policy.strict), TypeError, "policy .* not method"),
    (lambda: vf.verify_many([], strict="yes"), ValueError, "strict is one of"),
    (lambda: asyncio.run(vf.averify_many([], strict="yes")), ValueError, "strict is one of"),
    (lambda: asyncio.run(vf.averify("2", "2", policy="x")), ValueError, "policy is one of"),
    (lambda: vf.verify_many(["12", "3"]), ValueError, r"pair 0 is not \(gold, response\): '12'"),
    (lambda: vf.verify_many(("2", "2")), ValueError, r"pair 0 is not \(gold, response\)"),
    (lambda: vf.verify_many([("2", "2", "p")]), ValueError, "pair 0"),
    (lambda: vf.verify_many([("2", "2")], prompts="p"), TypeError, "prompts is a list .* not str"),
    (lambda: vf.verify_many([("2", "2")], prompts=["p", "q"]), ValueError, "1 pairs but 2 prompts"),
    # limits and choices
    (lambda: vf.Verifier(stages="number"), ValueError, "stages must be a sequence"),
    (lambda: vf.Verifier(stages=["sympy"]), ValueError, "stages .* 'math_verify'"),
    (lambda: vf.Verifier(timeout_seconds="5"), ValueError, "timeout_seconds .* got '5'"),
    (lambda: vf.Verifier(max_workers=2.5), ValueError, "max_workers must be a whole number"),
    (lambda: vf.Verifier(max_waiting=0), ValueError, "max_waiting must be a whole number from 1"),
    (lambda: vf.Verifier(cache_entries=-1), ValueError, "cache_entries .* from 0 on, got -1"),
    (lambda: vf.Verifier(niceness="low"), ValueError, "niceness .* got 'low'"),
    (lambda: vf.Verifier(isolation="threads"), ValueError, "isolation is one of .* not 'threads'"),
    (lambda: vf.Policy("strict"), TypeError, "min_significant is of type int, not str"),
    (lambda: vf.Policy(percent=False), TypeError, "percent"),
    (lambda: vf.Policy(convert_units=None), TypeError, "convert_units is of type bool, not None"),
    (lambda: answer_judge(policy="strikt"), ValueError, "policy is one of"),
    (lambda: answer_judge(timeout_seconds="5 s"), ValueError, "timeout_seconds .* got '5 s'"),
    (lambda: answer_judge().verdicts([r"\boxed{2}"]), ValueError, r"answer 0 .*\(response, gold\)"),
    # rubrics
    (lambda: vf.Rubric(one), TypeError, "funcs is a list .* not function: put it in brackets"),
    (lambda: vf.Rubric("one"), TypeError, "funcs is a list .* not str"),
    (lambda: vf.Rubric([one("")]), TypeError, "must be callable, not float"),
    (lambda: vf.Rubric([one], weights=1.0), TypeError, "weights is a list .* not float"),
    (lambda: vf.Rubric([one], weights=["1"]), TypeError, "a weight is a number, not str"),
    (lambda: vf.Rubric([one], weights=[None]), TypeError, "a weight is a number, not None"),
    (lambda: vf.Rubric([one], weights=[1, 2]), ValueError, r"\(2\) must match .* \(1\)"),
    (lambda: vf.Rubric(on_error="skip"), ValueError, "on_error is one of .* not 'skip'"),
    (lambda: vf.Rubric(max_concurrency=0), ValueError, "max_concurrency"),
    (lambda: vf.MathRubric(one), TypeError, "funcs is a list"),
    (lambda: vf.MathRubric([one], [1.0, 0.5]), ValueError, "must not contain one for corr"),
    (lambda: vf.MathRubric(timeout=5), TypeError, "'timeout'"),
    (lambda: vf.MathRubric(policy="strikt"), ValueError, "policy is one of"),
    (lambda: vf.MathRubric(strict="yes"), ValueError, "strict is one of"),
    (lambda: vf.MathRubric(parser="boxed"), TypeError, "parser .* parse_answer.* not str"),
    (lambda: vf.MathRubric(parser=vf.ThinkParser), TypeError, "parser .* not the class ThinkP"),
    (lambda: vf.MathRubric(parser=vf.extract_boxed_answer), TypeError, "parser .* not function"),
    (lambda: vf.MathRubric(fallback=vf.JudgeRubric), TypeError, "fallback .* the class Judge"),
    (lambda: vf.RubricGroup(vf.Rubric()), TypeError, "rubrics is a list of rubrics, not Rubric"),
    (lambda: vf.RubricGroup([one]), TypeError, "must be a Rubric, not function"),
    (lambda: vf.XMLParser("answer"), TypeError, "fields is a list of tags, not str"),
    (lambda: vf.MaybeThinkParser(assume_thinking="no"), ValueError, "assume_thinking is one of"),
    (lambda: vf.extract_boxed_answer(4), TypeError, "takes text, not int"),
    # scoring
    (lambda: vf.Rubric().score_rollout_sync([state()]), TypeError, "a state is a dict .* not list"),
    (lambda: vf.Rubric().score_group_sync(state()), TypeError, "a list of states, not one"),
    (lambda: vf.Rubric().score_group_sync(["x"]), TypeError, "a state is a dict .* not str"),
    (
        lambda: vf.Rubric([unknown]).score_rollout_sync(state()),
        TypeError,
        "'unknown' requires the argument 'text', .* completion",
    ),
    (
        lambda: vf.Rubric([lambda x: 1.0]).score_rollout_sync(state()),
        TypeError,
        "'<lambda>' requires the argument 'x'",
    ),
    (lambda: reward_funcs(vf.MathRubric), TypeError, "a rubric .* not the class MathRubric"),
    (lambda: reward_funcs(one), TypeError, "a rubric .* not function"),
    # evaluators
    (lambda: evaluators.get("corect"), KeyError, "'corect'; there are correct_answer"),
    (lambda: evaluators.get("correctness"), KeyError, "'correctness' is a suite"),
    (lambda: evaluators.expand("correctness"), TypeError, "names is a list"),
    (lambda: evaluators.expand(["corect"]), KeyError, "there are .* everything"),
    (lambda: vf.NumericDiff(denominator="mean"), ValueError, "denominator is one of"),
    (lambda: vf.NumericDiff().score("abc", "1"), ValueError, "expected holds no number: 'abc'"),
    (lambda: vf.MathEquivalence().score("1/2", "0.5"), TypeError, "original is a mapping, not str"),
]


@pytest.mark.parametrize(("mistake", "kind", "said"), MISTAKES, ids=[it[2] for it in MISTAKES])
def test_a_mistake_is_told_from_the_first_call_on(
    mistake: Callable[[], object], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind) as caught:
        mistake()
    assert re.search(said, str(caught.value)), caught.value


def test_a_policy_may_be_named_wherever_one_is_taken() -> None:
    percent = ("25", r"\boxed{25\%}")
    assert vf.verify(*percent).equal
    assert not vf.verify(*percent, policy="strict").equal
    assert vf.equivalent("25", r"25\%", policy="strict").judge.endswith("/strict")
    assert not vf.Verifier("strict").verify(*percent).equal
    rollout = state(answer=percent[0], completion=percent[1])
    vf.MathRubric(policy="strict").score_rollout_sync(rollout)
    assert rollout["reward"] == 0.0


@pytest.mark.parametrize(
    ("gold", "response", "status", "said"),
    [
        (None, r"\boxed{2}", "gold_unreadable", "the gold is None"),
        (["1", "2"], r"\boxed{2}", "gold_unreadable", "the gold is a list, .*answer_judge"),
        (
            "2",
            [{"role": "assistant", "content": "2"}],
            "answer_unreadable",
            "is a list, .*answer_judge",
        ),
        ("2", b"2", "answer_unreadable", "the answer is bytes"),
        (float("nan"), "2", "gold_unreadable", "the float nan"),
        ("", "\boxed{2}", "gold_unreadable", "the gold is empty"),
    ],
)
def test_what_cannot_be_read_is_told_by_the_verdict(
    gold: object, response: object, status: str, said: str
) -> None:
    verdict = vf.verify(gold, response)
    assert verdict.status == status
    assert re.search(said, verdict.detail)


@pytest.mark.parametrize("key", ["answer", "completion"])
def test_a_key_that_a_state_lacks_is_warned_of_once(
    key: str, caplog: pytest.LogCaptureFixture
) -> None:
    rubric = vf.MathRubric()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            rollout = {"gold" if it == key else it: value for it, value in state().items()}
            rubric.score_rollout_sync(rollout)
    (said,) = caplog.messages
    assert re.match(f"the state has no '{key}' .*; it has .*'gold'", said)


def test_a_misspelt_name_is_suggested_in_the_traceback() -> None:
    with pytest.raises(AttributeError) as caught:
        vf.MathRubrik  # noqa: B018 - the access itself is what is tested
    assert (caught.value.name, caught.value.obj) == ("MathRubrik", vf)
