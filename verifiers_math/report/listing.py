"""The table of rows: gold and answer as formulas, why each was judged so, the response folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from verifiers_math.equivalence.reader import Unreadable, read
from verifiers_math.equivalence.reader.printer import to_latex
from verifiers_math.formulas import split
from verifiers_math.report import words
from verifiers_math.report.blocks import colour, section
from verifiers_math.report.kinds import CHOICE, MISSING, NUMBER, TEXT, kind_of_answer
from verifiers_math.report.markup import Markup, element, formula, joined
from verifiers_math.report.selection import REASONS, Entry, Excerpt, Selection

_LATEX: Final = re.compile(r"[\\^_{}$]")

_TYPED: Final = re.compile(r"[A-Za-z]{2}|\*|\^(?:[(-]|\w\w)")
"""What is no LaTeX: names of functions, asterisks, an exponent of several characters."""

FILTERS: Final = {
    "reason": "Shown because",
    "status": "Status",
    "stage": "Stage",
    "kind": "Kind",
    "dataset": "Data set",
}
"""What the table can be filtered by: attributes of `Entry`, and their labels."""


def listing(selection: Selection, rows: int) -> Markup | None:
    """The table of rows with its search and filters.

    Args:
        selection: The rows.
        rows: How many there are in the file.
    """
    entries = list(selection.entries())
    if not entries:
        return None
    columns = _columns(entries)
    head = element("thead", element("tr", *(_heading(key, columns[key]) for key in columns)))
    caption = element("caption", "Rows, with the answers that were compared", class_="unseen")
    bodies = (_body(entry, columns) for entry in entries)
    return section(
        "Rows",
        _controls(entries),
        element("table", caption, head, *bodies, id="rows", class_="rows"),
        element("p", "No row matches.", id="nothing", class_="note", hidden=True),
        note=_shown(selection, len(entries), rows),
        wide=True,
    )


def _shown(selection: Selection, shown: int, rows: int) -> str:
    counts = selection.counts()
    if shown == rows:
        return f"All {words.some(rows, 'row')}."
    if len(counts) == 1:
        return f"{shown:,} of {rows:,} rows, drawn evenly."
    parts = [
        f"{f'{few:,} of' if few < there else 'all'} {there:,} {REASONS[reason].phrase}"
        for reason, (few, there) in counts.items()
    ]
    return f"{shown:,} of {rows:,} rows: {', '.join(parts)}. They are drawn evenly."


# --- search and filters ------------------------------------------------------------------------


def _controls(entries: Sequence[Entry]) -> Markup:
    """Fields that a script brings to life; without it they stay hidden."""
    search = element(
        "label", "Search", element("input", type="search", id="search", autocomplete="off")
    )
    filters = [
        _select(key, label, Counter(getattr(entry, key) for entry in entries))
        for key, label in FILTERS.items()
    ]
    status = element("p", id="count", role="status")
    reset = element("button", "Reset", type="button", id="clear")
    return element("form", search, *filters, reset, status, id="controls", hidden=True)


def _select(key: str, label: str, counts: Counter[str]) -> Markup | None:
    if len(counts) < 2:
        return None
    options = [
        element("option", f"{_told(key, value) or 'none'} ({count:,})", value=f"={value}")
        for value, count in counts.most_common()
    ]
    every = element("option", "all", value="")
    return element("label", label, element("select", every, *options, data_filter=key))


def _told(key: str, value: str) -> str:
    if key == "reason":
        return REASONS[value].label
    return value if key == "dataset" else words.name(value)


# --- the table ---------------------------------------------------------------------------------

_ALWAYS: Final = {
    "row": "Row",
    "status": "Status",
    "gold": "Gold",
    "answer": "Answer",
    "stage": "Stage",
    "kind": "Kind",
}
_WHERE_KNOWN: Final = {"step": "Step", "seconds": "Time"}


def _columns(entries: Sequence[Entry]) -> dict[str, str]:
    """The columns, by attribute of `Entry`, with their headings."""
    known = {
        key: title
        for key, title in _WHERE_KNOWN.items()
        if any(getattr(entry, key) is not None for entry in entries)
    }
    return _ALWAYS | known


def _heading(key: str, title: str) -> Markup:
    button = element("button", title, type="button", data_sort=key)
    return element("th", button, scope="col", class_=f"of-{key}", aria_sort="none")


def _body(entry: Entry, columns: dict[str, str]) -> Markup:
    """A row of the file: a line of cells, and below it the reason and the response."""
    cells = [
        element("td", cell, class_=f"of-{key}", data_sort=by)
        for key, (cell, by) in _cells(entry).items()
        if key in columns
    ]
    more = element("td", *_more(entry), colspan=len(columns))
    attributes = {f"data_{key}": getattr(entry, key) for key in FILTERS}
    return element(
        "tbody",
        element("tr", *cells),
        element("tr", more, class_="more"),
        class_=colour(entry.status),
        **attributes,
    )


def _cells(entry: Entry) -> dict[str, tuple[str, str | float]]:
    """The cells of a row and what they are sorted by, by column."""
    step, seconds, time = entry.step, entry.seconds, _time(entry.seconds)
    return {
        "row": (f"{entry.row:,}", entry.row),
        "status": (element("span", words.name(entry.status), class_="status"), entry.status),
        "gold": (_answer(entry.gold), entry.gold.head),
        "answer": (_answer(entry.answer), entry.answer.head),
        "stage": (words.name(entry.stage), entry.stage),
        "kind": (entry.kind, entry.kind),
        "step": ("", "") if step is None else (f"{step:,.10g}", step),
        "seconds": (time, seconds if seconds is not None and time else ""),
    }


def _more(entry: Entry) -> Iterator[Markup]:
    if entry.detail.length:
        yield element("span", *_excerpt(entry.detail), class_="detail")
    for note in entry.notes:
        yield element("span", note, class_="against")
    if entry.rule:
        yield element("span", f"right by the lenient rule “{entry.rule}”", class_="rule")
    size = words.some(entry.response.length, "character")
    yield element(
        "details",
        element("summary", f"Response, {size}" if entry.response.length else "More"),
        element("dl", *(_fact(name, value) for name, value in _facts(entry) if value)),
        *_passage("Prompt", entry.prompt),
        *_passage("Response", entry.response),
    )


def _facts(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "Row", f"{entry.row:,}"
    yield "Gold", _code(entry.gold)
    yield "Answer", _code(entry.answer)
    yield "Reward", "" if entry.score is None else f"{entry.score:.10g}"
    yield "Stage", words.name(entry.stage)
    yield "Kind", entry.kind
    yield "Data set", entry.dataset
    yield "Step", "" if entry.step is None else f"{entry.step:,.10g}"
    yield "Group", entry.group
    yield "Time", _time(entry.seconds)
    yield "Shown because", REASONS[entry.reason].label


def _time(seconds: float | None) -> str:
    """How long a judgement took; no time at all says that it was known, and less is none."""
    if seconds is None or seconds < 0:
        return ""
    return words.seconds(seconds) if seconds else "cached"


def _fact(name: str, value: str) -> Markup:
    return element("div", element("dt", name), element("dd", value))


def _passage(title: str, excerpt: Excerpt) -> Iterator[Markup]:
    if excerpt.length:
        yield element("h3", title)
        # It can be scrolled, and so has to be reached by keyboard.
        reached = {"tabindex": "0", "role": "region", "aria_label": title}
        yield element("div", *_excerpt(excerpt), class_="passage", dir="auto", **reached)


def _excerpt(excerpt: Excerpt) -> Iterator[str]:
    yield excerpt.head
    if not excerpt.is_whole:
        note = f"… {words.some(excerpt.left_out, 'character')} left out …"
        yield element("span", note, class_="left-out")
        yield excerpt.tail


def _code(excerpt: Excerpt) -> str:
    return element("code", *_excerpt(excerpt)) if excerpt.length else ""


# --- answers as formulas -----------------------------------------------------------------------


def _answer(excerpt: Excerpt) -> Markup:
    """An answer as a formula where it is one that can be rendered, else as text."""
    if not excerpt.length:
        return element("span", "none", class_="none")
    if not excerpt.is_whole:
        return element("div", *_excerpt(excerpt), class_="answer")
    return element("div", rendered(excerpt.head), class_="answer")


@lru_cache(maxsize=4096)
def rendered(answer: str) -> Markup:
    """An answer with its formulas rendered; what cannot be rendered stays text.

    Args:
        answer: A gold or an answer, with or without dollar signs.
    """
    kind = kind_of_answer(answer)
    if kind in (TEXT, MISSING) or (kind in (NUMBER, CHOICE) and not _LATEX.search(answer)):
        return joined(*(_piece(piece.text, piece.is_formula) for piece in split(answer)))
    pieces = split(answer)
    if any(piece.is_formula for piece in pieces):
        return joined(*(_piece(piece.text, piece.is_formula) for piece in pieces))
    return _piece(_as_latex(answer), is_formula=True, fallback=answer)


def _piece(text: str, is_formula: bool, fallback: str | None = None) -> Markup:
    made = formula(text) if is_formula else None
    return made or joined(text if fallback is None else fallback)


def _as_latex(answer: str) -> str:
    r"""An answer in LaTeX: one that is typed as for a program, ``sqrt(2)/2``, as it was read."""
    if "\\" in answer or not _TYPED.search(answer):
        return answer
    tree = read(answer)
    return answer if isinstance(tree, Unreadable) else to_latex(tree)
