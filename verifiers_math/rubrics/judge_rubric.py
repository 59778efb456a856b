"""The rubric that asks a language model, for answers that no rule can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from time import perf_counter
from typing import Any, NamedTuple

from verifiers_math.equivalence.extract import unwrap_gold
from verifiers_math.equivalence.thinking import last_content
from verifiers_math.equivalence.verdict import Status, Verdict
from verifiers_math.errors import JudgeError
from verifiers_math.parsers import MaybeThinkParser
from verifiers_math.question import as_text
from verifiers_math.rubrics.calling import CallPlan
from verifiers_math.rubrics.counts import VerdictCounts
from verifiers_math.rubrics.judge_endpoint import Endpoint, Keep, Reply
from verifiers_math.rubrics.judge_text import (
    DEFAULT_JUDGE_PROMPT,
    check_template,
    fill_template,
    read_reply,
)
from verifiers_math.rubrics.reading import AnswerReader, parser_failed
from verifiers_math.rubrics.rubric import OnError, Rubric, SyncMode
from verifiers_math.rubrics.scores import JudgedScore
from verifiers_math.types import Completion, Gold, RewardFunc, Unscored

JUDGE_STAGE = "judge"
"""The stage of a verdict that a judge model has given, or failed to give."""

_SHOWN_CHARACTERS = 80


class JudgeRubric(Rubric):
    r"""Asks a chat model behind an OpenAI-compatible endpoint whether an answer is right.

    ``judge_answer`` is its own reward function, and is added as any other is. Functions may also
    ask for ``judge``, an async function ``judge(prompt, completion, answer, state) -> str`` that
    gives the model's reply as it is, and for ``judge_client``, ``judge_model``, ``judge_prompt``
    and ``judge_sampling_args``. Names and call shapes are those of ``verifiers`` 0.1.10 to 0.3
    (since then in ``verifiers.legacy``), so that functions written for it work.

        rubric = JudgeRubric(judge_model="gpt-4.1-mini")
        rubric.add_reward_func(rubric.judge_answer)

    It may also be the ``fallback`` of a `MathRubric`, which then asks it only where no rule can
    read an answer.

    A judge that fails (no connection, no reply in time, a reply that says neither right nor wrong)
    gives the verdict ``error``, never a wrong answer: see ``unscored``. Making a rubric connects to
    nothing. Clients are made for each event loop, and closed with it or with the rubric.

    Args:
        funcs: Reward functions.
        weights: A weight for each; 1.0 each by default.
        parser: Finds what is judged in a completion; by default all that follows the thinking.
        judge_client: An ``openai.AsyncOpenAI``, or a function that makes one, which pickles. By
            default ``openai.AsyncOpenAI()``, which reads ``OPENAI_API_KEY`` and
            ``OPENAI_BASE_URL``.
        judge_model: The model's name at the endpoint.
        judge_prompt: A template with ``{question}``, ``{answer}`` (the gold) and ``{response}``.
            Values are fenced as `judge_text` says. For ``judge_answer`` it has to ask for "yes" or
            "no", "correct" or "incorrect", or for JSON such as ``{{"correct": true}}``.
        judge_sampling_args: Further arguments of a request, as ``temperature``; ``max_tokens`` is
            sent as ``max_completion_tokens``, and what is None is left out.
        judge_timeout_seconds: For one question with all its retries, from when a slot is free.
        judge_retries: How often a question is asked again where that may help.
        judge_backoff_seconds: The wait before the first retry, unless the server says how long;
            twice as long before each further one.
        judge_concurrency: The most requests at once in an event loop.
        judge_cache_entries: Replies to remember; 0 for none.
        max_characters: The longest answer, question or gold that is sent; beyond it the verdict
            is ``limit``, and nobody is asked.
        on_error: See `Rubric`.
        sync: See `Rubric`.
        max_concurrency: See `Rubric`.
        unscored: See `Rubric`.
        scale_rewards: See `Rubric`.

    Raises:
        ImportError: If no client is given and the openai package is not installed.
        TypeError: If a function cannot be called, or the client is a synchronous one.
        ValueError: If the weights do not match the functions, the template cannot be filled, or an
            option is out of range.
    """

    def __init__(
        self,
        funcs: Iterable[RewardFunc] | None = None,
        weights: Iterable[float] | None = None,
        parser: Any = None,
        *,
        judge_client: Any = None,
        judge_model: str = "gpt-4.1-nano",
        judge_prompt: str = DEFAULT_JUDGE_PROMPT,
        judge_sampling_args: Mapping[str, Any] | None = None,
        judge_timeout_seconds: float = 60.0,
        judge_retries: int = 4,
        judge_backoff_seconds: float = 0.5,
        judge_concurrency: int = 32,
        judge_cache_entries: int = 50_000,
        max_characters: int = 16_000,
        on_error: OnError = "zero",
        sync: SyncMode = "thread",
        max_concurrency: int | None = None,
        unscored: Unscored = "zero",
        scale_rewards: bool = False,
    ) -> None:
        super().__init__(
            funcs,
            weights,
            MaybeThinkParser() if parser is None else parser,
            on_error=on_error,
            sync=sync,
            max_concurrency=max_concurrency,
            unscored=unscored,
            scale_rewards=scale_rewards,
        )
        check_template(judge_prompt)
        if max_characters < 1:
            raise ValueError(f"max_characters must be at least 1, not {max_characters!r}")
        self._endpoint = Endpoint(
            judge_client,
            timeout_seconds=judge_timeout_seconds,
            retries=judge_retries,
            backoff_seconds=judge_backoff_seconds,
            concurrency=judge_concurrency,
            cache_entries=judge_cache_entries,
        )
        self.judge_client = self._endpoint.clients.offered()
        self.judge_model = judge_model
        self.judge_prompt = judge_prompt
        self.judge_sampling_args = dict(judge_sampling_args or {})
        self.max_characters = max_characters
        self._reader = AnswerReader()
        self._counts = VerdictCounts()
        self.class_objects.update(
            judge=self.judge,
            judge_client=self.judge_client,
            judge_model=self.judge_model,
            judge_prompt=self.judge_prompt,
            judge_sampling_args=self.judge_sampling_args,
        )

    def __getstate__(self) -> dict[str, Any]:
        self._endpoint.clients.check_picklable()
        return dict(vars(self))

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts there were so far, and what they cost, for a log.

        The keys of `MathRubric.counts`, and ``requests`` (retries among them), ``prompt_tokens``
        and ``completion_tokens`` as the endpoint has counted them.
        """
        return {**self._counts.snapshot(), **self._endpoint.usage}

    def reset_counts(self) -> dict[str, int]:
        """Begin the counts again from zero, as at a training step.

        Returns:
            The counts so far; see `counts`.
        """
        return {**self._counts.reset(), **self._endpoint.reset_usage()}

    def warm_up(self) -> None:
        """Load openai and look for the API key, as the first scoring does. It sends nothing.

        Raises:
            openai.OpenAIError: If no client was given and there is no API key.
        """
        self._endpoint.clients.warm_up()

    def close(self) -> None:
        """Close the clients that were made here; judging afterwards is an error."""
        self._endpoint.clients.close()

    async def teardown(self) -> None:
        """Close the rubric, and wait for this event loop's own client."""
        await self._endpoint.clients.aclose()

    # --- judging ------------------------------------------------------------------------------

    async def judge(
        self,
        prompt: Any,
        completion: Completion | None,
        answer: Any,
        state: Any = None,
    ) -> str:
        """Ask the judge model about a completion.

        Args:
            prompt: What the model was asked, as text or messages, of which the last one counts.
            completion: A string or a list of messages; the parser reads it.
            answer: The gold.
            state: The rollout; replies are kept in its ``judge_response`` by the judge's prompt.

        Returns:
            The reply as it is.

        Raises:
            JudgeError: If there is no reply, or the texts are too long to be sent.
        """
        response = await self._reader.read(self.parser, completion, prompt)
        texts = _Texts(last_content(prompt), str(answer), response)
        too_long = texts.too_long(self.max_characters)
        if too_long:
            raise JudgeError(too_long)
        shown = texts.fill(self.judge_prompt)
        known = state.get("judge_response") if isinstance(state, MutableMapping) else None
        if isinstance(known, Mapping) and shown in known:
            return str(known[shown])
        reply = (await self._ask(shown)).text
        if isinstance(state, MutableMapping):
            state["judge_response"] = {**(known or {}), shown: reply}
        return reply

    async def judge_answer(
        self, parser: Any, completion: Completion | None, answer: Gold | None, **kwargs: Any
    ) -> float:
        """Score whether the judge model takes a completion's answer for the gold.

        Args:
            parser: Finds what is judged in the completion.
            completion: A string or a list of messages.
            answer: The gold.
            **kwargs: ``prompt`` and ``state`` are used where given: the verdict is written into
                ``state["judge_verdict"]``.

        Returns:
            1.0 or 0.0, with the verdict attached.
        """
        prompt = kwargs.get("prompt") or None
        try:
            response = await self._reader.read(parser, completion, prompt)
        except Exception as error:
            if self.on_error == "raise":
                raise
            self._report("judge_answer", error)
            verdict = parser_failed(answer, error)
            self._counts.add(verdict)
        else:
            verdict = await self.verdict(last_content(prompt), answer, response)
        state = kwargs.get("state")
        if isinstance(state, MutableMapping):
            state["judge_verdict"] = verdict
        return JudgedScore.of(verdict)

    async def verdict(self, question: str, gold: Any, answer: str) -> Verdict:
        """Ask the judge model whether an answer is the gold.

        Args:
            question: What was asked; may be empty.
            gold: The reference answer: text or a number.
            answer: The answer to judge.

        Returns:
            A verdict of the stage "judge": ``correct`` or ``incorrect`` as the model says;
            ``error`` where it could not be asked, or says neither; ``limit`` where a text is too
            long to be sent; ``no_answer`` and ``gold_unreadable`` where there is nothing to ask.
        """
        begin = perf_counter()
        texts = _Texts(question, unwrap_gold(as_text(gold) or "").strip(), answer.strip())
        status, detail, cached = await self._decide(texts)
        verdict = Verdict(
            equal=status is Status.CORRECT,
            status=status,
            stage=JUDGE_STAGE,
            gold=texts.gold[: self.max_characters],
            answer=texts.answer[: self.max_characters],
            seconds=0.0 if cached else perf_counter() - begin,
            cached=cached,
            detail=detail,
            judge=self.judge_model,
        )
        self._counts.add(verdict)
        return verdict

    async def _decide(self, texts: _Texts) -> tuple[Status, str, bool]:
        if not texts.gold:
            return Status.GOLD_UNREADABLE, "there is no gold to compare with", False
        if not texts.answer:
            return Status.NO_ANSWER, "there is no answer to judge", False
        too_long = texts.too_long(self.max_characters)
        if too_long:
            return Status.LIMIT, too_long, False
        try:
            reply = await self._ask(texts.fill(self.judge_prompt), keep=_says_something)
            said = read_reply(reply.text)
            if said is None:
                raise JudgeError(f"the judge says neither yes nor no: {_short(reply.text)!r}")
        except JudgeError as error:
            self._report(JUDGE_STAGE, error)
            return Status.ERROR, str(error), False
        status = Status.CORRECT if said else Status.INCORRECT
        return status, f"the judge says {_short(reply.text)!r}", reply.cached

    async def _ask(self, shown: str, keep: Keep = bool) -> Reply:
        arguments = _request_arguments(self.judge_sampling_args)
        return await self._endpoint.ask(self.judge_model, shown, arguments, keep)

    def _prepare(self) -> list[CallPlan]:
        if not self.funcs:
            raise ValueError(
                "the JudgeRubric has no reward function, so nothing would be scored; "
                "rubric.add_reward_func(rubric.judge_answer) scores what the judge says"
            )
        self.warm_up()
        return super()._prepare()


class _Texts(NamedTuple):
    """What is compared."""

    question: str
    gold: str
    answer: str

    def too_long(self, most: int) -> str:
        """Why they are not sent, as a sentence; "" where they are."""
        for name, text in self._asdict().items():
            if len(text) > most:
                return f"the {name} has {len(text)} characters, and at most {most} are sent"
        return ""

    def fill(self, template: str) -> str:
        return fill_template(
            template, question=self.question, answer=self.gold, response=self.answer
        )


def _request_arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """Sampling arguments by the names of the chat API, without those that say nothing."""
    arguments = {name: value for name, value in given.items() if value is not None}
    if "max_tokens" in arguments:
        arguments.setdefault("max_completion_tokens", arguments.pop("max_tokens"))
    return arguments


def _says_something(reply: str) -> bool:
    return read_reply(reply) is not None


def _short(text: str) -> str:
    return text.strip()[:_SHOWN_CHARACTERS]
