"""The evaluators by name, for whoever is told a name: the command line and the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from verifiers_math.checks import check_list
from verifiers_math.evaluators.correct_answer import CorrectAnswer
from verifiers_math.evaluators.evaluator import Evaluator
from verifiers_math.evaluators.exact_match import ExactMatch
from verifiers_math.evaluators.math_equivalence import MathEquivalence
from verifiers_math.evaluators.numeric_diff import NumericDiff

EVALUATORS: Final[dict[str, type[Evaluator]]] = {
    kind.name: kind for kind in (CorrectAnswer, ExactMatch, MathEquivalence, NumericDiff)
}
"""Every evaluator's class by its name."""

SUITES: Final[dict[str, tuple[str, ...]]] = {
    "correctness": ("correct_answer", "math_equivalence", "exact_match"),
    "everything": tuple(EVALUATORS),
}
"""Names for several evaluators at once."""


def get(name: str, **settings: Any) -> Evaluator:
    """Makes an evaluator.

    Args:
        name: A key of `EVALUATORS`.
        **settings: Keyword arguments of its class.

    Raises:
        KeyError: If there is no evaluator of this name; the message lists them. A suite's members
            are made one by one: see `expand`.
        TypeError: If the evaluator has no such setting.
        ValueError: If a setting's value is not allowed.
    """
    if name in SUITES:
        raise KeyError(f"{name!r} is a suite of {', '.join(SUITES[name])}: expand names them")
    if name not in EVALUATORS:
        raise KeyError(f"no evaluator is called {name!r}; there are {', '.join(EVALUATORS)}")
    return EVALUATORS[name](**settings)


def expand(names: Iterable[str]) -> list[str]:
    """The evaluators that some names stand for, each once: a suite stands for its members.

    Args:
        names: Keys of `EVALUATORS` and `SUITES`.

    Raises:
        KeyError: If a name is neither; the message lists what there is.
        TypeError: If the names are one text.
    """
    check_list("names", names, "names")
    found: dict[str, None] = {}
    for name in names:
        if name not in EVALUATORS and name not in SUITES:
            known = ", ".join([*EVALUATORS, *SUITES])
            raise KeyError(f"no evaluator or suite is called {name!r}; there are {known}")
        found |= dict.fromkeys(SUITES.get(name, (name,)))
    return list(found)
