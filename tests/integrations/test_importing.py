"""Importing an adapter loads neither its framework nor anything heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

ADAPTERS = """
areal art easyr1 ms_swift nemo_gym nemo_rl oat open_instruct rllm skyrl slime
""".split()
UNWANTED = {
    *("areal", "art", "nemo_gym", "oat", "open_instruct", "rllm", "skyrl_gym", "slime", "swift"),
    *("math_verify", "numpy", "ray", "sympy", "torch", "transformers"),
}


def test_no_adapter_loads_its_framework() -> None:
    lines = [f"import verifiers_math.integrations.{name}" for name in ADAPTERS]
    script = "\n".join([*lines, "import json, sys; print(json.dumps(list(sys.modules)))"])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stdout))
    assert {f"verifiers_math.integrations.{name}" for name in ADAPTERS} <= loaded
    assert loaded & UNWANTED == set()
