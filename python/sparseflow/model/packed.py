# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packed matrices of a model, as the types that its program on a GPU has."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from ..arrays import Path, bf16_to_float32
from ..cli import Compiled, compile
from ..errors import Error
from ..packing import PackedMatrix, pack
from ..ternary import TernaryMatrix
from .description import read_geometry
from .geometry import Geometry
from .program import HEAD, MERGED, build_program, layer_entry
from .replica import Replica
from .weights import open_weights

# Layouts that kernels read, and what the dialect calls them.
_TERNARY = {"tern.v1": "codes", "tern24.v1": "two_four", "tern24z.v1": "two_four_zero"}
_INTEGERS = {"int4.v1": "int4", "int8.v1": "int8"}

# The encodings of a layer's packed matrices, by name.
Formats = Dict[str, str]


def encoding_of(stored: Any) -> str:
    """The encoding of a tensor as it is stored; "" of a dense one."""
    if isinstance(stored, Replica):
        return encoding_of(stored.source)
    if isinstance(stored, PackedMatrix):
        return "#sparseflow.nm<2:4>"
    if not isinstance(stored, TernaryMatrix):
        return ""
    scale = f"scale = {stored.scale} : {stored.scale_dtype}"
    if stored.layout in _INTEGERS:
        return f"#sparseflow.quantized<{_INTEGERS[stored.layout]}, {scale}>"
    if stored.layout not in _TERNARY:
        raise Error(f"expected a matrix in a layout that kernels read, "
                    f"{', '.join([*_TERNARY, *_INTEGERS])}, found {stored.layout}; pack it "
                    "in one of them")
    planes = f", planes = {stored.planes}" if stored.planes > 1 else ""
    return f"#sparseflow.ternary<{_TERNARY[stored.layout]}, {scale}{planes}>"


def _merges(stored: Any) -> bool:
    """Whether rows of several matrices that are stored so can stand in one: not where a
    scale is the whole matrix's. Kernels of such ones share a launch for few tokens."""
    if isinstance(stored, Replica):
        return _merges(stored.source)
    return not isinstance(stored, TernaryMatrix) or stored.scale != "tensor"


def _merge(parts: Sequence[Any], made: Dict[Tuple[int, ...], Any]) -> Any:
    """The rows of `parts`, one behind the other. `made`: what was merged before."""
    if all(isinstance(part, Replica) for part in parts):
        key = tuple(id(part.source) for part in parts)
        return Replica(made[key] if key in made
                       else _merge([part.source for part in parts], made))
    first, result = parts[0], None
    if isinstance(first, TernaryMatrix):
        # Rows are the last dimension of scales and the one before columns of trits.
        trits, scales = zip(*(part.unpack() for part in parts))
        result = TernaryMatrix.pack(np.concatenate(trits, -2), np.concatenate(scales, -1),
                                    first.dtype, first.layout, first.scale,
                                    first.scale_dtype)
    else:
        dense = [part.unpack() if isinstance(part, PackedMatrix) else part
                 for part in parts]
        result = np.concatenate(dense)
    if isinstance(first, PackedMatrix):
        result = pack(bf16_to_float32(result) if first.dtype == "bf16" else result,
                      first.dtype, prune=False)
    made[tuple(id(part) for part in parts)] = result
    return result


def merge_layers(layers: Sequence[Dict[str, Any]]) -> None:
    """Makes one matrix of those of queries, keys and values, where they are stored
    alike: fewer and larger kernels."""
    made: Dict[Tuple[int, ...], Any] = {}
    for layer in layers:
        names = [f"attn_{name}" for name in "qkv"]
        formats = {encoding_of(layer[f"{name}.weight"]) for name in names}
        biases = [f"{name}.bias" in layer for name in names]
        if len(formats) > 1 or any(biases) != all(biases) or \
                not _merges(layer["attn_q.weight"]):
            continue
        for kind in ("weight", "bias") if all(biases) else ("weight",):
            layer[f"attn_qkv.{kind}"] = _merge(
                [layer.pop(f"{name}.{kind}") for name in names], made)


def formats_of(layer: Mapping[str, Any]) -> Formats:
    """The encodings of a layer's tensors, as they are stored, by name; that of merged
    matrices in any case."""
    return {name: encoding_of(stored) for name, stored in layer.items()
            if name == MERGED or encoding_of(stored)}


def entries_of_layers(layers: Sequence[Formats]) -> List[str]:
    """The program's functions for layers of these formats."""
    kinds: List[Formats] = []
    for formats in layers:
        if formats not in kinds:
            kinds.append(formats)
    return [layer_entry(kinds.index(formats)) for formats in layers]


def program_of(geometry: Geometry, layers: Sequence[Mapping[str, str]], head: str = ""
               ) -> str:
    """The program of a model whose layers, and whose head, have these formats."""
    kinds: List[Formats] = []
    for formats in layers:
        if formats not in kinds:
            kinds.append(dict(formats))
    return build_program(geometry, formats=kinds or [{}], head=head)


def program_of_folder(folder: Path) -> str:
    """The program of a model's folder for a GPU: matrices as they are stored, those of
    queries, keys and values merged."""
    folder = os.fspath(folder)
    geometry, _ = read_geometry(folder)
    weights, layers = open_weights(folder), []
    for layer in range(geometry.layers):
        held = {name: weights.stored(f"blk.{layer}.{name}")
                for name in geometry.layer_tensors()}
        if not geometry.encoder:
            merge_layers([held])
        layers.append(formats_of(held))
    apart = HEAD in geometry.model_tensors()
    return program_of(geometry, layers, encoding_of(weights.stored(HEAD)) if apart else "")


def compile_model(folder: Path, targets: Sequence[str], activations: str = "f16",
                  options: Sequence[str] = ()) -> Compiled:
    """Compiles the program of a model's folder to its program.bundle. `activations`:
    f16, or i8, for what ternary weights multiply. `options`: more arguments of
    `sparseflow compile`."""
    return compile(program_of_folder(folder),
                   os.path.join(os.fspath(folder), "program.bundle"), targets,
                   options=["--activations", activations, *options])
