# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's program on a GPU: memory of its own, weights that are copied once."""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

import numpy as np

from ..bundle import Bundle
from ..cuda import Function
from ..device_arrays import DeviceArray
from ..dtypes import NUMPY
from ..errors import Error

# What changes from call to call; all else is weights.
_STATE = ("ids", "x", "q", "keys", "values", "lengths")


class _Driver:
    """Memory of device 0 through libcuda, in its primary context.

    Copies and kernels are on the default stream, one behind the other, so memory that
    nobody holds any more may be handed out again without waiting.
    """

    def __init__(self) -> None:
        path = os.environ.get("SPARSEFLOW_LIBCUDA", "libcuda.so.1")
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise Error(f"cannot load {path}: {error}; the device cuda needs NVIDIA's "
                        "driver") from None
        self._context = ctypes.c_void_p()
        self._free: Dict[int, List[int]] = {}
        self._device = ctypes.c_int()
        self._check("cuInit", 0)
        self._check("cuDeviceGet", ctypes.byref(self._device), 0)
        self._check("cuDevicePrimaryCtxRetain", ctypes.byref(self._context),
                    self._device)

    def _check(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(status, ctypes.byref(text))
            what = (text.value or b"unknown error").decode(errors="replace")
            raise Error(f"{name}: {what} (error {status} of the driver)")

    @contextlib.contextmanager
    def _current(self) -> Iterator[None]:
        self._check("cuCtxPushCurrent_v2", self._context)
        try:
            yield
        finally:
            self._library.cuCtxPopCurrent_v2(None)

    def allocate(self, size: int) -> int:
        """The address of `size` bytes, which may hold anything."""
        if self._free.get(size):
            return int(self._free[size].pop())
        address, bytes_ = ctypes.c_uint64(), ctypes.c_size_t(size)
        with self._current():
            if self._library.cuMemAlloc_v2(ctypes.byref(address), bytes_):
                self._free_all()
                self._check("cuMemAlloc_v2", ctypes.byref(address), bytes_)
        return address.value

    def _free_all(self) -> None:
        """Gives the device what nobody holds."""
        for addresses in self._free.values():
            for address in addresses:
                self._library.cuMemFree_v2(ctypes.c_uint64(address))
        self._free = {}

    def __del__(self) -> None:
        if getattr(self, "_context", None):
            with self._current():
                self._free_all()
            self._library.cuDevicePrimaryCtxRelease_v2(self._device)

    def release(self, address: int, size: int) -> None:
        """Keeps memory for the next one who asks for as much."""
        self._free.setdefault(size, []).append(address)

    def upload(self, address: int, array: np.ndarray) -> None:
        """Copies a contiguous array to the device."""
        with self._current():
            self._check("cuMemcpyHtoD_v2", ctypes.c_uint64(address),
                        ctypes.c_void_p(array.ctypes.data),
                        ctypes.c_size_t(array.nbytes))

    def download(self, array: np.ndarray, address: int) -> None:
        """Fills a contiguous array; waits for what is on the stream."""
        with self._current():
            self._check("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data),
                        ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))

    def copy(self, to: int, source: int, size: int) -> None:
        """Copies within the device, behind what is on the stream."""
        with self._current():
            self._check("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to),
                        ctypes.c_uint64(source), ctypes.c_size_t(size), None)

    def zero(self, address: int, size: int) -> None:
        """Clears memory, behind what is on the stream."""
        with self._current():
            self._check("cuMemsetD8Async", ctypes.c_uint64(address), ctypes.c_ubyte(0),
                        ctypes.c_size_t(size), None)


class _Buffer(DeviceArray):
    """An array in memory of the driver, given back when nobody holds it."""

    def __init__(self, driver: _Driver, shape: Sequence[int], dtype: str) -> None:
        super().__init__(0, shape, dtype, 1 if dtype == "u8" else
                         np.dtype(NUMPY[dtype]).itemsize, None)
        self._driver = driver
        self.data = driver.allocate(max(1, self.nbytes))

    def __del__(self) -> None:
        if self.data:
            self._driver.release(self.data, max(1, self.nbytes))


class GpuProgram:
    """The functions of a folder's program.bundle. Results stay on the device."""

    def __init__(self, folder: str) -> None:
        path = os.path.join(folder, "program.bundle")
        if not os.path.exists(path):
            raise Error(f"{path}: there is none; make it with `sparseflow model compile "
                        f"{folder} --target T`, where T is the GPU's, such as sm_90a")
        bundle = Bundle(path)
        self._functions: Dict[str, Function] = {
            name: bundle.on_gpu(entry=name) for name in bundle.functions}
        self.driver = _Driver()
        self._workspace = _Buffer(self.driver, [1], "u8")
        # The array of the host is held too: its number is its own while it lives.
        self._weights: Dict[int, Tuple[np.ndarray, _Buffer]] = {}

    def given(self, name: str, dtype: str, value: Any) -> DeviceArray:
        """An argument on the device, copied there if it is not: weights are kept."""
        if isinstance(value, DeviceArray):
            return value
        if name not in _STATE and id(value) in self._weights:
            return self._weights[id(value)][1]
        array = np.ascontiguousarray(value)
        if array.dtype != NUMPY[dtype]:
            raise Error(f"argument {name}: expected {dtype}, found {array.dtype}")
        result = _Buffer(self.driver, array.shape, dtype)
        self.driver.upload(result.data, array)
        if name not in _STATE:
            self._weights[id(value)] = value, result
        return result

    def __call__(self, entry: str, arguments: Mapping[str, Any]) -> Any:
        """Puts a function on the stream: its result, or a tuple."""
        function = self._functions[entry]
        specs = function.spec["arguments"]
        given = [self.given(spec["name"], spec["dtype"], arguments[spec["name"]])
                 for spec in specs]
        sizes = function.bundle.sizes(function.spec, [array.shape for array in given])
        results = [_Buffer(self.driver, function.shape(spec, sizes), spec["dtype"])
                   for spec in function.spec["results"]]
        need = function.workspace_size(sizes)
        if need > self._workspace.nbytes:
            self._workspace = _Buffer(self.driver, [need], "u8")
        function.launch(given, results, self._workspace)
        return results[0] if len(results) == 1 else tuple(results)

    def last(self, x: DeviceArray) -> DeviceArray:
        """The last tokens [B, 1, C] of x [B, T, C]."""
        batch, tokens, features = x.shape
        if tokens == 1:
            return x
        result = _Buffer(self.driver, [batch, 1, features], x.dtype)
        row = result.nbytes // batch
        for index in range(batch):
            self.driver.copy(result.data + index * row,
                             x.data + ((index + 1) * tokens - 1) * row, row)
        return result

    def host(self, x: DeviceArray) -> np.ndarray:
        """A copy in the memory of the host; waits for it."""
        result = np.empty(x.shape, NUMPY[x.dtype])
        self.driver.download(result, x.data)
        return result

    def grow(self, arrays: List[Any], count: int, shape: Sequence[int], dtype: str
             ) -> List[Any]:
        """`count` caches [B, S, G, D] that begin as the shorter `arrays`, else 0."""
        grown = [_Buffer(self.driver, shape, dtype) for _ in range(count)]
        for new in grown:
            self.driver.zero(new.data, new.nbytes)
        for old, new in zip(arrays, grown):
            size, stride = (array.nbytes // shape[0] for array in (old, new))
            for index in range(shape[0]):
                self.driver.copy(new.data + index * stride, old.data + index * size, size)
        return grown

    def append(self, cache: DeviceArray, new: DeviceArray, lengths: np.ndarray) -> None:
        """Puts `new` [B, T, G, D] behind the `lengths` tokens of a cache."""
        size, stride = new.nbytes // new.shape[0], cache.nbytes // cache.shape[0]
        token = stride // cache.shape[1]
        for index, first in enumerate(lengths):
            self.driver.copy(cache.data + index * stride + int(first) * token,
                             new.data + index * size, size)
