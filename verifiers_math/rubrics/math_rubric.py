r"""The rubric for mathematics: is the final answer the gold?"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Literal, NamedTuple

from verifiers_math.checks import check_list, check_search, kind_of
from verifiers_math.equivalence.extract import last_box
from verifiers_math.equivalence.policy import DEFAULT_POLICY, Policy, as_policy
from verifiers_math.equivalence.thinking import last_content
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.parsers import (
    MaybeThinkParser,
    Parser,
    ThinkParser,
    assistant_text,
    extract_boxed_answer,
    identity,
)
from verifiers_math.rubrics.calling import CallPlan
from verifiers_math.rubrics.counts import VerdictCounts
from verifiers_math.rubrics.fallback import (
    Fallback,
    ask_fallback,
    check_fallback,
    fallback_failed,
    is_undecided,
)
from verifiers_math.rubrics.judge_rubric import JUDGE_STAGE, JudgeRubric
from verifiers_math.rubrics.reading import PARSER_STAGE, AnswerReader, parser_failed, text_of
from verifiers_math.rubrics.rubric import OnError, Rubric, SyncMode
from verifiers_math.rubrics.scores import JudgedScore
from verifiers_math.types import AssumeThinking, Completion, Gold, RewardFunc, Unscored
from verifiers_math.verifier import Verifier
from verifiers_math.workers import HARD_LIMIT

HARD_TIMEOUT_SECONDS = 120
"""The longest that one verification may take, in seconds of wall time."""

_DEFAULT_HARD_TIMEOUT_SECONDS = HARD_TIMEOUT_SECONDS

# The stages whose errors `_report` has logged already.
_REPORTED_STAGES = frozenset({PARSER_STAGE, JUDGE_STAGE})


class MathRubric(Rubric):
    r"""Rewards the right final answer, besides whatever functions are added.

    ``correct_answer`` comes after the functions given here, with weight 1.0. It finds the final
    answer behind the model's thinking and compares it with ``state["answer"]``: a string, int,
    float or Fraction. The `Verdict` is kept in ``state["verdict"]``, and `counts` adds them up.

    With the default parser, a `MaybeThinkParser` with `extract_boxed_answer`, the verifier's own
    scanner looks for the answer (it knows of several boxes, and of answers without one); so it
    does for `Parser` and `ThinkParser`, unless their ``extract_fn`` is another one. What any other
    parser finds is compared as it is, or searched where it still has a box in it. A parser that
    raises gives the verdict ``error``.

    Making a rubric starts nothing: threads and workers come with the first answer that needs them.

    Args:
        funcs: Reward functions that come before ``correct_answer``.
        weights: A weight for each of them, none for ``correct_answer``; 1.0 each by default.
        parser: Finds the answer in a completion.
        max_workers: The most verifications that are worked on at once.
        timeout_seconds: The soft limit of one verification, in seconds of its worker's CPU time;
            fractions are allowed.
        policy: What counts as the same: a `Policy`, or "default", "strict" or "lenient"; the
            verifier's own, or ``Policy()``, by default.
        strict: Whether only a box counts as the final answer, with the default parser.
            Recommended for training.
        assume_thinking: See `MaybeThinkParser`; where it is "auto", the parser's own choice holds.
        verifier: Judges; made from the other arguments by default. One given here is not closed
            with the rubric, and keeps its own limits.
        on_error: See `Rubric`.
        sync: See `Rubric`.
        max_concurrency: See `Rubric`.
        unscored: See `Rubric`.
        scale_rewards: See `Rubric`.
        hard_timeout_seconds: The hard limit of one verification, in seconds of wall time;
            `HARD_TIMEOUT_SECONDS` by default, looked up when it is needed.
        isolation: "process" verifies in workers that can be killed; "thread" does without.
        memory_bytes: The most memory that a worker may use.
        fallback: Asked where the rules end: a `JudgeRubric`, or an async function of question, gold
            and answer that returns a `Verdict`, a bool, or None for no opinion. It is asked only
            if no rule could read the answer or the gold (``answer_unreadable``,
            ``gold_unreadable``) and both are there; never about an answer that a rule has decided,
            nor after a timeout or a limit. Its verdict has the stage "judge". It is not closed with
            the rubric.

    Raises:
        ValueError: If the weights do not match the functions, or an option is out of range.
        TypeError: If a function cannot be called, or the parser has no ``parse_answer``.

    Examples:
        >>> rubric = MathRubric(strict=True)
        >>> state = {"prompt": "1/2 + 1/3?", "completion": r"\boxed{5/6}", "answer": r"\frac{5}{6}"}
        >>> rubric.score_rollout_sync(state)
        >>> state["reward"], state["metrics"], state["verdict"].stage
        (1.0, {'correct_answer': 1.0}, 'number')
        >>> rubric.close()
    """

    HARD_TIMEOUT_SECONDS: ClassVar[float] = HARD_TIMEOUT_SECONDS

    def __init__(
        self,
        funcs: Iterable[RewardFunc] | None = None,
        weights: Iterable[float] | None = None,
        parser: Any = None,
        max_workers: int = 50,
        timeout_seconds: float = 5,
        *,
        policy: Policy | str | None = None,
        strict: bool = False,
        assume_thinking: AssumeThinking = "auto",
        verifier: Verifier | None = None,
        on_error: OnError = "zero",
        sync: SyncMode = "thread",
        max_concurrency: int | None = None,
        unscored: Unscored = "zero",
        scale_rewards: bool = False,
        hard_timeout_seconds: float | None = None,
        isolation: Literal["process", "thread"] = "process",
        memory_bytes: int = 2 << 30,
        fallback: Fallback | None = None,
    ) -> None:
        _check_parser(parser)
        if fallback is not None:
            check_fallback(fallback)
        check_search(strict, assume_thinking)
        funcs = () if funcs is None else funcs  # either may be an array, which has no truth value
        weights = () if weights is None else weights
        check_list("funcs", funcs, "reward functions")
        check_list("weights", weights, "numbers, one for each function")
        funcs, weights = list(funcs), list(weights)
        if len(weights) == len(funcs) + 1:
            raise ValueError(
                f"weights has {len(weights)} items for {len(funcs)} functions: it must not contain "
                "one for correct_answer, whose weight is 1.0"
            )
        super().__init__(
            funcs,
            weights,
            _default_parser(strict, assume_thinking) if parser is None else parser,
            on_error=on_error,
            sync=sync,
            max_concurrency=max_concurrency,
            unscored=unscored,
            scale_rewards=scale_rewards,
        )
        self.policy = None if policy is None else as_policy(policy)
        self.strict = strict
        self.assume_thinking: AssumeThinking = assume_thinking
        self.hard_timeout_seconds = hard_timeout_seconds
        self._owns_verifier = verifier is None
        self.verifier = verifier or Verifier(
            self.policy or DEFAULT_POLICY,
            timeout_seconds=timeout_seconds,
            hard_timeout_seconds=self._hard_limit(),
            max_workers=max_workers,
            memory_bytes=memory_bytes,
            isolation=isolation,
        )
        self.max_workers = max_workers
        self.timeout_seconds = timeout_seconds
        self._counts = VerdictCounts()
        self._warned: set[Status] = set()
        self.fallback = fallback
        self._reader = AnswerReader()
        self.add_reward_func(self.correct_answer)

    @property
    def executor(self) -> ThreadPoolExecutor:
        """The threads that carry undecided verifications, one each; started by their first use."""
        return self.verifier.executor

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts there were so far, for a log.

        ``total``, ``scored``, one for each status (``correct``, ``incorrect``, ``no_answer``,
        ``answer_unreadable``, ``gold_unreadable``, ``limits``, ``timeouts``, ``errors``),
        ``hard_timeouts`` (part of the timeouts), ``lenient`` (part of the correct ones: those that
        a rule for percent, units or rounding made equal), ``cached``, and ``stage/<name>`` and
        ``rule/<name>`` for each stage and lenient rule that has decided.
        """
        return self._counts.snapshot()

    def reset_counts(self) -> dict[str, int]:
        """Begin the counts again from zero, as at a training step.

        Returns:
            The counts so far; see `counts`.
        """
        return self._counts.reset()

    def warm_up(self) -> None:
        """Start the workers now, so that no verification waits for them. Blocks until then.

        Raises:
            PoolClosedError: If the rubric is closed.
        """
        self.verifier.warm_up()
        if isinstance(self.fallback, JudgeRubric):
            self.fallback.warm_up()

    def close(self) -> None:
        """End the workers and threads at once, unless the verifier was given by the caller."""
        if self._owns_verifier:
            self.verifier.close()

    async def correct_answer(
        self, parser: Any, completion: Completion | None, answer: Gold | None, **kwargs: Any
    ) -> float:
        """Score whether a completion's final answer is the gold.

        Args:
            parser: Finds the answer in the completion.
            completion: A string or a list of messages.
            answer: The gold.
            **kwargs: ``prompt`` and ``state`` are used where given: the verdict is written into
                ``state["verdict"]``.

        Returns:
            1.0 or 0.0; once the rubric is closed, 0.0 with the verdict ``error`` for an answer that
            would need a worker.
        """
        prompt = kwargs.get("prompt") or None
        verdict = await self._judge(parser, completion, answer, prompt)
        if self.fallback is not None and is_undecided(verdict):
            verdict = await self._second_opinion(self.fallback, verdict, prompt)
        state = kwargs.get("state")
        self._note(verdict, state)
        if isinstance(state, MutableMapping):
            state["verdict"] = verdict
        return JudgedScore.of(verdict)

    async def _judge(
        self, parser: Any, completion: Completion | None, answer: Any, prompt: Any
    ) -> Verdict:
        self._update_limits()
        scan = _scan_of(parser)
        try:
            if scan is None:
                text = await self._reader.read(parser, completion, prompt)
            else:
                text = assistant_text(completion) or ""
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._report("correct_answer", error)
            return parser_failed(answer, error)
        assumed = self.assume_thinking
        if scan is None:
            if last_box(text) is None:
                return await self.verifier.aequivalent(answer, text, policy=self.policy)
            scan = _Scan(strict=True, assume_thinking="auto")
            if text != text_of(completion):
                assumed = False  # the parser has seen to the thinking
        return await self.verifier.averify(
            answer,
            text,
            strict=self.strict or scan.strict,
            prompt=prompt,
            assume_thinking=scan.assume_thinking if assumed == "auto" else assumed,
            policy=self.policy,
        )

    async def _second_opinion(self, fallback: Fallback, verdict: Verdict, prompt: Any) -> Verdict:
        policy = self.policy or self.verifier.policy
        try:
            return await ask_fallback(fallback, verdict, last_content(prompt), policy)
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._report("fallback", error)
            return fallback_failed(verdict, error)

    def _prepare(self) -> list[CallPlan]:
        if isinstance(self.fallback, JudgeRubric):
            self.fallback.warm_up()  # a missing key is found before any rollout needs the judge
        return super()._prepare()

    def _hard_limit(self) -> float:
        if self.hard_timeout_seconds is not None:
            return self.hard_timeout_seconds
        changed = self.HARD_TIMEOUT_SECONDS != _DEFAULT_HARD_TIMEOUT_SECONDS
        return self.HARD_TIMEOUT_SECONDS if changed else HARD_TIMEOUT_SECONDS

    def _update_limits(self) -> None:
        """Let changes of the limits since the rubric was made hold for the next verification."""
        if self._owns_verifier:
            self.verifier.timeout_seconds = self.timeout_seconds
            self.verifier.hard_timeout_seconds = self._hard_limit()

    def _note(self, verdict: Verdict, state: Any) -> None:
        """Count a verdict, and log it where something went wrong."""
        hard = verdict.status is Status.TIMEOUT and verdict.detail.startswith(HARD_LIMIT)
        self._counts.add(verdict, hard_timeout=hard)
        fault = _fault_of_the_data(verdict, state)
        if fault and verdict.status not in self._warned:
            self._warned.add(verdict.status)
            self.logger.warning(
                "%s (said once; `counts` has the number of such verdicts, and each has its reason)",
                fault,
            )
        elif hard:
            self.logger.warning("verification reached the hard timeout: %s", verdict.detail)
        elif verdict.status is Status.ERROR and verdict.stage not in _REPORTED_STAGES:
            self.logger.warning("verification failed: %s", verdict.detail)
        elif not verdict.scored:
            self.logger.debug("verification ended with %s: %s", verdict.status, verdict.detail)


_NEEDED = {
    Status.GOLD_UNREADABLE: ("answer", "for the gold"),
    Status.NO_ANSWER: ("completion", "to judge"),
}


def _fault_of_the_data(verdict: Verdict, state: Any) -> str:
    """What is wrong with a state, and not with its completion; "" where nothing is."""
    key, use = _NEEDED.get(verdict.status, ("", ""))
    if key and isinstance(state, Mapping) and key not in state:
        return f"the state has no {key!r} {use}; it has {', '.join(map(repr, state)):.200}"
    if verdict.status is Status.GOLD_UNREADABLE:
        return f"the gold {verdict.gold!r:.100} cannot be judged: {verdict.detail}"
    return ""


def _check_parser(parser: Any) -> None:
    if parser is not None and (isinstance(parser, type) or not hasattr(parser, "parse_answer")):
        raise TypeError(
            f"parser is an object with parse_answer, such as Parser(extract_fn), not "
            f"{kind_of(parser)}"
        )


def _default_parser(strict: bool, assume_thinking: AssumeThinking) -> MaybeThinkParser:
    extract = functools.partial(extract_boxed_answer, strict=True) if strict else None
    return MaybeThinkParser(extract or extract_boxed_answer, assume_thinking=assume_thinking)


class _Scan(NamedTuple):
    """How the verifier's scanner does what a parser would do, and more."""

    strict: bool
    assume_thinking: AssumeThinking


def _scan_of(parser: Any) -> _Scan | None:
    """What to ask the scanner for in place of a parser of this package; None for other parsers.

    One whose ``extract_fn`` picks the box, or leaves everything to others, has nothing to say
    that the scanner would not know better.
    """
    kind = type(parser)
    if kind not in (Parser, ThinkParser, MaybeThinkParser):
        return None
    extract, strict = parser.extract_fn, False
    if isinstance(extract, functools.partial) and extract.keywords.keys() == {"strict"}:
        strict = bool(extract.keywords["strict"])
        extract = extract.func
    if extract is not extract_boxed_answer and extract is not identity:
        return None
    if kind is ThinkParser:
        return _Scan(strict, True)
    return _Scan(strict, getattr(parser, "assume_thinking", "auto"))
