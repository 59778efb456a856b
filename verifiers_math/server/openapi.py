"""The interface described for programs: ``GET /openapi.json``."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from verifiers_math import __version__
from verifiers_math.server.evaluating import (
    EvaluateBatchReply,
    EvaluateReply,
    EvaluateRequest,
    EvaluatorInfo,
)
from verifiers_math.server.explaining import ExplainRequest
from verifiers_math.server.problems import ErrorReply
from verifiers_math.server.trainers import TRAINER_ENDPOINTS

_REF: Final = "#/components/schemas/{name}"
_TYPES: Final = (
    EvaluateRequest,
    EvaluateReply,
    EvaluateBatchReply,
    EvaluatorInfo,
    ExplainRequest,
    ErrorReply,
)

_ERRORS: Final = {
    "400": "The body is no JSON, or ended too early.",
    "401": "The bearer token is missing or wrong.",
    "408": "The body took too long.",
    "413": "The body is too large.",
    "415": "The body is no JSON by its headers.",
    "422": "The body is not what is wanted; `error.path` names the field.",
    "429": "A pair needs a worker, or the body is large, and there is no room: try again.",
    "503": "There was no answer in time, or there are too many connections.",
}

_EXAMPLES: Final = {
    "one": {"evaluators": ["numeric_diff"], "output": "0.0302", "expected": "0.03024"},
    "batch": {
        "evaluators": ["correct_answer"],
        "items": [
            {"output": "So it is \\boxed{0.5}.", "expected": "1/2"},
            {"output": "\\boxed{2}", "expected": "\\sqrt{2}"},
        ],
        "settings": {"correct_answer": {"strict": True}},
    },
}


def describe() -> dict[str, Any]:
    """The description, in OpenAPI 3.1."""
    schemas, components = msgspec.json.schema_components(_TYPES, ref_template=_REF)
    by_type = dict(zip(_TYPES, schemas, strict=True))
    evaluated = {"oneOf": [by_type[EvaluateReply], by_type[EvaluateBatchReply]]}
    paths = {
        "/api/v1/evaluate": _post(
            "Evaluate one output, or a batch",
            by_type[EvaluateRequest],
            evaluated,
            {name: {"value": value} for name, value in _EXAMPLES.items()},
        ),
        "/api/v1/explain": _post(
            "Judge one response and tell how", by_type[ExplainRequest], {"type": "object"}
        ),
        "/api/v1/evaluators": _get(
            "The evaluators and suites", "application/json", by_type[EvaluatorInfo]
        ),
        "/healthz": _get("Whether the service is well", "application/json", {"type": "object"}),
        "/metrics": _get("Counts for Prometheus", "text/plain", {"type": "string"}),
    }
    for endpoint in TRAINER_ENDPOINTS:
        paths[endpoint.path] = _post(endpoint.summary, {"type": "object"}, {"type": "object"})
    return {
        "openapi": "3.1.0",
        "info": {"title": "verifiers-math", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _get(summary: str, kind: str, schema: Any) -> dict[str, Any]:
    return {
        "get": {
            "summary": summary,
            "responses": {"200": {"description": "OK", "content": {kind: {"schema": schema}}}},
        }
    }


def _post(summary: str, takes: Any, gives: Any, examples: Any = None) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": takes}
    if examples:
        content["examples"] = examples
    error = {"application/json": {"schema": {"$ref": _REF.format(name="ErrorReply")}}}
    return {
        "post": {
            "summary": summary,
            "requestBody": {"required": True, "content": {"application/json": content}},
            "responses": {
                "200": {
                    "description": "OK",
                    "content": {"application/json": {"schema": gives}},
                },
                **{
                    code: {"description": description, "content": error}
                    for code, description in _ERRORS.items()
                },
            },
        }
    }
