# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokenizers: tokenizer.json of a checkpoint, or one made of a GGUF's vocabulary, of
byte-level BPE or of SentencePiece's BPE, or of SentencePiece's tokenizer.model."""

from __future__ import annotations

import base64
import json
import os
import shutil
import struct
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ..errors import Error
from .checkpoint import Checkpoint, read_json

# How words are cut before merges, by tokenizer.ggml.pre: a pattern, or none for
# GPT-2's own; and whether digits stand alone.
_LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
           r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_CUTS: Dict[str, Any] = {"default": (None, False), "gpt-2": (None, False),
                         "smollm": (None, True), "llama-bpe": (_LLAMA3, False),
                         "qwen2": (_QWEN2, False), "deepseek-r1-qwen": (_QWEN2, False)}
# Those whose words are tokens where the vocabulary has them, whatever the merges say, and
# whose texts begin with their first token.
WHOLE_WORDS = ("llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral")
_CUTS.update(dict.fromkeys(WHOLE_WORDS, _CUTS["llama-bpe"]))
# tokenizer.ggml.token_type: what is no text.
_CONTROL, _USER = 3, 4
# What SentencePiece has in place of a space.
_SPACE = "\u2581"
# Fields of sentencepiece_model.proto: of ModelProto, of a piece, of TrainerSpec (with the
# value of its model_type that is BPE) and of NormalizerSpec.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_PIECE, _SCORE, _TYPE = 1, 2, 3
_MODEL_TYPE, _BPE, _SPACE_BEHIND, _UNKNOWN_ID, _BEGIN_ID = 3, 2, 24, 40, 41
_CHARACTERS, _SPACE_PREFIX, _FEW_SPACES = 2, 3, 4


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


def _proto(data: bytes) -> Iterator[Tuple[int, Any]]:
    """The fields of a protobuf message, by number: integers as they are, others as bytes.
    Raises ValueError for what is none."""
    place = 0

    def take(count: int) -> bytes:
        nonlocal place
        place += count
        if place > len(data):
            raise ValueError("a field that ends behind the message")
        return data[place - count:place]

    def varint() -> int:
        result = shift = 0
        while True:
            byte = take(1)[0]
            result |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return result

    while place < len(data):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
        elif kind == 2:
            yield number, take(varint())
        elif kind in (1, 5):
            yield number, take(8 if kind == 1 else 4)
        else:
            raise ValueError(f"a field of the wire type {kind}")


def _of_proto(data: bytes) -> Optional[Dict[str, Any]]:
    """What a GGUF file would say of the vocabulary in a tokenizer.model; None if that is no
    BPE of SentencePiece's."""
    words, scores, kinds = [], [], []
    trainer: Dict[int, Any] = {}
    normalizer: Dict[int, Any] = {}
    try:
        for number, value in _proto(data):
            if number == _PIECES:
                piece = dict(_proto(value))
                words.append(piece[_PIECE].decode("utf-8"))
                scores.append(struct.unpack("<f", piece.get(_SCORE, bytes(4)))[0])
                kinds.append(piece.get(_TYPE, 1))
            elif number == _TRAINER:
                trainer = dict(_proto(value))
            elif number == _NORMALIZER:
                normalizer = dict(_proto(value))
    except (ValueError, KeyError, TypeError, AttributeError, struct.error):
        return None
    if not words or trainer.get(_MODEL_TYPE) != _BPE or trainer.get(_SPACE_BEHIND):
        return None
    begin = trainer.get(_BEGIN_ID, 1)
    return {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": words,
            "tokenizer.ggml.scores": scores, "tokenizer.ggml.token_type": kinds,
            "tokenizer.ggml.unknown_token_id": trainer.get(_UNKNOWN_ID, 0),
            # None is -1 as an integer of 64 bits.
            "tokenizer.ggml.bos_token_id": begin if begin < len(words) else None,
            "tokenizer.ggml.add_space_prefix": normalizer.get(_SPACE_PREFIX, 1),
            "tokenizer.ggml.remove_extra_whitespaces": normalizer.get(_FEW_SPACES, 1),
            "tokenizer.ggml.precompiled_charsmap": normalizer.get(_CHARACTERS, b"")}


def vocabulary(checkpoint: Checkpoint) -> Dict[str, Any]:
    """What a GGUF file says of its vocabulary (`tokenizer.ggml.*`), or would say of that in
    a folder's tokenizer.model; empty for a folder with tokenizer.json, or with neither."""
    if checkpoint.gguf:
        return checkpoint.config
    path = os.path.join(checkpoint.path, "tokenizer.model")
    if os.path.exists(os.path.join(checkpoint.path, "tokenizer.json")) or \
            not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        found = _of_proto(file.read())
    if found is None:
        return {}
    words, kinds = found["tokenizer.ggml.tokens"], found["tokenizer.ggml.token_type"]
    added = os.path.join(checkpoint.path, "added_tokens.json")
    if os.path.exists(added):
        for word, index in sorted(read_json(added).items(), key=lambda item: item[1]):
            if index == len(words):
                words.append(word)
                kinds.append(_CONTROL)
                found["tokenizer.ggml.scores"].append(0.0)
    told = os.path.join(checkpoint.path, "tokenizer_config.json")
    if os.path.exists(told):
        begins = read_json(told).get("add_bos_token")
        if begins is not None:
            found["tokenizer.ggml.add_bos_token"] = bool(begins)
    return found


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
    normalizers: List[Dict[str, Any]] = []
    if config.get("tokenizer.ggml.precompiled_charsmap"):
        normalizers.append({"type": "Precompiled", "precompiled_charsmap": base64.b64encode(
            bytes(config["tokenizer.ggml.precompiled_charsmap"])).decode()})
    if config.get("tokenizer.ggml.remove_extra_whitespaces"):
        normalizers += [
            {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}
            for pattern, content in ((r"\A +| +\z", ""), (" {2,}", " "))]
    if prefix:
        normalizers.append({"type": "Prepend", "prepend": _SPACE})
    normalizers.append({"type": "Replace", "pattern": {"String": " "}, "content": _SPACE})
    unknown = int(config.get("tokenizer.ggml.unknown_token_id", 0))
    return _tokenizer(
        config, {"unk_token": words[unknown], "fuse_unk": True, "byte_fallback": True,
                 "merges": [list(merge[2:]) for merge in merges]},
        normalizer={"type": "Sequence", "normalizers": normalizers},
        decoder={"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": _SPACE}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            *([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if prefix
              else [])]})


def _check(config: Dict[str, Any], path: str) -> None:
    """An error where lists and numbers of a vocabulary are none."""
    words = config.get("tokenizer.ggml.tokens")
    count = len(words) if isinstance(words, list) else 0
    for name, kinds in (("tokens", str), ("merges", str), ("scores", (int, float)),
                        ("token_type", int), ("precompiled_charsmap", int)):
        found = config.get(f"tokenizer.ggml.{name}")
        if found is None and name != "tokens":
            continue
        # One for each token.
        size = 0 if name in ("merges", "precompiled_charsmap") else count
        if not isinstance(found, (list, bytes)) or (size and len(found) != size) or \
                not all(isinstance(item, kinds) for item in found):
            raise Error(f"{path}: 'tokenizer.ggml.{name}': expected a list of "
                        + (f"{size} " if size else "")
                        + ("texts" if kinds is str else "numbers")
                        + f", found {repr(found)[:60]}")
    unknown = config.get("tokenizer.ggml.unknown_token_id", 0)
    if config["tokenizer.ggml.model"] == "llama" and (
            not isinstance(unknown, int) or not 0 <= unknown < count):
        raise Error(f"{path}: 'tokenizer.ggml.unknown_token_id': expected 0 to {count - 1}, "
                    f"found {unknown!r}")


def _of_gguf(config: Dict[str, Any], path: str) -> Optional[Dict[str, Any]]:
    """The object of tokenizer.json; None for a vocabulary of another kind."""
    if config.get("tokenizer.ggml.model") in ("llama", "gpt2"):
        _check(config, path)
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
                            for merge in config["tokenizer.ggml.merges"]],
                 "ignore_merges": name in WHOLE_WORDS},
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
        decoder={**bytes_, "use_regex": True})


def write_tokenizer(checkpoint: Checkpoint, words: Dict[str, Any], path: str) -> bool:
    """Writes tokenizer.json where the checkpoint, whose vocabulary() is `words`, has what is
    understood."""
    given = os.path.join(checkpoint.path, "tokenizer.json")
    if not checkpoint.gguf and os.path.exists(given):
        shutil.copyfile(given, path)
        return True
    made = _of_gguf(words, checkpoint.path)
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
        except (KeyboardInterrupt, SystemExit):
            raise
        # The package panics on some files, which is no Exception.
        except BaseException as error:
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
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            # Of an argument's bytes that are no UTF-8 Python makes half a character.
            raise Error(f"expected a text in UTF-8, found {text[error.start]!r} at character "
                        f"{error.start}") from None
        return self._begin + list(self._tokenizer.encode(text).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, without special ones."""
        return str(self._tokenizer.decode(list(tokens)))
