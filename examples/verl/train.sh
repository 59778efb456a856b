#!/usr/bin/env bash
# GRPO with verl (0.9), rewarded by verifiers-math. Needs GPUs.
#
#   MODEL=path/to/model TRAIN=train.parquet TEST=test.parquet bash examples/verl/train.sh [overrides]
#
# Each row of the data has verl's columns: data_source, prompt (messages), and
# reward_model = {"style": "rule", "ground_truth": the gold}. Its data_source says where the answer
# stands: behind #### for openai/gsm8k, on a line "Answer: ..." for math_dapo and aime*, in a box for
# every other; reward_kwargs.strict overrides that.
#
# The manager puts the prompt into extra_info, so that an answer which only restates the question
# gets nothing, nor a box inside a thinking block that the chat template opened. With verl's own
# managers leave out the three lines of reward_manager; `remote` needs name=compute_score.
#
# Validation logs val-aux/SOURCE/timeout/mean@n and so on for each number of the result, and
# majority voting (maj@n) by the answers. With val_kwargs.n > 1 it resamples each of them: flags=false
# leaves the accuracy alone.
#
# Each of the reward workers judges in processes of its own; the variable in ray_kwargs bounds them.
set -euo pipefail

python3 -m verl.trainer.main_ppo \
  algorithm.adv_estimator=grpo \
  data.train_files="${TRAIN:?}" \
  data.val_files="${TEST:?}" \
  data.train_batch_size=256 \
  data.max_prompt_length=1024 \
  data.max_response_length=4096 \
  actor_rollout_ref.model.path="${MODEL:?}" \
  actor_rollout_ref.actor.ppo_mini_batch_size=64 \
  actor_rollout_ref.rollout.name=vllm \
  actor_rollout_ref.rollout.n=8 \
  reward.num_workers=8 \
  reward.custom_reward_function.path=pkg://verifiers_math.integrations.verl \
  reward.custom_reward_function.name=acompute_score \
  +reward.custom_reward_function.reward_kwargs.timeout_seconds=3 \
  +reward.custom_reward_function.reward_kwargs.policy=default \
  reward.reward_manager.source=importlib \
  reward.reward_manager.name=PromptRewardManager \
  reward.reward_manager.module.path=pkg://verifiers_math.integrations.verl_manager \
  +ray_kwargs.ray_init.runtime_env.env_vars.VERIFIERS_MATH_MAX_WORKERS="'2'" \
  trainer.project_name=verifiers_math \
  trainer.experiment_name=grpo \
  "$@"
