"""The service on a port: clients that are slow, rude or many; workers that die; the end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")
if not os.path.isdir("/proc/self"):
    pytest.skip("looks for processes in /proc", allow_module_level=True)

from serving import (
    PATIENCE,
    RunningService,
    answer_to,
    costly,
    eventually,
    head,
    pure,
    quick,
)

Serve = Callable[..., RunningService]
IN_PROGRESS = "verifiers_math_requests_in_progress"
ANSWERED = 'verifiers_math_requests_total{code="200",path="/api/v1/evaluate"}'
WAITING = "verifiers_math_pairs_waiting"


def parsed(answer: bytes) -> tuple[int, str]:
    """Status and error code of an answer on the wire."""
    top, _, body = answer.partition(b"\r\n\r\n")
    return int(top.split()[1]), json.loads(body)["error"]["code"]


def kill(pids: set[int]) -> None:
    """Kills processes, some of which end with one of the others."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def status_of(result: tuple[int, dict, dict]) -> str:
    """The judge's status in an answer to `costly`, `quick` or `pure`."""
    status: str = result[1]["results"]["correct_answer"]["status"]
    return status


# --- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
def test_a_shutdown_finishes_what_was_taken_and_leaves_nothing(
    serve: Serve, number: signal.Signals
) -> None:
    service = serve(timeout_seconds=3, shutdown_seconds=PATIENCE)
    with ThreadPoolExecutor(2) as threads, service.connection() as idle:
        under_way = threads.submit(service.evaluate, costly(1))
        assert eventually(lambda: service.metric(WAITING) == 1)
        service.process.send_signal(number)
        assert answer_to(idle) == b""  # a connection without a request is closed at once
        assert status_of(under_way.result()) == "timeout"
    service.process.wait(PATIENCE)
    assert eventually(lambda: not service.workers())
    with pytest.raises(OSError, match="refused"):
        service.evaluate(pure(1))
    assert not any("Traceback" in line for line in service.log)


def test_a_shutdown_does_not_wait_for_ever(serve: Serve) -> None:
    service = serve(shutdown_seconds=1, body_seconds=600)
    with service.connection() as slow:
        slow.sendall(head(100) + b"{")
        assert eventually(lambda: service.metric(IN_PROGRESS) == 2)  # it and the question itself
        service.process.send_signal(signal.SIGTERM)
        service.process.wait(PATIENCE)


# --- workers -------------------------------------------------------------------------------------


def test_one_pair_too_many_is_told_to_come_back_and_what_needs_no_worker_is_served(
    serve: Serve,
) -> None:
    service = serve(max_waiting=4, max_workers=1, timeout_seconds=3)
    with ThreadPoolExecutor(8) as threads:
        attacks = [threads.submit(service.evaluate, costly(number)) for number in range(8)]
        assert eventually(lambda: service.metric(WAITING) >= 2)
        for number in range(20):
            assert status_of(service.evaluate(pure(number))) == "correct"
        answers = [attack.result() for attack in attacks]
    refused = [answer for answer in answers if answer[0] == 429]
    assert 0 < len(refused) < 8
    for _, body, headers in refused:
        assert body["error"]["code"] == "busy"
        assert headers["retry-after"] == "1"
    served = [answer for answer in answers if answer[0] == 200]
    assert {status_of(answer) for answer in served} == {"timeout"}


def test_room_is_kept_for_honest_pairs_while_costly_ones_wait(serve: Serve) -> None:
    service = serve(max_waiting=4, max_workers=1, timeout_seconds=4)
    with ThreadPoolExecutor(3) as threads:
        attacks = [threads.submit(service.evaluate, costly(number)) for number in range(3)]
        assert eventually(lambda: service.metric(WAITING) >= 2)
        assert status_of(service.evaluate(quick(2))) == "incorrect"
        assert not all(attack.done() for attack in attacks)
        assert sorted(attack.result()[0] for attack in attacks) == [200, 200, 429]


def test_a_batch_with_an_undecided_pair_is_refused_as_a_whole(serve: Serve) -> None:
    service = serve(max_waiting=2, max_workers=1, timeout_seconds=3)
    with ThreadPoolExecutor(1) as threads:
        attack = threads.submit(service.evaluate, costly(1))
        assert eventually(lambda: service.metric(WAITING) == 1)
        item = {name: costly(2)[name] for name in ("output", "expected")}
        body = {"evaluators": ["correct_answer"], "items": [item]}
        assert service.evaluate(body)[0] == 429
        attack.result()


def test_a_killed_worker_costs_nobody_an_answer(serve: Serve) -> None:
    service = serve(max_workers=2)
    assert status_of(service.evaluate(quick(2))) == "incorrect"
    kill(service.workers())
    assert status_of(service.evaluate(quick(3))) == "incorrect"
    with ThreadPoolExecutor(1) as threads:
        attack = threads.submit(service.evaluate, costly(1))
        assert eventually(lambda: service.metric(WAITING) == 1)
        kill(service.workers())
        assert status_of(attack.result()) in ("timeout", "error")
    assert status_of(service.evaluate(quick(4))) == "incorrect"


def test_many_connections_share_one_pool_of_workers(serve: Serve) -> None:
    service = serve(max_workers=2)
    with ThreadPoolExecutor(24) as threads:
        answers = list(threads.map(service.evaluate, map(quick, range(2, 50))))
    assert {answer[0] for answer in answers} == {200}
    assert len(service.workers()) <= 4  # two workers, one spare, and their server


# --- slow and rude clients -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[RunningService]:
    """One service for all of them, of little patience once it has been sent a request."""
    patient = dict.fromkeys(("header_seconds", "body_seconds", "request_seconds"), PATIENCE)
    impatient = dict.fromkeys(("write_seconds", "idle_seconds"), 1.0)
    running = RunningService({**patient, **impatient, "max_body_bytes": 5_000_000})
    yield running
    running.end()


@pytest.fixture(scope="module")
def impatient() -> Iterator[RunningService]:
    """One that soon gives up a request that does not come."""
    running = RunningService({"header_seconds": 1.0, "body_seconds": 1.0})
    yield running
    running.end()


@pytest.mark.parametrize(
    "sent",
    [b"", b"POST /api/v1/evaluate HTTP/1.1\r\nhost: x\r\n", b"G"],
    ids=["nothing", "half a head", "a letter"],
)
def test_a_head_that_never_ends_is_given_up(impatient: RunningService, sent: bytes) -> None:
    with impatient.connection() as slow:
        slow.sendall(sent)
        assert parsed(answer_to(slow)) == (408, "slow_head")


def drip(connection: socket.socket, text: bytes) -> None:
    """Sends letter by letter, until the other end has closed."""
    for letter in text:
        connection.sendall(bytes([letter]))
        time.sleep(0.02)


def test_a_head_that_comes_letter_by_letter_is_given_up(impatient: RunningService) -> None:
    with impatient.connection() as slow, pytest.raises(ConnectionError):
        drip(slow, b"GET /healthz HTTP/1.1\r\nx: " + b"y" * 10_000)
    assert json.loads(impatient.get("/healthz"))["status"] == "ok"


def test_a_second_head_on_a_connection_is_given_up_too(impatient: RunningService) -> None:
    with impatient.connection() as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert slow.recv(65536).startswith(b"HTTP/1.1 200")
        slow.sendall(b"GET /heal")
        assert b"slow_head" in answer_to(slow)


def test_an_idle_connection_is_kept_for_a_while_only(service: RunningService) -> None:
    with service.connection() as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert answer_to(idle).startswith(b"HTTP/1.1 200")


def test_a_body_that_does_not_come_is_given_up(impatient: RunningService) -> None:
    with impatient.connection() as slow:
        slow.sendall(head(100) + b'{"evaluators"')
        assert parsed(answer_to(slow)) == (408, "slow_body")


def test_a_body_that_is_cut_off_leaves_no_trace(service: RunningService) -> None:
    with service.connection() as rude:
        rude.sendall(head(100) + b'{"evaluators"')
    assert eventually(lambda: service.metric(IN_PROGRESS) == 1)
    assert status_of(service.evaluate(pure(1))) == "correct"
    assert not any("Traceback" in line for line in service.log)


def test_an_answer_that_nobody_reads_is_given_up(service: RunningService) -> None:
    item = {"output": "x" * 1000, "expected": "5"}
    body = json.dumps({"evaluators": ["everything"], "items": [item] * 4000}).encode()
    before = service.metric(ANSWERED)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(PATIENCE)
        deaf.connect(("127.0.0.1", service.port))
        deaf.sendall(head(len(body)) + body)
        assert eventually(lambda: service.metric(ANSWERED) == before + 1)
    assert status_of(service.evaluate(pure(1))) == "correct"


@pytest.mark.parametrize(
    "sent",
    [
        b"GARBAGE\r\n\r\n",
        b"\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200) + b"\r\n\r\n",
    ],
    ids=[
        "garbage",
        "empty line",
        "no host",
        "huge header",
        "bad header",
        "raw byte",
        "two lengths",
        "negative length",
        "tls",
    ],
)
def test_what_is_no_http_is_a_400_in_json(service: RunningService, sent: bytes) -> None:
    with service.connection() as rude:
        rude.sendall(sent)
        assert parsed(answer_to(rude)) == (400, "malformed_http")
    assert status_of(service.evaluate(pure(1))) == "correct"


def test_a_broken_chunk_is_a_400(service: RunningService) -> None:
    chunked = head(0).replace(b"content-length: 0", b"transfer-encoding: chunked")
    with service.connection() as rude:
        rude.sendall(chunked + b"5\r\n{    \r\n")
        assert eventually(lambda: service.metric(IN_PROGRESS) == 2)
        rude.sendall(b"no length\r\n")
        assert parsed(answer_to(rude)) == (400, "malformed_http")
    assert not any("Traceback" in line for line in service.log)


def test_a_body_with_two_lengths_is_a_400(service: RunningService) -> None:
    both = head(5).replace(b"content-length", b"transfer-encoding: chunked\r\ncontent-length")
    with service.connection() as smuggler:
        smuggler.sendall(
            both.replace(b"connection: close\r\n", b"") + b"0\r\n\r\nGET / HTTP/1.1\r\n"
        )
        assert parsed(answer_to(smuggler)) == (400, "malformed_http")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api/v1/evaluate/",
        "//api/v1/evaluate",
        "/api/v1/../v1/evaluate",
        "/static/",
        "/static/..%2f..%2fapp.py",
        "/static/../app.py",
        "/%00",
        "/static/page.css%00.js",
        "/%ff%fe",
        "/" + "x" * 5000,
        "http://elsewhere/api/v1/evaluate",
        "*",
    ],
)
def test_an_odd_path_is_a_404_in_json(service: RunningService, path: str) -> None:
    with service.connection() as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nhost: [x\r\nconnection: close\r\n\r\n".encode())
        assert parsed(answer_to(client)) == (404, "not_found")


def test_requests_in_one_packet_are_answered_one_by_one(service: RunningService) -> None:
    body = json.dumps(pure(3)).encode()
    one = head(len(body)).replace(b"connection: close\r\n", b"") + body
    with service.connection() as eager:
        eager.sendall(one * 3 + head(len(body)) + body)
        assert answer_to(eager).count(b'"status":"correct"') == 4


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked(service: RunningService) -> None:
    body = json.dumps(pure(3)).encode()
    with service.connection() as polite:
        polite.sendall(head(len(body)).replace(b"host: x", b"host: x\r\nexpect: 100-continue"))
        assert polite.recv(65536).startswith(b"HTTP/1.1 100")
        polite.sendall(body)
        assert b'"status":"correct"' in answer_to(polite)
    with service.connection() as large:
        large.sendall(head(6_000_000))
        large.sendall(b"x" * 6_000_000)
        assert parsed(answer_to(large)) == (413, "too_large")


def test_a_body_that_never_ends_is_cut_off_at_the_limit(service: RunningService) -> None:
    with service.connection() as endless:
        chunked = head(0).replace(b"content-length: 0", b"transfer-encoding: chunked")
        endless.sendall(chunked)
        sent = 0
        try:
            while sent < 200_000_000:
                endless.sendall(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
                sent += 10_000
        except ConnectionError:
            pass
    assert sent < 100_000_000  # the kernel itself may hold tens of megabytes of it


def test_connections_beyond_the_limit_are_refused(serve: Serve) -> None:
    service = serve(max_connections=2)
    with service.connection() as first, service.connection():
        first.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert first.recv(65536).startswith(b"HTTP/1.1 200")
        with service.connection() as third:
            assert parsed(answer_to(third)) == (503, "too_many_connections")
    assert eventually(lambda: json.loads(service.get("/healthz"))["status"] == "ok")


def test_a_service_keeps_within_its_descriptors(serve: Serve) -> None:
    service = serve(descriptors=220)
    assert any("room for 28 connections" in line for line in service.log)
    with contextlib.ExitStack() as opened:
        for _ in range(300):
            opened.enter_context(service.connection())
        assert eventually(lambda: len(os.listdir(f"/proc/{service.process.pid}/fd")) < 150)
    assert eventually(lambda: served(service))
    assert len(service.log) < 20  # asyncio would say so thousands of times a second


def served(service: RunningService) -> bool:
    """Whether there is room again."""
    try:
        return status_of(service.evaluate(quick(2))) == "incorrect"
    except (OSError, KeyError):  # refused, with an answer that it may have had no time to read
        return False


def test_no_descriptor_for_a_connection_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    from verifiers_math.server import Settings, serving

    made = serving.server("127.0.0.1", 0, Settings())
    loop = asyncio.new_event_loop()
    for number in (errno.EMFILE, errno.EMFILE, errno.ENFILE):
        made._on_error(loop, {"message": "accept", "exception": OSError(number, "no more")})
    assert len(caplog.records) == 1
    made._on_error(loop, {"message": "something else", "exception": ValueError("x")})
    assert "something else" in caplog.text
    loop.close()


def test_to_listen_beyond_this_machine_without_a_token_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from verifiers_math.server import Settings, run, serving

    class Silent:
        def __init__(self, *_: object) -> None: ...
        def run(self) -> None: ...

    monkeypatch.setattr(serving, "server", Silent)
    with caplog.at_level(logging.WARNING):
        for host in ("127.0.0.1", "::1", "localhost"):
            run(host)
        run("0.0.0.0", settings=Settings(token="secret"))
        assert caplog.text == ""
        run("0.0.0.0")
    assert "without a token" in caplog.text


def test_an_address_that_is_taken_is_an_error_with_its_name(service: RunningService) -> None:
    script = f"from verifiers_math.server import run; run(port={service.port})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert done.returncode != 0
    assert "address already in use" in done.stderr
