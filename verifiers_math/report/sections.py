"""The parts of the report above its table of rows; one that has nothing to tell is None."""

from __future__ import annotations

import math
from collections import Counter
from typing import Final

from verifiers_math.equivalence.verdict import Status
from verifiers_math.report import charts, words
from verifiers_math.report.blocks import colour, folded, section, table
from verifiers_math.report.charts import Dot, Tick
from verifiers_math.report.figures import Figures
from verifiers_math.report.latency import Latency
from verifiers_math.report.markup import Markup, element, joined
from verifiers_math.report.rates import Point, Rate, Rates, Series

MOST_LINES: Final = 30
"""Lines of a table of names; the rest are summed up in one."""


# --- headline ----------------------------------------------------------------------------------


def headline(figures: Figures) -> Markup:
    """The figures that matter most."""
    rate, statuses = figures.rate, figures.statuses
    unscored = rate.count - rate.scored
    failures = statuses[Status.ERROR.value] + statuses[Status.LIMIT.value]
    tiles = [
        ("Rows", f"{rate.count:,}", f"{rate.scored:,} scored"),
        (
            "Pass rate",
            words.share(rate.pass_rate),
            _sure(words.interval(rate.pass_interval())),
        ),
        (
            "Mean reward",
            "–" if rate.mean is None else f"{rate.mean:.3f}",
            _sure(words.interval(rate.mean_interval(), is_share=False)),
        ),
        ("Unscored", f"{unscored:,}", _of_rows(unscored, rate.count)),
        (
            "Timeouts",
            f"{statuses[Status.TIMEOUT.value]:,}",
            _of_rows(statuses[Status.TIMEOUT.value], rate.count),
        ),
        ("Errors and limits", f"{failures:,}", _of_rows(failures, rate.count)),
    ]
    return element(
        "dl",
        *(
            element(
                "div",
                element("dt", label),
                element("dd", element("b", value), element("span", note)),
            )
            for label, value, note in tiles
        ),
        class_="headline",
    )


def _sure(found: str) -> str:
    return f"95 %: {found}" if found else ""


def _of_rows(count: int, rows: int) -> str:
    return f"{words.share(count / rows)} of the rows" if rows else ""


# --- reward along an axis ----------------------------------------------------------------------


def reward_over(series: Series | None) -> Markup | None:
    """The mean reward over steps, epochs or time."""
    if series is None:
        return None
    points = series.points()
    first, last = points[0], points[-1]
    is_binary = all(point.rate.is_binary for point in points)
    dots = [_dot(series.name, point, first, last) for point in points]
    heights = [dot.y for dot in dots]
    heights += [end for dot in dots if dot.interval for end in dot.interval]
    ends = [f"{_reward(p.rate)} at {_where(series.name, p)}" for p in (first, last)]
    told = f"rom {ends[0]} to {ends[1]}."
    chart = charts.line_chart(
        dots,
        _ticks(series.name, first.middle, last.middle),
        charts.SHARES if is_binary else charts.scale_of(heights),
        label=f"Line chart of the mean reward, f{told}",
        x_title="time (UTC)" if series.name == "time" else series.name,
        y_title="mean reward",
    )
    listing = table(
        f"Mean reward by {series.name}",
        (series.name, "reward", "95 %", "passed", "scored"),
        [
            (
                words.place(series.name, point.low, point.high),
                _reward(point.rate),
                words.interval(point.rate.mean_interval(), is_share=False),
                f"{point.rate.passed:,}",
                f"{point.rate.scored:,}",
            )
            for point in points
        ],
        numbers=(1, 2, 3, 4),
    )
    return section(
        f"Reward over {series.name}s" if series.name != "time" else "Reward over time",
        chart,
        folded("The figures", listing),
        note=f"F{told} The band holds 95 %.",
        wide=True,
    )


def _where(axis: str, point: Point) -> str:
    if axis == "time":
        return words.moment(point.middle)
    return words.place(axis, point.low, point.high)


def _reward(rate: Rate) -> str:
    return "–" if rate.mean is None else f"{rate.mean:.3f}"


def _dot(axis: str, point: Point, first: Point, last: Point) -> Dot:
    interval = point.rate.mean_interval()
    told = f"{words.place(axis, point.low, point.high)}: {_reward(point.rate)}"
    if interval is not None:
        told += f" ({words.interval(interval, is_share=False)})"
    x = (point.middle - first.middle) / (last.middle - first.middle)
    return Dot(
        x, point.rate.mean or 0.0, interval, f"{told}, {words.some(point.rate.scored, 'rollout')}"
    )


def _ticks(axis: str, low: float, high: float) -> list[Tick]:
    span = high - low
    if axis == "time":
        return [Tick(x, words.moment(low + x * span, span)) for x in (0.0, 0.25, 0.5, 0.75, 1.0)]
    step = charts.round_step(span / 6)
    if axis == "step":
        step = max(1.0, step)
    places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [Tick((step * place - low) / span, f"{step * place:,.10g}") for place in places]


# --- groups ------------------------------------------------------------------------------------


def pass_at_k(figures: Figures) -> Markup | None:
    """The chance that one of k answers is right, and groups from which nothing is learnt."""
    groups = figures.groups
    found = groups.pass_at()
    if len(found) < 2:
        return None
    last = len(found) - 1
    values = [words.share(point.mean) for point in found]
    chart = charts.line_chart(
        [
            Dot(
                place / last,
                point.mean,
                None,
                f"pass@{point.k}: {words.share(point.mean)} of {words.some(point.groups, 'group')}",
            )
            for place, point in enumerate(found)
        ],
        [Tick(place / last, f"{point.k:,}") for place, point in enumerate(found)],
        charts.SHARES,
        label="pass@k: " + ", ".join(f"{p.k}: {words.share(p.mean)}" for p in found),
        x_title="k, answers drawn",
        y_title="pass@k",
        is_share=True,
        values=values if len(found) <= _ROOM_FOR_VALUES else (),
    )
    listing = table(
        "pass@k",
        ("k", "pass@k", "groups"),
        [(f"{p.k:,}", value, f"{p.groups:,}") for p, value in zip(found, values, strict=True)],
        numbers=(0, 1, 2),
    )
    note = (
        "The chance that at least one of k answers to a prompt is right, without bias, averaged "
        f"over {words.some(len(groups), 'group')}"
    )
    note += f" (an even sample, one in {groups.every})." if groups.every > 1 else "."
    return section("pass@k", chart, _signal(figures), folded("The figures", listing), note=note)


_ROOM_FOR_VALUES: Final = 6


def _signal(figures: Figures) -> Markup | None:
    several, right, wrong = figures.groups.without_signal()
    if not several:
        return None
    return element(
        "p",
        f"{words.share((right + wrong) / several)} of the groups give no signal: all answers right "
        f"in {words.share(right / several)}, all wrong in {words.share(wrong / several)}.",
    )


# --- how verdicts came about -------------------------------------------------------------------


def outcomes(figures: Figures) -> Markup:
    """The shares of the statuses, and of lenient rules."""
    return element("div", _statuses(figures), _lenient(figures), class_="stack")


def _statuses(figures: Figures) -> Markup:
    return section(
        "Statuses",
        _shares("status", figures.statuses, figures.rows, coloured=True),
        note="What became of each row.",
    )


def stages(figures: Figures) -> Markup | None:
    """The shares of the stages."""
    if not figures.stages:
        return None
    return section(
        "Stages",
        _shares("stage", figures.stages, figures.rows),
        note="Which stage of the judge decided.",
    )


def _lenient(figures: Figures) -> Markup | None:
    """Right answers that a lenient rule made so."""
    passed = figures.rate.passed
    if not passed or not (figures.stages or figures.rules):
        return None
    owed = figures.lenient
    said = (
        f"{owed:,} of {words.some(passed, 'right answer')} ({words.share(owed / passed)}) "
        f"{'is' if owed == 1 else 'are'} right by a lenient rule only. A share that grows in "
        "training is the first sign of a reward that is being gamed."
    )
    listing = _shares("rule", figures.rules, passed, of="of 1.0s") if owed else None
    return section("Lenient rules", listing, note=said)


def _shares(
    what: str, counts: Counter[str], total: int, *, of: str = "share", coloured: bool = False
) -> Markup:
    listed = counts.most_common()
    shown = listed[:MOST_LINES]
    if len(listed) > MOST_LINES:
        shown.append((f"{len(listed) - MOST_LINES} more", sum(n for _, n in listed[MOST_LINES:])))
    return table(
        f"Rows by {what}",
        (what, "rows", of, ""),
        [
            (
                words.name(name),
                f"{count:,}",
                words.share(count / total),
                charts.share_bar(count / total, colour(name) if coloured else ""),
            )
            for name, count in shown
        ],
        numbers=(1, 2),
    )


# --- accuracy ----------------------------------------------------------------------------------


def evaluators(figures: Figures) -> Markup | None:
    """The evaluators side by side, where there are several."""
    if len(figures.opinions) < 2:
        return None
    first = next(iter(figures.opinions))
    rows = []
    for name, opinion in figures.opinions.items():
        rate = opinion.rate
        differing = ("", "") if name == first else (f"{opinion.only_it:,}", f"{opinion.not_it:,}")
        *told, picture = _rate_cells(rate)
        rows.append((name, f"{rate.scored:,}", *told, _reward(rate), *differing, picture))
    return section(
        "Evaluators",
        table(
            "Evaluators",
            ("evaluator", "scored", "pass rate", "95 %", "mean", "only it", "not it", ""),
            rows,
            numbers=(1, 2, 3, 4, 5, 6),
        ),
        note=f"The verdicts are those of {first}. “Only it” counts rows that an evaluator passes "
        f"and {first} does not, “not it” the opposite.",
        wide=True,
    )


def by_kind(figures: Figures) -> Markup | None:
    """The pass rate by the kind of gold."""
    if not figures.has_golds:
        return None
    return _rates("Kinds of answer", "kind", figures.kinds, "The pass rate by what the gold is.")


def by_dataset(figures: Figures) -> Markup | None:
    """The pass rate by data set."""
    return _rates(
        "Data sets", "data set", figures.datasets, "The pass rate by where the problem comes from."
    )


def _rates(title: str, what: str, rates: Rates, note: str) -> Markup | None:
    listed = [(name, rate) for name, rate in rates.largest() if rate.scored]
    if not listed:
        return None
    rest = Rate()
    for _, rate in listed[MOST_LINES:]:
        rest.merge(rate)
    shown = listed[:MOST_LINES]
    if rest.scored:
        shown.append((f"{len(listed) - MOST_LINES} more", rest))
    listing = table(
        f"Pass rate by {what}",
        (what, "scored", "pass rate", "95 %", ""),
        [(name, f"{rate.scored:,}", *_rate_cells(rate)) for name, rate in shown],
        numbers=(1, 2, 3),
    )
    return section(title, listing, note=note)


def _rate_cells(rate: Rate) -> tuple[str, str, Markup]:
    """The pass rate of rollouts, its interval, and both as a picture."""
    found = rate.pass_interval()
    if found is None or rate.pass_rate is None:
        return "–", "", joined()
    return (
        words.share(rate.pass_rate),
        words.interval(found),
        charts.interval_bar(rate.pass_rate, found),
    )


# --- latency -----------------------------------------------------------------------------------


def latency(figures: Figures) -> Markup | None:
    """How long judgements took."""
    times = figures.latency
    if not times.count:
        return None
    median, late = times.quantile(0.5), times.quantile(0.99)
    said = (
        f"Of {words.some(times.count, 'judgement')} half took at most {words.seconds(median)}, "
        f"99 % at most {words.seconds(late)}, the longest {words.seconds(times.most)}."
    )
    if times.cached:
        said += f" {words.some(times.cached, 'more answer')} came out of the cache."
    return section("Latency", _histogram(times, median, late), note=said)


def _histogram(times: Latency, median: float, late: float) -> Markup:
    bars = times.bars()
    low, high = math.log10(bars[0].low), math.log10(bars[-1].high)

    def x(seconds: float) -> float:
        return min(max((math.log10(seconds) - low) / (high - low), 0.0), 1.0)

    decades = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    return charts.histogram(
        [
            (
                bar.times,
                f"{words.seconds(bar.low)} to {words.seconds(bar.high)}: "
                f"{words.some(bar.times, 'judgement')}",
            )
            for bar in bars
        ],
        [Tick(x(10.0**power), _decade(power)) for power in decades],
        [Tick(x(median), "median")]
        + ([Tick(x(late), "99 %")] if x(late) - x(median) > 0.15 else []),
        label=f"Histogram of {words.some(times.count, 'time')}: median {words.seconds(median)}, "
        f"99 % {words.seconds(late)}.",
        x_title="time of a judgement",
        y_title="judgements",
    )


def _decade(power: int) -> str:
    """A power of ten in seconds: ``-5`` is "10 µs"."""
    if power >= 0:
        return f"{10**power:,} s"
    unit, places = ("ms", power + 3) if power >= -3 else ("µs", power + 6)
    return f"{10.0**places:g} {unit}"
