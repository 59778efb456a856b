"""A chat model behind an OpenAI-compatible endpoint: asked with patience, and only once.

`Endpoint` limits the requests at once, retries what may pass, bounds the time, remembers replies,
and lets equal questions that are under way share one request.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from verifiers_math.cache import Key, PairCache
from verifiers_math.errors import JudgeError
from verifiers_math.rubrics.judge_clients import LoopClients
from verifiers_math.rubrics.running import Slots

REST_SECONDS: Final = 30.0
"""How long an endpoint is left alone after many failures in a row: a batch shall not wait for each
of its rollouts to find the same server down."""

_FAILURES_BEFORE_REST = 8
_LONGEST_BACKOFF = 30.0
_CACHE_BYTES = 64 << 20
_PASSING_STATUSES = frozenset({408, 409, 425, 429})
_SHOWN_CHARACTERS = 200

Keep = Callable[[str], object]
"""Whether a reply is worth remembering."""


class Reply(NamedTuple):
    """What the model said.

    Attributes:
        text: Its message.
        cached: Whether the reply was known before.
    """

    text: str
    cached: bool


class Endpoint:
    """Asks a chat model.

    It may be used from any thread, any event loop, several of them one after another, and after a
    fork. Pickled, its settings travel; clients, replies and counts do not.

    Args:
        client: See `LoopClients`.
        timeout_seconds: For one question with all its tries, from when a slot is free.
        retries: How often a question is asked again after a failure that may pass: no connection,
            or a status of 408, 409, 425, 429, or 500 and above.
        backoff_seconds: The wait before the first retry, twice as long before each further one;
            or as long as ``Retry-After`` says.
        concurrency: The most requests at once in an event loop.
        cache_entries: Replies to remember; 0 for none.

    Raises:
        ImportError: See `LoopClients`.
        TypeError: See `LoopClients`.
        ValueError: If a limit is out of range; its name in the message is `JudgeRubric`'s.
    """

    def __init__(
        self,
        client: Any = None,
        *,
        timeout_seconds: float,
        retries: int,
        backoff_seconds: float,
        concurrency: int,
        cache_entries: int,
    ) -> None:
        _check_at_least(1e-9, judge_timeout_seconds=timeout_seconds)
        _check_at_least(1, judge_concurrency=concurrency)
        _check_at_least(
            0,
            judge_retries=retries,
            judge_backoff_seconds=backoff_seconds,
            judge_cache_entries=cache_entries,
        )
        self.clients = LoopClients(client)
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._backoff_seconds = backoff_seconds
        self._slots = Slots(concurrency)
        self._cache_entries = cache_entries
        self._make_anew()

    def _make_anew(self) -> None:
        """What belongs to one process, and is neither inherited by a fork nor pickled."""
        self._cache: PairCache[str] = PairCache(self._cache_entries, _CACHE_BYTES)
        self._requests: dict[tuple[asyncio.AbstractEventLoop, Key], _Request] = {}
        self._health = _Health(max(_FAILURES_BEFORE_REST, self._slots.limit or 0))
        self._usage: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def _check_process(self) -> None:
        if self._pid != os.getpid():
            self._make_anew()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _OF_ONE_PROCESS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_anew()

    @property
    def usage(self) -> dict[str, int]:
        """``requests`` sent so far, and the ``prompt_tokens`` and ``completion_tokens`` used."""
        self._check_process()
        with self._lock:
            return {**dict.fromkeys(_USAGE, 0), **self._usage}

    def reset_usage(self) -> dict[str, int]:
        """Begin `usage` again from zero.

        Returns:
            The usage so far.
        """
        self._check_process()
        with self._lock:
            usage = {**dict.fromkeys(_USAGE, 0), **self._usage}
            self._usage.clear()
        return usage

    async def ask(
        self, model: str, text: str, arguments: Mapping[str, Any], keep: Keep = bool
    ) -> Reply:
        """Asks a question, or joins those who wait for the same one.

        Args:
            model: The model's name at the endpoint.
            text: The question: one message of a user.
            arguments: Sampling arguments of the request.
            keep: Whether a reply is to be remembered.

        Returns:
            The reply.

        Raises:
            JudgeError: If there is none; the message says why.
        """
        self._check_process()
        key = (model, text, json.dumps(arguments, sort_keys=True, default=repr))
        known = self._cache.get(key)
        if known is not None:
            return Reply(known, cached=True)
        place = (asyncio.get_running_loop(), key)
        request = self._requests.get(place)
        if request is None:
            given = {**arguments, "model": model, "messages": [{"role": "user", "content": text}]}
            request = self._requests[place] = _Request(self._fetch(given, key, keep))
        try:
            return Reply(await request.reply(), cached=False)
        finally:
            if request.is_over and self._requests.get(place) is request:
                del self._requests[place]

    async def _fetch(self, given: dict[str, Any], key: Key, keep: Keep) -> str:
        async with self._slots.take():
            self._health.check()
            text = await self._timed(given)
        if keep(text):
            self._cache.put(key, text)
        return text

    async def _timed(self, given: dict[str, Any]) -> str:
        limit = asyncio.timeout(self._timeout_seconds)
        try:
            async with limit:
                text = await self._tried(given)
        except JudgeError:
            raise
        except Exception as error:  # of openai's, of its transport, of a client of the user's
            if not limit.expired():
                if _may_pass(error):
                    self._health.add_failure(_reason(error))
                raise JudgeError(f"the judge could not be asked: {_reason(error)}") from error
            reason = f"there was no reply within {self._timeout_seconds:g} s"
            self._health.add_failure(reason)
            raise JudgeError(reason) from error
        self._health.add_success()
        return text

    async def _tried(self, given: dict[str, Any]) -> str:
        """The reply, after some retries. Waiting that would outlast the time limit is not begun."""
        deadline = time.monotonic() + self._timeout_seconds
        for retry in range(self._retries):
            try:
                return await self._send(given)
            except Exception as error:
                wait = self._wait(retry, error)
                if not _may_pass(error) or time.monotonic() + wait > deadline:
                    raise
                await asyncio.sleep(wait)
        return await self._send(given)

    def _wait(self, retry: int, error: Exception) -> float:
        """Seconds before the next try; they vary, so that a batch does not come back as one."""
        asked = _retry_after(error)
        if asked is not None:
            return asked
        backoff = min(self._backoff_seconds * 2.0**retry, _LONGEST_BACKOFF)
        return backoff * random.uniform(0.75, 1.0)

    async def _send(self, given: dict[str, Any]) -> str:
        client = self.clients.here()
        self._count(requests=1)
        completion = client.chat.completions.create(**given)
        if inspect.isawaitable(completion):
            completion = await completion
        usage = getattr(completion, "usage", None)
        for name in _TOKENS:
            self._count(**{name: getattr(usage, name, None) or 0})
        return _text_of(completion)

    def _count(self, **amounts: int) -> None:
        with self._lock:
            self._usage.update(amounts)


_TOKENS = ("prompt_tokens", "completion_tokens")
_USAGE = ("requests", *_TOKENS)
_OF_ONE_PROCESS = frozenset({"_cache", "_requests", "_health", "_usage", "_lock", "_pid"})


class _Request:
    """A request that several may wait for; it is given up when the last of them is cancelled."""

    def __init__(self, fetching: Any) -> None:
        self._task: asyncio.Future[str] = asyncio.ensure_future(fetching)
        self._waiting = 0

    @property
    def is_over(self) -> bool:
        return self._task.done() or not self._waiting

    async def reply(self) -> str:
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._task.cancel()  # nothing where it is done


class _Health:
    """Failures in a row. Threads may lose a count to one another: no harm is done by that."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._failures = 0
        self._rests_until = 0.0
        self._reason = ""

    def add_success(self) -> None:
        self._failures = 0

    def add_failure(self, reason: str) -> None:
        self._failures += 1
        self._reason = reason
        self._rests_until = time.monotonic() + REST_SECONDS

    def check(self) -> None:
        """Raises `JudgeError` while the endpoint is left alone."""
        if self._failures >= self._most and time.monotonic() < self._rests_until:
            raise JudgeError(
                f"the judge's last {self._failures} requests failed, so it is left alone for "
                f"{REST_SECONDS:g} s: {self._reason}"
            )


def _text_of(completion: Any) -> str:
    try:
        choice = completion.choices[0]
        text = choice.message.content
    except (AttributeError, IndexError, TypeError) as error:
        raise JudgeError("the endpoint's reply holds no message") from error
    if not isinstance(text, str) or not text.strip():
        reason = getattr(choice, "finish_reason", None)
        raise JudgeError(f"the judge replied without a text (finish_reason {reason!r})")
    return text


def _may_pass(error: Exception) -> bool:
    """Whether another try may succeed where this one failed."""
    status = getattr(error, "status_code", None)
    if status is None:
        names = {kind.__name__ for kind in type(error).__mro__}  # openai may not be installed
        return isinstance(error, OSError) or "APIConnectionError" in names
    if getattr(error, "code", None) == "insufficient_quota":  # a 429 that only money ends
        return False
    return status in _PASSING_STATUSES or status >= 500


def _retry_after(error: Exception) -> float | None:
    """The seconds that the server asks to wait: a number or a date."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    asked = headers.get("retry-after") if isinstance(headers, Mapping) else None
    if not asked:
        return None
    try:
        seconds = float(asked)
    except ValueError:
        from email.utils import parsedate_to_datetime  # rare, and slow to load

        try:
            date = parsedate_to_datetime(asked)
        except ValueError:
            return None
        seconds = (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _reason(error: Exception) -> str:
    """The error in one line: whoever is behind the endpoint may write pages."""
    text = f"{type(error).__name__}: {error}".replace("\n", " ")
    return text[:_SHOWN_CHARACTERS]


def _check_at_least(least: float, **limits: float) -> None:
    for name, value in limits.items():
        if not least <= value < math.inf:
            raise ValueError(f"{name} must be a finite number of at least {least:g}, not {value!r}")
