"""The page, in a real browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

pytest.importorskip("starlette", reason="needs the extra server")
pytest.importorskip("msgspec", reason="needs the extra server")
pytest.importorskip("prometheus_client", reason="needs the extra server")
pytest.importorskip("uvicorn", reason="needs the extra server")
pytest.importorskip("latex2mathml", reason="shows formulas")

from serving import RunningService

from tests.chromium import CHROMIUM, Browser

if CHROMIUM is None:
    pytest.skip("needs chromium", allow_module_level=True)

JUDGED = "!document.getElementById('result').hidden"
DONE = "document.getElementById('stop').hidden && !document.getElementById('counts').hidden"
PAIR = {"gold": r"\frac{5}{6}", "response": r"So it is $\frac12+\frac13=\boxed{\tfrac{10}{12}}$."}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def service() -> Iterator[RunningService]:
    made = RunningService({})
    yield made
    made.end()


@pytest.fixture
def page(browser: Browser, service: RunningService) -> Iterator[Browser]:
    """The page just opened, on which nothing may go wrong, and which may ask only its service."""
    browser.look("light", 1200)
    browser.messages.clear()
    browser.requests.clear()
    browser.open(f"{service.url}/")
    yield browser
    assert browser.messages == []
    assert all(asked.startswith((service.url, "about:")) for asked in browser.requests)


def judge(page: Browser, gold: str, response: str) -> None:
    page.write("#gold", gold)
    page.write("#response", response)
    page.run("document.getElementById('result').hidden = true")
    page.run("document.getElementById('judge').click()")
    page.until(JUDGED)


def judge_lines(page: Browser, *lines: object) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    page.write("#lines", "\n".join(texts))
    page.run("document.getElementById('judge-all').click()")
    page.until(DONE)


def test_a_pair_is_judged_with_its_reasons(page: Browser) -> None:
    judge(page, **PAIR)
    assert page.text("#verdict") == "correct Both are the same number."
    assert "right" in page.run("document.getElementById('verdict').className")
    stages = page.run("[...document.querySelectorAll('#stages tr')].map((row) => row.innerText)")
    assert len(stages) == 7
    assert stages[0].startswith("extract\tfound\tin the last box")
    assert page.text("#stages .decided").startswith("number\tequal\tboth are the same number")
    assert "5/6" in page.text("#gold-read dl")
    assert "in the last box" in page.text("#answer-read dl")


def test_formulas_are_rendered_on_both_sides_and_in_the_response(page: Browser) -> None:
    judge(page, **PAIR)
    for place in ("#gold-read", "#answer-read", "#shown"):
        wide = page.run(f"document.querySelector('{place} mfrac').getBoundingClientRect().width")
        assert wide > 5
    assert page.run("document.querySelectorAll('#shown mrow.boxed').length") == 1


def test_a_wrong_answer_an_unreadable_one_and_none_at_all_are_told_apart(page: Browser) -> None:
    judge(page, "4", r"\boxed{5}")
    assert page.text("#verdict").startswith("incorrect")
    judge(page, "4", "I give up.")
    assert page.text("#verdict").startswith("no answer")
    judge(page, "nan", "5")
    assert page.text("#verdict").startswith("gold unreadable")
    assert "unscored" in page.run("document.getElementById('verdict').className")


def test_the_options_change_the_verdict(page: Browser) -> None:
    judge(page, "4", "The answer is 4.")
    assert page.text("#verdict").startswith("correct")
    page.run("document.getElementById('strict').value = '1'")
    judge(page, "4", "The answer is 4.")
    assert page.text("#verdict").startswith("no answer")


def test_a_link_brings_the_pair_and_its_verdict_back(
    page: Browser, service: RunningService
) -> None:
    page.run("document.getElementById('options').open = true")
    page.write("#prompt", "Add $1/2$ & 1/3 + 0%")
    page.run("document.getElementById('policy').value = 'strict'")
    judge(page, **PAIR)
    link = page.run("document.getElementById('permalink').href")
    assert page.run("location.href") == link
    page.open(link)
    page.until(JUDGED)
    for name, value in (PAIR | {"prompt": "Add $1/2$ & 1/3 + 0%", "policy": "strict"}).items():
        assert page.run(f"document.getElementById('{name}').value") == value
    assert page.text("#verdict").startswith("correct")


def test_everything_can_be_done_with_the_keyboard(page: Browser) -> None:
    page.run("document.getElementById('gold').focus()")
    page.call("Input.insertText", text="1/2")
    page.press("Tab")
    page.call("Input.insertText", text=r"\boxed{0.5}")
    page.press("Enter", modifiers=2)
    page.until(JUDGED)
    assert page.text("#verdict").startswith("correct")
    reached = []
    page.run("document.getElementById('gold').focus()")
    for _ in range(12):
        page.press("Tab")
        reached.append(page.run("document.activeElement.id || document.activeElement.tagName"))
    assert reached[:2] == ["response", "SUMMARY"]
    assert {"judge", "permalink", "lines", "file", "judge-all"} <= set(reached)


def test_every_control_has_a_name(page: Browser) -> None:
    page.run("document.getElementById('options').open = true")
    judge_lines(page, {"answer": "1", "response": "1"})
    nameless = page.run(
        """[...document.querySelectorAll("input, textarea, select, button")]
        .filter((it) => !it.labels?.length && !it.getAttribute("aria-label"))
        .filter((it) => !it.textContent.trim())
        .map((it) => it.id)"""
    )
    assert nameless == []
    assert page.run("document.documentElement.lang") == "en"
    assert page.run("document.querySelectorAll('h1').length") == 1


HOSTILE = (
    "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
    r"$\href{javascript:window.hacked=1}{x}$ \(\text{<img src=x onerror=window.hacked=1>}\) "
    r"\[\style{position:fixed}{x}\] \boxed{\class{verdict}{<b>5</b>}}"
    "<style>body { display: none }</style>\u202e\u0000"
)


def test_hostile_text_stays_text(page: Browser) -> None:
    before = page.run("document.querySelectorAll('img, script, style, iframe').length")
    judge(page, HOSTILE, HOSTILE)
    judge_lines(
        page,
        {"answer": HOSTILE, "response": HOSTILE},
        {HOSTILE: "1", "answer": "1", "response": HOSTILE},
        HOSTILE,
    )
    time.sleep(0.1)
    assert page.run("window.hacked") is None
    assert page.run("document.querySelectorAll('img, script, style, iframe').length") == before
    assert (
        page.run("document.querySelectorAll('[style], [onerror], [href^=javascript]').length") == 0
    )
    assert "<script>" in page.text("#shown")


def test_the_policy_of_the_page_lets_no_script_of_others_run(
    browser: Browser, service: RunningService
) -> None:
    browser.open(f"{service.url}/")
    browser.run(
        """(() => {
          const script = document.createElement("script");
          try { script.src = "data:text/javascript,window.hacked=1"; } catch {}
          try { script.append("window.hacked = 1"); } catch {}
          try { document.body.append(script); } catch {}
          try { document.body.setAttribute("onclick", "window.hacked = 1"); } catch {}
          document.body.click();
          new Image().src = "http://192.0.2.1/x.png";
        })()"""
    )
    refused = browser.run(
        """fetch("http://192.0.2.1/").then(() => "let through", () => "refused")"""
    )
    assert refused == "refused"
    assert browser.run("window.hacked") is None
    made = browser.run(
        """(() => { try { document.body.innerHTML = "<b>x</b>"; return "made"; }
        catch { return "refused"; } })()"""
    )
    assert made == "refused"
    assert any("Content Security Policy" in message for message in browser.messages)


LINES = (
    {"answer": "5/6", "response": r"\boxed{10/12}"},
    {"answer": "4", "response": r"\boxed{5}"},
    "{not json",
    {"answer": "4"},
    {"answer": None, "response": r"\boxed{5}"},
    "",
    {"answer": "7", "response": [{"role": "assistant", "content": r"\boxed{7}"}]},
    {"answer": "7", "response": {"odd": "thing"}},
)


def rows(page: Browser) -> list[list[str]]:
    found: list[list[str]] = page.run(
        """[...document.querySelectorAll("#rows tr")]
        .map((row) => [...row.cells].map((cell) => cell.innerText))"""
    )
    return found


def test_lines_are_judged_and_bad_ones_are_kept_with_their_place(page: Browser) -> None:
    judge_lines(page, *LINES)
    verdicts = {row[0]: row[1] for row in rows(page)}
    assert verdicts == {
        "1": "correct",
        "2": "incorrect",
        "3": "not judged",
        "4": "not judged",
        "5": "gold unreadable",
        "7": "correct",
        "8": "not judged",
    }
    reasons = {row[0]: row[5] for row in rows(page)}
    assert "no JSON" in reasons["3"]
    assert reasons["4"] == "a field is missing"
    assert "got `object`" in reasons["8"]
    assert page.text("#progress") == "7 lines, 66.7 % of 3 correct"


def test_the_table_is_filtered_by_verdict(page: Browser) -> None:
    judge_lines(page, *LINES)
    page.run(
        "[...document.querySelectorAll('#counts button')]"
        ".find((it) => it.innerText.startsWith('correct')).focus()"
    )
    page.press("Enter")
    assert [row[1] for row in rows(page)] == ["correct", "correct"]
    assert page.run("document.activeElement.innerText") == "correct 2"


def test_a_line_leads_to_its_story(page: Browser) -> None:
    judge_lines(page, *LINES)
    page.run("document.querySelector('#rows a').click()")
    page.until(JUDGED)
    assert page.run("document.getElementById('gold').value") == "5/6"
    page.until("document.activeElement.id === 'verdict'")


def test_a_file_is_read_and_its_fields_are_guessed_and_can_be_changed(
    page: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "rollouts.jsonl"
    made = [{"question": "q", "ground_truth": "5", "completion": "5", "other": "6"}] * 600
    path.write_text("\n".join(map(json.dumps, made)))
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.call("DOM.setFileInputFiles", nodeId=node, files=[str(path)])
    page.until("document.getElementById('progress').textContent.includes('600 lines')")
    fields = [
        page.run(f"document.getElementById('{kind}-field').value")
        for kind in ("gold", "response", "prompt")
    ]
    assert fields == ["ground_truth", "completion", "question"]
    page.run("document.getElementById('response-field').value = 'other'")
    page.run("document.getElementById('judge-all').click()")
    page.until(DONE)
    assert page.text("#progress") == "600 lines, 0.0 % of 600 correct"
    assert page.text("#rows-caption") == "Verdicts, the first 500 of 600"
    assert len(rows(page)) == 500


def test_a_service_with_a_token_asks_for_it(browser: Browser, tmp_path: Path) -> None:
    guarded = RunningService({"token": "open sesame"})
    try:
        browser.open(f"{guarded.url}/")
        browser.write("#gold", "4")
        browser.write("#response", "4")
        browser.run("document.getElementById('judge').click()")
        browser.until("document.activeElement.id === 'token'")
        browser.call("Input.insertText", text="open sesame")
        browser.press("Enter")
        browser.until("document.activeElement.id === 'judge'")
        browser.press("Enter")
        browser.until(JUDGED)
        assert browser.text("#verdict").startswith("correct")
    finally:
        guarded.end()


def test_a_service_that_is_gone_is_said_to_be(browser: Browser) -> None:
    gone = RunningService({})
    browser.open(f"{gone.url}/")
    gone.end()
    browser.write("#gold", "4")
    browser.run("document.getElementById('judge').click()")
    browser.until("!document.getElementById('problem').hidden")
    assert browser.text("#problem") == "The service cannot be reached."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_it_can_be_read_light_and_dark_and_on_a_phone(
    page: Browser, service: RunningService, scheme: str, width: int, tmp_path: Path
) -> None:
    page.look(scheme, width)
    page.open(f"{service.url}/#{urlencode(PAIR | {'prompt': 'p', 'policy': 'lenient'})}")
    page.until(JUDGED)
    judge_lines(page, *LINES)
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.faint_texts() == []
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 10_000
    paper = page.run("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(251, 251, 249)") == (scheme == "light")
