"""The report in a real browser: search, filters, sorting, themes, a phone, paper."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import CHROMIUM, Browser
from tests.scored_rows import result, scored, write_lines
from verifiers_math.report import write_report

if CHROMIUM is None:
    pytest.skip("needs chromium", allow_module_level=True)

HOSTILE = (
    "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
    "</script></style></table><style>body { display: none }</style>\u202e\u200b\x00"
)
GOLDS = ("7", "12", r"\frac{1}{2}", "[1, 2)", "B", "3", "100")
ROWS: list[dict[str, Any]] = [
    scored(
        place % 3 != 0,
        gold=GOLDS[place % 7],
        response=f"This is response {place}, at length: {'so it goes. ' * 30}",
        step=place // 4,
        group=place // 4,
        dataset="gsm8k" if place % 2 else "math",
        seconds=0.0001 * 1.3 ** (place % 20),
        stage="number" if place % 2 else "algebra",
        is_correct=place % 3 != 0 or place == 9,
        others={"exact_match": result(place % 3 != 0 and place != 4)},
    )
    for place in range(60)
] + [
    scored(None, gold="9", detail="it took longer than 5 s"),
    scored(True, rule="percent", gold=r"\text{&#x202e;x}", response=HOSTILE),
    scored(False, gold=HOSTILE, detail=HOSTILE, response=HOSTILE, dataset=HOSTILE),
    scored(False, gold="x" * 10_000, response=r"\frac{" * 10_000),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    write_report(write_lines(folder / "rollouts.scored.jsonl", ROWS), folder / "r.html")
    return (folder / "r.html").as_uri()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Browser]:
    """The report just opened, on which nothing may go wrong and which may ask for nothing."""
    browser.look("light", 1200)
    browser.open(address)
    browser.run("localStorage.clear()")
    browser.messages.clear()
    browser.requests.clear()
    browser.open(address)
    yield browser
    assert browser.messages == []
    assert set(browser.requests) <= {address, "about:blank"}
    assert browser.run("window.hacked") is None


def shown(page: Browser, column: str = "row") -> list[str]:
    """The cells of a column, of the rows that are not filtered away."""
    found: list[str] = page.run(
        f"""[...document.querySelectorAll("#rows tbody:not([hidden]) .of-{column}")]
        .map((cell) => cell.innerText)"""
    )
    return found


def search(page: Browser, words: str) -> list[str]:
    """Searches as by typing, and returns the rows that are left."""
    page.run("document.getElementById('count').textContent = ''")
    page.write("#search", words)
    page.run("document.getElementById('search').dispatchEvent(new Event('input'))")
    page.until("document.getElementById('count').textContent")
    return shown(page)


def choose(page: Browser, name: str, value: str) -> None:
    page.run(
        f"""(() => {{
          const list = document.querySelector("[data-filter={name}]");
          list.value = "={value}";
          list.dispatchEvent(new Event("change"));
        }})()"""
    )


def sort_by(page: Browser, column: str) -> str:
    """Presses a heading, and says in which direction it sorts now."""
    page.run(f"document.querySelector('[data-sort={column}]').click()")
    direction: str = page.run(
        f"document.querySelector('[data-sort={column}]').parentElement.getAttribute('aria-sort')"
    )
    return direction


def test_what_should_be_looked_at_comes_first(page: Browser) -> None:
    assert shown(page)[:3] == ["10", "5", "61"]  # its label, the evaluators, a timeout
    assert shown(page, "status")[2] == "timeout"
    assert page.text("#count") == f"{len(ROWS)} of {len(ROWS)}"


def test_words_are_searched_in_all_that_a_row_holds(page: Browser) -> None:
    assert search(page, "response 17,") == ["18"]
    assert page.text("#count") == f"1 of {len(ROWS)}"
    assert search(page, "LONGER than") == ["61"]
    assert search(page, "goes nowhere") == []
    assert page.text("#nothing") == "No row matches."
    assert len(search(page, "")) == len(ROWS)
    assert page.run("document.getElementById('nothing').hidden")


def test_rows_are_filtered_and_the_filters_are_taken_back(page: Browser) -> None:
    choose(page, "status", "incorrect")
    assert set(shown(page, "status")) == {"incorrect"}
    choose(page, "stage", "algebra")
    assert set(shown(page, "stage")) == {"algebra"}
    both = len(shown(page))
    assert 0 < both < 22
    choose(page, "kind", "choice")
    assert set(shown(page, "gold")) == {"B"}
    page.run("document.getElementById('clear').click()")
    assert len(shown(page)) == len(ROWS)
    choose(page, "reason", "lenient")
    assert shown(page) == ["62"]


def test_columns_sort_up_and_down_and_back(page: Browser) -> None:
    before = shown(page)
    assert sort_by(page, "row") == "ascending"
    assert shown(page) == [f"{n}" for n in range(1, len(ROWS) + 1)]
    assert sort_by(page, "row") == "descending"
    assert shown(page) == [f"{n}" for n in range(len(ROWS), 0, -1)]
    assert sort_by(page, "row") == "none"
    assert shown(page) == before


def test_numbers_sort_as_numbers_and_what_is_missing_stays_last(page: Browser) -> None:
    for direction, sign in (("ascending", 1), ("descending", -1)):
        assert sort_by(page, "step") == direction
        steps = [int(step) for step in shown(page, "step") if step]
        assert steps == sorted(steps, key=lambda step: sign * step)
        assert shown(page, "step")[-4:] == [""] * 4
    sort_by(page, "gold")
    assert [gold for gold in shown(page, "gold") if gold.isdigit()][::9] == sorted(
        [gold for gold in shown(page, "gold") if gold.isdigit()][::9], key=int
    )


def test_a_sorted_table_keeps_its_reasons_and_responses(page: Browser) -> None:
    sort_by(page, "row")
    texts = page.run(
        "[...document.querySelectorAll('#rows tbody')].slice(0, 3).map((it) => it.textContent)"
    )
    assert [f"This is response {place}," in texts[place] for place in range(3)] == [True] * 3


def test_a_response_is_folded_until_it_is_asked_for(page: Browser) -> None:
    passage = "document.querySelector('#rows .passage').checkVisibility()"
    assert page.run(passage) is False
    page.run("document.querySelector('#rows summary').focus()")
    page.press("Enter")
    assert page.run(passage) is True


def test_everything_can_be_reached_and_used_with_the_keyboard(page: Browser) -> None:
    reached = []
    for _ in range(40):
        page.press("Tab")
        reached.append(
            page.run("document.activeElement.id || document.activeElement.dataset.sort || ''")
        )
    assert {"theme", "search", "clear", "row", "gold"} <= set(reached)
    page.run("document.querySelector('[data-sort=row]').focus()")
    page.press("Enter")
    assert shown(page)[0] == "1"
    page.press(" ")
    assert shown(page)[0] == str(len(ROWS))


def paper(page: Browser) -> str:
    colour: str = page.run("getComputedStyle(document.body).backgroundColor")
    return colour


LIGHT, DARK = "rgb(251, 251, 249)", "rgb(20, 23, 26)"


def test_the_theme_follows_the_system_until_it_is_chosen(page: Browser, address: str) -> None:
    assert paper(page) == LIGHT
    page.look("dark", 1200)
    page.until("document.getElementById('theme').getAttribute('aria-pressed') === 'true'")
    assert paper(page) == DARK
    page.run("document.getElementById('theme').click()")
    assert paper(page) == LIGHT
    page.open(address)
    assert paper(page) == LIGHT  # it is remembered
    assert page.run("document.getElementById('theme').getAttribute('aria-pressed')") == "false"
    page.run("document.getElementById('theme').click()")
    assert paper(page) == DARK


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 768, 360])
def test_it_can_be_read_light_and_dark_and_on_a_phone(
    page: Browser, scheme: str, width: int, tmp_path: Path
) -> None:
    page.look(scheme, width)
    page.run("document.querySelectorAll('details').forEach((it) => { it.open = true })")
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.faint_texts() == []
    cut = page.run(
        """[...document.querySelectorAll(".chart text")]
        .map((it) => [it.getBoundingClientRect(), it.textContent])
        .filter(([box]) => box.left < 0 || box.right > innerWidth)
        .map(([, text]) => text)"""
    )
    assert cut == []
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 10_000


def test_on_paper_there_is_nothing_to_press_and_it_is_light(page: Browser) -> None:
    page.look("dark", 1200)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert paper(page) == "rgb(255, 255, 255)"
        visible = page.run(
            "[...document.querySelectorAll('button, select, input, summary')]"
            ".filter((it) => it.checkVisibility() && !it.closest('#rows thead')).length"
        )
        assert visible == 0
        made = page.call("Page.printToPDF")["data"]
        assert len(made) > 20_000
    finally:
        page.call("Emulation.setEmulatedMedia", media="")


def test_every_control_and_table_has_a_name(page: Browser) -> None:
    nameless = page.run(
        """[...document.querySelectorAll("input, select, button, table, svg[role=img]")]
        .filter((it) => !it.labels?.length && !it.getAttribute("aria-label") && !it.caption)
        .filter((it) => !it.textContent.trim() || it.localName === "svg")
        .map((it) => it.outerHTML.slice(0, 80))"""
    )
    assert nameless == []


def test_formulas_are_rendered(page: Browser) -> None:
    pytest.importorskip("latex2mathml", reason="needs the extra report")
    assert page.run("document.querySelector('#rows mfrac').getBoundingClientRect().height") > 10


def test_charts_are_drawn_where_they_should_be(page: Browser) -> None:
    boxes = page.run(
        """[...document.querySelectorAll(".chart")].map((chart) => {
          const inner = [...chart.querySelectorAll("polyline, circle, rect")];
          const outer = chart.getBoundingClientRect();
          return inner.length > 0 && inner.every((it) => {
            const box = it.getBoundingClientRect();
            return box.top >= outer.top - 5 && box.bottom <= outer.bottom
              && box.left >= outer.left - 5 && box.right <= outer.right + 5;
          });
        })"""
    )
    assert boxes == [True] * 3  # reward, pass@k, latency


def test_hostile_text_stays_text(page: Browser) -> None:
    page.run("document.querySelectorAll('details').forEach((it) => { it.open = true })")
    time.sleep(0.1)
    assert page.run("document.querySelectorAll('img, iframe, a, object').length") == 0
    assert page.run("document.querySelectorAll('script, style').length") == 2
    assert page.run("document.querySelectorAll('[style], [onerror], [href]').length") == 0
    assert "window.hacked = 1" in page.text("#rows")
    assert page.run("document.querySelector('.hidden-char').title") == "RIGHT-TO-LEFT OVERRIDE"


def test_the_policy_of_the_page_lets_nothing_in(browser: Browser, address: str) -> None:
    browser.open(address)
    browser.run(
        """(() => {
          const script = document.createElement("script");
          try { script.textContent = "window.hacked = 1"; } catch {}
          try { document.body.append(script); } catch {}
          try { document.body.setAttribute("onclick", "window.hacked = 1"); } catch {}
          document.body.click();
          new Image().src = "http://192.0.2.1/x.png";
          document.body.insertAdjacentElement("beforeend", document.createElement("style"))
            .append("body { display: none }");
        })()"""
    )
    asked = browser.run("fetch('http://192.0.2.1/').then(() => 'let in', () => 'refused')")
    assert asked == "refused"
    assert browser.run("window.hacked") is None
    assert browser.run("getComputedStyle(document.body).display") == "block"
    assert any("Content Security Policy" in message for message in browser.messages)
