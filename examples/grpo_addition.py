r"""Train a tiny language model with GRPO until it can add, with MathRubric as the reward.

A random two-layer Llama of a third of a million parameters reads prompts such as ``3+5=`` and
answers ``\boxed{8}``. A short supervised warm-up teaches it the format and about a fifth of the
sums; from then on it learns from the reward alone. Nothing is downloaded, and two CPU cores are
enough::

    python examples/grpo_addition.py --out out/grpo_addition

The run prints its progress, draws the curve of the reward in the terminal, and leaves
``reward.svg`` and ``log.csv`` in the output directory. It exits with an error if the reward has not
risen.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# Before torch is imported: the model is too small to gain from a second thread, and a reward that
# needs a worker process finds a free core. Nothing may ask the hub, or report to a service.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch
import transformers
from curve import svg_curve, text_curve
from datasets import Dataset
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
    set_seed,
)
from transformers.trainer_callback import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

import verifiers_math as vf
from verifiers_math.integrations.trl import reward_funcs

LARGEST = 9  # a and b run from 0 to this
ANSWER_TOKENS = 5  # \boxed{ , two digits, } and the end
WARM_UP_ACCURACY = 0.2  # low enough to leave something to learn, high enough for a signal
WARM_UP_LIMIT = 400  # batches; about 50 are needed
NEEDED_RISE = 0.15  # between the mean rewards of the first and the last tenth of the run
TITLE = "GRPO on sums of two digits, rewarded by MathRubric"

Row = dict[str, Any]


def make_tokenizer() -> PreTrainedTokenizerFast:
    r"""One token for each digit and sign, and one for ``\boxed{``."""
    words = ["<pad>", "<end>", "<unk>", "\\boxed{", "}", "+", "=", *"0123456789"]
    words_to_ids = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordLevel(words_to_ids, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\\boxed\{|[\s\S]"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="<end>",
        unk_token="<unk>",
        padding_side="left",
        # For conversational data: the contents one after another, without any marker.
        chat_template="{% for message in messages %}{{ message['content'] }}{% endfor %}",
    )


def make_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """A random Llama: two layers of width 128, about 0.33 million parameters."""
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=32,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
        )
    )


def sums(*, conversational: bool = False) -> list[Row]:
    """All sums as rows with a ``prompt`` (text, or a list of messages) and an ``answer``."""
    rows: list[Row] = []
    for a in range(LARGEST + 1):
        for b in range(LARGEST + 1):
            text = f"{a}+{b}="
            prompt = [{"role": "user", "content": text}] if conversational else text
            rows.append({"prompt": prompt, "answer": str(a + b)})
    return rows


@torch.no_grad()
def accuracy(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    *,
    samples: int = 1,
    greedy: bool = False,
) -> float:
    """The share of right answers over all sums, sampled ``samples`` times or greedily."""
    rows = sums() * samples
    inputs = tokenizer([row["prompt"] for row in rows], return_tensors="pt", padding=True)
    tokens = model.generate(
        input_ids=inputs["input_ids"],
        attention_mask=inputs["attention_mask"],
        do_sample=not greedy,
        max_new_tokens=ANSWER_TOKENS,
    )
    answers = tokenizer.batch_decode(
        tokens[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
    )
    verdicts = vf.verify_many(
        [(row["answer"], text) for row, text in zip(rows, answers, strict=True)], strict=True
    )
    return sum(verdict.reward for verdict in verdicts) / len(verdicts)


def warm_up(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    *,
    target: float = WARM_UP_ACCURACY,
    limit: int = WARM_UP_LIMIT,
    seed: int = 0,
) -> float:
    """Train on written answers until sampled accuracy reaches ``target``.

    Args:
        model: The model, trained in place.
        tokenizer: Its tokenizer.
        target: The sampled accuracy, between 0 and 1, at which to stop.
        limit: The most batches of 128 sums.
        seed: For the choice of sums.

    Returns:
        The sampled accuracy that was reached.
    """
    chooser = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    rows = sums()
    reached = 0.0
    for batch in range(1, limit + 1):
        model.train()
        chosen = chooser.choices(rows, k=128)
        texts = [f"{row['prompt']}\\boxed{{{row['answer']}}}<end>" for row in chosen]
        inputs = tokenizer(texts, return_tensors="pt", padding=True)
        # Every prompt is four tokens behind the padding; only what follows it is learned.
        labels = inputs["input_ids"].clone()
        place = inputs["attention_mask"].cumsum(dim=1)
        labels[place <= len("0+0=")] = -100
        loss = model(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            labels=labels,
        ).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if batch % 5 == 0:
            model.eval()
            reached = accuracy(model, tokenizer, samples=4)
            if batch % 20 == 0 or reached >= target:
                print(f"  batch {batch:3d}   loss {loss.item():.3f}   accuracy {reached:.2f}")
            if reached >= target:
                break
    model.train()
    return reached


def in_a_box(completion: str | Sequence[Mapping[str, str]]) -> float:
    """A metric, not a reward: whether the completion is one box and nothing else."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    return float(text.startswith("\\boxed{") and text.endswith("}"))


def make_rubric() -> vf.MathRubric:
    """The reward of the run: a right answer in a box is worth 1.0."""
    rubric = vf.MathRubric(strict=True)
    rubric.add_metric(in_a_box)
    return rubric


class Progress(TrainerCallback):
    """Prints one line every few steps, with the mean reward since the last line."""

    def __init__(self, every: int) -> None:
        self.every = every
        self.rewards: list[float] = []
        self.began = time.perf_counter()

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Called by the trainer after each step."""
        if not logs or "reward" not in logs:
            return
        self.rewards.append(logs["reward"])
        if state.global_step % self.every and state.global_step != state.max_steps:
            return
        mean = sum(self.rewards) / len(self.rewards)
        self.rewards.clear()
        seconds = time.perf_counter() - self.began
        bar = "#" * round(40 * mean)
        print(f"  step {state.global_step:4d}   reward {mean:.2f}   {bar:<40s} {seconds:4.0f} s")


def make_trainer(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    rubric: vf.Rubric,
    *,
    steps: int,
    out: Path,
    seed: int = 0,
    batch_size: int = 256,
    conversational: bool = False,
    report_every: int = 10,
) -> GRPOTrainer:
    """A GRPO trainer for the sums whose reward functions are the rubric's.

    Args:
        model: The model to train.
        tokenizer: Its tokenizer.
        rubric: Gives the rewards; each of its functions is logged under its own name.
        steps: The number of optimizer steps.
        out: A directory for whatever the trainer writes.
        seed: For the order of the data and the sampling.
        batch_size: Completions a step; a multiple of 8, the size of a group.
        conversational: Whether prompts and completions are lists of messages.
        report_every: Steps between two lines of progress.

    Returns:
        The trainer; ``train()`` runs it, and ``state.log_history`` holds one entry a step.
    """
    functions, weights = reward_funcs(rubric)
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=functions,
        train_dataset=Dataset.from_list(sums(conversational=conversational)),
        args=GRPOConfig(
            output_dir=str(out),
            reward_weights=weights,
            max_steps=steps,
            per_device_train_batch_size=batch_size,
            num_generations=8,
            max_completion_length=ANSWER_TOKENS,
            learning_rate=3e-4,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=10,
            adam_beta2=0.95,
            loss_type="dr_grpo",
            scale_rewards="none",
            beta=0.0,
            seed=seed,
            bf16=False,
            use_cpu=True,
            gradient_checkpointing=False,
            dataloader_pin_memory=False,
            logging_steps=1,
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
        ),
        callbacks=[Progress(report_every)],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer


def step_logs(trainer: GRPOTrainer) -> list[dict[str, float]]:
    """The numbers that the trainer logged, one dict a step."""
    return [entry for entry in trainer.state.log_history if "reward" in entry]


def save(logs: Sequence[Mapping[str, float]], out: Path, title: str) -> None:
    """Write ``log.csv`` (every number of every step) and ``reward.svg`` (the curve)."""
    columns = sorted({name for entry in logs for name in entry} - {"step"})
    with (out / "log.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["step", *columns])
        writer.writeheader()
        writer.writerows(logs)
    curve = svg_curve(
        [entry["reward"] for entry in logs],
        title=title,
        x_label="step",
        y_label="mean reward",
    )
    (out / "reward.svg").write_text(curve, encoding="utf-8")


def ends(rewards: Sequence[float]) -> tuple[float, float]:
    """The mean of the first and of the last tenth (at least one step each)."""
    tenth = max(1, len(rewards) // 10)
    return sum(rewards[:tenth]) / tenth, sum(rewards[-tenth:]) / tenth


def conclude(
    logs: Sequence[Mapping[str, float]], out: Path, title: str, before: float, after: float
) -> int:
    """Save and print what a run has come to.

    Args:
        logs: The numbers of every step.
        out: Where the files go.
        title: The title of the curve.
        before: The greedy accuracy before the run.
        after: The same after it.

    Returns:
        The exit code: 1 where the reward has not risen.
    """
    save(logs, out, title)
    rewards = [entry["reward"] for entry in logs]
    first, last = ends(rewards)
    print()
    print(text_curve(rewards, x_label="step", y_label="mean reward"))
    print()
    print(f"Mean reward {first:.2f} -> {last:.2f} (first and last tenth of the steps).")
    print(f"Greedy accuracy {before:.2f} -> {after:.2f} over all {len(sums())} sums.")
    print(f"Curve: {out / 'reward.svg'}   log: {out / 'log.csv'}")
    if last - first < NEEDED_RISE:
        print(
            f"The reward has not risen: {last - first:+.2f}, {NEEDED_RISE:+.2f} is expected. "
            "Were there fewer steps than usual, or has something about the reward changed?",
            file=sys.stderr,
        )
        return 1
    return 0


def parse_arguments(
    arguments: Sequence[str] | None, *, description: str, steps: int, out: Path
) -> argparse.Namespace:
    """Read the command line.

    Args:
        arguments: The arguments; those of the process where None.
        description: What the script does; its first line counts.
        steps: The number of steps by default.
        out: Where ``reward.svg`` and ``log.csv`` go by default.
    """
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=steps, help=f"default: {steps}")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument(
        "--out",
        type=Path,
        default=out,
        metavar="DIR",
        help=f"where reward.svg and log.csv go (default: {out})",
    )
    options = parser.parse_args(arguments)
    if options.steps < 1:
        parser.error("--steps must be at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the whole example; returns the exit code."""
    options = parse_arguments(
        arguments, description=__doc__ or "", steps=300, out=Path("out/grpo_addition")
    )
    options.out.mkdir(parents=True, exist_ok=True)
    transformers.logging.set_verbosity_error()
    # TRL's own defaults use names that transformers is about to rename.
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    set_seed(options.seed)

    tokenizer = make_tokenizer()
    model = make_model(tokenizer)
    size = sum(parameter.numel() for parameter in model.parameters())
    print(f"A random Llama of {size / 1e6:.2f} million parameters, seed {options.seed}.")

    print(f"Supervised warm-up until {WARM_UP_ACCURACY:.0%} of sampled answers are right:")
    warm_up(model, tokenizer, target=WARM_UP_ACCURACY, seed=options.seed)
    before = accuracy(model, tokenizer, greedy=True)

    print(f"GRPO, {options.steps} steps of 32 sums with 8 answers each:")
    with make_rubric() as rubric:
        trainer = make_trainer(
            model, tokenizer, rubric, steps=options.steps, out=options.out, seed=options.seed
        )
        trainer.train()
    model.eval()
    after = accuracy(model, tokenizer, greedy=True)

    return conclude(step_logs(trainer), options.out, TITLE, before, after)


if __name__ == "__main__":
    sys.exit(main())
