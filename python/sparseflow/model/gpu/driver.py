# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory, a stream and graphs of a GPU, through NVIDIA's driver and nothing else."""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set

import numpy as np

from ...cuda.device_arrays import DeviceArray
from ...dtypes import NUMPY
from ...errors import Error

# CU_STREAM_NON_BLOCKING: neither waits for the default stream nor holds it up.
_NON_BLOCKING = 1
# CU_STREAM_CAPTURE_MODE_RELAXED: what others do on other streams is theirs.
_RELAXED = 2


class Driver:
    """Memory of device 0 through libcuda, in its primary context.

    Kernels and copies within the device are on one stream, one behind the other, so
    memory that nobody holds any more may be handed out again without waiting. Copies
    from and to the host wait for that stream. One thread at a time uses a driver.
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
        self.stream = ctypes.c_void_p()
        with self._current():
            self._check("cuStreamCreate", ctypes.byref(self.stream), _NON_BLOCKING)
        # What buffers hold, what graphs hold, and what the graph being captured has
        # been given: addresses, and their sizes.
        self._live: Set[int] = set()
        self._graphs: Set[int] = set()
        self._captured: Optional[Dict[int, int]] = None

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
        """The address of `size` bytes, which may hold anything. Raises Error where the
        device has no room for them, even with what nobody holds given back to it."""
        if self._free.get(size):
            result = int(self._free[size].pop())
        else:
            address, bytes_ = ctypes.c_uint64(), ctypes.c_size_t(size)
            with self._current():
                if self._library.cuMemAlloc_v2(ctypes.byref(address), bytes_):
                    self._free_all()
                    try:
                        self._check("cuMemAlloc_v2", ctypes.byref(address), bytes_)
                    except Error as error:
                        raise Error(f"{size:,} bytes of device memory: {error}") from None
            result = address.value
        if self._captured is not None:
            self._captured[result] = size
        self._live.add(result)
        return result

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
                if getattr(self, "stream", None):
                    self._library.cuStreamDestroy_v2(self.stream)
            self._library.cuDevicePrimaryCtxRelease_v2(self._device)

    def release(self, address: int, size: int) -> None:
        """Keeps memory for the next one who asks for as much, unless a graph has it."""
        self._live.discard(address)
        if address not in self._graphs:
            self._free.setdefault(size, []).append(address)

    def give_back(self, captured: Dict[int, int]) -> None:
        """Memory that a graph had, which is gone."""
        for address, size in captured.items():
            self._graphs.discard(address)
            if address not in self._live:
                self._free.setdefault(size, []).append(address)

    def upload(self, address: int, array: np.ndarray) -> None:
        """Copies a contiguous array to the device, behind what is on the stream."""
        with self._current():
            self._check("cuStreamSynchronize", self.stream)
            self._check("cuMemcpyHtoD_v2", ctypes.c_uint64(address),
                        ctypes.c_void_p(array.ctypes.data),
                        ctypes.c_size_t(array.nbytes))
            # The call may return before the bytes have arrived.
            self._check("cuStreamSynchronize", None)

    def download(self, array: np.ndarray, address: int,
                 event: Optional[ctypes.c_void_p] = None) -> None:
        """Fills a contiguous array; waits for what is on the stream, or for what was
        in front of `event`, which is given up."""
        with self._current():
            if event is None:
                self._check("cuStreamSynchronize", self.stream)
            else:
                self._check("cuEventSynchronize", event)
                self._check("cuEventDestroy_v2", event)
            self._check("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data),
                        ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))

    def copy(self, to: int, source: int, size: int) -> None:
        """Copies within the device, behind what is on the stream."""
        with self._current():
            self._check("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to),
                        ctypes.c_uint64(source), ctypes.c_size_t(size), self.stream)

    def zero(self, address: int, size: int) -> None:
        """Clears memory, behind what is on the stream."""
        with self._current():
            self._check("cuMemsetD8Async", ctypes.c_uint64(address), ctypes.c_ubyte(0),
                        ctypes.c_size_t(size), self.stream)

    @contextlib.contextmanager
    def capture(self) -> Iterator["Graph"]:
        """What is put on the stream inside becomes the graph that this gives. Nothing
        in it runs, and nothing may wait. The graph keeps the memory that was handed out
        inside, and only that: whoever launches it holds what it uses besides."""
        graph = Graph(self)
        with self._current():
            self._captured = {}
            self._check("cuStreamBeginCapture_v2", self.stream, _RELAXED)
        handle = ctypes.c_void_p()
        failed = True
        try:
            yield graph
            failed = False
        finally:
            with self._current():
                status = self._library.cuStreamEndCapture(self.stream,
                                                          ctypes.byref(handle))
            held, self._captured = self._captured or {}, None
            if failed and handle:
                self._library.cuGraphDestroy(handle)
        if status:
            raise Error(f"cuStreamEndCapture: error {status} of the driver; a step could "
                        "not be captured as a graph")
        # What is free again already is no longer: the graph uses it in its order.
        for addresses in self._free.values():
            addresses[:] = [address for address in addresses if address not in held]
        self._graphs.update(held)
        graph._take(handle, held)

    def graph_call(self, name: str, *arguments: Any) -> None:
        """Calls the driver in this context."""
        with self._current():
            self._check(name, *arguments)

    def event(self) -> ctypes.c_void_p:
        """A new event on the stream, here."""
        event = ctypes.c_void_p()
        with self._current():
            self._check("cuEventCreate", ctypes.byref(event), 0)
            self._check("cuEventRecord", event, self.stream)
        return event

    def elapsed(self, begin: ctypes.c_void_p, end: ctypes.c_void_p) -> float:
        """Milliseconds between two events, which are given up; waits for them."""
        result = ctypes.c_float()
        with self._current():
            self._check("cuEventSynchronize", end)
            self._check("cuEventElapsedTime", ctypes.byref(result), begin, end)
            for event in (begin, end):
                self._check("cuEventDestroy_v2", event)
        return result.value

    def bandwidth(self) -> float:
        """Bytes a second of the device's memory by its clock and width; 0 unknown."""
        clock, width = ctypes.c_int(), ctypes.c_int()
        for value, attribute in ((clock, 36), (width, 37)):
            self._check("cuDeviceGetAttribute", ctypes.byref(value), attribute,
                        self._device)
        return 2.0 * clock.value * 1e3 * width.value / 8

    def name(self) -> str:
        """The device's name."""
        text = ctypes.create_string_buffer(256)
        self._check("cuDeviceGetName", text, 256, self._device)
        return text.value.decode(errors="replace")

    def wait(self) -> None:
        """Waits for all that is on the stream."""
        with self._current():
            self._check("cuStreamSynchronize", self.stream)


class Graph:
    """Work that was captured, to be launched any number of times."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._exec = ctypes.c_void_p()
        self._memory: Dict[int, int] = {}

    def _take(self, handle: ctypes.c_void_p, memory: Dict[int, int]) -> None:
        self._memory = memory
        try:
            self._driver.graph_call("cuGraphInstantiateWithFlags",
                                    ctypes.byref(self._exec), handle,
                                    ctypes.c_uint64(0))
        finally:
            self._driver.graph_call("cuGraphDestroy", handle)

    def launch(self) -> None:
        """Puts it on the driver's stream."""
        self._driver.graph_call("cuGraphLaunch", self._exec, self._driver.stream)

    def __del__(self) -> None:
        if self._exec:
            # It may be under way.
            self._driver.wait()
            self._driver.graph_call("cuGraphExecDestroy", self._exec)
        self._driver.give_back(self._memory)


class Buffer(DeviceArray):
    """An array in memory of the driver, given back when nobody holds it."""

    def __init__(self, driver: Driver, shape: Sequence[int], dtype: str) -> None:
        super().__init__(0, shape, dtype, 1 if dtype == "u8" else
                         np.dtype(NUMPY[dtype]).itemsize, None)
        self._driver = driver
        self.data = driver.allocate(max(1, self.nbytes))

    def __del__(self) -> None:
        if self.data:
            self._driver.release(self.data, max(1, self.nbytes))
