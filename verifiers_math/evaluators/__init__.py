"""Evaluators: one output against what was expected, as a score with a label and a reason.

`registry` finds them by name; `Aggregate` sums their results up over a data set, or over its
shards. Code that imports from ``context_bench.evaluators`` finds the same names here.
"""

from __future__ import annotations

from verifiers_math.evaluators.aggregate import Aggregate, Interval, wilson_interval
from verifiers_math.evaluators.correct_answer import CorrectAnswer
from verifiers_math.evaluators.evaluator import Evaluator, Item, Result
from verifiers_math.evaluators.exact_match import ExactMatch
from verifiers_math.evaluators.math_equivalence import MathEquivalence
from verifiers_math.evaluators.numeric_diff import NumericDiff
from verifiers_math.evaluators.registry import EVALUATORS, SUITES, expand, get

__all__ = [
    "EVALUATORS",
    "SUITES",
    "Aggregate",
    "CorrectAnswer",
    "Evaluator",
    "ExactMatch",
    "Interval",
    "Item",
    "MathEquivalence",
    "NumericDiff",
    "Result",
    "expand",
    "get",
    "wilson_interval",
]
