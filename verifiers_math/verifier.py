"""The judge: the pure cascade first, then a worker process that can be killed, with a cache.

`Verifier` holds the limits and the workers; the functions of this module use one shared
`Verifier()`. The gold always comes first, as in math_verify.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, Self, TypedDict, TypeVar, Unpack

from verifiers_math.cache import PairCache
from verifiers_math.checks import (
    check_choice,
    check_list,
    check_positive,
    check_search,
    whole_number,
)
from verifiers_math.equivalence.cascade import PURE_STAGES, STAGES, judge, judge_as_text
from verifiers_math.equivalence.decision import Decision
from verifiers_math.equivalence.latex import to_latex
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy, as_policy
from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.promise import Promise, submit
from verifiers_math.question import Question
from verifiers_math.symbolic_stage import Isolation, SymbolicStage
from verifiers_math.types import AssumeThinking, Strict
from verifiers_math.workers import PoolStats

LONG_TEXT: Final = 100_000
"""A response of more characters is searched in a thread, so that an event loop goes on."""
LONG_ANSWER: Final = 1000
"""A gold and an answer of more characters together are compared in a thread for the same reason."""

_PURE_THREADS: Final = 2
"""Threads for the pure stages: few, since each takes turns at the interpreter with the loop."""
_PART: Final = 64
"""Pairs of a batch that a thread takes at once, so that batches take turns."""

Pair = tuple[Any, Any]
Asked = tuple[Question, object]
"""A question, and the prompt that its response followed."""
Begun = Decision | Promise[Decision]
Result = TypeVar("Result")


class Verifier:
    r"""Judges pairs of gold and answer.

    Making one starts nothing; the first pair that needs computer algebra, or `warm_up`, starts
    the workers. It may be used from any thread, any event loop and after a fork, and it can be
    pickled (its settings travel, its workers do not).

    Args:
        policy: What counts as the same: a `Policy`, or the name of a preset ("default", "strict",
            "lenient").
        stages: The stages to ask, of `STAGES`, in their order. ``("math_verify",)`` alone gives
            math_verify's own opinion, without the policy's vetoes.
        timeout_seconds: The soft limit: CPU seconds of a worker on one pair; fractions allowed.
        hard_timeout_seconds: The wall seconds after which a worker is killed whatever it does.
        max_workers: Threads that carry undecided pairs; also a bound on the worker processes,
            of which there are never more than usable cores (and one spare).
        max_processes: A bound on the worker processes alone; None for ``max_workers``. Few threads
            would let pairs queue before the workers' own queue, which knows whom to take first.
        niceness: By how much workers stand back behind this process where cores are scarce, as
            ``os.nice`` takes it.
        memory_bytes: Memory that one worker may use.
        isolation: ``"process"``, or ``"thread"`` to call math_verify in this process where no
            process may be started. A thread cannot be stopped: with it the limits are best
            effort, and an answer such as ``9^{9^{9}}`` freezes the whole interpreter.
        cache_entries: Judged pairs to remember; 0 for none.
        cache_bytes: Memory for them.
        max_waiting: Undecided pairs that may be under way at once, about half of them costly by
            their look; one more raises `VerifierBusyError` instead of waiting. None for any
            number. A service sheds load by it; a trainer, which needs every answer, does not.

    Raises:
        ValueError: A stage or a preset is unknown, a limit is out of range, or a number is not
            a whole one.
        TypeError: The policy is neither a `Policy` nor a name.

    Examples:
        >>> with Verifier("strict", timeout_seconds=2) as verifier:
        ...     verifier.verify("25", r"It is \boxed{25\%}.").reward
        0.0
    """

    def __init__(
        self,
        policy: Policy | str = DEFAULT_POLICY,
        *,
        stages: Sequence[str] = STAGES,
        timeout_seconds: float = 5.0,
        hard_timeout_seconds: float = 120.0,
        max_workers: int = 50,
        memory_bytes: int = 2 << 30,
        isolation: Isolation = "process",
        cache_entries: int = 100_000,
        cache_bytes: int = 64 << 20,
        max_waiting: int | None = None,
        max_processes: int | None = None,
        niceness: int = 0,
    ) -> None:
        _check_stages(stages)
        check_positive(timeout_seconds=timeout_seconds, hard_timeout_seconds=hard_timeout_seconds)
        check_choice("isolation", isolation, ("process", "thread"))
        self.policy = as_policy(policy)
        self.stages = tuple(stages)
        self._timeout_seconds = float(timeout_seconds)
        self._hard_timeout_seconds = float(hard_timeout_seconds)
        self.max_workers = whole_number("max_workers", max_workers, 1)
        self.memory_bytes = whole_number("memory_bytes", memory_bytes, 1)
        self.isolation: Isolation = isolation
        self.max_waiting = (
            None if max_waiting is None else whole_number("max_waiting", max_waiting, 1)
        )
        self.max_processes = (
            None if max_processes is None else whole_number("max_processes", max_processes, 1)
        )
        self.niceness = whole_number("niceness", niceness, 0)
        self._cache_limits = (
            whole_number("cache_entries", cache_entries, 0),
            whole_number("cache_bytes", cache_bytes, 0),
        )
        self._make_anew()

    def _make_anew(self) -> None:
        """What belongs to one process, and is neither inherited by a fork nor pickled."""
        self._cache: PairCache[Decision] = PairCache(*self._cache_limits)
        self._symbolic = SymbolicStage(
            timeout_seconds=self._timeout_seconds,
            hard_timeout_seconds=self._hard_timeout_seconds,
            max_workers=self.max_workers,
            memory_bytes=self.memory_bytes,
            isolation=self.isolation,
            as_text="normalizer" in self.stages,
            max_waiting=self.max_waiting,
            max_processes=self.max_processes,
            niceness=self.niceness,
        )
        # Apart from the threads that wait for workers, which attacks can take all of.
        self._pure = ThreadPoolExecutor(_PURE_THREADS, "verifiers-math-pure")
        self._pid = os.getpid()  # last, as other threads of a forked child look at it

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _OF_ONE_PROCESS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_anew()

    def __repr__(self) -> str:
        return (
            f"Verifier(policy={self.policy.label}, stages={self.stages}, "
            f"timeout_seconds={self.timeout_seconds}, isolation={self.isolation!r})"
        )

    # --- limits --------------------------------------------------------------------------------

    @property
    def timeout_seconds(self) -> float:
        """The soft limit; a new one holds for every pair that is asked about from then on."""
        return self._timeout_seconds

    @timeout_seconds.setter
    def timeout_seconds(self, seconds: float) -> None:
        if seconds == self._timeout_seconds:
            return
        check_positive(timeout_seconds=seconds)
        self._timeout_seconds = self._symbolic.timeout_seconds = float(seconds)
        self._cache = PairCache(*self._cache_limits)  # what took too long may have the time now

    @property
    def hard_timeout_seconds(self) -> float:
        """The hard limit; a new one holds for every pair that is asked about from then on."""
        return self._hard_timeout_seconds

    @hard_timeout_seconds.setter
    def hard_timeout_seconds(self, seconds: float) -> None:
        if seconds == self._hard_timeout_seconds:
            return
        check_positive(hard_timeout_seconds=seconds)
        self._hard_timeout_seconds = self._symbolic.hard_timeout_seconds = float(seconds)

    # --- judging, sync -------------------------------------------------------------------------

    def equivalent(
        self, gold: object, answer: object, *, policy: Policy | str | None = None
    ) -> Verdict:
        """Compares two bare answers.

        Args:
            gold: The reference answer: text or a number.
            answer: The final answer: text or a number.
            policy: What counts as the same, for this call; see `Verifier`.
        """
        question = Question(gold, answer, self._chosen(policy))
        question.take()
        return self._finish(question)

    def verify(
        self,
        gold: object,
        response: object,
        *,
        strict: Strict = False,
        prompt: object = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | str | None = None,
    ) -> Verdict:
        r"""Finds the final answer in a response and compares it with the gold.

        A form feed before ``rac{1}{2}``, and the like, is the ``\frac`` that it was before a string
        literal or JSON swallowed the backslash.

        Args:
            gold: The reference answer: text (also in a box or behind ``####``) or a number.
            response: What the model wrote.
            strict: Whether only a box counts as an answer; "####" lets that mark count besides.
            prompt: What the model was asked, as text or messages; an answer that only restates
                it does not count, and its end tells whether the response began inside a
                thinking block.
            assume_thinking: Whether a response without a thinking tag began inside a thinking
                block: True, False, or ``"auto"`` to look at the prompt's end.
            policy: What counts as the same, for this call; see `Verifier`.

        Raises:
            ValueError: An option has none of its values.
        """
        check_search(strict, assume_thinking)
        question = Question(gold, response, self._chosen(policy))
        question.search(strict, prompt, assume_thinking)
        return self._finish(question)

    def verify_many(
        self,
        pairs: Iterable[Pair],
        *,
        strict: Strict = False,
        prompts: Sequence[object] | None = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | str | None = None,
    ) -> list[Verdict]:
        """Judges a batch: equal pairs once, the undecided on all workers at once.

        Args:
            pairs: Golds and responses, as for `verify`.
            strict: As for `verify`.
            prompts: One prompt for each pair, or None.
            assume_thinking: As for `verify`.
            policy: As for `verify`.

        Returns:
            The verdicts, in the order of the pairs.

        Raises:
            ValueError: A pair is none, there are not as many prompts as pairs, or an option has
                none of its values.
            TypeError: The prompts are one text.
            VerifierBusyError: There is no room for an undecided pair: see ``max_waiting``. Those
                before it go on, and are known when the batch is tried again.
        """
        check_search(strict, assume_thinking)
        questions = self._questions(pairs, prompts, policy)
        for question, asked in questions:
            question.search(strict, asked, assume_thinking)
        begun = [self._begin(question) for question, _ in questions]
        return [it.verdict(_result(one)) for (it, _), one in zip(questions, begun, strict=True)]

    # --- judging, async ------------------------------------------------------------------------

    async def aequivalent(
        self, gold: object, answer: object, *, policy: Policy | str | None = None
    ) -> Verdict:
        """`equivalent` for an event loop, which it never blocks longer than a pure stage takes."""
        question = Question(gold, answer, self._chosen(policy))
        question.take()
        return await self._afinish(question)

    async def averify(
        self,
        gold: object,
        response: object,
        *,
        strict: Strict = False,
        prompt: object = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | str | None = None,
    ) -> Verdict:
        """`verify` for an event loop, which it never blocks longer than a pure stage takes."""
        check_search(strict, assume_thinking)
        question = Question(gold, response, self._chosen(policy))
        if isinstance(response, str) and len(response) > LONG_TEXT:
            await self._in_thread(question.search, strict, prompt, assume_thinking)
        else:
            question.search(strict, prompt, assume_thinking)
        return await self._afinish(question)

    async def averify_many(
        self,
        pairs: Iterable[Pair],
        *,
        strict: Strict = False,
        prompts: Sequence[object] | None = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | str | None = None,
    ) -> list[Verdict]:
        """`verify_many` for an event loop: the pure stages in a thread, the rest on all workers."""
        check_search(strict, assume_thinking)
        questions = await self._in_thread(self._questions, pairs, prompts, policy)

        def begin(part: list[Asked]) -> list[Begun]:
            for question, asked in part:
                question.search(strict, asked, assume_thinking)
            return [self._begin(question) for question, _ in part]

        begun: list[Begun] = []
        for start in range(0, len(questions), _PART):
            begun += await self._in_thread(begin, questions[start : start + _PART])
        for promise in begun:
            if isinstance(promise, Promise):
                await _settled(promise)
        return [it.verdict(_result(one)) for (it, _), one in zip(questions, begun, strict=True)]

    # --- workers -------------------------------------------------------------------------------

    @property
    def executor(self) -> ThreadPoolExecutor:
        """The threads that carry undecided pairs: ``max_workers`` of them at most.

        Raises:
            PoolClosedError: The verifier is closed.
        """
        self._check_process()
        return self._symbolic.executor

    @property
    def waiting(self) -> int:
        """The distinct undecided pairs that are under way: in a worker, or waiting for one."""
        self._check_process()
        return self._symbolic.waiting

    @property
    def stats(self) -> PoolStats:
        """What the workers have done so far, and how many of them there are."""
        self._check_process()
        return self._symbolic.stats

    def warm_up(self) -> None:
        """Starts the workers, so that the first undecided pair does not wait for them.

        Where none can be started nothing happens: the first pair says why.

        Raises:
            PoolClosedError: The verifier is closed.
        """
        self._check_process()
        if "algebra" in self.stages:
            import verifiers_math.equivalence.sampling.balls  # noqa: F401 # mpmath: 30 ms
        if "math_verify" in self.stages:
            self._symbolic.warm_up()

    def close(self) -> None:
        """Ends the workers and the threads at once. Pairs under way end with an error status.

        Pairs that the pure stages decide are still judged afterwards.
        """
        self._check_process()
        self._symbolic.close()
        self._pure.shutdown(wait=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check_process(self) -> None:
        """A forked child gets locks, threads and workers of its own."""
        if self._pid != os.getpid():
            with _lock:
                if self._pid != os.getpid():
                    self._make_anew()

    async def _in_thread(self, function: Callable[..., Result], *given: Any) -> Result:
        """Runs what may take a while in a thread; here, where a closed verifier has none."""
        import asyncio

        self._check_process()
        try:
            promise = submit(self._pure, function, *given)
        except RuntimeError:
            return function(*given)
        return await asyncio.wrap_future(promise)

    # --- how a pair travels --------------------------------------------------------------------

    def _chosen(self, policy: Policy | str | None) -> Policy:
        return self.policy if policy is None else as_policy(policy)

    def _questions(
        self,
        pairs: Iterable[Pair],
        prompts: Sequence[object] | None,
        policy: Policy | str | None,
    ) -> list[Asked]:
        """The pairs of a batch, each with its prompt."""
        policy = self._chosen(policy)
        questions = [Question(*_pair(index, pair), policy) for index, pair in enumerate(pairs)]
        if prompts is None:
            return [(question, None) for question in questions]
        check_list("prompts", prompts, "prompts, one for each pair")
        if len(prompts) != len(questions):
            raise ValueError(f"there are {len(questions)} pairs but {len(prompts)} prompts")
        return list(zip(questions, prompts, strict=True))

    def _finish(self, question: Question) -> Verdict:
        return question.verdict(_result(self._begin(question, here=True)))

    async def _afinish(self, question: Question) -> Verdict:
        if len(question.gold) + len(question.answer) > LONG_ANSWER:
            begun = await self._in_thread(self._begin, question)
        else:
            begun = self._begin(question)
        if isinstance(begun, Promise):
            await _settled(begun)
        return question.verdict(_result(begun))

    def _begin(self, question: Question, here: bool = False) -> Begun:
        """Decides a pair, or sets it going; ``here`` carries it in this thread."""
        self._check_process()
        question.resume()
        decision = question.decided or self._known(question) or self._judge(question)
        if decision is not None:
            question.stop()
            return decision
        gold, answer = question.gold, question.answer
        if set(self.stages) & set(PURE_STAGES):  # else math_verify's own opinion is wanted
            gold, answer = to_latex(gold), to_latex(answer)
        cache, key = self._cache, question.key
        promise = self._symbolic.ask(
            gold, answer, lambda made: cache.put(key, made), here, lambda: self._known(question)
        )
        promise.add_done_callback(lambda _: question.stop())
        return promise

    def _known(self, question: Question) -> Decision | None:
        known = self._cache.get(question.key)
        question.cached = known is not None
        return known

    def _judge(self, question: Question) -> Decision | None:
        """What the stages say that need no worker."""
        gold, answer = question.gold, question.answer
        decision = judge(gold, answer, question.policy, self.stages)
        if decision is None and "math_verify" not in self.stages:
            decision = judge_as_text(gold, answer)
        if decision is not None:
            self._cache.put(question.key, decision)
        return decision


_OF_ONE_PROCESS = frozenset({"_pid", "_cache", "_symbolic", "_pure"})


def _pair(index: int, pair: object) -> Pair:
    """The gold and the response of a pair.

    Raises:
        ValueError: It is no pair; the message says which.
    """
    if isinstance(pair, (tuple, list)) and len(pair) == 2:
        return pair[0], pair[1]
    raise ValueError(f"pair {index} is not (gold, response): {pair!r:.80}")


def _check_stages(stages: Sequence[str]) -> None:
    unknown = [stage for stage in stages if stage not in STAGES]
    if isinstance(stages, str) or unknown or not stages:
        raise ValueError(f"stages must be a sequence of some of {STAGES}, got {stages!r}")


def _result(begun: Begun) -> Decision:
    return begun.result() if isinstance(begun, Promise) else begun


async def _settled(promise: Promise[Decision]) -> None:
    """Waits for a promise that others may wait for too: a cancelled waiter leaves it running."""
    import asyncio  # 57 ms that only async callers pay

    await asyncio.shield(asyncio.wrap_future(promise))


# --- the shared verifier -----------------------------------------------------------------------

_shared: Verifier | None = None
_lock = Lock()


def _after_fork() -> None:
    """Another thread of the parent may have held the lock."""
    global _lock
    _lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def default_verifier() -> Verifier:
    """The `Verifier` that this module's functions share: the default, or `share_verifier`'s."""
    global _shared
    if _shared is not None:
        return _shared
    with _lock:
        if _shared is None:
            _shared = Verifier()
        return _shared


def share_verifier(verifier: Verifier | None) -> Verifier | None:
    """Makes a verifier the one that `default_verifier` returns, with its limits and workers.

    Args:
        verifier: The verifier, or None to make one with default settings when it is wanted.

    Returns:
        The one before, not closed; None where there was none.
    """
    global _shared
    with _lock:
        before, _shared = _shared, verifier
    return before


class Options(TypedDict, total=False):
    """How a final answer is found and compared, as `Verifier.verify` says."""

    strict: Strict
    assume_thinking: AssumeThinking
    policy: Policy | str | None


class OneOptions(Options, total=False):
    """The same for one pair, with its prompt."""

    prompt: object


class ManyOptions(Options, total=False):
    """The same for a batch, with a prompt for each pair."""

    prompts: Sequence[object] | None


def equivalent(gold: object, answer: object, *, policy: Policy | str | None = None) -> Verdict:
    r"""Compares two bare answers.

    Args:
        gold: The reference answer: text or a number.
        answer: The final answer: text or a number.
        policy: What counts as the same: a `Policy`, or "default", "strict" or "lenient".

    Examples:
        >>> equivalent("x > 3", r"(3, \infty)").equal
        True
    """
    return default_verifier().equivalent(gold, answer, policy=policy)


def verify(gold: object, response: object, **options: Unpack[OneOptions]) -> Verdict:
    r"""Finds the final answer in a response and compares it with the gold.

    Args:
        gold: The reference answer: text (also in a box or behind ``####``) or a number.
        response: What the model wrote, as text; `answer_judge` takes messages too.
        **options: ``strict`` (only a box counts as an answer), ``prompt``, ``assume_thinking`` and
            ``policy``: see `Verifier.verify`.

    Examples:
        >>> verify("5/6", r"So the total is $\boxed{\frac{10}{12}}$.").reward
        1.0
        >>> verify("5/6", "So the total is 5/6.", strict=True).detail
        'there is no box'
    """
    return default_verifier().verify(gold, response, **options)


def verify_many(pairs: Iterable[Pair], **options: Unpack[ManyOptions]) -> list[Verdict]:
    r"""Judges a batch: equal pairs once, the undecided on all workers at once.

    Args:
        pairs: Pairs of gold and response, as for `verify`.
        **options: ``strict``, ``prompts`` (one for each pair), ``assume_thinking`` and ``policy``:
            see `Verifier.verify_many`.

    Returns:
        The verdicts, in the order of the pairs.

    Examples:
        >>> [verdict.reward for verdict in verify_many([("2", r"\boxed{2}"), ("2", "3")])]
        [1.0, 0.0]
    """
    return default_verifier().verify_many(pairs, **options)


async def aequivalent(
    gold: object, answer: object, *, policy: Policy | str | None = None
) -> Verdict:
    """`equivalent` for an event loop, which it never blocks longer than a pure stage takes."""
    return await default_verifier().aequivalent(gold, answer, policy=policy)


async def averify(gold: object, response: object, **options: Unpack[OneOptions]) -> Verdict:
    """`verify` for an event loop, which it never blocks longer than a pure stage takes."""
    return await default_verifier().averify(gold, response, **options)


async def averify_many(pairs: Iterable[Pair], **options: Unpack[ManyOptions]) -> list[Verdict]:
    """`verify_many` for an event loop: the pure stages in a thread, the rest on all workers."""
    return await default_verifier().averify_many(pairs, **options)
