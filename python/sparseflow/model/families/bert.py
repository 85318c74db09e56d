# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The BERT family: encoders of sentences, such as all-MiniLM-L6-v2."""

from __future__ import annotations

import dataclasses
import os
from typing import List

import numpy as np

from ...errors import Error
from ..checkpoint import Checkpoint, read_json
from .family import Family, register
from ..geometry import Geometry

_TYPES = "embeddings.token_type_embeddings.weight"


@register
class Bert(Family):
    """Layer norms behind attention and feed-forward; a text is one segment, whose type is
    added to the positions. Its embedding is the mean of its tokens, of length 1."""
    name = "bert"
    architectures = ("BertModel",)
    tensors = {
        "token_embd": "embeddings.word_embeddings",
        "position_embd": "embeddings.position_embeddings",
        "token_embd_norm": "embeddings.LayerNorm",
        "blk.attn_q": "encoder.layer.{}.attention.self.query",
        "blk.attn_k": "encoder.layer.{}.attention.self.key",
        "blk.attn_v": "encoder.layer.{}.attention.self.value",
        "blk.attn_output": "encoder.layer.{}.attention.output.dense",
        "blk.attn_output_norm": "encoder.layer.{}.attention.output.LayerNorm",
        "blk.ffn_up": "encoder.layer.{}.intermediate.dense",
        "blk.ffn_down": "encoder.layer.{}.output.dense",
        "blk.layer_output_norm": "encoder.layer.{}.output.LayerNorm",
    }
    # The pooler reads the first token; embeddings of sentences do without.
    ignored = (r"^embeddings\.position_ids$", r"^pooler\.")

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        get = lambda key, *default: self.value(checkpoint, key, *default)
        self.refuse(checkpoint, "hidden_act", ("gelu",))
        self.refuse(checkpoint, "position_embedding_type", ("absolute",))
        self.refuse(checkpoint, "is_decoder", (False,))
        self._check_pooling(checkpoint)
        heads, hidden = get("num_attention_heads"), get("hidden_size")
        geometry = Geometry(
            family=self.name, layers=get("num_hidden_layers"), hidden=hidden, heads=heads,
            kv_heads=heads, head_dim=hidden // heads, inner=get("intermediate_size"),
            vocabulary=get("vocab_size"), positions=get("max_position_embeddings"),
            epsilon=self.value(checkpoint, "layer_norm_eps", 1e-12, float),
            norm="layer", rotary="", activation="gelu", gated=False, tied=True,
            encoder=True)
        return dataclasses.replace(geometry,
                                   optional=self.optional(checkpoint, geometry))

    def _check_pooling(self, checkpoint: Checkpoint) -> None:
        """What a folder of sentence-transformers says of its embeddings."""
        path = os.path.join(checkpoint.path, "1_Pooling", "config.json")
        if not os.path.exists(path):
            return
        modes = [key for key, value in read_json(path).items()
                 if key.startswith("pooling_mode_") and value is True]
        if modes != ["pooling_mode_mean_tokens"]:
            raise Error(f"{path}: expected pooling_mode_mean_tokens, found "
                        f"{', '.join(modes) or 'none'}, which the family {self.name} does "
                        "not have")

    def used(self, checkpoint: Checkpoint, name: str) -> List[str]:
        more = [_TYPES] if name == "position_embd.weight" else []
        return super().used(checkpoint, name) + more

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        if name == "position_embd.weight" and _TYPES in checkpoint.names():
            values = values.astype(np.float32) + checkpoint.read(_TYPES)[0].astype(np.float32)
        return values
