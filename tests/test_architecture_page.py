"""The page on the architecture names the modules that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "verifiers_math"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"\b\w+(?:\.py\b|/)", PAGE)) - {"tests/"}


def parts(folder: str) -> set[str]:
    """The modules and folders in a folder of the package, as the page writes them."""
    places = [place for place in (PACKAGE / folder).iterdir() if place.name[0] not in "_."]
    return {f"{place.name}/" if place.is_dir() else place.name for place in places}


def test_what_the_page_names_is_there() -> None:
    there = {place.name for place in PACKAGE.rglob("*.py")}
    there |= {f"{place.name}/" for place in PACKAGE.rglob("*") if place.is_dir()}
    there |= {place.name for place in (ROOT / "tests").glob("*.py")}
    assert NAMED - there == set()


@pytest.mark.parametrize("folder", ["equivalence", "workers"])
def test_every_part_of_the_inner_layers_has_its_job_on_the_page(folder: str) -> None:
    assert parts(folder) - NAMED == set()


def test_every_part_of_the_package_has_its_place_on_the_page() -> None:
    assert parts("") - NAMED == {"py.typed"}
