# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The BERT family, encoders of sentences such as all-MiniLM-L6-v2; and those that differ from it
in names and places alone, RoBERTa and DistilBERT."""

from __future__ import annotations

import dataclasses
import os
from typing import Dict, List

import numpy as np

from ...errors import Error
from ..checkpoint import Checkpoint, read_json
from .family import Family, register
from ..geometry import Geometry

_TYPES, _PLACES = "embeddings.token_type_embeddings.weight", "position_embd.weight"
# Modules of sentence-transformers, in their order. The embedding has length 1 with and without
# the last one.
_MODULES = ("Transformer", "Pooling", "Normalize")
# How they make one vector of tokens. A sum has the mean's direction whatever divides it.
_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_mean_sqrt_len_tokens": "mean",
             "pooling_mode_cls_token": "first", "pooling_mode_max_tokens": "max"}


@register
class Bert(Family):
    """Layer norms behind attention and feed-forward; a text is one segment, whose type is
    added to the positions. Its embedding is the mean of its tokens, the first one, or the largest
    number of each feature, of length 1.

    `prefix`: what names may begin with, where more than the encoder was saved. `keys`: what
    config.json calls sizes and choices.
    """
    name = "bert"
    prefix = "bert"
    architectures = ("BertModel", "BertForMaskedLM")
    keys: Dict[str, str] = {
        "hidden": "hidden_size", "layers": "num_hidden_layers", "heads": "num_attention_heads",
        "inner": "intermediate_size", "epsilon": "layer_norm_eps", "activation": "hidden_act"}
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
    # The pooler reads the first token, and a head guesses words; embeddings of sentences do
    # without.
    ignored = (r"^(\w+\.)?embeddings\.position_ids$", r"^(\w+\.)?pooler\.", r"^cls\.")

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        get = lambda key, *default: self.value(checkpoint, key, *default)
        self.refuse(checkpoint, "quantization_config", ())
        self.refuse(checkpoint, "position_embedding_type", ("absolute",))
        self.refuse(checkpoint, "is_decoder", (False,))
        sizes = {name: get(self.keys[name]) for name in ("layers", "hidden", "heads", "inner")}
        geometry = Geometry(
            family=self.name, **sizes, kv_heads=sizes["heads"],
            head_dim=sizes["hidden"] // sizes["heads"], vocabulary=get("vocab_size"),
            positions=get("max_position_embeddings") - self.reserved(checkpoint),
            epsilon=self.value(checkpoint, self.keys["epsilon"], 1e-12, float, zero=True),
            norm="layer", rotary="", gated=False, tied=True,
            activation=self.activation(checkpoint, self.keys["activation"], "gelu"),
            encoder=True, pooling=self._pooling(checkpoint))
        return dataclasses.replace(geometry,
                                   optional=self.optional(checkpoint, geometry))

    def reserved(self, checkpoint: Checkpoint) -> int:
        """The rows of embedded positions in front of the first token's."""
        return 0

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

    def source(self, checkpoint: Checkpoint, name: str) -> str:
        return self._named(checkpoint, super().source(checkpoint, name))

    def _named(self, checkpoint: Checkpoint, name: str) -> str:
        """`name` with the prefix that the checkpoint has it with."""
        longer = f"{self.prefix}.{name}"
        return longer if longer in checkpoint.names() else name

    def used(self, checkpoint: Checkpoint, name: str) -> List[str]:
        more = [self._named(checkpoint, _TYPES)] if name == _PLACES else []
        return super().used(checkpoint, name) + more

    def shape(self, checkpoint: Checkpoint, name: str) -> List[int]:
        shape = super().shape(checkpoint, name)
        return [shape[0] - self.reserved(checkpoint), *shape[1:]] \
            if name == _PLACES and shape else shape

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        if name != _PLACES:
            return values
        values = values[self.reserved(checkpoint):]
        name = self._named(checkpoint, _TYPES)
        if name in checkpoint.names():
            types = checkpoint.read(name)
            if types.ndim != 2 or not len(types) or types.shape[1] != values.shape[1]:
                raise Error(f"{checkpoint.path}: tensor '{name}': expected rows of "
                            f"{values.shape[1]} numbers, found {list(types.shape)}")
            values = values.astype(np.float32) + types[0].astype(np.float32)
        return values


@register
class Roberta(Bert):
    """RoBERTa, XLM-RoBERTa and CamemBERT: the first token's position is behind the number of
    the token that pads texts, which has one of its own."""
    name = "roberta"
    prefix = "roberta"
    architectures = ("RobertaModel", "RobertaForMaskedLM", "XLMRobertaModel",
                     "XLMRobertaForMaskedLM", "CamembertModel", "CamembertForMaskedLM")
    ignored = (*Bert.ignored, r"^lm_head\.")

    def reserved(self, checkpoint: Checkpoint) -> int:
        return self.value(checkpoint, "pad_token_id", 1, zero=True) + 1


@register
class DistilBert(Bert):
    """BERT without types of segments, by other names."""
    name = "distilbert"
    prefix = "distilbert"
    architectures = ("DistilBertModel", "DistilBertForMaskedLM")
    # Its norms' epsilon is no member.
    keys = {"hidden": "dim", "layers": "n_layers", "heads": "n_heads", "inner": "hidden_dim",
            "epsilon": "", "activation": "activation"}
    tensors = {
        **{name: place for name, place in Bert.tensors.items() if not name.startswith("blk.")},
        "blk.attn_q": "transformer.layer.{}.attention.q_lin",
        "blk.attn_k": "transformer.layer.{}.attention.k_lin",
        "blk.attn_v": "transformer.layer.{}.attention.v_lin",
        "blk.attn_output": "transformer.layer.{}.attention.out_lin",
        "blk.attn_output_norm": "transformer.layer.{}.sa_layer_norm",
        "blk.ffn_up": "transformer.layer.{}.ffn.lin1",
        "blk.ffn_down": "transformer.layer.{}.ffn.lin2",
        "blk.layer_output_norm": "transformer.layer.{}.output_layer_norm",
    }
    ignored = (*Bert.ignored, r"^vocab_(transform|layer_norm|projector)\.")
