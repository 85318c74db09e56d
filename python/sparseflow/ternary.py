# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ternary matrices: blobs of the layouts in docs/formats/ternary.md."""

import ctypes

import numpy as np

from . import native
from .dtypes import NAMES, NUMBERS, aligned_bytes
from .errors import Error

LAYOUTS = {"tern.v1": 1, "ternbp.v1": 2, "tern3.v1": 3, "tern24.v1": 4,
           "tern24z.v1": 5}


class TernaryMatrix:
    """A packed ternary [N, K] matrix: W = sum over planes of scale * trit.

    `blob` (uint8, 1-D), `shape`, `dtype` (of the matrix it stands for), `layout`,
    `planes`, `scale` ("tensor", "row", or the columns that share one) and
    `scale_dtype`.
    """

    def __init__(self, blob, shape, dtype, layout, planes, scale, scale_dtype):
        self.blob, self.shape, self.dtype = blob, tuple(shape), dtype
        self.layout, self.planes = layout, planes
        self.scale, self.scale_dtype = scale, scale_dtype

    @classmethod
    def of_section(cls, blob, section):
        """The matrix of a section of a .sfpk file."""
        n, k, planes, columns, scale_type = section.dims[:5]
        return cls(blob, (n, k), NAMES[section.dtype], section.layout.decode(),
                   planes, {0: "tensor", 1: "row"}.get(columns, columns),
                   NAMES[scale_type])

    @classmethod
    def pack(cls, trits, scales, dtype="f16", layout="tern.v1", scale="row",
             scale_dtype="f32", name="weight", threads=0):
        """Packs trits (-1, 0 or 1), [planes, N, K] or [N, K] for one plane, with their
        `scales` as unpack() returns them.

        Raises Error where a trit is none, a group of a 2:4 layout has other than its
        nonzeros, or a scale is not finite or no number of `scale_dtype`.
        """
        trits = np.ascontiguousarray(trits, np.int8)
        if trits.ndim == 2:
            trits = trits[None]
        if trits.ndim != 3:
            raise Error(f"{name}: expected trits [planes, N, K] or [N, K], found "
                        f"{trits.ndim} dimensions")
        if layout not in LAYOUTS or scale_dtype not in NUMBERS or dtype not in NUMBERS:
            raise Error(f"{name}: expected a layout of {', '.join(LAYOUTS)} and types "
                        f"of {', '.join(NUMBERS)}, found {layout}, {dtype} and "
                        f"{scale_dtype}")
        matrix = cls(None, trits.shape[1:], dtype, layout, trits.shape[0], scale,
                     scale_dtype)
        library, form = native.library(), matrix._format()
        size, count = ctypes.c_size_t(), ctypes.c_size_t()
        library.sf_ternary_size(form, size, None, count)
        scales = np.ascontiguousarray(scales, np.float32)
        if scales.size != count.value:
            raise Error(f"{name}: expected {count.value} scales ({matrix}), found "
                        f"{scales.size}")
        matrix.blob = aligned_bytes(size.value)
        library.sf_ternary_pack(trits.ctypes.data, scales.ctypes.data, form,
                                name.encode(), threads, matrix.blob.ctypes.data,
                                matrix.blob.nbytes)
        return matrix

    def __str__(self):
        return (f"{self.shape[0]} x {self.shape[1]} for {self.dtype}, "
                f"{self.layout}, planes: {self.planes}, scale: {self.scale} in "
                f"{self.scale_dtype}")

    def _format(self):
        columns = {"tensor": 0, "row": 1}.get(self.scale, self.scale)
        return native.TernaryFormat(
            ctypes.sizeof(native.TernaryFormat), *self.shape, LAYOUTS[self.layout],
            self.planes, columns, NUMBERS[self.scale_dtype])

    def unpack(self):
        """Trits (int8, [planes, N, K]) and scales (float32: [planes, 1] for the
        tensor, [planes, N] for rows, [planes, groups, N]); checks the blob."""
        library, form, count = native.library(), self._format(), ctypes.c_size_t()
        library.sf_ternary_size(form, None, None, count)
        trits = np.empty((self.planes, *self.shape), np.int8)
        scales = np.empty(count.value, np.float32)
        library.sf_ternary_unpack(self.blob.ctypes.data, self.blob.nbytes, form,
                                  None, 0, trits.ctypes.data, scales.ctypes.data)
        if self.scale == "tensor":
            return trits, scales.reshape(self.planes, 1)
        return trits, scales.reshape((self.planes, self.shape[0])
                                     if self.scale == "row"
                                     else (self.planes, -1, self.shape[0]))

    def values(self, scalar=np.float32):
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

    def check(self, spec, what):
        """Raises Error unless the matrix is what a manifest's argument expects."""
        encoding = spec["encoding"]
        expected = TernaryMatrix(None, spec["shape"], spec["dtype"], spec["layout"],
                                 encoding["planes"], encoding["scale"],
                                 encoding["scale_dtype"])
        if str(self) != str(expected):
            raise Error(f"{what}: expected a ternary matrix {expected}, found "
                        f"{self}; pack it in that form")
