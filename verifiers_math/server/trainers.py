"""The endpoints that trainers call, in their own shapes; the adapters hold what they mean."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Final, NamedTuple

from verifiers_math.server.problems import invalid


class TrainerEndpoint(NamedTuple):
    """An endpoint of a trainer's protocol.

    Attributes:
        path: Where it is.
        handler: The adapter's function, as ``module:function`` below `integrations`.
        summary: What it is for.
    """

    path: str
    handler: str
    summary: str


TRAINER_ENDPOINTS: Final = (
    TrainerEndpoint(
        "/get_reward",
        "openrlhf:ahandle",
        "OpenRLHF's remote reward model: `query`, `prompts` and `labels` are lists of one length.",
    ),
    TrainerEndpoint(
        "/verify",
        "nemo_gym:ahandle",
        "NeMo-Gym's verification: `question`, `expected_answer` and `response`.",
    ),
)


def load(endpoint: TrainerEndpoint) -> Callable[[Any], Awaitable[dict[str, Any]]]:
    """The handler of an endpoint, whose errors about the request become answers.

    Args:
        endpoint: Which.
    """
    module, _, name = endpoint.handler.partition(":")
    handle = getattr(import_module(f"verifiers_math.integrations.{module}"), name)

    async def checked(request: Any) -> dict[str, Any]:
        if not isinstance(request, dict):
            raise invalid(f"the body is an object, not {type(request).__name__}", "$")
        try:
            answer: dict[str, Any] = await handle(request)
        except (TypeError, ValueError) as error:
            raise invalid(str(error)) from None
        return answer

    return checked
