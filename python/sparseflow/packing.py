# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""2:4 matrices and .sfpk files."""

import ctypes
import os
import re
import tempfile

import numpy as np

from . import native
from .dtypes import (NAMES, NUMBERS, NUMPY, aligned_bytes, as_dtype,
                     bf16_to_float32)
from .errors import Error
from .safetensors import save_safetensors
from .ternary import TernaryMatrix

_PRUNE, _NON_FINITE = 1, 2
_DENSE, _PACKED24, _TEXT, _TERNARY = 1, 2, 3, 4


class PackedMatrix:
    """A packed [N, K] matrix: `blob` (uint8, 1-D), `shape`, `dtype`, `report`.

    The report says what pruning kept: non-zeros and energy (sums of squares) of
    the input and of the result; None where nothing was packed here.
    """

    layout = "sf24.v1"

    def __init__(self, blob, shape, dtype, report=None):
        self.blob, self.shape, self.dtype = blob, tuple(shape), dtype
        self.report = report

    def validate(self):
        """Raises Error unless the blob is a well-formed matrix of this shape."""
        native.library().sf_validate24(self.blob.ctypes.data, self.blob.nbytes,
                                       *self.shape, 0)

    def unpack(self):
        """The dense matrix; bf16 as bits (uint16)."""
        dense = np.empty(self.shape, NUMPY[self.dtype])
        native.library().sf_unpack24(self.blob.ctypes.data, self.blob.nbytes,
                                     *self.shape, 0, dense.ctypes.data,
                                     dense.nbytes)
        return dense

    def values(self):
        """The dense matrix as float32."""
        dense = self.unpack()
        return bf16_to_float32(dense) if self.dtype == "bf16" else dense.astype(
            np.float32)


def _matrix(array, dtype, name):
    if dtype not in ("f16", "bf16"):
        raise Error(f"{name}: expected dtype f16 or bf16, found {dtype}")
    source = np.asarray(array)
    if source.ndim != 2:
        raise Error(f"{name}: expected a matrix [N, K], found {source.ndim} "
                    "dimensions")
    result = as_dtype(source, dtype, name)
    if source.dtype.kind == "f":
        values = bf16_to_float32(result) if dtype == "bf16" else result
        lost = np.isinf(values) & np.isfinite(source)
        if lost.any():
            row, column = np.argwhere(lost)[0]
            raise Error(f"{name}: {lost.sum()} values exceed the range of {dtype}, "
                        f"the first at [{row}, {column}]; scale the weights")
    return result


def _options(name, flags, threads):
    return native.PackOptions(ctypes.sizeof(native.PackOptions), name.encode(),
                              flags, threads)


def _report(report):
    return {field: getattr(report, field) for field, _ in report._fields_}


def pack(array, dtype="f16", prune=True, name="weight", allow_non_finite=False,
         threads=0):
    """Packs a matrix [N, K] (K a multiple of 4) to a PackedMatrix.

    `prune`: keep the two largest magnitudes of every four instead of refusing a
    matrix that is not 2:4. float arrays are rounded to `dtype`.
    """
    dense = _matrix(array, dtype, name)
    n, k = dense.shape
    library, size = native.library(), ctypes.c_size_t()
    library.sf_pack24_size(n, k, size, None)
    blob = aligned_bytes(size.value)
    report = native.PackReport()
    flags = (_PRUNE if prune else 0) | (_NON_FINITE if allow_non_finite else 0)
    library.sf_pack24(dense.ctypes.data, n, k, NUMBERS[dtype],
                      _options(name, flags, threads), blob.ctypes.data,
                      blob.nbytes, report)
    return PackedMatrix(blob, (n, k), dtype, _report(report))


def prune(array, dtype="f16", name="weight"):
    """A copy of a matrix with the two largest magnitudes of every four."""
    dense = _matrix(array, dtype, name).copy()
    native.library().sf_prune24(dense.ctypes.data, *dense.shape, NUMBERS[dtype],
                                _options(name, _PRUNE, 0), None)
    return dense


def write_sfpk(path, tensors, sparse, dtype="f16", prune=True, bf16=(),
               metadata=None):
    """Writes `tensors` (name to array) to a .sfpk file; needs the command.

    Those named in `sparse` are packed as 2:4 matrices of `dtype`, all others are
    carried as they are. `bf16` names those that hold bf16 bits (uint16).
    """
    from .cli import pack_file
    if not sparse:
        raise Error("expected the names of the matrices to pack in sparse, found "
                    "none; dense tensors alone are a .safetensors file")
    missing = [name for name in sparse if name not in tensors]
    if missing:
        raise Error(f"sparse names '{missing[0]}', which is not among the tensors")
    with tempfile.TemporaryDirectory(prefix="sparseflow-") as folder:
        source = os.path.join(folder, "tensors.safetensors")
        save_safetensors(source, tensors, metadata, bf16)
        include = "|".join(re.escape(name) for name in sparse)
        pack_file(source, path, include=f"^({include})$",
                  dtype=dtype, prune=prune)


class Container:
    """An open .sfpk file: a mapping of tensor names; use it in a `with`.

    Reading gives a PackedMatrix, a TernaryMatrix or an array (bf16 as uint16).
    Every read is checked: checksum, padding and, for packed matrices, the blob.
    """

    def __init__(self, path):
        self._library = native.library()
        self._handle = ctypes.c_void_p()
        self._library.sf_container_open(os.fsencode(path), self._handle)
        self._sections, self.texts = {}, {}
        for index in range(self._library.sf_container_count(self._handle)):
            section = native.Section()
            self._library.sf_container_section(self._handle, index, section)
            name = section.name.decode()
            if section.kind == _TEXT:
                self.texts[name] = self._bytes(index, section).tobytes().decode()
            else:
                self._sections[name] = (index, section)

    def close(self):
        if self._handle:
            self._library.sf_container_close(self._handle)
            self._handle = ctypes.c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def __contains__(self, name):
        return name in self._sections

    def __iter__(self):
        return iter(self._sections)

    def __len__(self):
        return len(self._sections)

    def keys(self):
        return self._sections.keys()

    def _bytes(self, index, section):
        data = aligned_bytes(section.bytes)
        self._library.sf_container_read(self._handle, index, 0, data.ctypes.data,
                                        data.nbytes)
        return data

    def __getitem__(self, name):
        if not self._handle:
            raise Error("the container is closed")
        if name not in self._sections:
            raise KeyError(name)
        index, section = self._sections[name]
        shape = tuple(section.dims[:section.rank])
        dtype = NAMES.get(section.dtype)
        if section.kind == _PACKED24:
            return PackedMatrix(self._bytes(index, section), shape, dtype)
        if section.kind == _TERNARY:
            return TernaryMatrix.of_section(self._bytes(index, section), section)
        if dtype is None:
            raise Error(f"tensor '{name}': NumPy has no element type for number "
                        f"{section.dtype} of sparseflow/weights.h")
        return self._bytes(index, section).view(NUMPY[dtype]).reshape(shape)
