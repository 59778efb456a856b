"""What the tests of the judge share: rubrics on a local endpoint, a rollout, a stub of a client."""

from __future__ import annotations

import asyncio

import pytest

import verifiers_math as vf

openai = pytest.importorskip("openai", reason="needs the judge extra")


def client_of(endpoint):
    return openai.AsyncOpenAI(api_key="test", base_url=endpoint.url)


def judge_of(endpoint, *args, **options):
    options = {"judge_backoff_seconds": 0.001, **options}
    if "judge_client" not in options:
        options["judge_client"] = client_of(endpoint)
    return vf.JudgeRubric(*args, **options)


def rubric_of(endpoint, **options):
    rubric = judge_of(endpoint, **options)
    rubric.add_reward_func(rubric.judge_answer)
    return rubric


def state(completion="It is 4.", answer="4", prompt="2+2?", **more):
    return {"prompt": prompt, "completion": completion, "answer": answer, **more}


async def scored(endpoint, on=None, **options):
    result = on or state()
    await rubric_of(endpoint, **options).score_rollout(result)
    return result


class Stub:
    """What behaves like a client: without openai's types, sync or async."""

    def __init__(self, said, is_async=True, delay=0.0):
        self.chat = self.completions = self
        self.said, self.is_async, self.delay = said, is_async, delay
        self.calls = []
        self.closed = 0

    def create(self, **arguments):
        self.calls.append(arguments)
        if isinstance(self.said, Exception):
            raise self.said
        message = type("Message", (), {"content": self.said})
        reply = type("Reply", (), {"choices": [type("Choice", (), {"message": message})]})
        return self._later(reply) if self.is_async else reply

    async def _later(self, reply):
        await asyncio.sleep(self.delay)
        return reply

    async def close(self):
        self.closed += 1
