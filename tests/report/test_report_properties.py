"""Whatever the rows of a file hold, the report is a page that holds together."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scored_rows import Page, as_row
from verifiers_math.report import Report
from verifiers_math.report.fields import FIELDS
from verifiers_math.rows import read_line

FIELD_NAMES = sorted({name for names in FIELDS.values() for name in names})
RESULT_NAMES = (*"score passed label status detail stage rule gold answer seconds".split(), "judge")
PIECES = ("<", "&", '"', "\\frac{1}{2}", "$", "\u202e", "\ud800", "\x00", "]]>", "</script>", "9")

texts = st.text() | st.lists(st.sampled_from(PIECES)).map("".join)
numbers = st.booleans() | st.integers() | st.floats() | st.sampled_from((10**400, -0.0, 1e16))
values = st.recursive(
    st.none() | texts | numbers,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
results = st.dictionaries(st.sampled_from(RESULT_NAMES), values)
scores = st.dictionaries(texts, results | values, max_size=3) | values
rows = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(FIELD_NAMES, values) | {"scores": scores, "verdict": scores},
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(rows, max_size=6), st.integers(0, 4))
def test_any_rows_give_a_page(found: list[dict[str, Any]], shown_rows: int) -> None:
    report = Report("x", shown_rows)
    report.read(as_row(row, number) for number, row in enumerate(found, 1))
    content = report.html()
    content.encode()
    page = Page(content)
    assert len(page.all("script")) == 1
    assert report.figures.rows == len(found)
    assert len(
        [body for body in page.all("tbody") if "data-row" in body or "data-reason" in body]
    ) == (min(len(found), shown_rows))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.binary(max_size=40) | texts.map(json.dumps).map(str.encode), max_size=5))
def test_any_lines_give_a_page(lines: list[bytes]) -> None:
    report = Report("x")
    report.read(read_line(number, line) for number, line in enumerate(lines, 1))
    Page(report.html())
    assert report.figures.rate.scored == 0
