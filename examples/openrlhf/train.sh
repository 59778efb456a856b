#!/usr/bin/env bash
# GRPO with OpenRLHF (0.11), rewarded by the file beside this one. Needs GPUs.
#
#   MODEL=path/to/model DATA=train.jsonl bash examples/openrlhf/train.sh [more flags]
#
# Each line of DATA is a JSON object with "problem" and "answer". The prompt has to ask for the final
# answer in a box, which is what the template does. The reward's numbers are logged by their names:
# acc, no_answer, gold_unreadable, timeout, ... A rollout that could not be judged has the reward 0
# and scored = 0: look at that number, since a run whose golds nobody can read learns nothing.
#
# With one reward server for all machines instead of a reward file in every engine:
#   --reward.remote_url http://HOST:PORT/get_reward
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Each engine judges in processes of its own: at most so many.
export VERIFIERS_MATH_MAX_WORKERS="${VERIFIERS_MATH_MAX_WORKERS:-4}"

python3 -m openrlhf.cli.train_ppo_ray \
  --actor.model_name_or_path "${MODEL:?}" \
  --data.prompt_dataset "${DATA:?}" \
  --data.input_key problem \
  --data.label_key answer \
  --data.input_template $'{}\nReason step by step, and put the final answer into \\boxed{{}}.\n' \
  --reward.remote_url "$here/reward.py" \
  --algo.advantage.estimator group_norm \
  --algo.dynamic_filtering_enable \
  --algo.dynamic_filtering_range 0.0 1.0 \
  --rollout.n_samples_per_prompt 8 \
  --rollout.batch_size 128 \
  --rollout.max_new_tokens 4096 \
  --train.batch_size 1024 \
  --vllm.num_engines 4 \
  --train.colocate_all \
  --vllm.enable_sleep \
  --ckpt.output_dir out/openrlhf \
  "$@"
