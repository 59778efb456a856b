"""The rewards in AsyncGRPO's own rollout worker: a spawned, daemonic process.

The worker is TRL's; only the vLLM server that it asks for completions is played here.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the trl extra")
pytest.importorskip("aiohttp", reason="needs aiohttp, as AsyncGRPO does")

import grpo_addition as example
from accelerate import PartialState
from datasets import Dataset

import verifiers_math as vf
from benchmarks.processes import descendants, still_alive
from verifiers_math.integrations.trl import (
    accuracy_reward,
    async_accuracy_reward,
    async_reward_funcs,
    reward_funcs,
    rubric_reward,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

GOLD = r"\int_0^{1} 10 x \, dx"  # no pure stage integrates: the judge needs a process of its own
ANSWERS = {r"\boxed{5}": 1.0, r"\boxed{6}": 0.0, r"\boxed{05}": 1.0, "5": 0.0}
REWARDS = [
    "accuracy_reward",
    "async_accuracy_reward",
    "rubric_reward",
    "correct_answer",
    "awaited_correct_answer",
]


class Server(BaseHTTPRequestHandler):
    """Completions as vLLM's server returns them to the worker."""

    asked = 0
    lock = threading.Lock()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        with self.lock:
            text = list(ANSWERS)[Server.asked % len(ANSWERS)]
            Server.asked += 1
        tokens = example.make_tokenizer()(text + "<end>")["input_ids"]
        choice = {"token_ids": tokens, "logprobs": {"token_logprobs": [-1.0] * len(tokens)}}
        body = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server_url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_pickled_functions_reward_in_the_spawned_worker(
    server_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trl.experimental.async_grpo import async_rollout_worker as module

    monkeypatch.setattr(module, "is_vllm_available", lambda: True)  # asked for a version only
    rubric = vf.MathRubric(strict=True)
    rubric.add_metric(example.in_a_box)
    awaited, _ = async_reward_funcs(rubric)
    for function in awaited:
        function.__name__ = f"awaited_{function.__name__}"
    functions = [
        accuracy_reward,
        async_accuracy_reward,
        rubric_reward(rubric),
        *reward_funcs(rubric)[0],
        *awaited,
    ]
    rows = [{"prompt": [{"role": "user", "content": "2+3="}], "answer": GOLD}]
    tokenizer = example.make_tokenizer()
    tokenizer.response_schema = SCHEMA
    worker = module.AsyncRolloutWorker(
        model_name="none",
        dataset=Dataset.from_list(rows),
        reward_funcs=functions,
        processing_class=tokenizer,
        eos_token_ids=[tokenizer.eos_token_id],
        num_generations=len(ANSWERS),
        max_inflight_tasks=len(ANSWERS),
        vllm_server_url=server_url,
        max_tokens=8,
    )
    PartialState()  # as a trainer would have
    before = descendants()
    worker.start()
    try:
        samples = [worker.rollout_buffer.get(timeout=120) for _ in range(2 * len(ANSWERS))]
        started = descendants() - before
    finally:
        worker.stop()
    assert len(started) > 1, "the judge has started no process in the worker"
    assert not still_alive(started, within_seconds=30)
    for sample in samples:
        names = {name for name in sample.metrics if name.startswith("rewards/")}
        assert names == {f"rewards/{name}" for name in (*REWARDS, "in_a_box", "awaited_in_a_box")}
        text = sample.completion[0]["content"]
        assert [sample.metrics[f"rewards/{name}"] for name in REWARDS] == [ANSWERS[text]] * 5


SCHEMA = {
    "type": "object",
    "properties": {
        "role": {"const": "assistant"},
        "content": {"type": "string", "x-regex": r"^(.*?)(?:<end>)?$"},
    },
}
"""How the tokenizer reads a message out of a completion, as TRL adds it for known models."""
