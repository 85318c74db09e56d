# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compression of a layer's matrices by the command, and what it did to them."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Mapping, Optional, Tuple

import numpy as np

from ...arrays import bf16_to_float32
from ...calibration import Moments
from ...cli import compress_file
from ...safetensors import save_safetensors
from .forms import form_of
from .plan import Choice, Plan
from ..weights import SafetensorsFile

# Methods that move the weights that stay, so that a target can be reached.
AIMED = ("sparsegpt", "gptq", "refit")
# Cells of a heat map, at most.
_ROWS, _COLUMNS = 12, 32


def as_float(bits: np.ndarray) -> np.ndarray:
    """Weights as float32; uint16 are bits of bf16."""
    return bf16_to_float32(bits) if bits.dtype == np.uint16 else bits.astype(np.float32)


def compress_matrices(matrices: Mapping[str, np.ndarray], choices: Mapping[str, Choice],
                      moments: Moments, folder: str, threads: int = 0,
                      targets: Optional[Mapping[str, np.ndarray]] = None
                      ) -> Tuple[Dict[str, np.ndarray], Dict[str, Dict[str, Any]]]:
    """Compresses `matrices`, by their whole names, bf16 as its bits, as chosen.

    `moments` and `targets` (the mean of y x^T, where they are known) are of the same
    names; files are left in `folder`. Returns all matrices, those that stay dense too,
    and the line of the command's report for each of the others.
    """
    chosen = [name for name in matrices if choices[name].format != "dense"]
    if not chosen:
        return dict(matrices), {}
    aimed = [name for name in chosen if targets and choices[name].method in AIMED]
    if aimed and aimed != chosen:
        # The command wants the targets of all, or of none.
        both, notes = dict(matrices), {}
        for names, aims in ((aimed, targets), (set(chosen) - set(aimed), None)):
            part = compress_matrices({name: matrices[name] for name in chosen
                                      if name in names}, choices, moments, folder,
                                     threads, aims)
            both.update(part[0])
            notes.update(part[1])
        return both, notes
    path = {name: os.path.join(folder, name + suffix) for name, suffix in (
        ("dense", ".safetensors"), ("moments", ".safetensors"), ("plan", ".json"),
        ("targets", ".safetensors"), ("report", ".json"),
        ("result", ".safetensors"))}
    save_safetensors(path["dense"], {name: matrices[name] for name in chosen},
                     bf16=[name for name in chosen if matrices[name].dtype == np.uint16])
    options = ["--report", path["report"]]
    options += ["--threads", str(threads)] if threads else []
    given = None
    if any(choices[name].method != "magnitude" for name in chosen):
        save_safetensors(path["moments"], {name: moments.matrix(name) for name in chosen})
        given = path["moments"]
    Plan([choices[name].rule(name) for name in chosen]).write(path["plan"])
    wished = None
    if aimed and targets:
        save_safetensors(path["targets"], {name: targets[name] for name in chosen})
        wished = path["targets"]
    compress_file(path["dense"], path["result"], plan=path["plan"], moments=given,
                  targets=wished, options=options)
    made = SafetensorsFile(path["result"])
    with open(path["report"], encoding="utf-8") as file:
        lines = {line["name"]: {**line, "near": "dense" if aimed else "own"}
                 for line in json.load(file)["tensors"]}
    return {name: made.bits(name).copy() if name in lines else matrices[name]
            for name in matrices}, lines


def _cells(values: np.ndarray) -> Dict[str, Any]:
    """Means over a grid of at most _ROWS x _COLUMNS cells: the largest, and each as a
    digit from 0 to 9, 9 being the largest."""
    rows = np.array_split(values, min(_ROWS, values.shape[0]), axis=0)
    means = np.array([[cell.mean() for cell in np.array_split(
        row, min(_COLUMNS, values.shape[1]), axis=1)] for row in rows])
    most = float(means.max(initial=0))
    digits = np.ceil(9 * means / most).astype(int) if most else means.astype(int)
    return {"largest": most, "rows": ["".join(map(str, row)) for row in digits]}


def describe(name: str, choice: Choice, dense: np.ndarray, now: np.ndarray,
             line: Mapping[str, Any]) -> Dict[str, Any]:
    """What a matrix lost: an entry of the report. `line`: of the command's, or empty."""
    before, after = as_float(dense), as_float(now)
    n, k = before.shape
    energy = float(np.square(before, dtype=np.float64).sum()) or 1.0
    error = float(np.square(before - after, dtype=np.float64).sum())
    kept = float(np.square(before[after != 0], dtype=np.float64).sum())
    return {"name": name, "shape": [n, k], "format": choice.format,
            "method": choice.method, "scale_columns": choice.scale,
            "reason": choice.reason, "near": line.get("near", "own"),
            "output_error": line.get("output_error", 0.0),
            "damping_raised": line.get("damping_raised", False),
            "snr_db": round(10 * np.log10(energy / error), 2) if error else None,
            "kept_energy": kept / energy, "zeros": float((after == 0).mean()),
            "bytes": form_of(choice.format).bytes(n, k, choice.scale),
            "dense_bytes": 2 * n * k,
            "zeros_map": _cells((after == 0).astype(np.float32)),
            "error_map": _cells(np.square(before - after)
                                / (np.square(before).mean() or 1.0))}
