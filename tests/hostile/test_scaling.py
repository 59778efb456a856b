r"""Whatever a text is made of, its time grows as its length does.

`benchmarks.scaling` holds the shapes and the entries, and searches longer than these tests.
"""

from __future__ import annotations

import sys
import unicodedata
from itertools import chain, islice
from types import SimpleNamespace

import pytest

from benchmarks import scaling
from benchmarks.scaling import (
    LONG_CHARS,
    SHORT_CHARS,
    Growth,
    Shape,
    cpu_seconds,
    entries,
    measure,
    random_shapes,
    search,
    shuffled,
)

ENTRIES = entries()
SECONDS = 4.0
"""For each search; the shapes come in another order for each length."""


def is_quadratic(growth: Growth) -> bool:
    """Beyond doubt, on whatever machine: it takes long, and four times the length far longer."""
    return growth.seconds > 0.1 and growth.exponent > 1.7


def quadratic_for_sure(findings: list[Growth]) -> list[str]:
    """Those that are quadratic each time, of several."""
    return [
        f"{growth.entry}: {growth.shape} takes n^{growth.exponent:.2f}"
        for growth in findings
        if all(
            is_quadratic(measure(growth.entry, ENTRIES[growth.entry], growth.shape, growth.chars))
            for _ in range(3)
        )
    ]


@pytest.mark.parametrize("chars", [SHORT_CHARS, LONG_CHARS])
def test_no_shape_of_the_table_takes_quadratic_time(chars: int) -> None:
    count, findings, _ = search(shuffled(chars), chars, SECONDS)
    assert count >= len(ENTRIES)
    assert quadratic_for_sure(findings) == []


@pytest.mark.parametrize("chars", [SHORT_CHARS, LONG_CHARS])
def test_no_random_shape_takes_quadratic_time(chars: int) -> None:
    count, findings, _ = search(random_shapes(chars), chars, SECONDS)
    assert count >= len(ENTRIES)
    assert quadratic_for_sure(findings) == []


@pytest.mark.parametrize(("exponent", "is_found"), [(1, False), (2, True), (3, True)])
def test_the_search_finds_who_takes_quadratic_time(
    monkeypatch: pytest.MonkeyPatch, exponent: int, is_found: bool
) -> None:
    clock = [0.0]

    def reader(text: str) -> None:
        clock[0] += (len(text) / 100_000) ** exponent

    monkeypatch.setattr(scaling, "time", SimpleNamespace(thread_time=lambda: clock[0]))
    growth = measure("reader", reader, Shape("", "ab"), 1 << 17)
    assert growth.exponent == pytest.approx(exponent)
    assert is_quadratic(growth) is is_found
    assert growth.is_superlinear is is_found


@pytest.mark.parametrize("name", ENTRIES)
def test_a_linear_reader_is_no_finding(name: str) -> None:
    growth = measure(name, ENTRIES[name], Shape("", "4 "), 1 << 20)
    assert not (is_quadratic(growth) and quadratic_for_sure([growth]))


# Each of these was, or could have been, read again and again.
ENDLESS = {
    "decimal commas behind much text": "a" * 1_000_000 + "0{,}5" * 200_000,
    "boxes of bare text": r"\boxed 4 " * 200_000,
    "boxes within boxes": r"\boxed{" * 150_000 + "4" + "}" * 150_000,
    "boxes that differ": "".join(rf"\boxed{{{i}}}, " for i in range(120_000)),
    "a box with a long gap": r"\boxed" + " " * 2_000_000 + "{4}",
    "optional arguments without an end": r"\fbox[" * 300_000,
    "unfinished answer tags": "<answer>" * 250_000,
    "closing tags of a rare name": "<Reasoning>" + "</reasoning" * 200_000,
    "a long numeral in a box": rf"\boxed{{{'7' * 2_000_000}}}",
    "a long numeral": "7" * 2_000_000,
    "null bytes": "\x00" * 2_000_000,
    "lone surrogates": "\ud800" * 300_000,
    "combining marks": "e" + "\u0301" * 300_000,
    "line ends": "\n" * 2_000_000,
    "blanks by command": "4" + r"\quad " * 300_000 + "is",
    "blanks before a closing sign": "4" + r"\quad " * 300_000 + r"\square",
    "closing signs": "4" + r"\square " * 200_000 + "is",
    "directions": "\u202e\u2066" * 500_000,
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_megabytes_take_no_more_than_seconds(kind: str) -> None:
    for name, entry in ENTRIES.items():
        assert cpu_seconds(entry, ENDLESS[kind]) < 10, name  # quadratic time would be minutes


def of_every_block() -> list[str]:
    """A character of every 64, the ends of the planes, and every one that counts as a digit."""
    sampled = range(0, sys.maxunicode + 1, 61)
    digits = (
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.numeric(chr(code), None) is not None
    )
    ends = (plane + offset for plane in range(0, 0x110000, 0x10000) for offset in (0xFFFE, 0xFFFF))
    return [chr(code) for code in chain(sampled, digits, ends)]


def test_a_character_of_every_block_raises_nothing_and_equals_itself() -> None:
    characters = iter(of_every_block())
    equivalent = ENTRIES["itself"]
    while piece := "".join(islice(characters, 40)):
        for entry in ENTRIES.values():
            entry(piece)
        assert equivalent(f"x{piece}y").equal  # type: ignore[attr-defined] # a verdict
