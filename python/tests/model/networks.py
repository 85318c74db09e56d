# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network of random weights of every family that is imported, and what it computes.

Sizes are those of tiny_models and test_encoder; resize() makes them larger.
"""

import functools
import json
import math
import os

import numpy as np

import sparseflow as sf
from sparseflow.model import import_model
import test_bitnet as bitnet
import test_encoder as bert
import tiny_models as tiny

# Of 37 tokens some see no key of the first ones.
WINDOW = 16


def resize(layers, hidden=256, words=997, positions=128):
    """Gives the generators of checkpoints this many layers and features, 64 a head."""
    tiny.HIDDEN, tiny.HEADS, tiny.KEY_HEADS, tiny.SIZE = hidden, hidden // 64, 2, 64
    tiny.INNER, tiny.WORDS, tiny.LAYERS, tiny.POSITIONS = 688, words, layers, positions
    bert.HIDDEN, bert.HEADS, bert.INNER = hidden, hidden // 64, 4 * hidden
    bert.WORDS, bert.LAYERS, bert.POSITIONS = words, layers, positions
    bert.CONFIG.update(hidden_size=hidden, num_attention_heads=hidden // 64,
                       intermediate_size=4 * hidden, vocab_size=words,
                       num_hidden_layers=layers, max_position_embeddings=positions)


class Network:
    """`write(folder)` writes a checkpoint, a folder or a file, and returns its path;
    `exact(text)` is what a text gives in float64 and `plain(text)` with everything rounded
    that a program keeps, None for encoders."""

    def __init__(self, weights, members, exact, plain=None, held=None):
        self.exact, self.plain = exact, plain
        self._held, self._members = weights if held is None else held, members

    def write(self, folder):
        path = os.path.join(folder, "checkpoint")
        tiny.write_folder(path, self._held, self._members)
        return path

    def load(self, folder, made):
        """Imports it to the folder `made`; what it is imported from is below `folder`."""
        return import_model(self.write(folder), made)


class _Decoder(Network):

    def __init__(self, weights, architecture, held=None, said=None, **choices):
        exact, plain = (tiny.Reference(weights, rounded, **choices).logits
                        for rounded in ("", "f16"))
        members = tiny.config(architectures=[architecture + "ForCausalLM"], **(said or {}))
        super().__init__(weights, members, exact, plain, held)
        self.weights = weights


class _Gguf(_Decoder):
    """A file whose queries and keys have neighbours as pairs."""

    def write(self, folder):
        path = os.path.join(folder, "checkpoint.gguf")
        tiny.write_gguf(path, tiny.gguf_metadata(), tiny.gguf_tensors(self.weights))
        return path


class _Packed(_Decoder):
    """BitNet, with trits four a byte and one scale a matrix."""

    def __init__(self, seed, **said):
        weights, self.trits = bitnet.random_trits(seed, bitnet.one_scale,
                                                         inner=tiny.INNER)
        super().__init__(weights, "BitNet", said={**said, "hidden_act": "relu2"},
                         activation="relu2")

    def write(self, folder):
        path = os.path.join(folder, "checkpoint")
        os.makedirs(path)
        with open(os.path.join(path, "config.json"), "w", encoding="utf-8") as file:
            json.dump(self._members, file)
        tensors = {name: value.astype("f2") for name, value in self.weights.items()}
        for name, trits in self.trits.items():
            tensors[name] = bitnet.pack_bitnet(trits)
            tensors[name + "_scale"] = np.array([np.abs(self.weights[name]).max()], np.float32)
        sf.save_safetensors(os.path.join(path, "model.safetensors"), tensors)
        return path


def _encoder(weights, held, members, **choices):
    return Network(weights, members, lambda text: bert.embedding(weights, text, **choices),
                   held=held)


def _decoders(layers):
    random = functools.partial(tiny.random_weights, inner=tiny.INNER)
    tied = {"tie_word_embeddings": True}
    norms = {name: value - 1 if "norm" in name else value for name, value
             in random(layers + 3, tied=True).items()}
    norms = {name: value.astype("f2").astype("f4") for name, value in norms.items()}
    norms["model.embed_tokens.weight"] = norms["model.embed_tokens.weight"] / 16
    gemma = {name: value + 1 if "norm" in name else value for name, value in norms.items()}
    joined, helium = random(layers + 4), random(layers + 6)
    partial = 100.0 ** (-np.arange(0, tiny.SIZE // 2, 2) / (tiny.SIZE // 2))
    factors = {"embedding_multiplier": 3.0, "attention_multiplier": 0.1,
               "residual_multiplier": 0.22, "logits_scaling": 8.0}
    return {
        "llama": _Decoder(random(layers), "Llama"),
        "llama of a GGUF file": _Gguf(random(layers), "Llama"),
        "mistral, a window": _Decoder(random(layers + 1), "Mistral",
                                      said={"sliding_window": WINDOW}, window=WINDOW),
        "qwen2, biases": _Decoder(random(layers, biases=True, tied=True), "Qwen2", said=tied),
        "qwen3, norms of heads": _Decoder(random(layers, head_norms=True), "Qwen3"),
        "phi3, a window": _Decoder(joined, "Phi3", tiny.join_matrices(joined),
                                   {"sliding_window": WINDOW}, window=WINDOW),
        "phi3, half of the features rotated": _Decoder(
            joined, "Phi3", tiny.join_matrices(joined), {"partial_rotary_factor": .5},
            frequencies=partial),
        "gemma": _Decoder(gemma, "Gemma", norms, {"hidden_act": None}, activation="gelu_tanh",
                          scales=(tiny.HIDDEN ** .5, 1.0, 1.0, 1.0)),
        "granite": _Decoder(random(layers + 5, tied=True), "Granite", said={**tied, **factors},
                            scales=(3.0, 0.1 * math.sqrt(tiny.SIZE), 0.22, 1 / 8)),
        "helium, pairs of neighbours": _Decoder(helium, "Helium", tiny.pair_neighbours(helium)),
        "bitnet, packed trits": _Packed(layers + 7, **tied, quantization_config={
            "quant_method": "bitnet", "linear_class": "autobitlinear"})}


def networks(layers):
    """Every family's, by name."""
    gpt2, weights = tiny.gpt2_weights(layers), bert.random_weights(layers)
    result = _decoders(layers)
    result["gpt2"] = Network(gpt2, tiny.gpt2_config(),
                             lambda text: tiny.gpt2_logits(gpt2, text),
                             lambda text: tiny.gpt2_logits(gpt2, text, "f16"))
    result["bert"] = _encoder(weights, weights, bert.CONFIG)
    result["roberta"] = _encoder(weights, bert.as_roberta(weights, 1), {
        **bert.CONFIG, "architectures": ["RobertaForMaskedLM"],
        "max_position_embeddings": bert.POSITIONS + 2})
    # Those below have one type of segments.
    types = "embeddings.token_type_embeddings.weight"
    weights = {**weights, types: np.zeros_like(weights[types][:1])}
    result["distilbert"] = _encoder(weights, bert.as_distilbert(weights), {
        "architectures": ["DistilBertModel"], "dim": bert.HIDDEN, "n_layers": layers,
        "n_heads": bert.HEADS, "hidden_dim": bert.INNER, "vocab_size": bert.WORDS,
        "max_position_embeddings": bert.POSITIONS, "activation": "gelu"})
    buckets = (2 * np.random.default_rng(layers).normal(size=(32, bert.HEADS))) \
        .astype("f2").astype("f4")
    result["mpnet"] = _encoder(weights, bert.as_mpnet(weights, buckets), {
        **bert.CONFIG, "architectures": ["MPNetModel"], "pad_token_id": 0,
        "relative_attention_num_buckets": 32,
        "max_position_embeddings": bert.POSITIONS + 2}, buckets=buckets)
    return result


def errors(model, network, texts, repeat):
    """Errors by what they may be, of texts and of steps of one token, and how many of
    `repeat` runs differ from the first one."""
    exact = np.stack([network.exact(text) for text in texts])
    if model.geometry.encoder:
        results = [model.embed(texts) for _ in range(repeat)]
        # Each of some thirty roundings to f16 a layer is at most 2^-11 of a value.
        bound = 2e-3 * np.sqrt(model.geometry.layers)
    else:
        results = [model.forward(texts, model.cache(len(texts)), last=False)
                   for _ in range(repeat)]
        bound = 2 * np.linalg.norm(np.stack([network.plain(text) for text in texts]) - exact)
    found = {"texts": float(np.linalg.norm(results[0] - exact) / bound),
             "differ": sum(not np.array_equal(result, results[0]) for result in results)}
    if not model.geometry.encoder:
        cache = model.cache(len(texts))
        steps = np.concatenate([model.forward(texts[:, [t]], cache)
                                for t in range(texts.shape[1])], axis=1)
        found["steps"] = float(np.linalg.norm(steps - exact) / bound)
    return found


def is_right(found):
    """Whether these errors are small enough. A NaN is not."""
    return not found["differ"] and all(found.get(name, 0.0) < 1 for name in ("texts", "steps"))
