"""Large bodies: handled in a loop of their own, beside the one that serves everybody."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")

from verifiers_math.server import endpoints
from verifiers_math.server.side_loop import SideLoop

EVALUATE = "/api/v1/evaluate"
PATIENCE = 30.0
SMALL = {"evaluators": ["exact_match"], "output": "5", "expected": "5"}
LARGE = {**SMALL, "output": "5" + " " * endpoints.LARGE_BODY_BYTES}


@pytest.fixture
def client(client_of: Callable[..., Any]) -> Iterator[Any]:
    """A client of a running service."""
    with client_of() as made:
        yield made


def test_a_large_body_is_handled_beside_the_loop(client: Any, monkeypatch: Any) -> None:
    threads = []

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return decode(*given)

    decode = endpoints.decode
    monkeypatch.setattr(endpoints, "decode", noted)
    for body in (SMALL, LARGE):
        found = client.post(EVALUATE, json=body).json()["results"]["exact_match"]
        assert found["passed"] is True
    assert [name == "side-loop" for name in threads] == [False, True]


def test_a_large_body_that_takes_long_holds_up_no_small_one(client: Any, monkeypatch: Any) -> None:
    begun, gate = threading.Event(), threading.Event()

    def slow(body: bytes, *given: Any) -> Any:
        if len(body) > endpoints.LARGE_BODY_BYTES:
            begun.set()
            gate.wait(PATIENCE)  # as a text does that the interpreter reads for long
        return decode(body, *given)

    decode = endpoints.decode
    monkeypatch.setattr(endpoints, "decode", slow)
    with ThreadPoolExecutor(1) as other:
        late = other.submit(client.post, EVALUATE, json=LARGE)
        assert begun.wait(PATIENCE)
        assert client.post(EVALUATE, json=SMALL).status_code == 200
        gate.set()
        assert late.result().status_code == 200


def test_a_large_request_that_is_late_is_given_up(client_of: Any, monkeypatch: Any) -> None:
    from verifiers_math.server import app

    given_up = threading.Event()

    async def sleep(*_: Any) -> None:
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            given_up.set()
            raise

    monkeypatch.setattr(app, "evaluate", sleep)
    with client_of(request_seconds=3.0) as client:  # enough for the body to be read in any case
        assert client.post(EVALUATE, json=LARGE).status_code == 503
    assert given_up.wait(PATIENCE)


def test_what_is_wrong_with_a_large_body_is_said_as_of_a_small_one(client: Any) -> None:
    for change, status in (({"output": [LARGE["output"]]}, 422), ({"extra": 1}, 422)):
        answer = client.post(EVALUATE, json={**LARGE, **change})
        assert answer.status_code == status
        assert answer.json()["error"]["code"] == "invalid"
    cut = json.dumps(LARGE)[:-1]
    assert client.post(EVALUATE, content=cut).json()["error"]["code"] == "malformed_json"


async def test_the_loop_ends_with_what_runs_in_it() -> None:
    before = set(threading.enumerate())
    side = SideLoop()
    assert await side.run(asyncio.sleep(0, "here")) == "here"  # before it is started
    side.start()
    assert await side.run(asyncio.sleep(0, "there")) == "there"
    endless = asyncio.ensure_future(side.run(asyncio.sleep(PATIENCE)))
    await asyncio.sleep(0)
    side.end()
    side.end()
    with pytest.raises(asyncio.CancelledError):
        await endless
    assert "side-loop" not in {thread.name for thread in set(threading.enumerate()) - before}
