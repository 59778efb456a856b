"""A line chart of one series, for the terminal and as an SVG file, without a plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

# Colours for light and dark pages; the file follows the reader's setting.
_STYLE = """
  .page { fill: #ffffff }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #374151 }
  .title { font-size: 15px; font-weight: 600; fill: #111827 }
  .grid { stroke: #e5e7eb; stroke-width: 1 }
  .axis { stroke: #6b7280; stroke-width: 1 }
  .raw { fill: none; stroke: #93b4e8; stroke-width: 1; stroke-opacity: 0.8 }
  .smooth { fill: none; stroke: #1d4ed8; stroke-width: 2.5; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #c9d1d9 }
    .title { fill: #f0f6fc }
    .grid { stroke: #21262d }
    .axis { stroke: #8b949e }
    .raw { stroke: #41669c }
    .smooth { stroke: #79b0ff }
  }
"""

_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 76, 56


def smoothed(values: Sequence[float], window: int) -> list[float]:
    """The mean of each value and its neighbours, up to ``window`` values in all."""
    half = window // 2
    means = []
    for place in range(len(values)):
        near = values[max(0, place - half) : place + half + 1]
        means.append(sum(near) / len(near))
    return means


def _window(count: int) -> int:
    return max(1, count // 15) | 1


def text_curve(
    values: Sequence[float],
    *,
    x_label: str,
    y_label: str,
    width: int = 64,
) -> str:
    """Draw a smoothed series between 0 and 1 with characters.

    Args:
        values: The series, one value a step, from step 1 on.
        x_label: What runs to the right.
        y_label: What runs upwards.
        width: Columns of the plot without its axis.

    Returns:
        Several lines of plain text.
    """
    smooth = smoothed(values, _window(len(values)))
    columns = min(width, len(smooth))
    heights = []
    for column in range(columns):
        place = column * (len(smooth) - 1) // max(1, columns - 1)
        heights.append(round(10 * min(1.0, max(0.0, smooth[place]))))
    lines = [y_label]
    for row in range(10, -1, -1):
        label = "" if row % 2 else f"{row / 10:.1f}"
        marks = "".join("*" if at == row else "." if at > row else " " for at in heights)
        lines.append(f"{label:>5} |{marks}".rstrip())
    last = str(len(values))
    lines.append(" " * 6 + "+" + "-" * columns)
    lines.append(" " * 7 + "1" + x_label.center(columns - 1 - len(last)) + last)
    return "\n".join(lines)


def _tick_step(count: int) -> int:
    """A round distance between ticks that gives at most eight of them."""
    step = 1
    while count / step > 8:
        digits = len(str(step)) - 1
        step = {1: 2, 2: 5, 5: 10}[step // 10**digits] * 10**digits
    return step


def svg_curve(values: Sequence[float], *, title: str, x_label: str, y_label: str) -> str:
    """Draw a series between 0 and 1 as an SVG image, raw and smoothed.

    Args:
        values: The series, one value a step, from step 1 on.
        title: The heading.
        x_label: What runs to the right.
        y_label: What runs upwards.

    Returns:
        The text of an SVG file that suits light and dark pages.
    """
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def x(step: float) -> float:
        return _LEFT + (right - _LEFT) * (step - 1) / max(1, len(values) - 1)

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * min(1.0, max(0.0, value))

    def line(series: Sequence[float], kind: str) -> str:
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in enumerate(series, 1))
        return f'<polyline class="{kind}" points="{points}"/>'

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(title)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="30">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        at = y(tenth / 10)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(
            f'<text x="{_LEFT - 10}" y="{at + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>'
        )
    tick = _tick_step(len(values))
    for step in range(tick, len(values) + 1, tick):
        parts.append(
            f'<line class="axis" x1="{x(step):.1f}" x2="{x(step):.1f}" '
            f'y1="{bottom}" y2="{bottom + 5}"/>'
        )
        parts.append(
            f'<text x="{x(step):.1f}" y="{bottom + 20}" text-anchor="middle">{step}</text>'
        )
    middle = (_TOP + bottom) / 2
    window = _window(len(values))
    parts += [
        f'<line class="axis" x1="{_LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>',
        f'<text x="{(_LEFT + right) / 2}" y="{_HEIGHT - 14}" text-anchor="middle">'
        f"{escape(x_label)}</text>",
        f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_label)}</text>",
        line(values, "raw"),
        line(smoothed(values, window), "smooth"),
        f'<line class="raw" x1="{_LEFT}" x2="{_LEFT + 24}" y1="50" y2="50"/>',
        f'<text x="{_LEFT + 30}" y="54">each {escape(x_label)}</text>',
        f'<line class="smooth" x1="{_LEFT + 116}" x2="{_LEFT + 140}" y1="50" y2="50"/>',
        f'<text x="{_LEFT + 146}" y="54">mean of {window} {escape(x_label)}s</text>',
        "</svg>",
        "",
    ]
    return "\n".join(parts)
