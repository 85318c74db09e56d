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
# Modules of sentence-transformers, in their order. The embedding has length 1 with and without
# the last one.
_MODULES = ("Transformer", "Pooling", "Normalize")
# How they make one vector of tokens. A sum has the mean's direction whatever divides it.
_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_mean_sqrt_len_tokens": "mean",
             "pooling_mode_cls_token": "first"}


@register
class Bert(Family):
    """Layer norms behind attention and feed-forward; a text is one segment, whose type is
    added to the positions. Its embedding is the mean of its tokens or the first one, of length
    1."""
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
        self.refuse(checkpoint, "quantization_config", ())
        self.refuse(checkpoint, "position_embedding_type", ("absolute",))
        self.refuse(checkpoint, "is_decoder", (False,))
        heads, hidden = get("num_attention_heads"), get("hidden_size")
        geometry = Geometry(
            family=self.name, layers=get("num_hidden_layers"), hidden=hidden, heads=heads,
            kv_heads=heads, head_dim=hidden // heads, inner=get("intermediate_size"),
            vocabulary=get("vocab_size"), positions=get("max_position_embeddings"),
            epsilon=self.value(checkpoint, "layer_norm_eps", 1e-12, float, zero=True),
            norm="layer", rotary="", gated=False, tied=True,
            activation=self.activation(checkpoint, "hidden_act", "gelu"),
            encoder=True, pooling=self._pooling(checkpoint))
        return dataclasses.replace(geometry,
                                   optional=self.optional(checkpoint, geometry))

    def _pooling(self, checkpoint: Checkpoint) -> str:
        """What a folder of sentence-transformers says of its embeddings."""
        folder = "1_Pooling"
        listed = os.path.join(checkpoint.path, "modules.json")
        if os.path.exists(listed):
            modules = read_json(listed, kind=list)
            place = 0
            for module in modules:
                named = module if isinstance(module, dict) else {}
                kind = str(named.get("type")).rsplit(".", 1)[-1]
                if kind not in _MODULES[place:]:
                    raise Error(f"{listed}: expected modules of the types "
                                f"{', '.join(_MODULES)}, in this order, found "
                                f"{named.get('type', module)!r} in "
                                f"'{named.get('path', '')}', which the family {self.name} does "
                                "not have")
                place = _MODULES.index(kind) + 1
                if kind == "Pooling":
                    folder = str(named.get("path"))
        path = os.path.join(checkpoint.path, folder, "config.json")
        if not os.path.exists(path):
            return "mean"
        modes = [key for key, value in read_json(path).items()
                 if key.startswith("pooling_mode_") and value is True]
        if len(modes) != 1 or modes[0] not in _POOLINGS:
            raise Error(f"{path}: expected one of {', '.join(_POOLINGS)}, found "
                        f"{', '.join(modes) or 'none'}, which the family {self.name} does "
                        "not have")
        return _POOLINGS[modes[0]]

    def used(self, checkpoint: Checkpoint, name: str) -> List[str]:
        more = [_TYPES] if name == "position_embd.weight" else []
        return super().used(checkpoint, name) + more

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        if name == "position_embd.weight" and _TYPES in checkpoint.names():
            types = checkpoint.read(_TYPES)
            if types.ndim != 2 or not len(types) or types.shape[1] != values.shape[1]:
                raise Error(f"{checkpoint.path}: tensor '{_TYPES}': expected rows of "
                            f"{values.shape[1]} numbers, found {list(types.shape)}")
            values = values.astype(np.float32) + types[0].astype(np.float32)
        return values
