"""The page on security names limits and licences that are the package's own."""

from __future__ import annotations

import importlib
import inspect
import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires

import pytest

from tests.pages import ROOT
from verifiers_math import Verifier

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
LIMITS = re.findall(r"^\| `(verifiers_math[\w.]+)\.(\w+)` \| ([\d.]+) \|", PAGE, re.MULTILINE)
DEFAULTS = re.findall(r"`(\w+)=([\d.]+)`", PAGE)
PACKAGE = re.compile(
    r"^\| ([\w-]+) \| ((?:Apache-2\.0|MIT|BSD)[^|]*) \| (?:`(\w+)`|[^|]+) \|$", re.MULTILINE
)
PACKAGES = PACKAGE.findall(PAGE)
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


@pytest.mark.parametrize(("module", "name", "value"), LIMITS)
def test_a_limit_has_the_value_that_the_page_gives(module: str, name: str, value: str) -> None:
    assert getattr(importlib.import_module(module), name) == float(value)


@pytest.mark.parametrize(("name", "value"), DEFAULTS)
def test_a_default_is_what_the_page_says(name: str, value: str) -> None:
    assert inspect.signature(Verifier).parameters[name].default == float(value)


def test_the_tables_are_read() -> None:
    assert len(LIMITS) >= 15
    assert len(DEFAULTS) >= 5


def named(requirement: str) -> str:
    """The package that a requirement names."""
    return re.split(r"[^\w-]", requirement)[0]


def needed(name: str) -> set[str]:
    """A package and all that it needs itself, without extras and markers."""
    found = {name}
    for requirement in requires(name) or []:
        if ";" not in requirement:
            found |= needed(named(requirement))
    return found


def test_every_package_that_the_core_needs_is_listed() -> None:
    packages = set().union(*(needed(name) for name in ("math-verify", "mpmath", "sympy")))
    assert packages == {name for name, _, extra in PACKAGES if not extra}


def test_every_package_of_an_extra_is_listed() -> None:
    packages = {(named(it), extra) for extra, needs in EXTRAS.items() for it in needs}
    assert packages == {(name, extra) for name, _, extra in PACKAGES if extra}


@pytest.mark.parametrize(("name", "licence", "_"), PACKAGES, ids=[it[0] for it in PACKAGES])
def test_a_licence_is_what_the_package_itself_states(name: str, licence: str, _: str) -> None:
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        pytest.skip(f"needs {name}")
    said = f"{stated.get('License-Expression')} {stated.get('License')}".replace(" ", "-")
    assert licence.partition(",")[0].replace(" ", "-") in said
