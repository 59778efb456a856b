"""``score``: every row is kept, with its score or the reason why it has none."""

from __future__ import annotations

import datetime
import json
import pickle
import re
import sys
import types

import pytest

from verifiers_math.cli import scoring
from verifiers_math.cli.fields import find_fields
from verifiers_math.cli.ray_engine import LineScorer
from verifiers_math.evaluators import get

ROLLOUTS = [
    {"id": 1, "prompt": "What is 1/2?", "answer": r"\frac{1}{2}", "response": r"\boxed{0.5}"},
    {"id": 2, "prompt": "What is 1+2?", "answer": "3", "response": r"\boxed{4}"},
    {"id": 3, "prompt": "What is 1+3?", "answer": "4", "response": "I cannot solve this."},
    {"id": 4, "prompt": "What is 1+4?", "answer": None, "response": r"\boxed{5}"},
    {"id": 5, "prompt": "What is 1/4?", "answer": "25", "response": r"\boxed{25\%}"},
]


def statuses(rows: list[dict], name: str = "correct_answer") -> list[str]:
    return [row["scores"][name]["status"] for row in rows]


def test_every_row_keeps_its_text_and_gets_its_score(run, write, read, tmp_path):
    path = write([json.dumps(row, indent=None, separators=(" ,", ":  ")) for row in ROLLOUTS])
    done = run("score", path)
    assert done.code == 0
    assert done.err == ""
    scored = tmp_path / "rows.scored.jsonl"
    for line, before in zip(
        scored.read_bytes().splitlines(), path.read_bytes().splitlines(), strict=True
    ):
        assert line.startswith(before[:-1] + b', "scores": {')
    assert statuses(read(scored)) == [
        "correct",
        "incorrect",
        "no_answer",
        "gold_unreadable",
        "correct",
    ]
    first, *_, last = (row["scores"]["correct_answer"] for row in read(scored))
    assert (first["score"], first["passed"], first["answer"]) == (1.0, True, "0.5")
    assert (last["stage"], last["rule"], last["judge"]) == ("number", "percent", "3/default")
    assert list(tmp_path.glob("*.partial")) == []


def test_the_summary_has_rate_interval_statuses_stages_and_rules(run, write):
    done = run("score", write(ROLLOUTS))
    assert "5 rows" in done.out
    assert "50.0 %" in done.out
    assert "15.0 to 85.0 %" in done.out
    for word in ("gold_unreadable", "extract", "percent", "written to"):
        assert word in done.out
    figures = run("score", write(ROLLOUTS), "--json").json
    judged = figures["evaluators"]["correct_answer"]
    assert (figures["rows"], judged["scored"], judged["passed"]) == (5, 4, 2)
    assert judged["pass_rate"] == 0.5
    assert judged["statuses"]["gold_unreadable"] == 1
    assert judged["lenient_rules"] == {"percent": 1}
    assert judged["stages"]["number"] == 3


def test_the_judges_settings_are_passed_on(run, write, read, tmp_path):
    path = write([{"gold": "4", "response": "The answer is 4."}, ROLLOUTS[4] | {"gold": "25"}])
    run("score", path, "--strict", "-o", tmp_path / "out.jsonl")
    assert statuses(read(tmp_path / "out.jsonl")) == ["no_answer", "correct"]
    run("score", path, "--policy", "strict", "-o", tmp_path / "out.jsonl")
    assert statuses(read(tmp_path / "out.jsonl")) == ["correct", "incorrect"]


def test_the_prompt_is_passed_to_the_judge(run, write, read, tmp_path):
    question = {"prompt": "Expand $(x+1)(x+2)$", "gold": "x^2+3x+2"}
    run("score", write([question | {"response": r"\boxed{(x+1)(x+2)}"}]))
    (row,) = read(tmp_path / "rows.scored.jsonl")
    assert row["scores"]["correct_answer"]["detail"] == "the answer restates the question"


def test_several_evaluators_and_suites_score_at_once(run, write, read, tmp_path):
    done = run("score", write(ROLLOUTS[:2]), "--evaluator", "correct_answer,everything", "--json")
    names = ["correct_answer", "exact_match", "math_equivalence", "numeric_diff"]
    assert list(done.json["evaluators"]) == names
    (first, _) = read(tmp_path / "rows.scored.jsonl")
    assert list(first["scores"]) == names
    assert first["scores"]["math_equivalence"]["passed"]
    assert done.json["evaluators"]["numeric_diff"]["mean_absolute_error"] == pytest.approx(0.5)


DATASETS = {
    "gsm8k": {"question": "q", "answer": "1 + 2 = 3\n#### 3"},
    "math": {"problem": "q", "solution": r"so \boxed{3}"},
    "mgsm:de": {"question": "q", "answer": None, "answer_number": 3},
    "aime": {"Problem": "q", "Answer": 3},
    "dapo": {"prompt": [], "reward_model": {"ground_truth": "3"}},
}


@pytest.mark.parametrize("name", DATASETS)
def test_a_data_set_brings_its_gold_fields_and_evaluator(run, write, read, tmp_path, name):
    rows = [DATASETS[name] | {"response": answer} for answer in (r"\boxed{3}", r"\boxed{4}")]
    done = run("score", write(rows), "--dataset", name)
    assert done.code == 0
    scored = read(tmp_path / "rows.scored.jsonl")
    quick = name.partition(":")[0] in ("gsm8k", "math", "mgsm")
    evaluator = "math_equivalence" if quick else "correct_answer"
    assert [list(row["scores"]) for row in scored] == [[evaluator]] * 2
    assert [row["scores"][evaluator]["passed"] for row in scored] == [True, False]


FIELDS = [
    ({"gold": "4", "answer": r"\boxed{4}"}, "gold", "answer"),
    ({"answer": "4", "completion": "x"}, "answer", "completion"),
    ({"reward_model": {"ground_truth": "4"}, "output": "x"}, "reward_model.ground_truth", "output"),
    ({"solution": "4", "messages": []}, "solution", "messages"),
    ({"ground_truth": "4", "label": "x", "response": "x"}, "ground_truth", "response"),
]


@pytest.mark.parametrize(("row", "gold", "response"), FIELDS, ids=lambda value: str(value)[:20])
def test_fields_are_guessed_by_their_usual_names(row, gold, response):
    fields = find_fields(row)
    assert (fields.gold_fields, fields.response) == ((gold,), response)
    assert pickle.loads(pickle.dumps(fields)) == fields


def test_fields_can_be_named(run, write, read, tmp_path):
    row = {"a": {"b": "4"}, "c": r"\boxed{4}", "answer": "5", "response": "5"}
    done = run("score", write([row]), "--gold-field", "a.b", "--response-field", "c")
    assert done.code == 0
    assert statuses(read(tmp_path / "rows.scored.jsonl")) == ["correct"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--response-field", "reply"], "no field 'reply'; its fields are id, prompt, answer"),
        (["--gold-field", "gould"], "no field 'gould'"),
        (["--dataset", "mgsm:de"], "rows of mgsm have the gold in answer_number"),
        (["--dataset", "gsm9k"], "no data set is called 'gsm9k'; there are gsm8k"),
        (["--dataset", "mgsm:xx"], "mgsm has no variant 'xx'"),
        (["--evaluator", "rouge"], "no evaluator or suite is called 'rouge'"),
        (["--output", "/nowhere/out.jsonl"], "scored rows to /nowhere/out.jsonl: No such file"),
        (["--report", "/nowhere/r.html"], "the report to /nowhere/r.html: No such file"),
        (["--evaluator", ","], "--evaluator names none"),
        (["--output", "-", "--resume"], "--resume needs the scored rows in a file"),
        (["--output", "/dev/null", "--resume"], "--resume needs the scored rows in a file"),
        (["--engine", "ray", "--overwrite"], "--overwrite is for the local engine"),
        (["--response-field", "answer", "--gold-field", "answer"], "cannot be both"),
        (["--engine", "ray", "--limit", "2"], "--limit is for the local engine"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_start_says_why_and_writes_nothing(run, write, tmp_path, options, message):
    done = run("score", write(ROLLOUTS), *options)
    assert done.code == 2
    assert message in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_rows_without_known_fields_are_refused_with_their_names(run, write):
    assert "looks like the gold: its fields are a, b" in run("score", write([{"a": 1, "b": 2}])).err
    done = run("score", write([{"gold": "1", "b": 2}]))
    assert done.code == 2
    assert "looks like the response: its fields are gold, b; name it with --response" in done.err


BAD_ROWS = [
    ('{"id": 6, "answer": "4"', "it is not JSON"),
    (b'{"id": "\xff"}', "it is not UTF-8"),
    ("[1, 2]", "it is a list"),
    ({"id": 6, "answer": "4"}, "it has no field 'response'"),
    ({"id": 6, "response": r"\boxed{4}"}, "it has no field 'answer'"),
    ({"id": 6, "answer": "4", "response": True}, "field 'response' cannot be read"),
    ({"id": 6, "answer": "4", "response": [["x"]], "more": 1}, None),
]


@pytest.mark.parametrize(("bad", "fault"), BAD_ROWS, ids=lambda value: str(value)[:24])
def test_a_bad_row_is_told_by_its_number_and_kept_with_its_status(
    run, write, read, tmp_path, bad, fault
):
    done = run("score", write([ROLLOUTS[0], bad, ROLLOUTS[1]]))
    first, middle, last = read(tmp_path / "rows.scored.jsonl")
    assert statuses([first, last]) == ["correct", "incorrect"]
    result = middle["scores"]["correct_answer"]
    if fault is None:  # messages without a word by the assistant
        assert (done.code, result["status"]) == (0, "no_answer")
        return
    assert done.code == 1
    assert "rows.jsonl, row 2: " in done.err
    assert fault in done.err
    assert (result["score"], result["status"], result["passed"]) == (None, "error", False)
    assert fault in result["detail"]
    if isinstance(bad, dict):
        assert {key: middle[key] for key in bad} == bad
    else:
        raw = bad.decode("utf-8", "replace") if isinstance(bad, bytes) else bad
        assert middle["raw"] == raw


def test_many_bad_rows_are_counted_and_the_first_are_listed(run, write):
    done = run("score", write([ROLLOUTS[0], *["oops"] * 150]), "--json")
    assert done.code == 1
    assert done.json["faulty_rows"] == 150
    assert len(done.json["faults"]) == 100
    assert done.json["faults"][0] == {
        "row": 2,
        "detail": "it is not JSON: Expecting value (column 1)",
    }
    assert "130 more rows cannot be scored" in done.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no rows"),
        ("\n\n", "holds no rows"),
        ("oops\nmore oops\n", "none of the first 2 rows of .* can be read; row 1: it is not JSON"),
        ("\x00" * 100, "can be read; row 1"),
    ],
    ids=["empty", "blank", "no JSON", "zeros"],
)
def test_a_file_without_rows_is_an_error(run, tmp_path, content, message):
    path = tmp_path / "rows.jsonl"
    path.write_text(content)
    done = run("score", path)
    assert done.code == 2
    assert re.search(message, done.err)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_missing_file_is_an_error(run, tmp_path):
    done = run("score", tmp_path / "rows.jsonl")
    assert (done.code, done.out) == (2, "")
    assert "rows.jsonl: No such file or directory" in done.err


def test_arrays_and_parquet_give_the_same_scores(run, write, read, tmp_path):
    run("score", "--no-times", write(ROLLOUTS))
    expected = read(tmp_path / "rows.scored.jsonl")
    (tmp_path / "array.json").write_text(json.dumps(ROLLOUTS, indent=2))
    assert run("score", "--no-times", tmp_path / "array.json").code == 0
    assert read(tmp_path / "array.scored.jsonl") == expected
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    parquet.write_table(arrow.Table.from_pylist(ROLLOUTS), tmp_path / "table.parquet")
    assert run("score", "--no-times", tmp_path / "table.parquet").code == 0
    assert read(tmp_path / "table.scored.jsonl") == expected


def test_values_that_json_has_not_are_written_as_text(run, read, tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    row = {"gold": "4", "response": "4", "raw": b"\x00\xff", "at": datetime.date(2026, 1, 2)}
    parquet.write_table(arrow.Table.from_pylist([row]), tmp_path / "a.parquet")
    assert run("score", tmp_path / "a.parquet").code == 0
    (scored,) = read(tmp_path / "a.scored.jsonl")
    assert (scored["raw"], scored["at"]) == ("AP8=", "2026-01-02")


def test_numbers_that_json_has_not_are_null_in_what_is_written_anew(run, read, tmp_path):
    path = tmp_path / "rows.json"
    path.write_text('[{"gold": "4", "response": "4", "a": [NaN, 1.5], "b": {"c": -Infinity}}]')
    assert run("score", path).code == 0
    text = (tmp_path / "rows.scored.jsonl").read_text()
    assert text.startswith('{"gold": "4", "response": "4", "a": [null, 1.5], "b": {"c": null}, ')
    again = tmp_path / "again.json"
    again.write_text(text)
    assert run("score", again).code == 0


def test_messages_weigh_what_they_say():
    from verifiers_math.rows import Row

    messages = [{"role": "user", "content": "x" * 1000}, {"content": [{"text": "y" * 1000}]}]
    assert 2000 <= scoring._weight(Row(1, {"messages": messages, "n": 5, "raw": b"z"})) < 2100


def test_a_scored_file_can_be_scored_anew(run, write, read, tmp_path):
    run("score", "--no-times", write(ROLLOUTS))
    scored = tmp_path / "rows.scored.jsonl"
    again = tmp_path / "again.jsonl"
    assert run("score", "--no-times", scored, "-o", again).code == 0
    assert read(again) == read(scored)
    assert run("score", scored, "-o", again, "--evaluator", "exact_match").code == 0
    assert [list(row["scores"]) for row in read(again)] == [["exact_match"]] * 5


def test_odd_texts_survive(run, write, read, tmp_path):
    odd = [
        '{"gold": "4", "response": "4", "x": "\\ud800"}',
        '{"gold": "4", "response": "\\ud800"}  ',
        '{"gold": "\u2028", "response": "\u2028 \x7f"}',
        '{"gold": "4", "response": "4", "scores": "\\udfff"}',
        '{"gold": NaN, "response": "4"}',
    ]
    path = write(odd)
    assert run("score", path).code == 0
    before = [json.loads(line) for line in odd]
    for scored, row in zip(read(tmp_path / "rows.scored.jsonl"), before, strict=True):
        result = scored.pop("scores")["correct_answer"]
        row.pop("scores", None)
        assert repr(scored) == repr(row)  # NaN is not equal to itself
        assert result["status"] in ("correct", "incorrect", "no_answer", "gold_unreadable") or (
            result["status"] == "answer_unreadable"
        )


def test_what_a_model_wrote_cannot_steer_the_terminal(run, write):
    done = run("score", write([ROLLOUTS[0], "\x1b[2J\x1b]0;owned\x07"]), "--gold-field", "answer")
    assert "\x1b" not in done.out + done.err
    fields = run("score", write([{"\x1b[31mred": 1}]))
    assert "\x1b" not in fields.err
    assert r"\x1b[31mred" in fields.err


def test_the_first_rows_only(run, write, read, tmp_path):
    assert run("score", write(ROLLOUTS), "--limit", 2).code == 0
    assert len(read(tmp_path / "rows.scored.jsonl")) == 2


def test_a_report_is_written_of_the_finished_file(run, write, tmp_path, monkeypatch):
    asked = []
    report = types.ModuleType("verifiers_math.report")
    report.write_report = lambda scored, html: asked.append((scored, html))
    monkeypatch.setitem(sys.modules, "verifiers_math.report", report)
    assert run("score", write(ROLLOUTS), "--report", tmp_path / "r.html").code == 0
    assert asked == [(str(tmp_path / "rows.scored.jsonl"), str(tmp_path / "r.html"))]
    to_stdout = run("score", write(ROLLOUTS), "--report", "r.html", "-o", "-")
    assert (to_stdout.code, to_stdout.out) == (2, "")


def test_a_report_that_cannot_be_made_is_told_before_anything_is_scored(
    run, write, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, "verifiers_math.report", None)
    done = run("score", write(ROLLOUTS), "--report", tmp_path / "r.html")
    assert done.code == 2
    assert "reports are not installed" in done.err
    assert len(list(tmp_path.iterdir())) == 1


def test_batches_come_in_order_and_few_are_under_way(monkeypatch):
    from verifiers_math.rows import Row

    monkeypatch.setattr(scoring, "BATCH_ROWS", 10)
    taken = []

    def rows():
        for number in range(1, 1001):
            taken.append(number)
            yield Row(number, {})

    seen = 0
    for batch in scoring.scored_batches(rows(), list):
        seen += len(batch)
        assert [row.number for row in batch] == list(range(seen - 9, seen + 1))
        assert len(taken) - seen <= 10 * (scoring.THREADS + 2)
    assert seen == 1000


def test_what_ray_writes_is_what_the_local_engine_writes(run, write, tmp_path):
    path = write([ROLLOUTS[0], "oops", *ROLLOUTS[1:], {"id": 9}])
    assert run("score", "--no-times", path).code == 1
    evaluators = (get("correct_answer"),)
    scorer = pickle.loads(pickle.dumps(LineScorer(find_fields(ROLLOUTS[0]), evaluators, False)))
    lines, counts = scorer(path.read_bytes().splitlines(keepends=True))
    assert b"".join(lines) == (tmp_path / "rows.scored.jsonl").read_bytes()
    assert counts == {
        "correct": 2,
        "error": 2,
        "incorrect": 1,
        "no_answer": 1,
        "gold_unreadable": 1,
    }


def test_a_file_is_scored_on_a_ray_cluster(start, write, tmp_path, monkeypatch):
    pytest.importorskip("ray", reason="needs ray")
    pytest.importorskip("verifiers_math.integrations.ray", reason="needs the Ray integration")
    path = write([ROLLOUTS[0], "oops", *ROLLOUTS[1:]])
    monkeypatch.setenv("RAY_ADDRESS", "local")  # no cluster that happens to run here
    score = ("score", "--no-times", path)
    on_ray = start(*score, "--engine", "ray", "-o", tmp_path / "ray.jsonl", "--json")
    out, err = on_ray.communicate(timeout=280)
    assert on_ray.returncode == 1, err.decode()
    assert json.loads(out)["rows"] == 6
    local = start(*score, "-o", tmp_path / "local.jsonl")
    local.communicate(timeout=280)
    assert (tmp_path / "ray.jsonl").read_bytes() == (tmp_path / "local.jsonl").read_bytes()
