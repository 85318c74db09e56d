# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""2:4 matrices and .sfpk files."""

from __future__ import annotations

import ctypes
import os
import re
import tempfile
from typing import (Any, Dict, Iterator, KeysView, List, Mapping, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from . import native
from .arrays import Array, Path, bf16_to_float32, host_bytes
from .dtypes import NAMES, NUMBERS, NUMPY, aligned_bytes, as_weights
from .errors import Error, MissingTensor, checked, checked_methods
from .safetensors import save_safetensors
from .ternary import TernaryMatrix

_PRUNE, _NON_FINITE = 1, 2
_DENSE, _PACKED24, _TEXT, _TERNARY = 1, 2, 3, 4


@checked_methods
class PackedMatrix:
    """A packed [N, K] matrix: `blob` (uint8, 1-D), `shape`, `dtype`, `report`.

    `blob` may be given as bytes or as an array or tensor of uint8. The report says
    what pruning kept: non-zeros and energy (sums of squares) of the input and of the
    result; None where nothing was packed here.
    """

    layout = "sf24.v1"

    def __init__(self, blob: Array, shape: Sequence[int], dtype: str = "f16",
                 report: Optional[Dict[str, Any]] = None) -> None:
        _check_dtype(dtype, "PackedMatrix")
        self.blob = host_bytes(blob, "PackedMatrix")
        self.shape: Tuple[int, ...] = tuple(int(size) for size in shape)
        if len(self.shape) != 2:
            raise Error(f"PackedMatrix: expected a shape (N, K), found {self.shape}")
        self.dtype = dtype
        self.report = report

    def validate(self) -> None:
        """Raises Error unless the blob is a well-formed matrix of this shape."""
        native.library().sf_validate24(self.blob.ctypes.data, self.blob.nbytes,
                                       *self.shape, 0)

    def unpack(self) -> np.ndarray:
        """The dense matrix; bf16 as bits (uint16)."""
        dense = np.empty(self.shape, NUMPY[self.dtype])
        native.library().sf_unpack24(self.blob.ctypes.data, self.blob.nbytes,
                                     *self.shape, 0, dense.ctypes.data,
                                     dense.nbytes)
        return dense

    def values(self) -> np.ndarray:
        """The dense matrix as float32."""
        dense = self.unpack()
        return bf16_to_float32(dense) if self.dtype == "bf16" else dense.astype(
            np.float32)


def _check_dtype(dtype: str, name: str) -> None:
    if dtype not in ("f16", "bf16"):
        raise Error(f"{name}: expected dtype f16 or bf16, found {dtype}")


def _matrix(array: Array, dtype: str, name: str) -> np.ndarray:
    _check_dtype(dtype, name)
    return as_weights(array, dtype, name)


def _options(name: str, flags: int, threads: int) -> native.PackOptions:
    return native.PackOptions(ctypes.sizeof(native.PackOptions), name.encode(),
                              flags, threads)


def _report(report: native.PackReport) -> Dict[str, Any]:
    return {field: getattr(report, field) for field, *_ in report._fields_}


@checked
def pack(array: Array, dtype: str = "f16", prune: bool = True, name: str = "weight",
         allow_non_finite: bool = False, threads: int = 0) -> PackedMatrix:
    """Packs a matrix [N, K] (K a multiple of 4) to a PackedMatrix.

    `array`: of NumPy, of torch (with a gradient, bf16 or on a GPU as well), or what
    NumPy makes one of. `prune`: keep the two largest magnitudes of every four instead
    of refusing a matrix that is not 2:4. Floats are rounded to `dtype`, f16 or bf16.
    `name` is for error texts; `threads`: 0 is one a core.
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


@checked
def prune(array: Array, dtype: str = "f16", name: str = "weight") -> np.ndarray:
    """A copy of a matrix with the two largest magnitudes of every four, as `dtype`
    (bf16 as bits, uint16). `array` and `name` as in pack."""
    dense = _matrix(array, dtype, name).copy()
    native.library().sf_prune24(dense.ctypes.data, *dense.shape, NUMBERS[dtype],
                                _options(name, _PRUNE, 0), None)
    return dense


@checked
def unpack(blob: Array, shape: Sequence[int], dtype: str = "f16") -> np.ndarray:
    """The dense matrix [N, K] of the bytes of a packed one, which are checked; bf16 as
    bits (uint16). `blob`: bytes, or an array or tensor of uint8."""
    return PackedMatrix(blob, shape, dtype).unpack()


@checked
def write_sfpk(path: Path, tensors: Mapping[str, Array],
               sparse: Sequence[str], dtype: str = "f16", prune: bool = True,
               bf16: Sequence[str] = (),
               metadata: Optional[Mapping[str, str]] = None) -> None:
    """Writes `tensors` (name to array) to a .sfpk file; needs the command.

    Those named in `sparse` are packed as 2:4 matrices of `dtype`, all others are
    carried as they are. `bf16` names arrays that hold bf16 bits (uint16); torch
    tensors say so themselves.
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


@checked_methods
class Container:
    """An open .sfpk file: a mapping of tensor names; use it in a `with`.

    Reading gives a PackedMatrix, a TernaryMatrix or an array (bf16 as uint16).
    Every read is checked: checksum, padding and, for packed matrices, the blob.
    """

    def __init__(self, path: Path) -> None:
        self._library = native.library()
        self._handle = ctypes.c_void_p()
        self._library.sf_container_open(os.fsencode(path), self._handle)
        self._sections: Dict[str, Tuple[int, native.Section]] = {}
        self.texts: Dict[str, str] = {}
        for index in range(self._library.sf_container_count(self._handle)):
            section = native.Section()
            self._library.sf_container_section(self._handle, index, section)
            name = section.name.decode()
            if section.kind == _TEXT:
                self.texts[name] = self._bytes(index, section).tobytes().decode()
            else:
                self._sections[name] = (index, section)

    def close(self) -> None:
        """Closes the file; a second time does nothing."""
        if self._handle:
            self._library.sf_container_close(self._handle)
            self._handle = ctypes.c_void_p()

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *ignored: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def __contains__(self, name: object) -> bool:
        return name in self._sections

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def __len__(self) -> int:
        return len(self._sections)

    def keys(self) -> KeysView[str]:
        """The names of the tensors."""
        return self._sections.keys()

    def layout(self, name: str) -> str:
        """The layout of a packed matrix, "tern.v1" or another; "" of what is dense or not
        there."""
        _, section = self._sections.get(name, (0, None))
        return section.layout.decode() if section and section.kind != _DENSE else ""

    def layouts(self) -> List[str]:
        """The layouts of packed matrices, "tern.v1" and others."""
        return sorted({self.layout(name) for name in self} - {""})

    def _bytes(self, index: int, section: native.Section) -> np.ndarray:
        data = aligned_bytes(section.bytes)
        self._library.sf_container_read(self._handle, index, 0, data.ctypes.data,
                                        data.nbytes)
        return data

    def __getitem__(self, name: str) -> Union[PackedMatrix, TernaryMatrix, np.ndarray]:
        if not self._handle:
            raise Error("the container is closed")
        if name not in self._sections:
            raise MissingTensor(f"no tensor '{name}' in the file, which has "
                                + (", ".join(self._sections) or "none"))
        index, section = self._sections[name]
        shape = tuple(section.dims[:section.rank])
        dtype = NAMES.get(section.dtype)
        if section.kind == _PACKED24:
            return PackedMatrix(self._bytes(index, section), shape, str(dtype))
        if section.kind == _TERNARY:
            return TernaryMatrix.of_section(self._bytes(index, section), section)
        if dtype is None:
            raise Error(f"tensor '{name}': NumPy has no element type for number "
                        f"{section.dtype} of sparseflow/weights.h")
        return self._bytes(index, section).view(NUMPY[dtype]).reshape(shape)


@checked_methods
class ContainerWriter:
    """Writes a .sfpk file, tensor by tensor, so that one is in memory at a time; use it in a
    `with`, whose end without an error puts the file at its path, whole.

    `tensors`: in their order, names to (dtype, shape) of dense ones (f16, bf16, f32, ...),
    or to a TernaryMatrix, which need not have its blob yet.
    """

    def __init__(self, path: Path,
                 tensors: Mapping[str, Union[Tuple[str, Sequence[int]], TernaryMatrix]]
                 ) -> None:
        self._library, self._handle = native.library(), ctypes.c_void_p()
        self._tensors = list(tensors.items())
        self._next = 0
        sections = (native.Section * len(tensors))(
            *(_section(name, spec) for name, spec in self._tensors))
        self._library.sf_container_create(os.fsencode(path), sections, len(sections),
                                          self._handle)

    def write(self, tensor: Union[np.ndarray, TernaryMatrix]) -> None:
        """The next tensor: an array (bf16 as uint16), or a matrix with its blob."""
        if self._next == len(self._tensors):
            raise Error("all tensors of the container have been written")
        name, spec = self._tensors[self._next]
        found = str(tensor) if isinstance(tensor, TernaryMatrix) else \
            f"{list(tensor.shape)} of {tensor.dtype}"
        expected = str(spec) if isinstance(spec, TernaryMatrix) else \
            f"{list(spec[1])} of {np.dtype(NUMPY[spec[0]])}"
        if found != expected:
            raise Error(f"tensor '{name}': expected {expected}, found {found}")
        data = tensor.blob if isinstance(tensor, TernaryMatrix) else \
            np.ascontiguousarray(tensor)
        self._library.sf_container_write(self._handle, data.ctypes.data, data.nbytes)
        self._next += 1

    def __enter__(self) -> ContainerWriter:
        return self

    def __exit__(self, kind: Any, *ignored: Any) -> None:
        try:
            if kind is None:
                self._library.sf_container_commit(self._handle)
        finally:
            self._library.sf_container_writer_close(self._handle)
            self._handle = ctypes.c_void_p()


def _section(name: str, spec: Union[Tuple[str, Sequence[int]], TernaryMatrix]
             ) -> native.Section:
    """The description of a tensor of a container."""
    if not isinstance(spec, TernaryMatrix):
        dtype, dims = spec
        section = native.Section(name.encode(), b"", _DENSE, NUMBERS[dtype], len(dims))
    else:
        dims = spec.dims()
        section = native.Section(name.encode(), spec.layout.encode(), _TERNARY,
                                 NUMBERS[spec.dtype], len(dims))
    section.dims[:len(dims)] = [int(size) for size in dims]
    return section
