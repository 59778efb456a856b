"""What the service counts, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from verifiers_math.equivalence.verdict import Verdict
from verifiers_math.verifier import Verifier

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_PREFIX = "verifiers_math"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_OTHER = "other"
_WORKER_EVENTS = ("started", "pairs", "timeouts", "hard_timeouts", "preempted", "kills", "deaths")


class Metrics:
    """The counts of one service.

    Args:
        paths: The paths that are counted by name; every other one counts as ``other``.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.registry = CollectorRegistry()
        self._paths = frozenset(paths)
        self._children: dict[tuple[Any, tuple[str, ...]], Any] = {}
        self._requests = Counter(
            f"{_PREFIX}_requests",
            "Requests that were answered, by path and status code.",
            ("path", "code"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            f"{_PREFIX}_request_seconds",
            "Wall time from a request's head to the end of its answer, in seconds.",
            ("path",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._in_progress = 0
        Gauge(
            f"{_PREFIX}_requests_in_progress",
            "Requests that are being answered.",
            registry=self.registry,
        ).set_function(lambda: self._in_progress)
        self._verdicts = Counter(
            f"{_PREFIX}_verdicts",
            "Verdicts of the judge, by status and by the stage that decided.",
            ("status", "stage"),
            registry=self.registry,
        )

    def count(self, verdicts: Iterable[Verdict]) -> None:
        """Counts verdicts."""
        for verdict in verdicts:
            self._child(self._verdicts, verdict.status.value, verdict.stage).inc()

    def _child(self, metric: Any, *labels: str) -> Any:
        """The metric with these labels; the library looks it up under a lock, with checks."""
        child = self._children.get((metric, labels))
        if child is None:
            child = self._children[metric, labels] = metric.labels(*labels)
        return child

    def watch(self, verifier: Verifier) -> None:
        """Reports a verifier's workers and its queue."""
        self.registry.register(_Workers(verifier))

    def page(self) -> bytes:
        """Everything, in Prometheus's text format."""
        return generate_latest(self.registry)

    def around(self, app: ASGIApp) -> ASGIApp:
        """An application that counts the requests to another."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            begin = perf_counter()
            code = 500

            async def observed(message: Message) -> None:
                nonlocal code
                if message["type"] == "http.response.start":
                    code = message["status"]
                await send(message)

            self._in_progress += 1
            try:
                await app(scope, receive, observed)
            finally:
                self._in_progress -= 1
                path = scope["path"] if scope["path"] in self._paths else _OTHER
                self._child(self._requests, path, str(code)).inc()
                self._child(self._seconds, path).observe(perf_counter() - begin)

        return counted


class CountedVerifier(Verifier):
    """A verifier whose verdicts are counted, whoever asks for them.

    Args:
        metrics: Where they are counted.
        **settings: As for `Verifier`.
    """

    def __init__(self, metrics: Metrics, **settings: Any) -> None:
        super().__init__(**settings)
        self._metrics = metrics

    def equivalent(self, *given: Any, **options: Any) -> Verdict:
        """See `Verifier.equivalent`."""
        return self._counted(super().equivalent(*given, **options))

    def verify(self, *given: Any, **options: Any) -> Verdict:
        """See `Verifier.verify`."""
        return self._counted(super().verify(*given, **options))

    def verify_many(self, *given: Any, **options: Any) -> list[Verdict]:
        """See `Verifier.verify_many`."""
        verdicts = super().verify_many(*given, **options)
        self._metrics.count(verdicts)
        return verdicts

    async def aequivalent(self, *given: Any, **options: Any) -> Verdict:
        """See `Verifier.aequivalent`."""
        return self._counted(await super().aequivalent(*given, **options))

    async def averify(self, *given: Any, **options: Any) -> Verdict:
        """See `Verifier.averify`."""
        return self._counted(await super().averify(*given, **options))

    async def averify_many(self, *given: Any, **options: Any) -> list[Verdict]:
        """See `Verifier.averify_many`."""
        verdicts = await super().averify_many(*given, **options)
        self._metrics.count(verdicts)
        return verdicts

    def _counted(self, verdict: Verdict) -> Verdict:
        self._metrics.count((verdict,))
        return verdict


class _Workers(Collector):
    """The state of the workers, read when it is asked for."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    def collect(self) -> Iterable[Metric]:
        stats = self._verifier.stats
        yield GaugeMetricFamily(
            f"{_PREFIX}_pairs_waiting",
            "Undecided pairs that are in a worker or wait for one.",
            self._verifier.waiting,
        )
        yield GaugeMetricFamily(
            f"{_PREFIX}_workers", "Worker processes that are there.", stats.workers
        )
        events = CounterMetricFamily(
            f"{_PREFIX}_worker_events",
            "What happened to pairs and workers: started, pairs (answered), timeouts, "
            "hard_timeouts, preempted, kills, deaths.",
            labels=("event",),
        )
        for name in _WORKER_EVENTS:
            events.add_metric((name,), getattr(stats, name))
        yield events
