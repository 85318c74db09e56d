# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPT-2 family: layer norms, embedded positions, weights that are kept as [K, N]."""

from __future__ import annotations

import dataclasses
import re
from typing import List

import numpy as np

from ..checkpoint import Checkpoint
from .family import Family, register
from ..geometry import Geometry

_PART = {"q": 0, "k": 1, "v": 2}


@register
class Gpt2(Family):
    """Queries, keys and values are one matrix of the checkpoint."""
    name = "gpt2"
    architectures = ("GPT2LMHeadModel",)
    tensors = {
        "token_embd": "wte", "position_embd": "wpe", "output_norm": "ln_f", "output": "lm_head",
        "blk.attn_norm": "h.{}.ln_1", "blk.attn_q": "h.{}.attn.c_attn",
        "blk.attn_k": "h.{}.attn.c_attn", "blk.attn_v": "h.{}.attn.c_attn",
        "blk.attn_output": "h.{}.attn.c_proj", "blk.ffn_norm": "h.{}.ln_2",
        "blk.ffn_up": "h.{}.mlp.c_fc", "blk.ffn_down": "h.{}.mlp.c_proj",
    }
    # Masks of older files.
    ignored = (r"(^|\.)attn\.(masked_)?bias$",)

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        get = lambda key, *default: self.value(checkpoint, key, *default)
        self.refuse(checkpoint, "quantization_config", ())
        self.refuse(checkpoint, "scale_attn_by_inverse_layer_idx", (False,))
        self.refuse(checkpoint, "scale_attn_weights", (True,))
        self.refuse(checkpoint, "add_cross_attention", (False,))
        heads, hidden = get("n_head"), get("n_embd")
        geometry = Geometry(
            family=self.name, layers=get("n_layer"), hidden=hidden, heads=heads,
            kv_heads=heads, head_dim=hidden // heads, inner=get("n_inner", 4 * hidden),
            vocabulary=get("vocab_size"), positions=get("n_positions"),
            epsilon=self.value(checkpoint, "layer_norm_epsilon", 1e-5, float, zero=True),
            norm="layer", rotary="", gated=False,
            activation=self.activation(checkpoint, "activation_function", "gelu_new"),
            tied=self.flag(checkpoint, "tie_word_embeddings", True))
        return dataclasses.replace(geometry,
                                   optional=self.optional(checkpoint, geometry))

    def source(self, checkpoint: Checkpoint, name: str) -> str:
        name = super().source(checkpoint, name)
        # With and without the prefix of the model inside of the language model.
        return name if name in checkpoint.names() else f"transformer.{name}"

    def _part(self, name: str) -> str:
        match = re.search(r"\.attn_([qkv])\.", name)
        return match.group(1) if match else ""

    def _transposed(self, name: str) -> bool:
        return bool(re.search(r"blk\.\d+\.(attn_[qkv]|attn_output|ffn_up|ffn_down)"
                              r"\.weight$", name))

    def shape(self, checkpoint: Checkpoint, name: str) -> List[int]:
        shape = super().shape(checkpoint, name)
        if self._part(name) and shape[-1] % 3 == 0:
            shape = shape[:-1] + [shape[-1] // 3]
        return shape[::-1] if self._transposed(name) else shape

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        if part := self._part(name):
            size = values.shape[-1] // 3
            values = values[..., _PART[part] * size:(_PART[part] + 1) * size]
        return values.T if self._transposed(name) else values
