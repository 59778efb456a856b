r"""Proximal policy optimisation in one file: a tiny model learns to add, rewarded by MathRubric.

The model, the sums and the warm-up are those of ``grpo_addition.py``; here no trainer hides what
happens. Each step samples answers, asks ``await rubric.score_rollout(state)`` what each is worth,
spreads the reward over the tokens with a learned value function (generalised advantage estimation),
and takes a few clipped gradient steps. Two CPU cores are enough::

    python examples/ppo_addition.py --out out/ppo_addition

The run prints its progress, draws the curve of the reward in the terminal, and leaves
``reward.svg`` and ``log.csv`` in the output directory. It exits with an error if the reward has not
risen.
"""

# mypy: allow-subclassing-any, allow-untyped-decorators

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpo_addition as task  # first: it sets the number of torch's threads
import torch
from torch import Tensor, nn
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

import verifiers_math as vf

BATCH = 256  # rollouts a step
EPOCHS = 3  # passes over them
MINIBATCHES = 2  # gradient steps a pass
LEARNING_RATE = 3e-4
CLIP = 0.2  # how far the policy may move from the one that sampled, as a ratio
GAMMA, LAMBDA = 1.0, 1.0  # of the advantages; answers are too short to need a discount
VALUE_WEIGHT, ENTROPY_WEIGHT = 0.5, 0.005
MAX_NORM = 1.0  # of the gradient
TITLE = "PPO on sums of two digits, rewarded by MathRubric"


class ActorCritic(nn.Module):
    """A language model whose hidden states also say how much reward is to be expected.

    Args:
        model: The policy.
    """

    def __init__(self, model: LlamaForCausalLM) -> None:
        super().__init__()
        self.model = model
        self.value = nn.Linear(model.config.hidden_size, 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, tokens: Tensor, start: int) -> tuple[Tensor, Tensor, Tensor]:
        """What is thought of the tokens of a response before each is written.

        Args:
            tokens: Prompts and responses, of shape (rollouts, length).
            start: Where the responses begin.

        Returns:
            The log-probability of each token, the entropy of the distribution that it comes from,
            and the reward expected before it, each of shape (rollouts, length - start).
        """
        out = self.model(input_ids=tokens, output_hidden_states=True)
        log_probs = out.logits[:, start - 1 : -1].log_softmax(dim=-1)
        chosen = log_probs.gather(-1, tokens[:, start:, None]).squeeze(-1)
        entropy = -(log_probs.exp() * log_probs).sum(dim=-1)
        values = self.value(out.hidden_states[-1][:, start - 1 : -1]).squeeze(-1)
        return chosen, entropy, values


@dataclass
class Rollouts:
    """A batch of sampled answers; the shapes are (rollouts, length) and (rollouts, response).

    Attributes:
        tokens: Prompts and responses.
        start: Where the responses begin.
        mask: 1.0 for the tokens of a response up to its end, 0.0 behind it.
        log_probs: Of each token, when it was sampled.
        advantages: How much better each token was than expected, before normalisation.
        returns: The reward that was to come at each token.
        states: What the rubric was given and has found: ``reward``, ``metrics``, ``verdict``.
    """

    tokens: Tensor
    start: int
    mask: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor
    states: list[dict[str, Any]]


async def score(rubric: vf.Rubric, states: Sequence[dict[str, Any]]) -> Tensor:
    """Rewards each rollout by itself, all of them at once."""
    await asyncio.gather(*(rubric.score_rollout(state) for state in states))
    return torch.tensor([state["reward"] for state in states])


def sample(
    actor: ActorCritic,
    tokenizer: PreTrainedTokenizerFast,
    rubric: vf.Rubric,
    rows: Sequence[task.Row],
) -> Rollouts:
    """One answer to each sum, with its reward and the advantages of its tokens."""
    prompts = tokenizer([row["prompt"] for row in rows], return_tensors="pt")["input_ids"]
    start = prompts.shape[1]  # every prompt has four tokens
    with torch.no_grad():
        tokens = actor.model.generate(
            input_ids=prompts,
            attention_mask=torch.ones_like(prompts),
            do_sample=True,
            max_new_tokens=task.ANSWER_TOKENS,
        )
        log_probs, _, values = actor(tokens, start)
    is_end = (tokens[:, start:] == tokenizer.eos_token_id).long()
    mask = (is_end.cumsum(dim=1) - is_end == 0).float()
    texts = tokenizer.batch_decode(tokens[:, start:], skip_special_tokens=True)
    states = [{**row, "completion": text} for row, text in zip(rows, texts, strict=True)]
    rewards = torch.zeros_like(mask)
    last = mask.sum(dim=1).long() - 1
    rewards[torch.arange(len(states)), last] = asyncio.run(score(rubric, states))
    gains = advantages(rewards, values, mask)
    return Rollouts(tokens, start, mask, log_probs, gains, gains + values, states)


def advantages(rewards: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Generalised advantage estimation (Schulman et al., 2016), from the last token backwards.

    Args:
        rewards: What was paid after each token, of shape (rollouts, response).
        values: What was expected before each token.
        mask: 1.0 for tokens, 0.0 behind the end.

    Returns:
        The advantage of each token, of the same shape; 0.0 behind the end.
    """
    result = torch.zeros_like(rewards)
    later = torch.zeros(len(rewards))
    expected = torch.zeros(len(rewards))  # nothing is to come after the end
    for place in reversed(range(rewards.shape[1])):
        surprise = rewards[:, place] + GAMMA * expected - values[:, place]
        later = (surprise + GAMMA * LAMBDA * later) * mask[:, place]
        expected = values[:, place] * mask[:, place]
        result[:, place] = later
    return result


def update(
    actor: ActorCritic, optimizer: torch.optim.Optimizer, batch: Rollouts
) -> dict[str, float]:
    """A few clipped gradient steps on a batch.

    Returns:
        The means of ``policy_loss``, ``value_loss``, ``entropy`` and ``clipped`` (the share of
        tokens whose ratio was beyond the clip), and ``first_ratio``: the mean ratio before the
        first step, which is 1 unless sampling and learning disagree about the policy.
    """
    logs: list[dict[str, float]] = []
    center = masked_mean(batch.advantages, batch.mask)
    spread = masked_mean((batch.advantages - center) ** 2, batch.mask).sqrt()
    gains = (batch.advantages - center) / (spread + 1e-6)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(batch.tokens)).chunk(MINIBATCHES):
            chosen, entropies, values = actor(batch.tokens[rows], batch.start)
            mask, gain = batch.mask[rows], gains[rows]
            ratio = (chosen - batch.log_probs[rows]).exp()
            near = ratio.clamp(1 - CLIP, 1 + CLIP)
            policy_loss = -masked_mean(torch.minimum(ratio * gain, near * gain), mask)
            value_loss = masked_mean((values - batch.returns[rows]) ** 2, mask)
            entropy = masked_mean(entropies, mask)
            loss = policy_loss + VALUE_WEIGHT * value_loss - ENTROPY_WEIGHT * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(actor.parameters(), MAX_NORM)
            optimizer.step()
            logs.append(
                {
                    "policy_loss": policy_loss.item(),
                    "value_loss": value_loss.item(),
                    "entropy": entropy.item(),
                    "clipped": masked_mean((ratio != near).float(), mask).item(),
                    "ratio": masked_mean(ratio, mask).item(),
                }
            )
    means = {name: sum(log[name] for log in logs) / len(logs) for name in logs[0]}
    del means["ratio"]
    return {**means, "first_ratio": logs[0]["ratio"]}


def masked_mean(of: Tensor, mask: Tensor) -> Tensor:
    """The mean over the tokens where the mask is 1.0."""
    return (of * mask).sum() / mask.sum()


def train(
    actor: ActorCritic,
    tokenizer: PreTrainedTokenizerFast,
    rubric: vf.Rubric,
    *,
    steps: int,
    seed: int = 0,
    batch_size: int = BATCH,
    report_every: int = 10,
) -> list[dict[str, float]]:
    """Runs the loop.

    Args:
        actor: Trained in place.
        tokenizer: Its tokenizer.
        rubric: Scores the rollouts.
        steps: The number of batches.
        seed: For the choice of sums.
        batch_size: Rollouts a step.
        report_every: Steps between two lines of progress.

    Returns:
        What was logged, a dict a step: ``reward`` and each metric of the rubric as a mean over the
        batch, and what `update` returns.
    """
    chooser = random.Random(seed)
    optimizer = torch.optim.AdamW(actor.parameters(), lr=LEARNING_RATE, betas=(0.9, 0.95))
    rows, logs, began = task.sums(), [], time.perf_counter()
    for step in range(1, steps + 1):
        batch = sample(actor, tokenizer, rubric, chooser.choices(rows, k=batch_size))
        metrics = [{"reward": state["reward"], **state["metrics"]} for state in batch.states]
        log = {name: sum(entry[name] for entry in metrics) / len(metrics) for name in metrics[0]}
        logs.append({"step": step, **log, **update(actor, optimizer, batch)})
        if step % report_every == 0 or step == steps:
            recent = [entry["reward"] for entry in logs[-report_every:]]
            mean = sum(recent) / len(recent)
            seconds = time.perf_counter() - began
            bar = "#" * round(40 * mean)
            print(f"  step {step:4d}   reward {mean:.2f}   {bar:<40s} {seconds:4.0f} s")
    return logs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the whole example; returns the exit code."""
    options = task.parse_arguments(
        arguments, description=__doc__ or "", steps=120, out=Path("out/ppo_addition")
    )
    options.out.mkdir(parents=True, exist_ok=True)
    set_seed(options.seed)
    tokenizer = task.make_tokenizer()
    model = task.make_model(tokenizer)
    print(f"Supervised warm-up until {task.WARM_UP_ACCURACY:.0%} of sampled answers are right:")
    task.warm_up(model, tokenizer, target=task.WARM_UP_ACCURACY, seed=options.seed)
    model.eval()
    before = task.accuracy(model, tokenizer, greedy=True)

    print(f"PPO, {options.steps} steps of {BATCH} answers:")
    with task.make_rubric() as rubric:
        actor, size = ActorCritic(model), {"steps": options.steps, "batch_size": BATCH}
        logs = train(actor, tokenizer, rubric, seed=options.seed, **size)
    after = task.accuracy(model, tokenizer, greedy=True)

    return task.conclude(logs, options.out, TITLE, before, after)


if __name__ == "__main__":
    sys.exit(main())
