"""Comparison by kind of answer: values, equations, sets of numbers, lists, tuples, matrices."""

from verifiers_math.equivalence.kinds.dispatch import compare_trees

__all__ = ["compare_trees"]
