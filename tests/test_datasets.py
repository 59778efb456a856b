"""Prompt, gold and solution in the rows of well-known data sets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from verifiers_math.datasets import (
    MGSM_LANGUAGES,
    SCHEMAS,
    Problem,
    find_schema,
    load,
    load_rows,
)
from verifiers_math.errors import RowsError
from verifiers_math.evaluators import EVALUATORS, get

# One row of each schema as its data set has it (shortened), and what is found in it.
ROWS = {
    "gsm8k": (
        {"question": "What is 30 + 4?", "answer": "30 + 4 = <<30+4=34>>34\n#### 34"},
        Problem("What is 30 + 4?", "34", "30 + 4 = <<30+4=34>>34\n#### 34"),
    ),
    "math": (
        {
            "problem": "Find $x$.",
            "level": "Level 1",
            "type": "Algebra",
            "solution": r"It is $\boxed{\frac{1}{2}}$.",
        },
        Problem("Find $x$.", r"\frac{1}{2}", r"It is $\boxed{\frac{1}{2}}$."),
    ),
    "mgsm": (
        {
            "question": "Wie viele?",
            "answer": None,
            "answer_number": 18,
            "equation_solution": None,
        },
        Problem("Wie viele?", 18, None),
    ),
    "aime": (
        {"ID": "2024-I-1", "Problem": "Find it.", "Solution": "It is 204.", "Answer": 204},
        Problem("Find it.", 204, "It is 204."),
    ),
    "olympiadbench": (
        {
            "question": "Find all.",
            "solution": ["One way.", "Another."],
            "final_answer": ["1", "2"],
            "is_multiple_answer": True,
            "unit": None,
        },
        Problem("Find all.", "1, 2", "One way.\n\nAnother."),
    ),
    "dapo": (
        {
            "data_source": "math_dapo",
            "prompt": [{"role": "user", "content": "Find it."}],
            "reward_model": {"ground_truth": "34", "style": "rule-lighteval/MATH_v2"},
        },
        Problem([{"role": "user", "content": "Find it."}], "34", None),
    ),
    "big_math": (
        {"problem": "Find it.", "answer": "34", "source": "orca_math", "domain": ["Algebra"]},
        Problem("Find it.", "34", None),
    ),
}


def test_every_schema_has_a_row_here():
    assert set(ROWS) == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_prompt_gold_and_solution_are_found(name):
    row, problem = ROWS[name]
    assert SCHEMAS[name].read(row) == problem


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_gold_judges_its_own_answer(name):
    _, problem = ROWS[name]
    evaluator = get(SCHEMAS[name].evaluator)
    assert evaluator.evaluate(problem.gold, rf"\boxed{{{problem.gold}}}")["passed"]
    assert not evaluator.evaluate(problem.gold, r"\boxed{99}")["passed"]


def test_math_equivalence_is_applied_to_the_data_sets_that_it_was_made_for():
    chosen = {name for name, schema in SCHEMAS.items() if schema.evaluator == "math_equivalence"}
    assert chosen == {"math", "gsm8k", "mgsm"}
    assert all(schema.evaluator in EVALUATORS for schema in SCHEMAS.values())


def test_an_answer_of_its_own_goes_before_the_box_of_the_solution():
    schema = SCHEMAS["math"]
    row = {"problem": "p", "solution": r"\boxed{3}", "answer": r"\frac{6}{2}"}
    assert schema.read(row).gold == r"\frac{6}{2}"
    assert schema.read({"problem": "p", "solution": "no box"}).gold is None


def test_alternatives_stay_alternatives_where_the_row_asks_for_one_answer():
    row = {"final_answer": ["1/2", "0.5"], "is_multiple_answer": False}
    assert SCHEMAS["olympiadbench"].read(row).gold == ["1/2", "0.5"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_row_of_another_data_set_is_an_error_that_names_the_fields(name):
    with pytest.raises(KeyError, match=rf"{name} has its gold in .* this one has the fields text"):
        SCHEMAS[name].read({"text": "x"})


def test_a_variant_stands_behind_a_colon():
    for language in MGSM_LANGUAGES:
        assert find_schema(f"mgsm:{language}") == (SCHEMAS["mgsm"], (language,))
    assert find_schema("mgsm") == (SCHEMAS["mgsm"], ("en",))
    assert find_schema("math:500")[1] == ("500",)
    assert len(find_schema("math")[1]) == 7
    with pytest.raises(KeyError, match="mgsm has no variant 'xx'; there are mgsm:bn"):
        find_schema("mgsm:xx")
    with pytest.raises(KeyError, match="'gsm9k'; there are gsm8k"):
        find_schema("gsm9k")


@pytest.mark.parametrize("name", SCHEMAS)
def test_variants_are_those_of_the_table(name):
    schema = SCHEMAS[name]
    assert set(schema.default) <= set(schema.sources)
    assert all(source.hub.count("/") == 1 for source in schema.sources.values())


def write_jsonl(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("name", SCHEMAS)
def test_rows_come_from_a_file(name, tmp_path):
    row, problem = ROWS[name]
    assert list(load(name, write_jsonl(tmp_path / "rows.jsonl", [row, row]))) == [problem] * 2


def test_a_parquet_file_gives_the_same_problems(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    row, problem = ROWS["dapo"]
    parquet.write_table(arrow.Table.from_pylist([row] * 3), tmp_path / "a.parquet")
    assert list(load("dapo", tmp_path / "a.parquet")) == [problem] * 3


def test_a_broken_line_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROWS["gsm8k"][0]) + "\noops\n")
    problems = load("gsm8k", path)
    assert next(problems).gold == "34"
    with pytest.raises(RowsError, match=r"rows\.jsonl, row 2: it is not JSON"):
        next(problems)


# Run in a process of its own: `datasets` reads its cache's place at import, and it is slow to load.
_LOAD_FOLDERS = """
import json, sys
from verifiers_math.datasets import load
for name, folder in json.loads(sys.argv[1]).items():
    problems = load(name, folder, split="test")
    assert next(problems, None) is not None, name
    print(json.dumps([name, 1 + sum(1 for _ in problems), next(load(name, folder, split="test"))]))
"""


def test_rows_come_through_the_datasets_library_from_a_folder(tmp_path):
    pytest.importorskip("datasets", reason="needs datasets")
    folders = {}
    for name, (row, _) in ROWS.items():
        folders[name] = str(tmp_path / name)
        Path(folders[name]).mkdir()
        write_jsonl(tmp_path / name / "test.jsonl", [row] * 3)
    done = subprocess.run(
        [sys.executable, "-c", _LOAD_FOLDERS, json.dumps(folders)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found == [[name, 3, list(ROWS[name][1])] for name in ROWS]


def test_a_name_on_the_hub_is_given_to_the_datasets_library(monkeypatch):
    library = pytest.importorskip("datasets", reason="needs datasets")
    asked = []

    def load_dataset(*places, **options):
        asked.append((*places, options))
        return [ROWS["mgsm"][0]]

    monkeypatch.setattr(library, "load_dataset", load_dataset)
    assert list(load("mgsm:de")) == [ROWS["mgsm"][1]]
    assert list(load("math", split="train"))  # one call for each subject
    list(load_rows(*find_schema("gsm8k"), "me/my-gsm8k"))
    assert asked[0] == ("juletxara/mgsm", "de", {"split": "test", "streaming": True})
    assert asked[1] == (
        "EleutherAI/hendrycks_math",
        "algebra",
        {"split": "train", "streaming": True},
    )
    assert len(asked) == 1 + 7 + 1
    assert asked[-1] == ("me/my-gsm8k", "main", {"split": "test", "streaming": True})


def test_without_the_datasets_library_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ImportError, match=r"verifiers-math\[data\]"):
        next(load("gsm8k"))
