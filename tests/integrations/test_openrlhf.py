"""OpenRLHF's reward function and HTTP protocol, as its consumer (0.11.2) calls and reads them."""

from __future__ import annotations

import asyncio
import functools
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from verifiers_math.answers import answer_judge
from verifiers_math.integrations.openrlhf import ahandle, handle, response_of, reward_func

ROOT = Path(__file__).parent.parent.parent
CHAT = "<|im_start|>user\nWhat is $2+3$?<|im_end|>\n<|im_start|>assistant\n"
BOXES = "Put it into a box, such as \\boxed{5}. What is $2+3$? "


def request(*responses: str, label: Any = "5", prompt: str = CHAT) -> dict[str, Any]:
    size = len(responses)
    return {
        "query": [f"{prompt}{response}<|im_end|>" for response in responses],
        "prompts": [prompt] * size,
        "labels": [label] * size,
    }


# --- the response in a query --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "prompt", "response"),
    [
        (CHAT + "It is 5.<|im_end|>", CHAT, "It is 5."),
        ("Q: It is 5.</s>", "Q:", "It is 5."),
        ("It is 5.", "", "It is 5."),
        ("It is 5.", None, "It is 5."),
        # Padding, several ends, white space between them.
        (f"{CHAT}5<|eot_id|>\n<|endoftext|><pad><pad> ", CHAT, "5"),
        (f"{CHAT}5</s> is not the end", CHAT, "5</s> is not the end"),
        (CHAT + "</s>", CHAT, ""),
        (CHAT, CHAT, ""),
        # Decoding put a space behind a special token, or took one from before a mark.
        ("<s> [INST] How many ? [/INST] 5</s>", "<s>[INST] How many ? [/INST]", "5"),
        ("How many? 5", "How many ?", "5"),
        # The beginning of a long prompt was cut off.
        ((BOXES * 3 + CHAT)[100:] + "5<|im_end|>", BOXES * 3 + CHAT, "5"),
        # A prompt that is not there, and one too short to be told from the response.
        ("It is 5.", BOXES, "It is 5."),
        ("Is it 5? It is 6.", "Is it 4?", "Is it 5? It is 6."),
    ],
)
def test_a_response_is_the_query_without_prompt_and_end_tokens(
    query: str, prompt: str | None, response: str
) -> None:
    assert response_of(query, prompt) == response


def test_the_model_cannot_move_the_end_of_the_prompt() -> None:
    prompt = BOXES * 3 + CHAT
    shown = prompt[50:]
    assert response_of(f"{shown}no {prompt}yes", prompt) == f"no {prompt}yes"


def test_a_long_query_is_cut_in_linear_time() -> None:
    padded = "5" + "<pad> " * 200_000
    assert response_of(padded, None) == "5"
    assert response_of(" a" * 200_000, "a" * 100_000) == ("a " * 100_000)[:-1]


# --- the protocol -------------------------------------------------------------------------------


def test_a_request_gets_a_reward_for_each_query() -> None:
    reply = handle(request(r"\boxed{5}", r"\boxed{6}", "five"))
    assert reply["rewards"] == reply["scores"] == [1.0, 0.0, 0.0]
    logs = reply["extra_logs"]
    assert logs["acc"] == [1.0, 0.0, 0.0]
    assert logs["no_answer"] == [0.0, 0.0, 1.0]
    assert {len(values) for values in logs.values()} == {3}
    assert json.loads(json.dumps(reply, allow_nan=False)) == reply


def test_the_async_handler_gives_the_same_reply() -> None:
    asked = request(r"\boxed{5}", r"\boxed{\sqrt{25}}", r"\boxed{6}", "five")

    def without_time(reply: dict[str, Any]) -> dict[str, Any]:
        del reply["extra_logs"]["judge_seconds"]
        return reply

    assert without_time(asyncio.run(ahandle(asked))) == without_time(handle(asked))


def test_what_could_not_be_judged_is_told_apart_from_a_wrong_answer() -> None:
    for label in (None, "", [], float("nan")):
        reply = handle(request(r"\boxed{5}", label=label))
        assert reply["rewards"] == [0.0]
        assert reply["extra_logs"]["gold_unreadable"] == [1.0]
        assert reply["extra_logs"]["scored"] == [0.0]
    stuck = {"judge": answer_judge(timeout_seconds=0.3)}
    reply = handle(request(r"\boxed{\binom{10^9}{10^8}}", r"\boxed{5}"), **stuck)
    assert reply["rewards"] == [0.0, 1.0]
    assert reply["extra_logs"]["timeout"] == [1.0, 0.0]


def test_the_prompt_gives_no_answer_and_restating_it_is_none() -> None:
    assert handle(request("I do not know.", prompt=BOXES))["rewards"] == [0.0]
    assert handle(request(r"\boxed{2+3}"))["rewards"] == [0.0]
    assert handle(request(r"\boxed{2+3}") | {"prompts": None})["rewards"] == [1.0]


def test_a_prompt_that_opens_the_thinking_hides_a_box_in_it() -> None:
    asked = request(r"maybe \boxed{5}", r"so</think>\boxed{5}", prompt=CHAT + "<think>\n")
    assert handle(asked)["rewards"] == [0.0, 1.0]


def test_labels_are_golds_in_any_shape() -> None:
    for label in ("5", 5, ["4", "5"], '["5"]', {"answer": "5"}, "2 + 3 = 5\n#### 5"):
        assert handle(request(r"\boxed{5}", label=label))["rewards"] == [1.0]


def test_a_judge_brings_other_settings() -> None:
    asked = request("The answer is 5.")
    assert handle(asked)["rewards"] == [0.0]
    assert handle(asked, judge=answer_judge(strict=False))["rewards"] == [1.0]


def test_an_empty_request_gets_an_empty_reply() -> None:
    assert handle({"query": [], "labels": []}) == {"rewards": [], "scores": [], "extra_logs": {}}


GOOD = request("a", "b")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ([], "the request is an object, not list"),
        ({}, "the request has no 'query'"),
        ({"query": ["a"]}, "the request has no 'labels'"),
        (GOOD | {"query": "ab"}, "query is a list, not str"),
        (GOOD | {"query": ["a", 7]}, r"query\[1\] is a text, not int"),
        (GOOD | {"prompts": ["a", 7]}, r"prompts\[1\] is a text, not int"),
        (GOOD | {"prompts": ["a"]}, "prompts has 1 entries and query has 2"),
        (GOOD | {"labels": "ab"}, "labels is a list, not str"),
        (GOOD | {"labels": ["a", "b", "c"]}, "labels has 3 entries and query has 2"),
    ],
)
def test_a_bad_request_is_refused_by_field_and_index(asked: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        handle(asked)
    with pytest.raises(ValueError, match=message):
        asyncio.run(ahandle(asked))


# --- the function -------------------------------------------------------------------------------


def test_the_function_gives_tensors_of_one_number_a_rollout() -> None:
    torch = pytest.importorskip("torch", reason="needs torch")
    asked = request(r"\boxed{5}", r"\boxed{6}")
    reply = reward_func(asked["query"], asked["prompts"], asked["labels"])
    assert reply["rewards"].tolist() == reply["scores"].tolist() == [1.0, 0.0]
    assert reply["rewards"].dtype == torch.float32
    assert all(values.shape == (2,) for values in reply["extra_logs"].values())


def test_the_function_takes_a_judge_and_what_other_versions_pass() -> None:
    pytest.importorskip("torch", reason="needs torch")
    spoken = functools.partial(reward_func, judge=answer_judge(strict=False))
    copy = pickle.loads(pickle.dumps(spoken))
    reply = copy(["Q: The answer is 5."], ["Q:"], ["5"], images=[None])
    assert reply["rewards"].tolist() == [1.0]


def test_the_function_refuses_lists_of_different_lengths() -> None:
    pytest.importorskip("torch", reason="needs torch")
    with pytest.raises(ValueError, match="labels has 1 entries and queries has 2"):
        reward_func(["a", "b"], ["", ""], ["5"])
