"""The judge: the pure cascade first, then a worker process that can be killed, with a cache.

`Verifier` holds the limits and the workers; the functions of this module use one shared
`Verifier()`. The gold always comes first, as in math_verify.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from numbers import Rational, Real
from threading import Lock
from time import perf_counter
from types import TracebackType
from typing import Any, Final, Literal, Self

from verifiers_math.cache import Key, PairCache
from verifiers_math.equivalence.cascade import STAGES, judge, judge_as_text
from verifiers_math.equivalence.decision import Decision, different
from verifiers_math.equivalence.extract import find_answer, unwrap_gold
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy
from verifiers_math.equivalence.thinking import after_thinking, prompt_opens_thinking
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.equivalence.vetoes import restates_prompt
from verifiers_math.errors import PoolClosedError
from verifiers_math.types import AssumeThinking
from verifiers_math.workers import Outcome, OutcomeKind, WorkerPool

JUDGE_VERSION: Final = "1"
"""Raised whenever a verdict may change, so that stored verdicts can be told apart."""

LONG_TEXT: Final = 100_000
"""A response of more characters is searched in a thread, so that an event loop goes on."""

Isolation = Literal["process", "thread"]
Pair = tuple[Any, Any]


class Verifier:
    """Judges pairs of gold and answer.

    Making one starts nothing; the first pair that needs computer algebra, or `warm_up`, starts
    the workers. It may be used from any thread, any event loop and after a fork, and it can be
    pickled (its settings travel, its workers do not).

    Args:
        policy: What counts as the same.
        stages: The stages to ask, in order, of ``STAGES``. ``("math_verify",)`` alone gives
            math_verify's own opinion, without the policy's vetoes.
        timeout_seconds: The soft limit: CPU seconds of a worker on one pair; fractions allowed.
        hard_timeout_seconds: The wall seconds after which a worker is killed whatever it does.
        max_workers: Threads that carry undecided pairs; also a bound on the worker processes,
            of which there are never more than usable cores (and one spare).
        memory_bytes: Memory that one worker may use.
        isolation: ``"process"``, or ``"thread"`` to call math_verify in this process where no
            process may be started. A thread cannot be stopped: with it the limits are best
            effort, and an answer such as ``9^{9^{9}}`` freezes the whole interpreter.
        cache_entries: Judged pairs to remember; 0 for none.
        cache_bytes: Memory for them.

    Raises:
        ValueError: A stage is unknown, or a limit is not positive.
    """

    def __init__(
        self,
        policy: Policy = DEFAULT_POLICY,
        *,
        stages: Sequence[str] = STAGES,
        timeout_seconds: float = 5.0,
        hard_timeout_seconds: float = 120.0,
        max_workers: int = 50,
        memory_bytes: int = 2 << 30,
        isolation: Isolation = "process",
        cache_entries: int = 100_000,
        cache_bytes: int = 64 << 20,
    ) -> None:
        unknown = [stage for stage in stages if stage not in STAGES]
        if unknown or not stages:
            raise ValueError(f"stages must be some of {', '.join(STAGES)}; got {unknown or 'none'}")
        limits = {
            "timeout_seconds": timeout_seconds,
            "hard_timeout_seconds": hard_timeout_seconds,
            "max_workers": max_workers,
            "memory_bytes": memory_bytes,
        }
        for name, limit in limits.items():
            if not limit > 0 or math.isinf(limit):
                raise ValueError(f"{name} must be a positive number, got {limit!r}")
        if isolation not in ("process", "thread"):
            raise ValueError(f"isolation must be 'process' or 'thread', got {isolation!r}")
        self.policy = policy
        self.stages = tuple(stages)
        self.timeout_seconds = float(timeout_seconds)
        self.hard_timeout_seconds = float(hard_timeout_seconds)
        self.max_workers = max_workers
        self.memory_bytes = memory_bytes
        self.isolation: Isolation = isolation
        self._cache_limits = (cache_entries, cache_bytes)
        self._closed = False
        self._make_anew()

    def _make_anew(self) -> None:
        """What belongs to one process: locks, threads, workers and the cache."""
        self._pid = os.getpid()
        self._lock = Lock()
        self._cache: PairCache[Decision] = PairCache(*self._cache_limits)
        self._running: dict[Key, Future[Decision]] = {}
        self._executor: ThreadPoolExecutor | None = None
        self._pool = WorkerPool(self.max_workers, memory_bytes=self.memory_bytes)

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

    # --- judging, sync -------------------------------------------------------------------------

    def equivalent(self, gold: object, answer: object, *, policy: Policy | None = None) -> Verdict:
        """Compares two bare answers.

        Args:
            gold: The reference answer: text or a number.
            answer: The final answer: text or a number.
            policy: What counts as the same, for this call.
        """
        return self._finish(_Task(self, gold, answer, policy))

    def verify(
        self,
        gold: object,
        response: object,
        *,
        strict: bool = False,
        prompt: object = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | None = None,
    ) -> Verdict:
        r"""Finds the final answer in a response and compares it with the gold.

        Args:
            gold: The reference answer: text (also in a box or behind ``####``) or a number.
            response: What the model wrote.
            strict: Whether only a box counts as an answer.
            prompt: What the model was asked, as text or messages; an answer that only restates
                it does not count, and its end tells whether the response began inside a
                thinking block.
            assume_thinking: Whether a response without a thinking tag began inside a thinking
                block: True, False, or ``"auto"`` to look at the prompt's end.
            policy: What counts as the same, for this call.
        """
        task = _Task(self, gold, response, policy)
        task.search(strict, prompt, assume_thinking)
        return self._finish(task)

    def verify_many(
        self,
        pairs: Iterable[Pair],
        *,
        strict: bool = False,
        prompts: Sequence[object] | None = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | None = None,
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
            ValueError: There are not as many prompts as pairs.
        """
        tasks = self._tasks(pairs, prompts, strict, assume_thinking, policy)
        started = [self._start(task) for task in tasks]
        return [task.verdict(_result(begun)) for task, begun in zip(tasks, started, strict=True)]

    # --- judging, async ------------------------------------------------------------------------

    async def aequivalent(
        self, gold: object, answer: object, *, policy: Policy | None = None
    ) -> Verdict:
        """`equivalent` for an event loop, which it never blocks longer than a pure stage takes."""
        return await self._afinish(_Task(self, gold, answer, policy))

    async def averify(
        self,
        gold: object,
        response: object,
        *,
        strict: bool = False,
        prompt: object = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | None = None,
    ) -> Verdict:
        """`verify` for an event loop, which it never blocks longer than a pure stage takes."""
        task = _Task(self, gold, response, policy)
        if isinstance(response, str) and len(response) > LONG_TEXT:
            import asyncio

            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self.executor, task.search, strict, prompt, assume_thinking)
        else:
            task.search(strict, prompt, assume_thinking)
        return await self._afinish(task)

    async def averify_many(
        self,
        pairs: Iterable[Pair],
        *,
        strict: bool = False,
        prompts: Sequence[object] | None = None,
        assume_thinking: AssumeThinking = "auto",
        policy: Policy | None = None,
    ) -> list[Verdict]:
        """`verify_many` for an event loop: the pure stages in a thread, the rest on all workers."""
        import asyncio

        loop = asyncio.get_running_loop()
        tasks = await loop.run_in_executor(
            self.executor, self._tasks, pairs, prompts, strict, assume_thinking, policy
        )
        started = await loop.run_in_executor(
            self.executor, lambda: [self._start(task) for task in tasks]
        )
        for begun in started:
            if isinstance(begun, Future):
                await _aresult(begun)
        return [task.verdict(_result(begun)) for task, begun in zip(tasks, started, strict=True)]

    # --- workers -------------------------------------------------------------------------------

    @property
    def executor(self) -> ThreadPoolExecutor:
        """The threads that carry undecided pairs: ``max_workers`` of them at most.

        Raises:
            PoolClosedError: The verifier is closed.
        """
        self._check_process()
        with self._lock:
            if self._closed:
                raise PoolClosedError("this verifier has been closed")
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self.max_workers, "verifiers-math")
            return self._executor

    def warm_up(self) -> None:
        """Starts the workers, so that the first undecided pair does not wait for them."""
        self._check_process()
        if self.isolation == "process" and "math_verify" in self.stages:
            self._pool.warm_up()

    def close(self) -> None:
        """Ends the workers and the threads at once. Pairs under way end with an error status."""
        self._check_process()
        with self._lock:
            self._closed = True
            executor, self._executor = self._executor, None
        self._pool.close()
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _check_process(self) -> None:
        """A forked child gets locks, threads and workers of its own."""
        if self._pid != os.getpid():
            self._make_anew()

    # --- how a pair travels --------------------------------------------------------------------

    def _tasks(
        self,
        pairs: Iterable[Pair],
        prompts: Sequence[object] | None,
        strict: bool,
        assume_thinking: AssumeThinking,
        policy: Policy | None,
    ) -> list[_Task]:
        tasks = [_Task(self, gold, response, policy) for gold, response in pairs]
        if prompts is not None and len(prompts) != len(tasks):
            raise ValueError(f"there are {len(tasks)} pairs but {len(prompts)} prompts")
        for index, task in enumerate(tasks):
            task.search(strict, None if prompts is None else prompts[index], assume_thinking)
        return tasks

    def _finish(self, task: _Task) -> Verdict:
        return task.verdict(_result(self._start(task, here=True)))

    async def _afinish(self, task: _Task) -> Verdict:
        begun = self._start(task)
        if isinstance(begun, Future):
            await _aresult(begun)
        return task.verdict(_result(begun))

    def _start(self, task: _Task, here: bool = False) -> Decision | Future[Decision]:
        """Decides the pair, or sets it going in a worker; ``here`` drives it in this thread."""
        self._check_process()
        if task.decided is not None:
            return task.decided
        key = task.key
        known = self._cache.get(key)
        if known is not None:
            task.cached = True
            return known
        decision = judge(task.gold, task.answer, task.policy, self.stages)
        if decision is not None:
            self._cache.put(key, decision)
            return decision
        if "math_verify" not in self.stages:
            return judge_as_text(task.gold, task.answer)
        return self._delegate(key, task, here)

    def _delegate(self, key: Key, task: _Task, here: bool) -> Future[Decision]:
        """One worker for each undecided pair, however many ask for it at the same time."""
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                return running
            promise: Future[Decision] = Future()
            self._running[key] = promise
        if here:
            self._drive(key, task.gold, task.answer, promise)
            return promise
        try:
            self.executor.submit(self._drive, key, task.gold, task.answer, promise)
        except RuntimeError as reason:  # closed, or the interpreter is shutting down
            self._settle(key, promise, _closed(str(reason)))
        return promise

    def _drive(self, key: Key, gold: str, answer: str, promise: Future[Decision]) -> None:
        """Carries a pair to a worker; blocks for its first slice of time at most."""
        try:
            if self.isolation == "thread":
                self._settle(key, promise, self._in_this_thread(gold, answer))
                return
            outcome = self._pool.start(
                gold,
                answer,
                soft_seconds=self.timeout_seconds,
                hard_seconds=self.hard_timeout_seconds,
                cost=expected_cost(answer),
            )
            outcome.add_done_callback(
                lambda done: self._settle(key, promise, self._decision(gold, answer, done))
            )
        except PoolClosedError as reason:
            self._settle(key, promise, _closed(str(reason)))
        except BaseException as reason:
            self._settle(key, promise, _closed(f"{type(reason).__name__}: {reason}"))
            raise

    def _settle(self, key: Key, promise: Future[Decision], decision: Decision) -> None:
        with self._lock:
            if self._running.get(key) is promise:
                del self._running[key]
        if decision.status is not Status.ERROR:
            self._cache.put(key, decision)
        if not promise.done():
            promise.set_result(decision)

    def _decision(self, gold: str, answer: str, done: Future[Outcome]) -> Decision:
        if done.cancelled():
            return _closed("the pair was cancelled")
        reason = done.exception()
        if reason is not None:
            return _closed(f"{type(reason).__name__}: {reason}")
        return self._translate(gold, answer, done.result())

    def _translate(self, gold: str, answer: str, outcome: Outcome) -> Decision:
        if outcome.kind is OutcomeKind.UNAVAILABLE and "normalizer" in self.stages:
            return judge_as_text(gold, answer)
        status, detail = _TRANSLATION[outcome.kind]
        return Decision(status, "math_verify", outcome.detail or detail)

    def _in_this_thread(self, gold: str, answer: str) -> Decision:
        from verifiers_math.workers.symbolic import verify_pair

        begin = perf_counter()
        outcome = verify_pair(gold, answer)
        if perf_counter() - begin > self.timeout_seconds:
            return Decision(Status.TIMEOUT, "math_verify", "math_verify took longer than the limit")
        return self._translate(gold, answer, outcome)


_OF_ONE_PROCESS = frozenset({"_pid", "_lock", "_cache", "_running", "_executor", "_pool"})

_TRANSLATION: dict[OutcomeKind, tuple[Status, str]] = {
    OutcomeKind.EQUAL: (Status.CORRECT, "math_verify finds both equal"),
    OutcomeKind.DIFFERENT: (Status.INCORRECT, "math_verify finds them different"),
    OutcomeKind.GOLD_UNREADABLE: (Status.GOLD_UNREADABLE, "math_verify cannot read the gold"),
    OutcomeKind.ANSWER_UNREADABLE: (Status.ANSWER_UNREADABLE, "math_verify cannot read the answer"),
    OutcomeKind.TIMEOUT: (Status.TIMEOUT, "the worker used up its time"),
    OutcomeKind.MEMORY: (Status.LIMIT, "the worker used up its memory"),
    OutcomeKind.CRASHED: (Status.ERROR, "the worker died twice on this pair"),
    OutcomeKind.ERROR: (Status.ERROR, "math_verify raised an exception"),
    OutcomeKind.UNAVAILABLE: (Status.ERROR, "no worker could be started"),
}


class _Task:
    """One pair on its way through a verifier."""

    __slots__ = ("answer", "begin", "cached", "decided", "gold", "policy", "prompt", "response")

    def __init__(
        self, verifier: Verifier, gold: object, answer: object, policy: Policy | None
    ) -> None:
        self.begin = perf_counter()
        self.policy = policy or verifier.policy
        self.response = answer
        self.prompt = ""
        self.cached = False
        self.decided: Decision | None = None
        gold_text = as_text(gold)
        answer_text = "" if answer is None else as_text(answer)
        self.gold = gold_text or ""
        self.answer = answer_text or ""
        if gold_text is None:
            kind = type(gold).__name__
            self.decided = Decision(
                Status.GOLD_UNREADABLE, "extract", f"a gold of {kind} {gold!r:.60} cannot be read"
            )
        elif answer_text is None:
            kind = type(answer).__name__
            self.decided = Decision(
                Status.ANSWER_UNREADABLE, "extract", f"an answer of type {kind} cannot be read"
            )

    @property
    def key(self) -> Key:
        return (self.gold, self.answer, self.policy)

    def search(self, strict: bool, prompt: object, assume_thinking: AssumeThinking) -> None:
        """Replaces the response by the final answer in it, or says why there is none."""
        if self.decided is not None:
            return
        self.gold = unwrap_gold(self.gold)
        opened = prompt_opens_thinking(prompt) if assume_thinking == "auto" else assume_thinking
        text = after_thinking(self.answer, opened)
        if text is None:
            self._without_answer("the thinking never ends")
            return
        found = find_answer(text, strict)
        if found.answer is None:
            self._without_answer(found.how)
            return
        self.answer = found.answer
        self.prompt = prompt if isinstance(prompt, str) else _last_text(prompt)

    def _without_answer(self, reason: str) -> None:
        self.answer = ""
        if self.gold.strip():
            self.decided = Decision(Status.NO_ANSWER, "extract", reason)

    def verdict(self, decision: Decision) -> Verdict:
        """The verdict for this pair, given what was decided for its texts."""
        status, stage, detail, rule = decision
        if (
            self.prompt
            and status is Status.CORRECT
            and restates_prompt(self.gold, self.answer, self.prompt)
        ):
            status, stage, detail, rule = different("policy", "the answer restates the question")
        return Verdict(
            equal=status is Status.CORRECT,
            status=status,
            stage=stage,
            gold=self.gold,
            answer=self.answer,
            seconds=0.0 if self.cached else perf_counter() - self.begin,
            cached=self.cached,
            detail=detail,
            judge=f"{JUDGE_VERSION}/{self.policy.label}",
            rule=rule,
        )


def as_text(value: object) -> str | None:
    """Returns a gold or an answer as text, or None where it is neither text nor a finite number."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, Rational):
        return str(Fraction(value))
    if isinstance(value, Real):
        number = float(value)
        return repr(number) if math.isfinite(number) else None
    return None


def _last_text(prompt: object) -> str:
    """The text of the last message that has any."""
    if not isinstance(prompt, Sequence) or not prompt:
        return ""
    message = prompt[-1]
    content = message.get("content") if hasattr(message, "get") else getattr(message, "content", "")
    return content if isinstance(content, str) else ""


_COSTLY = re.compile(
    r"!|\\(?:sum|prod|int|binom|lim|zeta|Gamma)|\^\s?\{[^{}]{0,40}\^|\d{5}|\^\s?\{\s?\d{3}"
)


def expected_cost(answer: str) -> float:
    """A rough order of how long computer algebra will take: 0 for what honest answers look like.

    Pairs that wait for a worker are taken in this order, so that honest ones do not queue behind
    those that were written to be slow.
    """
    return len(answer) / 200 // 1 + 2.0 * len(_COSTLY.findall(answer))


def _closed(reason: str) -> Decision:
    return Decision(Status.ERROR, "math_verify", reason)


def _result(begun: Decision | Future[Decision]) -> Decision:
    return begun.result() if isinstance(begun, Future) else begun


async def _aresult(promise: Future[Decision]) -> None:
    """Waits for a promise that others may wait for too: a cancelled waiter leaves it running."""
    import asyncio

    await asyncio.shield(asyncio.wrap_future(promise))


# --- the shared verifier -----------------------------------------------------------------------

_shared: Verifier | None = None
_shared_lock = Lock()


def default_verifier() -> Verifier:
    """The `Verifier` with default settings that the functions of this module share."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Verifier()
        return _shared


def equivalent(gold: object, answer: object, *, policy: Policy | None = None) -> Verdict:
    """Compares two bare answers; see `Verifier.equivalent`."""
    return default_verifier().equivalent(gold, answer, policy=policy)


def verify(gold: object, response: object, **options: Any) -> Verdict:
    """Finds the final answer in a response and compares it; see `Verifier.verify`."""
    return default_verifier().verify(gold, response, **options)


def verify_many(pairs: Iterable[Pair], **options: Any) -> list[Verdict]:
    """Judges a batch; see `Verifier.verify_many`."""
    return default_verifier().verify_many(pairs, **options)


async def aequivalent(gold: object, answer: object, *, policy: Policy | None = None) -> Verdict:
    """`equivalent` for an event loop."""
    return await default_verifier().aequivalent(gold, answer, policy=policy)


async def averify(gold: object, response: object, **options: Any) -> Verdict:
    """`verify` for an event loop."""
    return await default_verifier().averify(gold, response, **options)


async def averify_many(pairs: Iterable[Pair], **options: Any) -> list[Verdict]:
    """`verify_many` for an event loop."""
    return await default_verifier().averify_many(pairs, **options)
