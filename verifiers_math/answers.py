r"""What every adapter and evaluator does between a row and the judge, and back.

A trainer holds a response as text or messages and a gold as a string, a number, a list of
alternatives or a mapping, by its data set's habit. `AnswerJudge` takes them as they come and gives
a `Verdict`; `log_values` turns that into the flat numbers that trainers log. The adapters in
`integrations` only translate call shapes.

All of it can be used from any thread, any event loop and any process, daemonic ones too, and
everything pickles. Nothing starts before the first answer that needs a worker.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from numbers import Real
from typing import Any, Final, NamedTuple

from verifiers_math.checks import check_positive, check_search
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy, as_policy
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.parsers import assistant_text
from verifiers_math.types import AssumeThinking, Strict
from verifiers_math.verifier import Verifier, default_verifier

GOLD_COLUMNS: Final = ("answer", "solution", "ground_truth")
"""The columns of a data set that may hold the gold; the first one present does."""

_GOLD_KEYS = ("target", *GOLD_COLUMNS, "gold", "label", "value")
_DEFAULT_TIMEOUT: Final = 5.0
_MOST_ALTERNATIVES: Final = 64
_NESTING: Final = 8

# Of several golds, the one whose verdict says most about the response decides.
_RANK = {
    Status.CORRECT: 0,
    Status.TIMEOUT: 1,
    Status.ERROR: 1,
    Status.LIMIT: 1,
    Status.INCORRECT: 2,
    Status.ANSWER_UNREADABLE: 2,
    Status.NO_ANSWER: 2,
    Status.GOLD_UNREADABLE: 3,
}

# What the model has no part in: neither its answer nor how long or large that is.
_NOT_ITS_DOING = frozenset({Status.GOLD_UNREADABLE, Status.ERROR})

_FLAGS = {
    "no_answer": Status.NO_ANSWER,
    "answer_unreadable": Status.ANSWER_UNREADABLE,
    "gold_unreadable": Status.GOLD_UNREADABLE,
    "limit": Status.LIMIT,
    "timeout": Status.TIMEOUT,
    "error": Status.ERROR,
}


class Answer(NamedTuple):
    """One response to judge.

    Attributes:
        response: What the model wrote: text, or the messages of its turn.
        gold: The reference answer in any shape that `golds_of` reads.
        prompt: What the model was asked, as text or messages; None where it is not known.
    """

    response: Any
    gold: Any
    prompt: Any = None


@dataclass(frozen=True)
class AnswerJudge:
    """Judges responses as trainers hold them. Made by `answer_judge`.

    Attributes:
        strict: Whether only a box counts as the final answer: see `Verifier.verify`. A model that
            may answer anywhere learns to answer everywhere, so trainers' entry points want a box.
        policy: What counts as the same.
        assume_thinking: See `Verifier.verify`.
        timeout_seconds: The soft limit of one verification, in seconds of a worker's CPU time.
    """

    _: KW_ONLY
    strict: Strict = True
    policy: Policy = DEFAULT_POLICY
    assume_thinking: AssumeThinking = "auto"
    timeout_seconds: float = _DEFAULT_TIMEOUT

    def __post_init__(self) -> None:
        _verifier(self.timeout_seconds)  # a bad limit is an error now, not at the first answer

    @property
    def verifier(self) -> Verifier:
        """The verifier for its time limit, which judges share."""
        return _verifier(self.timeout_seconds)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # A copy in another process shares that process's verifiers, and their workers.
        return _judge, (self.strict, self.policy, self.assume_thinking, self.timeout_seconds)

    def verdict(self, response: Any, gold: Any, prompt: Any = None) -> Verdict:
        """Judges one response.

        Args:
            response: What the model wrote: text, messages, or None.
            gold: The reference answer in any shape that `golds_of` reads.
            prompt: What the model was asked, as text or messages.

        Raises:
            TypeError: If the response is neither text nor messages.
        """
        (verdict,) = self.verdicts([Answer(response, gold, prompt)])
        return verdict

    async def averdict(self, response: Any, gold: Any, prompt: Any = None) -> Verdict:
        """`verdict` for an event loop, which it never blocks longer than a pure stage takes."""
        text, golds = _read(0, Answer(response, gold, prompt))
        if len(golds) > 1:  # all of them at once: each may have to wait for a worker
            (verdict,) = await self.averdicts([Answer(response, gold, prompt)])
            return verdict
        return await self.verifier.averify(golds[0], text, prompt=prompt, **self._options)

    def verdicts(self, answers: Iterable[Sequence[Any]]) -> list[Verdict]:
        """Judges a batch: equal pairs once, the undecided on all workers at once.

        Args:
            answers: An `Answer` each, or a tuple of response, gold and perhaps prompt.

        Returns:
            The verdicts, in order.

        Raises:
            TypeError: If a response is neither text nor messages; the message has its index.
            ValueError: If an answer is no such tuple; the message has its index.
        """
        pairs, prompts, sizes = _flatten(answers)
        found = iter(self.verifier.verify_many(pairs, prompts=prompts, **self._options))
        return [_telling([next(found) for _ in range(size)]) for size in sizes]

    async def averdicts(self, answers: Iterable[Sequence[Any]]) -> list[Verdict]:
        """`verdicts` for an event loop: the pure stages run in a thread."""
        pairs, prompts, sizes = _flatten(answers)
        options = self._options
        found = iter(await self.verifier.averify_many(pairs, prompts=prompts, **options))
        return [_telling([next(found) for _ in range(size)]) for size in sizes]

    @property
    def _options(self) -> dict[str, Any]:
        return {
            "strict": self.strict,
            "assume_thinking": self.assume_thinking,
            "policy": self.policy,
        }


def answer_judge(
    *,
    strict: Strict = True,
    policy: Policy | str | None = None,
    assume_thinking: AssumeThinking = "auto",
    timeout_seconds: float = _DEFAULT_TIMEOUT,
) -> AnswerJudge:
    """The judge with these settings; one for each of them in a process.

    Args:
        strict: See `AnswerJudge`.
        policy: A `Policy`, or the name of a preset as configuration files can hold it:
            "default", "strict" or "lenient".
        assume_thinking: See `AnswerJudge`.
        timeout_seconds: See `AnswerJudge`.

    Raises:
        ValueError: If the policy's name is unknown, the limit is not positive, or ``strict`` or
            ``assume_thinking`` is none of its values.
        TypeError: If the policy is neither.
    """
    check_search(strict, assume_thinking)
    check_positive(timeout_seconds=timeout_seconds)
    policy = DEFAULT_POLICY if policy is None else as_policy(policy)
    return _judge(strict, policy, assume_thinking, float(timeout_seconds))


@functools.lru_cache(maxsize=64)
def _judge(
    strict: Strict, policy: Policy, assume_thinking: AssumeThinking, timeout_seconds: float
) -> AnswerJudge:
    return AnswerJudge(
        strict=strict,
        policy=policy,
        assume_thinking=assume_thinking,
        timeout_seconds=timeout_seconds,
    )


def _verifier(timeout_seconds: float) -> Verifier:
    if timeout_seconds == _DEFAULT_TIMEOUT:
        return default_verifier()
    return _verifier_with(float(timeout_seconds))


@functools.lru_cache(maxsize=8)
def _verifier_with(timeout_seconds: float) -> Verifier:
    return Verifier(timeout_seconds=timeout_seconds)


def golds_of(value: Any) -> list[Any]:
    r"""The golds that a data set's field holds; an answer counts that equals any of them.

    Usually that is the value itself. A list, tuple, set or array holds alternatives; a mapping
    holds them under ``target``, ``answer``, ``solution``, ``ground_truth``, ``gold``, ``label`` or
    ``value``. Such a list or mapping may also come as JSON (``["34"]``, as DAPO's rows hold it), if
    its members are quoted: ``[1, 2]`` is an interval, and ``{1, 2}`` a set.

    Args:
        value: The field.

    Returns:
        At least one gold, text or a number; None where there is none.
    """
    return list(islice(_golds(value, _NESTING), _MOST_ALTERNATIVES)) or [None]


def _golds(value: Any, depth: int) -> Iterator[Any]:
    """The golds one by one: of a list with millions of members, nobody wants more than a few."""
    # An array or a scalar of numpy or torch; numpy's own numbers know that 0.3 in 32 bits is 0.3.
    if hasattr(value, "tolist") and not isinstance(value, Real):
        value = list(value) if getattr(value, "ndim", 0) else value.tolist()
    if isinstance(value, bytes | bytearray):
        value = bytes(value).decode("utf-8", "replace")
    if isinstance(value, str):
        held = _from_json(value)
        if held is None:
            yield value
            return
        value = held
    if depth == 0:
        return
    if isinstance(value, Mapping):
        named = next((value[key] for key in _GOLD_KEYS if value.get(key) is not None), None)
        yield from _golds(named, depth - 1)
    elif isinstance(value, list | tuple | set | frozenset):
        members = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        for member in members[:_MOST_ALTERNATIVES]:
            yield from _golds(member, depth - 1)
    else:
        yield value


def _from_json(text: str) -> Any:
    """The list or mapping of quoted members that the text is; None where it is none."""
    head = text.lstrip()[:8].replace(" ", "")
    if not head.startswith(('["', '{"', '"')):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def gold_column(columns: Iterable[str]) -> str | None:
    """The column that holds the gold: the first of `GOLD_COLUMNS` that is there, or None."""
    present = set(columns)
    return next((name for name in GOLD_COLUMNS if name in present), None)


def reward_or_none(verdict: Verdict) -> float | None:
    """The reward for a trainer that leaves out what has none.

    Args:
        verdict: The judgement.

    Returns:
        None where the gold cannot be read or a worker failed: that is not the model's doing. An
        answer that ran into a limit of time or size is, and gets 0.0 like a wrong one.
    """
    return None if verdict.status in _NOT_ITS_DOING else verdict.reward


def log_values(verdict: Verdict) -> dict[str, float]:
    """A verdict as flat numbers: the same keys for every verdict, as trainers' loggers want.

    Args:
        verdict: The judgement.

    Returns:
        ``acc`` (1.0 where it is correct), ``scored`` (0.0 where it says nothing about the answer),
        ``lenient`` (1.0 where a lenient rule made it correct), a flag for each other status
        (``no_answer``, ``answer_unreadable``, ``gold_unreadable``, ``limit``, ``timeout``,
        ``error``), and ``judge_seconds``.
    """
    return {
        "acc": verdict.reward,
        "scored": float(verdict.scored),
        "lenient": float(verdict.lenient),
        **{name: float(verdict.status is status) for name, status in _FLAGS.items()},
        "judge_seconds": verdict.seconds if math.isfinite(verdict.seconds) else 0.0,
    }


def _flatten(answers: Iterable[Sequence[Any]]) -> tuple[list[Any], list[Any], list[int]]:
    """Every pair of gold and text, its prompt, and how many of them each answer has."""
    pairs: list[Any] = []
    prompts: list[Any] = []
    sizes: list[int] = []
    for index, given in enumerate(answers):
        answer = _answer(index, given)
        text, golds = _read(index, answer)
        pairs.extend((gold, text) for gold in golds)
        prompts.extend([answer.prompt] * len(golds))
        sizes.append(len(golds))
    return pairs, prompts, sizes


def _answer(index: int, given: Sequence[Any]) -> Answer:
    if isinstance(given, tuple | list) and len(given) in (2, 3):
        return Answer(*given)
    raise ValueError(f"answer {index} is not (response, gold) or with a prompt: {given!r:.80}")


def _read(index: int, answer: Answer) -> tuple[str, list[Any]]:
    try:
        text = assistant_text(answer.response) or ""
    except TypeError as error:
        raise TypeError(f"response {index}: {error}") from error
    return text, golds_of(answer.gold)


def _telling(verdicts: Sequence[Verdict]) -> Verdict:
    """Of the verdicts on several golds, the one that says most about the response."""
    if len(verdicts) == 1:
        return verdicts[0]
    return min(verdicts, key=lambda verdict: _RANK[verdict.status])
