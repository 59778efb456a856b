"""Rubrics: reward functions, their weights, and the scores of rollouts and groups."""

from __future__ import annotations

from verifiers_math.rubrics.group import RubricGroup
from verifiers_math.rubrics.judge_rubric import JudgeRubric
from verifiers_math.rubrics.math_rubric import MathRubric
from verifiers_math.rubrics.rubric import Rubric

__all__ = ["JudgeRubric", "MathRubric", "Rubric", "RubricGroup"]
