"""The page on security names limits and licences that are the package's own."""

from __future__ import annotations

import importlib
import inspect
import re
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest

from verifiers_math import Verifier

PAGE = (Path(__file__).parent.parent / "docs" / "security.md").read_text(encoding="utf-8")
LIMITS = re.findall(r"^\| `(verifiers_math[\w.]+)\.(\w+)` \| ([\d.]+) \|", PAGE, re.MULTILINE)
DEFAULTS = re.findall(r"`(\w+)=([\d.]+)`", PAGE)
LICENCES = dict(re.findall(r"^\| ([\w-]+) \| (Apache-2\.0|MIT|BSD) \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize(("module", "name", "value"), LIMITS)
def test_a_limit_has_the_value_that_the_page_gives(module: str, name: str, value: str) -> None:
    assert getattr(importlib.import_module(module), name) == float(value)


@pytest.mark.parametrize(("name", "value"), DEFAULTS)
def test_a_default_is_what_the_page_says(name: str, value: str) -> None:
    assert inspect.signature(Verifier).parameters[name].default == float(value)


def test_the_tables_are_read() -> None:
    assert len(LIMITS) >= 15
    assert len(DEFAULTS) >= 5


def needed(name: str) -> set[str]:
    """A package and all that it needs itself, without extras and markers."""
    found = {name}
    for requirement in requires(name) or []:
        if ";" not in requirement:
            found |= needed(re.split(r"[^\w-]", requirement)[0])
    return found


def test_every_package_that_the_core_needs_is_listed_with_its_licence() -> None:
    packages = set().union(*(needed(name) for name in ("math-verify", "mpmath", "sympy")))
    assert packages == set(LICENCES)
    for name, licence in LICENCES.items():
        stated = metadata(name)
        said = f"{stated.get('License-Expression')} {stated.get('License')}".replace(" ", "-")
        assert licence in said, name
