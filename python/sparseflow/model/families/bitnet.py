# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The BitNet family, b1.58: ternary matrices, and norms in front of two of them."""

from __future__ import annotations

import dataclasses

from ...errors import Error
from ..checkpoint import Checkpoint
from .family import ACTIVATIONS, register
from ..geometry import Geometry
from .llama import Llama


@register
class BitNet(Llama):
    """A llama with norms of what attn_output and ffn_down read."""
    name = "bitnet"
    architectures = ("BitNetForCausalLM",)
    # Of GGML's own, and of Microsoft's copy of it.
    gguf = ("bitnet", "bitnet-b1.58")
    tensors = {
        **Llama.tensors,
        "blk.attn_sub_norm": "model.layers.{}.self_attn.attn_sub_norm",
        "blk.ffn_sub_norm": "model.layers.{}.mlp.ffn_sub_norm",
    }

    defaults = {**Llama.defaults, "hidden_act": "relu2", "rms_norm_eps": 1e-5,
                "rope_theta": 500000.0}

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        geometry = super().geometry(checkpoint)
        for name in ("attn_sub_norm.weight", "ffn_sub_norm.weight"):
            # Without them it would be another model, which has another name.
            self.shape(checkpoint, f"blk.0.{name}")
        if not checkpoint.gguf:
            return geometry
        key = "bitnet.hidden_activation"
        named = checkpoint.config.get(key, "silu")
        if checkpoint.config["general.architecture"] == "bitnet-b1.58":
            named = "relu2"
        if str(named) not in ACTIVATIONS:
            raise Error(f"{checkpoint.path}: metadata: '{key}': expected one of "
                        f"{', '.join(ACTIVATIONS)}, found {named!r}")
        return dataclasses.replace(geometry, activation=ACTIVATIONS[named])
