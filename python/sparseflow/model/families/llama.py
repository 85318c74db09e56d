# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llama family: Llama, Mistral, Qwen 2 and 3, and what calls itself one of them."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Dict

import numpy as np

from ...errors import Error
from ..checkpoint import Checkpoint
from .family import Family, architectures_of, register
from ..geometry import Geometry
from .rotary import Rotary, angles_of, check_scaling, complete, longest, \
    pairs_in_front

# Where a config of Qwen does not say which layers have its window, and where one that has a
# window does not say how long it is.
FIRST_WITH_WINDOW, WINDOW = 28, 4096
_FACTORS = "rope_freqs.weight"
# What metadata call the numbers of yarn.
_ORIGINAL = "original_max_position_embeddings"
_YARN = {_ORIGINAL: "original_context_length",
         "beta_fast": "yarn_beta_fast", "beta_slow": "yarn_beta_slow"}


@register
class Llama(Family):
    """RMS norms, rotary positions, gated feed-forward; biases and norms of queries and
    keys where the checkpoint has them."""
    name = "llama"
    architectures = ("LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM",
                     "Qwen3ForCausalLM", "SeedOssForCausalLM")
    gguf = ("llama", "qwen2", "qwen3")
    # Those that have the window of their config though it does not say that they use it.
    windowed = ("MistralForCausalLM",)
    # Which features of config.json's models are pairs.
    order = "split"
    # Whether rotary positions may turn some features only, the first of a head.
    partly = False
    tensors = {
        "token_embd": "model.embed_tokens", "output_norm": "model.norm",
        "output": "lm_head", "blk.attn_norm": "model.layers.{}.input_layernorm",
        "blk.attn_q": "model.layers.{}.self_attn.q_proj",
        "blk.attn_k": "model.layers.{}.self_attn.k_proj",
        "blk.attn_v": "model.layers.{}.self_attn.v_proj",
        "blk.attn_output": "model.layers.{}.self_attn.o_proj",
        "blk.attn_q_norm": "model.layers.{}.self_attn.q_norm",
        "blk.attn_k_norm": "model.layers.{}.self_attn.k_norm",
        "blk.ffn_norm": "model.layers.{}.post_attention_layernorm",
        "blk.ffn_gate": "model.layers.{}.mlp.gate_proj",
        "blk.ffn_up": "model.layers.{}.mlp.up_proj",
        "blk.ffn_down": "model.layers.{}.mlp.down_proj",
    }
    # What a config.json means that does not say it.
    defaults: Dict[str, Any] = {"hidden_act": "silu", "rms_norm_eps": 1e-6,
                                "rope_theta": 10000.0, "sliding_window": WINDOW,
                                _ORIGINAL: None, "tie_word_embeddings": False}
    # Frequencies, which follow from the config.
    ignored = (r"rotary_emb\.inv_freq$", r"^rope_freqs\.weight$")

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        geometry = self._of_gguf(checkpoint) if checkpoint.gguf else \
            self._of_config(checkpoint)
        return dataclasses.replace(geometry,
                                   optional=self.optional(checkpoint, geometry))

    def _of_config(self, checkpoint: Checkpoint) -> Geometry:
        get = lambda key, *default: self.value(checkpoint, key, *default)
        config = checkpoint.config
        if not self.partly:
            self.refuse(checkpoint, "partial_rotary_factor", (1, 1.0))
        self.refuse_quantized(checkpoint)
        heads, hidden = get("num_attention_heads"), get("hidden_size")
        types = config.get("layer_types") or []
        kinds = set(map(str, types)) if isinstance(types, list) else {repr(types), "no list"}
        if len(kinds) > 1:
            raise Error(f"{checkpoint.path}: config: 'layer_types': expected equal "
                        f"layers, found {', '.join(sorted(kinds))}")
        windowed = self.flag(checkpoint, "use_sliding_window",
                             any(name in self.windowed for name in architectures_of(checkpoint)))
        usual = self.defaults["sliding_window"]
        window = config.get("sliding_window", usual) if windowed else None
        if window:
            windowed = self._is_windowed(checkpoint, kinds, get("num_hidden_layers"))
        return Geometry(
            family=self.name, layers=get("num_hidden_layers"), hidden=hidden,
            heads=heads, kv_heads=get("num_key_value_heads", heads),
            head_dim=get("head_dim", hidden // heads), inner=get("intermediate_size"),
            vocabulary=get("vocab_size"),
            positions=longest(self._scaling(checkpoint), get("max_position_embeddings")),
            epsilon=self.value(checkpoint, "rms_norm_eps", self.defaults["rms_norm_eps"],
                               float, zero=True),
            rotary=self.order,
            activation=self.activation(checkpoint, "hidden_act", self.defaults["hidden_act"]),
            tied=self.flag(checkpoint, "tie_word_embeddings", self.defaults["tie_word_embeddings"]),
            window=get("sliding_window", usual) if windowed and window is not None else 0)

    def _is_windowed(self, checkpoint: Checkpoint, kinds: set, layers: int) -> bool:
        """Whether the layers of a config with a window have it. Where it does not say
        (Qwen 2 and 3), those from max_window_layers on do."""
        config = checkpoint.config
        if kinds:
            return kinds == {"sliding_attention"}
        if "use_sliding_window" not in config:
            return True
        first = self.value(checkpoint, "max_window_layers", FIRST_WITH_WINDOW, zero=True)
        if 0 < first < layers:
            raise Error(f"{checkpoint.path}: config: expected a window in all layers or "
                        f"none, found max_window_layers {first} of {layers} layers")
        return first == 0

    def _of_gguf(self, checkpoint: Checkpoint) -> Geometry:
        get = lambda key, *default: self.value(checkpoint, key, *default)
        heads, hidden = get("attention.head_count"), get("embedding_length")
        size = get("attention.key_length", hidden // heads)
        self.refuse(checkpoint, "rope.dimension_count", (size,))
        self.refuse(checkpoint, "attention.value_length", (size,))
        self.refuse(checkpoint, "expert_count", (0,))
        self.refuse(checkpoint, "rope.scaling.type", ("none", "linear", "yarn"))
        for key, usual in (("attn_factor", 1), ("yarn_attn_factor", 1), ("yarn_ext_factor", 1),
                           ("yarn_log_multiplier", 0)):
            self.refuse(checkpoint, f"rope.scaling.{key}", (usual,))
        embedding = checkpoint.shape("token_embd.weight")
        if len(embedding) != 2:
            raise Error(f"{checkpoint.path}: tensor 'token_embd.weight': expected rows of "
                        f"{hidden} numbers, found {embedding}")
        return Geometry(
            family=self.name, layers=get("block_count"), hidden=hidden, heads=heads,
            kv_heads=get("attention.head_count_kv", heads), head_dim=size,
            inner=get("feed_forward_length"),
            vocabulary=embedding[0],
            positions=longest(self._scaling(checkpoint), get("context_length")),
            epsilon=self.value(checkpoint, "attention.layer_norm_rms_epsilon",
                               kind=float, zero=True),
            # Files of llama have their queries and keys in pairs of neighbours.
            rotary="interleaved"
            if checkpoint.config["general.architecture"] == "llama" else "split",
            tied="output.weight" not in checkpoint.names(),
            window=self.value(checkpoint, "attention.sliding_window", 0, zero=True))

    @staticmethod
    def _factors(checkpoint: Checkpoint, count: int) -> np.ndarray:
        """What a file divides each of the frequencies by."""
        factors = checkpoint.read(_FACTORS).astype(np.float64)
        if factors.shape != (count,) or not (np.isfinite(factors) & (factors > 0)).all():
            raise Error(f"{checkpoint.path}: tensor '{_FACTORS}': expected {count} finite "
                        f"numbers above 0, found {list(factors.shape)}, the least "
                        f"{factors.min(initial=np.inf)}")
        return factors

    def _scaling(self, checkpoint: Checkpoint) -> Dict[str, Any]:
        """The parameters of rotary positions, checked and complete."""
        get = lambda key, *default: self.value(checkpoint, key, *default)
        if checkpoint.gguf:
            return complete(self._scaling_of_gguf(checkpoint), get("context_length"), None)
        # Newer files have all of it in one object.
        scaling = checkpoint.config.get("rope_parameters") or \
            checkpoint.config.get("rope_scaling") or {}
        key = "partial_rotary_factor"
        if self.partly and isinstance(scaling, dict) and scaling.get(key) is None:
            scaling = {**scaling, key: checkpoint.config.get(key)}
        check_scaling(scaling, checkpoint.path, self.partly)
        return complete(scaling, get("max_position_embeddings"),
                        get(_ORIGINAL, self.defaults[_ORIGINAL]))

    def _scaling_of_gguf(self, checkpoint: Checkpoint) -> Dict[str, Any]:
        """What metadata say of rotary positions, by the names of config.json."""
        number = lambda key, default: self.value(checkpoint, key, default, float, zero=True)
        arch = checkpoint.config["general.architecture"]
        kind = checkpoint.config.get(f"{arch}.rope.scaling.type", "linear")
        if kind == "none":
            return {}
        # Older files have the second; 0 is none.
        factor = number("rope.scaling.factor", number("rope.scale_linear", 0.0)) or 1.0
        names = _YARN if kind == "yarn" else {}
        return {"rope_type": kind, "factor": factor,
                **{name: self.value(checkpoint, f"rope.scaling.{key}", None, float)
                   for name, key in names.items()}}

    def _turned(self, checkpoint: Checkpoint, geometry: Geometry) -> int:
        """The features of a head that rotary positions turn."""
        share = self._scaling(checkpoint).get("partial_rotary_factor", 1)
        turned = int(geometry.head_dim * share)
        if not turned or turned % 2:
            raise Error(f"{checkpoint.path}: config: 'partial_rotary_factor': expected an even "
                        f"number of the {geometry.head_dim} features, found {share!r} of them")
        return turned

    def stored(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        """The values of our tensor `name` with features as the checkpoint orders them."""
        return super().read(checkpoint, name)

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = self.stored(checkpoint, name)
        if not self.partly or not re.search(r"\.attn_[qk](_norm)?\.", name):
            return values
        g = self._of_config(checkpoint)
        return pairs_in_front(values, g.head_dim, self._turned(checkpoint, g))

    def rotary(self, checkpoint: Checkpoint, geometry: Geometry) -> Rotary:
        scaling, key = self._scaling(checkpoint), "rope_theta"
        base = 10000.0 if checkpoint.gguf else self.defaults[key]
        base = scaling.get(key) or self.value(
            checkpoint, "rope.freq_base" if checkpoint.gguf else key, base, float)
        found = angles_of(float(base), self._turned(checkpoint, geometry), scaling,
                          geometry.positions, checkpoint.path).padded(geometry.head_dim // 2)
        if checkpoint.gguf and _FACTORS in checkpoint.names():
            factors = self._factors(checkpoint, len(found.frequencies))
            found = found._replace(frequencies=found.frequencies / factors)
        return found


@register
class Ernie(Llama):
    """Queries and keys are in pairs of neighbours."""
    name = "ernie4_5"
    architectures = ("Ernie4_5ForCausalLM",)
    gguf = ()
    order = "interleaved"
    defaults = {**Llama.defaults, "rms_norm_eps": 1e-5, "rope_theta": 500000.0,
                "tie_word_embeddings": True}


@register
class Helium(Llama):
    """The same, with other defaults."""
    name = "helium"
    architectures = ("HeliumForCausalLM",)
    gguf = ()
    order = "interleaved"
    defaults = {**Llama.defaults, "rms_norm_eps": 1e-8, "rope_theta": 100000.0}
