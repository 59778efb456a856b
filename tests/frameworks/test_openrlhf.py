"""The reward inside OpenRLHF's own rollout executor: by reward file and by reward server.

OpenRLHF needs vLLM and CUDA to train. Its executor and what makes a training sample of a rollout
do not: ``pip install --no-deps openrlhf aiohttp`` beside torch and transformers is enough here.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
import types
import warnings
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openrlhf.utils.agent", reason="needs openrlhf")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from aiohttp import web
    from openrlhf.utils.agent import SingleTurnAgentExecutor
    from transformers import PreTrainedTokenizerFast

    from tests.frameworks.character_tokenizer import END, character_tokenizer

from verifiers_math.integrations.openrlhf import ahandle

REWARD_FILE = Path(__file__).parent.parent.parent / "examples/openrlhf/reward.py"
PROMPT = "What is 2+3? Put the answer into \\boxed{}.\n"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return character_tokenizer()


class Engine:
    """Stands where vLLM's engine stands, and always writes the same response."""

    def __init__(self, tokenizer: Any, response: str) -> None:
        self.tokens = tokenizer(response + END)["input_ids"]

    async def generate(self, *_: Any, **__: Any) -> Any:
        output = types.SimpleNamespace(
            token_ids=self.tokens, finish_reason="stop", logprobs=None, text=""
        )
        return types.SimpleNamespace(outputs=[output])


async def rollout(source: Any, tokenizer: Any, response: str, label: Any = "5") -> dict[str, Any]:
    """One rollout of OpenRLHF's executor, with the reward from a file or a server's address."""
    sampling = types.SimpleNamespace(max_tokens=200, logprobs=None)
    return await SingleTurnAgentExecutor(str(source)).execute(
        PROMPT, label, sampling, 1000, tokenizer, Engine(tokenizer, response)
    )


@pytest.fixture(scope="module")
def sample_of() -> Any:
    """OpenRLHF's step from a rollout to a training sample; its module names vLLM at import."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if importlib.util.find_spec("vllm") is None:
            for name in ("vllm", "vllm.inputs", "vllm.utils"):
                module = types.ModuleType(name)
                module.__spec__ = ModuleSpec(name, None)
                module.__path__ = []
                module.__getattr__ = lambda name: type(name, (), {})
                patch.setitem(sys.modules, name, module)
        generator = importlib.import_module("openrlhf.trainer.ppo_utils.samples_generator")
    make = generator.SamplesGenerator._process_response_into_experience
    return lambda response: make(None, response)


CASES = [
    (r"It is \boxed{5}.", "5", 1.0, "acc"),
    (r"It is \boxed{6}.", "5", 0.0, "scored"),
    ("It is 5.", "5", 0.0, "no_answer"),
    (r"It is \boxed{5}.", "", 0.0, "gold_unreadable"),
    (r"It is \boxed{2+3}.", "5", 0.0, "scored"),
]


@pytest.mark.parametrize(("response", "label", "reward", "flag"), CASES)
async def test_a_reward_file_gives_each_training_sample_its_reward(
    response: str, label: str, reward: float, flag: str, tokenizer: Any, sample_of: Any
) -> None:
    sample = sample_of(await rollout(REWARD_FILE, tokenizer, response, label))
    assert sample.rewards.shape == sample.scores.shape == (1,)
    assert sample.rewards.tolist() == sample.scores.tolist() == [reward]
    assert sample.info["reward"].tolist() == [reward]
    assert sample.info[flag].tolist() == [1.0]
    assert all(value.shape == (1,) for value in sample.info.values())


async def test_samples_have_the_same_logs_and_make_one_batch(
    tokenizer: Any, sample_of: Any
) -> None:
    samples = [sample_of(await rollout(REWARD_FILE, tokenizer, *case[:2])) for case in CASES]
    batch = type(samples[0]).concat_experiences(samples, tokenizer.pad_token_id)
    assert batch.rewards.flatten().tolist() == [case[2] for case in CASES]
    assert {len(value) for value in batch.info.values()} == {len(CASES)}


async def test_a_reward_server_is_read_by_the_executor(tokenizer: Any, sample_of: Any) -> None:
    async def get_reward(request: web.Request) -> web.Response:
        return web.json_response(await ahandle(await request.json()))

    app = web.Application()
    app.router.add_post("/get_reward", get_reward)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}/get_reward"
    rollouts = await asyncio.gather(*(rollout(url, tokenizer, *case[:2]) for case in CASES))
    await runner.cleanup()
    for done, (_, _, reward, flag) in zip(rollouts, CASES, strict=True):
        sample = sample_of(done)
        assert sample.rewards.flatten().tolist() == sample.scores.flatten().tolist() == [reward]
        assert sample.info[flag].flatten().tolist() == [1.0]


def test_the_flags_of_the_example_are_those_that_openrlhf_has() -> None:
    import openrlhf

    trainer = Path(openrlhf.__file__).parent / "cli/train_ppo_ray.py"
    known = trainer.read_text(encoding="utf-8")
    script = REWARD_FILE.with_name("train.sh").read_text(encoding="utf-8")
    flags = [word for word in script.split() if word.startswith("--")]
    assert "--reward.remote_url" in flags
    assert [flag for flag in flags if f'"{flag}"' not in known] == []
