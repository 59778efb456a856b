"""The benchmarks: their figures, tables and commands; what they measure is not judged here."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import pytest

from benchmarks import (
    accuracy,
    attack,
    cli,
    common,
    corpora,
    footprint,
    growth,
    grpo_batch,
    peer,
    processes,
    throughput,
    trl_step,
)
from benchmarks.__main__ import build_parser, main
from verifiers_math import verify
from verifiers_math.equivalence.verdict import Status, Verdict

PATIENCE = 60.0


def verdict(equal: bool, stage: str = "number", status: Status | None = None) -> Verdict:
    status = status or (Status.CORRECT if equal else Status.INCORRECT)
    return Verdict(equal, status, stage, "1", "2", 0.5, False, "because", "1/default")


def row(label: bool, *, file: str = "a", id: str = "a-1", policy: str = "") -> corpora.Row:
    return corpora.Row(id, file, "1", "2", label, "answer", policy=policy)


def judged(label: bool, equal: bool, **keywords: str) -> accuracy.Judged:
    return accuracy.Judged(row(label, **keywords), verdict(equal), 0.001)


# ---- common


@pytest.mark.parametrize(
    ("share", "expected"), [(0, 1), (0.2, 1), (0.5, 3), (0.6, 3), (0.61, 4), (0.99, 5), (1, 5)]
)
def test_a_percentile_is_the_nearest_rank(share, expected):
    assert common.percentile([5, 3, 1, 4, 2], share) == expected


def test_a_percentile_of_nothing_is_not_a_number():
    assert math.isnan(common.percentile([], 0.5))


@pytest.mark.parametrize("share", [-0.1, 1.1, 99])
def test_a_percentile_outside_of_0_to_1_is_an_error(share):
    with pytest.raises(ValueError, match="between 0 and 1"):
        common.percentile([1], share)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.0, "0.00 µs"),
        (38.24e-6, "38.2 µs"),
        (999.4e-6, "999 µs"),
        (999.6e-6, "1.00 ms"),
        (0.0409, "40.9 ms"),
        (0.9996, "1.00 s"),
        (163.2, "163 s"),
        (float("nan"), "-"),
    ],
)
def test_a_duration_has_three_digits_and_a_fitting_unit(seconds, expected):
    assert common.duration(seconds) == expected


def test_a_share_of_nothing_is_a_dash():
    assert common.percent(1, 8) == "12.5 %"
    assert common.percent(0, 0) == "-"


def test_a_table_is_aligned_markdown():
    table = common.Table("Title", ["name", "n"])
    table.add("a|b", 1)
    table.add("c", 1000)
    assert str(table).splitlines() == [
        "Title",
        "",
        "| name |    n |",
        "|------|-----:|",
        r"| a\|b |    1 |",
        "| c    | 1000 |",
    ]


def test_a_row_of_the_wrong_length_is_an_error():
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        common.Table("Title", ["a", "b"]).add(1)


def test_a_report_prints_its_header_tables_and_notes():
    table = common.Table("Title", ["a"])
    report = common.Report("name", [table], ["first", "second"], {"x": 1})
    text = str(report)
    assert text.startswith("# name: python 3.")
    assert "math-verify" in text.splitlines()[0]
    assert text.endswith("- first\n- second")
    assert json.loads(json.dumps(report.to_dict()))["figures"] == {"x": 1}


def test_stages_come_in_the_order_of_the_cascade():
    found = common.stage_order(["math_verify", "zeta", "number", "identical", "number"])
    assert found == ["identical", "number", "math_verify", "zeta"]


# ---- accuracy


def test_errors_are_counted_in_both_directions():
    errors = accuracy.ours(
        [judged(True, True), judged(True, False), judged(False, True), judged(True, False)]
    )
    assert (errors.items, errors.false_positives, errors.false_negatives) == (4, 1, 2)
    assert str(errors) == "1 / 2"


def test_the_total_leaves_policy_items_and_sets_apart_out():
    rows = [
        judged(True, False, file="x"),
        judged(True, False, file="x", policy="rounding"),
        judged(True, False, file="tricky"),
        judged(True, False, file="must"),
        judged(True, False, file="golds_g:self"),
    ]
    files = accuracy.with_totals(accuracy.by_file(rows))
    assert list(files) == ["x", "TOTAL", "tricky", "must", "golds_g:self"]
    assert accuracy.ours(accuracy.plain(files["TOTAL"])).wrong == 1
    notes = "\n".join(accuracy.goal_notes(files))
    assert "0 false positives (goal 5), 1 false negatives (goal 23): met" in notes
    assert "must: 1 of 1 rows wrong; goal 0: NOT met" in notes
    assert "golds: 1 of 1 not equal to themselves; goal 0: NOT met" in notes


def test_rows_are_selected_by_file_and_number():
    rows = [row(True, file=file) for file in ("ab", "ab", "ac", "b")]
    assert [item.file for item in accuracy.select(rows, "", 0)] == ["ab", "ab", "ac", "b"]
    assert [item.file for item in accuracy.select(rows, "a", 1)] == ["ab", "ac"]
    assert [item.file for item in accuracy.select(rows, "ac,b", 0)] == ["ac", "b"]


def test_labels_listed_as_wrong_are_turned_only_when_asked():
    rows = [row(True, id="a-1"), row(True, id="a-2")]
    assert [item.label for item in accuracy.correct_labels(rows, {"a-2": "read"})] == [True, False]
    assert accuracy.label_note(rows, {"a-2": "read"}, corrected=False).startswith("1 rows have")


def test_every_wrong_row_is_written_with_both_verdicts(tmp_path):
    path = tmp_path / "wrong.jsonl"
    assert accuracy.write_disagreements(path, [judged(True, True), judged(True, False)]) == 1
    (line,) = corpora.read_jsonl(path)
    assert (line["id"], line["label"], line["verdict"]["equal"], line["peer"]) == (
        "a-1",
        True,
        False,
        None,
    )


def test_the_figures_of_a_set_are_plain_data():
    rows = [judged(True, True), judged(False, True, policy="rounding")]
    found = json.loads(json.dumps(accuracy.figures("a", rows)))
    assert found["ours"]["without_policy"] == {
        "items": 1,
        "false_positives": 0,
        "false_negatives": 0,
    }
    assert found["ours"]["policy"]["false_positives"] == 1
    assert found["stages"] == {"number": 2}


# ---- attack


def test_attacks_are_spread_among_honest_answers():
    honest = [attack.Submission("1", "1", frozenset({True})) for _ in range(6)]
    hostile = [attack.Submission("1", "2", frozenset({False}), id) for id in ("a", "b")]
    mixed = attack.spread(hostile, honest)
    assert [item.attack for item in mixed] == ["a", "", "", "", "b", "", "", ""]
    assert attack.spread([], honest) == honest


def test_honest_answers_are_distinct_and_labelled():
    found = attack.honest_submissions(960)
    assert len(found) == 960
    assert len({(item.gold, item.text) for item in found}) == 960
    assert all(len(item.right) == 1 for item in found)


def test_hard_answers_do_not_repeat():
    assert len({(gold, answer) for gold, answer, _ in attack.hard_answers(40)}) == 40


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_descendants_are_found_and_missed_when_they_end():
    before = processes.descendants()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        (found,) = processes.descendants() - before
        assert (found.pid, found.parent) == (child.pid, os.getpid())
        assert processes.still_alive(frozenset({found}), 0) == [found]
        assert processes.memory(child.pid) > 0
    finally:
        child.kill()
        child.wait()
    assert processes.still_alive(frozenset({found}), 5) == []
    assert processes.cpu_seconds() > 0
    assert processes.memory(child.pid) == 0


# ---- the peer


def test_the_peer_judges_as_its_users_call_it_and_survives_a_hang():
    items = [
        peer.PeerItem("1/2", "0.5", is_response=False),
        peer.PeerItem("7", r"First 5, then \boxed{7}.", is_response=True),
        peer.PeerItem("7", r"\boxed{8}", is_response=True),
        peer.PeerItem("4", "1E10000000", is_response=False),
        peer.PeerItem("3", "3", is_response=False),
    ]
    verdicts = []
    with peer.Peer() as judge:
        for item in items:
            # What hangs need not be waited for, and the others get what time they take.
            judge._wall_seconds = 2.0 if item.answer == "1E10000000" else PATIENCE
            verdicts.append(judge.judge(item))
    statuses = [item.status for item in verdicts]
    assert statuses == ["equal", "equal", "different", "killed", "equal"]


def test_the_peers_cache_spares_a_second_run(tmp_path):
    item = peer.PeerItem("1", "1", is_response=False)
    known = peer.PeerVerdict(equal=True, status="equal", seconds=0.25)
    cache = tmp_path / "cache.json"
    cache.write_text(json.dumps({item.key: {"equal": True, "status": "equal", "seconds": 0.25}}))
    assert peer.judge_all([item, item], 1, cache) == [known, known]


# ---- footprint


def test_the_import_time_is_read_from_the_trace():
    trace = (
        "import time: self [us] | cumulative | imported package\n"
        "import time:       120 |        120 |   verifiers_math.errors\n"
        "import time:       300 |       1500 | verifiers_math\n"
    )
    assert footprint.import_seconds(trace) == 0.0015
    with pytest.raises(ValueError, match="sympy"):
        footprint.import_seconds(trace, "sympy")


# ---- trl_step


def test_a_step_is_rewarded_by_its_labels_in_every_way():
    step = trl_step.make_step(grpo_batch.make_batch("usual", groups=3))
    assert 0 < sum(step.labels) < len(step.labels) == 48
    for judge in trl_step.OURS.values():
        assert step.wrong(judge(step)) == 0
    assert step.wrong([None] * 48) == 48


def test_figures_of_steps_are_medians_and_ratios():
    times = [
        {"seconds": 2.0, "wrong": 1},
        {"seconds": 8.0, "wrong": 0},
        {"seconds": 4.0, "wrong": 2},
    ]
    done = [
        {trl_step.THEIRS: trl_step.Timed(**t), "a": trl_step.Timed(t["seconds"] / 4, 0)}
        for t in times
    ]
    assert trl_step.step_figures(done) == {
        trl_step.THEIRS: {"seconds": 4.0, "ratio": 1.0, "wrong": 3},
        "a": {"seconds": 1.0, "ratio": 4.0, "wrong": 0},
    }


def test_a_reward_that_does_not_come_back_is_killed():
    pytest.importorskip("trl", reason="needs the trl extra")
    theirs = trl_step.Theirs(patience=60.0)
    try:
        found = theirs.reward([trl_step.message(r"\boxed{4}"), trl_step.message("4")], ["4", "4"])
        assert found is not None
        assert found[0] == [1.0, 0.0]
        theirs.patience = 0.5
        assert theirs.reward([trl_step.message(trl_step.HANGS)], [trl_step.HANGS_GOLD]) is None
        assert not theirs._process.is_alive()
    finally:
        theirs.close()


# ---- the command line


@pytest.mark.parametrize("name", ["accuracy", "attack"])
def test_missing_data_skips_with_a_reason(name, tmp_path, capsys):
    assert main([name, "--data", str(tmp_path / "nowhere")]) == 0
    assert "skipped: no " in capsys.readouterr().out


def test_a_skipped_benchmark_says_so_in_json_too(tmp_path, capsys):
    assert main(["accuracy", "--json", "--data", str(tmp_path)]) == 0
    assert "skipped" in json.loads(capsys.readouterr().out)["figures"]


def test_each_command_has_a_summary():
    text = build_parser().format_help()
    for name in ("accuracy", "throughput", "attack", "footprint", "trl_step"):
        assert name in text


# ---- cli


def test_the_command_line_is_measured_against_reading_and_writing(capsys):
    assert main(["cli", "--rows", "70", "--repeats", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["rows"] == 70
    assert figures["bytes"] > 70 * 2000
    assert figures["ratios"]["cpu"] > 0


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(RuntimeError, match="no such thing"):
        cli.cost_of([sys.executable, "-c", "raise SystemExit('no such thing')"])


def test_rollouts_are_as_many_as_asked_for_and_repeat_with_the_seed(tmp_path):
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    size = cli.write_rollouts(one, 1100, 3)
    assert cli.write_rollouts(other, 1100, 3) == size
    assert one.read_bytes() == other.read_bytes()
    assert len(one.read_text().splitlines()) == 1100


def test_what_a_rubric_adds_is_the_difference_of_the_two():
    figures = throughput.rubric_figures(grpo_batch.make_batch("usual", groups=2))
    assert figures["overhead"] == figures["score_group"] - figures["verify_many"]
    assert 0 < figures["verify_many"] < 1
    assert "score_group overhead" in str(throughput.rubric_table(figures))


@pytest.mark.parametrize("way", growth.WAYS)
def test_growing_batches_are_of_distinct_pairs_that_every_way_judges(way):
    pairs = list(growth.numbers(64, group=16, below=7))
    assert len(set(pairs)) == 64
    assert [verify(*pair).equal for pair in pairs] == [number % 2 == 0 for number in range(64)]
    assert growth.measure(way, 64)["seconds"] > 0


def test_the_floor_has_a_row_for_each_way_and_shares_of_one():
    figures = growth.floor_figures(1, with_peer=False)
    assert list(figures)[-1] == "verify_many"
    assert figures["verify_many"]["wrong"] == 0 < figures["string matching"]["wrong"] < 1
    assert len(growth.floor_table(figures).rows) == len(figures)
