"""The service over loopback: its rate beside an echo's, and its latency under attack.

The echo is an endpoint of the same stack (starlette on uvicorn, msgspec) that only decodes the
body and encodes it again. Both run in processes of their own and are asked in turn, each round
with bodies that were never posted before. Then honest requests are posted alone and with attacks
among them.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.common import (
    DEFAULT_DATA,
    ROOT,
    Report,
    Table,
    duration,
    goal,
    median,
    percentile,
    progress,
    skipped,
    three_digits,
)
from benchmarks.corpora import load_attacks
from benchmarks.grpo_batch import Repeats, make_batch
from benchmarks.http_load import Plan
from benchmarks.processes import descendants, still_alive

NAME = "server"
EVALUATE = "/api/v1/evaluate"
SHARE_GOAL = 0.6
P99_GOAL = 2.0
WORKER_GOAL = 2.0
NEEDS = ("starlette", "uvicorn", "msgspec", "prometheus_client")
MOST_A_SECOND = 10_000
"""Requests that are made ready for each second of a pass."""

# Used where the labelled attacks are not there.
OWN_ATTACKS = (
    r"9^{9^{9}}",
    r"\frac{5^{5^{5^{5^5}}}-5}{16}",
    r"\binom{10^9}{10^8}",
    r"\sin(10^{10^{10}})",
    r"10000000!",
    r"(x+y+z+1)^{200}",
    r"\int_0^1 \sin(x^{x^x})e^{-x^5}\,dx",
    "{" * 5000 + "1" + "}" * 5000,
    "1+" * 20_000 + "1",
    "-" * 50_000 + "4",
    "7" * 100_000,
)

_SERVE = """
import sys
from verifiers_math.server import run
run(port=0)
"""
_ECHO = """
import msgspec, uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

async def echo(request):
    value = msgspec.json.decode(await request.body())
    return Response(msgspec.json.encode(value), media_type="application/json")

app = Starlette(routes=[Route("/api/v1/evaluate", echo, methods=["POST"])])
uvicorn.run(app, port=0, access_log=False)
"""
_PORT = re.compile(r"running on http://127\.0\.0\.1:(\d+)")

_WRK = """
local bodies, at = {}, 0
for line in io.lines(%s) do bodies[#bodies + 1] = line end
local headers = { ["content-type"] = "application/json" }
request = function()
  at = at %% #bodies + 1
  return wrk.format("POST", nil, headers, bodies[at])
end
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    add("--rounds", type=int, default=3, metavar="N", help="of the rate (default 3)")
    add("--seconds", type=float, default=2.0, metavar="S", help="of a round (default 2)")
    add("--attack-seconds", type=float, default=8.0, metavar="S", help="of a pass (default 8)")
    add("--connections", type=int, default=32, metavar="N", help="at once (default 32)")
    add("--data", type=Path, default=DEFAULT_DATA, metavar="DIR", help="holds cases/")
    add("--no-wrk", action="store_true", help="measure with the client of this package")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what is right to answer.

    Attributes:
        body: The request.
        label: Whether the answer in it is right.
    """

    body: str
    label: bool


def numeric() -> Iterator[Asked]:
    """Pairs of numbers for ``numeric_diff``."""
    for number in count(100_000):
        asked = {"evaluators": ["numeric_diff"], "expected": f"0.{number}"}
        yield Asked(json.dumps(asked | {"output": f"0.{number + 1}"}), label=True)


def completions(repeats: Repeats, whole: bool = True) -> Iterator[Asked]:
    """Completions of GRPO batches for the judge.

    Args:
        repeats: How often the pairs of gold and answer repeat within a group; across groups they
            never do.
        whole: Whether they are 2,000 to 8,000 characters long, or a sentence with the box.
    """
    golds: set[str] = set()
    for seed in count():
        batch = make_batch(repeats, groups=128, seed=seed)
        known = golds.copy()
        for item in batch:
            golds.add(item.gold)
            if item.gold not in known:
                text = item.text if whole else rf"So it is \boxed{{{item.answer}}}."
                yield Asked(_body(item.gold, text), item.label)


def for_workers() -> Iterator[Asked]:
    """Honest answers that no pure stage decides; one worker needs a moment for each."""
    for number in count(1):
        gold, answer = rf"\min_{{x}} (x^2+{number})", rf"\min_{{y}} (y^2+{number + 1})"
        yield Asked(_body(gold, rf"\boxed{{{answer}}}"), label=False)


def _body(gold: str, text: str) -> str:
    return json.dumps({"evaluators": ["correct_answer"], "expected": gold, "output": text})


def attack_bodies(data: Path) -> Iterator[str]:
    """Attacks over and over, each time with another gold, so that no cache knows them."""
    labelled = [attack.response for attack in load_attacks(data)]
    texts = labelled or [rf"\boxed{{{answer}}}" for answer in OWN_ATTACKS]
    for number, text in enumerate(cycle(texts)):
        yield _body(str(1000 + number), text)


@contextmanager
def serving(script: str) -> Iterator[int]:
    """A server in a process of its own: the port."""
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    log: Any = process.stderr
    try:
        port = next((found[1] for line in log if (found := _PORT.search(line))), None)
        if port is None:
            raise RuntimeError("the server has not started")
        yield int(port)
    finally:
        process.terminate()
        log.read()
        process.wait()


def load(plan: Plan) -> dict[str, Any]:
    """What the client in a process of its own says of a plan."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.http_load"],
        cwd=ROOT,
        input=json.dumps(asdict(plan)),
        capture_output=True,
        text=True,
        check=True,
    )
    tally: dict[str, Any] = json.loads(done.stdout)
    return tally


# --- the rate ------------------------------------------------------------------------------------


def rate(plan: Plan, wrk: str | None) -> float:
    """Answers per second."""
    if wrk is None:
        tally = load(plan)
        return len(tally["answers"]) / float(tally["seconds"])
    script = Path(plan.bodies).with_suffix(".lua")
    script.write_text(_WRK % json.dumps(plan.bodies))
    command = [wrk, "-t1", f"-c{plan.connections}", f"-d{plan.seconds:.0f}s", "-s", str(script)]
    url = f"http://127.0.0.1:{plan.port}{plan.path}"
    said = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(said)
    return float(said.partition("Requests/sec:")[2].split()[0])


def rates(
    requests: Iterator[Asked], ports: tuple[int, int], options: argparse.Namespace, wrk: str | None
) -> list[tuple[float, float]]:
    """The echo's and the service's rate in each round."""
    found = []
    amount = int(MOST_A_SECOND * options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bodies"
        for _ in range(options.rounds):
            path.write_text("\n".join(asked.body for asked in islice(requests, amount)))
            plans = [
                Plan(port, EVALUATE, options.connections, options.seconds, str(path))
                for port in ports
            ]
            found.append((rate(plans[0], wrk), rate(plans[1], wrk)))
    return found


# --- under attack --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pass:
    """Honest requests of one pass.

    Attributes:
        pure: Latencies of those that need no worker, in seconds.
        worked: Latencies of those that need one, with the waits of those told to wait.
        lost: How many had no answer.
        wrong: How many were judged wrong.
        retries: How often one was told to wait.
        attacks: Attacks by the status of their answer.
        attacks_lost: Attacks without an answer.
        rate: Honest answers per second.
    """

    pure: list[float]
    worked: list[float]
    lost: int
    wrong: int
    retries: int
    attacks: dict[str, int]
    attacks_lost: int
    rate: float

    @property
    def p99(self) -> float:
        """The 99 % latency of the honest requests that need no worker."""
        return percentile(self.pure, 0.99)


def run_pass(
    port: int,
    requests: Iterator[Asked],
    slow: Iterator[Asked],
    attacks: Iterator[str],
    options: argparse.Namespace,
) -> Pass:
    """Posts honest requests, and attacks where there are some."""
    amount = int(MOST_A_SECOND * options.attack_seconds)
    usual, long = list(islice(requests, amount)), list(islice(slow, amount // 100))
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("bodies", "slow", "attacks")]
        hostile = list(islice(attacks, amount // 10))
        texts = ([it.body for it in usual], [it.body for it in long], hostile)
        for file, lines in zip(files, texts, strict=True):
            Path(file).write_text("\n".join(lines))
        plan = Plan(
            port,
            EVALUATE,
            options.connections,
            options.attack_seconds,
            bodies=files[0],
            slow=files[1],
            attacks=files[2],
        )
        tally = load(plan)
    if tally["ran_out"]:
        raise RuntimeError("there were too few requests for the time")
    judged = [
        (asked[number], _passed(answer))
        for asked, posted in ((usual, tally["usual"]), (long, tally["slow"]))
        for number, answer in zip(posted["numbers"], posted["answers"], strict=True)
    ]
    return Pass(
        pure=tally["usual"]["latencies"],
        worked=tally["slow"]["latencies"],
        lost=sum(found is None for _, found in judged),
        wrong=sum(found is not None and found != asked.label for asked, found in judged),
        retries=tally["retries"],
        attacks=tally["attacks"],
        attacks_lost=tally["attacks_lost"],
        rate=len(tally["usual"]["numbers"]) / float(tally["seconds"]),
    )


def _passed(answer: Any) -> bool | None:
    if answer is None:
        return None
    found = answer["results"]["correct_answer"]
    return None if found["score"] is None else bool(found["passed"])


# --- the report ----------------------------------------------------------------------------------


def rate_table(found: dict[str, list[tuple[float, float]]]) -> Table:
    """Rates and their share, medians over the rounds."""
    table = Table(
        "Answers per second (median over the rounds)",
        ["requests", "echo", "service", "share", "shares of the rounds"],
    )
    for name, rounds in found.items():
        shares = " ".join(f"{ours / echo:.2f}" for echo, ours in rounds)
        table.add(
            name,
            three_digits(median(echo for echo, _ in rounds)),
            three_digits(median(ours for _, ours in rounds)),
            f"{share(rounds):.2f}",
            shares,
        )
    return table


def share(rounds: Sequence[tuple[float, float]]) -> float:
    """The service's rate over the echo's, as the median over the rounds."""
    return median(ours / echo for echo, ours in rounds)


def attack_table(alone: Pass, attacked: Pass) -> Table:
    """Both passes side by side."""
    table = Table("Honest requests alone, and with attacks among them", ["", "alone", "attacked"])
    lines: list[tuple[str, Any]] = [
        ("honest answers a second", lambda it: three_digits(it.rate)),
        ("latency of those that need no worker: median", lambda it: duration(median(it.pure))),
        ("latency of those that need no worker: 99 %", lambda it: duration(it.p99)),
        ("those that need a worker", lambda it: len(it.worked)),
        ("those that need a worker: median", lambda it: duration(median(it.worked))),
        ("those that need a worker: longest", lambda it: duration(percentile(it.worked, 1))),
        ("told to wait", lambda it: it.retries),
        ("lost", lambda it: it.lost),
        ("judged wrong", lambda it: it.wrong),
        ("attacks: answered", lambda it: it.attacks.get("200", 0)),
        ("attacks: refused for want of room", lambda it: it.attacks.get("429", 0)),
        ("attacks: refused as no request", lambda it: _others(it.attacks)),
        ("attacks: without an answer", lambda it: it.attacks_lost),
    ]
    for name, cell in lines:
        table.add(name, cell(alone), cell(attacked))
    return table


def _others(attacks: dict[str, int]) -> int:
    return sum(amount for status, amount in attacks.items() if status not in ("200", "429"))


def run(options: argparse.Namespace) -> Report:
    """The benchmark."""
    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        return skipped(NAME, f"needs {', '.join(missing)}: pip install 'verifiers-math[server]'")
    wrk = None if options.no_wrk else shutil.which("wrk")
    before = descendants()
    rows = sorts_of_requests()
    with serving(_ECHO) as echo, serving(_SERVE) as service:
        found = {}
        for name, (requests, _) in rows.items():
            progress(f"rates: {name}")
            found[name] = rates(requests, (echo, service), options, wrk)
        progress("honest requests alone, then with attacks")
        honest, slow = completions("none", whole=False), for_workers()
        alone = run_pass(service, honest, slow, iter(()), options)
        attacked = run_pass(service, honest, slow, attack_bodies(options.data), options)
        started = descendants() - before
    left = still_alive(started, within_seconds=5.0)
    goals = {name: has_goal for name, (_, has_goal) in rows.items()}
    return _report(found, goals, alone, attacked, len(left), wrk)


def sorts_of_requests() -> dict[str, tuple[Iterator[Asked], bool]]:
    """The requests of which the rate is measured, and whether the goal is about them."""
    return {
        "numeric_diff": (numeric(), True),
        "correct_answer, completions with a group's usual repeats": (completions("usual"), True),
        "correct_answer, completions without repeats": (completions("none"), False),
    }


def _report(
    found: dict[str, list[tuple[float, float]]],
    goals: dict[str, bool],
    alone: Pass,
    attacked: Pass,
    left: int,
    wrk: str | None,
) -> Report:
    ratio, longest = attacked.p99 / alone.p99, percentile(attacked.worked, 1)
    shares = {name: share(rounds) for name, rounds in found.items()}
    report = Report(NAME, tables=[rate_table(found), attack_table(alone, attacked)])
    report.notes = [
        f"client: {'wrk' if wrk else 'asyncio'} for the rates, asyncio under attack",
        *(
            goal(f"{name}: at least {SHARE_GOAL:.0%} of the echo's rate", it >= SHARE_GOAL)
            for name, it in shares.items()
            if goals[name]
        ),
        goal(
            f"99 % latency of those without a worker at most {P99_GOAL:g} x ({ratio:.2f} x)",
            ratio <= P99_GOAL,
        ),
        goal(f"those that need a worker within {WORKER_GOAL:g} s", longest <= WORKER_GOAL),
        goal(f"no honest request lost ({attacked.lost})", attacked.lost == alone.lost == 0),
        goal(f"none judged wrong ({attacked.wrong})", attacked.wrong == alone.wrong == 0),
        goal(f"no process left ({left})", left == 0),
    ]
    report.figures = {
        "rates": found,
        "shares": shares,
        "p99_alone": alone.p99,
        "p99_attacked": attacked.p99,
        "worker_longest": longest,
        "lost": attacked.lost,
        "wrong": attacked.wrong,
        "told_to_wait": attacked.retries,
        "attacks": attacked.attacks,
        "processes_left": left,
    }
    return report
