# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of programs on torch's tensors and streams, one loaded bundle a device."""

import contextlib
import ctypes
import threading

import torch

from .. import bundle_cache, native
from ..bundle import Bundle
from ..cuda import Context, Function
from ..dtypes import NUMBERS
from ..errors import Error

_lock = threading.Lock()
_loaded = {}


def _dims(sizes):
    return ctypes.cast((ctypes.c_int64 * max(len(sizes), 1))(*sizes), native.c_int64_p)


class Launcher:
    """A program's function on one GPU. Thread-safe; allocates nothing on the GPU.

    What Function.launch does, without its checks: operators check their tensors
    once, and a launch costs a third of the time.
    """

    def __init__(self, program, context):
        bundle = Bundle(bundle_cache.find_for(program, context))
        self.function = Function(bundle, bundle.function(), context)
        self._library = native.library()
        spec = self.function.spec
        self._symbols = [str(name) for name in spec["symbols"]]
        self._arguments = [self._fixed(s) for s in spec["arguments"]]
        self._results = [self._fixed(s) for s in spec["results"]]

    def _fixed(self, spec):
        """(type, rank, dimensions where they are known, where each comes from)."""
        shape = [(self._symbols.index(s), 0) if isinstance(s, str) else (None, s)
                 for s in spec["shape"]]
        known = all(symbol is None for symbol, _ in shape)
        return (NUMBERS[spec["dtype"]], len(shape),
                _dims([size for _, size in shape]) if known else None, shape)

    @staticmethod
    def _tensors(specs, given, sizes):
        taken = (native.Tensor * len(specs))()
        for tensor, (data, nbytes), (dtype, rank, dims, shape) in zip(taken, given, specs):
            tensor.data, tensor.rank, tensor.dtype, tensor.bytes = data, rank, dtype, nbytes
            tensor.dims = dims or _dims([size if symbol is None else sizes[symbol]
                                         for symbol, size in shape])
        return taken

    def workspace_size(self, sizes):
        """Bytes of workspace for the symbols' values, in the manifest's order."""
        size, count = ctypes.c_uint64(), len(self._symbols)
        self._library.sf_function_workspace_size(
            self.function._function, (ctypes.c_int64 * count)(*sizes), count, size)
        return size.value

    def launch(self, sizes, arguments, results, workspace, stream):
        """Puts the kernels on `stream`: (address, bytes) of each argument and result, in
        the manifest's order, and of the workspace."""
        self._library.sf_function_launch(
            self.function._function,
            self._tensors(self._arguments, arguments, sizes), len(arguments),
            self._tensors(self._results, results, sizes), len(results),
            *workspace, stream or None)


def gpu_of(target):
    """The name of this machine's first GPU of a target; "" where there is none."""
    for index in range(torch.cuda.device_count()):
        with contextlib.suppress(Error):
            if bundle_cache.target_of(torch.cuda.get_device_capability(index)) == target:
                return torch.cuda.get_device_name(index)
    return ""


def launcher(key, program, device):
    """The Launcher of `program()`, which `key` stands for, on a torch device.

    Compiled and loaded by the first call.
    """
    found = _loaded.get((key, device.index))
    if found is not None:
        return found
    if torch.cuda.is_current_stream_capturing():
        raise Error(f"'{key}' is not loaded on {device}, and a stream is being captured: "
                    "call the model once before the capture, or "
                    "sparseflow.torch.prepare(model)")
    with _lock:
        if (key, device.index) not in _loaded:
            _loaded[key, device.index] = Launcher(program(), Context(device.index))
        return _loaded[key, device.index]


def launch(key, program, sizes, arguments, *results):
    """Launches on tensors of one GPU, on torch's current stream of it; returns the first
    result."""
    device = results[0].device
    function = launcher(key, program, device)
    workspace = torch.empty(function.workspace_size(sizes), dtype=torch.uint8,
                            device=device)
    function.launch(sizes, [(t.data_ptr(), t.nbytes) for t in arguments],
                    [(t.data_ptr(), t.nbytes) for t in results],
                    (workspace.data_ptr(), workspace.nbytes),
                    torch.cuda.current_stream(device).cuda_stream)
    return results[0]
