"""Commands whose backslash a string literal or a JSON text has swallowed."""

from __future__ import annotations

import json

import pytest

import verifiers_math as vf
from verifiers_math.equivalence.lost import response_with_backslashes, with_backslashes

LOST = [
    ("\frac{1}{2}", r"\frac{1}{2}"),
    ("\alpha + \beta", r"\alpha + \beta"),
    ("\varphi", r"\varphi"),
    ("2\times 3", r"2\times 3"),
    ("\theta = \tfrac12", r"\theta = \tfrac12"),
    ("5 \text{ cm}", r"5 \text{ cm}"),
    ("a\neq 3, b\notin A", r"a\neq 3, b\notin A"),
    (json.loads(r'"\frac{\pi}{2}"'.replace(r"\p", r"\\p")), r"\frac{\pi}{2}"),
    (r"\left(1,2\right)".replace(r"\r", "\r"), r"\left(1,2\right)"),
]


@pytest.mark.parametrize(("text", "meant"), LOST)
def test_a_command_without_its_backslash_is_read_as_the_command(text: str, meant: str) -> None:
    assert with_backslashes(text) == meant
    assert vf.equivalent(text, meant).equal
    assert vf.equivalent(meant, text).equal
    assert vf.verify(text, rf"\boxed{{{meant}}}").equal
    assert vf.verify(meant, rf"\boxed{{{text}}}").equal


@pytest.mark.parametrize("text", ["1\f", "1\f2", "\b", "1\n2", "1\tan 2", "1\r\nor 2", "a\rhodium"])
def test_control_characters_that_were_no_command_stay(text: str) -> None:
    assert with_backslashes(text) == text


def test_a_box_without_its_backslash_is_a_box() -> None:
    assert vf.verify("1/2", "So \boxed{0.5}", strict=True).equal
    assert not vf.verify("1/2", "So \boxed{0.25}", strict=True).equal
    assert response_with_backslashes("a\b \boxed {2}\neq 3") == "a\b \\boxed {2}\neq 3"


def test_a_gold_without_its_backslash_does_not_make_a_wrong_answer_right() -> None:
    assert not vf.verify("\frac{1}{2}", r"\boxed{\frac{1}{3}}").equal
    assert not vf.verify("\beta", r"\boxed{\eta}").equal
    assert not vf.verify("\beta", r"\boxed{eta}").equal
