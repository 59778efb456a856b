"""Rollouts for tests of MathRubric, and a verifier that says what it is told to."""

from __future__ import annotations

import verifiers_math as vf

S = vf.Status


class FakeVerifier:
    """Answers with a fixed verdict and keeps the calls."""

    def __init__(self, status=S.CORRECT, stage="number", detail="because", rule=""):
        self.status, self.stage, self.detail, self.rule = status, stage, detail, rule
        self.calls = []
        self.closed = False

    def _verdict(self, gold, answer):
        return vf.Verdict(
            self.status is S.CORRECT,
            self.status,
            self.stage,
            str(gold),
            str(answer),
            0.25,
            False,
            self.detail,
            "1/default",
            self.rule,
        )

    async def averify(self, gold, response, **options):
        self.calls.append(("averify", gold, response, options))
        return self._verdict(gold, response)

    async def aequivalent(self, gold, answer, **options):
        self.calls.append(("aequivalent", gold, answer, options))
        return self._verdict(gold, answer)

    def close(self):
        self.closed = True


def state(completion, answer="4", **more):
    return {"prompt": "2+2?", "completion": completion, "answer": answer, **more}


async def scored(completion, answer="4", *, verifier, on=None, **options):
    result = state(completion, answer) if on is None else on
    await vf.MathRubric(verifier=verifier, **options).score_rollout(result)
    return result
