r"""A taskset for verifiers v1 (0.4 and later) whose reward is verifiers_math.

The last line of `ProblemTask` is all that a taskset of one's own needs. The rest makes the example
run anywhere, without a key or a network::

    pip install verifiers verifiers-math
    python examples/verifiers_v1.py

It asks a model that is a script, four times for each problem, and prints what each reply is worth
and why. ``--base-url`` and ``--model`` ask an OpenAI-compatible endpoint instead. The module is an
ordinary taskset too: ``PYTHONPATH=examples vf-eval verifiers_v1``, and prime-rl's orchestrator
names it in the same way.
"""

# mypy: allow-subclassing-any, allow-untyped-decorators

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx
import verifiers.v1 as vf
from scripted_model import scripted_model
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig

from verifiers_math.integrations.verifiers_v1 import CorrectAnswer

__all__ = ["OneCallHarness", "ProblemTaskset"]  # what `vf-eval verifiers_v1` looks for

PROBLEMS = [
    ("What is 1/2 + 1/3?", r"\frac{5}{6}"),
    ("Solve x^2 = 5x - 6.", "x = 2, 3"),
    ("Expand (x + 1)^2.", "x^2 + 2x + 1"),
    ("What is the last digit of 3^{100}?", "1"),
    ("How many primes are below 10?", r"\frac{4}{"),  # a broken gold: nobody's answer is at fault
]

# What the scripted model says to each problem, in turn.
REPLIES = {
    PROBLEMS[0][0]: [r"It is \boxed{5/6}.", r"\boxed{\tfrac{10}{12}}", r"\boxed{2/5}", "5/6"],
    PROBLEMS[1][0]: [r"\boxed{3} or \boxed{2}", r"\boxed{\{2, 3\}}", r"\boxed{2}", r"\boxed{6}"],
    PROBLEMS[2][0]: [r"\boxed{1 + x^2 + 2x}", r"\boxed{x(x+2)+1}", r"\boxed{x^2 + 1}", "Hm."],
    PROBLEMS[3][0]: [r"\boxed{1}", r"\boxed{3}", r"\boxed{9^{9^{9}}}", r"\boxed{3^{100}}"],
    PROBLEMS[4][0]: [r"\boxed{4}", r"\boxed{3}", r"\boxed{2 + 2}", "Four."],
}


class ProblemData(vf.TaskData):
    """A problem and its gold."""

    answer: str


class ProblemTask(vf.Task[ProblemData]):
    """Rewards the right final answer, in a box."""

    @vf.metric
    async def reply_characters(self, trace: vf.Trace) -> float:
        """A metric of the taskset's own."""
        return float(len(trace.last_reply))

    correct_answer = vf.reward(CorrectAnswer(), weight=1.0)


class ProblemTaskset(vf.Taskset[ProblemTask]):
    """The problems of this file."""

    def load(self) -> Iterator[ProblemTask]:
        """Yields one task a problem."""
        for question, answer in PROBLEMS:
            data = ProblemData(prompt=f"{question} Put the answer in a box.", answer=answer)
            yield ProblemTask(data, self.config.task)


class OneCallHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model once, in this process: the plainest agent there is."""

    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Sends the prompt to the endpoint that v1 records the rollout at."""
        body = {"model": ctx.model, "messages": [{"role": "user", "content": data.prompt_text}]}
        async with httpx.AsyncClient(timeout=600.0) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                json=body,
                headers={"Authorization": f"Bearer {secret}"},
            )
        return vf.ProgramResult(exit_code=int(reply.is_error), stdout="", stderr=reply.text)


def eval_config(
    base_url: str, out: Path, *, model: str = "scripted", rollouts: int = 4
) -> EvalConfig:
    """What ``vf-eval verifiers_v1`` would be told on the command line.

    Args:
        base_url: The OpenAI-compatible endpoint.
        out: The folder for v1's records of the run.
        model: The model's name there.
        rollouts: How often to ask each problem.
    """
    seat = {"harness": {"id": "verifiers_v1"}, "runtime": {"type": "subprocess"}}
    return EvalConfig.model_validate(
        {
            "env": {"taskset": {"id": "verifiers_v1"}, "agent": seat},
            "client": {"base_url": base_url, "api_key_var": "OPENAI_API_KEY"},
            "model": model,
            "num_rollouts": rollouts,
            "output_dir": out,
            "push": False,  # nothing is sent anywhere
            "rich": None,
        }
    )


def table(traces: Sequence[vf.Trace]) -> str:
    """One line a rollout: its reward, the reply, and why."""
    lines = []
    for trace in traces:
        reward = trace.rewards["correct_answer"]
        shown = "none" if reward is None else f"{reward.value:.1f}"
        verdict = trace.info["correct_answer"]
        reply = trace.last_reply.replace("\n", " ")
        lines.append(f"{shown:>5}  {reply:24.24}  {verdict['status']:16} {verdict['detail']}")
    return "\n".join(lines)


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", help="an OpenAI-compatible endpoint (default: a script)")
    parser.add_argument("--model", default="scripted", help="the model's name there")
    parser.add_argument("--rollouts", type=int, default=4, help="for each problem (default: 4)")
    options = parser.parse_args(arguments)
    if options.rollouts < 1:
        parser.error("--rollouts must be at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the whole example; returns the exit code."""
    options = parse_arguments(arguments)
    with contextlib.ExitStack() as stack:
        out = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = options.base_url or stack.enter_context(scripted_model(REPLIES))
        config = eval_config(url, out, model=options.model, rollouts=options.rollouts)
        episodes = asyncio.run(run_eval(config))
    traces = [trace for episode in episodes for trace in episode.traces]
    judged = [trace for trace in traces if "correct_answer" in trace.info]
    print(table(judged))
    scored = [trace for trace in judged if trace.ok]
    mean = sum(trace.reward for trace in scored) / max(1, len(scored))
    print(f"\nMean reward {mean:.2f} of {len(scored)} rollouts; not scored: ", end="")
    print(f"{len(judged) - len(scored)}; failed before scoring: {len(traces) - len(judged)}.")
    return 0 if judged else 1


if __name__ == "__main__":
    sys.exit(main())
