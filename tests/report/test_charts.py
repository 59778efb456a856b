"""Charts: axes with round ends, and everything in its place."""

from __future__ import annotations

import pytest

from tests.scored_rows import Page
from verifiers_math.evaluators.aggregate import Interval
from verifiers_math.report import charts
from verifiers_math.report.charts import Dot, Tick, round_step, scale_of


@pytest.mark.parametrize(
    ("least", "step"), [(0.9, 1), (1, 1), (1.1, 2), (3, 5), (7, 10), (0.003, 0.005), (1200, 2000)]
)
def test_steps_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0, 97), (0, 20, 40, 60, 80, 100)),
        ((-0.31, 0.52), (-0.4, -0.2, 0, 0.2, 0.4, 0.6)),
        ((3, 3), (2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6)),
        ((1e-7, 5e-7), (1e-7, 2e-7, 3e-7, 4e-7, 5e-7)),
    ],
)
def test_axes_have_round_ends_that_hold_every_value(
    values: tuple[float, ...], ticks: tuple[float, ...]
) -> None:
    scale = scale_of(values)
    assert scale.ticks == pytest.approx(ticks)
    assert scale.low <= min(values)
    assert scale.high >= max(values)


def line(dots: list[Dot]) -> Page:
    return Page(
        charts.line_chart(
            dots,
            [Tick(0.0, "1"), Tick(1.0, "2")],
            charts.SHARES,
            label="a line",
            x_title="step",
            y_title="mean reward",
        )
    )


def test_a_line_goes_through_its_points_within_its_band() -> None:
    dots = [Dot(0.0, 0.25, Interval(0.0, 0.5), "first"), Dot(1.0, 1.0, Interval(0.75, 1.0), "last")]
    page = line(dots)
    depth = charts._DEPTH
    assert page.all("polyline")[0]["points"] == f"0.00,{0.75 * depth:.2f} 1000.00,0.00"
    assert page.all("polygon")[0]["points"] == (
        f"0.00,{0.5 * depth:.2f} 1000.00,0.00 1000.00,{0.25 * depth:.2f} 0.00,{depth:.2f}"
    )
    assert [dot["cx"] for dot in page.all("circle")] == ["0%", "100%"]
    assert page.text.endswith("first last")


def test_a_chart_has_axes_with_names_and_says_what_it_shows() -> None:
    page = line([Dot(0.0, 0.5, None, "one"), Dot(1.0, 0.5, None, "two")])
    svg = page.all("svg", role="img")
    assert [found["aria-label"] for found in svg] == ["a line"]
    for label in ("step", "mean reward", "0.25", "0.75"):
        assert label in page.text


def test_the_bars_of_a_histogram_are_as_high_as_their_counts() -> None:
    page = Page(
        charts.histogram(
            [(10, "ten"), (0, "none"), (5, "five")],
            [],
            [Tick(0.5, "median")],
            label="bars",
            x_title="time",
            y_title="judgements",
        )
    )
    bars = page.all("rect")
    assert [bar["x"] for bar in bars] == ["0%", "66.667%"]
    assert [float(bar["height"] or 0) for bar in bars] == [charts._DEPTH, charts._DEPTH / 2]
    assert "median" in page.text


def test_bars_in_tables_are_hidden_from_those_who_hear_the_numbers() -> None:
    page = Page(charts.share_bar(0.25, "good") + charts.interval_bar(0.5, Interval(0.4, 0.6)))
    assert [svg["aria-hidden"] for svg in page.all("svg")] == ["true", "true"]
    assert page.all("rect")[1] == {"class": "part good", "width": "25%", "height": "10", "rx": "2"}
    assert page.all("circle")[0]["cx"] == "50%"
