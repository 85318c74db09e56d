# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Llamas whose configs scale what passes through them: Gemma and Granite. All but the scale of
embeddings is in the weights when they are imported."""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ..checkpoint import Checkpoint
from .family import register
from ..geometry import Geometry
from .llama import Llama


@register
class Gemma(Llama):
    """The first Gemma: embeddings times the root of their size, norms whose weights lack 1."""
    name = "gemma"
    architectures = ("GemmaForCausalLM",)
    gguf = ("gemma",)
    defaults = {**Llama.defaults, "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": True}

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        geometry = super().geometry(checkpoint)
        # Older files say gelu, and mean this; GGUF files do not say it.
        tanh = checkpoint.gguf or geometry.activation == "gelu"
        return dataclasses.replace(
            geometry, embed_scale=geometry.hidden ** 0.5,
            activation="gelu_tanh" if tanh else geometry.activation)

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        # Those of GGUF files have it.
        lacking = not checkpoint.gguf and name.endswith("norm.weight")
        return values.astype(np.float32) + 1 if lacking else values


@register
class Granite(Llama):
    """Granite 3: factors of embeddings, scores, residuals and logits."""
    name = "granite"
    architectures = ("GraniteForCausalLM",)
    gguf = ()

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        self.refuse(checkpoint, "quantization_config", ())
        return dataclasses.replace(super().geometry(checkpoint),
                                   embed_scale=self._factor(checkpoint, "embedding_multiplier"))

    def _factor(self, checkpoint: Checkpoint, key: str) -> float:
        return self.value(checkpoint, key, 1.0, float)

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values, factor = super().read(checkpoint, name), 1.0
        part = re.sub(r"^blk\.\d+\.|\.\w+$", "", name)
        if part == "attn_q":
            # Scores are divided by the root of a head's features in any case.
            size = self._of_config(checkpoint).head_dim
            factor = self._factor(checkpoint, "attention_multiplier") * size ** 0.5
        elif part in ("attn_output", "ffn_down"):
            factor = self._factor(checkpoint, "residual_multiplier")
        elif part == "output_norm":
            factor = 1 / self._factor(checkpoint, "logits_scaling")
        # What is too large is an error of the importer's.
        with np.errstate(over="ignore", invalid="ignore"):
            return values if factor == 1 else values.astype(np.float32) * np.float32(factor)
