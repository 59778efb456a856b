"""The report as one file of HTML, with its style and script, and a policy that allows no others."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from verifiers_math import __version__
from verifiers_math.report import sections, words
from verifiers_math.report.figures import Figures
from verifiers_math.report.judgement import REWARD, VERDICT
from verifiers_math.report.listing import listing
from verifiers_math.report.markup import Markup, element, joined
from verifiers_math.report.selection import Selection

MOST_JUDGES: Final = 3


def page(title: str, figures: Figures, selection: Selection, fault: str = "") -> str:
    """The whole report.

    Args:
        title: Its heading; the file's name.
        figures: What was counted.
        selection: The rows to list.
        fault: Why the file could not be read to its end; "" where it could.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", f"{title}: report on rewards"),
        element("style", Markup(_static("report.css"))),
    )
    body = element(
        "body",
        _header(title, figures),
        element("main", *_parts(figures, selection, fault)),
        _footer(figures),
        element("script", Markup(_static("report.js"))),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


@cache
def _static(name: str) -> str:
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def _policy() -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; style-src {_digest('report.css')}; "
        f"script-src {_digest('report.js')}; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _digest(name: str) -> str:
    digest = hashlib.sha256(_static(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _header(title: str, figures: Figures) -> Markup:
    told = words.some(figures.rows, "row")
    if figures.is_judged:
        judge = next(iter(figures.opinions))
        told += f", {judge}s as logged" if judge in (REWARD, VERDICT) else f", judged by {judge}"
    judges = [name for name, _ in figures.judges.most_common(MOST_JUDGES)]
    if judges:
        told += f" ({', '.join(judges)}{', …' if len(figures.judges) > MOST_JUDGES else ''})"
    theme = element("button", "Dark", type="button", id="theme", hidden=True, aria_pressed="false")
    return element("header", element("div", element("h1", title), element("p", told)), theme)


def _parts(figures: Figures, selection: Selection, fault: str) -> Iterator[Markup | None]:
    if fault:
        yield element("p", f"The file could not be read to its end: {fault}", class_="warning")
    if not figures.rows:
        yield element("p", "The file holds no rows.", class_="warning")
        return
    if not figures.is_judged:
        yield element(
            "p",
            "No row holds a score, a verdict or a reward. verifiers-math score makes such a file.",
            class_="warning",
        )
    yield sections.headline(figures)
    yield element(
        "div",
        sections.reward_over(figures.line()),
        sections.pass_at_k(figures),
        sections.latency(figures),
        sections.outcomes(figures),
        sections.stages(figures),
        sections.by_kind(figures),
        sections.by_dataset(figures),
        sections.evaluators(figures),
        listing(selection, figures.rows),
        class_="parts",
    )


def _footer(figures: Figures) -> Markup:
    missing = [what for what, is_there in _missing(figures) if not is_there]
    told = f"Not in this file: {'; '.join(missing)}." if figures.rows and missing else None
    return element(
        "footer",
        element("p", told) if told else None,
        element("p", joined(f"verifiers-math {__version__}")),
    )


def _missing(figures: Figures) -> Iterator[tuple[str, bool]]:
    """What the report would show if rows told it, and whether they do."""
    yield "reward over time (a field step, epoch or time)", figures.line() is not None
    yield "pass@k (a field group or prompt_id, or equal prompts)", len(figures.groups.pass_at()) > 1
    yield "latency (a field seconds)", figures.latency.count > 0
    yield "accuracy by kind of answer (a gold)", figures.has_golds
    yield "accuracy by data set (a field dataset or data_source)", bool(figures.datasets.by_name)
    yield "stages (a field stage)", bool(figures.stages)
