"""A language model that is a script, behind an OpenAI-compatible endpoint on this machine.

It lets the examples and tests of frameworks that ask a server run anywhere, without a key, a
network or a GPU. Only the standard library is used.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextlib.contextmanager
def scripted_model(replies: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """An endpoint on this machine that answers chat completions from a script.

    Args:
        replies: What to say, in turn, to a prompt that contains the key.

    Yields:
        Its base URL.
    """
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = request["messages"][-1]["content"]
            key = next(key for key in replies if key in prompt)
            with lock:
                turn = asked[key]
                asked[key] += 1
            body = json.dumps(_completion(request["model"], replies[key][turn % len(replies[key])]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 128  # rollouts ask all at once

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _completion(model: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
