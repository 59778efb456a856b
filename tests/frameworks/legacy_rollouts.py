"""Run by test_verifiers_legacy.py with a Python that has verifiers 0.3.1; prints JSON.

Each function below is named for what it shows, and returns what the test judges.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import verifiers.legacy as legacy
from datasets import Dataset
from scripted_model import scripted_model
from verifiers.legacy.types import ClientConfig

import verifiers_math

QUESTION = "What is 1/2 + 1/4?"
ANSWER = r"\frac{3}{4}"

BOXED = [
    r"\boxed{\frac{3}{4}}",
    r"It is \boxed{0.75}.",
    r"\boxed{6/8} is it",
    r"<think>\boxed{1/4}</think>So \boxed{3/4}.",
    r"\boxed{2/6}",
    r"\boxed{3/4} or \boxed{1/6}",
    "I do not know.",
    "",
]
UNBOXED = ["The answer is 3/4.", r"<think>\boxed{1/4}</think>So \boxed{3/4}.", "It is 2/6."]
ATTACK = r"\boxed{9^{30000000}}"


def state(completion: str, **more: Any) -> Any:
    """A rollout as verifiers' environments hand it to a rubric."""
    user = {"role": "user", "content": QUESTION}
    given = {"prompt": [user], "answer": ANSWER, "example_id": 0, "info": {"level": 2}}
    made = legacy.State(input=given)
    made["completion"] = [{"role": "assistant", "content": completion}]
    made["trajectory"] = [{"reward": None, "advantage": None}]
    made.update(more)
    return made


def written_for_verifiers(vf: Any) -> dict[str, Any]:
    """Code that was written for `verifiers`' MathRubric; only `vf`, its import, differs."""

    def level(info: dict[str, Any], **kwargs: Any) -> float:
        return float(info["level"])

    async def characters(completion: Any, parser: Any, unit: float) -> float:
        return unit * len(parser.get_assistant_messages(completion)[-1]["content"])

    rubric = vf.MathRubric(
        funcs=[level],
        weights=[0.25],
        parser=vf.MaybeThinkParser(extract_fn=vf.extract_boxed_answer),
        max_workers=2,
        timeout_seconds=5,
    )
    rubric.add_metric(characters)
    rubric.add_reward_func(level, weight=-0.25)
    rubric.add_class_object("unit", 2.0)

    async def run() -> dict[str, Any]:
        alone = [state(completion) for completion in BOXED]
        for one in alone:
            await rubric.score_rollout(one)
        group = [state(completion) for completion in BOXED]
        await rubric.score_group(group)
        found = {
            "names": rubric._get_reward_func_names(),
            "weights": rubric._get_reward_weights(),
            "rewards": [one["reward"] for one in alone],
            "metrics": [one["metrics"] for one in alone],
            "group": [[one["reward"], one["advantage"]] for one in group],
            "steps": [one["trajectory"] for one in group],
        }
        await rubric.cleanup(alone[0])
        await rubric.teardown()
        return found

    return asyncio.run(run())


def in_their_rubric() -> dict[str, list[float]]:
    """`correct_answer` among the functions of verifiers' own Rubric, with several parsers."""
    parsers = {
        "theirs": legacy.MaybeThinkParser(extract_fn=legacy.extract_boxed_answer),
        "plain": legacy.Parser(),
        "thinking": legacy.MaybeThinkParser(),
        "ours": verifiers_math.MaybeThinkParser(verifiers_math.extract_boxed_answer),
    }

    async def run(parser: Any) -> list[float]:
        with verifiers_math.MathRubric() as ours:
            rubric = legacy.Rubric(funcs=[ours.correct_answer], parser=parser)
            states = [state(completion) for completion in [*BOXED, *UNBOXED, ATTACK]]
            await rubric.score_group(states)
        return [one["reward"] for one in states]

    return {name: asyncio.run(run(parser)) for name, parser in parsers.items()}


def in_their_environment() -> dict[str, Any]:
    """Whole rollouts: verifiers' environment asks a model, and scores with a rubric of ours."""
    replies = [text for text in BOXED if text]
    dataset = Dataset.from_list([{"question": QUESTION, "answer": ANSWER}])

    async def evaluate(rubric: Any, **options: Any) -> Any:
        environment = legacy.SingleTurnEnv(dataset=dataset, rubric=rubric, **options)
        with scripted_model({QUESTION: replies}) as url:
            results = await environment.evaluate(
                client=ClientConfig(api_base_url=url, api_key_var="NO_KEY_IS_NEEDED"),
                model="scripted",
                rollouts_per_example=len(replies),
                on_progress=lambda *_: None,
            )
        await environment._teardown()
        outputs = sorted(
            results["outputs"], key=lambda output: replies.index(output["completion"][0].content)
        )
        return environment, [[output["reward"], output["metrics"]] for output in outputs]

    def all_equal(completions: list[Any]) -> list[float]:
        return [1.0] * len(completions)

    async def run() -> dict[str, Any]:
        math = verifiers_math.MathRubric()
        group = verifiers_math.RubricGroup(
            [verifiers_math.MathRubric(), verifiers_math.Rubric([all_equal])]
        )
        _, theirs = await evaluate(legacy.MathRubric())
        alone, scored = await evaluate(math)
        together, summed = await evaluate(group)
        _, unscored = await evaluate(verifiers_math.MathRubric(), score_rollouts=False)
        return {
            "theirs": theirs,
            "scored": scored,
            "summed": summed,
            "unscored": unscored,
            "needs_groups": [alone.requires_group_rollouts, together.requires_group_rollouts],
            "counts": math.counts,
        }

    return asyncio.run(run())


def beside_their_rubric() -> list[Any]:
    """A rubric of ours as a member of verifiers' RubricGroup."""

    def level(info: dict[str, Any]) -> float:
        return float(info["level"])

    async def run() -> list[Any]:
        with verifiers_math.MathRubric() as ours:
            group = legacy.RubricGroup(rubrics=[ours, legacy.Rubric(funcs=[level])])
            states = [state(BOXED[0]), state(BOXED[4])]
            await group.score_group(states)
            one = state(BOXED[0])
            await group.score_rollout(one)
        return [[it["reward"], it["metrics"]] for it in [*states, one]]

    return asyncio.run(run())


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "theirs": written_for_verifiers(legacy),
                "ours": written_for_verifiers(verifiers_math),
                "in_their_rubric": in_their_rubric(),
                "in_their_environment": in_their_environment(),
                "beside_their_rubric": beside_their_rubric(),
            }
        )
    )
