from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math.equivalence.thinking import (
    MARKERS,
    after_thinking,
    last_content,
    prompt_opens_thinking,
)


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.opening)
def test_what_follows_finished_thinking_is_the_answer(marker):
    text = f"{marker.opening}maybe 3{marker.closing}The answer is 4."
    assert after_thinking(text) == "The answer is 4."
    assert after_thinking(f"maybe 3{marker.closing}The answer is 4.") == "The answer is 4."


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.opening)
@pytest.mark.parametrize("signs", ["", " < ", " < " * 50, "K]", "é"])
def test_thinking_is_found_among_any_number_of_signs(marker, signs):
    text = f"{marker.opening}{signs}{marker.closing}{signs}4"
    assert after_thinking(text) == f"{signs}4"
    assert after_thinking(f"{signs}{marker.opening}{signs}4") is None
    assert after_thinking(f"{signs}4 > 3 {signs}") == f"{signs}4 > 3 {signs}"


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.opening)
def test_unfinished_thinking_has_no_answer(marker):
    assert after_thinking(rf"{marker.opening}so \boxed{{4}}") is None
    again = f"{marker.opening}a{marker.closing}b{marker.opening}c"
    assert after_thinking(again) is None


@pytest.mark.parametrize(
    "tag",
    ["Think", "think ", "THINKING", "thoughts", "reasoning", "Scratchpad", "analysis", " think"],
)
def test_a_tag_in_another_spelling_at_the_beginning_marks_thinking_too(tag):
    assert after_thinking(rf"<{tag}>so \boxed{{4}}") is None
    assert after_thinking(f"\n<{tag}>maybe 3</{tag}>4") == "4"
    assert after_thinking(f"<{tag}>maybe 3</{tag.strip().lower()}>4") == "4"


def test_a_tag_that_is_not_about_thinking_hides_nothing():
    assert after_thinking("<result>4") == "<result>4"
    assert after_thinking("my <analysis> says 4") == "my <analysis> says 4"


def test_text_without_a_tag_is_the_answer_unless_the_prompt_opened_the_thinking():
    assert after_thinking("so 4") == "so 4"
    assert after_thinking("so 4", opened=True) is None
    assert after_thinking("so 4</think>5", opened=True) == "5"


def test_a_tag_of_another_habit_inside_the_thinking_does_not_count():
    text = "<think>I could write <thinking> or [THINK] here</think>5"
    assert after_thinking(text) == "5"


def test_a_closing_tag_without_an_opening_one_of_another_habit_does_not_hide_what_is_open():
    assert after_thinking("<think>a</thinking>b</think>5") == "5"
    assert after_thinking("</think><thinking>5") is None


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.opening)
def test_a_prompt_that_ends_with_an_opening_tag_opens_the_thinking(marker):
    assert prompt_opens_thinking(f"Solve it.\n{marker.opening}\n")
    assert prompt_opens_thinking([{"role": "user", "content": f"x{marker.opening}"}])
    assert not prompt_opens_thinking(f"{marker.opening}thoughts{marker.closing}")


@pytest.mark.parametrize(
    "prompt", [None, 5, [], {}, [None], [{"role": "user"}], object(), b"<think>"]
)
def test_anything_else_opens_nothing(prompt):
    assert not prompt_opens_thinking(prompt)
    assert last_content(prompt) == ""


def test_the_last_message_may_be_a_dict_an_object_or_parts():
    assert last_content("text") == "text"
    assert last_content([{"content": "a"}, {"content": "b"}]) == "b"
    assert last_content([SimpleNamespace(content="b")]) == "b"
    parts = [{"type": "text", "text": "a"}, {"type": "image_url"}, SimpleNamespace(text="b")]
    assert last_content([{"content": parts}]) == "ab"


TAGS = ["<think>", "</think>", "<thinking>", "[/THINK]", "x", "\ud800", "<", "|>"]


@given(st.lists(st.sampled_from(TAGS), max_size=12).map("".join))
def test_any_text_gives_its_own_end_or_nothing(text):
    after = after_thinking(text)
    assert after is None or text.endswith(after)
