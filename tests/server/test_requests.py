"""Requests that are wrong in some way, and what is answered to each."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")

EVALUATE = "/api/v1/evaluate"
JSON = {"content-type": "application/json"}
BODY = {"evaluators": ["numeric_diff"], "output": "1", "expected": "1"}


def post(client: Any, content: Any, path: str = EVALUATE, **headers: str) -> tuple[int, Any]:
    answer = client.post(path, content=content, headers=JSON | headers)
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (json.dumps(BODY).encode()[:-1], "truncated"),
        (json.dumps(BODY).encode() + b" x", "trailing"),
        (b"\xef\xbb\xbf{}", "byte 0"),
        (b'{"evaluators": ["numeric_diff"], "output": "\xff", "expected": "1"}', "UTF-8"),
        (b'{"evaluators": ["numeric_diff"], "output": "\\ud800", "expected": "1"}', "surrogate"),
        (b'{"evaluators": ["numeric_diff"], "output": NaN, "expected": "1"}', "NaN"),
        (b'{"evaluators": ["numeric_diff"], "output": -Infinity, "expected": "1"}', "infinity"),
        (b'{"evaluators": ["numeric_diff"], "output": Infinity, "expected": "1"}', "infinity"),
        (b"output=1&expected=1", "malformed"),
        (b"\x00" * 100, "malformed"),
    ],
)
def test_what_is_no_json_is_a_400_that_says_where(
    client: Any, content: bytes, message: str
) -> None:
    status, error = post(client, content)
    assert status == 400
    assert error["code"] == "malformed_json"
    assert message in error["message"]


@pytest.mark.parametrize("path", [EVALUATE, "/api/v1/explain", "/get_reward", "/verify"])
@pytest.mark.parametrize("body", [[], "text", 5, None])
def test_a_body_that_is_no_object_is_a_422(client: Any, path: str, body: Any) -> None:
    status, error = post(client, json.dumps(body), path)
    assert status == 422
    assert error["path"] == "$"


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000])
def test_a_number_beyond_all_bounds_is_named(client: Any, number: str) -> None:
    content = f'{{"evaluators": ["numeric_diff"], "output": {number}, "expected": "1"}}'
    status, error = post(client, content)
    assert (status, error["path"]) == (422, "$.output")
    assert "out of range" in error["message"]


@pytest.mark.parametrize(
    ("path", "field"), [(EVALUATE, "expected"), ("/get_reward", "labels"), ("/verify", "response")]
)
@pytest.mark.parametrize("levels", [40, 100_000])
def test_a_body_nested_too_deep_is_refused(client: Any, path: str, field: str, levels: int) -> None:
    deep = "[" * levels + "]" * levels
    status, error = post(client, f'{{"evaluators": ["exact_match"], "{field}": {deep}}}', path)
    assert status == 422
    assert "nested" in error["message"]


def test_a_body_nested_as_deep_as_allowed_is_read(client: Any) -> None:
    deep = '{"answer": ' * 8 + '"5"' + "}" * 8
    content = json.dumps(BODY | {"output": "5"})[:-1] + f', "expected": {deep}}}'
    assert client.post(EVALUATE, content=content, headers=JSON).status_code == 200


def test_a_body_that_is_too_large_is_refused_by_its_length_or_as_it_comes(client_of: Any) -> None:
    client = client_of(max_body_bytes=1000)

    def chunks() -> Any:
        yield from [b"x" * 300] * 5

    assert post(client, b"x" * 1001)[0] == 413
    status, error = post(client, chunks())
    assert (status, error["code"]) == (413, "too_large")
    assert "1000 bytes" in error["message"]
    padded = json.dumps(BODY).encode().ljust(1000)
    assert client.post(EVALUATE, content=padded, headers=JSON).status_code == 200


def test_large_bodies_share_a_room_and_small_ones_always_fit(client_of: Any) -> None:
    client = client_of(max_buffered_bytes=70_000)
    large = json.dumps(BODY | {"output": "1" * 80_000})
    answer = client.post(EVALUATE, content=large, headers=JSON)
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
    for _ in range(3):  # what was refused has given its room back
        assert client.post(EVALUATE, json=BODY).status_code == 200
        fits = json.dumps(BODY | {"output": "1" * 68_000})
        assert client.post(EVALUATE, content=fits, headers=JSON).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/jsonx"},
        {"content-encoding": "gzip"},
    ],
    ids=str,
)
def test_another_kind_of_body_is_a_415(client: Any, headers: dict[str, str]) -> None:
    assert post(client, json.dumps(BODY), **headers)[0] == 415


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/ld+json"]
)
def test_json_has_several_names(client: Any, kind: str) -> None:
    headers = {"content-type": kind}
    assert client.post(EVALUATE, content=json.dumps(BODY), headers=headers).status_code == 200


def test_the_type_may_be_left_out(client: Any) -> None:
    assert client.post(EVALUATE, content=json.dumps(BODY)).status_code == 200


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (EVALUATE, "OPTIONS, POST"),
        ("/api/v1/explain", "OPTIONS, POST"),
        ("/get_reward", "OPTIONS, POST"),
        ("/verify", "OPTIONS, POST"),
        ("/healthz", "GET, HEAD, OPTIONS"),
        ("/metrics", "GET, HEAD, OPTIONS"),
        ("/openapi.json", "GET, HEAD, OPTIONS"),
        ("/", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(client: Any, path: str, allowed: str) -> None:
    for method in ("DELETE", "PUT", "PATCH", "TRACE", "BREW"):
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed
        assert answer.json()["error"]["code"] == "wrong_method"
    options = client.options(path)
    assert (options.status_code, options.headers["allow"]) == (204, allowed)


@pytest.mark.parametrize("path", ["/", "/healthz", "/metrics", "/openapi.json", "/static/one.js"])
def test_head_gives_the_headers_of_get(client: Any, path: str) -> None:
    head, got = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == got.headers["content-type"]


def test_an_error_of_ours_is_a_500_that_gives_nothing_away(
    client_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifiers_math.server import app

    async def fail(*_: Any) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(app, "evaluate", fail)
    answer = client_of().post(EVALUATE, json=BODY)
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "internal"
    assert "secret" not in answer.text


def test_an_answer_that_takes_too_long_is_a_503(
    client_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio

    from verifiers_math.server import app

    async def sleep(*_: Any) -> None:
        await asyncio.sleep(30)

    monkeypatch.setattr(app, "evaluate", sleep)
    answer = client_of(request_seconds=0.05).post(EVALUATE, json=BODY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "late")
    assert answer.headers["retry-after"] == "1"


# --- tokens --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": "Basic secret"},
        {"authorization": "secret"},
        {"authorization": "Bearer secretx"},
        {"authorization": "Bearer sécret".encode("latin-1")},
    ],
    ids=str,
)
def test_without_the_token_nobody_gets_in(client_of: Any, headers: Any) -> None:
    client = client_of(token="secret")
    for answer in (
        client.post(EVALUATE, json=BODY, headers=headers),
        client.get("/metrics", headers=headers),
        client.get("/nothing", headers=headers),
        client.options(EVALUATE, headers=headers),
    ):
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["error"]["code"] == "unauthorised"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_with_the_token_one_gets_in(client_of: Any, scheme: str) -> None:
    client = client_of(token="secret")
    headers = {"authorization": f"{scheme} secret"}
    assert client.post(EVALUATE, json=BODY, headers=headers).status_code == 200
    assert client.get("/metrics", headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/", "/static/one.js", "/healthz", "/openapi.json"])
def test_the_page_and_the_health_are_open(client_of: Any, path: str) -> None:
    assert client_of(token="secret").get(path).status_code == 200


@pytest.mark.parametrize("token", ["", "  ", "sécret", "a\nb"])
def test_a_token_that_no_header_can_carry_is_an_error(token: str) -> None:
    from verifiers_math.server import Settings

    with pytest.raises(ValueError, match="token"):
        Settings(token=token)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "8", True])
def test_a_limit_that_is_no_positive_number_is_an_error(value: Any) -> None:
    from verifiers_math.server import Settings

    with pytest.raises(ValueError, match="max_items must be a positive number"):
        Settings(max_items=value)


def test_the_settings_do_not_show_the_token() -> None:
    from verifiers_math.server import Settings

    assert "secret" not in repr(Settings(token="secret"))
