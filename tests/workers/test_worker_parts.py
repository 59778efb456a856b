"""The small parts of the workers that need no process."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest
from processes import PATIENCE

from verifiers_math.workers import WorkerPool, cores, limits, wire


def cgroup(directory: Path, entries: str, files: dict[str, str]) -> tuple[Path, Path]:
    """Writes a /proc/self/cgroup and a /sys/fs/cgroup."""
    proc, root = directory / "cgroup", directory / "fs"
    proc.write_text(entries)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return proc, root


@pytest.mark.parametrize(
    ("entries", "files", "expected"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000\n"}, 2),
        ("0::/a/b\n", {"a/cpu.max": "100000 100000\n", "a/b/cpu.max": "max 100000\n"}, 1),
        ("0::/\n", {"cpu.max": "50000 100000\n"}, 1),
        ("0::/not/seen/from/here\n", {"cpu.max": "300000 100000\n"}, 3),
        (
            "4:cpu,cpuacct:/a\n",
            {
                "cpu,cpuacct/a/cpu.cfs_quota_us": "200000",
                "cpu,cpuacct/a/cpu.cfs_period_us": "100000",
            },
            2,
        ),
        ("4:cpu:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1", "cpu/a/cpu.cfs_period_us": "100000"}, 8),
        ("nonsense\n0::/\n", {"cpu.max": "nonsense\n"}, 8),
    ],
)
def test_the_quota_of_a_cgroup_bounds_the_cores(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    entries: str,
    files: dict[str, str],
    expected: int,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert cores.usable_cores(*cgroup(tmp_path, entries, files)) == expected


def test_the_affinity_of_the_process_bounds_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5})
    assert cores.usable_cores(tmp_path / "none", tmp_path) == 2


def test_the_environment_bounds_the_size_of_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "usable_cores", lambda: 8)
    assert cores.pool_size(50) == 8
    monkeypatch.setenv("VERIFIERS_MATH_MAX_WORKERS", "3")
    assert (cores.pool_size(50), cores.pool_size(2)) == (3, 2)


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5"])
def test_a_bound_that_is_no_number_is_an_error(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("VERIFIERS_MATH_MAX_WORKERS", text)
    with pytest.raises(ValueError, match="VERIFIERS_MATH_MAX_WORKERS"):
        WorkerPool(1)


@pytest.mark.parametrize("options", [{"max_workers": 0}, {"memory_bytes": 0}])
def test_a_pool_of_nothing_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        WorkerPool(**options)


def test_messages_survive_being_cut_into_pieces() -> None:
    messages: list[dict[str, object]] = [{"text": "a\nb \ud800"}, {}, {"number": 0.1}]
    stream = b"".join(wire.pack(message) for message in messages)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        received: list[dict[str, object]] = []
        reader = threading.Thread(
            target=lambda: received.extend(wire.unpack(line) for line in wire.lines(theirs))
        )
        reader.start()
        for index in range(len(stream)):
            ours.sendall(stream[index : index + 1])
        ours.shutdown(socket.SHUT_WR)
        reader.join()
    assert received == messages


@pytest.mark.parametrize("line", [b"[]", b"{", b"\xff"])
def test_what_is_no_message_is_an_error(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        wire.unpack(line)


def test_where_the_kernel_does_not_limit_memory_its_growth_is_watched() -> None:
    grown = threading.Event()
    limits.watch_memory(32 << 20, grown.set, every=0.01)
    assert not grown.wait(0.1)
    block = bytearray(limits.peak_bytes() + (64 << 20))  # beyond any earlier peak
    block[::4096] = b"x" * len(block[::4096])
    assert grown.wait(PATIENCE)
