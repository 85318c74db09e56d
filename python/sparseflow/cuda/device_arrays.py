# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses of arrays in GPU memory, whoever owns them."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Sequence, Tuple

from ..arrays import Array
from ..errors import Error


class DeviceArray:
    """Where an array lies: `data` (address), `shape`, `dtype` (the manifests'
    spelling, or None for other types), `nbytes`. `owner` is kept alive."""

    def __init__(self, data: int, shape: Sequence[int], dtype: str, itemsize: int,
                 owner: Any) -> None:
        self.data, self.shape, self.dtype = data, tuple(shape), dtype
        self.nbytes = itemsize
        for size in self.shape:
            self.nbytes *= size
        self.owner = owner


_TYPESTR = {"<f2": ("f16", 2), "<f4": ("f32", 4), "<u2": ("bf16", 2),
            "<V2": ("bf16", 2), "|u1": ("u8", 1), "|i1": ("i8", 1),
            "<i4": ("i32", 4), "<i8": ("i64", 8), "|b1": ("i1", 1)}
_TORCH = {"torch.float16": ("f16", 2), "torch.bfloat16": ("bf16", 2),
          "torch.float32": ("f32", 4), "torch.uint8": ("u8", 1),
          "torch.int8": ("i8", 1), "torch.int32": ("i32", 4),
          "torch.int64": ("i64", 8), "torch.bool": ("i1", 1)}
# (code, bits) of DLPack.
_DLPACK = {(2, 16): ("f16", 2), (4, 16): ("bf16", 2), (2, 32): ("f32", 4),
           (1, 8): ("u8", 1), (0, 8): ("i8", 1), (1, 16): ("bf16", 2),
           (0, 32): ("i32", 4), (0, 64): ("i64", 8), (6, 8): ("i1", 1)}
_CUDA, _CUDA_MANAGED = 2, 13


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


def _row_major(shape: Sequence[int], strides: Sequence[int], itemsize: int,
               what: str) -> None:
    """Strides in bytes; those of sizes 0 and 1 do not matter."""
    expected = itemsize
    if 0 in shape:
        return
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != expected:
            raise Error(f"{what}: expected a row-major array without gaps, found "
                        f"strides of {list(strides)} bytes for {list(shape)}; make "
                        "it contiguous, or pass the allocation that it is a slice "
                        "of and slice that in the program")
        expected *= size


def _known(table: Dict[Any, Tuple[str, int]], key: Any,
           what: str) -> Tuple[str, int]:
    if key not in table:
        raise Error(f"{what}: expected f16, bf16, f32, i1, i8, i32, i64 or bytes, "
                    f"found the element type {key}")
    return table[key]


def _from_dlpack(array: Array, what: str) -> DeviceArray:
    # The consumer names no stream: the caller orders its streams itself.
    capsule = array.__dlpack__()
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(capsule, b"dltensor")
    tensor = _DLTensor.from_address(address)
    if tensor.device_type not in (_CUDA, _CUDA_MANAGED):
        raise Error(f"{what}: expected memory of a CUDA device, found DLPack device "
                    f"type {tensor.device_type}")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    dtype, itemsize = _known(_DLPACK, (tensor.code, tensor.bits), what)
    if tensor.lanes != 1:
        raise Error(f"{what}: vector types are not supported")
    if tensor.strides:
        _row_major(shape, [tensor.strides[i] * itemsize for i in range(tensor.ndim)],
                   itemsize, what)
    # The capsule, never consumed, frees what it owns when it goes.
    return DeviceArray((tensor.data or 0) + tensor.byte_offset, shape, dtype,
                       itemsize, (array, capsule))


def device_array(array: Array, what: str = "array") -> DeviceArray:
    """The DeviceArray of a torch tensor, or of anything with
    `__cuda_array_interface__` (CuPy, Numba) or `__dlpack__`."""
    if isinstance(array, DeviceArray):
        return array
    # torch refuses __cuda_array_interface__ for bf16 in many versions.
    if hasattr(array, "data_ptr") and hasattr(array, "stride"):
        if not array.is_cuda:
            raise Error(f"{what}: expected a CUDA tensor, found one on "
                        f"{array.device}; move it with .cuda()")
        dtype, itemsize = _known(_TORCH, str(array.dtype), what)
        _row_major(tuple(array.shape), [s * itemsize for s in array.stride()],
                   itemsize, what)
        return DeviceArray(array.data_ptr(), tuple(array.shape), dtype, itemsize,
                           array)
    if hasattr(array, "__cuda_array_interface__"):
        interface = array.__cuda_array_interface__
        dtype, itemsize = _known(_TYPESTR, interface["typestr"], what)
        shape = tuple(interface["shape"])
        if interface.get("strides"):
            _row_major(shape, interface["strides"], itemsize, what)
        return DeviceArray(interface["data"][0], shape, dtype, itemsize, array)
    if hasattr(array, "__dlpack__"):
        return _from_dlpack(array, what)
    raise Error(f"{what}: expected a torch CUDA tensor or an array with "
                "__cuda_array_interface__ or __dlpack__, found "
                f"{type(array).__name__}; NumPy arrays run with "
                "Bundle.evaluate")
