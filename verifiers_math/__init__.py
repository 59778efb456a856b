r"""Rewards for mathematics in RL training: is this answer the same as that one?

>>> import verifiers_math as vf
>>> vf.verify("1/2", r"So the answer is \boxed{0.5}.").reward
1.0

* `verify` finds the final answer in a response and compares it with the gold, `equivalent` compares
  two bare answers, `verify_many` judges a batch; `averify`, `aequivalent` and `averify_many` are
  awaited. Each gives a `Verdict`. `Policy` says what counts as the same, `Verifier` has limits.
* `MathRubric` is the reward for a trainer or an environment. `Rubric`, `RubricGroup`, `JudgeRubric`
  and the parsers are around it.
* `verifiers_math.integrations` has a module for each trainer, `verifiers_math.evaluators` and
  `verifiers_math.datasets` are for evaluation, `verifiers_math.report` and `verifiers_math.server`
  are the report and the service.

Names load on first use: importing the package costs a few milliseconds and brings in neither sympy
nor math_verify.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifiers_math.equivalence.policy import Policy
    from verifiers_math.equivalence.verdict import Status, Verdict
    from verifiers_math.errors import (
        JudgeError,
        MissingArgumentError,
        PoolClosedError,
        RewardValueError,
        UnscoredError,
        VerifierBusyError,
        VerifiersMathError,
    )
    from verifiers_math.evaluators import MathEquivalence, NumericDiff
    from verifiers_math.parsers import (
        MaybeThinkParser,
        Parser,
        ThinkParser,
        XMLParser,
        extract_boxed_answer,
    )
    from verifiers_math.rubrics import JudgeRubric, MathRubric, Rubric, RubricGroup
    from verifiers_math.verifier import (
        Verifier,
        aequivalent,
        averify,
        averify_many,
        equivalent,
        verify,
        verify_many,
    )

__version__ = "0.1.0"

__all__ = [
    "JudgeError",
    "JudgeRubric",
    "MathEquivalence",
    "MathRubric",
    "MaybeThinkParser",
    "MissingArgumentError",
    "NumericDiff",
    "Parser",
    "Policy",
    "PoolClosedError",
    "RewardValueError",
    "Rubric",
    "RubricGroup",
    "Status",
    "ThinkParser",
    "UnscoredError",
    "Verdict",
    "Verifier",
    "VerifierBusyError",
    "VerifiersMathError",
    "XMLParser",
    "aequivalent",
    "averify",
    "averify_many",
    "equivalent",
    "extract_boxed_answer",
    "verify",
    "verify_many",
]

_MODULES = {
    "JudgeError": "errors",
    "JudgeRubric": "rubrics",
    "MathEquivalence": "evaluators",
    "MathRubric": "rubrics",
    "MaybeThinkParser": "parsers",
    "MissingArgumentError": "errors",
    "NumericDiff": "evaluators",
    "Parser": "parsers",
    "Policy": "equivalence.policy",
    "PoolClosedError": "errors",
    "RewardValueError": "errors",
    "Rubric": "rubrics",
    "RubricGroup": "rubrics",
    "Status": "equivalence.verdict",
    "ThinkParser": "parsers",
    "UnscoredError": "errors",
    "Verdict": "equivalence.verdict",
    "Verifier": "verifier",
    "VerifierBusyError": "errors",
    "VerifiersMathError": "errors",
    "XMLParser": "parsers",
    "aequivalent": "verifier",
    "averify": "verifier",
    "averify_many": "verifier",
    "equivalent": "verifier",
    "extract_boxed_answer": "parsers",
    "verify": "verifier",
    "verify_many": "verifier",
}


def __getattr__(name: str) -> object:
    """Load the module that holds a public name when the name is first used."""
    if name not in _MODULES:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__]
        )
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
