# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ternary and other quantized matrices: blobs of the layouts in docs/formats."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import native
from .arrays import Array, host_array, host_bytes, is_whole
from .dtypes import NAMES, NUMBERS, aligned_bytes, as_dtype, as_weights
from .errors import Error, checked, checked_methods

METHODS = {"absmean": 0, "twn": 1, "lloyd": 2}
_FIELDS = [name for name, *_ in native.TernaryReport._fields_]
_SCOPES: Dict[Any, int] = {"tensor": 0, "row": 1}


@functools.lru_cache(maxsize=None)
def layouts() -> Dict[str, int]:
    """The layouts that the library knows, such as tern.v1, and their numbers."""
    found: Dict[str, int] = {}
    while True:
        name = native.library().sf_ternary_layout_name(len(found) + 1)
        if name is None:
            return found
        found[name.decode()] = len(found) + 1


@checked_methods
class TernaryMatrix:
    """A packed ternary [N, K] matrix: W = sum over planes of scale * trit; where the
    layout says so, of other whole numbers than -1, 0 and 1.

    `blob` (uint8, 1-D), `shape`, `dtype` (of the matrix it stands for), `layout`,
    `planes`, `scale` ("tensor", "row", or the columns that share one: 32, 64, 128 or
    256), `scale_dtype`, and `report`, what pack_ternary lost; None elsewhere. `blob`
    may be given as bytes or as an array or tensor of uint8.
    """

    def __init__(self, blob: Optional[Array], shape: Sequence[int], dtype: str,
                 layout: str, planes: int, scale: Union[str, int], scale_dtype: str,
                 report: Optional[Dict[str, float]] = None) -> None:
        self.blob: Any = None if blob is None else host_bytes(blob, "TernaryMatrix")
        self.shape: Tuple[int, ...] = tuple(int(size) for size in shape)
        self.dtype, self.layout, self.planes = dtype, layout, planes
        self.scale, self.scale_dtype, self.report = scale, scale_dtype, report

    @classmethod
    def of_section(cls, blob: np.ndarray, section: native.Section) -> TernaryMatrix:
        """The matrix of a section of a .sfpk file."""
        n, k, planes, columns, scale_type = section.dims[:5]
        return cls(blob, (n, k), NAMES[section.dtype], section.layout.decode(),
                   planes, {0: "tensor", 1: "row"}.get(columns, columns),
                   NAMES[scale_type])

    @classmethod
    def pack(cls, trits: Array, scales: Array, dtype: str = "f16",
             layout: str = "tern.v1", scale: Union[str, int] = "row",
             scale_dtype: str = "f32", name: str = "weight",
             threads: int = 0) -> TernaryMatrix:
        """Packs trits (-1, 0 or 1), [planes, N, K] or [N, K] for one plane, with their
        `scales` as unpack() returns them.

        Raises Error where a trit is none, a group of a 2:4 layout has other than its
        nonzeros, or a scale is not finite or no number of `scale_dtype`.
        """
        given, _ = host_array(trits, name)
        trits = np.ascontiguousarray(given, np.int8)
        if (trits != given).any():
            raise Error(f"{name}: expected trits, -1, 0 or 1, found "
                        f"{given[trits != given][0]}")
        if trits.ndim == 2:
            trits = trits[None]
        if trits.ndim != 3:
            raise Error(f"{name}: expected trits [planes, N, K] or [N, K], found "
                        f"{trits.ndim} dimensions")
        matrix = cls(None, trits.shape[1:], dtype, layout, trits.shape[0], scale,
                     scale_dtype)
        library, form = native.library(), matrix._format()
        size, count = ctypes.c_size_t(), ctypes.c_size_t()
        library.sf_ternary_size(form, size, None, count)
        scales = as_dtype(scales, "f32", f"{name}, scales")
        if scales.size != count.value:
            raise Error(f"{name}: expected {count.value} scales ({matrix}), found "
                        f"{scales.size}")
        matrix.blob = aligned_bytes(size.value)
        library.sf_ternary_pack(trits.ctypes.data, scales.ctypes.data, form,
                                name.encode(), threads, matrix.blob.ctypes.data,
                                matrix.blob.nbytes)
        return matrix

    def __str__(self) -> str:
        return (f"{self.shape[0]} x {self.shape[1]} for {self.dtype}, "
                f"{self.layout}, planes: {self.planes}, scale: {self.scale} in "
                f"{self.scale_dtype}")

    def dims(self) -> Tuple[int, ...]:
        """As a section of a .sfpk file has them: N, K, planes, what shares a scale (0 the
        tensor, 1 a row, or so many columns), and the number of the scales' type."""
        form = self._format()
        return (*self.shape, form.planes, form.scale_columns, form.scale_type)

    def _format(self) -> native.TernaryFormat:
        columns = _SCOPES.get(self.scale, self.scale)
        if self.layout not in layouts() or self.scale_dtype not in NUMBERS or \
                self.dtype not in NUMBERS or not is_whole(columns):
            raise Error(f"expected a layout of {', '.join(layouts())}, types of "
                        f"{', '.join(NUMBERS)} and a scale \"tensor\", \"row\" or a "
                        f"number of columns, found {self.layout}, {self.dtype}, "
                        f"{self.scale_dtype} and {self.scale}")
        return native.TernaryFormat(
            ctypes.sizeof(native.TernaryFormat), *self.shape, layouts()[self.layout],
            self.planes, columns, NUMBERS[self.scale_dtype])

    def unpack(self) -> Tuple[np.ndarray, np.ndarray]:
        """Trits (int8, [planes, N, K]) and scales (float32: [planes, 1] for the
        tensor, [planes, N] for rows, [planes, groups, N]); checks the blob."""
        library, form, count = native.library(), self._format(), ctypes.c_size_t()
        library.sf_ternary_size(form, None, None, count)
        trits = np.empty((self.planes, *self.shape), np.int8)
        scales = np.empty(count.value, np.float32)
        library.sf_ternary_unpack(self.blob.ctypes.data, self.blob.nbytes, form,
                                  None, 0, trits.ctypes.data, scales.ctypes.data)
        return trits, self._shaped(scales)

    def _shaped(self, scales: np.ndarray) -> np.ndarray:
        """Scales with the dimensions that unpack promises."""
        n, k = self.shape
        if self.scale == "tensor":
            return scales.reshape(self.planes, 1)
        if self.scale == "row":
            return scales.reshape(self.planes, n)
        return scales.reshape(self.planes, -(-k // int(self.scale)), n)

    def values(self, scalar: Any = np.float32) -> np.ndarray:
        """The matrix as `scalar`, float32 or float64; without rounding in
        float64 where there is one plane."""
        trits, scales = self.unpack()
        scales = scales.astype(scalar)
        if scales.ndim == 2:
            scales = scales[:, :, None]
        else:
            scales = np.repeat(scales.transpose(0, 2, 1), self.scale,
                               axis=2)[:, :, :self.shape[1]]
        return (scales * trits).sum(axis=0, dtype=scalar)

    def check(self, spec: Mapping[str, Any], what: str) -> None:
        """Raises Error unless the matrix is what a manifest's argument expects."""
        encoding = spec["encoding"]
        expected = TernaryMatrix(None, spec["shape"], spec["dtype"], spec["layout"],
                                 encoding["planes"], encoding["scale"],
                                 encoding["scale_dtype"])
        if str(self) != str(expected):
            raise Error(f"{what}: expected a ternary matrix {expected}, found "
                        f"{self}; pack it in that form")


class Ternarized(NamedTuple):
    """What ternarize makes: `trits` (int8, [planes, N, K]) and `scales` (float32,
    [planes, 1] for the tensor, [planes, N] for rows, [planes, groups, N]), and the
    `report`: relative_error (of norms), weighted_relative_error, snr_db, zero_share
    and bits_per_weight."""
    trits: np.ndarray
    scales: np.ndarray
    report: Dict[str, float]


@checked
def ternarize(array: Array, layout: str = "tern.v1", scale: Union[str, int] = "row",
              scale_dtype: str = "f32", planes: int = 1, method: str = "lloyd",
              importance: Optional[Array] = None, name: str = "weight",
              threads: int = 0, threshold: Optional[float] = None) -> Ternarized:
    """Chooses trits and scales for a matrix [N, K] of f16, bf16 or f32 (f64 is rounded
    to f32), of NumPy or torch.

    `scale`: what shares one, "tensor", "row", or 32, 64, 128 or 256 columns of a row.
    `method`: "lloyd" (least squared error), "twn" or "absmean" (BitNet's rule), which
    take one plane and no 2:4 layout. `importance`: K numbers, usually the mean squares
    of a column's activations, that weigh errors. `threshold`: with "twn", how many mean
    magnitudes of what shares its scale a weight exceeds that is kept, 0.7 unless told.
    docs/formats/ternary.md has the rules.
    """
    source, is_bf16 = host_array(array, name)
    dtype = "bf16" if is_bf16 else {np.dtype(np.float16): "f16"}.get(source.dtype, "f32")
    dense = as_weights(source, dtype, name)
    if method not in METHODS:
        raise Error(f"{name}: expected a method of {', '.join(METHODS)}, found {method}")
    if threshold is not None and method != "twn":
        raise Error(f"{name}: a threshold is that of method twn, found {method}")
    matrix = TernaryMatrix(None, dense.shape, dtype, layout, planes, scale, scale_dtype)
    library, form, count = native.library(), matrix._format(), ctypes.c_size_t()
    library.sf_ternary_size(form, None, None, count)
    weights = None
    if importance is not None:
        weights = as_dtype(importance, "f32", f"{name}, importance")
        if weights.shape != dense.shape[1:]:
            raise Error(f"{name}: expected {dense.shape[1]} numbers of importance, found "
                        f"shape {list(weights.shape)}")
    trits = np.empty((planes, *dense.shape), np.int8)
    scales = np.empty(count.value, np.float32)
    report = native.TernaryReport()
    choose, how = (library.sf_ternarize, METHODS[method]) if threshold is None else \
        (library.sf_ternarize_threshold, float(threshold))
    choose(
        dense.ctypes.data, NUMBERS[dtype], form, how,
        None if weights is None else weights.ctypes.data, name.encode(), threads,
        trits.ctypes.data, scales.ctypes.data, report)
    return Ternarized(trits, matrix._shaped(scales),
                      {field: getattr(report, field) for field in _FIELDS})


@checked
def pack_ternary(array: Array, dtype: str = "f16", layout: str = "tern.v1",
                 scale: Union[str, int] = "row", scale_dtype: str = "f32",
                 planes: int = 1, method: str = "lloyd",
                 importance: Optional[Array] = None, name: str = "weight",
                 threads: int = 0, threshold: Optional[float] = None) -> TernaryMatrix:
    """Ternarizes and packs a matrix [N, K]; its `report` is that of ternarize, which
    has the arguments. `dtype`: f16 or bf16, what the program calls the matrix. Trits
    that are there already go to TernaryMatrix.pack.
    """
    made = ternarize(array, layout, scale, scale_dtype, planes, method, importance,
                     name, threads, threshold)
    matrix = TernaryMatrix.pack(made.trits, made.scales, dtype, layout, scale,
                                scale_dtype, name, threads)
    matrix.report = made.report
    return matrix


@checked
def unpack_ternary(blob: Array, shape: Sequence[int], layout: str = "tern.v1",
                   scale: Union[str, int] = "row", scale_dtype: str = "f32",
                   planes: int = 1) -> Tuple[np.ndarray, np.ndarray]:
    """Trits and scales of the bytes of a packed matrix, as TernaryMatrix.unpack gives
    them; the bytes are checked. `blob`: bytes, or an array or tensor of uint8."""
    return TernaryMatrix(blob, shape, "f16", layout, planes, scale,
                         scale_dtype).unpack()
