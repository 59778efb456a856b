"""The benchmarks' loaders, generators and tables; what they measure is not judged here."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from random import Random

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


# ---- corpora


def write_lines(path, *objects):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(item) + "\n" for item in objects))


def test_rows_are_read_from_all_three_shapes_of_files(tmp_path):
    labelled = {"id": "x-1", "gold": "4", "response": "5", "label": False, "form": "response"}
    write_lines(tmp_path / "corpora" / "x.jsonl", {**labelled, "kind": "k", "policy": "rounding"})
    gold = {"id": "g-1", "gold": "4", "kind": "integer"}
    write_lines(
        tmp_path / "corpora" / "golds_g.jsonl", gold, {**gold, "id": "g-2", "solution": "#### 4"}
    )
    must = {"id": "m1", "kind": "exact", "gold": "4", "answer": "$4$", "label": True}
    write_lines(tmp_path / "cases" / "must.jsonl", must)
    assert corpora.load_rows(tmp_path) == [
        corpora.Row("g-1:self", "golds_g:self", "4", "4", True, "answer", "integer"),
        corpora.Row("g-2:self", "golds_g:self", "4", "4", True, "answer", "integer"),
        corpora.Row("g-2:solution", "golds_g:solution", "4", "#### 4", True, "response", "integer"),
        corpora.Row("x-1", "x", "4", "5", False, "response", "k", "rounding"),
        corpora.Row("m1", "must", "4", "$4$", True, "answer", "exact"),
    ]


def test_a_line_separator_within_a_string_does_not_end_a_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "1\u2028\x852"}\n\n{"a": "3"}')
    assert corpora.read_jsonl(path) == [{"a": "1\u2028\x852"}, {"a": "3"}]


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(ValueError, match=r"a\.jsonl, line 2"):
        corpora.read_jsonl(path)


def test_each_listed_wrong_label_has_a_reason():
    wrong = corpora.read_jsonl(corpora.WRONG_LABELS)
    assert all(item["id"] and item["reason"] for item in wrong)
    assert len(corpora.load_wrong_labels()) == len(wrong)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'a'", "a"),
        ("'a'*3+'b'", "aaab"),
        (r"'\\frac{'*2+'1'+'}'*2", r"\frac{\frac{1}}"),
        ("('1&'*2+'x')*2", "1&1&x1&1&x"),
        ("3*'a'", "aaa"),
        (r"'\ud800'*2", "\ud800\ud800"),
    ],
)
def test_generated_texts_are_built(expression, expected):
    assert corpora.build_text(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')",
        "'a'.upper()",
        "'a'*10**9",
        "'a'*100_000_000",
        "('a'*10000)*10000",
        "1+1",
        "2*3",
        "'a'*'b'",
        "f'{1}'",
        "'a' if 1 else 'b'",
        "'a'*2.0",
    ],
)
def test_anything_else_in_a_generated_text_is_refused(expression):
    with pytest.raises(ValueError, match=r"text|characters"):
        corpora.build_text(expression)


def test_attacks_are_boxed_unless_they_bring_their_own_box(tmp_path):
    write_lines(
        tmp_path / "cases" / "attacks.jsonl",
        {"id": "a01", "gold": "4", "response": "9^{9}"},
        {
            "id": "a23",
            "gold": "1",
            "gen": r"'\\boxed{1} '*2",
            "note": "boxes: equal, they collapse",
        },
        {"id": "a37", "gold": "4", "gen": "'-'*2+'4'", "note": "minus: equal or undecided"},
    )
    power, boxes, minus = corpora.load_attacks(tmp_path)
    assert (power.response, power.may_equal, power.may_differ) == (r"\boxed{9^{9}}", False, True)
    assert (boxes.response, boxes.may_equal, boxes.may_differ) == (
        r"\boxed{1} \boxed{1} ",
        True,
        False,
    )
    assert (minus.response, minus.may_equal, minus.may_differ) == (r"\boxed{--4}", True, True)


# ---- the generated batch


@pytest.fixture(scope="module", params=["none", "usual"])
def batch(request):
    return request.param, grpo_batch.make_batch(request.param, seed=3)


def test_a_batch_has_the_promised_shape(batch):
    repeats, items = batch
    assert len(items) == 64 * 16
    assert all(
        grpo_batch.MIN_CHARACTERS <= len(item.text) <= grpo_batch.MAX_CHARACTERS for item in items
    )
    assert abs(sum(item.label for item in items) / len(items) - 0.55) < 0.005
    kinds = Counter(item.kind for item in items)
    assert abs(kinds["integer"] / len(items) - 0.45) < 0.01
    assert set(kinds) == set(grpo_batch.MAKERS)
    assert len({item.gold for item in items}) == 64
    distinct = len({(item.gold, item.answer) for item in items})
    assert distinct == len(items) if repeats == "none" else distinct < len(items) / 2


def test_the_box_at_the_end_holds_the_answer(batch):
    for item in batch[1]:
        assert rf"\boxed{{{item.answer}}}" in item.text[-200:]
        assert item.text.count(r"\boxed") == 1
        assert item.text.count("<think>") == item.text.count("</think>")


def test_equal_seeds_give_equal_batches():
    first, again, other = (grpo_batch.make_batch(groups=2, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_group_of_more_than_16_is_an_error():
    with pytest.raises(ValueError, match="at most 16"):
        grpo_batch.make_batch(size=17)


def test_a_batch_of_chosen_kinds_has_only_these():
    batch = grpo_batch.make_batch(groups=3, only=("set", "pi"))
    assert Counter(item.kind for item in batch) == {"set": 32, "pi": 16}
    with pytest.raises(ValueError, match="unknown kinds: matrix"):
        grpo_batch.make_batch(only=("matrix",))


class Quadratic:
    """Exact numbers of the form a + b*root, with a formal root: enough for radicals and pi."""

    def __init__(self, a, b, square):
        self.a, self.b, self.square = Fraction(a), Fraction(b), square

    def lift(self, other):
        return other if isinstance(other, Quadratic) else Quadratic(other, 0, self.square)

    def __add__(self, other):
        other = self.lift(other)
        return Quadratic(self.a + other.a, self.b + other.b, self.square)

    def __neg__(self):
        return Quadratic(-self.a, -self.b, self.square)

    def __sub__(self, other):
        return self + -self.lift(other)

    def __mul__(self, other):
        other = self.lift(other)
        both = self.b * other.b
        assert self.square is not None or both == 0
        return Quadratic(
            self.a * other.a + both * (self.square or 0),
            self.a * other.b + self.b * other.a,
            self.square,
        )

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return self.lift(other) - self

    def __truediv__(self, other):
        other = self.lift(other)
        if other.b == 0:
            return Quadratic(self.a / other.a, self.b / other.a, self.square)
        assert other.a == 0
        return Quadratic(self.b / other.b, self.a / (other.b * self.square), self.square)

    def __rtruediv__(self, other):
        return self.lift(other) / self

    def __pow__(self, power):
        assert power == 2
        return self * self

    def __eq__(self, other):
        other = self.lift(other)
        return (self.a, self.b) == (other.a, other.b)

    def __hash__(self):
        return hash((self.a, self.b))


def root_of(number, base):
    """The square root of an integer as a multiple of the root of `base`."""
    outside = math.isqrt(number // base) if number % base == 0 else 0
    if outside and outside * outside * base == number:
        return Quadratic(0, outside, base)
    exact = math.isqrt(number)
    if exact * exact == number:
        return Quadratic(exact, 0, base)
    return Quadratic(0, Fraction(number, 10**6), base)  # no such multiple: some other number


def evaluate(text, **names):
    """The exact value of the LaTeX that the generator writes: no reader of the package's own."""
    text = re.sub(r"\\(?:displaystyle|left|right|,)|\$", "", text)
    text = re.sub(r"\\(?:text|mathbf)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\((\d+)\)\^\{1/2\}", r"\\sqrt{\1}", text)
    text = re.sub(r"\\sqrt\{(\d+)\}", r"(root(\1))", text)
    text = text.replace("{,}", "").replace(r"\cdot", "*").replace(r"\times", "*")
    text = text.replace(r"\pi", "(pi)").replace("x", "(x)").replace("^{2}", "^2")
    text = re.sub(r"\\[dt]?frac\{(.*?)\}\{(.*?)\}", r"((\1)/(\2))", text)
    text = text.replace("^", "**").strip().rstrip(".")
    text = re.sub(r"(?<![\d.])(\d+(?:\.\d+)?)(?![\d.])", r"Q('\1')", text)
    text = re.sub(r"\*\*Q\('2'\)", "**2", text)
    text = re.sub(r"root\(Q\('(\d+)'\)\)", r"root(\1)", text)
    text = re.sub(r"\)\s*(?=[Q(])", ")*", text)
    text = text.replace("root*(", "root(").replace("Q*(", "Q(")
    return eval(text, {"Q": Fraction, **names})


def strip_name(answer):
    return re.sub(r"^(?:n|x|f\(x\)) = ", "", answer)


def problems(kind, amount=60):
    return [grpo_batch.MAKERS[kind](Random(f"{kind}{seed}")) for seed in range(amount)]


def assert_labels(kind, value_of):
    for problem in problems(kind):
        gold = value_of(problem.gold)
        assert len(set(problem.right)) == len(problem.right) >= 9
        assert len(set(problem.wrong)) == len(problem.wrong) >= 8
        assert len(problem.right[:9]) + len(problem.wrong) >= 16
        for answer in problem.right:
            assert value_of(answer) == gold, (problem.gold, answer)
        for answer in problem.wrong:
            assert value_of(answer) != gold, (problem.gold, answer)


@pytest.mark.parametrize("kind", ["integer", "fraction"])
def test_labels_of_numbers_are_exact(kind):
    assert_labels(kind, lambda text: evaluate(strip_name(text)))


def test_labels_of_radicals_are_exact():
    for problem in problems("radical"):
        base = int(re.search(r"\\sqrt\{(\d+)\}", problem.gold)[1])
        values = [
            Quadratic(0, 0, base) + evaluate(text, root=lambda n, base=base: root_of(n, base))
            for text in (problem.gold, *problem.right, *problem.wrong)
        ]
        gold, rest = values[0], values[1:]
        assert all(value == gold for value in rest[: len(problem.right)]), problem
        assert not any(value == gold for value in rest[len(problem.right) :]), problem


def test_labels_of_multiples_of_pi_are_exact():
    pi = Quadratic(0, 1, None)
    assert_labels("pi", lambda text: pi * 0 + evaluate(text, pi=pi))


def test_labels_of_polynomials_are_exact():
    """A quadratic is known by its values at three points."""

    def values(text):
        return [evaluate(strip_name(text), x=Fraction(point)) for point in (-11, 0, 13)]

    assert_labels("polynomial", values)


def test_labels_of_lines_are_exact():
    """A line through two points; the second equation is off at one of them if it differs."""

    def line(text):
        left, right = (side.replace("y", "(y)") for side in text.split("="))
        points = []
        for x in (Fraction(-5), Fraction(7)):
            at = [evaluate(left, x=x, y=y) - evaluate(right, x=x, y=y) for y in (0, 1)]
            points.append(Fraction(at[0]) / (at[0] - at[1]))
        return points

    assert_labels("equation", line)


def test_labels_of_intervals_and_tuples_are_exact():
    def plain(text):
        text = re.sub(r"\\left|\\right|\\displaystyle|\$", "", text)
        text = re.sub(r"x\s*\\in", "", text).strip()
        return text[0], [evaluate(part) for part in text[1:-1].split(",")], text[-1]

    assert_labels("interval", plain)
    assert_labels("tuple", plain)


def test_labels_of_sets_are_exact():
    assert_labels("set", lambda text: {evaluate(part) for part in text[2:-2].split(",")})


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
    with peer.Peer(wall_seconds=2.0) as judge:
        verdicts = [judge.judge(item) for item in items]
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
