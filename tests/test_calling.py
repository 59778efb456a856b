from __future__ import annotations

import functools
from typing import List  # noqa: UP035 - what users write

import pytest

import verifiers_math as vf
from verifiers_math.rubrics.calling import (
    GROUP_ARGUMENTS,
    ROLLOUT_ARGUMENTS,
    accepts_argument,
    callable_name,
    distinct_names,
    make_plan,
    make_plans,
)

OFFERED = {name: name.upper() for name in sorted(ROLLOUT_ARGUMENTS)}


def plan_of(func):
    return make_plan(func, callable_name(func))


def takes_some(completion, answer):
    return (completion, answer)


def takes_all(**kwargs):
    return sorted(kwargs)


def takes_by_position(answer, /, completion):
    return (answer, completion)


def has_defaults(completion, strength=3, *, info=None):
    return (completion, strength, info)


def has_unknown_by_position(completion, other=1, /, *, answer):
    return (completion, other, answer)


def takes_rest(completion, /, *args, answer="x", **kwargs):
    return (completion, args, answer, sorted(kwargs))


class Scorer:
    def __call__(self, completion):
        return completion

    def method(self, answer):
        return answer

    @classmethod
    def of_class(cls, answer):
        return answer

    @staticmethod
    def static(answer):
        return answer


class AsyncScorer:
    async def __call__(self, completion):
        return 1.0


CALLS = [
    (takes_some, ("COMPLETION", "ANSWER")),
    (takes_all, sorted(ROLLOUT_ARGUMENTS)),
    (takes_by_position, ("ANSWER", "COMPLETION")),
    (has_defaults, ("COMPLETION", 3, "INFO")),
    (has_unknown_by_position, ("COMPLETION", 1, "ANSWER")),
    (
        takes_rest,
        ("COMPLETION", (), "ANSWER", sorted(ROLLOUT_ARGUMENTS - {"completion", "answer"})),
    ),
    (lambda: "nothing", "nothing"),
    (Scorer(), "COMPLETION"),
    (Scorer().method, "ANSWER"),
    (Scorer.of_class, "ANSWER"),
    (Scorer.static, "ANSWER"),
    (functools.partial(takes_some, answer="mine"), ("COMPLETION", "mine")),
    (functools.partial(takes_some, "mine"), ("mine", "ANSWER")),
    (functools.partial(takes_all, answer=1), sorted(ROLLOUT_ARGUMENTS)),
    (functools.partial(functools.partial(takes_some, answer=1), answer="2"), ("COMPLETION", "2")),
]


@pytest.mark.parametrize(("func", "result"), CALLS)
def test_a_function_gets_the_arguments_it_names(func, result):
    plan = plan_of(func)
    plan.check(OFFERED)
    assert plan.call(OFFERED) == result


def test_a_value_bound_by_a_partial_wins_over_the_rollouts_own():
    bound = functools.partial(lambda **kwargs: kwargs["answer"], answer="mine")
    assert plan_of(bound).call(OFFERED) == "mine"


MISSING = [
    (lambda compeltion: 0.0, "compeltion"),
    (lambda completion, other: 0.0, "other"),
    (lambda completion, *, other: 0.0, "other"),
    (len, "obj"),
]


@pytest.mark.parametrize(("func", "argument"), MISSING)
def test_a_missing_argument_is_named_with_its_function(func, argument):
    plan = plan_of(func)
    with pytest.raises(vf.MissingArgumentError, match=f"{plan.name}.*'{argument}'"):
        plan.check(ROLLOUT_ARGUMENTS)
    assert issubclass(vf.MissingArgumentError, TypeError)


def test_a_signature_that_cannot_be_read_is_an_error_that_says_so():
    with pytest.raises(vf.MissingArgumentError, match=r"'max'.*cannot be read"):
        make_plans([max])


def returns_list(completion) -> list:
    return []


def returns_list_of_floats(completion) -> list[float]:
    return []


def returns_typing_list(completion) -> List[float]:  # noqa: UP006 - what users write
    return []


def returns_quoted_list(completion) -> "list[float]":  # noqa: UP037 - what users write
    return []


def returns_list_beside_a_name_nobody_knows(completion: Nowhere) -> list[float]:  # noqa: F821 - not to be found
    return []


Scores = list[float]


def returns_list_by_another_name(completion) -> Scores:
    return []


def returns_float(completion) -> float:
    return 0.0


async def scores_states(states):
    return [0.0]


GROUPS = [
    (returns_list, True),
    (returns_list_of_floats, True),
    (returns_typing_list, True),
    (returns_quoted_list, True),
    (returns_list_beside_a_name_nobody_knows, True),
    (returns_list_by_another_name, True),
    (returns_float, False),
    (scores_states, True),
    (lambda prompts: 0, True),
    (lambda completions: 0, True),
    (lambda answers: 0, True),
    (lambda tasks: 0, True),
    (lambda infos: 0, True),
    (lambda *, states: 0, True),
    (lambda completion, tasks=None: 0, False),
    (lambda completion, *states: 0, False),
    (lambda **kwargs: 0, False),
    (functools.partial(lambda completion, tasks: 0, tasks=[]), False),
    (functools.partial(scores_states), True),
]


@pytest.mark.parametrize(("func", "is_group"), GROUPS)
def test_group_functions_are_told_by_what_they_require_or_return(func, is_group):
    assert plan_of(func).is_group is is_group


def test_a_group_function_is_told_what_a_group_can_have():
    with pytest.raises(vf.MissingArgumentError, match=r"group function can have .*completions"):
        plan_of(returns_list).check(GROUP_ARGUMENTS)


ASYNC = [
    (scores_states, True),
    (functools.partial(scores_states), True),
    (AsyncScorer(), True),
    (AsyncScorer().__call__, True),
    (Scorer(), False),
    (takes_some, False),
    (len, False),
]


@pytest.mark.parametrize(("func", "is_async"), ASYNC)
def test_coroutine_functions_are_known_through_partials_and_objects(func, is_async):
    assert plan_of(func).is_async is is_async


NAMES = [
    (takes_some, "takes_some"),
    (lambda: 0, "<lambda>"),
    (len, "len"),
    (Scorer(), "Scorer"),
    (Scorer().method, "method"),
    (functools.partial(takes_some, answer=1), "takes_some"),
    (functools.partial(Scorer()), "Scorer"),
]


@pytest.mark.parametrize(("func", "name"), NAMES)
def test_every_callable_has_a_name(func, name):
    assert callable_name(func) == name


DISTINCT = [
    ([], []),
    (["f", "g"], ["f", "g"]),
    (["f", "f", "f"], ["f", "f_2", "f_3"]),
    (["f", "f", "f_2"], ["f", "f_3", "f_2"]),
    (["f_2", "f", "f"], ["f_2", "f", "f_3"]),
]


@pytest.mark.parametrize(("names", "distinct"), DISTINCT)
def test_equal_names_are_numbered(names, distinct):
    assert distinct_names(names) == distinct


def test_whether_a_parser_takes_the_prompt_is_read_from_its_signature():
    assert accepts_argument(lambda completion, prompt=None: 0, "prompt")
    assert accepts_argument(lambda completion, **kwargs: 0, "prompt")
    assert not accepts_argument(lambda completion: 0, "prompt")
    assert not accepts_argument(lambda prompt, /: 0, "prompt")
    assert not accepts_argument(max, "prompt")
