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
from typing import Dict, List, Tuple

import numpy as np

from ...arrays import Path
from ...cli import rotate_file
from ...errors import Error, checked
from ..checkpoint import read_json
from ..folder import new_folder
from ..geometry import Geometry
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


@checked
def rotate_model(source: Path, output: Path, seed: int = 1, threads: int = 0) -> None:
    """Writes the folder `output`: the model in `source` with its residual stream and the
    values of its heads rotated by random Hadamard matrices of `seed`.

    It computes the same, up to the rounding of its weights. Norms are folded into the
    matrices behind them; the last one into the head, which a tied embedding then is
    apart from.
    """
    source = os.fspath(source)
    geometry = read_geometry(source)[0]
    _check(source, geometry)
    weights = open_weights(source)
    if isinstance(weights, PackedFile):
        raise Error(f"{source}: expected dense weights, found a compressed model; rotate "
                    "before compressing")
    apart = dataclasses.replace(geometry, tied=False)
    tables = geometry.rotary_tables()

    def original(name: str) -> np.ndarray:
        tied = geometry.tied and name == "output.weight"
        return weights.bits("token_embd.weight" if tied else name)

    with new_folder(os.fspath(output)) as folder:
        specs: Dict[str, Tuple[str, List[int]]] = {
            name: spec for name, spec in apart.tensors().items() if name not in tables}
        with tempfile.TemporaryDirectory(dir=folder) as files:
            given, made = (os.path.join(files, name) for name in ("in", "out"))
            write_weights(given, specs, original)
            rotate_file(given, made, seed, geometry.head_dim,
                        ["--threads", str(threads)] if threads else [])
            os.unlink(given)
            rotated = SafetensorsFile(made)
            write_weights(os.path.join(folder, "weights.safetensors"), apart.tensors(),
                          lambda name: original(name) if name in tables
                          else rotated.bits(name))
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
