"""Whom a `MathRubric` asks where its rules end, when, and what it makes of the reply."""

from __future__ import annotations

import asyncio
import pickle

import pytest

import verifiers_math as vf
from verifiers_math.rubrics.fallback import is_undecided

S = vf.Status

GOLD = "2^{n-1} if n is odd, 0 otherwise"
UNREAD = r"\boxed{0 for even n, else 2^{n-1}}"


class Recorder:
    """A fallback that says what it is told to, and keeps what it was asked."""

    def __init__(self, says=True):
        self.says = says
        self.asked = []

    async def __call__(self, question, gold, answer):
        self.asked.append((question, gold, answer))
        if isinstance(self.says, BaseException):
            raise self.says
        return self.says


def verdict(status, gold="4", answer="5", *, stage="x", judge="me"):
    equal = status is S.CORRECT
    return vf.Verdict(equal, status, stage, gold, answer, 1.5, False, "because", judge)


async def scored(verifier, fallback, completion=UNREAD, gold=GOLD, prompt="f(n)?", **options):
    rubric = vf.MathRubric(verifier=verifier, fallback=fallback, **options)
    result = {"prompt": prompt, "completion": completion, "answer": gold}
    await rubric.score_rollout(result)
    return result, rubric


# --- when it is asked --------------------------------------------------------------------------


@pytest.mark.parametrize("status", list(S))
def test_only_the_unreadable_is_undecided(status):
    assert is_undecided(verdict(status)) is (status in (S.ANSWER_UNREADABLE, S.GOLD_UNREADABLE))


@pytest.mark.parametrize(("gold", "answer"), [("", "5"), (" ", "5"), ("4", ""), ("4", "\n")])
def test_without_a_gold_or_an_answer_there_is_nothing_to_ask(gold, answer):
    assert not is_undecided(verdict(S.GOLD_UNREADABLE, gold, answer))
    assert not is_undecided(verdict(S.ANSWER_UNREADABLE, gold, answer))


DECIDED = [
    (r"\boxed{4}", "4", S.CORRECT),
    (r"\boxed{5}", "4", S.INCORRECT),
    (r"\boxed{I do not know}", "4", S.INCORRECT),
    ("", "4", S.NO_ANSWER),
    ("<think>4", "4", S.NO_ANSWER),
    (r"\boxed{4}", "", S.GOLD_UNREADABLE),
    (r"\boxed{4}", None, S.GOLD_UNREADABLE),
    (7, "4", S.ERROR),
]


@pytest.mark.parametrize(("completion", "gold", "status"), DECIDED)
async def test_what_a_rule_has_decided_stays_as_it_is(completion, gold, status, verifier):
    for says in (True, False):
        fallback = Recorder(says)
        result, rubric = await scored(verifier, fallback, completion, gold)
        assert result["verdict"].status is status
        assert fallback.asked == []
        assert "stage/judge" not in rubric.counts


async def test_neither_a_timeout_nor_a_limit_is_a_reason_to_ask():
    fallback = Recorder()
    with vf.Verifier(stages=("math_verify",), timeout_seconds=0.3, max_workers=1) as slow:
        result, _ = await scored(slow, fallback, r"\boxed{9^{9^{9}}}", "4")
    assert result["verdict"].status is S.TIMEOUT
    assert fallback.asked == []


async def test_an_answer_that_no_rule_reads_is_asked_about(verifier):
    fallback = Recorder()
    prompt = [{"role": "system", "content": "s"}, {"role": "user", "content": "f(n)?"}]
    await scored(verifier, fallback, prompt=prompt)
    assert fallback.asked == [("f(n)?", GOLD, "0 for even n, else 2^{n-1}")]


async def test_a_gold_that_no_rule_reads_is_asked_about(verifier):
    fallback = Recorder()
    result, _ = await scored(verifier, fallback, r"\boxed{4}", r"\int", prompt="")
    assert fallback.asked == [("", r"\int", "4")]
    assert result["reward"] == 1.0


# --- what becomes of the reply -----------------------------------------------------------------


@pytest.mark.parametrize(("says", "status"), [(True, S.CORRECT), (False, S.INCORRECT)])
async def test_its_word_is_the_verdict(says, status, verifier):
    async def colleague(question, gold, answer):
        return says

    result, rubric = await scored(verifier, colleague)
    found = result["verdict"]
    assert (result["reward"], found.equal) == (float(says), says)
    assert (found.status, found.stage, found.gold) == (status, "judge", GOLD)
    assert found.judge == "3/default+colleague"
    assert found.detail == f"colleague says {'yes' if says else 'no'}"
    assert result["errors"] == {}
    assert rubric.counts["stage/judge"] == rubric.counts["scored"] == 1


async def test_a_verdict_of_its_own_keeps_status_reason_and_judge(verifier):
    for status in (S.CORRECT, S.INCORRECT, S.ERROR):
        result, _ = await scored(verifier, Recorder(verdict(status)), unscored="none")
        found = result["verdict"]
        assert (found.status, found.stage, found.detail) == (status, "judge", "because")
        assert (found.answer, found.judge) == ("0 for even n, else 2^{n-1}", "3/default+me")
        assert found.seconds >= 1.5
        assert result["reward"] == {S.CORRECT: 1.0, S.INCORRECT: 0.0, S.ERROR: None}[status]


@pytest.mark.parametrize("says", [None, verdict(S.LIMIT)], ids=["no opinion", "too long for it"])
async def test_without_an_opinion_the_rules_word_stands(says, verifier):
    result, rubric = await scored(verifier, Recorder(says))
    assert result["verdict"].status is S.ANSWER_UNREADABLE
    assert (result["reward"], result["errors"]) == (0.0, {})
    assert "stage/judge" not in rubric.counts


async def test_a_function_that_is_not_async_will_do(verifier):
    result, _ = await scored(verifier, lambda question, gold, answer: True)
    assert result["reward"] == 1.0


FAULTS = [
    (ConnectionError("gone"), "the fallback raised ConnectionError: gone"),
    ("yes", "the fallback raised TypeError: a fallback returns a Verdict, a bool or None, not str"),
    (1, "a fallback returns a Verdict, a bool or None, not int"),
]


@pytest.mark.parametrize(("says", "reason"), FAULTS, ids=["raises", "text", "number"])
async def test_a_fallback_that_fails_is_an_error_and_no_wrong_answer(
    says, reason, verifier, caplog
):
    result, rubric = await scored(verifier, Recorder(says), unscored="none")
    found = result["verdict"]
    assert (result["reward"], found.status, found.stage) == (None, S.ERROR, "judge")
    assert reason in result["errors"]["correct_answer"]
    assert rubric.counts["errors"] == 1
    assert len(caplog.records) == 1
    with pytest.raises((ConnectionError, TypeError)):
        await scored(verifier, Recorder(says), on_error="raise")


async def test_cancellation_passes_through(verifier):
    begun = asyncio.Event()

    async def never(question, gold, answer):
        begun.set()
        await asyncio.sleep(60)

    task = asyncio.create_task(scored(verifier, never))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_answer_that_restates_the_question_is_refused_also_where_the_judge_accepts(
    verifier, monkeypatch
):
    monkeypatch.setattr(
        "verifiers_math.rubrics.fallback.restates_prompt", lambda *texts: texts[2] == "f(n)?"
    )
    result, _ = await scored(verifier, Recorder(True))
    assert result["verdict"].status is S.INCORRECT
    assert result["verdict"].detail == "the answer restates the question"
    result, _ = await scored(verifier, Recorder(True), policy=vf.Policy(refuse_restated=False))
    assert result["reward"] == 1.0


# --- the rubric --------------------------------------------------------------------------------


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(TypeError, match="a JudgeRubric or an async function, not str"):
        vf.MathRubric(fallback="gpt-4.1-nano")


async def agrees(question, gold, answer):
    return True


async def test_a_rubric_pickles_with_its_fallback():
    rubric = pickle.loads(pickle.dumps(vf.MathRubric(fallback=agrees)))
    with rubric:
        result = {"completion": UNREAD, "answer": GOLD}
        await rubric.score_rollout(result)
    assert result["reward"] == 1.0
