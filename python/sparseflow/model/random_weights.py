# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of a known geometry whose weights are random, to measure how fast they are."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Dict, Sequence

import numpy as np

from ..arrays import float32_to_bf16
from ..cli import compile
from ..errors import Error
from ..packing import pack
from ..ternary import TernaryMatrix
from .description import write_geometry
from .geometry import Geometry
from .packed import encoding_of, formats_of, merge_layers, program_of
from .program import HEAD
from .replica import Replica

# Random numbers that matrices repeat.
_PERIOD = (1 << 20) + 7

_BITNET = ("attn_sub_norm.weight", "ffn_sub_norm.weight")
# Layers, hidden, heads, key heads, size of a head, feed-forward, vocabulary, positions.
GEOMETRIES: Dict[str, Geometry] = {
    "llama-3-8b": Geometry("llama", 32, 4096, 32, 8, 128, 14336, 128256, 32768, 1e-5),
    "llama-3.2-1b": Geometry("llama", 16, 2048, 32, 8, 64, 8192, 128256, 32768, 1e-5,
                             tied=True),
    "bitnet-2b": Geometry("bitnet", 30, 2560, 20, 5, 128, 6912, 128256, 4096, 1e-5,
                          activation="relu2", optional=_BITNET, tied=True),
    "smollm2-135m": Geometry("llama", 30, 576, 9, 3, 64, 1536, 49152, 8192, 1e-5,
                             tied=True),
}
FORMATS = ("dense", "2:4", "ternary", "2:4+ternary")
HEADS = ("dense", "int8")


class RandomWeights:
    """Weights of a geometry, all layers of which hold the same numbers, in memory of
    their own. Matrices of layers are in the `format`, the head in `head`; one of int8 is
    apart from the embedding, in `geometry` too."""
    path = "random weights"

    def __init__(self, geometry: Geometry, format: str = "dense", seed: int = 1,
                 head: str = "dense") -> None:
        for choice, choices in ((format, FORMATS), (head, HEADS)):
            if choice not in choices:
                raise Error(f"expected a format of {', '.join(choices)}, found {choice}")
        if head != "dense":
            geometry = dataclasses.replace(geometry, tied=False)
        self.geometry, self._format, self._head = geometry, format, head
        self._specs = geometry.tensors()
        random = np.random.default_rng(seed)
        self._numbers = random.standard_normal(_PERIOD, np.float32)
        self._trits = random.integers(-1, 2, _PERIOD, np.int8)
        self._made: Dict[str, Any] = {}

    def stored(self, name: str) -> Any:
        """The tensor as it is stored."""
        rest = name.split(".", 2)[2] if name.startswith("blk.") else name
        if rest not in self._made:
            self._made[rest] = self._make(name, rest)
            return self._made[rest]
        return Replica(self._made[rest])

    def _make(self, name: str, rest: str) -> Any:
        dtype, shape = self._specs[name]
        if rest in ("rope.cos", "rope.sin"):
            turns = np.arange(shape[1]) / shape[1]
            angles = np.outer(np.arange(shape[0]), 10000.0 ** -turns)
            return (np.cos if rest == "rope.cos" else np.sin)(angles).astype(np.float32)
        if len(shape) == 1:
            return np.ones(shape, np.float32)
        if name == HEAD and self._head == "int8":
            integers = np.resize(np.clip(np.rint(40 * self._numbers), -127, 127
                                         ).astype(np.int8), shape)
            return TernaryMatrix.pack(
                integers, np.full(shape[0], shape[1] ** -0.5 / 40, np.float16), dtype,
                "int8.v1", scale_dtype="f16")
        packed = name.startswith("blk.") and self._format != "dense"
        if packed and self._format != "2:4":
            two_four = self._format != "ternary"
            trits = np.resize(self._trits, shape)
            if two_four:
                trits.reshape(shape[0], -1, 4)[..., 2:] = 0
            return TernaryMatrix.pack(
                trits, np.full(shape[0], shape[1] ** -0.5, np.float32), dtype,
                "tern24z.v1" if two_four else "tern.v1")
        values = self._numbers * np.float32(shape[-1] ** -0.5)
        if packed:
            return pack(np.resize(values, shape), dtype)
        # Rounded before they are repeated: a head has half a billion of them.
        rounded = float32_to_bf16(values) if dtype == "bf16" else values.astype(np.float16)
        return np.resize(rounded, shape)


def write_random_model(folder: str, geometry: Geometry, format: str,
                       targets: Sequence[str], activations: str = "f16",
                       head: str = "dense",
                       options: Sequence[str] = ()) -> RandomWeights:
    """Writes model.json and program.bundle of a model in `folder`, compiled with `options`
    of `sparseflow compile` too; its weights."""
    weights = RandomWeights(geometry, format, head=head)
    geometry = weights.geometry
    write_geometry(folder, geometry, {"begin": [], "end": []})
    layer = {name: weights.stored(f"blk.0.{name}") for name in geometry.layer_tensors()}
    merge_layers([layer])
    apart = "" if geometry.tied else encoding_of(weights.stored(HEAD))
    compile(program_of(geometry, [formats_of(layer)], apart),
            os.path.join(folder, "program.bundle"), targets,
            options=["--activations", activations, *options])
    return weights
