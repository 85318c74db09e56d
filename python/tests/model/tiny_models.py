# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of tiny random decoders, and what they compute, in float64 NumPy.

The reference shares nothing with the package: weights are its own, by the names of
Hugging Face files of llama, and so is every step.
"""

import atexit
import functools
import json
import math
import os
import shutil
import struct
import tempfile
import unittest

import numpy as np

import sparseflow as sf
import sparseflow.model
import sparseflow.model.compression.stream
from sparseflow.model.packed import compile_model, program_of_folder

from exact_attention import attention

# Sizes that are no multiples of a tile; three query heads share a key head.
HIDDEN, HEADS, KEY_HEADS, SIZE, INNER, WORDS, LAYERS = 64, 6, 2, 16, 100, 97, 2
POSITIONS = 48


def require_openblas():
    """Skips the test, or the tests of a class, where compressing cannot be done."""
    try:
        sf.compress_file("none", "none", include=".", method="magnitude")
    except sf.Error as error:
        if "OpenBLAS" in str(error):
            raise unittest.SkipTest("this build has no OpenBLAS") from None


def share_programs():
    """The tests of this process compile the programs of models with one geometry once,
    which is most of what these tests take. test_model compiles each."""
    @functools.lru_cache(maxsize=None)
    def compiled(text, threads):
        return sf.CpuProgram(text, threads=threads)

    def shared(text, name="program.mlir", threads=0):
        return compiled(text, threads)
    for module in (sf.model.model, sf.model.compression.stream):
        module.CpuProgram = shared
    return compiled


_bundles = {}


def compile_once(folder, targets):
    """compile_model, once for the folders of this process that hold one program."""
    key = (program_of_folder(folder), *targets)
    if key not in _bundles:
        kept = tempfile.TemporaryDirectory()
        atexit.register(kept.cleanup)
        _bundles[key] = os.path.join(kept.name, "bundle")
        shutil.copytree(compile_model(folder, targets), _bundles[key])
    else:
        shutil.copytree(_bundles[key], os.path.join(folder, "program.bundle"))


def config(**changes):
    """config.json of a tiny llama."""
    return {"architectures": ["LlamaForCausalLM"], "hidden_size": HIDDEN,
            "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
            "num_key_value_heads": KEY_HEADS, "head_dim": SIZE,
            "intermediate_size": INNER, "vocab_size": WORDS,
            "max_position_embeddings": POSITIONS, "rms_norm_eps": 1e-5,
            "rope_theta": 100.0, "hidden_act": "silu", "eos_token_id": 1, **changes}


def random_weights(seed=0, biases=False, head_norms=False, sub_norms=False,
                   tied=False, inner=INNER):
    """Values that f16 holds, by names of Hugging Face files."""
    random = np.random.default_rng(seed)

    def normal(*shape, scale=1.0, mean=0.0):
        return (random.normal(size=shape) * scale + mean).astype("f2").astype("f4")
    queries, keys = HEADS * SIZE, KEY_HEADS * SIZE
    result = {"model.embed_tokens.weight": normal(WORDS, HIDDEN),
              "model.norm.weight": normal(HIDDEN, scale=.2, mean=1)}
    if not tied:
        result["lm_head.weight"] = normal(WORDS, HIDDEN, scale=.2)
    for layer in range(LAYERS):
        p = f"model.layers.{layer}."
        for name, n, k in (("self_attn.q_proj", queries, HIDDEN),
                           ("self_attn.k_proj", keys, HIDDEN),
                           ("self_attn.v_proj", keys, HIDDEN),
                           ("self_attn.o_proj", HIDDEN, queries),
                           ("mlp.gate_proj", inner, HIDDEN),
                           ("mlp.up_proj", inner, HIDDEN),
                           ("mlp.down_proj", HIDDEN, inner)):
            result[p + name + ".weight"] = normal(n, k, scale=1.5 / math.sqrt(k))
            if biases and name[-6:] in ("q_proj", "k_proj", "v_proj"):
                result[p + name + ".bias"] = normal(n, scale=.5)
        norms = ["input_layernorm", "post_attention_layernorm"]
        sizes = [HIDDEN, HIDDEN]
        if head_norms:
            norms += ["self_attn.q_norm", "self_attn.k_norm"]
            sizes += [SIZE, SIZE]
        if sub_norms:
            norms += ["self_attn.attn_sub_norm", "mlp.ffn_sub_norm"]
            sizes += [queries, inner]
        for name, size in zip(norms, sizes):
            result[p + name + ".weight"] = normal(size, scale=.2, mean=1)
    return result


def join_matrices(weights):
    """The same model as Phi 3 has it: queries, keys and values in one matrix, gate and up in
    another."""
    result = dict(weights)
    for layer in range(LAYERS):
        for whole, parts in (("self_attn.qkv_proj", ("self_attn.q_proj", "self_attn.k_proj",
                                                     "self_attn.v_proj")),
                             ("mlp.gate_up_proj", ("mlp.gate_proj", "mlp.up_proj"))):
            result[f"model.layers.{layer}.{whole}.weight"] = np.concatenate(
                [result.pop(f"model.layers.{layer}.{part}.weight") for part in parts])
    return result


def pair_neighbours(weights):
    """The same model as those have it that rotate features (2i, 2i + 1)."""
    return {name: value.reshape(-1, 2, SIZE // 2, HIDDEN).swapaxes(1, 2).reshape(-1, HIDDEN)
            if ".q_proj" in name or ".k_proj" in name else value
            for name, value in weights.items()}


def write_folder(path, weights, members, shards=1):
    """A Hugging Face folder; with several shards also its index."""
    os.makedirs(path)
    with open(os.path.join(path, "config.json"), "w", encoding="utf-8") as file:
        json.dump(members, file)
    halves = {name: value.astype("f2") for name, value in weights.items()}
    if shards == 1:
        sf.save_safetensors(os.path.join(path, "model.safetensors"), halves)
        return
    names, places = sorted(halves), {}
    for shard in range(shards):
        part = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        held = {name: halves[name] for name in names[shard::shards]}
        sf.save_safetensors(os.path.join(path, part), held)
        places.update(dict.fromkeys(held, part))
    with open(os.path.join(path, "model.safetensors.index.json"), "w",
              encoding="utf-8") as file:
        json.dump({"metadata": {}, "weight_map": places}, file)


class Reference:
    """Logits of a text; `rounded`, a type, keeps in it what the program stores in it, and
    `cache` keys and values so; `turned`: what cosines and sines are multiplied by,
    `scales`: what embeddings, scores, residuals and logits are."""

    def __init__(self, weights, rounded="", window=0, theta=100.0,
                 activation="silu", frequencies=None, cache="dense", turned=1.0,
                 scales=(1.0, 1.0, 1.0, 1.0)):
        self.w, self.window, self.activation = weights, window, activation
        self.cache, self.turned, self.scales = cache, turned, scales
        self.scalar = np.float32 if rounded else np.float64
        self.store = {
            "": lambda x: x.astype(np.float64),
            "f16": lambda x: x.astype(np.float16).astype(np.float32),
            "bf16": lambda x: sf.bf16_to_float32(sf.float32_to_bf16(x))}[rounded]
        self.frequencies = theta ** (-np.arange(0, SIZE, 2) / SIZE) \
            if frequencies is None else frequencies

    def weight(self, name):
        return self.w[name].astype(self.scalar)

    def norm(self, x, name):
        scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        return self.store(x * scale * self.weight(name))

    def linear(self, x, name):
        y = x @ self.weight(name + ".weight").T
        return y + self.weight(name + ".bias") if name + ".bias" in self.w else y

    def heads(self, x, count, norm):
        x = self.store(x).reshape(len(x), count, SIZE)
        return self.norm(x, norm) if norm in self.w else x

    def rotate(self, x):
        angle = np.outer(np.arange(len(x)), self.frequencies)[:, None]
        cos, sin = (self.turned * function(angle) for function in (np.cos, np.sin))
        cos, sin = cos.astype(self.scalar), sin.astype(self.scalar)
        # Of the first features, where there are no frequencies for all of them.
        half = len(self.frequencies)
        first, second, rest = x[..., :half], x[..., half:2 * half], x[..., 2 * half:]
        return self.store(np.concatenate([first * cos - second * sin,
                                          second * cos + first * sin, rest], -1))

    def act(self, x):
        if self.activation == "gelu_tanh":
            return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
        return np.maximum(x, 0) ** 2 if self.activation == "relu2" else \
            x / (1 + np.exp(-x))

    def logits(self, tokens):
        embed, scores, residual, logits = self.scales
        x = self.store(embed * self.weight("model.embed_tokens.weight")[np.asarray(tokens)])
        for layer in range(LAYERS):
            p = f"model.layers.{layer}."
            h = self.norm(x, p + "input_layernorm.weight")
            q, k, v = (self.heads(self.linear(h, f"{p}self_attn.{n}_proj"), count,
                                  f"{p}self_attn.{n}_norm.weight")
                       for n, count in (("q", HEADS), ("k", KEY_HEADS),
                                        ("v", KEY_HEADS)))
            y = attention(scores * self.rotate(q), self.rotate(k), v, self.store, self.cache,
                          window=self.window)
            if p + "self_attn.attn_sub_norm.weight" in self.w:
                y = self.norm(y, p + "self_attn.attn_sub_norm.weight")
            x = self.store(x + residual * self.linear(y, p + "self_attn.o_proj"))
            h = self.norm(x, p + "post_attention_layernorm.weight")
            up = self.store(self.linear(h, p + "mlp.up_proj"))
            h = self.store(self.act(self.linear(h, p + "mlp.gate_proj")) * up)
            if p + "mlp.ffn_sub_norm.weight" in self.w:
                h = self.norm(h, p + "mlp.ffn_sub_norm.weight")
            x = self.store(x + residual * self.linear(h, p + "mlp.down_proj"))
        head = "lm_head" if "lm_head.weight" in self.w else "model.embed_tokens"
        return logits * self.linear(self.norm(x, "model.norm.weight"), head)


# --- GPT-2

def step_of_two(model, shorter, longer):
    """The logits of a step of two texts, `shorter` of 3 tokens and `longer` of 4, where
    the cache had a longer text in the place of the first."""
    cache = model.cache(2)
    model.forward([[*shorter[:2], 91], longer[:3]], cache)
    cache.lengths = np.array([2, 3], np.int32)
    return model.forward([shorter[2:], longer[3:]], cache)


def gpt2_weights(seed):
    """Values that f16 holds, by names of Hugging Face files: matrices are [K, N]."""
    random = np.random.default_rng(seed)

    def normal(*shape, scale=1.0, mean=0.0):
        return (random.normal(size=shape) * scale + mean).astype("f2").astype("f4")
    result = {"wte.weight": normal(WORDS, HIDDEN),
              "wpe.weight": normal(POSITIONS, HIDDEN, scale=.5)}
    names = ["ln_f"]
    for layer in range(LAYERS):
        names += [f"h.{layer}.ln_1", f"h.{layer}.ln_2"]
        for name, k, n in (("attn.c_attn", HIDDEN, 3 * HIDDEN),
                           ("attn.c_proj", HIDDEN, HIDDEN),
                           ("mlp.c_fc", HIDDEN, INNER), ("mlp.c_proj", INNER, HIDDEN)):
            result[f"h.{layer}.{name}.weight"] = normal(k, n, scale=1.5 / math.sqrt(k))
            result[f"h.{layer}.{name}.bias"] = normal(n, scale=.5)
    for name in names:
        result[name + ".weight"] = normal(HIDDEN, scale=.2, mean=1)
        result[name + ".bias"] = normal(HIDDEN, scale=.3)
    return result


def gpt2_config():
    """config.json of a tiny GPT-2."""
    return {"architectures": ["GPT2LMHeadModel"], "n_embd": HIDDEN, "n_layer": LAYERS,
            "n_head": 4, "n_inner": INNER, "vocab_size": WORDS,
            "n_positions": POSITIONS, "layer_norm_epsilon": 1e-5,
            "activation_function": "gelu_new"}


def gpt2_logits(weights, tokens, rounded="", relu=False):
    """As Reference.logits."""
    store, scalar = Reference({}, rounded).store, np.float32 if rounded else np.float64
    w = {name: value.astype(scalar) for name, value in weights.items()}

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
        return store(x * scale * w[name + ".weight"] + w[name + ".bias"])

    def linear(x, name):
        return x @ w[name + ".weight"] + w[name + ".bias"]
    count = len(tokens)
    x = store(w["wte.weight"][np.asarray(tokens)] + w["wpe.weight"][:count])
    for layer in range(LAYERS):
        p = f"h.{layer}."
        q, k, v = (part.reshape(count, 4, -1) for part in np.split(
            store(linear(norm(x, p + "ln_1"), p + "attn.c_attn")), 3, -1))
        y = attention(q, k, v, store)
        x = store(x + linear(y, p + "attn.c_proj"))
        h = linear(norm(x, p + "ln_2"), p + "mlp.c_fc")
        h = np.maximum(h, 0) if relu else \
            h / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h ** 3)))
        x = store(x + linear(store(h), p + "mlp.c_proj"))
    return norm(x, "ln_f") @ w.get("lm_head.weight", w["wte.weight"]).T


# --- GGUF

_STRING, _ARRAY = 8, 9


def _text(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value):
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _text(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, list):
        inner = _value(value[0])
        kind = inner[:4]
        return struct.pack("<I", _ARRAY) + kind + struct.pack("<Q", len(value)) + \
            b"".join(_value(item)[4:] for item in value)
    if value < 0:
        return struct.pack("<Ii", 5, value)
    return struct.pack("<II", 4, value)


def write_gguf(path, metadata, tensors, alignment=32):
    """`tensors`: name to GGML's number of the type, the shape (rows first), bytes."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        head += _text(key) + _value(value)
    data = b""
    for name, (kind, shape, raw) in tensors.items():
        head += _text(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in reversed(shape))
        head += struct.pack("<IQ", kind, len(data))
        data += raw + b"\0" * (-len(raw) % alignment)
    with open(path, "wb") as file:
        file.write(head + b"\0" * (-len(head) % alignment) + data)


def gguf_metadata(**changes):
    """What a tiny llama's file says."""
    return {"general.architecture": "llama", "llama.block_count": LAYERS,
            "llama.embedding_length": HIDDEN, "llama.attention.head_count": HEADS,
            "llama.attention.head_count_kv": KEY_HEADS,
            "llama.attention.key_length": SIZE, "llama.attention.value_length": SIZE,
            "llama.rope.dimension_count": SIZE, "llama.feed_forward_length": INNER,
            "llama.context_length": POSITIONS, "llama.rope.freq_base": 100.0,
            "llama.attention.layer_norm_rms_epsilon": 1e-5, **changes}


_GGUF_NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
               "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
               "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
               "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm",
               "post_attention_layernorm": "ffn_norm"}


def gguf_tensors(weights):
    """The same model as a GGUF file of llama has it: f16, norms f32, queries and keys
    with neighbours as pairs."""
    result = {}
    for name, value in pair_neighbours(weights).items():
        new = {"model.embed_tokens.weight": "token_embd.weight",
               "model.norm.weight": "output_norm.weight",
               "lm_head.weight": "output.weight"}.get(name)
        if new is None:
            _, _, layer, rest = name.split(".", 3)
            new = f"blk.{layer}.{_GGUF_NAMES[rest[:-7]]}.weight"
        kind, array = (0, value.astype("f4")) if value.ndim == 1 else \
            (1, value.astype("f2"))
        result[new] = (kind, list(value.shape), array.tobytes())
    return result
