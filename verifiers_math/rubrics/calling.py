"""How a reward function is called: which arguments it wants, and by which name it is known.

A function names what it needs (``def brevity(completion, answer): ...``) and gets just that. What
it wants is read from its signature once, as a `CallPlan`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_origin

from verifiers_math.errors import MissingArgumentError
from verifiers_math.types import RewardFunc

ROLLOUT_ARGUMENTS = frozenset({"prompt", "completion", "answer", "state", "task", "info", "parser"})
"""What a function of one rollout may ask for, besides the class objects of its rubric."""

GROUP_PARAMETERS = frozenset({"prompts", "completions", "answers", "states", "tasks", "infos"})
"""The parameters that, where required, make a function one of a whole group."""

GROUP_ARGUMENTS = GROUP_PARAMETERS | {"parser"}
"""What a function of a group may ask for, besides the class objects of its rubric."""

_POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class CallPlan:
    """How to call one reward function.

    Attributes:
        func: The function.
        name: Its metric's name within its rubric.
        positional: Names of its positional-only parameters, in order.
        keywords: Names of the parameters that can be given by keyword.
        required: The parameters that have no default.
        takes_all: Whether it has a ``**kwargs``, and so gets everything there is.
        is_group: Whether it scores a group of rollouts in one call.
        is_async: Whether it is a coroutine function.
        bound: The names that a ``functools.partial`` has already given a value.
    """

    func: RewardFunc
    name: str
    positional: tuple[str, ...]
    keywords: tuple[str, ...]
    required: tuple[str, ...]
    takes_all: bool
    is_group: bool
    is_async: bool
    bound: frozenset[str]

    def check(self, available: Collection[str]) -> None:
        """Check that every required argument is among those available.

        Args:
            available: The names that the rubric supplies.

        Raises:
            MissingArgumentError: If a required argument is not among them.
        """
        for name in self.required:
            if name not in available:
                kind = "group" if self.is_group else "rollout"
                raise MissingArgumentError(
                    f"reward function {self.name!r} requires the argument {name!r}, which nobody "
                    f"supplies; a {kind} function can have {', '.join(sorted(available))} "
                    "(add_class_object adds more)"
                )

    def call(self, offered: Mapping[str, Any]) -> Any:
        """Call the function with those of the offered arguments that it wants.

        Args:
            offered: Argument values by name; every required one must be there.

        Returns:
            What the function returns: an awaitable where it is a coroutine function.
        """
        if self.takes_all:
            kept = self.bound.union(self.positional)
            arguments = {name: value for name, value in offered.items() if name not in kept}
        else:
            arguments = {name: offered[name] for name in self.keywords if name in offered}
        return self.func(*self._positional_values(offered), **arguments)

    def _positional_values(self, offered: Mapping[str, Any]) -> list[Any]:
        values = []
        for name in self.positional:
            if name not in offered:
                break  # it has a default, and nothing behind it can be given by position
            values.append(offered[name])
        return values


def make_plans(funcs: Sequence[RewardFunc]) -> list[CallPlan]:
    """Read the signatures of a rubric's functions.

    Args:
        funcs: The functions, in order.

    Returns:
        One plan each, under distinct names.

    Raises:
        MissingArgumentError: If a signature cannot be read, as of some builtins.
    """
    names = distinct_names([callable_name(func) for func in funcs])
    return [make_plan(func, name) for func, name in zip(funcs, names, strict=True)]


def make_plan(func: RewardFunc, name: str) -> CallPlan:
    """Read one function's signature.

    Args:
        func: The function, method, partial or callable object.
        name: The name of its metric.

    Returns:
        The plan by which to call it.

    Raises:
        MissingArgumentError: If the signature cannot be read, as of some builtins.
    """
    signature = _signature(func, name)
    inner, bound = _unwrap_partial(func)
    parameters = [p for p in signature.parameters.values() if p.kind not in _VARIADIC]
    required = tuple(p.name for p in parameters if p.default is inspect.Parameter.empty)
    return CallPlan(
        func=func,
        name=name,
        positional=tuple(p.name for p in parameters if p.kind is _POSITIONAL_ONLY),
        keywords=tuple(
            p.name for p in parameters if p.kind is not _POSITIONAL_ONLY and p.name not in bound
        ),
        required=required,
        takes_all=any(
            p.kind is inspect.Parameter.VAR_KEYWORD for p in signature.parameters.values()
        ),
        is_group=bool(GROUP_PARAMETERS.intersection(required))
        or _is_list(signature.return_annotation),
        is_async=_is_async(inner),
        bound=bound,
    )


def callable_name(func: RewardFunc) -> str:
    """The name a person would call the function by.

    Args:
        func: Any callable; a partial is known by its function, an object by its class.

    Returns:
        The name.
    """
    inner, _ = _unwrap_partial(func)
    name = getattr(inner, "__name__", None)
    return name if isinstance(name, str) and name else type(inner).__name__


def distinct_names(names: Sequence[str]) -> list[str]:
    """Number the names that occur more than once: ``f, f, g`` becomes ``f, f_2, g``.

    Args:
        names: Names in order.

    Returns:
        As many names, no two alike; the first of each stays as it is.
    """
    taken: set[str] = set()
    result = []
    for name in names:
        candidate, number = name, 1
        while candidate in taken or (number > 1 and candidate in names):
            number += 1
            candidate = f"{name}_{number}"
        taken.add(candidate)
        result.append(candidate)
    return result


def accepts_argument(func: Callable[..., Any], name: str) -> bool:
    """Whether a callable can be given this argument by keyword.

    Args:
        func: Any callable.
        name: The argument's name.

    Returns:
        False also where the signature cannot be read.
    """
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(
        p.kind is inspect.Parameter.VAR_KEYWORD
        or (p.name == name and p.kind not in (_POSITIONAL_ONLY, *_VARIADIC))
        for p in parameters
    )


def _signature(func: RewardFunc, name: str) -> inspect.Signature:
    try:
        return inspect.signature(func, eval_str=True)
    except Exception:  # an annotation that cannot be resolved may raise whatever it likes
        try:
            return inspect.signature(func)
        except (TypeError, ValueError) as error:
            raise MissingArgumentError(
                f"the signature of reward function {name!r} cannot be read, so nobody knows what "
                "it requires; wrap it in a function that names its arguments"
            ) from error


def _unwrap_partial(func: RewardFunc) -> tuple[RewardFunc, frozenset[str]]:
    bound: set[str] = set()
    while isinstance(func, functools.partial):
        bound.update(func.keywords)
        func = func.func
    return func, frozenset(bound)


def _is_async(func: RewardFunc) -> bool:
    if inspect.iscoroutinefunction(func):
        return True
    return not inspect.isroutine(func) and inspect.iscoroutinefunction(
        getattr(type(func), "__call__", None)  # noqa: B004 - the method itself is wanted
    )


def _is_list(annotation: object) -> bool:
    if isinstance(annotation, str):  # left unresolved, or quoted twice
        head = annotation.strip().strip("'\"").partition("[")[0]
        return head.strip().rpartition(".")[2] in ("list", "List")
    return annotation is list or get_origin(annotation) is list
