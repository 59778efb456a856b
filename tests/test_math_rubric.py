from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import logging
import math
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

import verifiers_math as vf
from verifiers_math.rubrics import math_rubric as module

S = vf.Status


class FakeVerifier:
    """Answers with a fixed verdict and keeps the calls."""

    def __init__(self, status=S.CORRECT, stage="number", detail="because", rule=""):
        self.status, self.stage, self.detail, self.rule = status, stage, detail, rule
        self.calls = []
        self.closed = False

    def _verdict(self, gold, answer):
        return vf.Verdict(
            self.status is S.CORRECT,
            self.status,
            self.stage,
            str(gold),
            str(answer),
            0.25,
            False,
            self.detail,
            "1/default",
            self.rule,
        )

    async def averify(self, gold, response, **options):
        self.calls.append(("averify", gold, response, options))
        return self._verdict(gold, response)

    async def aequivalent(self, gold, answer, **options):
        self.calls.append(("aequivalent", gold, answer, options))
        return self._verdict(gold, answer)

    def close(self):
        self.closed = True


def state(completion, answer="4", **more):
    return {"prompt": "2+2?", "completion": completion, "answer": answer, **more}


async def scored(completion, answer="4", *, verifier, on=None, **options):
    result = state(completion, answer) if on is None else on
    await vf.MathRubric(verifier=verifier, **options).score_rollout(result)
    return result


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


# --- what the verifier is handed ---------------------------------------------------------------

RAW = r"<think>a</think> so \boxed{4}"
PARTIAL = functools.partial(vf.extract_boxed_answer, strict=True)

HANDED = [
    # options of the rubric, strict, assume_thinking
    ({}, False, "auto"),
    ({"strict": True}, True, "auto"),
    ({"assume_thinking": True}, False, True),
    ({"assume_thinking": False}, False, False),
    ({"parser": vf.MaybeThinkParser(vf.extract_boxed_answer)}, False, "auto"),
    ({"parser": vf.MaybeThinkParser(vf.extract_boxed_answer), "strict": True}, True, "auto"),
    ({"parser": vf.MaybeThinkParser(extract_fn=PARTIAL)}, True, "auto"),
    (
        {"parser": vf.MaybeThinkParser(vf.extract_boxed_answer, assume_thinking=True)},
        False,
        True,
    ),
    ({"parser": vf.Parser()}, False, "auto"),
    ({"parser": vf.MaybeThinkParser()}, False, "auto"),
    ({"parser": vf.ThinkParser()}, False, True),
    ({"parser": vf.ThinkParser(vf.extract_boxed_answer)}, False, True),
]


@pytest.mark.parametrize(("options", "strict", "assumed"), HANDED)
async def test_with_a_parser_of_the_package_the_scanner_gets_the_whole_text(
    options, strict, assumed
):
    fake = FakeVerifier()
    await scored(RAW, verifier=fake, **options)
    expected = {"strict": strict, "prompt": "2+2?", "assume_thinking": assumed, "policy": None}
    assert fake.calls == [("averify", "4", RAW, expected)]


class UnboxingParser(vf.MaybeThinkParser):
    pass


class OneArgument:
    def parse_answer(self, completion):
        return "4"


class WithPrompt(vf.Parser):
    def parse_answer(self, completion, prompt=None):
        return f"{prompt}"


class Later:
    async def parse_answer(self, completion):
        return "4"


CUSTOM = [
    (vf.Parser(str.upper), RAW.upper()),
    (vf.MaybeThinkParser(lambda text: text[:2]), "so"),
    (UnboxingParser(vf.extract_boxed_answer), "4"),
    (vf.ThinkParser(lambda text: vf.extract_boxed_answer(text)), "4"),
    (vf.MaybeThinkParser(lambda text: None), ""),
    (vf.MaybeThinkParser(lambda text: 4), "4"),
    (vf.MaybeThinkParser(lambda text: 0.5), "0.5"),
    (OneArgument(), "4"),
    (WithPrompt(), "2+2?"),
    (Later(), "4"),
]


@pytest.mark.parametrize(("parser", "text"), CUSTOM, ids=lambda value: repr(value)[:30])
async def test_what_a_custom_parser_finds_is_compared_as_it_is(parser, text):
    fake = FakeVerifier()
    await scored(RAW, verifier=fake, parser=parser)
    assert fake.calls == [("aequivalent", "4", text, {"policy": None})]


class HandsOn:
    """Another package's parser that leaves the answer where it is."""

    def parse_answer(self, completion):
        return completion


SEARCHED = [
    # the parser, what it finds, whether the rubric's own choice about thinking holds
    (HandsOn(), RAW, True),
    (vf.MaybeThinkParser(str.strip), r"so \boxed{4}", False),
]


@pytest.mark.parametrize(("parser", "text", "assumed"), SEARCHED)
async def test_what_a_custom_parser_finds_is_searched_where_it_still_has_a_box(
    parser, text, assumed
):
    fake = FakeVerifier()
    await scored(RAW, verifier=fake, parser=parser, assume_thinking=True)
    expected = {"strict": True, "prompt": "2+2?", "assume_thinking": assumed, "policy": None}
    assert fake.calls == [("averify", "4", text, expected)]


async def test_a_parser_that_hands_on_the_text_scores_as_the_default_one_does(verifier):
    for text, reward in [(RAW, 1.0), (r"It is \boxed{4}.", 1.0), (r"<think>\boxed{4}", 0.0)]:
        assert (await scored(text, verifier=verifier, parser=HandsOn()))["reward"] == reward


async def test_one_parser_after_another_gets_the_prompt_only_if_it_takes_it():
    fake = FakeVerifier()
    rubric = vf.MathRubric(verifier=fake)
    for parser in (WithPrompt(), OneArgument(), WithPrompt()):
        await rubric.correct_answer(parser, "x", "4", prompt="2+2?")
    assert [call[2] for call in fake.calls] == ["2+2?", "4", "2+2?"]


async def test_the_policy_of_the_rubric_is_handed_on():
    fake = FakeVerifier()
    policy = vf.Policy(convert_units=False)
    await scored(RAW, verifier=fake, policy=policy)
    assert fake.calls[0][3]["policy"] is policy


async def test_a_prompt_that_opens_the_thinking_is_looked_at(verifier):
    on = state(r"so \boxed{4}", prompt="2+2? <think>\n")
    on["prompt"] = "2+2? <think>\n"
    result = await scored("", verifier=verifier, on=on)
    assert (result["reward"], result["verdict"].status) == (0.0, S.NO_ANSWER)


STRICT = [(r"\boxed{4}", 1.0), ("x = 4", 0.0), ("the answer is 4", 0.0), ("#### 4", 0.0)]


@pytest.mark.parametrize(("completion", "reward"), STRICT)
async def test_a_strict_rubric_asks_for_a_box(completion, reward, verifier):
    rubric = vf.MathRubric(verifier=verifier, strict=True)
    result = state(completion)
    await rubric.score_rollout(result)
    assert result["reward"] == reward
    assert bool(rubric.parser.parse_answer(completion)) is bool(reward)


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


# --- bad inputs --------------------------------------------------------------------------------

BAD_GOLDS = [None, "", "  ", math.nan, math.inf, -math.inf, [], {}, object(), b"4"]


@pytest.mark.parametrize("gold", BAD_GOLDS, ids=repr)
async def test_a_gold_that_cannot_be_judged_is_never_the_models_fault(gold, verifier):
    result = await scored(r"\boxed{4}", gold, verifier=verifier)
    assert result["reward"] == 0.0
    assert result["verdict"].status is S.GOLD_UNREADABLE
    assert result["errors"]["correct_answer"].startswith("gold_unreadable: ")
    result = await scored(r"\boxed{4}", gold, verifier=verifier, unscored="none")
    assert result["reward"] is None


@pytest.mark.parametrize("completion", [r"\boxed{4}", "", "no answer"])
async def test_a_state_without_an_answer_is_one_warning(completion, verifier, caplog):
    states = [{"completion": completion} for _ in range(5)]
    rubric = vf.MathRubric(verifier=verifier)
    await rubric.score_group(states)
    assert {s["verdict"].status for s in states} == {S.GOLD_UNREADABLE}
    assert [s["reward"] for s in states] == [0.0] * 5
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warnings) == 1
    assert "gold" in warnings[0].getMessage()
    assert rubric.counts["gold_unreadable"] == 5


@pytest.mark.parametrize("completion", [7, 0.5, b"4", {4}, object(), True], ids=repr)
async def test_what_is_no_completion_is_an_error_and_no_exception(completion, verifier):
    result = await scored(completion, verifier=verifier)
    assert result["reward"] == 0.0
    assert result["verdict"].status is S.ERROR
    assert type(completion).__name__ in result["errors"]["correct_answer"]
    with pytest.raises(TypeError):
        await scored(completion, verifier=verifier, on_error="raise")


@pytest.mark.parametrize(
    "completion",
    [
        ["\\boxed{4}"],
        [7],
        [None],
        [{}],
        [{"role": "assistant"}],
        [{"role": "assistant", "content": 4}],
        {},
    ],
    ids=repr,
)
async def test_messages_without_text_have_no_answer(completion, verifier):
    result = await scored(completion, verifier=verifier)
    assert (result["reward"], result["verdict"].status) == (0.0, S.NO_ANSWER)


class RaisingParser:
    def parse_answer(self, completion):
        raise LookupError("no such tag")


class NonsenseParser:
    def parse_answer(self, completion):
        return ["4"]


@pytest.mark.parametrize(
    ("kind", "words"), [(RaisingParser, "no such tag"), (NonsenseParser, "list")]
)
async def test_a_parser_that_fails_is_an_error_with_a_reason(kind, words, caplog):
    fake = FakeVerifier()
    rubric = vf.MathRubric(verifier=fake, parser=kind())
    states = [state("4"), state("4")]
    await rubric.score_group(states)
    for one in states:
        assert one["reward"] == 0.0
        assert one["verdict"].status is S.ERROR
        assert words in one["errors"]["correct_answer"]
    assert fake.calls == []
    assert rubric.counts["errors"] == 2
    assert len([r for r in caplog.records if r.levelno >= logging.WARNING]) == 1
    assert await rubric.correct_answer(kind(), "4", "4") == 0.0


LONG = [
    "x" * 10_000_000,
    "x" * 10_000_000 + r"\boxed{4}",
    "\\boxed{" * 1_000_000,
    "<think>" * 1_000_000,
    "{" * 5_000_000 + r"\boxed{4}",
    r"\boxed{" + "9" * 5_000_000 + "}",
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:8] + "..." + text[-4:])
async def test_megabytes_of_text_are_scored_in_time(text, verifier):
    result = state(text)
    rubric = vf.MathRubric(verifier=verifier)
    await asyncio.wait_for(rubric.score_rollout(result), 60)
    assert result["reward"] == (1.0 if text.endswith(r"\boxed{4}") else 0.0)


async def test_long_texts_are_parsed_in_a_thread(verifier):
    class Parser:
        def parse_answer(self, completion):
            self.thread = threading.get_ident()
            return "4"

    parser = Parser()
    for completion, in_thread in (("4", False), ("4" * 100_000, True)):
        for given in (completion, [{"role": "assistant", "content": completion}]):
            await scored(given, verifier=verifier, parser=parser)
            assert (parser.thread != threading.get_ident()) is in_thread


# --- statuses, counts and logs -----------------------------------------------------------------

HARD = "the hard limit of 120 s passed, and the worker was killed"
STATUSES = [
    # status, detail, reward with "none", level of the log
    (S.CORRECT, "because", 1.0, None),
    (S.INCORRECT, "because", 0.0, None),
    (S.NO_ANSWER, "because", 0.0, None),
    (S.ANSWER_UNREADABLE, "because", 0.0, None),
    (S.GOLD_UNREADABLE, "because", None, logging.WARNING),
    (S.LIMIT, "because", None, logging.DEBUG),
    (S.TIMEOUT, "the worker used up its time", None, logging.DEBUG),
    (S.TIMEOUT, HARD, None, logging.WARNING),
    (S.ERROR, "because", None, logging.WARNING),
]


@pytest.mark.parametrize(("status", "detail", "reward", "level"), STATUSES)
async def test_every_status_has_its_reward_and_its_log(status, detail, reward, level, caplog):
    fake = FakeVerifier(status, detail=detail)
    with caplog.at_level(logging.DEBUG, "verifiers_math"):
        result = await scored("4", verifier=fake)
    assert [record.levelno for record in caplog.records] == ([] if level is None else [level])
    assert result["reward"] == (reward or 0.0)
    assert result["verdict"].status is status
    assert ("correct_answer" in result["errors"]) is (reward is None)
    assert (await scored("4", verifier=fake, unscored="none"))["reward"] == reward


async def test_verdicts_are_counted_for_a_log():
    fake = FakeVerifier()
    rubric = vf.MathRubric(verifier=fake)
    plan = [
        (S.CORRECT, "number", "because", "percent"),
        (S.CORRECT, "identical", "because", ""),
        (S.INCORRECT, "number", "because", ""),
        (S.TIMEOUT, "math_verify", HARD, ""),
        (S.TIMEOUT, "math_verify", "the worker used up its time", ""),
        (S.LIMIT, "math_verify", "because", ""),
    ]
    for fake.status, fake.stage, fake.detail, fake.rule in plan:
        await rubric.score_rollout(state("4"))
    expected = {
        "total": 6,
        "scored": 3,
        "correct": 2,
        "incorrect": 1,
        "no_answer": 0,
        "answer_unreadable": 0,
        "gold_unreadable": 0,
        "limits": 1,
        "timeouts": 2,
        "errors": 0,
        "hard_timeouts": 1,
        "lenient": 1,
        "cached": 0,
        "stage/number": 2,
        "stage/identical": 1,
        "stage/math_verify": 3,
        "rule/percent": 1,
    }
    assert rubric.counts == expected
    assert rubric.reset_counts() == expected
    assert rubric.counts == {name: 0 for name in expected if "/" not in name}


def test_counts_from_many_threads_add_up():
    rubric = vf.MathRubric(verifier=FakeVerifier())
    threads = [
        threading.Thread(target=rubric.score_group_sync, args=([state("4") for _ in range(50)],))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rubric.counts["correct"] == 200


# --- limits ------------------------------------------------------------------------------------


def test_the_hard_limit_is_looked_up_when_it_is_needed(monkeypatch):
    rubric = vf.MathRubric()
    assert rubric.HARD_TIMEOUT_SECONDS == module.HARD_TIMEOUT_SECONDS == 120
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 120
    monkeypatch.setattr(module, "HARD_TIMEOUT_SECONDS", 7)
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 7
    monkeypatch.setattr(vf.MathRubric, "HARD_TIMEOUT_SECONDS", 0.5)
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 0.5
    rubric.hard_timeout_seconds = 3
    rubric.timeout_seconds = 0.25
    rubric._update_limits()
    assert rubric.verifier.hard_timeout_seconds == 3
    assert rubric.verifier.timeout_seconds == 0.25


ENDLESS = r"\int_0^1 \sin(x^{x^x})e^{-x^{%d}}dx"


@pytest.mark.parametrize(
    ("limits", "detail"),
    [
        ({"timeout_seconds": 0.3}, "the soft limit passed"),
        ({"hard_timeout_seconds": 1}, "the hard limit of 1 s passed"),
    ],
)
async def test_a_limit_that_is_changed_holds_for_the_next_answer(limits, detail):
    with vf.MathRubric(timeout_seconds=60) as rubric:
        for name, seconds in limits.items():
            setattr(rubric, name, seconds)
        result = state(rf"\boxed{{{ENDLESS % 5}}}", ENDLESS % 4)
        await asyncio.wait_for(rubric.score_rollout(result), 50)
    assert result["verdict"].status is S.TIMEOUT
    assert detail in result["verdict"].detail


async def test_a_verifier_of_the_callers_keeps_its_limits_and_stays_open():
    fake = FakeVerifier()
    async with vf.MathRubric(verifier=fake, timeout_seconds=1) as rubric:
        await rubric.score_rollout(state("4"))
    assert not hasattr(fake, "timeout_seconds")
    assert not fake.closed


def test_a_verifier_of_its_own_is_closed_with_the_rubric():
    rubric = vf.MathRubric()
    executor = rubric.executor
    rubric.close()
    rubric.close()
    assert executor._shutdown
    with pytest.raises(vf.PoolClosedError):
        _ = rubric.executor


ATTACKS = [r"\boxed{9^{9^{9}}}", r"\boxed{10000000!}", r"\boxed{9^{30000000}}"]


async def test_an_attack_is_over_at_the_soft_limit_and_costs_nobody_else():
    with vf.MathRubric(timeout_seconds=0.5, max_workers=1) as rubric:
        states = [state(attack) for attack in ATTACKS]
        states += [state(r"\boxed{(x+1)^2}", "x^2+2x+1") for _ in range(3)]
        await asyncio.wait_for(rubric.score_group(states), 60)
        assert [s["reward"] for s in states] == [0.0] * 3 + [1.0] * 3


LIMITS = [
    # soft seconds, hard seconds, level of the log, hard timeouts
    (0.5, 60.0, logging.DEBUG, 0),
    (60.0, 1.0, logging.WARNING, 1),
]


@pytest.mark.parametrize(("soft", "hard", "level", "count"), LIMITS)
async def test_computer_algebra_that_never_ends_is_ended(soft, hard, level, count, caplog):
    with vf.Verifier(
        stages=("math_verify",), timeout_seconds=soft, hard_timeout_seconds=hard, max_workers=1
    ) as verifier:
        rubric = vf.MathRubric(verifier=verifier)
        with caplog.at_level(logging.DEBUG, "verifiers_math.rubrics"):
            result = state(r"\boxed{9^{9^{9}}}")
            await asyncio.wait_for(rubric.score_rollout(result), 30)
        assert result["reward"] == 0.0
        assert result["verdict"].status is S.TIMEOUT
        assert [record.levelno for record in caplog.records] == [level]
        assert (rubric.counts["timeouts"], rubric.counts["hard_timeouts"]) == (1, count)
        after = state(r"\boxed{(x+1)^2}", "x^2+2x+1")
        await asyncio.wait_for(rubric.score_rollout(after), 30)
        assert after["reward"] == 1.0  # the slot is free again


async def test_the_event_loop_goes_on_during_an_attack():
    with vf.Verifier(stages=("math_verify",), timeout_seconds=1.0) as verifier:
        rubric = vf.MathRubric(verifier=verifier)
        task = asyncio.create_task(rubric.score_rollout(state(r"\boxed{9^{30000000}}")))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        assert ticks > 20


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
