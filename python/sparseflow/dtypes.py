# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types. NumPy has no bf16: its bits travel as uint16, as in .npy files."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, bf16_to_float32, float32_to_bf16, host_array
from .errors import Error

# Numbers of sf_dtype (sparseflow/weights.h); the spelling is the manifests', of
# which i1 is a bool, a byte that is 0 or 1.
NUMBERS = {"f16": 1, "bf16": 2, "f32": 3, "f64": 4, "i8": 5, "u8": 6, "i16": 7,
           "u16": 8, "i32": 9, "u32": 10, "i64": 11, "u64": 12, "bool": 13,
           "i1": 13}
NUMPY = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32,
         "f64": np.float64, "i8": np.int8, "u8": np.uint8, "i16": np.int16,
         "u16": np.uint16, "i32": np.int32, "u32": np.uint32, "i64": np.int64,
         "u64": np.uint64, "bool": np.bool_, "i1": np.bool_}
NAMES = {number: name for name, number in NUMBERS.items() if name != "i1"}


def aligned_bytes(nbytes: int) -> np.ndarray:
    """Uninitialised bytes at a multiple of 256, as kernels want weights."""
    raw = np.empty(nbytes + 255, np.uint8)
    start = -raw.ctypes.data % 256
    return raw[start:start + nbytes]


def as_dtype(array: Array, dtype: str, what: str = "array") -> np.ndarray:
    """`array` as NumPy holds `dtype`: converted from floats where it has to be.

    For bf16, uint16 are bits and floats are rounded. Integers become others that
    hold them.
    """
    array, is_bf16 = host_array(array, what)
    if is_bf16 and dtype in ("f16", "f32"):
        array = bf16_to_float32(array)
    if dtype == "bf16":
        if array.dtype == np.uint16:
            return np.asarray(array, order="C")
        if array.dtype.kind == "f":
            with np.errstate(over="ignore"):
                return float32_to_bf16(array.astype(np.float32))
    elif dtype in ("f16", "f32") and array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return np.asarray(array, NUMPY[dtype], order="C")
    elif dtype in NUMPY and array.dtype == NUMPY[dtype] and not is_bf16:
        return np.asarray(array, order="C")
    elif dtype in ("i32", "i64") and array.dtype.kind in "iu" and not is_bf16 and \
            np.array_equal(array.astype(NUMPY[dtype]), array):
        return np.asarray(array, NUMPY[dtype], order="C")
    found = "bf16" if is_bf16 else array.dtype
    raise Error(f"{what}: expected {dtype}, found an array of {found}; "
                "convert it first (bf16: float32, or its bits as uint16)")


def as_weights(array: Array, dtype: str, what: str) -> np.ndarray:
    """`as_dtype` for a matrix [N, K] of weights, none of which may become infinite
    by rounding."""
    source, is_bf16 = host_array(array, what)
    if source.ndim != 2:
        raise Error(f"{what}: expected a matrix [N, K], found {source.ndim} "
                    "dimensions")
    if is_bf16 and dtype != "bf16":
        source = bf16_to_float32(source)
    result = as_dtype(source, dtype, what)
    if source.dtype.kind == "f":
        values = bf16_to_float32(result) if dtype == "bf16" else result
        lost = np.isinf(values) & np.isfinite(source)
        if lost.any():
            row, column = np.argwhere(lost)[0]
            raise Error(f"{what}: {lost.sum()} values exceed the range of {dtype}, "
                        f"the first at [{row}, {column}]; scale the weights")
    return result


def to_float(array: np.ndarray, dtype: str, scalar: Any) -> np.ndarray:
    """Values of `array`, which holds `dtype`, as `scalar` (float32 or float64)."""
    if dtype == "bf16":
        array = bf16_to_float32(array)
    return array.astype(scalar)


def from_float(values: np.ndarray, dtype: str) -> np.ndarray:
    """What holds `dtype` of `values`, which are floats: the inverse of to_float."""
    if np.dtype(NUMPY[dtype]).kind in "ib":
        return np.nan_to_num(values).astype(NUMPY[dtype])
    return as_dtype(values, dtype)


def round_to(values: np.ndarray, dtype: str) -> np.ndarray:
    """`values` rounded to `dtype` and back, in their own type."""
    if dtype == "bf16":
        return bf16_to_float32(float32_to_bf16(values)).astype(values.dtype)
    if np.dtype(NUMPY[dtype]).kind != "f":
        return values
    with np.errstate(over="ignore"):
        return values.astype(NUMPY[dtype]).astype(values.dtype)
