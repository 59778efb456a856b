"""``doctor``: whether everything works here: versions, workers, and the limits that they keep."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal, NamedTuple

from verifiers_math import __version__
from verifiers_math.cli import options as shared
from verifiers_math.cli.console import Console, output, shown
from verifiers_math.cli.exits import Exit

SUMMARY: Final = "check that judging works on this machine"

EXAMPLES: Final = """\
examples:
  verifiers-math doctor
  verifiers-math doctor --json
"""

State = Literal["ok", "note", "FAILED"]

SOFT_SECONDS: Final = 0.5
HARD_SECONDS: Final = 30.0
"""Far above the soft limit, so that on a busy machine too the soft one ends what it can."""

DEAF_SECONDS: Final = 2.0
"""The hard limit of what nothing else ends."""

MEMORY_BYTES: Final = 256 << 20


class Check(NamedTuple):
    """One thing that was looked at.

    Attributes:
        name: What it is.
        state: "ok", "note" for what limits but does not break, or "FAILED".
        detail: What was found.
    """

    name: str
    state: State
    detail: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    shared.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Runs every check and tells what was found."""
    checks = []
    for check in all_checks():
        checks.append(check)
        if not options.json:
            print_check(output(), check)
    failed = [check.name for check in checks if check.state == "FAILED"]
    if options.json:
        output().json({"ok": not failed, "checks": [check._asdict() for check in checks]})
    else:
        output().line(f"\nfailed: {', '.join(failed)}" if failed else "\nall is well")
    return Exit.FOUND if failed else Exit.OK


def print_check(console: Console, check: Check) -> None:
    """Prints a check on a line."""
    console.line(f"{check.state:<7} {check.name:<22} {shown(check.detail, 200)}")


def all_checks() -> Iterator[Check]:
    """Every check, one after another; none raises."""
    yield from _environment()
    yield from _packages()
    yield from _verdicts()
    yield from _limits()


# --- environment -------------------------------------------------------------------------------

_PLATFORMS: Final = {
    "linux": ("ok", "the whole contract holds"),
    "darwin": ("note", "the memory of workers is limited by watching only"),
    "win32": ("note", "workers are spawned, and the soft limit kills them"),
}


def _environment() -> Iterator[Check]:
    from verifiers_math.workers.cores import MAX_WORKERS_VARIABLE, pool_size, usable_cores

    yield Check("verifiers-math", "ok", f"{__version__} in {Path(__file__).parent.parent}")
    yield Check("python", "ok", f"{platform.python_version()} ({sys.executable})")
    unknown: tuple[State, str] = ("note", "not tested on this platform")
    state, meaning = _PLATFORMS.get(sys.platform, unknown)
    yield Check("platform", state, f"{platform.platform()}: {meaning}")  # type: ignore[arg-type]
    try:
        size = pool_size(50)
    except ValueError as error:
        yield Check("workers", "FAILED", str(error))
        return
    limit = os.environ.get(MAX_WORKERS_VARIABLE)
    why = f"{MAX_WORKERS_VARIABLE}={limit}" if limit else f"{usable_cores()} usable cores"
    yield Check("workers", "ok", f"at most {size} by {why}")


def _packages() -> Iterator[Check]:
    try:
        required = metadata.requires("verifiers-math") or []
    except metadata.PackageNotFoundError:
        yield Check("packages", "note", "unknown, since verifiers-math itself is not installed")
        return
    for name, extras in sorted(requirements(required).items(), key=lambda item: bool(item[1])):
        try:
            yield Check(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            state: State = "note" if extras else "FAILED"
            wanted_by = f" ({' or '.join(f'[{extra}]' for extra in extras)})" if extras else ""
            yield Check(name, state, f"not installed{wanted_by}")


def requirements(required: Sequence[str]) -> dict[str, list[str]]:
    """Packages by name, each with the extras that want it: none where judging itself does.

    Args:
        required: Requirements as a package's metadata has them: ``rich>=13; extra == "cli"``.
    """
    found: dict[str, list[str]] = {}
    core = set[str]()
    for requirement in required:
        name = re.match(r"[\w.-]+", requirement)
        extra = re.search(r"extra\s*==\s*['\"]([\w.-]+)", requirement)
        if name is None:
            continue
        found.setdefault(name[0], [])
        if extra is None:
            core.add(name[0])
        else:
            found[name[0]].append(extra[1])
    return {name: [] if name in core else extras for name, extras in found.items()}


# --- judging -----------------------------------------------------------------------------------


def _verdicts() -> Iterator[Check]:
    from verifiers_math.equivalence.cascade import PURE_STAGES

    yield _checked("pure stages", partial(_judged, PURE_STAGES))
    yield _checked("math_verify in a worker", partial(_judged, ("math_verify",)))


def _judged(stages: Sequence[str]) -> str:
    from verifiers_math.verifier import Verifier

    begin = perf_counter()
    with Verifier(stages=stages) as verifier:
        verdict = verifier.verify("1/2", r"\boxed{0.5}")
    if not verdict.equal:
        raise AssertionError(f"{verdict.status.value}: {verdict.detail}")
    return f"a right verdict after {perf_counter() - begin:.2f} s"


def _checked(name: str, check: Callable[[], str]) -> Check:
    """A check that fails by raising; doctor has to tell of any failure."""
    try:
        return Check(name, "ok", check())
    except Exception as error:
        return Check(name, "FAILED", f"{type(error).__name__}: {error}")


# --- limits ------------------------------------------------------------------------------------


class Probe(NamedTuple):
    """How a worker misbehaves.

    Attributes:
        name: What it does; see `verifiers_math.cli.probes`.
        kinds: How that may end, as kinds of outcome.
        meaning: What it shows.
        hard_seconds: The hard limit that it gets.
    """

    name: str
    kinds: str
    meaning: str
    hard_seconds: float = HARD_SECONDS


PROBES: Final = {
    "soft limit": Probe(
        "spin", "timeout", f"an endless pair ended at {SOFT_SECONDS} s of CPU time"
    ),
    "stuck worker": Probe(
        "spin_deaf",
        "timeout hard_timeout",
        "a worker that ignores signals was killed",
        DEAF_SECONDS,
    ),
    "memory limit": Probe("allocate", "memory", f"{MEMORY_BYTES >> 20} MiB more could not be had"),
    "dying worker": Probe("die", "crashed", "a worker that dies costs its own pair only"),
}


def _limits() -> Iterator[Check]:
    from verifiers_math.workers import WorkerPool

    try:
        pool = WorkerPool(2, memory_bytes=MEMORY_BYTES, task="verifiers_math.cli.probes:act")
    except ValueError:  # which the check of the workers has told
        return
    try:
        for name, probe in PROBES.items():
            yield _checked(name, partial(_held, pool, probe))
    finally:
        pool.close()
    yield _checked("no process left", _none_left)


def _held(pool: Any, probe: Probe) -> str:
    """Has a worker misbehave, and an honest pair follow it."""
    begin = perf_counter()
    outcome = pool.run(
        probe.name,
        str(2 * MEMORY_BYTES),
        soft_seconds=SOFT_SECONDS,
        hard_seconds=probe.hard_seconds,
    )
    seconds = perf_counter() - begin
    if outcome.kind.value not in probe.kinds.split():
        raise AssertionError(f"it ended as {outcome.kind.value}: {outcome.detail}")
    honest = pool.run("answer", "", soft_seconds=30, hard_seconds=60)
    if honest.kind.value != "equal":
        raise AssertionError(f"the next pair ended as {honest.kind.value}: {honest.detail}")
    return f"{probe.meaning} ({seconds:.1f} s), and the next pair was judged"


def _none_left() -> str:
    """Whether the worker processes are gone; on Linux only."""
    import time

    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not children.exists():
        return "not looked for on this platform"
    deadline = perf_counter() + 5
    while perf_counter() < deadline:
        if not children.read_text().split():
            return "every worker and the fork server ended"
        time.sleep(0.05)
    raise AssertionError(f"still there: {children.read_text()}")
