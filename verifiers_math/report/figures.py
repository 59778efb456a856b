"""All that the report counts, rollout by rollout."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from verifiers_math.report.groups import Groups
from verifiers_math.report.judgement import MOST_EVALUATORS, NOT_JUDGED, Judgement
from verifiers_math.report.kinds import MISSING, kind_of_answer
from verifiers_math.report.latency import Latency
from verifiers_math.report.rates import Rate, Rates, Series, count_name
from verifiers_math.report.rollout import Rollout

AXES: Final = ("step", "epoch", "time")
"""What rewards may be drawn over; the first along which there is more than one place is taken."""


@dataclass
class Opinion:
    """What one evaluator says of all rollouts, beside the verdicts.

    Attributes:
        rate: How many it passes.
        only_it: Rollouts that it passes although the verdict does not.
        not_it: Rollouts that it does not pass although the verdict does.
    """

    rate: Rate
    only_it: int = 0
    not_it: int = 0


class Figures:
    """The counts of a file.

    Attributes:
        rate: Of all rollouts, by their verdicts.
        statuses: Rollouts by status.
        stages: Rollouts by the stage that decided.
        rules: Right answers by the lenient rule that made them so.
        opinions: The evaluators by name, the one that gives the verdicts first.
        kinds: Rates by the kind of gold.
        datasets: Rates by data set; empty where no row names one.
        series: Rates along each of `AXES`.
        groups: The groups, of the rollouts that could be scored.
        latency: The times of the verdicts.
        judges: Rollouts by version and policy of the judge.
        contradicted: Rollouts whose own label or reward contradicts the verdict.
        disputed: Rollouts on which evaluators differ.
    """

    def __init__(self) -> None:
        self.rate = Rate()
        self.statuses: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.opinions: dict[str, Opinion] = {}
        self.kinds = Rates()
        self.datasets = Rates()
        self.series = [Series(name) for name in AXES]
        self.groups = Groups()
        self.latency = Latency()
        self.judges: Counter[str] = Counter()
        self.contradicted = 0
        self.disputed = 0

    @property
    def rows(self) -> int:
        """All rows, those that cannot be read too."""
        return self.rate.count

    @property
    def is_judged(self) -> bool:
        """Whether anybody judged any row."""
        return self.statuses[NOT_JUDGED] < self.rows

    @property
    def has_golds(self) -> bool:
        """Whether any row has a gold."""
        return any(kind != MISSING for kind in self.kinds.by_name)

    @property
    def lenient(self) -> int:
        """Right answers that only a lenient rule made so."""
        return self.rules.total()

    def add(self, rollout: Rollout) -> None:
        """Counts a rollout."""
        verdict = rollout.verdict
        said = verdict.score, verdict.passed
        self.rate.add(*said)
        self.kinds[kind_of_answer(rollout.gold)].add(*said)
        if rollout.dataset:
            self.datasets[rollout.dataset].add(*said)
        for series in self.series:
            place = rollout.place(series.name)
            if place is not None:
                series.add(place, *said)
        if verdict.passed is not None and (group := rollout.group) is not None:
            self.groups.add(group, verdict.passed)
        if (seconds := rollout.seconds) is not None:
            self.latency.add(seconds)
        self._count_verdict(verdict)
        self._count_opinions(rollout)

    def _count_verdict(self, verdict: Judgement) -> None:
        count_name(self.statuses, verdict.status)
        if verdict.stage:
            count_name(self.stages, verdict.stage)
        if verdict.passed and verdict.rule:
            count_name(self.rules, verdict.rule)
        if verdict.version:
            count_name(self.judges, verdict.version)

    def _count_opinions(self, rollout: Rollout) -> None:
        self.contradicted += bool(rollout.contradictions)
        self.disputed += bool(rollout.disagreements)
        verdict = rollout.verdict
        for judgement in rollout.judgements:
            opinion = self._opinion(judgement.judge)
            if opinion is None:
                continue
            opinion.rate.add(judgement.score, judgement.passed)
            if verdict.passed is not None and judgement.passed is not None:
                opinion.only_it += judgement.passed and not verdict.passed
                opinion.not_it += verdict.passed and not judgement.passed

    def _opinion(self, name: str) -> Opinion | None:
        if name not in self.opinions and len(self.opinions) < MOST_EVALUATORS:
            self.opinions[name] = Opinion(Rate())
        return self.opinions.get(name)

    def line(self) -> Series | None:
        """The series to draw: along the first axis with more than one scored place."""
        return next((series for series in self.series if len(series.points()) > 1), None)
