# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types. NumPy has no bf16: its bits travel as uint16, as in .npy files."""

import numpy as np

from .errors import Error

# Numbers of sf_dtype (sparseflow/weights.h); the spelling is the manifests'.
NUMBERS = {"f16": 1, "bf16": 2, "f32": 3, "f64": 4, "i8": 5, "u8": 6, "i16": 7,
           "u16": 8, "i32": 9, "u32": 10, "i64": 11, "u64": 12, "bool": 13}
NUMPY = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32,
         "f64": np.float64, "i8": np.int8, "u8": np.uint8, "i16": np.int16,
         "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
         "u64": np.uint64, "bool": np.bool_}
NAMES = {number: name for name, number in NUMBERS.items()}


def aligned_bytes(nbytes):
    """Uninitialised bytes at a multiple of 256, as kernels want weights."""
    raw = np.empty(nbytes + 255, np.uint8)
    start = -raw.ctypes.data % 256
    return raw[start:start + nbytes]


def float32_to_bf16(array):
    """The bits (uint16) of the nearest bf16, ties to even; NaN stays NaN."""
    bits = np.asarray(array, np.float32, order="C").view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    return np.where(nan, (bits >> 16) | 0x40, rounded).astype(np.uint16)


def bf16_to_float32(bits):
    """The values of bf16 bits (uint16)."""
    bits = np.asarray(bits, np.uint16, order="C")
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def as_dtype(array, dtype, what="array"):
    """`array` as NumPy holds `dtype`: converted from floats where it has to be.

    For bf16, uint16 are bits and floats are rounded.
    """
    array = np.asarray(array)
    if dtype == "bf16":
        if array.dtype == np.uint16:
            return np.asarray(array, order="C")
        if array.dtype.kind == "f":
            return float32_to_bf16(array.astype(np.float32))
    elif dtype in ("f16", "f32") and array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.asarray(array, NUMPY[dtype], order="C")
    elif dtype in NUMPY and array.dtype == NUMPY[dtype]:
        return np.asarray(array, order="C")
    raise Error(f"{what}: expected {dtype}, found an array of {array.dtype}; "
                "convert it first (bf16: float32, or its bits as uint16)")


def to_float(array, dtype, scalar):
    """Values of `array`, which holds `dtype`, as `scalar` (float32 or float64)."""
    if dtype == "bf16":
        array = bf16_to_float32(array)
    return array.astype(scalar)


def round_to(values, dtype):
    """`values` rounded to `dtype` and back, in their own type."""
    if dtype == "bf16":
        return bf16_to_float32(float32_to_bf16(values)).astype(values.dtype)
    with np.errstate(over="ignore"):
        return values.astype(NUMPY[dtype]).astype(values.dtype)
