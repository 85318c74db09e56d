# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a decoder or an encoder is, without its weights: the sizes and choices its program
has."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Dict, Iterator, List, Mapping, Tuple

from ..errors import Error

# Choices, and what each one means to program.py.
NORMS = ("rms", "layer")
ROTARY = ("", "split", "interleaved")
# Orders of Hadamard matrices that sparseflow.hadamard has.
BLOCKS = tuple(1 << power for power in range(6, 15))
ACTIVATIONS = ("silu", "gelu", "gelu_tanh", "relu", "relu2")
# Caches of keys and values: as they are, or numbers of 8 or 4 bits with scales.
CACHES = ("dense", "int8", "e4m3", "int4")
# What an encoder's embedding is made of.
POOLINGS = ("mean", "first", "max")
# The signs of a rotated layer.
ROTATION = "ffn_rotation.weight"
# What is added to scores.
DISTANCES = "attn_distances.weight"


@dataclasses.dataclass(frozen=True)
class Geometry:
    """A decoder of equal layers, of which each one is attention and a feed-forward; or an
    `encoder`, whose tokens see all of their text, whose norms are behind attention and
    feed-forward, and which gives one embedding a text, of length 1: by `pooling` the mean of
    its tokens, the first of them, or the largest number of each feature.

    `rotary`: pairs of features (i, i + D/2), "split", or (2i, 2i + 1), "interleaved";
    "" where positions are embedded. `gated`: activation(gate x) * (up x) instead of
    activation(up x). `window`: keys that a query sees, 0 for all. `optional`: what a
    layer has beside its matrices and norms: biases, norms of queries and keys, norms
    behind attention and activation, by their names in a layer. `dtype`: of matrices and
    activations; norms and biases are f32. `rotated`: what down projections read is
    multiplied by signs and a Hadamard matrix in blocks of so many numbers, a power of two
    from 64 to 16384, at run time, as their weights are; 0: it is not. `cache`: what keys
    and values are kept as. `distances`: whether an encoder's scores have a number added for how
    far the key is from the query, and on which side, by heads. `embed_scale`: what rows of the
    embedding are multiplied by, but not those of a head that is tied to it; rounded to `dtype`.
    """
    family: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float
    norm: str = "rms"
    rotary: str = "split"
    activation: str = "silu"
    gated: bool = True
    tied: bool = False
    window: int = 0
    optional: Tuple[str, ...] = ()
    dtype: str = "f16"
    encoder: bool = False
    rotated: int = 0
    cache: str = "dense"
    pooling: str = "mean"
    distances: bool = False
    embed_scale: float = 1.0

    def __post_init__(self) -> None:
        for name in ("layers", "hidden", "heads", "kv_heads", "head_dim", "inner",
                     "vocabulary", "positions"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise Error(f"geometry: {name}: expected a positive number, found "
                            f"{value!r}")
        for name in ("epsilon", "window"):
            value, kinds = getattr(self, name), (int, float) if name == "epsilon" else int
            if not isinstance(value, kinds) or isinstance(value, bool) or \
                    not 0 <= value < math.inf:
                raise Error(f"geometry: {name}: expected a number from 0 on, found {value!r}")
        if not isinstance(self.embed_scale, (int, float)) or not 0 < self.embed_scale <= 65504:
            raise Error("geometry: embed_scale: expected a number above 0, at most 65504, found "
                        f"{self.embed_scale!r}")
        for name in ("gated", "tied", "encoder", "distances"):
            if not isinstance(getattr(self, name), bool):
                raise Error(f"geometry: {name}: expected true or false, found "
                            f"{getattr(self, name)!r}")
        if self.heads % self.kv_heads:
            raise Error(f"geometry: expected heads that are a multiple of the key "
                        f"heads, found {self.heads} and {self.kv_heads}")
        if self.rotary and self.head_dim % 2:
            raise Error("geometry: rotary positions need an even head_dim, found "
                        f"{self.head_dim}")
        for name, choices in (("norm", NORMS), ("rotary", ROTARY),
                              ("activation", ACTIVATIONS), ("dtype", ("f16", "bf16")),
                              ("cache", CACHES), ("pooling", POOLINGS)):
            if getattr(self, name) not in choices:
                raise Error(f"geometry: {name}: expected one of {', '.join(choices)}, "
                            f"found {getattr(self, name)!r}")

        if self.rotated and (self.rotated not in BLOCKS or self.inner % self.rotated):
            raise Error("geometry: rotated: expected a power of two from 64 to 16384 that "
                        f"divides the {self.inner} numbers of the feed-forward, found "
                        f"{self.rotated!r}")
        if self.encoder and (self.rotary or self.window):
            raise Error("geometry: an encoder has embedded positions and no window, found "
                        f"rotary '{self.rotary}' and a window of {self.window}")
        if self.distances and not self.encoder:
            raise Error("geometry: distances: expected an encoder, found a decoder")
        if self.encoder and self.cached:
            raise Error("geometry: an encoder has no cache of keys and values, found "
                        f"{self.cache} for it")
        if self.spreads and self.head_dim not in BLOCKS:
            raise Error("geometry: cache: int4 needs heads of a power of two of features, "
                        f"from 64 to 16384, found {self.head_dim}: queries and keys are "
                        "multiplied by a Hadamard matrix; int8 and e4m3 need none")

    @property
    def places(self) -> bool:
        """Whether embedding takes the lengths of texts: positions go on in a cache."""
        return not self.rotary and not self.encoder

    @property
    def cached(self) -> bool:
        """Whether keys and values are kept as numbers with scales."""
        return self.cache != "dense"

    @property
    def spreads(self) -> bool:
        """Whether queries and keys are multiplied by a Hadamard matrix over a head's
        features before keys are rounded: 4 bits have no room for single large ones."""
        return self.cache == "int4"

    @property
    def cache_scale(self) -> str:
        """What one scale of numbers is for, as sparseflow.quantized spells it."""
        return "token x 32" if self.cache == "int4" else "token"

    def has(self, name: str) -> bool:
        """Whether a layer has the optional tensor `name`."""
        return name in self.optional

    def to_json(self) -> Dict[str, Any]:
        """As model.json holds it. Versions that know neither rotations nor caches nor ways
        of pooling nor distances nor scales read models that have none."""
        members = {**dataclasses.asdict(self), "optional": list(self.optional)}
        for name, default in (("rotated", 0), ("cache", "dense"), ("pooling", "mean"),
                              ("distances", False), ("embed_scale", 1.0)):
            if members[name] == default:
                del members[name]
        return members

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> "Geometry":
        """Of model.json; members that this version does not know are an error."""
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(members) - known)
        if unknown:
            raise Error(f"geometry: unknown member '{unknown[0]}'; the model was "
                        "imported by a newer version")
        try:
            return cls(**{**members, "optional": tuple(members.get("optional", ()))})
        except TypeError as error:
            raise Error(f"geometry: {error}") from None

    # -----------------------------------------------------------------------------
    # Tensors: name to type and shape, by the names that GGUF files have.

    def norm_tensors(self, name: str, size: int) -> Dict[str, Tuple[str, List[int]]]:
        """The weight of a norm, and its bias where it has one."""
        result = {f"{name}.weight": ("f32", [size])}
        if self.norm == "layer":
            result[f"{name}.bias"] = ("f32", [size])
        return result

    def layer_optional(self) -> Dict[str, Tuple[str, List[int]]]:
        """All that a layer may have beside what every layer has."""
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        vectors = {"attn_q.bias": queries, "attn_k.bias": keys, "attn_v.bias": keys,
                   "attn_q_norm.weight": self.head_dim,
                   "attn_k_norm.weight": self.head_dim,
                   "attn_sub_norm.weight": queries, "attn_output.bias": self.hidden,
                   "ffn_up.bias": self.inner, "ffn_sub_norm.weight": self.inner,
                   "ffn_down.bias": self.hidden}
        if self.gated:
            vectors["ffn_gate.bias"] = self.inner
        return {name: ("f32", [size]) for name, size in vectors.items()}

    def layer_tensors(self) -> Dict[str, Tuple[str, List[int]]]:
        """Of one layer, without its prefix `blk.N.`."""
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        hidden, inner, dtype = self.hidden, self.inner, self.dtype
        result = {} if self.encoder else self.norm_tensors("attn_norm", hidden)
        for name, shape in (("attn_q", [queries, hidden]), ("attn_k", [keys, hidden]),
                            ("attn_v", [keys, hidden]),
                            ("attn_output", [hidden, queries])):
            result[f"{name}.weight"] = (dtype, shape)
        result.update(self.norm_tensors(
            "attn_output_norm" if self.encoder else "ffn_norm", hidden))
        for name, shape in (*((("ffn_gate", [inner, hidden]),) if self.gated else ()),
                            ("ffn_up", [inner, hidden]), ("ffn_down", [hidden, inner])):
            result[f"{name}.weight"] = (dtype, shape)
        if self.rotated:
            result[ROTATION] = ("f32", [inner])
        if self.encoder:
            result.update(self.norm_tensors("layer_output_norm", hidden))
        possible = self.layer_optional()
        for name in self.optional:
            if name not in possible:
                raise Error(f"geometry: optional: unknown tensor '{name}'; expected "
                            f"one of {', '.join(possible)}")
            result[name] = possible[name]
        return result

    def matrices(self) -> Dict[str, List[int]]:
        """The shapes [N, K] of a layer's matrices, without their prefix."""
        return {name: shape for name, (_, shape) in self.layer_tensors().items()
                if len(shape) == 2}

    def model_tensors(self) -> Dict[str, Tuple[str, List[int]]]:
        """Those that belong to no layer."""
        result = {"token_embd.weight": (self.dtype, [self.vocabulary, self.hidden])}
        if not self.rotary:
            result["position_embd.weight"] = (self.dtype, [self.positions, self.hidden])
        if self.distances:
            # Of keys up to the query, by their distance, and of those behind it.
            result[DISTANCES] = ("f32", [self.heads, 2, self.positions])
        if self.encoder:
            return {**result, **self.norm_tensors("token_embd_norm", self.hidden)}
        result.update(self.norm_tensors("output_norm", self.hidden))
        if not self.tied:
            result["output.weight"] = (self.dtype, [self.vocabulary, self.hidden])
        return result

    def rotary_tables(self) -> Dict[str, Tuple[str, List[int]]]:
        """The tables of angles, which the importer makes."""
        shape = [self.positions, self.head_dim // 2]
        return {"rope.cos": ("f32", shape), "rope.sin": ("f32", list(shape))} \
            if self.rotary else {}

    def each_tensor(self) -> Iterator[Tuple[str, Tuple[str, List[int]]]]:
        """Every tensor of the model's weights file, one after the other."""
        yield from self.model_tensors().items()
        yield from self.rotary_tables().items()
        layer = self.layer_tensors()
        for index in range(self.layers):
            for name, spec in layer.items():
                yield f"blk.{index}.{name}", spec

    def tensors(self) -> Dict[str, Tuple[str, List[int]]]:
        """Every tensor of the model's weights file."""
        return dict(self.each_tensor())
