"""Files of rows: every row comes with its number, the broken ones too, in flat memory."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import struct
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers_math import rows as module
from verifiers_math.errors import RowsError
from verifiers_math.rows import Row, read_rows, read_stream

ROWS = [{"answer": "4", "response": r"\boxed{4}"}, {"answer": "é∑", "n": [1, {"a": "]}"}]}]


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def data_of(path: Path) -> list[dict]:
    return [row.data for row in read_rows(path)]


def test_lines_arrays_and_objects_give_the_same_rows(tmp_path):
    lines = "\n".join(json.dumps(row) for row in ROWS)
    assert data_of(written(tmp_path / "a.jsonl", lines)) == ROWS
    assert data_of(written(tmp_path / "b.jsonl", lines + "\r\n\n  \n")) == ROWS
    assert data_of(written(tmp_path / "a.json", json.dumps(ROWS, ensure_ascii=False))) == ROWS
    assert data_of(written(tmp_path / "b.json", " \n" + json.dumps(ROWS, indent=2) + "\n")) == ROWS
    assert data_of(written(tmp_path / "c.json", lines)) == ROWS
    pretty = "\n".join(json.dumps(row, indent=1) for row in ROWS)
    assert data_of(written(tmp_path / "d.json", pretty)) == ROWS
    assert data_of(written(tmp_path / "noname", json.dumps(ROWS))) == ROWS
    assert data_of(written(tmp_path / "e.jsonl", b"\xef\xbb\xbf" + lines.encode())) == ROWS
    assert (
        data_of(written(tmp_path / "e.json", b"\xef\xbb\xbf" + json.dumps(ROWS).encode())) == ROWS
    )


def test_parquet_gives_the_same_rows(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    table = [{"answer": str(n), "prompt": [{"role": "user", "content": "hi"}]} for n in range(200)]
    parquet.write_table(arrow.Table.from_pylist(table), tmp_path / "a.parquet", row_group_size=50)
    rows = read_rows(tmp_path / "a.parquet")
    assert (rows.size, rows.unit) == (200, "rows")
    assert [row.data for row in rows] == table
    assert rows.position == 200
    assert data_of((tmp_path / "a.parquet").rename(tmp_path / "a.data")) == table


def test_a_float_of_32_bits_is_the_decimal_that_it_is_written_as(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    golds = [0.3, None, 1e-20, 1234.5]
    table = arrow.table({"gold": arrow.array(golds, arrow.float32()), "id": [1, 2, 3, 4]})
    parquet.write_table(table, tmp_path / "a.parquet")
    found = data_of(tmp_path / "a.parquet")
    assert found == [{"gold": gold, "id": place} for place, gold in enumerate(golds, 1)]


def test_a_broken_parquet_file_is_an_error_that_names_it(tmp_path):
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    with pytest.raises(RowsError, match=r"a\.parquet as Parquet"):
        read_rows(written(tmp_path / "a.parquet", b"PAR1 and nothing else"))


@pytest.mark.parametrize("content", ["", "\n \n", "[]", " [ ] \n"])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a"])
def test_an_empty_file_has_no_rows(tmp_path, name, content):
    if name == "a.jsonl" and "[" in content:
        pytest.skip("in JSONL a bracket is a faulty line")
    assert data_of(written(tmp_path / name, content)) == []


FAULTS = [
    (b'{"a": 1', "it is not JSON: Expecting ',' delimiter (column 8)"),
    (b"not json", "it is not JSON: Expecting value (column 1)"),
    (b'{"a": "\xff"}', "it is not UTF-8: byte 8 is 0xff"),
    (b"[1, 2]", "it is a list, and an object is wanted"),
    (b'"text"', "it is a string, and an object is wanted"),
    (b"12", "it is a number, and an object is wanted"),
    (b"true", "it is true or false, and an object is wanted"),
    (b"null", "it is null, and an object is wanted"),
    (b'{"a": ' + b"1" * 5000 + b"}", "it holds a number of too many digits"),
    (b'{"a":' * 100_000, "it is nested too deep"),
]


@pytest.mark.parametrize(("line", "fault"), FAULTS, ids=lambda value: str(value)[:20])
def test_a_line_that_cannot_be_read_is_a_row_with_its_number_and_fault(tmp_path, line, fault):
    path = written(tmp_path / "a.jsonl", b'{"a": 1}\n\n' + line + b'\n{"a": 2}\n')
    first, broken, last = read_rows(path)
    assert (first, last) == (Row(1, {"a": 1}), Row(4, {"a": 2}))
    assert (broken.number, broken.data, broken.fault) == (3, {}, fault)
    assert broken.raw == line.decode("utf-8", "replace")[: module.SHOWN_BYTES]


def test_a_line_beyond_the_limit_is_passed_over_without_being_held(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_ROW_BYTES", 1 << 20)
    monkeypatch.setattr(module, "_CHUNK", 1 << 16)
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"a": "')
        for _ in range(64):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n{"a": 2}\n')
    tracemalloc.start()
    long, last = read_rows(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert long.fault == "it has 67,108,874 bytes, and at most 1,048,576 are read"
    assert len(long.raw) == module.SHOWN_BYTES
    assert last == Row(2, {"a": 2})
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('[{"a": 1}, {"a": 2}', "the file ends behind element 2"),
        ('[{"a": 1}, {"a": 2} {"a": 3}]', "'{' follows element 2"),
        ('[{"a": 1}, {"a": 2},', "element 3 is not JSON"),
        ('[{"a": 1}, {"a": 2}, ]', "element 3 is not JSON"),
        ('[{"a": 1}, {"a": 2}, {"a": "x', "element 3 is not JSON: Unterminated string"),
        ('[{"a": 1}, {"a": 2}, {"b": oops, "c": "and more text"}]', "element 3 .* near 'oops"),
        ('[{"a": 1}, {"a": 2}]]', "text follows the end"),
        ('[{"a": 1}, {"a": 2}, {"a": ' + "1" * 5000 + "}]", "element 3 holds a number"),
        ('[{"a": 1}, {"a": 2}, ' + "[" * 200_000, "element 3 .*nested too deep"),
    ],
    ids=lambda value: value[:40],
)
def test_a_broken_array_gives_what_stands_before_the_fault_and_says_where_it_is(
    tmp_path, content, place
):
    rows = iter(read_rows(written(tmp_path / "a.json", content)))
    assert [next(rows).data, next(rows).data] == [{"a": 1}, {"a": 2}]
    with pytest.raises(RowsError, match=place):
        list(rows)


def test_an_element_that_is_no_object_is_a_row_with_a_fault(tmp_path):
    first, second = read_rows(written(tmp_path / "a.json", '[17, {"a": 1}]'))
    assert (first.number, first.raw) == (1, "17")
    assert first.fault == "it is a number, and an object is wanted"
    assert second == Row(2, {"a": 1})


@pytest.mark.parametrize("chunk", range(1, 12))
def test_a_number_is_never_cut_in_two(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(module, "_CHUNK", chunk)
    path = written(tmp_path / "a.json", '[-12.5e-10, true, {"a": 1e5}]')
    number, truth, last = read_rows(path)
    assert (number.raw, truth.raw, last.data) == ("-1.25e-09", "true", {"a": 1e5})


def test_an_element_beyond_the_limit_ends_an_array_with_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_ROW_BYTES", 1000)
    monkeypatch.setattr(module, "_CHUNK", 100)
    content = json.dumps([{"a": 1}, {"a": "x" * 5000}])
    with pytest.raises(RowsError, match="element 2 is longer than 1,000"):
        list(read_rows(written(tmp_path / "a.json", content)))


def test_an_array_that_is_not_utf8_says_about_where(tmp_path):
    path = written(tmp_path / "a.json", b'[{"a": "' + b"x" * 50 + b'\xff"}]')
    with pytest.raises(RowsError, match="is not UTF-8: see about byte 59"):
        list(read_rows(path))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_recognised_by_its_mark(tmp_path, encoding):
    with pytest.raises(RowsError, match="is UTF-16, not UTF-8"):
        read_rows(written(tmp_path / "a.jsonl", ("\ufeff" + '{"a": 1}').encode(encoding)))


def test_what_is_no_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(RowsError, match=r"missing\.jsonl: No such file"):
        read_rows(tmp_path / "missing.jsonl")
    with pytest.raises(RowsError, match="Is a directory"):
        read_rows(tmp_path)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
FLAT = SCALARS | st.lists(SCALARS, max_size=4)
JSON = FLAT | st.lists(FLAT, max_size=3) | st.dictionaries(st.text(), FLAT, max_size=3)


@given(
    st.lists(st.dictionaries(st.text(), JSON), max_size=8),
    st.integers(1, 40),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_an_array_cut_into_chunks_anywhere_gives_its_elements(elements, chunk, indent, ascii):
    text = json.dumps(elements, indent=indent, ensure_ascii=ascii)
    content = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", chunk)
        try:
            found = [row.data for row in read_stream(io.BufferedReader(content), "json")]
        except RowsError:
            found = None
    is_utf8 = ascii or "\\ud" in text or not any("\ud800" <= char <= "\udfff" for char in text)
    assert found == (elements if is_utf8 else None)


def test_rows_come_from_a_pipe_as_it_is_written():
    source, target = os.pipe()
    with open(target, "wb", buffering=0) as writer:
        writer.write(b'{"a": 1}\n')
        rows = read_stream(os.fdopen(source, "rb"))
        assert rows.size is None
        found = iter(rows)
        assert next(found) == Row(1, {"a": 1})
        thread = threading.Thread(target=lambda: writer.write(b'{"a": 2}\n'))
        thread.start()
        assert next(found) == Row(2, {"a": 2})
        thread.join()
    assert list(found) == []


def test_the_position_reaches_the_size(tmp_path):
    for name, content in [("a.jsonl", '{"a": 1}\n{"a": 2}\n'), ("a.json", '[{"a": 1}]')]:
        rows = read_rows(written(tmp_path / name, content))
        assert (rows.position, rows.size) == (0, len(content))
        list(rows)
        assert rows.position == rows.size


def test_a_large_array_is_read_in_flat_memory(tmp_path):
    path = tmp_path / "a.json"
    with path.open("w") as file:
        file.write("[")
        for number in range(20_000):
            file.write(("," if number else "") + json.dumps({"n": number, "t": "x\\" * 1000}))
        file.write("]")
    tracemalloc.start()
    assert sum(row.data["n"] for row in read_rows(path)) == sum(range(20_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16 << 20 < path.stat().st_size


STRANGERS = {
    "UTF-32": "é".encode("utf-32"),
    "gzip": gzip.compress(b'{"a": 1}'),
    "bzip2": bz2.compress(b'{"a": 1}'),
    "xz": lzma.compress(b'{"a": 1}'),
    "zstd": b"\x28\xb5\x2f\xfd and more",
    "a zip archive": b"PK\x03\x04 and more",
    "an Arrow file": b"ARROW1\x00\x00 and more",
}


@pytest.mark.parametrize("what", STRANGERS)
def test_a_file_of_another_kind_is_an_error_that_says_which(tmp_path, what):
    path = written(tmp_path / "a.jsonl", STRANGERS[what])
    with pytest.raises(RowsError, match=f"a.jsonl is .*{what}.*: "):
        read_rows(path)


def test_a_value_that_python_has_not_costs_its_own_row_only(tmp_path):
    arrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    ends, letters = struct.pack("3i", 0, 2, 4), b"\xff\xfeok"
    buffers = [None, arrow.py_buffer(ends), arrow.py_buffer(letters)]
    columns = {
        "text": arrow.Array.from_buffers(arrow.string(), 2, buffers),
        "day": arrow.array([9_000_000, 1], arrow.date32()),
        "time": arrow.array([2**62, 1], arrow.timestamp("us")),
    }
    for name, column in columns.items():
        parquet.write_table(arrow.table({name: column, "n": [1, 2]}), tmp_path / "a.parquet")
        broken, sound = read_rows(tmp_path / "a.parquet")
        assert (broken.number, broken.data) == (1, {})
        assert broken.fault.startswith("it has a value that cannot be read: ")
        assert (sound.number, sound.fault, sound.data["n"]) == (2, "", 2)


def test_parquet_out_of_a_pipe_is_an_error_that_says_what_to_do():
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    reader, writer = os.pipe()
    os.write(writer, b"PAR1 and more")
    os.close(writer)
    with (
        os.fdopen(reader, "rb") as file,
        pytest.raises(RowsError, match="from a pipe: name a file"),
    ):
        read_stream(file)
