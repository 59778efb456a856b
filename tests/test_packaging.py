"""What is built from the project: everything that runs, nothing else, and true metadata."""

from __future__ import annotations

import importlib
import re
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from tests.pages import PAGES, ROOT
from verifiers_math import __version__

PACKAGE = ROOT / "verifiers_math"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = set(PROJECT["optional-dependencies"])
NAMED = re.compile(r"verifiers-math\[([\w,]+)\]")


def sources() -> set[str]:
    """Every file of the package."""
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    builders = pytest.importorskip("hatchling.builders.wheel", reason="needs hatchling")
    folder = str(tmp_path_factory.mktemp("wheel"))
    (built,) = builders.WheelBuilder(str(ROOT)).build(directory=folder, versions=["standard"])
    return zipfile.ZipFile(built)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_holds_the_whole_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == sources()
    assert "verifiers_math/py.typed" in names
    assert any(name.endswith(".html") for name in names)  # the service's page
    assert any(name.endswith("licenses/LICENSE") for name in wheel.namelist())


def test_the_core_needs_three_packages_and_every_extra_is_offered(metadata: Message) -> None:
    needed = metadata.get_all("Requires-Dist") or []
    core = {re.split(r"[^\w-]", it)[0] for it in needed if "extra ==" not in it}
    assert core == {"math-verify", "mpmath", "sympy"}
    assert set(metadata.get_all("Provides-Extra") or []) == EXTRAS


def test_the_metadata_says_version_and_licence(metadata: Message) -> None:
    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == PROJECT["requires-python"]


def test_the_source_archive_can_be_tested_and_built(tmp_path: Path) -> None:
    builders = pytest.importorskip("hatchling.builders.sdist", reason="needs hatchling")
    (built,) = builders.SdistBuilder(str(ROOT)).build(directory=str(tmp_path))
    with tarfile.open(built) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"LICENSE", "Makefile", "constraints.txt", "pyproject.toml", "tests/test_packaging.py"}
    assert wanted | {page.relative_to(ROOT).as_posix() for page in PAGES} <= names
    assert sources() <= names


def points() -> list[str]:
    """What the entry points name, as ``module:attribute``."""
    groups = [PROJECT["scripts"], *PROJECT["entry-points"].values()]
    return [target for group in groups for target in group.values()]


@pytest.mark.parametrize("target", points())
def test_an_entry_point_leads_somewhere(target: str) -> None:
    module, _, attribute = target.partition(":")
    assert hasattr(importlib.import_module(module), attribute)


def test_every_extra_that_a_text_tells_to_install_is_there() -> None:
    texts = [path.read_text("utf-8") for path in (*PAGES, *PACKAGE.rglob("*.py"))]
    named = {found for text in texts for found in NAMED.findall(text)}
    assert len(named) >= 5
    for extras in named:
        assert set(extras.split(",")) <= EXTRAS, extras
