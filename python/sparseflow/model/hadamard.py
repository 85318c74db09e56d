# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hadamard rotations of weights, and the ones that GGUF files declare."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

import numpy as np

from ..errors import Error


def hadamard(matrix: np.ndarray, block: int) -> np.ndarray:
    """Rows of a float32 matrix times Sylvester's Hadamard matrix over the root of its
    order, block by block, as sparseflow.hadamard has it."""
    shape, half = matrix.shape, 1
    while half < block:
        pairs = matrix.reshape(-1, 2, half)
        matrix = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        half *= 2
    return matrix.reshape(shape) * np.float32(block ** -0.5)


_KEY = "prism.hadamard."
_FIXED = {"version": 1, "transform": "normalized-sylvester-walsh-hadamard",
          "axis": "input-last-dimension"}
_KNOWN = {*_FIXED, "block_size", "sign_mode", "weight_names", "inverse_weight_names",
          "sign_widths", "sign_values", "gdn_v_grouped"}


class FoldedRotation:
    """Which tensors of a GGUF file are rotated along their rows, and how.

    By version 1 of the metadata `prism.hadamard.*` (docs/formats/gguf.md): the columns of
    a matrix W are stored as W D H, D the signs and H the normalized Hadamard matrix by
    blocks, for activations x D H; and so are the rows of an embedding. Both are orthogonal
    and H is symmetric, so the tensor is the stored one times H D.
    """

    def __init__(self, path: str, metadata: Mapping[str, Any]) -> None:
        self.path = path
        found = {key[len(_KEY):]: value for key, value in metadata.items()
                 if key.startswith(_KEY)}
        for name in sorted(set(found) - _KNOWN):
            self._refuse(name, "a key that version 1 has", "one that it has not")
        for name, value in _FIXED.items():
            if found.get(name) != value:
                self._refuse(name, repr(value), repr(found.get(name)))
        if found.get("gdn_v_grouped", False):
            self._refuse("gdn_v_grouped", "False", "True")
        self.block = found.get("block_size")
        if not isinstance(self.block, int) or self.block < 2 or self.block & (self.block - 1):
            self._refuse("block_size", "a power of two", repr(self.block))
        self.names = {name for key in ("weight_names", "inverse_weight_names")
                      for name in self._list(found, key, str)}
        self._signs: Optional[Dict[int, np.ndarray]] = None
        mode = found.get("sign_mode")
        if mode not in ("identity", "explicit"):
            self._refuse("sign_mode", "'identity' or 'explicit'", repr(mode))
        if mode == "explicit":
            self._signs = self._read_signs(found)

    def _refuse(self, name: str, expected: str, value: str) -> None:
        raise Error(f"{self.path}: '{_KEY}{name}': expected {expected}, found {value}: how "
                    "activations are rotated is not known, and without it the model's output "
                    "is noise; import a file without a rotation")

    def _list(self, found: Mapping[str, Any], name: str, kind: type) -> List[Any]:
        values = found.get(name, [])
        if not isinstance(values, list) or not all(isinstance(v, kind) for v in values):
            self._refuse(name, f"a list of {kind.__name__}", repr(values)[:40])
        return values

    def _read_signs(self, found: Mapping[str, Any]) -> Dict[int, np.ndarray]:
        widths = self._list(found, "sign_widths", int)
        values = np.array(self._list(found, "sign_values", int), np.float32)
        if len(set(widths)) != len(widths) or min(widths, default=0) < 1 or \
                any(width % self.block for width in widths):
            self._refuse("sign_widths", f"distinct multiples of {self.block}", repr(widths))
        if sum(widths) != len(values) or not np.isin(values, (-1, 1)).all():
            self._refuse("sign_values", f"{sum(widths)} numbers of 1 and -1",
                         f"{len(values)} numbers")
        ends = np.cumsum(widths)
        return {width: values[end - width:end] for width, end in zip(widths, ends)}

    def undo(self, name: str, values: np.ndarray) -> np.ndarray:
        """A tensor as it was before it was rotated, float32; others as they are."""
        if name not in self.names:
            return values
        width = values.shape[-1]
        if values.ndim != 2 or width % self.block:
            raise Error(f"{self.path}: tensor '{name}': expected a matrix of rows that blocks "
                        f"of {self.block} divide, which the file says is rotated, found "
                        f"{list(values.shape)}")
        result = hadamard(values.astype(np.float32), self.block)
        if self._signs is None:
            return result
        if width not in self._signs:
            self._refuse("sign_widths", f"{width}, the columns of '{name}'",
                         repr(sorted(self._signs)))
        return result * self._signs[width]
