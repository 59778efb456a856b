"""Importing an adapter loads neither its framework nor anything heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "verifiers_math" / "integrations"
NEEDS_ITS_FRAMEWORK = {"verl_manager"}  # a subclass of verl's managers
ADAPTERS = {path.stem for path in FOLDER.iterdir() if path.stem[0] != "_"} - NEEDS_ITS_FRAMEWORK
UNWANTED = {
    *("areal", "art", "nemo_gym", "oat", "open_instruct", "openrlhf", "ray", "rllm", "skyrl_gym"),
    *("slime", "swift", "trl", "verifiers", "verl"),
    *("datasets", "math_verify", "numpy", "pyarrow", "sympy", "torch", "transformers"),
}


def test_no_adapter_loads_its_framework() -> None:
    lines = [f"import verifiers_math.integrations.{name}" for name in sorted(ADAPTERS)]
    script = "\n".join([*lines, "import json, sys; print(json.dumps(list(sys.modules)))"])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stdout))
    assert {f"verifiers_math.integrations.{name}" for name in ADAPTERS} <= loaded
    assert loaded & UNWANTED == set()


def test_the_adapters_are_all_there() -> None:
    assert {"trl", "verl", "openrlhf", "ray", "verifiers_v1"} <= ADAPTERS
