r"""GRPO on conversational data with one plain function as the reward, and a look at what it logged.

The model and the sums are those of ``grpo_addition.py``; here a prompt is a list of messages, the
gold is in the column ``solution``, and the reward is the drop-in for TRL's own::

    python examples/grpo_conversational.py --steps 20 --out out/grpo_conversational

After the last step it shows what the judge did, as TRL logged it, and some of the completions with
the answers that were found in them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpo_addition as addition  # first: it sets what torch and the hub read when they load
import pyarrow.parquet as pq
import transformers
from datasets import Dataset
from transformers import set_seed
from transformers.trainer_callback import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

from verifiers_math.integrations.trl import accuracy_reward

SHOWN = 8  # completions


def conversations() -> list[dict[str, Any]]:
    """The sums as a conversational data set: ``prompt`` and ``solution``."""
    return [
        {"prompt": row["prompt"], "solution": f"${row['answer']}$"}
        for row in addition.sums(conversational=True)
    ]


def train(steps: int, out: Path) -> GRPOTrainer:
    """Warm the model up and train it.

    Args:
        steps: The number of GRPO steps.
        out: Where the trainer writes.

    Returns:
        The trainer after its last step.
    """
    set_seed(0)
    tokenizer = addition.make_tokenizer()
    model = addition.make_model(tokenizer)
    addition.warm_up(model, tokenizer, target=addition.WARM_UP_ACCURACY)
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=accuracy_reward,
        train_dataset=Dataset.from_list(conversations()),
        args=GRPOConfig(
            output_dir=str(out),
            max_steps=steps,
            per_device_train_batch_size=64,
            num_generations=8,
            max_completion_length=addition.ANSWER_TOKENS,
            learning_rate=3e-4,
            bf16=False,
            use_cpu=True,
            gradient_checkpointing=False,
            dataloader_pin_memory=False,
            logging_steps=1,
            log_completions=True,
            num_completions_to_print=0,  # they are written, and shown below
            report_to="none",
            save_strategy="no",
            disable_tqdm=True,
        ),
        callbacks=[addition.Progress(5)],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return trainer


def judged(entry: dict[str, float]) -> str:
    """The rewards of a step and what the judge did, a line for each number that is not 0."""
    shown = {
        name: value
        for name, value in sorted(entry.items())
        if value and name.startswith(("rewards/", "judge/"))
    }
    return "\n".join(f"  {name:<28s} {value:.3f}" for name, value in shown.items())


def completions(out: Path, step: int, amount: int = SHOWN) -> str:
    """The first completions of a step, from the table that TRL has written."""
    table = pq.read_table(out / "completions" / f"completions_{step:05d}.parquet")
    return "\n".join(
        f"  {row['prompt'][-1]['content']:>5s} {row['completion'][0]['content']:<16s} "
        f"found {row['judge/answer'] or '-':<4s} gold {row['judge/gold']:<6s} {row['judge/status']}"
        for row in table.slice(0, amount).to_pylist()
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the example; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=20, help="GRPO steps (default: 20)")
    parser.add_argument("--out", type=Path, default=Path("out/grpo_conversational"), metavar="DIR")
    options = parser.parse_args(arguments)
    transformers.logging.set_verbosity_error()
    trainer = train(options.steps, options.out)
    print("\nWhat the judge did in the last step:")
    print(judged(addition.step_logs(trainer)[-1]))
    print("\nSome of its completions:")
    print(completions(options.out, options.steps))
    return 0


if __name__ == "__main__":
    sys.exit(main())
