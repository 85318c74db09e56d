# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of callers, whoever made them, as NumPy arrays of this process."""

from __future__ import annotations

import os
from typing import Any, Tuple, Union

import numpy as np

from .errors import Error, checked

# What functions take: NumPy arrays, torch tensors (a gradient, another device and
# bf16 are no obstacles), and whatever NumPy makes an array of.
Array = Any
Path = Union[str, "os.PathLike[str]"]


def is_whole(value: Any) -> bool:
    """Whether a caller gave a whole number, Python's or NumPy's."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def map_file(path: str) -> np.ndarray:
    """The bytes of a file, mapped; an Error where there are none."""
    try:
        if os.path.getsize(path) == 0:
            raise Error(f"{path}: is empty")
        return np.asarray(np.memmap(path, np.uint8, "r"))
    except OSError as error:
        raise Error(f"{path}: cannot be read: {error.strerror}") from None


def _is_torch(value: Array) -> bool:
    # By its methods: torch is never imported here.
    return all(hasattr(value, name) for name in ("detach", "cpu", "numpy", "dtype"))


def _from_torch(tensor: Array, what: str) -> Tuple[np.ndarray, bool]:
    layout, dtype = str(getattr(tensor, "layout", "torch.strided")), str(tensor.dtype)
    device = getattr(tensor, "device", None)
    if layout != "torch.strided":
        raise Error(f"{what}: expected a dense tensor, found one of layout {layout}; "
                    "call .to_dense() first")
    if getattr(tensor, "is_quantized", False):
        raise Error(f"{what}: expected numbers, found a quantized tensor ({dtype}); "
                    "call .dequantize() first")
    if getattr(device, "type", "") == "meta":
        raise Error(f"{what}: expected values, found a tensor on the device meta, "
                    "which has none; load its weights first")
    if dtype.startswith("torch.float8") or dtype.startswith("torch.float4"):
        raise Error(f"{what}: expected f16, bf16 or f32, found {dtype}; call .float() "
                    "and apply its scales first")
    is_bf16 = dtype == "torch.bfloat16"
    try:
        tensor = tensor.detach()
        # NumPy has no bf16; float32 holds every one exactly.
        tensor = (tensor.float() if is_bf16 else tensor).cpu()
        for lazy in ("resolve_conj", "resolve_neg"):
            if hasattr(tensor, lazy):
                tensor = getattr(tensor, lazy)()
        array = np.asarray(tensor.numpy())
    except (TypeError, RuntimeError, NotImplementedError, AttributeError) as error:
        raise Error(f"{what}: cannot read a tensor of {dtype} on {device}: "
                    f"{error}") from error
    return (float32_to_bf16(array) if is_bf16 else array), is_bf16


def host_array(value: Array, what: str = "array") -> Tuple[np.ndarray, bool]:
    """`value` as a NumPy array, and whether it is said to hold bf16: its bits then,
    uint16. Shares memory where it can.

    Raises Error for what has no values here (an array of CuPy or Numba on a GPU, a
    tensor of the device meta), and for what is no array of numbers.
    """
    if type(value) is np.ndarray and value.dtype.kind in "fiub":
        return value, False
    if _is_torch(value):
        return _from_torch(value, what)
    if hasattr(value, "__cuda_array_interface__"):
        raise Error(f"{what}: expected an array in the host's memory, found "
                    f"{type(value).__name__} on a GPU; copy it first (CuPy: .get(), "
                    "Numba: .copy_to_host())")
    if isinstance(value, np.ma.MaskedArray):
        raise Error(f"{what}: expected an array without a mask, found a masked one; "
                    "call .filled(0) first")
    try:
        array = np.asarray(value)
    except Exception as error:
        raise Error(f"{what}: expected an array, found {type(value).__name__}: "
                    f"{error}") from error
    # ml_dtypes, with which JAX and others teach NumPy bf16.
    if array.dtype.name == "bfloat16":
        return np.ascontiguousarray(array).view(np.uint16), True
    if array.dtype.kind not in "fiub":
        raise Error(f"{what}: expected an array of numbers, found "
                    f"{type(value).__name__} of {array.dtype}")
    return array, False


def host_bytes(value: Array, what: str) -> np.ndarray:
    """The bytes of a packed matrix: from bytes, or an array of uint8."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return np.frombuffer(value, np.uint8)
    array, _ = host_array(value, what)
    if array.dtype != np.uint8 or array.ndim != 1:
        raise Error(f"{what}: expected bytes (uint8, 1-D), found {array.dtype} of shape "
                    f"{list(array.shape)}")
    return np.ascontiguousarray(array)


@checked
def float32_to_bf16(array: Array) -> np.ndarray:
    """The bits (uint16) of the nearest bf16, ties to even; NaN stays NaN."""
    values, is_bf16 = host_array(array)
    if is_bf16:
        return values
    with np.errstate(over="ignore"):
        bits = np.asarray(values, np.float32, order="C").view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    return np.where(nan, (bits >> 16) | 0x40, rounded).astype(np.uint16)


@checked
def bf16_to_float32(bits: Array) -> np.ndarray:
    """The values of bf16 bits (uint16)."""
    given, _ = host_array(bits)
    if given.dtype != np.uint16:
        raise Error(f"expected the bits of bf16, uint16, found {given.dtype}")
    return (given.astype(np.uint32, order="C") << np.uint32(16)).view(np.float32)
