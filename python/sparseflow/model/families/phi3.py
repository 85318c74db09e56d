# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Phi 3 family: a llama whose matrices are joined."""

from __future__ import annotations

import dataclasses
from typing import List, Tuple

import numpy as np

from ..checkpoint import Checkpoint
from .family import register
from ..geometry import Geometry
from .llama import Llama


@register
class Phi3(Llama):
    """Queries, keys and values are one matrix of the checkpoint, gate and up another."""
    name = "phi3"
    architectures = windowed = ("Phi3ForCausalLM",)
    gguf = ()
    partly = True
    tensors = {
        **Llama.tensors,
        **{f"blk.attn_{part}": "model.layers.{}.self_attn.qkv_proj" for part in "qkv"},
        **{f"blk.ffn_{part}": "model.layers.{}.mlp.gate_up_proj" for part in ("gate", "up")},
    }
    defaults = {**Llama.defaults, "rms_norm_eps": 1e-5, "sliding_window": None,
                "original_max_position_embeddings": 4096}

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        self.refuse(checkpoint, "quantization_config", ())
        geometry = super().geometry(checkpoint)
        # One that no text reaches, as in the models for long ones.
        return dataclasses.replace(geometry, window=0) \
            if geometry.window >= geometry.positions else geometry

    def _rows(self, checkpoint: Checkpoint, name: str) -> Tuple[slice, int]:
        """Which rows of a matrix of the checkpoint are our tensor `name`, of how many."""
        g, part = self._of_config(checkpoint), name.split(".")[-2]
        queries, keys = g.heads * g.head_dim, g.kv_heads * g.head_dim
        for parts in ({"attn_q": queries, "attn_k": keys, "attn_v": keys},
                      {"ffn_gate": g.inner, "ffn_up": g.inner}):
            if part in parts:
                first = sum(list(parts.values())[:list(parts).index(part)])
                return slice(first, first + parts[part]), sum(parts.values())
        return slice(None), -1

    def shape(self, checkpoint: Checkpoint, name: str) -> List[int]:
        shape = super().shape(checkpoint, name)
        rows, count = self._rows(checkpoint, name)
        return [rows.stop - rows.start, *shape[1:]] if shape[:1] == [count] else shape

    def stored(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        return super().stored(checkpoint, name)[self._rows(checkpoint, name)[0]]
