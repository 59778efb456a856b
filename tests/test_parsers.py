from __future__ import annotations

import pickle
import time
from types import SimpleNamespace

import pytest

import verifiers_math as vf
from verifiers_math.parsers import assistant_text, assistant_texts


def assistant(content):
    return {"role": "assistant", "content": content}


# --- boxes -------------------------------------------------------------------------------------

BOXES = [
    # text, default, strict
    ("", "", ""),
    ("no box at all", "no box at all", ""),
    (r"\boxed{}", "", ""),
    (r"\boxed{ 4 }", "4", "4"),
    (r"\boxed{3} \boxed{4}", "4", "4"),
    (r"\boxed{4", "", ""),
    (r"\boxed{3} \boxed{4", "", ""),
    (r"\boxed{\boxed{4}}", "4", "4"),
    (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}", r"\frac{1}{2}"),
    (r"\boxed{a\}b}", r"a\}b", r"a\}b"),
    (r"\boxed{\{1}", r"\{1", r"\{1"),
    (r"\boxed{\left\{1\right.}", r"\left\{1\right.", r"\left\{1\right."),
    (r"\boxed{\{1,2\}}", r"\{1,2\}", r"\{1,2\}"),
    (r"\boxed {4}", "4", "4"),
    (r"\boxed 4", "4", "4"),
    (r"\fbox{4}", "4", "4"),
    (None, "", ""),
]


@pytest.mark.parametrize(("text", "default", "strict"), BOXES)
def test_the_last_box_is_extracted(text, default, strict):
    assert vf.extract_boxed_answer(text) == default
    assert vf.extract_boxed_answer(text, strict=True) == strict


@pytest.mark.parametrize("value", [4, 4.0, b"4", ["4"]])
def test_a_box_is_looked_for_in_text_only(value):
    with pytest.raises(TypeError, match=type(value).__name__):
        vf.extract_boxed_answer(value)


def test_the_compatible_path_leads_to_the_same_function():
    from verifiers_math.utils.data_utils import extract_boxed_answer

    assert extract_boxed_answer is vf.extract_boxed_answer


# --- the plain and the thinking parsers --------------------------------------------------------

TEXTS = [
    # text, Parser, ThinkParser, MaybeThinkParser
    ("hi", "hi", "", "hi"),
    ("  hi  ", "  hi  ", "", "hi"),
    ("<think>a</think> b ", "<think>a</think> b ", "b", "b"),
    (r"<think>a \boxed{4}", r"<think>a \boxed{4}", "", ""),
    ("a</think>b", "a</think>b", "b", "b"),
    (
        "<think>a</think>b<think>c</think>d",
        "<think>a</think>b<think>c</think>d",
        "d",
        "d",
    ),
    ("<think>a</think>b<think>c", "<think>a</think>b<think>c", "", ""),
    ("b</think>", "b</think>", "", ""),
    ("", "", "", ""),
]


@pytest.mark.parametrize(("text", "plain", "think", "maybe"), TEXTS)
def test_parsers_read_what_follows_the_thinking(text, plain, think, maybe):
    assert vf.Parser().parse(text) == plain
    assert vf.ThinkParser().parse(text) == think
    assert vf.MaybeThinkParser().parse(text) == maybe


def test_a_box_inside_unfinished_thinking_is_no_answer():
    parser = vf.MaybeThinkParser(vf.extract_boxed_answer)
    assert parser.parse(r"<think>a \boxed{4}") == ""
    assert parser.parse(r"<think>a \boxed{4}</think> so \boxed{5}") == "5"


OPENED = [
    # assume_thinking, prompt, completion, answer
    ("auto", None, r"so \boxed{4}", "4"),
    ("auto", "2+2? <think>\n", r"so \boxed{4}", ""),
    ("auto", "2+2? <think>\n", r"so</think> \boxed{4}", "4"),
    ("auto", [{"role": "user", "content": "2+2?"}], r"so \boxed{4}", "4"),
    ("auto", [{"role": "assistant", "content": "<think>"}], r"so \boxed{4}", ""),
    (True, None, r"so \boxed{4}", ""),
    (True, None, r"so</think> \boxed{4}", "4"),
    (False, "2+2? <think>\n", r"so \boxed{4}", "4"),
    (False, None, r"<think>so \boxed{4}", ""),
]


@pytest.mark.parametrize(("assumed", "prompt", "completion", "answer"), OPENED)
def test_thinking_that_the_prompt_opened_is_known_of(assumed, prompt, completion, answer):
    parser = vf.MaybeThinkParser(vf.extract_boxed_answer, assume_thinking=assumed)
    assert parser.parse_answer(completion, prompt=prompt) == answer


def test_parse_knows_of_thinking_where_it_is_always_assumed():
    assert vf.MaybeThinkParser(assume_thinking=True).parse("4") == ""
    assert vf.MaybeThinkParser(assume_thinking=False).parse("4") == "4"


def test_an_unknown_assumption_is_refused():
    with pytest.raises(ValueError, match="assume_thinking"):
        vf.MaybeThinkParser(assume_thinking="always")


@pytest.mark.parametrize("kind", [vf.Parser, vf.MaybeThinkParser])
def test_extract_fn_is_applied_to_what_was_found(kind):
    assert kind(str.upper).parse_answer("four") == "FOUR"
    assert kind(extract_fn=len).parse("four") == 4


def test_parsers_can_be_pickled():
    parser = pickle.loads(pickle.dumps(vf.MaybeThinkParser(vf.extract_boxed_answer)))
    assert parser.parse(r"\boxed{4}") == "4"


# --- completions -------------------------------------------------------------------------------

COMPLETIONS = [
    ("x = 4", "x = 4"),
    ("", ""),
    (None, None),
    ([], None),
    ((), None),
    ([assistant("4")], "4"),
    ((assistant("4"),), "4"),
    (assistant("4"), "4"),
    ([SimpleNamespace(role="assistant", content="4")], "4"),
    ([assistant("3"), {"role": "user", "content": "sure?"}, assistant("4")], "4"),
    ([assistant("4"), {"role": "user", "content": "thanks"}], "4"),
    ([{"role": "user", "content": "4"}], None),
    ([{"content": "4"}], "4"),
    ([{"content": "3"}, {"role": "tool", "content": "4"}], "3"),
    ([assistant("4"), assistant("")], ""),
    ([assistant("4"), assistant(None)], ""),
    ([assistant("4"), {"role": "assistant", "tool_calls": []}], ""),
    ([assistant(7)], ""),
    ([assistant({"text": "4"})], ""),
    ([assistant([{"type": "text", "text": "a"}, {"type": "text", "text": "b "}])], "a b"),
    ([assistant([{"type": "image_url", "image_url": "x"}, {"type": "text", "text": "b"}])], "b"),
    ([assistant([SimpleNamespace(type="text", text="b")])], "b"),
    ([assistant([{"type": "text", "text": None}, {"type": "text"}])], ""),
    ([assistant(["a", "b"])], "a b"),
    (["not a message", 7, None], None),
]


@pytest.mark.parametrize(("completion", "text"), COMPLETIONS)
def test_the_last_message_of_the_assistant_is_read(completion, text):
    assert assistant_text(completion) == text
    assert vf.Parser().parse_answer(completion) == text


@pytest.mark.parametrize("completion", [7, 7.0, b"4", {1, 2}, object()])
def test_what_is_no_completion_is_refused_by_name(completion):
    with pytest.raises(TypeError, match=type(completion).__name__):
        vf.Parser().parse_answer(completion)


def test_messages_are_picked_by_role():
    messages = [{"role": role, "content": role} for role in ("system", "user", "assistant", "tool")]
    parser = vf.Parser()
    assert parser.get_system_messages(messages) == [messages[0]]
    assert parser.get_user_messages(messages) == [messages[1]]
    assert parser.get_assistant_messages(messages) == [messages[2]]
    assert parser.get_tool_messages(messages) == [messages[3]]
    assert parser.get_assistant_messages(messages[2]) == [messages[2]]
    assert parser.get_user_messages(messages[2]) == []
    assert parser.get_assistant_messages("text") == []
    assert parser.get_assistant_messages(None) == []


# --- format rewards ----------------------------------------------------------------------------

THINKING_FORMATS = [
    ("<think>a</think>b", None, 1.0),
    ("<think>a</think> ", None, 0.0),
    ("<think>a</think>", None, 0.0),
    ("<think>a", None, 0.0),
    ("b", None, 0.0),
    ("a</think>b", None, 0.0),
    ("a</think>b", "2+2? <think>", 1.0),
    ("x<think>a</think>b", None, 0.0),
    ("<think>a</think>b<think>c</think>d", None, 0.0),
    ([assistant("<think>a</think>b"), assistant("b")], None, 0.5),
    ([], None, 0.0),
]


@pytest.mark.parametrize(("completion", "prompt", "score"), THINKING_FORMATS)
def test_the_thinking_format_wants_one_thought_and_an_answer(completion, prompt, score):
    reward = vf.ThinkParser().get_format_reward_func()
    assert reward(completion=completion, prompt=prompt) == score


@pytest.mark.parametrize("kind", [vf.Parser, vf.MaybeThinkParser])
def test_parsers_of_any_text_find_every_format_right(kind):
    assert kind().get_format_reward_func()(completion="anything") == 1.0


async def test_a_format_reward_works_in_a_rubric():
    parser = vf.XMLParser(["think", "answer"])
    rubric = vf.Rubric([parser.get_format_reward_func()], parser=parser)
    state = {"completion": "<think>a</think><answer>4</answer>"}
    await rubric.score_rollout(state)
    assert state["reward"] == pytest.approx(1.0)


# --- tags --------------------------------------------------------------------------------------


def test_fields_are_read_from_their_tags():
    parser = vf.XMLParser(["reasoning", ("code", "answer")])
    parsed = parser.parse("<reasoning> why </reasoning>\n<answer>\n4\n</answer>")
    assert parsed == SimpleNamespace(reasoning="why", code=None, answer="4")
    assert parser.parse("<answer> 4 </answer>", strip=False).answer == " 4 "
    assert parser.get_fields() == ["reasoning", "code"]


TAGS = [
    ("<answer>3</answer> <answer>4</answer>", "4"),
    ("<answer>3 <answer>4</answer>", "4"),
    ("<answer>4</answer> </answer>", "4"),
    ("<answer>4</answer> <answer>5", "4"),
    ("<answer></answer>", ""),
    ("<answer>4", None),
    ("4</answer>", None),
    ("</answer><answer>", None),
    ("<ANSWER>4</ANSWER>", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "answer"), TAGS)
def test_the_last_tag_counts_in_text_and_in_chats(text, answer):
    parser = vf.XMLParser(["answer"])
    assert parser.parse_answer(text) == answer
    assert parser.parse_answer([assistant(text)]) == answer


def test_an_earlier_message_may_hold_the_tag_but_not_behind_an_empty_one():
    parser = vf.XMLParser(["answer"])
    tagged = assistant("<answer>4</answer>")
    assert parser.parse_answer([tagged, assistant("that is all")]) == "4"
    assert parser.parse_answer([tagged, assistant("")]) is None
    assert parser.parse_answer([]) is None


def test_the_first_tag_can_be_asked_for():
    text = "<answer>3</answer> <answer>4</answer>"
    assert vf.XMLParser(["answer"]).parse(text, last=False).answer == "3"


def test_extract_fn_is_applied_to_the_answer_field():
    parser = vf.XMLParser(["answer"], extract_fn=vf.extract_boxed_answer)
    assert parser.parse_answer(r"<answer>\boxed{4}</answer>") == "4"


def test_another_field_can_hold_the_answer():
    assert vf.XMLParser(["a", "b"], answer_field="b").parse_answer("<a>1</a><b>2</b>") == "2"
    assert vf.XMLParser(["a"]).parse_answer("<a>1</a>") is None


def test_fields_are_written_and_read_back():
    parser = vf.XMLParser(["think", ("code", "answer")])
    text = parser.format(think="why", answer=4)
    assert text == "<think>\nwhy\n</think>\n<answer>\n4\n</answer>"
    assert parser.parse(text).answer == "4"
    assert parser.get_format_str() == (
        "<think>\n...\n</think>\n<code | answer>\n...\n</code | answer>"
    )
    with pytest.raises(ValueError, match="'code' or 'answer'"):
        parser.format(think="why")


BAD_FIELDS = [
    (["a", "a"], ValueError),
    (["a", ("b", "a")], ValueError),
    ([()], ValueError),
    ([""], ValueError),
    ([7], TypeError),
    ([("a", 7)], TypeError),
]


@pytest.mark.parametrize(("fields", "error"), BAD_FIELDS)
def test_bad_fields_are_refused(fields, error):
    with pytest.raises(error):
        vf.XMLParser(fields)


XML_FORMATS = [
    ("<think>a</think>\n<answer>4</answer>", 1.0),
    ("<think>a</think>", 0.6),
    ("x <think>a</think> <answer>4</answer> y", 0.6),
    ("<think>a</think><answer> </answer>", 0.6),
    ("<think>a</think><answer>3</answer><answer>4</answer>", 0.8),
    ("<think> </think><answer> </answer>", 0.0),
    ("plain text", 0.0),
    ("", 0.0),
    (" ", 0.0),
    ([], 0.0),
    ([assistant("<think>a</think><answer>4</answer>"), assistant("x")], 0.5),
]


@pytest.mark.parametrize(("completion", "score"), XML_FORMATS)
def test_the_tag_format_is_scored_by_its_parts(completion, score):
    reward = vf.XMLParser(["think", "answer"]).get_format_reward_func()
    assert reward(completion=completion) == pytest.approx(score)


HUGE = [
    "<answer>" * 300_000,
    "</answer>" * 300_000,
    "<answer>" * 150_000 + "</answer>" * 150_000,
    "<think>" * 300_000,
    "\\boxed{" * 300_000,
    "{" * 2_000_000,
    "<answer>" + " " * 2_000_000,
]


@pytest.mark.parametrize("text", HUGE, ids=lambda text: text[:10] + "...")
def test_hostile_texts_of_megabytes_are_read_in_linear_time(text):
    started = time.process_time()
    xml = vf.XMLParser(["think", "answer"])
    xml.parse_answer(text)
    xml.get_format_reward_func()(completion=text)
    vf.MaybeThinkParser(vf.extract_boxed_answer).parse_answer(text)
    vf.ThinkParser().get_format_reward_func()(completion=text)
    assert time.process_time() - started < 20  # quadratic time would be minutes
    assert assistant_texts(text) == [text]
