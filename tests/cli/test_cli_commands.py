"""The command line as a whole, and its smaller commands."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

from verifiers_math.__main__ import main as start
from verifiers_math.cli import COMMANDS, doctor
from verifiers_math.cli.console import shown
from verifiers_math.cli.exits import Exit

ROOT = Path(__file__).parent.parent.parent


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)


# --- the whole ---------------------------------------------------------------------------------


def test_the_package_is_a_command():
    done = python("-m", "verifiers_math", "--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in COMMANDS)
    assert "exit codes:" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_and_exit_codes(run, capsys, name):
    with pytest.raises(SystemExit) as end:
        run(name, "--help")
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert f"verifiers-math {name}" in text
    assert "examples:" in text
    assert "130  interrupted by Ctrl-C" in text


def test_every_exit_code_has_a_meaning():
    text = python("-m", "verifiers_math", "--help").stdout
    assert all(str(int(code)) in text for code in Exit)


def test_starting_loads_nothing_heavy():
    code = "import sys, verifiers_math.cli; verifiers_math.cli.build_parser(); print(*sys.modules)"
    loaded = {name.partition(".")[0] for name in python("-c", code).stdout.split()}
    heavy = "asyncio mpmath sympy math_verify rich pyarrow datasets ray starlette numpy torch"
    assert "argparse" in loaded
    assert loaded.isdisjoint(heavy.split())
    inner = {name for name in python("-c", code).stdout.split() if "verifiers_math." in name}
    assert all(name.startswith("verifiers_math.cli") for name in inner)


def test_a_fault_of_the_program_has_an_exit_code_of_its_own(run, write, monkeypatch):
    monkeypatch.setattr("verifiers_math.cli.tally.Tally.print", lambda *_: 1 / 0)
    done = run("score", write([{"gold": "4", "response": "4"}]))
    assert done.code == 70
    assert "ZeroDivisionError" in done.err


def test_a_wrong_option_is_a_matter_of_usage(run):
    for arguments in (
        ["score"],
        ["nonsense"],
        ["score", "x", "--policy", "loose"],
        ["audit", "x", "--limit", "0"],
        [],
    ):
        with pytest.raises(SystemExit) as end:
            run(*arguments)
        assert end.value.code == 2


def test_cells_are_one_line_cut_and_harmless():
    assert shown("a\n b\t c") == "a b c"
    assert shown("x" * 100, 10) == "x" * 9 + "…"
    assert shown("\x1b[31m\u202e\u200b") == r"\x1b[31m\u202e\u200b"
    assert shown("√2 é 中") == "√2 é 中"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a pseudo-terminal")
@pytest.mark.parametrize("has_rich", [True, False], ids=["rich", "plain"])
def test_on_a_terminal_there_is_a_bar_and_a_table(write, has_rich):
    if has_rich:
        pytest.importorskip("rich", reason="needs rich")
    rows = [{"gold": "4", "response": r"\boxed{4}"}] * 3000
    hide = "" if has_rich else "sys.modules['rich'] = None; "
    script = f"import sys; {hide}from verifiers_math.cli import main; sys.exit(main(sys.argv[1:]))"
    text = _on_a_terminal([sys.executable, "-c", script, "score", str(write(rows))])
    assert "100 %" in text or "100%" in text
    assert "3,000 rows" in text
    assert "rows, " in text
    assert "written to" in text


def _on_a_terminal(command: list[str]) -> str:
    import os
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ["COLUMNS"] = "120"
        os.execv(command[0], command)
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other side has ended
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return b"".join(parts).decode()


# --- explain -----------------------------------------------------------------------------------


def test_explain_tells_what_was_read_and_who_decided(run):
    done = run("explain", "--gold", "1/2", "--response", r"<think>hm</think>It is \boxed{50\%}.")
    assert done.code == 0
    assert done.out.startswith("correct: both are the same number (stage number)\n")
    assert "passed over as thinking: 17 characters" in done.out
    assert "the answer: in the last box" in done.out
    assert re.search(r"exact value +1/2 +1/2", done.out)
    assert re.search(r"number +equal +both are the same number", done.out)
    assert re.search(r"math_verify +not asked", done.out)


def test_explain_as_json_is_the_whole_story(run):
    done = run("explain", "--gold", "3", "--response", "none", "--json")
    assert done.code == 1
    assert done.json["verdict"]["status"] == "incorrect"
    assert [step["stage"] for step in done.json["steps"]][:2] == ["extract", "identical"]


def test_explain_takes_texts_from_files_and_rows(run, write, tmp_path):
    (tmp_path / "response.txt").write_text(r"It is \boxed{4}.")
    assert run("explain", "--gold", "4", "--response", f"@{tmp_path / 'response.txt'}").code == 0
    path = write([{"gold": "4", "response": "5"}, {"gold": ["3", "4"], "response": r"\boxed{4}"}])
    assert run("explain", "--file", path, "--row", 2).code == 0
    assert run("explain", "--file", path).code == 1
    missing = run("explain", "--file", path, "--row", 3)
    assert (missing.code, missing.out) == (2, "")
    assert "has no row 3" in missing.err


def test_explain_takes_a_gold_from_a_file_too_and_standard_input_once(run, tmp_path):
    (tmp_path / "gold.txt").write_text("4")
    assert run("explain", "--gold", f"@{tmp_path / 'gold.txt'}", "--response", "4").code == 0
    twice = run("explain", "--gold", "-", "--response", "-")
    assert (twice.code, twice.out) == (2, "")
    assert "can be standard input" in twice.err


@pytest.mark.parametrize("gold", ["", " "])
@pytest.mark.parametrize("response", ["", "<think>", r"\boxed{4}"])
def test_explain_tells_of_a_gold_that_is_none_whatever_the_response(run, gold, response):
    done = run("explain", "--gold", gold, "--response", response)
    assert done.code == 1
    assert done.out.startswith("gold unreadable: ")


def test_explain_does_not_mix_a_row_with_texts(run, write):
    done = run("explain", "--file", write([{"gold": "4", "response": "4"}]), "--gold", "5")
    assert (done.code, done.out) == (2, "")
    assert "not from both" in done.err


def test_an_option_that_would_change_nothing_is_refused(run, write):
    with pytest.raises(SystemExit) as end:
        run("audit", write(GOOD), "--strict")
    assert end.value.code == 2


def test_explain_needs_something_to_explain(run, tmp_path):
    assert "needs --gold and --response" in run("explain", "--gold", "4").err
    done = run("explain", "--gold", "4", "--response", f"@{tmp_path / 'none.txt'}")
    assert done.code == 2
    assert "cannot read" in done.err


def test_explain_obeys_the_judges_settings(run):
    given = ("explain", "--gold", "25", "--response", r"The answer is $25\%$.")
    assert run(*given).code == 0
    assert "lenient rule: percent" in run(*given).out
    assert run(*given, "--policy", "strict").code == 1
    assert "there is no box" in run(*given, "--strict").out


# --- audit -------------------------------------------------------------------------------------

GOOD = [
    {"answer": "4", "solution": r"It is \boxed{4}."},
    {"answer": r"x^2 + 3", "solution": "no answer is marked here"},
    {"answer": 7.5},
    {"answer": r"\text{Tuesday}"},
    {"answer": ["1/2", "0.5"]},
]


def test_audit_of_sound_golds_finds_nothing(run, write):
    done = run("audit", write(GOOD))
    assert done.code == 0
    assert "every gold can be judged" in done.out
    assert "1 are confirmed by the answer of their solution" in done.out


BAD = [
    ({"answer": ""}, "unusable", "there is no gold"),
    ({"answer": None}, "unusable", "there is no gold"),
    ({"other": 1}, "unusable", "there is no gold"),
    ({"answer": float("nan")}, "unusable", "there is no gold"),
    ({"answer": "NaN"}, "unusable", "gold_unreadable"),
    ({"answer": r"\frac{1}{"}, "unusable", "no_answer: the last box is unfinished"),
    ({"answer": "x" * 5000}, "unusable", "only the same text matches it: it has 5,000"),
    ({"answer": "(" * 200 + "1" + ")" * 200}, "unusable", "limit"),
    ({"answer": "4", "solution": r"It is \boxed{5}."}, "contradicted", "its solution ends with 5"),
    ("oops", "unreadable row", "it is not JSON"),
]


@pytest.mark.parametrize(("bad", "problem", "why"), BAD, ids=lambda value: str(value)[:30])
def test_audit_lists_a_gold_that_cannot_be_used_with_its_reason(run, write, bad, problem, why):
    path = write([GOOD[0], bad, GOOD[1]])
    done = run("audit", path, "--json")
    assert done.code == 1
    (finding,) = done.json["findings"]
    assert (finding["row"], finding["problem"]) == (2, problem)
    assert why in finding["detail"]
    assert done.json["rows"] == 3
    table = run("audit", path)
    assert problem in table.out
    assert "1 to look at" in table.out


def test_audit_takes_the_fields_of_a_data_set(run, write):
    rows = [
        {"question": "q", "answer": "1 + 2 = 3\n#### 3"},
        {"question": "q", "answer": "3\n####"},
    ]
    done = run("audit", write(rows[:1]), "--dataset", "gsm8k", "--json")
    assert (done.code, done.json["confirmed_by_solution"]) == (0, 1)
    assert run("audit", write([{"a": 1}]), "--dataset", "gsm8k").code == 2


def test_a_row_without_the_fields_of_its_data_set_is_one_finding(run, write):
    rows = [{"question": "q", "answer": "3 #### 3"}, {"question": "q"}, {"answer": "4 #### 4"}]
    done = run("audit", write(rows), "--dataset", "gsm8k", "--json")
    assert (done.code, done.json["rows"]) == (1, 3)
    (finding,) = done.json["findings"]
    assert (finding["row"], finding["detail"]) == (2, "there is no gold")


def test_audit_loads_a_data_set_by_its_name(run, monkeypatch):
    library = types.ModuleType("datasets")
    asked = []

    def load_dataset(*places, **options):
        asked.append((places, options["split"]))
        return [{"question": "q", "answer_number": n} for n in (1, None)]

    library.load_dataset = load_dataset
    monkeypatch.setitem(sys.modules, "datasets", library)
    done = run("audit", "mgsm:de", "--split", "train", "--json")
    assert asked == [(("juletxara/mgsm", "de"), "train")]
    assert done.code == 1
    assert [finding["row"] for finding in done.json["findings"]] == [2]


def test_audit_of_nothing_is_an_error(run, write):
    assert "holds no rows" in run("audit", write([])).err
    done = run("audit", "no-such-thing")
    assert done.code == 2
    assert "no data set of this name; the data sets are gsm8k" in done.err
    assert "mgsm has no variant 'xx'" in run("audit", "mgsm:xx").err


def test_audit_shows_as_many_as_are_asked_for(run, write):
    done = run("audit", write([{"answer": "4"}] + [{"answer": ""}] * 9), "--show", 3)
    assert done.out.count("there is no gold") == 3
    assert "6 more" in done.out


# --- compare -----------------------------------------------------------------------------------

PAIRS = [
    {"answer": "4", "response": r"\boxed{4}"},
    {"answer": r"(x+1)^2", "response": r"\boxed{x^2+2x+1}"},
    {"answer": "5", "response": r"\boxed{6}"},
]


def test_compare_finds_where_two_judges_differ_by_kind(run, write):
    done = run("compare", write(PAIRS), "--judges", "ours", "math_equivalence")
    assert done.code == 1
    assert "3 rows: ours and math_equivalence" in done.out
    assert re.search(r"only ours passes +1 +33.3 %", done.out)
    assert re.search(r"expression +1 +0", done.out)
    assert "(x+1)^2" in done.out


def test_compare_says_which_rows_it_leaves_out(run, write):
    done = run("compare", write([PAIRS[0], "oops"]), "--judges", "ours", "exact_match", "--json")
    assert done.json["rows"] == 1
    assert "row 2 is left out: it is not JSON" in done.err


def test_compare_asks_math_verify_alone(run, write):
    rows = [*PAIRS, {"answer": "yes", "response": r"\boxed{\text{Yes, since } 2 < 3}"}]
    done = run("compare", write(rows), "--judges", "ours", "math_verify", "--json")
    assert done.json["rows"] == 4
    assert [difference["row"] for difference in done.json["differences"]] == [4]
    assert done.json["differences"][0]["passed"] == 0
    assert done.json["both_pass"] == 2


def test_compare_of_scored_files(run, write, tmp_path):
    path = write([*PAIRS, {"answer": "25", "response": r"\boxed{25\%}"}])
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    run("score", path, "-o", one)
    run("score", path, "-o", other, "--policy", "strict", "--evaluator", "correctness")
    assert run("compare", one, one).code == 0
    done = run("compare", one, other, "--json")
    assert done.code == 1
    (difference,) = done.json["differences"]
    assert (difference["row"], difference["passed"], difference["kind"]) == (4, 0, "number")
    assert difference["details"][0].startswith("correct: the same number, one side with a percent")


def test_files_that_cannot_be_compared_are_refused(run, write, tmp_path):
    path = write(PAIRS)
    one, short = tmp_path / "one.jsonl", tmp_path / "short.jsonl"
    run("score", path, "-o", one)
    run("score", path, "-o", short, "--limit", 2)
    assert "needs two scored files" in run("compare", one).err
    assert "is not scored: it has no field 'scores'" in run("compare", one, path).err
    assert "short.jsonl ends before row 3" in run("compare", one, short).err
    assert "has no score of 'rouge'" in run("compare", one, one, "--evaluator", "rouge").err
    run("score", path, "-o", short, "--evaluator", "exact_match")
    assert "have no evaluator in common" in run("compare", one, short).err
    (tmp_path / "foreign.jsonl").write_text('{"scores": {"a": {"value": 1}}}\n')
    assert "is not scored" in run("compare", tmp_path / "foreign.jsonl", one).err
    assert "no evaluator is called 'x'" in run("compare", path, "--judges", "ours", "x").err


# --- loading -----------------------------------------------------------------------------------


def test_ctrl_c_while_the_command_line_loads_ends_it_quietly(monkeypatch):
    class Interrupted(types.ModuleType):
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "verifiers_math.cli", Interrupted("verifiers_math.cli"))
    assert start() == Exit.INTERRUPTED


# --- doctor ------------------------------------------------------------------------------------


def test_doctor_finds_everything_well_here(run):
    done = run("doctor", "--json")
    failed = [check for check in done.json["checks"] if check["state"] == "FAILED"]
    assert (done.code, failed, done.json["ok"]) == (0, [], True)
    names = {check["name"] for check in done.json["checks"]}
    assert {"math_verify in a worker", *doctor.PROBES, "no process left"} <= names


REQUIRED = [
    "no-such-package>=2",
    "nor-this[more]>=1; python_version < '4' and extra == 'cli'",
    'nor-this; extra == "server"',
    "pytest; extra == 'cli'",
    "pytest",
]


def test_packages_are_known_with_the_extras_that_want_them():
    found = doctor.requirements(REQUIRED)
    assert found == {"no-such-package": [], "nor-this": ["cli", "server"], "pytest": []}


def test_doctor_looks_at_the_packages_of_every_extra(run):
    names = {check["name"] for check in run("doctor", "--json").json["checks"]}
    assert {"math-verify", "sympy", "prometheus-client", "torch", "verifiers", "rich"} <= names


def test_doctor_says_so_where_the_package_is_not_installed(monkeypatch):
    def missing(name: str) -> list[str]:
        raise doctor.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "requires", missing)
    assert [(check.name, check.state) for check in doctor._packages()] == [("packages", "note")]


def test_doctor_tells_of_what_fails(run, monkeypatch):
    monkeypatch.setattr(doctor, "_limits", lambda: iter(()))
    monkeypatch.setattr(doctor.metadata, "requires", lambda _: REQUIRED)
    monkeypatch.setattr(doctor, "_judged", lambda *_: 1 / 0)
    monkeypatch.setenv("VERIFIERS_MATH_MAX_WORKERS", "many")
    done = run("doctor")
    assert done.code == 1
    assert re.search(r"FAILED +no-such-package +not installed\n", done.out)
    assert re.search(r"note +nor-this +not installed \(\[cli\] or \[server\]\)", done.out)
    assert re.search(r"FAILED +pure stages +ZeroDivisionError", done.out)
    assert re.search(r"FAILED +workers +VERIFIERS_MATH_MAX_WORKERS", done.out)
    assert "failed: workers, no-such-package, pure stages, math_verify in a worker" in done.out


def test_a_probe_that_ends_otherwise_fails_its_check():
    class Pool:
        def run(self, probe, *_, **__):
            return types.SimpleNamespace(kind=types.SimpleNamespace(value="equal"), detail="")

    with pytest.raises(AssertionError, match="it ended as equal"):
        doctor._held(Pool(), doctor.PROBES["soft limit"])


# --- serve -------------------------------------------------------------------------------------


@dataclass
class Settings:
    token: str | None = None
    max_body_bytes: int = 1
    max_workers: int = 1
    timeout_seconds: float = 1.0


@pytest.fixture
def served(monkeypatch) -> list:
    """What the server is asked to do; none starts."""
    asked: list = []
    server = types.ModuleType("verifiers_math.server")
    server.Settings = Settings
    server.run = lambda *arguments: asked.append(arguments)
    monkeypatch.setitem(sys.modules, "verifiers_math.server", server)
    return asked


def test_serve_passes_its_options_on(run, served, tmp_path, monkeypatch):
    assert run("serve").code == 0
    (tmp_path / "token").write_text("secret\n")
    options = ("--host", "0.0.0.0", "--port", "9", "--max-body", "5", "--workers", "3")
    assert run("serve", *options, "--token-file", tmp_path / "token", "--timeout", "2").code == 0
    monkeypatch.setenv("MY_TOKEN", "other")
    assert run("serve", "--token-env", "MY_TOKEN").code == 0
    assert served == [
        ("127.0.0.1", 8000, Settings()),
        ("0.0.0.0", 9, Settings("secret", 5, 3, 2.0)),
        ("127.0.0.1", 8000, Settings("other")),
    ]


def test_a_token_that_is_missing_opens_no_server(run, served, tmp_path, monkeypatch):
    monkeypatch.delenv("MY_TOKEN", raising=False)
    (tmp_path / "empty").write_text("\n")
    for options in (
        ("--token-env", "MY_TOKEN"),
        ("--token-file", tmp_path / "empty"),
        ("--token-file", tmp_path / "missing"),
    ):
        done = run("serve", *options)
        assert done.code == 2
        assert "token" in done.err
    assert served == []


def test_without_a_server_the_message_says_what_to_install(run, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("verifiers_math.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("serve")
    assert done.code == 2
    assert "pip install 'verifiers-math[server]'" in done.err
    assert json.dumps(done.out) == '""'
