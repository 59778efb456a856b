"""The whole report: its figures, what it never does, and files of every condition."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.scored_rows import Page, as_row, result, scored, write_lines
from verifiers_math.errors import RowsError
from verifiers_math.report import Report, write_report
from verifiers_math.report.listing import rendered
from verifiers_math.report.report import MOST_SHOWN_ROWS


def page_of(rows: list[dict[str, Any]], **options: Any) -> Page:
    report = Report("rollouts.jsonl", **options)
    report.read(as_row(row, number) for number, row in enumerate(rows, 1))
    return Page(report.html())


def headline(page: Page) -> dict[str, str]:
    """The figures at the top, by their names."""
    start = page.texts.index("Rows")
    values = page.texts[start : start + 18]
    return dict(zip(values[::3], values[1::3], strict=True))


# Two steps, two prompts each, four rollouts a prompt.
PASSED = {1: ("1000", "0000"), 2: ("1111", "1100")}
BATCH = [
    scored(
        passed == "1",
        step=step,
        group=group,
        dataset="gsm8k" if group else "math",
        gold="12" if group else r"\sqrt{2}",
        stage="number" if group else "algebra",
        seconds=0.001 * (place + 1),
        is_correct=passed == "1",
    )
    for step, groups in PASSED.items()
    for group, outcomes in enumerate(groups)
    for place, passed in enumerate(outcomes)
]


# --- its figures ---------------------------------------------------------------------------------


def test_the_headline_is_what_counting_by_hand_gives() -> None:
    rows = [*BATCH, scored(None), scored(None, status="error"), scored(None, status="limit")]
    assert headline(page_of(rows)) == {
        "Rows": "19",
        "Pass rate": "43.8 %",  # 7 of 16
        "Mean reward": "0.438",
        "Unscored": "3",
        "Timeouts": "1",
        "Errors and limits": "2",
    }
    assert "95 %: 23.1 to 66.8 %" in page_of(rows).text  # Wilson's interval of 7 of 16


def test_rewards_are_drawn_by_step() -> None:
    page = page_of(BATCH)
    assert "From 0.125 at step 1 to 0.750 at step 2." in page.text
    told = [text for text in page.texts if text.startswith("step 1: ")]
    assert told == ["step 1: 0.125 (0.022 to 0.471), 8 rollouts"]


def test_pass_at_k_is_the_mean_over_groups() -> None:
    # Groups with 1, 0, 4 and 2 of 4 right: pass@1 7/16; pass@2 (3/6 + 0 + 1 + 5/6) / 4;
    # pass@4 3/4. Two of them give no signal.
    page = page_of(BATCH)
    for value in ("43.8 %", "58.3 %", "75.0 %"):
        assert value in page.texts
    assert (
        "50.0 % of the groups give no signal: all answers right in 25.0 %, all wrong in 25.0 %."
        in page.text
    )


def test_accuracy_is_told_by_kind_and_by_data_set() -> None:
    page = page_of(BATCH)
    assert re.search(r"expression 8 62\.5 % .* number 8 25\.0 %", page.text)
    assert re.search(r"gsm8k 8 25\.0 %", page.text)
    assert re.search(r"math 8 62\.5 %", page.text)


def test_latency_has_its_median_and_its_99_percent() -> None:
    assert (
        "Of 16 judgements half took at most 2.00 ms, 99 % at most 4.00 ms, the longest 4.00 ms."
        in page_of(BATCH).text
    )


def test_lenient_rules_have_their_share_of_the_ones() -> None:
    rows = [scored(True, rule="percent"), scored(True), scored(True), scored(False, rule="unit")]
    text = page_of(rows).text
    assert "1 of 3 right answers (33.3 %) is right by a lenient rule only." in text
    assert "percent 1 33.3 %" in text
    assert "unit 1" not in text


def test_stages_and_statuses_have_their_shares() -> None:
    text = page_of(BATCH).text
    assert "incorrect 9 56.2 % correct 7 43.8 %" in text
    assert "algebra 8 50.0 % number 8 50.0 %" in text


def test_evaluators_are_set_side_by_side() -> None:
    rows = [
        scored(True, others={"exact_match": result(False)}),
        scored(False, others={"exact_match": result(True)}),
        scored(True, others={"exact_match": result(True)}),
        scored(True, others={"exact_match": result(False)}),
    ]
    text = page_of(rows).text
    assert re.search(r"exact_match 4 50\.0 % .* 0\.500 1 2 ", text)
    assert "all 3 on which evaluators differ" not in text  # all rows are shown
    assert "correct_answer passes it, exact_match does not pass it" in text


def test_unscored_rows_are_in_no_mean_and_in_no_group() -> None:
    rows = [scored(True, group=1), scored(False, group=1), scored(None, group=1)]
    page = page_of(rows)
    assert headline(page)["Pass rate"] == "50.0 %"
    assert "100.0 %" in page.texts  # pass@2 of one of two


def test_how_many_rows_are_shown_is_said() -> None:
    rows = [scored(True)] * 40 + [scored(None)] * 2
    assert "12 of 42 rows: all 2 that could not be scored, 10 of 40 others." in (
        page_of(rows, shown_rows=12).text
    )
    assert "All 42 rows." in page_of(rows).text


def test_what_the_file_does_not_tell_is_listed() -> None:
    text = page_of([scored(True)]).text
    for missing in ("reward over time", "pass@k", "latency", "accuracy by data set"):
        assert missing in text.partition("Not in this file:")[2]
    assert "Not in this file" not in page_of(BATCH).text


# --- what it never does --------------------------------------------------------------------------

HOSTILE = (
    "<img src=x onerror='window.hacked = 1'></script></style></textarea><script>x</script>]]>-->"
    "<!--\u202e\u200b\x00\x1b[31m\ud800\U000e0041"
)


def hostile_rows() -> list[dict[str, Any]]:
    said = {"gold": HOSTILE, "detail": HOSTILE, "rule": HOSTILE, "stage": HOSTILE}
    return [
        scored(
            True,
            prompt=HOSTILE,
            response=HOSTILE,
            dataset=HOSTILE,
            group=HOSTILE,
            is_correct=False,
            others={HOSTILE: result(False, status=HOSTILE)},
            **said,
        ),
        scored(False, gold=r"\href{javascript:alert(1)}{x}", response=r"\style{position:fixed}{x}"),
        scored(False, gold=r"\sideset{}{}" * 33, response={"a": [HOSTILE]}),
        scored(False, gold="{" * 5_000, response="x" * 10**6),
        scored(False, gold="1" * 4_000, prompt=[{"role": HOSTILE, "content": HOSTILE}]),
        {"reward": 1, "status": HOSTILE, "response": HOSTILE, HOSTILE: HOSTILE},
    ]


@pytest.mark.parametrize("rows", [BATCH, hostile_rows()], ids=["usual", "hostile"])
def test_it_asks_for_nothing_and_runs_nothing_of_others(rows: list[dict[str, Any]]) -> None:
    page = page_of(rows, shown_rows=100)
    for tag, attributes in page.elements:
        assert tag not in {"img", "iframe", "link", "a", "object", "embed", "base", "foreignobject"}
        for name in attributes:
            assert not name.startswith("on"), (tag, name)
            assert name not in {"src", "href", "xlink:href", "style", "action", "srcset", "data"}
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert [tag for tag, _ in page.elements].count("style") == 1
    assert not re.search(r"url\(|@import|https?:", page.raw["style"])
    assert not re.search(r"innerHTML|eval|fetch|https?:|import\(", page.raw["script"])


def test_a_policy_allows_only_its_own_style_and_script() -> None:
    page = page_of(hostile_rows())
    (meta,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    rules = dict(rule.strip().partition(" ")[::2] for rule in (meta["content"] or "").split(";"))
    digests = {
        name: base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        for name, content in page.raw.items()
    }
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digests['script']}'"
    assert rules["style-src"] == f"'sha256-{digests['style']}'"
    assert rules["base-uri"] == rules["form-action"] == rules["trusted-types"] == "'none'"
    tags = [tag for tag, _ in page.elements]
    assert tags.index("meta") < tags.index("style")


def test_hostile_text_is_shown_and_does_not_hide(tmp_path: Path) -> None:
    write_report(write_lines(tmp_path / "in.jsonl", hostile_rows()), tmp_path / "r.html")
    content = (tmp_path / "r.html").read_bytes()
    for hidden in ("\u202e", "\u200b", "\x00", "\x1b", "\U000e0041"):
        assert hidden.encode() not in content
    page = Page(content.decode())
    assert "<img src=x onerror='window.hacked = 1'>" in page.text
    assert "U+202E" in page.texts


def test_a_huge_text_is_cut_with_a_note() -> None:
    report = Report("x")
    report.add(as_row(scored(False, response="x" * 10**6)))
    content = report.html()
    assert len(content) < 60_000
    assert "… 996,000 characters left out …" in Page(content).text


def test_formulas_of_hostile_answers_take_no_time() -> None:
    begin = time.process_time()
    page_of([scored(False, gold=r"\sideset{}{}" * 20 + str(n)) for n in range(20)])
    assert time.process_time() - begin < 10


def test_it_has_no_more_elements_than_it_should() -> None:
    page = page_of(BATCH)
    assert page.all("html", lang="en")
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    headings = page.all("th")
    assert headings
    assert all(heading.get("scope") in ("row", "col") for heading in headings)
    assert [tag for tag, _ in page.elements].count("caption") == len(page.all("table"))


# --- files of every condition --------------------------------------------------------------------


def test_an_empty_file_gives_a_report_that_says_so(tmp_path: Path) -> None:
    write_report(write_lines(tmp_path / "empty.jsonl", []), tmp_path / "r.html")
    page = Page((tmp_path / "r.html").read_text())
    assert "The file holds no rows." in page.text
    assert page.all("table") == []


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"reward": float("nan"), "step": float("inf"), "seconds": float("nan")},
        {"reward": 10**400, "step": 10**400, "time": 1e300},
        {"scores": {"a": {"score": float("nan"), "passed": None}}},
        {"scores": {"a": {}}},
        {"scores": {"": {"score": 7.5, "passed": [1], "status": 3}}},
        {"reward": [1], "group": {"x": [float("nan")]}, "response": {"a": 1}, "step": "two"},
        {"reward": True, "dataset": 7, "label": None, "seconds": -5, "time": -1e14},
        {"verdict": {"equal": "yes", "reward": "1"}},
        {"reward": 1, "response": b"bytes", "prompt": object()},
    ],
)
def test_a_row_of_anything_gives_a_report(row: dict[str, Any]) -> None:
    page = page_of([row])
    assert headline(page)["Rows"] == "1"
    for word in ("nan", "inf", "None", "NaN"):
        assert word not in page.texts


def test_mixed_types_in_a_field_are_taken_as_they_come() -> None:
    rows = [
        {"reward": 1, "step": 1},
        {"reward": "0", "step": "2"},
        {"reward": None, "step": None},
        {"reward": {"total": 1}, "step": [3]},
        {"reward": 0.5, "step": 2.0},
    ]
    page = page_of(rows)
    assert headline(page) == {
        "Rows": "5",
        "Pass rate": "33.3 %",
        "Mean reward": "0.500",
        "Unscored": "2",
        "Timeouts": "0",
        "Errors and limits": "0",
    }
    assert "From 1.000 at step 1 to 0.250 at step 2." in page.text


def test_rows_without_any_judgement_are_said_to_be_so() -> None:
    page = page_of([{"response": "4", "answer": "4"}])
    assert "No row holds a score, a verdict or a reward." in page.text
    assert headline(page)["Pass rate"] == "–"


def test_lines_that_are_no_json_are_rows_that_could_not_be_scored(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [scored(True), "{not json", "[1, 2]"])
    write_report(path, tmp_path / "r.html")
    page = Page((tmp_path / "r.html").read_text())
    assert headline(page)["Rows"] == "3"
    assert headline(page)["Unscored"] == "2"
    assert "unreadable row 2 66.7 %" in page.text
    assert "{not json" in page.texts


def test_a_file_that_breaks_off_gives_a_report_on_what_stands_before(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(f"[{json.dumps(scored(True))}, {{broken")
    write_report(path, tmp_path / "r.html")
    page = Page((tmp_path / "r.html").read_text())
    assert "The file could not be read to its end" in page.text
    assert headline(page)["Rows"] == "1"


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RowsError, match="cannot read"):
        write_report(tmp_path / "none.jsonl", tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [scored(True)])
    with pytest.raises(FileNotFoundError):
        write_report(path, tmp_path / "none" / "r.html")
    assert [entry.name for entry in tmp_path.iterdir()] == ["in.jsonl"]


def test_an_older_report_is_replaced(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [scored(True)])
    (tmp_path / "r.html").write_text("old")
    write_report(path, tmp_path / "r.html", title="A <b>title</b>")
    assert "A <b>title</b>" in Page((tmp_path / "r.html").read_text()).texts
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["in.jsonl", "r.html"]


def test_parquet_is_read(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="needs the extra data")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra data")
    table = arrow.Table.from_pylist(
        [{"step": n, "completion": "4", "correct_answer": float(n % 2)} for n in range(10)]
    )
    parquet.write_table(table, tmp_path / "completions.parquet")
    write_report(tmp_path / "completions.parquet", tmp_path / "r.html")
    assert headline(Page((tmp_path / "r.html").read_text()))["Pass rate"] == "50.0 %"


def test_the_same_file_gives_the_same_report(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", BATCH * 50)
    for name in ("a.html", "b.html"):
        write_report(path, tmp_path / name, shown_rows=20)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize("shown_rows", [-1, MOST_SHOWN_ROWS + 1])
def test_absurd_numbers_of_rows_are_refused(shown_rows: int) -> None:
    with pytest.raises(ValueError, match="shown_rows is from 0"):
        Report("x", shown_rows)


def test_shaped_rewards_have_an_axis_of_their_own() -> None:
    rows = [{"reward": reward, "step": n} for n in (1, 2) for reward in (-2.5, 0.5 * n, 3.5)]
    page = page_of(rows)
    assert headline(page)["Mean reward"] == "0.583"
    assert {"-4", "4"} <= set(page.texts) or {"-5", "5"} <= set(page.texts)


def test_without_the_renderer_answers_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifiers_math import formulas
    from verifiers_math.report import listing

    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    formulas._mathml.cache_clear()
    listing.rendered.cache_clear()
    page = page_of([scored(True, gold=r"\frac{3}{7}")])
    assert page.all("math") == []
    assert r"\frac{3}{7}" in page.texts
    formulas._mathml.cache_clear()
    listing.rendered.cache_clear()


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "tags"),
    [
        (r"\frac{1}{2}", {"mfrac"}),
        (r"$\sqrt{2}$", {"msqrt"}),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", {"mtable", "mtr", "mtd"}),
        (r"[1, 2) \cup (3, \infty)", {"mo", "mn"}),
        ("sqrt(2)/2", {"msqrt"}),
        (r"x_1 \le 3", {"msub"}),
    ],
)
def test_answers_are_rendered_as_formulas(answer: str, tags: set[str]) -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    page = page_of([scored(True, gold=answer)])
    assert page.all("math")
    assert tags <= {tag for tag, _ in page.elements}


@pytest.mark.parametrize(
    ("answer", "symbols"),
    [("y = -7x - 11", "y=-7x-11"), ("x^2+1", "x2+1"), ("x^10", "x10"), ("2*x", "2·x"), ("pi", "π")],
)
def test_an_answer_without_commands_is_shown_as_it_is_meant(answer: str, symbols: str) -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    shown = re.search(r"<math.*?</math>", rendered(answer))
    assert shown is not None
    page = Page(shown[0])
    assert "".join(page.texts).replace("\u2212", "-") == symbols


@pytest.mark.parametrize("answer", ["1,234.5", "B", "Tuesday", "see the figure", "12/5", "50%"])
def test_plain_numbers_and_words_are_plain(answer: str) -> None:
    page = page_of([scored(True, gold=answer)])
    assert page.all("math") == []
    assert page.texts.count(answer) >= 2  # in the table, and as it is written


# --- large files ---------------------------------------------------------------------------------

_MEMORY = """
import resource, sys
from random import Random
from verifiers_math.report import Report
from verifiers_math.rows import Row

random = Random(0)
report = Report("large", 100)
peaks = []
for number in range(200_000):
    gold = str(random.randrange(10**9))
    passed = random.random() < 0.5
    verdict = {"score": float(passed), "passed": passed, "gold": gold, "answer": gold * 20,
               "status": "incorrect" if passed else f"status {random.random()}",
               "stage": f"stage {random.random()}", "detail": "d" * 300, "rule": str(number)}
    report.add(Row(number, {
        "step": number / 7, "time": 1.7e9 + number, "group": number // 2,
        "seconds": random.random(), "data_source": f"set {random.random()}",
        "prompt": gold, "response": "r" * 3000,
        "scores": {"correct_answer": verdict, f"evaluator {random.random()}": verdict},
    }))
    if number in (50_000, 199_999):
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
print(len(report.html()), *peaks)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
def test_memory_does_not_grow_with_the_rows() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    size, early, late = map(int, done.stdout.split())
    assert late - early < 16  # MiB for 150,000 rows, each of them new in every field
    assert size < 3_000_000


def test_figures_of_100_000_rows_are_those_of_the_rows() -> None:
    random = Random(3)
    report = Report("large", 200)
    passed = 0
    for number in range(100_000):
        right = random.random() < 0.3
        passed += right
        report.add(as_row({"reward": float(right), "step": number // 10, "group": number // 10}))
    page = Page(report.html())
    assert headline(page)["Rows"] == "100,000"
    assert headline(page)["Mean reward"] == f"{passed / 100_000:.3f}"
    assert "200 of 100,000 rows, drawn evenly." in page.text
    assert len(page.all("circle")) < 500
    groups = report.figures.groups
    assert (len(groups), groups.every) == (10_000, 1)
    assert groups.pass_at()[1].mean == pytest.approx(1 - 0.7**2, abs=0.01)


def test_an_answer_out_of_the_cache_is_called_so_and_a_negative_time_is_none() -> None:
    report = Report("r")
    for place, seconds in enumerate((0.002, 0.0, -1.0), 1):
        report.add(as_row(scored(True, seconds=seconds), place))
    page = Page(report.html())
    assert "2.00 ms" in page.texts
    assert page.texts.count("cached") == 2  # in the table, and among the facts
    assert "1 more answer came out of the cache" in page.text
    assert "-1" not in page.text
