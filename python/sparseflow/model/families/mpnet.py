# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MPNet family: encoders of sentences such as all-mpnet-base-v2."""

from __future__ import annotations

import dataclasses
from typing import List

import numpy as np

from ..checkpoint import Checkpoint
from .bert import Bert
from .family import register
from ..geometry import DISTANCES, Geometry

# Distances have a bucket each up to half of those of a side; above, each is sqrt(2) times as
# wide as the one before.
BUCKETS = 32


def bucket(distance: int) -> int:
    """Of a key that stands `distance` behind its query."""
    side = BUCKETS // 2 if distance > 0 else 0
    length, exact = abs(distance), BUCKETS // 4
    if length >= exact:
        # The whole part of 2 log2(length / exact) more, without rounding.
        more = (length * length // (exact * exact)).bit_length() - 1
        length = min(exact + more, BUCKETS // 2 - 1)
    return side + length


@register
class Mpnet(Bert):
    """BERT whose scores have a number added for the distance of key and query, by heads; without
    types of segments."""
    name = "mpnet"
    prefix = "mpnet"
    architectures = ("MPNetModel", "MPNetForMaskedLM")
    tensors = {
        **Bert.tensors,
        DISTANCES.rsplit(".", 1)[0]: "encoder.relative_attention_bias",
        "blk.attn_q": "encoder.layer.{}.attention.attn.q",
        "blk.attn_k": "encoder.layer.{}.attention.attn.k",
        "blk.attn_v": "encoder.layer.{}.attention.attn.v",
        "blk.attn_output": "encoder.layer.{}.attention.attn.o",
        "blk.attn_output_norm": "encoder.layer.{}.attention.LayerNorm",
    }
    ignored = (*Bert.ignored, r"^lm_head\.")

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        self.refuse(checkpoint, "relative_attention_num_buckets", (BUCKETS,))
        return dataclasses.replace(super().geometry(checkpoint), distances=True)

    def reserved(self, checkpoint: Checkpoint) -> int:
        # Whatever the config says of the token that pads texts.
        return 2

    def shape(self, checkpoint: Checkpoint, name: str) -> List[int]:
        shape = super().shape(checkpoint, name)
        if name != DISTANCES or shape[:1] != [BUCKETS]:
            return shape
        return [*shape[1:], 2, self.shape(checkpoint, "position_embd.weight")[0]]

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        values = super().read(checkpoint, name)
        if name != DISTANCES:
            return values
        positions = self.shape(checkpoint, "position_embd.weight")[0]
        buckets = [[bucket(side * distance) for distance in range(positions)]
                   for side in (-1, 1)]
        return values.T[:, buckets]
