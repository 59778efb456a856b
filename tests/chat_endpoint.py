"""A small OpenAI-compatible endpoint on the loopback, whose replies a test decides."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Failure:
    """A reply that is an HTTP error."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    code: str = "broken"


class Hang:
    """A reply that never comes, until the endpoint is closed."""


Said = str | None | dict[str, Any] | Failure | Hang | type[Hang]


class ChatEndpoint:
    """What was asked, and what is said: ``say`` is a reply, or a function of the prompt.

    Attributes:
        url: The base URL for a client.
        say: A text, None for a message without one, a dict as the whole body, a `Failure`, `Hang`.
        requests: The bodies of the requests so far.
        paths: Their paths.
        asked: Set by the first of them.
        connections: How many have been opened.
        most_at_once: The most requests that were open at the same time.
        delay: Seconds that every reply takes.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.say: Said | Callable[[str], Said] = "yes"
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.connections = 0
        self.delay = 0.0
        self.most_at_once = 0
        self.asked = threading.Event()
        self.closing = threading.Event()
        self._open = 0
        self._lock = threading.Lock()

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][0]["content"] for body in self.requests]

    def reply(self, path: str, body: dict[str, Any]) -> Said:
        with self._lock:
            self.requests.append(body)
            self.paths.append(path)
            self.asked.set()
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)
        try:
            if self.delay:
                self.closing.wait(self.delay)
            said = self.say
            return said(body["messages"][0]["content"]) if _is_function(said) else said
        finally:
            with self._lock:
                self._open -= 1


def _is_function(said: Any) -> bool:
    return callable(said) and not isinstance(said, type)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint: ChatEndpoint

    def setup(self) -> None:
        super().setup()
        self.endpoint.connections += 1

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = self.endpoint.reply(self.path, body)
        if isinstance(said, Hang) or said is Hang:
            self.endpoint.closing.wait()
            self.close_connection = True
        elif isinstance(said, Failure):
            self._send(said.status, {"error": {"message": "no", "code": said.code}}, said.headers)
        else:
            self._send(200, said if isinstance(said, dict) else completion(said))

    def _send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Type": "application/json"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        pass


def completion(text: str | None) -> dict[str, Any]:
    """The body of a reply with one message."""
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 0,
        "model": "judge",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop" if text else "content_filter",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102},
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


@contextmanager
def chat_endpoint() -> Iterator[ChatEndpoint]:
    """Serves an endpoint in threads until the block ends."""
    handler = type("Handler", (_Handler,), {})
    server = _Server(("127.0.0.1", 0), handler)
    endpoint = handler.endpoint = ChatEndpoint(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
