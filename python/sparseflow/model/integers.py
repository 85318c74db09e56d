# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrices of checkpoints that are integers with scales, and stay so when they are imported:
trits of BitNet checkpoints, their master weights, and tensors of GGUF files
(docs/formats/bitnet.md, gguf.md)."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from .. import native
from ..errors import Error
from ..ternary import TernaryMatrix

# BitNet's own reader takes 1e-5 for smaller means.
_LEAST_MEAN = np.float32(1e-5)


class IntegerForm(NamedTuple):
    """How a matrix of integers is stored: `scale` "row" or the columns that share one, of the
    type `dtype`, and the `layout` that it gets."""
    scale: Union[str, int]
    dtype: str
    layout: str = "tern.v1"

    def matrix(self, shape: Tuple[int, ...], dtype: str) -> TernaryMatrix:
        """A matrix [N, K] in this form that stands for one of `dtype`, without its blob."""
        return TernaryMatrix(None, shape, dtype, self.layout, 1, self.scale, self.dtype)


class Integers(NamedTuple):
    """`numbers` (int8, [N, K]) and the scales of groups of columns (float32, [groups, N])."""
    numbers: np.ndarray
    scales: np.ndarray

    def values(self) -> np.ndarray:
        """The matrix, float32."""
        groups, rows = self.scales.shape
        return (self.numbers.reshape(rows, groups, -1) * self.scales.T[:, :, None]
                ).reshape(self.numbers.shape)


def unpack_bitnet(codes: np.ndarray, where: str) -> np.ndarray:
    """The trits [N, K] of packed ones [N / 4, K], whose rows are in quarters. `where`: for
    errors."""
    trits = np.concatenate([codes >> 2 * quarter & 3 for quarter in range(4)]
                           ).astype(np.int8) - 1
    if (trits == 2).any():
        row, column = (int(i) for i in np.argwhere(trits == 2)[0])
        raise Error(f"{where}, row {row}, column {column}: expected the code of a trit, 0, "
                    "1 or 2, found 3; the weights are not ternary, or damaged")
    return trits


def round_by_absmean(values: np.ndarray) -> Integers:
    """Master weights as BitNet rounds them when it runs: to the nearest of -m, 0 and m, the
    mean of their magnitudes."""
    values = values.astype(np.float32)
    mean = np.maximum(np.abs(values).mean(dtype=np.float64).astype(np.float32), _LEAST_MEAN)
    return Integers(np.clip(np.rint(values / mean), -1, 1).astype(np.int8),
                 np.full((1, len(values)), mean, np.float32))


class BitnetQuantization:
    """What `quantization_config` says of a BitNet checkpoint: `online` for master weights,
    which are rounded when the model runs; whether packed ones are divided by their scales."""

    def __init__(self, path: str, config: Mapping[str, Any]) -> None:
        mode = config.get("quantization_mode", "offline")
        kind = config.get("linear_class", "bitlinear")
        for member, found, known in (("quantization_mode", mode, ("offline", "online")),
                                     ("linear_class", kind, ("bitlinear", "autobitlinear")),
                                     ("use_rms_norm", config.get("use_rms_norm", False),
                                      (False,))):
            if found not in known:
                raise Error(f"{path}: config: quantization_config: '{member}': expected "
                            f"{' or '.join(map(repr, known))}, found {found!r}")
        parts = config.get("modules_to_not_convert") or []
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise Error(f"{path}: config: quantization_config: 'modules_to_not_convert': "
                        f"expected a list of names, found {parts!r}")
        self.online, self.divides = mode == "online", kind == "bitlinear"
        # Parts of names, of matrices that are as they are.
        self.dense = tuple(parts) or ("lm_head",)

    def rounds(self, name: str) -> bool:
        """Whether the tensor `name` holds master weights of trits."""
        return self.online and not any(part in name for part in self.dense)

    def scale(self, stored: np.ndarray, where: str) -> np.float32:
        """What trits are multiplied by."""
        if stored.size != 1:
            raise Error(f"{where}: expected one scale, found {list(stored.shape)}")
        scale = stored.astype(np.float32).reshape(())[()]
        if not np.isfinite(scale) or scale == 0:
            raise Error(f"{where}: expected a finite scale other than 0, found {scale}")
        return np.float32(1) / scale if self.divides else scale


def bitnet_quantization(path: str, config: Mapping[str, Any]
                        ) -> Optional[BitnetQuantization]:
    """That of a config.json, or None where there is none of BitNet."""
    given = config.get("quantization_config")
    if not isinstance(given, dict) or given.get("quant_method") != "bitnet":
        return None
    return BitnetQuantization(path, given)


class GgufTrits:
    """The ternary tensors of a GGUF file, which the library reads and checks."""

    def __init__(self, path: str) -> None:
        self.path, self._library = path, native.library()
        self._handle = ctypes.c_void_p()
        self._library.sf_gguf_open(os.fsencode(path), 0, self._handle)
        # Name to index and format.
        self._tensors: Dict[str, Tuple[int, native.TernaryFormat]] = {}
        for index in range(self._library.sf_gguf_count(self._handle)):
            tensor, form = native.GgufTensor(), native.TernaryFormat()
            self._library.sf_gguf_describe(self._handle, index, tensor, form)
            if tensor.is_ternary:
                self._tensors[tensor.name.decode()] = index, form

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sf_gguf_close(self._handle)

    def columns(self, name: str) -> int:
        """Columns that share a scale."""
        if name not in self._tensors:
            raise Error(f"{self.path}: tensor '{name}': expected a matrix of trits, found one "
                        "of another rank, or of Q2_0 in blocks of a size that the file does "
                        "not tell; convert the file first")
        return int(self._tensors[name][1].scale_columns)

    def read(self, name: str) -> Integers:
        """The trits and scales of a tensor, in groups of columns."""
        columns = self.columns(name)
        index, form = self._tensors[name]
        trits = np.empty((form.n, form.k), np.int8)
        scales = np.empty((form.k // columns, form.n), np.float32)
        self._library.sf_gguf_read_ternary(self._handle, index, 0, trits.ctypes.data,
                                           scales.ctypes.data)
        return Integers(trits, scales)
