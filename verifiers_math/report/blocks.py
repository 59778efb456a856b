"""The blocks that the report is built of: sections, tables, and the colours of statuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from verifiers_math.equivalence.verdict import Status
from verifiers_math.report.markup import Markup, element

GOOD: Final = "good"
BAD: Final = "bad"
UNCLEAR: Final = "unclear"

_COLOURS: Final = {
    Status.CORRECT.value: GOOD,
    Status.INCORRECT.value: BAD,
    Status.NO_ANSWER.value: BAD,
    Status.ANSWER_UNREADABLE.value: BAD,
}


def colour(status: str) -> str:
    """The class of a status: good, bad, or unclear where it says nothing about the answer."""
    return _COLOURS.get(status, UNCLEAR)


def section(title: str, *parts: Markup | None, note: str = "", wide: bool = False) -> Markup:
    """A part of the report under a heading.

    Args:
        title: The heading.
        *parts: What stands below.
        note: A sentence on what it is.
        wide: Whether it takes the whole width.
    """
    said = element("p", note, class_="note") if note else None
    return element("section", element("h2", title), said, *parts, class_="wide" if wide else None)


def table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Sequence[int] = ()
) -> Markup:
    """A table.

    Args:
        caption: What it lists, for those who do not see where it stands.
        columns: The headings.
        rows: The cells; the first of each heads its row.
        numbers: The columns that are set to the right.
    """

    def cells(tag: str, row: Sequence[Any], **attributes: str) -> Iterator[Markup]:
        for place, cell in enumerate(row):
            kind = "number" if place in numbers else None
            if place == 0:
                yield element("th", cell, scope="row" if tag == "td" else "col", class_=kind)
            else:
                yield element(tag, cell, class_=kind, **attributes)

    head = element("thead", element("tr", *cells("th", columns, scope="col")))
    body = element("tbody", *(element("tr", *cells("td", row)) for row in rows))
    return element(
        "div",
        element("table", element("caption", caption, class_="unseen"), head, body),
        class_="scroll",
    )


def folded(summary: str, *parts: Markup) -> Markup:
    """What is shown when it is asked for."""
    return element("details", element("summary", summary), *parts, class_="folded")
