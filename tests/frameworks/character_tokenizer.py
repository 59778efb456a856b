"""A tokenizer of one token a character, for tests that hand text to a trainer as tokens."""

from __future__ import annotations

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

PAD, END, THINK, THOUGHT = "<pad>", "<|im_end|>", "<think>", "</think>"


def character_tokenizer() -> PreTrainedTokenizerFast:
    """ASCII, and four tokens of their own: padding and end are special, thinking stays in text."""
    characters = [chr(code) for code in range(32, 127)] + ["\n"]
    tokens = [PAD, END, THINK, THOUGHT, *characters]
    core = Tokenizer(models.WordLevel({token: index for index, token in enumerate(tokens)}, PAD))
    core.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    core.decoder = decoders.Fuse()
    core.add_tokens([THINK, THOUGHT])
    return PreTrainedTokenizerFast(tokenizer_object=core, pad_token=PAD, eos_token=END)
