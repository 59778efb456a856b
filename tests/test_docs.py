"""What README, docs and docstrings show runs, prints what is shown, and names what there is."""

from __future__ import annotations

import ast
import contextlib
import doctest
import functools
import importlib
import io
import re
import shlex
from pathlib import Path

import pytest

import verifiers_math
from benchmarks.__main__ import COMMANDS as BENCHMARKS
from tests.pages import PAGES, ROOT, Snippet, anchors, blocks, commands, links, name_of, snippets
from verifiers_math.cli import COMMANDS as PROGRAMS
from verifiers_math.cli import build_parser

# These need a model's endpoint, which tests/test_judge_rubric.py has.
WITH_AN_ENDPOINT = {"docs/judge.md"}

SNIPPETS = [it for page in PAGES for it in snippets(page) if it.page not in WITH_AN_ENDPOINT]
CODE = [(name_of(page), it.body) for page in PAGES for it in blocks(page) if it.kind == "python"]
TEXTS = {name_of(page): page.read_text("utf-8") for page in PAGES}


def found(pattern: str) -> list[tuple[str, str]]:
    """Each text that fits, once a page."""
    return [
        (page, match)
        for page, text in TEXTS.items()
        for match in sorted({it.group() for it in re.finditer(pattern, text)})
    ]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda it: f"{it.page}-{it.code[:20]!r}")
def test_a_snippet_runs_and_prints_what_the_page_shows(
    snippet: Snippet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rollouts.scored.jsonl").write_text('{"answer": "1", "reward": 1.0}\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(snippet.code, snippet.page, "exec"), {"__name__": "page"})
    assert printed.getvalue() == snippet.shown


def test_there_are_snippets_with_output_and_none_prints_unseen() -> None:
    assert sum(bool(it.shown) for it in SNIPPETS) >= 8
    assert all(it.shown for it in SNIPPETS if "print(" in it.code)


@pytest.mark.parametrize(("page", "code"), CODE, ids=[page for page, _ in CODE])
def test_python_compiles_and_imports_what_the_package_has(page: str, code: str) -> None:
    compile(code, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("verifiers_math"):
            exec(ast.unparse(node), {})


COMMANDS = [(name_of(page), line) for page in PAGES for line in commands(page, "verifiers-math")]


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_a_command_line_is_one_that_the_program_takes(
    page: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(line.replace("COMMAND", "score"))[1:]
    if words[1:] == []:
        assert words[0] in {*PROGRAMS, "--version"}  # the command is named, not called
        return
    with contextlib.suppress(SystemExit):  # the parser has said why by then
        build_parser().parse_args(words)
    assert capsys.readouterr().err == "", f"{page}: {line}"


@pytest.mark.parametrize(("page", "line"), found(r"python -m benchmarks \w+"))
def test_a_benchmark_that_is_named_is_there(page: str, line: str) -> None:
    assert line.split()[-1] in {*BENCHMARKS, "NAME"}, page


@pytest.mark.parametrize(("page", "name"), found(r"\bverifiers_math(?:\.\w+)+(?:[:.]\w+)?\b"))
def test_a_dotted_name_is_there(page: str, name: str) -> None:
    file, *rest = name.replace(":", ".").split(".")
    while rest and ((ROOT / file / rest[0]).is_dir() or (ROOT / file / f"{rest[0]}.py").exists()):
        file = f"{file}/{rest.pop(0)}"
    if rest:  # else it is a module, and some want their frameworks
        try:
            value = importlib.import_module(file.replace("/", "."))
        except ImportError as error:
            pytest.skip(f"needs {error.name}: {error}")
        assert functools.reduce(getattr, rest, value)


@pytest.mark.parametrize(("page", "name"), found(r"(?<!\w)vf\.\w+"))
def test_a_name_of_the_package_is_there(page: str, name: str) -> None:
    if "verifiers.v1 as vf" in TEXTS[page]:
        pytest.skip("the page writes vf for verifiers too")
    assert hasattr(verifiers_math, name.removeprefix("vf."))


@pytest.mark.parametrize(
    ("page", "path"), found(r"\b(?:benchmarks|docs|examples|tests|verifiers_math)/[\w./-]*\w")
)
def test_a_path_is_there(page: str, path: str) -> None:
    assert (ROOT / path).exists(), page


EXAMPLES = [
    path for path in (ROOT / "verifiers_math").rglob("*.py") if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda it: it.stem)
def test_the_examples_of_docstrings_hold(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted
    assert not outcome.failed


LINKS = [(page, link) for page in PAGES for link in links(page) if "://" not in link]


@pytest.mark.parametrize(("page", "link"), LINKS, ids=[link for _, link in LINKS])
def test_a_link_leads_somewhere(page: Path, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    assert target.exists()
    assert not anchor or anchor in anchors(target)


def test_the_checks_have_something_to_check() -> None:
    assert len(PAGES) >= 14
    assert len(COMMANDS) >= 20
    assert len(LINKS) >= 30
