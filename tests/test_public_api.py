from __future__ import annotations

import ast
import inspect
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import verifiers_math as vf

ROOT = Path(__file__).parent.parent

HEAVY = {
    "asyncio",
    "datasets",
    "latex2mathml",
    "latex2sympy2_extended",
    "logging",
    "math_verify",
    "mpmath",
    "msgspec",
    "multiprocessing",
    "numpy",
    "openai",
    "prometheus_client",
    "pyarrow",
    "ray",
    "rich",
    "starlette",
    "sympy",
    "torch",
    "transformers",
    "trl",
    "uvicorn",
}


def modules_loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = modules_loaded_by("import verifiers_math") - modules_loaded_by("")
    assert "verifiers_math" in loaded
    assert {name.partition(".")[0] for name in loaded}.isdisjoint(HEAVY)


def test_importing_the_package_loads_only_the_package_itself() -> None:
    loaded = modules_loaded_by("import verifiers_math") - modules_loaded_by("")
    assert {name for name in loaded if name.startswith("verifiers_math.")} == set()


@pytest.mark.parametrize(
    "name", ["Policy", "Verdict", "MathRubric", "JudgeRubric", "verify", "Parser"]
)
def test_a_name_loads_neither_sympy_nor_math_verify_nor_an_extra(name: str) -> None:
    loaded = modules_loaded_by(f"from verifiers_math import {name}")
    roots = {module.partition(".")[0] for module in loaded - modules_loaded_by("")}
    assert roots.isdisjoint(HEAVY - {"asyncio", "logging", "mpmath", "multiprocessing"})


def test_all_is_sorted_and_without_repeats() -> None:
    assert vf.__all__ == sorted(set(vf.__all__))


def test_all_is_the_table_of_public_names() -> None:
    assert vf.__all__ == list(vf._MODULES)


def test_type_checkers_see_the_same_names_from_the_same_modules() -> None:
    source = ast.parse(Path(vf.__file__).read_text(encoding="utf-8"))
    guard = next(node for node in source.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module.removeprefix("verifiers_math.")
        for node in guard.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert seen == vf._MODULES


@pytest.mark.parametrize("name", vf.__all__)
def test_every_public_name_resolves_and_has_a_docstring(name: str) -> None:
    value = getattr(vf, name)
    assert value.__name__ == name
    assert value.__module__.startswith("verifiers_math.")
    assert inspect.getdoc(value)


@pytest.mark.parametrize("name", [n for n in vf.__all__ if n.endswith("Error")])
def test_every_error_derives_from_the_one_base(name: str) -> None:
    assert issubclass(getattr(vf, name), vf.VerifiersMathError)


@pytest.mark.parametrize("name", vf.__all__)
def test_public_names_pickle_by_reference(name: str) -> None:
    value = getattr(vf, name)
    assert pickle.loads(pickle.dumps(value)) is value


def test_dir_lists_the_public_names_and_the_version() -> None:
    assert set(vf.__all__) | {"__version__"} <= set(dir(vf))


def test_an_unknown_name_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match="'verifiers_math' has no attribute 'MathRubrik'"):
        vf.MathRubrik  # noqa: B018 - the access itself is what is tested


def test_star_import_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from verifiers_math import *", names)
    assert set(vf.__all__) <= set(names)
