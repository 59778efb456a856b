"""Runs the command line: in this process where that is enough, else as users do."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from verifiers_math.cli import main

ROOT = Path(__file__).parent.parent.parent


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(capsys) -> Callable[..., Done]:
    """Runs a command in this process."""

    def call(*arguments: object) -> Done:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return call


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts a command in a process of its own, in a group of its own."""
    begun: list[subprocess.Popen[bytes]] = []

    def call(*arguments: object, **options) -> subprocess.Popen[bytes]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            [sys.executable, "-m", "verifiers_math", *map(str, arguments)],
            **pipes | {"env": environment, "start_new_session": True} | options,
        )
        begun.append(process)
        return process

    yield call
    for process in begun:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


@pytest.fixture
def write(tmp_path) -> Callable[..., Path]:
    """Writes rows as JSONL; a row that is text or bytes is written as it is."""

    def call(rows: list, name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        lines = (
            row
            if isinstance(row, bytes)
            else (row if isinstance(row, str) else json.dumps(row)).encode()
            for row in rows
        )
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return call


@pytest.fixture
def read() -> Callable[[Path], list[dict]]:
    """Reads JSONL."""
    return lambda path: [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
