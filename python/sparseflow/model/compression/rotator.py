# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow model rotate`: the same llama with weights that lose less to rounding."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tempfile
from typing import Dict, List, Optional, Tuple

import numpy as np

from ...arrays import Path, bf16_to_float32
from ...cli import rotate_file
from ...dtypes import as_dtype
from ...errors import Error, checked
from ..checkpoint import read_json
from ..folder import new_folder
from ..geometry import BLOCKS, ROTATION, Geometry
from ..hadamard import hadamard
from ..description import read_geometry
from ..program import build_program
from ..weights import PackedFile, SafetensorsFile, open_weights, write_weights


def _check(folder: str, geometry: Geometry) -> None:
    """A rotation is folded into a llama only: norms without a mean, and no vectors."""
    found = []
    if geometry.norm != "rms":
        found.append(f"{geometry.norm} norms")
    if geometry.optional:
        found.append(", ".join(geometry.optional))
    if not geometry.rotary:
        found.append("embedded positions")
    if found:
        raise Error(f"{folder}: expected a llama with RMS norms, rotary positions and neither "
                    f"biases nor more norms, found {'; '.join(found)}: a rotation of its "
                    "residual stream cannot be folded into its weights")


def _block_of(folder: str, geometry: Geometry) -> int:
    """The largest order of a Hadamard matrix for what down projections read."""
    for block in reversed(BLOCKS):
        if geometry.inner % block == 0:
            return block
    raise Error(f"{folder}: expected a feed-forward whose {geometry.inner} numbers a power of "
                f"two from {BLOCKS[0]} on divides, to rotate what down projections read; "
                "rotate without --activations")


def _signs(seed: int, layer: int, count: int) -> np.ndarray:
    random = np.random.default_rng([seed, layer])
    return np.where(random.random(count) < 0.5, np.float32(-1), np.float32(1))


def _down_layer(name: str) -> Optional[int]:
    """The layer whose down projection a tensor is."""
    parts = name.split(".")
    return int(parts[1]) if parts[2:] == ["ffn_down", "weight"] else None


@checked
def rotate_model(source: Path, output: Path, seed: int = 1, threads: int = 0,
                 activations: bool = False) -> None:
    """Writes the folder `output`: the model in `source` with its residual stream and the
    values of its heads rotated by random Hadamard matrices of `seed`.

    It computes the same, up to the rounding of its weights. Norms are folded into the
    matrices behind them; the last one into the head, which a tied embedding then is
    apart from. With `activations` what down projections read is rotated, too, by an op of
    the program.
    """
    source = os.fspath(source)
    geometry = read_geometry(source)[0]
    _check(source, geometry)
    if geometry.rotated:
        raise Error(f"{source}: expected a model whose activations are not rotated, found "
                    f"blocks of {geometry.rotated}; rotate what it was made of")
    weights = open_weights(source)
    if isinstance(weights, PackedFile):
        raise Error(f"{source}: expected dense weights, found a compressed model; rotate "
                    "before compressing")
    apart = dataclasses.replace(
        geometry, tied=False,
        rotated=_block_of(source, geometry) if activations else 0)
    # What is rotated at run time does not concern the stream.
    made_here = [*geometry.rotary_tables(),
                 *(name for name in apart.tensors() if name.endswith(ROTATION))]

    def original(name: str) -> np.ndarray:
        tied = geometry.tied and name == "output.weight"
        bits = weights.bits("token_embd.weight" if tied else name)
        layer = _down_layer(name) if activations else None
        if layer is None:
            return bits
        matrix = as_dtype(bits, "f32") if bits.dtype != np.uint16 else bf16_to_float32(bits)
        return hadamard(matrix * _signs(seed, layer, geometry.inner), apart.rotated)

    def final(name: str) -> np.ndarray:
        """A tensor as the rotated model has it."""
        if name.endswith(ROTATION):
            return _signs(seed, int(name.split(".")[1]), geometry.inner)
        if name in made_here:
            return original(name)
        bits = rotated.bits(name)
        return as_dtype(bits, geometry.dtype) if _down_layer(name) is not None else bits

    with new_folder(os.fspath(output)) as folder:
        # Rotated columns are rounded to the model's type with the rows, once.
        specs: Dict[str, Tuple[str, List[int]]] = {
            name: ("f32", spec[1]) if activations and _down_layer(name) is not None else spec
            for name, spec in apart.tensors().items() if name not in made_here}
        with tempfile.TemporaryDirectory(dir=folder) as files:
            given, made = (os.path.join(files, name) for name in ("in", "out"))
            write_weights(given, specs, original)
            rotate_file(given, made, seed, geometry.head_dim,
                        ["--threads", str(threads)] if threads else [])
            os.unlink(given)
            rotated = SafetensorsFile(made)
            write_weights(os.path.join(folder, "weights.safetensors"), apart.tensors(),
                          final)
        content = read_json(os.path.join(source, "model.json"))
        content["geometry"] = apart.to_json()
        with open(os.path.join(folder, "model.json"), "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1)
            file.write("\n")
        with open(os.path.join(folder, "program.mlir"), "w", encoding="utf-8") as file:
            file.write(build_program(apart))
        tokenizer = os.path.join(source, "tokenizer.json")
        if os.path.exists(tokenizer):
            shutil.copyfile(tokenizer, os.path.join(folder, "tokenizer.json"))
