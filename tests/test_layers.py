from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "verifiers_math"
ROOT = Path(__file__).parent.parent / PACKAGE

# The order of the layers. A module imports from layers above its own line in this table, and from
# its own layer only within one part.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "checks", "promise"),
    ("equivalence",),
    ("workers",),
    ("cache",),
    ("question", "symbolic_stage"),
    ("verifier",),
    ("explain", "formulas"),
    ("fields",),
    ("parsers", "answers", "rubrics", "evaluators", "rows", "datasets", "utils"),
    ("integrations", "server", "report", "cli", "__main__"),
)
LEVELS = {part: level for level, parts in enumerate(LAYERS) for part in parts}

# Neighbours within one layer that may be imported all the same.
WITHIN_A_LAYER = {
    "errors": {"types"},
    "answers": {"parsers"},
    "rubrics": {"parsers"},
    "utils": {"parsers", "evaluators", "datasets"},
    "evaluators": {"answers", "datasets", "parsers"},
    "datasets": {"answers", "parsers", "rows"},
    "__main__": {"cli"},
    "cli": {"integrations", "server", "report"},
    "server": {"integrations"},
    "report": set[str](),
}

# Third-party packages, and the only parts that may import them.
THIRD_PARTY = {
    "math_verify": {"workers"},
    "latex2sympy2_extended": {"workers"},
    "sympy": {"workers"},
    "mpmath": {"equivalence", "workers"},
    "datasets": {"datasets", "integrations", "cli"},
    "latex2mathml": {"formulas"},
    "msgspec": {"server"},
    "openai": {"integrations", "rubrics"},
    "prometheus_client": {"server"},
    "pyarrow": {"rows", "integrations", "cli"},
    "ray": {"integrations", "cli"},
    "rich": {"cli"},
    "starlette": {"server"},
    "torch": {"integrations"},
    "trl": {"integrations"},
    "uvicorn": {"server"},
    # Frameworks whose own result types their adapters return.
    "areal": {"integrations"},
    "art": {"integrations"},
    "numpy": {"integrations"},
    "oat": {"integrations"},
    "open_instruct": {"integrations"},
    "rllm": {"integrations"},
    "skyrl_gym": {"integrations"},
    "slime": {"integrations"},
    "swift": {"integrations"},
    "verifiers": {"integrations"},
    "verl": {"integrations"},
}

MODULES = sorted(ROOT.rglob("*.py"))


def part_of(path: Path) -> str:
    """The first name below the package: a module, a folder, or ``""`` for the package itself."""
    part = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return "" if part == "__init__" else part


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import of a module, also within functions."""
    package = (PACKAGE, *path.relative_to(ROOT).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            stem = ".".join(filter(None, (base, node.module)))
            if stem == PACKAGE:  # `from verifiers_math import parsers` names a part
                for alias in node.names:
                    if not alias.name.startswith("__"):  # the version belongs to no part
                        yield node.lineno, f"{stem}.{alias.name}"
            else:
                yield node.lineno, stem


def faults(path: Path) -> list[str]:
    part = part_of(path)
    found = []
    for line, name in imported(path):
        head, _, rest = name.partition(".")
        if head == PACKAGE:
            other = rest.partition(".")[0]
            if other not in ("", "__version__") and not may_import(part, other):
                found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
        elif head not in sys.stdlib_module_names and part not in THIRD_PARTY.get(head, ()):
            found.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    return found


def may_import(part: str, other: str) -> bool:
    if part == "" or part == other or other in WITHIN_A_LAYER.get(part, ()):
        return True
    return other in LEVELS and LEVELS[other] < LEVELS[part]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path: Path) -> None:
    assert part_of(path) in {"", *LEVELS}, "a new part of the package needs a place in LAYERS"
    assert faults(path) == []


def test_the_check_sees_an_import_that_runs_the_wrong_way() -> None:
    assert not may_import("equivalence", "workers")
    assert not may_import("workers", "verifier")
    assert not may_import("parsers", "rubrics")
    assert may_import("rubrics", "verifier")


def test_the_package_has_modules_to_check() -> None:
    assert {"types", "equivalence", "integrations"} <= {part_of(path) for path in MODULES}
