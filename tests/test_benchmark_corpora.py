"""How the benchmarks read labelled pairs and attacks."""

from __future__ import annotations

import json

import pytest

from benchmarks import (
    corpora,
)


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
