"""What the page on the service shows is what the service answers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest

from tests.pages import ROOT, blocks

pytest.importorskip("starlette", reason="needs the server extra")

PAGE = ROOT / "docs" / "server.md"
CALLS = [it.body for it in blocks(PAGE) if it.body.startswith("$ curl")]


def read(reply: str) -> Any:
    """The reply; each object of it has the same time, 0.0, whatever it had."""
    return json.loads(reply, object_hook=lambda it: {**it, "seconds": 0.0})


@pytest.mark.parametrize("call", CALLS, ids=range(len(CALLS)))
def test_a_call_is_answered_as_the_page_shows(call: str, client_of: Callable[..., Any]) -> None:
    typed, shown = call.removeprefix("$ ").replace("\\\n", "").strip().split("\n")
    _, _, url, _, header, _, body = shlex.split(typed)
    name, _, value = header.partition(": ")
    with client_of() as client:  # one that has judged nothing before
        reply = client.post("/" + url.partition("/")[2], content=body, headers={name: value})
    assert reply.status_code == 200
    assert read(reply.text) == read(shown)


def test_the_page_has_calls() -> None:
    assert len(CALLS) >= 2
