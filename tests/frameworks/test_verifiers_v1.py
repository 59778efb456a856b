"""Real rollouts of verifiers 0.4 that are rewarded here; the model is a script on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers 0.4 (pip install verifiers)")

import verifiers.v1 as vf
import verifiers_v1 as example
from scripted_model import scripted_model
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.serve import EnvClient, EnvServer, env_config_data, serve_env

from verifiers_math.integrations.verifiers_v1 import CorrectAnswer, correct_answer

ROOT = Path(__file__).parents[2]
ENTRY = "verifiers_math.integrations.verifiers_v1:correct_answer"
SEAT = {"harness": {"id": "verifiers_v1"}, "runtime": {"type": "subprocess"}}

# Computer algebra would take minutes over this gold.
ENDLESS_GOLD = r"\int_0^1 \sin(x^{x^x})e^{-x^5}dx"


class Sum(vf.TaskData):
    answer: str | None = None


class Target(vf.TaskData):
    answer: str = "not this one"
    target: Any = None


class PlainTask(vf.Task[Sum]):
    """Has no reward of its own."""


class MethodTask(vf.Task[Sum]):
    @vf.reward(weight=3.0)
    async def correct_answer(self, task: Sum, trace: vf.Trace) -> float:
        return await correct_answer(task, trace)


class TargetTask(vf.Task[Target]):
    right = vf.reward(
        CorrectAnswer(gold="target", timeout_seconds=0.3, policy="strict", name="right"), weight=2.0
    )


class LenientTask(vf.Task[Sum]):
    correct_answer = vf.reward(CorrectAnswer(unscored="zero"))


def plugged(**entry: Any) -> vf.TaskConfig:
    return vf.TaskConfig.model_validate({"rewards": {"correct_answer": {"fn": ENTRY, **entry}}})


async def rollouts(task: Any, replies: list[str], **options: Any) -> list[Any]:
    """A rollout for each reply, all at once; the traces are in the order of the replies."""
    with scripted_model({task.data.prompt: replies}) as url:
        client = {"type": "eval", "base_url": url, "api_key_var": "NO_KEY_IS_NEEDED"}
        config = {**SEAT, "model": "scripted", "client": client, **options}
        async with vf.make_agent(vf.AgentConfig.model_validate(config)) as agent:
            traces = await asyncio.gather(*(agent.run(task) for _ in replies))
    return sorted(traces, key=lambda trace: replies.index(trace.last_reply))


def stored_traces(out: Path) -> list[dict[str, Any]]:
    """The traces as the run has left them on disk."""
    (file,) = out.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [trace for episode in episodes for trace in episode["traces"]]


# --- the example --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A whole run of v1's eval loop over the example's taskset."""
    out = tmp_path_factory.mktemp("run")
    with scripted_model(example.REPLIES) as url:
        episodes = asyncio.run(run_eval(example.eval_config(url, out)))
    traces = [trace for episode in episodes for trace in episode.traces]
    return {"traces": traces, "stored": stored_traces(out)}


RIGHT = {
    r"It is \boxed{5/6}.",
    r"\boxed{\tfrac{10}{12}}",
    r"\boxed{3} or \boxed{2}",
    r"\boxed{\{2, 3\}}",
    r"\boxed{1 + x^2 + 2x}",
    r"\boxed{x(x+2)+1}",
    r"\boxed{1}",
}


def test_every_rollout_of_the_example_is_rewarded_as_it_deserves(run: dict[str, Any]) -> None:
    assert len(run["traces"]) == 20
    for trace in run["traces"]:
        if trace.task.data.idx != 4:  # the broken gold
            assert trace.ok, trace.errors
            assert trace.rewards["correct_answer"].score == float(trace.last_reply in RIGHT)


def test_a_broken_gold_is_not_scored_and_seen_in_the_trace(run: dict[str, Any]) -> None:
    broken = [trace for trace in run["traces"] if trace.task.data.idx == 4]
    boxed = [trace for trace in broken if "boxed" in trace.last_reply]
    assert len(boxed) == 3
    for trace in boxed:
        assert trace.rewards == {"correct_answer": None}
        assert not trace.ok
        assert trace.last_error.type == "TaskError"
        assert "UnscoredError: gold_unreadable: " in trace.last_error.message
        assert trace.metrics["correct_answer/gold_unreadable"] == 1.0
    (silent,) = [trace for trace in broken if "boxed" not in trace.last_reply]
    assert silent.rewards["correct_answer"].score == 0.0  # no answer is no answer


def test_the_metrics_of_task_and_reward_stand_beside_each_other(run: dict[str, Any]) -> None:
    for trace in run["traces"]:
        assert trace.metrics["reply_characters"] == len(trace.last_reply)
        assert trace.metrics["correct_answer/acc"] == float(trace.last_reply in RIGHT)


def test_the_stored_traces_hold_verdicts_and_unscored_rewards(run: dict[str, Any]) -> None:
    traces = run["stored"]
    statuses = [trace["info"]["correct_answer"]["status"] for trace in traces]
    assert statuses.count("correct") == len(RIGHT)
    assert statuses.count("gold_unreadable") == 3
    for trace, status in zip(traces, statuses, strict=True):
        assert (trace["rewards"].get("correct_answer") is None) == (status == "gold_unreadable")


def test_the_table_has_a_line_for_each_rollout_and_says_why(run: dict[str, Any]) -> None:
    lines = example.table(run["traces"]).splitlines()
    assert len(lines) == 20
    assert sum(line.startswith("  1.0  ") for line in lines) == len(RIGHT)
    assert sum(line.startswith(" none  ") and "braces" in line for line in lines) == 3


def test_the_example_runs_as_a_script() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "verifiers_v1.py", "--rollouts", "1"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert "Mean reward 1.00 of 4 rollouts; not scored: 1; failed before" in done.stdout


# --- the three ways to name the reward ----------------------------------------------------------


async def test_a_configuration_plugs_the_reward_into_a_task_that_has_none() -> None:
    task = PlainTask(Sum(prompt="1/2 + 1/4?", answer="0.75"), plugged(weight=2.0))
    right, wrong = await rollouts(task, [r"\boxed{3/4}", r"\boxed{2/6}"])
    assert (right.reward, wrong.reward) == (2.0, 0.0)
    assert right.rewards["correct_answer"].score == 1.0


async def test_a_method_awaits_the_reward() -> None:
    task = MethodTask(Sum(prompt="1/2 + 1/4?", answer="0.75"))
    right, wrong = await rollouts(task, [r"\boxed{3/4}", r"\boxed{2/6}"])
    assert (right.reward, wrong.reward) == (3.0, 0.0)
    assert wrong.metrics["correct_answer/acc"] == 0.0


async def test_a_configuration_replaces_the_reward_of_a_task() -> None:
    task = MethodTask(Sum(prompt="1/2 + 1/4?", answer="0.75"), plugged())
    (right,) = await rollouts(task, [r"\boxed{3/4}"])
    assert right.rewards.keys() == {"correct_answer"}
    assert right.reward == 1.0


async def test_a_reward_with_options_is_an_attribute_of_the_task() -> None:
    task = TargetTask(Target(prompt="What is half of it?", target=["50", "fifty"]))
    right, percent = await rollouts(task, [r"\boxed{50}", r"\boxed{50\%}"])
    assert (right.reward, percent.reward) == (2.0, 0.0)
    assert right.info["right"]["judge"].endswith("strict")


async def test_a_prompt_of_messages_reaches_the_judge() -> None:
    message = vf.UserMessage(content=[vf.TextContentPart(text="What is 2 + 2?")])
    task = PlainTask(Sum(prompt=[message], answer="4"), plugged())
    trace = vf.Trace(
        task=vf.TraceTask(type="PlainTask", data=task.data),
        agent=vf.AgentInfo(config=vf.AgentConfig()),
        root_reply=r"\boxed{2 + 2}",
    )
    await task.score(trace)
    assert trace.reward == 0.0
    assert "restates" in trace.info["correct_answer"]["detail"]


async def test_a_trace_may_be_scored_again_offline() -> None:
    task = LenientTask(Sum(prompt="2 + 2?", answer="5"))
    (trace,) = await rollouts(task, [r"\boxed{4}"])
    assert trace.reward == 0.0
    mended = task.with_data(answer="4")
    trace.rewards, trace.metrics = {}, {}
    await mended.score(trace)
    assert trace.reward == 1.0
    assert trace.metrics["correct_answer/acc"] == 1.0


# --- what goes wrong ----------------------------------------------------------------------------


async def test_a_timeout_leaves_the_reward_none_and_the_other_rollouts_alone() -> None:
    task = TargetTask(Target(prompt="Integrate.", target=ENDLESS_GOLD))
    slow, silent = await rollouts(task, [r"\boxed{\frac{\pi}{7}}", "I cannot."])
    assert slow.rewards == {"right": None}
    assert "UnscoredError: timeout: " in slow.last_error.message
    assert slow.metrics["right/timeout"] == 1.0
    assert (silent.ok, silent.reward) == (True, 0.0)


async def test_unscored_rollouts_count_zero_only_where_the_task_wants_it() -> None:
    (trace,) = await rollouts(LenientTask(Sum(prompt="2 + 2?")), [r"\boxed{4}"])
    assert (trace.ok, trace.rewards["correct_answer"].score) == (True, 0.0)
    assert trace.metrics["correct_answer/gold_unreadable"] == 1.0


async def test_a_task_without_a_gold_field_fails_with_its_fields_named() -> None:
    task = vf.Task(vf.TaskData(prompt="2 + 2?"), plugged())
    (trace,) = await rollouts(task, [r"\boxed{4}"])
    assert trace.rewards == {"correct_answer": None}
    assert "answer, solution, ground_truth of TaskData, whose fields are" in (
        trace.last_error.message
    )


@pytest.mark.parametrize(("message", "calls"), [("UnscoredError: timeout", 1), ("Unscored", 2)])
async def test_a_retry_rule_tells_one_reason_from_another(message: str, calls: int) -> None:
    task = PlainTask(Sum(prompt="2 + 2?"), plugged())
    rule = {"type": "TaskError", "message": message, "max_retries": 1}
    (trace,) = await rollouts(task, [r"\boxed{4}"], retries={"rules": [rule]})
    assert len(trace.errors) == calls
    assert not trace.ok


async def test_v1s_own_scoring_deadline_cancels_the_reward() -> None:
    data = Target(prompt="Integrate.", target=ENDLESS_GOLD, timeout=vf.TaskTimeout(scoring=0.05))
    (trace,) = await rollouts(TargetTask(data), [r"\boxed{\sqrt{2}}"])
    assert trace.is_timeout
    assert trace.rewards == {"right": None}
    assert "right/timeout" not in trace.metrics


# --- many at once -------------------------------------------------------------------------------


async def test_the_event_loop_goes_on_while_many_rollouts_are_scored() -> None:
    endless = Target(prompt="Integrate.", target=ENDLESS_GOLD)
    honest = Target(prompt="Add.", target="4")
    tasks = [TargetTask(data) for data in [endless] * 4 + [honest] * 60]
    traces = [
        vf.Trace(
            task=vf.TraceTask(type="TargetTask", data=task.data),
            agent=vf.AgentInfo(config=vf.AgentConfig()),
            root_reply=rf"\boxed{{\frac{{{4 * (place + 1)}}}{{{place + 1}}}}}",
        )
        for place, task in enumerate(tasks)
    ]
    scoring = asyncio.gather(
        *(task.score(trace) for task, trace in zip(tasks, traces, strict=True)),
        return_exceptions=True,
    )
    ticks = 0
    while not scoring.done():
        await asyncio.sleep(0.005)
        ticks += 1
    assert ticks > 5
    assert all(isinstance(error, vf.TaskError) for error in (await scoring)[:4])
    assert [trace.reward for trace in traces[4:]] == [2.0] * 60


# --- as prime-rl does it ------------------------------------------------------------------------


async def test_an_env_server_rewards_rollouts_and_tells_unscored_ones_apart() -> None:
    with scripted_model(example.REPLIES) as url:
        config = example.eval_config(url, Path())
        config.env.taskset.task = plugged(weight=2.0)
        server = EnvServer(config.env, address="tcp://127.0.0.1:0")
        serving = asyncio.create_task(server.run())
        client = EnvClient(server.address)
        try:
            episodes = [
                await client.run(
                    config.client, "scripted", config.sampling, task.data.model_dump(mode="json")
                )
                for task in server.env.taskset
            ]
        finally:
            await client.close()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
    traces = [episode.traces[0] for episode in episodes]
    assert [trace.ok for trace in traces] == [True] * 4 + [False]
    assert [trace.reward for trace in traces[:4]] == [2.0] * 4
    assert traces[4].rewards == {"correct_answer": None}
    assert traces[4].metrics["correct_answer/gold_unreadable"] == 1.0
    assert traces[0].info["correct_answer"]["stage"] == "number"


def marked(marker: str) -> set[int]:
    """The running processes that have inherited a variable of this name."""
    found = set()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            ended = (entry / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
            # multiprocessing's tracker of semaphores belongs to the tests' own process.
            tracker = "resource_tracker" in (entry / "cmdline").read_text(errors="replace")
            environment = (entry / "environ").read_text(errors="replace")
            if marker in environment and not ended and not tracker:
                found.add(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
async def test_a_pool_of_env_servers_scores_with_workers_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = f"POOL_OF_{os.getpid()}"
    monkeypatch.setenv(marker, "1")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{ROOT / 'examples'}")
    spawn = multiprocessing.get_context("spawn")
    addresses: Any = spawn.Queue()
    needs_algebra = example.ProblemData(prompt="Integrate.", answer=r"\int_0^1 x^2 dx")
    with scripted_model({"Integrate.": [r"\boxed{\frac{1}{3}}"]}) as url:
        config = example.eval_config(url, Path())
        pool = spawn.Process(
            target=serve_env,
            kwargs={
                "config_data": env_config_data(config.env),
                "address": "tcp://127.0.0.1:0",
                "address_queue": addresses,
                "max_workers": 2,
            },
        )
        pool.start()
        client = EnvClient(await asyncio.to_thread(addresses.get, timeout=120))
        try:
            episode = await client.run(
                config.client, "scripted", config.sampling, needs_algebra.model_dump(mode="json")
            )
        finally:
            await client.close()
            serving = marked(marker)
            pool.terminate()
            await asyncio.to_thread(pool.join, 60)
            addresses.close()
            addresses.join_thread()
    assert episode.traces[0].reward == 1.0
    assert episode.traces[0].info["correct_answer"]["stage"] == "math_verify"
    assert len(serving) >= 3  # broker, server, fork server, worker
    for _ in range(1200):
        if not serving & marked(marker):
            break
        await asyncio.sleep(0.05)
    assert not serving & marked(marker)


CONFIG = """\
model = "scripted"
num_rollouts = 1
push = false
output_dir = "{out}"

[client]
base_url = "{url}"
api_key_var = "NO_KEY_IS_NEEDED"

[env.taskset]
id = "verifiers_v1"

[env.taskset.task.rewards.correct_answer]
fn = "verifiers_math.integrations.verifiers_v1:correct_answer"
weight = 0.5

[env.agent]
harness.id = "verifiers_v1"
runtime.type = "subprocess"
"""


# What the console script `vf-eval` does.
COMMAND = "from verifiers.v1.cli.eval.main import main; main()"


def test_the_command_line_takes_the_reward_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    with scripted_model(example.REPLIES) as url:
        file.write_text(CONFIG.format(out=tmp_path / "out", url=url))
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, "@", file, "--no-rich"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'examples'}"},
        )
    assert done.returncode == 0, done.stderr
    rewards = [trace["rewards"].get("correct_answer") for trace in stored_traces(tmp_path)]
    assert rewards.count({"score": 1.0, "weight": 0.5}) == 4
    assert rewards.count(None) == 1
