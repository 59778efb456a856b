"""The handler as the ``verify`` of a NeMo-Gym resources server, over its own endpoint."""

from __future__ import annotations

import warnings
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.integrations.hard_pairs import NEEDS_WORKER, NEEDS_WORKER_GOLD
from verifiers_math.integrations.nemo_gym import ahandle

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of NeMo-Gym's many dependencies
    gym = pytest.importorskip("nemo_gym.base_resources_server", reason="needs nemo-gym")
    server_utils = pytest.importorskip("nemo_gym.server_utils", reason="needs nemo-gym")
    testclient = pytest.importorskip("fastapi.testclient", reason="needs fastapi")

from pydantic import ConfigDict


class Request(gym.BaseVerifyRequest):  # type: ignore[name-defined, misc] # gym is untyped
    question: str
    expected_answer: str | None


class Reply(gym.BaseVerifyResponse):  # type: ignore[name-defined, misc] # gym is untyped
    model_config = ConfigDict(extra="allow")


class Server(gym.SimpleResourcesServer):  # type: ignore[name-defined, misc] # gym is untyped
    async def verify(self, body: Request) -> Reply:
        return Reply(**await ahandle(body.model_dump(mode="json")))


@pytest.fixture
def client() -> Any:
    config = gym.BaseResourcesServerConfig(host="127.0.0.1", port=1, entrypoint="", name="math")
    server = Server(config=config, server_client=MagicMock(spec=server_utils.ServerClient))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield testclient.TestClient(server.setup_webserver())


def body(text: str, gold: str | None) -> dict[str, Any]:
    """What NeMo-Gym's own example client sends."""
    part = {"annotations": [], "text": text, "type": "output_text"}
    return {
        "responses_create_params": {"input": [{"role": "user", "content": "What is 12 + 30?"}]},
        "response": {
            "id": "response_1",
            "created_at": 1.0,
            "model": "model_1",
            "object": "response",
            "output": [
                {
                    "id": "message_1",
                    "content": [part],
                    "role": "assistant",
                    "status": "completed",
                    "type": "message",
                }
            ],
            "parallel_tool_calls": False,
            "tool_choice": "none",
            "tools": [],
        },
        "question": "What is 12 + 30?",
        "expected_answer": gold,
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("text", "gold", "reward", "masked"),
    [
        (r"So \boxed{42}", "42", 1.0, False),
        (r"So \boxed{43}", "42", 0.0, False),
        (r"\boxed{12 + 30}", "42", 0.0, False),
        (NEEDS_WORKER, NEEDS_WORKER_GOLD, 1.0, False),
        (r"\boxed{42}", None, 0.0, True),
    ],
    ids=["right", "wrong", "restated", "worker", "no gold"],
)
def test_the_endpoint_replies_with_the_reward(
    client: Any, text: str, gold: str | None, reward: float, masked: bool
) -> None:
    response = client.post("/verify", json=body(text, gold))
    assert response.status_code == 200, response.text
    reply = response.json()
    assert (reply["reward"], reply["mask_sample"]) == (reward, masked)
    assert reply["response"]["output"][0]["content"][0]["text"] == text
