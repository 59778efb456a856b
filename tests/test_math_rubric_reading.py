"""What MathRubric makes of parsers, prompts and completions, the senseless ones too."""

from __future__ import annotations

import asyncio
import functools
import logging
import math
import threading

import pytest

import verifiers_math as vf
from tests.math_rollouts import FakeVerifier, S, scored, state

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
