"""Charts as inline SVG: whatever is data has its place in per cent, so that text keeps its size.

Colours and sizes of type are in ``report.css``. Each chart says in its label what it shows, and the
report has the same figures in a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from verifiers_math.evaluators.aggregate import Interval
from verifiers_math.report.markup import Markup, element, joined

HEIGHT: Final = 240
_TOP: Final = 34
_BOTTOM: Final = 46
_FLOOR: Final = HEIGHT - _BOTTOM
_DEPTH: Final = _FLOOR - _TOP
_WIDE: Final = 1000
"""Units of the stretched picture in which lines are drawn."""


class Dot(NamedTuple):
    """A point of a line.

    Attributes:
        x: Its place, as a share of the width.
        y: Its value.
        interval: Where the true value is likely to be; None where that is not known.
        told: What a pointer that rests on it is told.
    """

    x: float
    y: float
    interval: Interval | None
    told: str


class Tick(NamedTuple):
    """A mark on the horizontal axis.

    Attributes:
        x: Its place, as a share of the width.
        label: What stands there.
    """

    x: float
    label: str


class Scale(NamedTuple):
    """A vertical axis.

    Attributes:
        low: Its lower end.
        high: Its upper end.
        ticks: The values that are marked.
    """

    low: float
    high: float
    ticks: tuple[float, ...]

    def down(self, value: float) -> float:
        """How far below the upper end a value is, as a share of the axis."""
        return (self.high - value) / (self.high - self.low)

    def y(self, value: float) -> float:
        """Where a value is, in pixels."""
        return round(_TOP + _DEPTH * self.down(value), 2)


def scale_of(values: Iterable[float], ticks: int = 5) -> Scale:
    """An axis that holds some values, with round ends.

    Args:
        values: The values; at least one.
        ticks: About how many marks to make.
    """
    given = list(values)
    low, high = min(given), max(given)
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = round_step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(round(step * place, 12) for place in range(first, last + 1))
    return Scale(marks[0], marks[-1], marks)


def round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, … (times a power of ten) that is not below a number."""
    power = 10.0 ** math.floor(math.log10(least))
    return power * next(digit for digit in (1, 2, 5, 10) if digit * power >= least * (1 - 1e-9))


SHARES: Final = Scale(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
"""The axis from 0 to 100 %."""


def percent(share: float) -> str:
    """A share as a label of an axis."""
    return f"{100 * share:g} %"


def line_chart(
    dots: Sequence[Dot],
    ticks: Sequence[Tick],
    scale: Scale,
    *,
    label: str,
    x_title: str,
    y_title: str,
    is_share: bool = False,
    values: Sequence[str] = (),
) -> Markup:
    """A line with a band around it.

    Args:
        dots: Its points, from left to right.
        ticks: The marks below.
        scale: The axis at its left.
        label: What the chart shows, for those who do not see it.
        x_title: What the horizontal axis is.
        y_title: What the vertical axis is.
        is_share: Whether the values are shares.
        values: What to write beside each point; nothing where it is empty.
    """
    marks = [
        element(
            "circle",
            element("title", dot.told),
            class_="dot" if len(dots) <= _FEW else "dot quiet",
            cx=_x(dot.x),
            cy=scale.y(dot.y),
            r=3,
        )
        for dot in dots
    ]
    written = [
        element("text", value, class_=f"value {_anchor(dot.x)}", x=_x(dot.x), y=scale.y(dot.y) - 11)
        for dot, value in zip(dots, values, strict=False)
    ]
    return _chart(
        label,
        _grid(scale, is_share),
        _below(ticks),
        _titles(x_title, y_title),
        _stretched(_band(dots, scale), _line(dots, scale)),
        *marks,
        *written,
    )


_FEW: Final = 40
"""Of more points the line is shown alone; a pointer still finds them."""


def histogram(
    counts: Sequence[tuple[int, str]],
    ticks: Sequence[Tick],
    marks: Sequence[Tick],
    *,
    label: str,
    x_title: str,
    y_title: str,
) -> Markup:
    """Bars side by side.

    Args:
        counts: The height of each bar, and what a pointer that rests on it is told.
        ticks: The marks below.
        marks: Upright lines through the bars, with their labels above.
        label: What the chart shows, for those who do not see it.
        x_title: What the horizontal axis is.
        y_title: What the vertical axis is.
    """
    scale = scale_of([0, max(count for count, _ in counts)], ticks=4)
    width = 1 / len(counts)
    bars = [
        element(
            "rect",
            element("title", told),
            class_="bar",
            x=_x(place * width),
            width=_x(width),
            y=scale.y(count),
            height=round(_FLOOR - scale.y(count), 2),
        )
        for place, (count, told) in enumerate(counts)
        if count
    ]
    lines = [
        joined(
            element("line", class_="mark", x1=_x(x), x2=_x(x), y1=_TOP - 6, y2=_FLOOR),
            element("text", text, class_=f"mark {_anchor(x)}", x=_x(x), y=_TOP - 12),
        )
        for x, text in marks
    ]
    return _chart(label, _grid(scale), _below(ticks), _titles(x_title, y_title), *bars, *lines)


def _chart(label: str, *parts: Markup) -> Markup:
    svg = element("svg", *parts, class_="chart", role="img", height=HEIGHT, aria_label=label)
    return element("div", svg, class_="plot")


def _grid(scale: Scale, is_share: bool = False) -> Markup:
    lines = []
    for value in scale.ticks:
        y = scale.y(value)
        shown = percent(value) if is_share else f"{value:,.10g}"
        kind = "floor" if value == scale.low else "grid"
        lines.append(element("line", class_=kind, x1=0, x2="100%", y1=y, y2=y))
        lines.append(element("text", shown, class_="left", x=-8, y=y + 4))
    return joined(*lines)


def _below(ticks: Sequence[Tick]) -> Markup:
    return joined(
        *(
            joined(
                element("line", class_="tick", x1=_x(x), x2=_x(x), y1=_FLOOR, y2=_FLOOR + 5),
                element("text", label, class_=_anchor(x), x=_x(x), y=_FLOOR + 19),
            )
            for x, label in ticks
        )
    )


def _titles(x_title: str, y_title: str) -> Markup:
    return joined(
        element("text", x_title, class_="title end", x="100%", y=HEIGHT - 6),
        element("text", y_title, class_="title left-title", x=-48, y=10),
    )


def _anchor(x: float) -> str:
    """Labels at the ends stay within the chart."""
    if x < 0.03:
        return "start"
    return "end" if x > 0.97 else "middle"


def _stretched(*parts: Markup) -> Markup:
    return element(
        "svg",
        *parts,
        x=0,
        y=_TOP,
        width="100%",
        height=_DEPTH,
        viewBox=f"0 0 {_WIDE} {_DEPTH}",
        preserveAspectRatio="none",
    )


def _line(dots: Sequence[Dot], scale: Scale) -> Markup:
    return element("polyline", class_="line", points=_path(scale, [(dot.x, dot.y) for dot in dots]))


def _band(dots: Sequence[Dot], scale: Scale) -> Markup:
    sure = [(dot.x, dot.interval) for dot in dots if dot.interval is not None]
    upper = [(x, interval.high) for x, interval in sure]
    lower = [(x, interval.low) for x, interval in reversed(sure)]
    return element("polygon", class_="band", points=_path(scale, [*upper, *lower]))


def _path(scale: Scale, places: Sequence[tuple[float, float]]) -> str:
    """Points of the stretched picture."""
    return " ".join(f"{_WIDE * x:.2f},{_DEPTH * scale.down(y):.2f}" for x, y in places)


def _x(share: float) -> str:
    return f"{round(100 * share, 3):g}%"


# --- bars in tables ----------------------------------------------------------------------------


def share_bar(share: float, kind: str = "") -> Markup:
    """A bar of a share, for a cell of a table that has the number beside it.

    Args:
        share: From 0.0 to 1.0.
        kind: A class that colours it.
    """
    return element(
        "svg",
        element("rect", class_="whole", width="100%", height=10, rx=2),
        element("rect", class_=f"part {kind}".strip(), width=_x(share), height=10, rx=2),
        class_="share",
        aria_hidden="true",
    )


def interval_bar(share: float, interval: Interval) -> Markup:
    """A share as a dot within its interval, on a line from 0 to 100 %."""
    return element(
        "svg",
        element("line", class_="whole", x1="0%", x2="100%", y1=8, y2=8),
        element("line", class_="sure", x1=_x(interval.low), x2=_x(interval.high), y1=8, y2=8),
        element("circle", class_="dot", cx=_x(share), cy=8, r=4),
        class_="range",
        aria_hidden="true",
    )
