# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokenizers: tokenizer.json of a checkpoint, or one made of a GGUF's vocabulary, of
byte-level BPE or of SentencePiece's BPE."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any, Dict, List, Optional, Sequence

from ..errors import Error
from .checkpoint import Checkpoint

# How words are cut before merges, by tokenizer.ggml.pre: a pattern, or none for
# GPT-2's own; and whether digits stand alone.
_LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
           r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_CUTS: Dict[str, Any] = {"default": (None, False), "gpt-2": (None, False),
                         "smollm": (None, True), "llama-bpe": (_LLAMA3, False),
                         "qwen2": (_QWEN2, False)}
# tokenizer.ggml.token_type: what is no text.
_CONTROL, _USER = 3, 4
# What SentencePiece has in place of a space.
_SPACE = "\u2581"


def _tokenizer(config: Dict[str, Any], model: Dict[str, Any], **steps: Any
               ) -> Dict[str, Any]:
    """The object of tokenizer.json: a model of the type BPE, and the steps around it."""
    words = config["tokenizer.ggml.tokens"]
    kinds = config.get("tokenizer.ggml.token_type") or [1] * len(words)
    return {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None,
        "pre_tokenizer": None, "post_processor": None, **steps,
        "added_tokens": [
            {"id": index, "content": word, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": False, "special": kind == _CONTROL}
            for index, (word, kind) in enumerate(zip(words, kinds))
            if kind in (_CONTROL, _USER)],
        "model": {"type": "BPE", "dropout": None, "unk_token": None,
                  "continuing_subword_prefix": None, "end_of_word_suffix": None,
                  "fuse_unk": False, "byte_fallback": False,
                  "vocab": {word: index for index, word in enumerate(words)}, **model}}


def _of_sentencepiece(config: Dict[str, Any]) -> Dict[str, Any]:
    """Of a vocabulary with scores: the pair whose token has the best one is merged first."""
    words, scores = (config[f"tokenizer.ggml.{name}"] for name in ("tokens", "scores"))
    numbers = {word: index for index, word in enumerate(words)}
    merges = sorted(
        ((-scores[index], -cut, word[:cut], word[cut:])
         for word, index in numbers.items() for cut in range(1, len(word))
         if word[:cut] in numbers and word[cut:] in numbers))
    # A text begins as a word behind a space does.
    prefix = bool(config.get("tokenizer.ggml.add_space_prefix", True))
    replaced = {"type": "Replace", "pattern": {"String": " "}, "content": _SPACE}
    unknown = int(config.get("tokenizer.ggml.unknown_token_id", 0))
    return _tokenizer(
        config, {"unk_token": words[unknown], "fuse_unk": True, "byte_fallback": True,
                 "merges": [list(merge[2:]) for merge in merges]},
        normalizer={"type": "Sequence", "normalizers": [
            *([{"type": "Prepend", "prepend": _SPACE}] if prefix else []), replaced]},
        decoder={"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": _SPACE}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            *([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if prefix
              else [])]})


def _of_gguf(config: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """The object of tokenizer.json; None for a vocabulary of another kind."""
    if config.get("tokenizer.ggml.model") == "llama" and \
            "tokenizer.ggml.scores" in config:
        return _of_sentencepiece(config)
    if config.get("tokenizer.ggml.model") != "gpt2":
        return None
    name = config.get("tokenizer.ggml.pre", "default")
    if name not in _CUTS or "tokenizer.ggml.merges" not in config:
        return None
    pattern, digits = _CUTS[name]
    steps: List[Dict[str, Any]] = []
    if digits:
        steps.append({"type": "Digits", "individual_digits": True})
    if pattern:
        steps.append({"type": "Split", "pattern": {"Regex": pattern},
                      "behavior": "Isolated", "invert": False})
    bytes_ = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    steps.append({**bytes_, "use_regex": pattern is None})
    return _tokenizer(
        config, {"merges": [merge.split(" ", 1)
                            for merge in config["tokenizer.ggml.merges"]]},
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
        decoder={**bytes_, "use_regex": True})


def write_tokenizer(checkpoint: Checkpoint, path: str) -> bool:
    """Writes tokenizer.json where the checkpoint has what is understood."""
    if not checkpoint.gguf:
        given = os.path.join(checkpoint.path, "tokenizer.json")
        if os.path.exists(given):
            shutil.copyfile(given, path)
            return True
        return False
    made = _of_gguf(checkpoint.config)
    if made is None:
        return False
    with open(path, "w", encoding="utf-8") as file:
        json.dump(made, file, ensure_ascii=False)
    return True


class Tokenizer:
    """Text to tokens and back, by the package `tokenizers`."""

    def __init__(self, folder: str, begin: Sequence[int] = ()) -> None:
        path = os.path.join(folder, "tokenizer.json")
        if not os.path.exists(path):
            raise Error(f"{folder}: has no tokenizer.json, as the checkpoint had none "
                        "that is understood; give the numbers of tokens (--tokens)")
        try:
            from tokenizers import Tokenizer as Implementation
        except ImportError as error:
            raise Error(f"text needs the package tokenizers ({error}): pip install "
                        "tokenizers, or give the numbers of tokens (--tokens)"
                        ) from None
        try:
            self._tokenizer = Implementation.from_file(path)
        except Exception as error:
            raise Error(f"{path}: cannot be read: {error}") from None
        # What a checkpoint cuts or fills texts to is not for whole files.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._begin = list(begin)

    def pieces(self, text: str, window: int) -> List[int]:
        """The tokens of a text as texts of `window` tokens, one behind the other, each with
        the tokens that the model puts around one; what does not fill the last is left out.
        """
        bare = list(self._tokenizer.encode(text, add_special_tokens=False).ids)
        around = self._begin + list(self._tokenizer.encode("").ids)
        begin, end = around[:1], around[1:]
        size = window - len(around)
        if size < 1:
            raise Error(f"expected windows of {len(around) + 1} or more tokens, found "
                        f"{window}")
        return [token for first in range(0, len(bare) - size + 1, size)
                for token in begin + bare[first:first + size] + end]

    def encode(self, text: str) -> List[int]:
        """The tokens of a text, with those that begin one."""
        return self._begin + list(self._tokenizer.encode(text).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, without special ones."""
        return str(self._tokenizer.decode(list(tokens)))
