# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packed matrices of a model, as the types that its program on a GPU has."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from ..arrays import Path
from ..cli import Compiled, compile
from ..errors import Error
from ..packing import PackedMatrix
from ..ternary import TernaryMatrix
from .description import read_geometry
from .geometry import Geometry
from .program import build_program, layer_entry
from .weights import open_weights

# Layouts that kernels read, and what the dialect calls them.
_TERNARY = {"tern.v1": "codes", "tern24.v1": "two_four", "tern24z.v1": "two_four_zero"}
_INTEGERS = {"int4.v1": "int4"}

# The encodings of a layer's packed matrices, by name.
Formats = Dict[str, str]


def encoding_of(stored: Any) -> str:
    """The encoding of a tensor as it is stored; "" of a dense one."""
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


def kinds_of_layers(layers: List[Mapping[str, Any]]) -> Tuple[List[Formats], List[str]]:
    """The distinct formats of layers, of which each is its tensors as they are stored;
    and for each layer the function that takes it."""
    kinds: List[Formats] = []
    entries = []
    for layer in layers:
        formats = {name: encoding for name, stored in layer.items()
                   if (encoding := encoding_of(stored))}
        if formats not in kinds:
            kinds.append(formats)
        entries.append(layer_entry(kinds.index(formats)))
    return kinds, entries


def compile_program(geometry: Geometry, layers: Sequence[Mapping[str, str]],
                    head: Mapping[str, str], output: Path, targets: Sequence[str],
                    activations: str = "f16") -> Compiled:
    """Compiles the program of a model whose layers, and head, have these encodings."""
    kinds: List[Formats] = []
    for formats in layers:
        if formats not in kinds:
            kinds.append(dict(formats))
    return compile(build_program(geometry, formats=kinds or [{}], head=head), output,
                   targets, options=["--activations", activations])


def compile_model(folder: Path, targets: Sequence[str], activations: str = "f16"
                  ) -> Compiled:
    """Compiles the program of a model's folder, of matrices as they are stored, to its
    program.bundle. `activations`: f16, or i8, for what ternary weights multiply."""
    folder = os.fspath(folder)
    geometry, _ = read_geometry(folder)
    weights = open_weights(folder)
    layers = [{name: encoding for name in geometry.matrices()
               if (encoding := encoding_of(weights.stored(f"blk.{layer}.{name}")))}
              for layer in range(geometry.layers)]
    return compile_program(geometry, layers, {}, os.path.join(folder, "program.bundle"),
                           targets, activations)
