# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that stay compiled for the CPU, through libSparseFlow-C.so.

`run` starts the command, which compiles for one call. A CpuProgram compiles once and
is called often, on arrays of this process. It loads LLVM into the process.
"""

from __future__ import annotations

import ctypes
import json
import os
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .arrays import Array
from .bundle import symbol_values
from .cache import KINDS, TernaryCache
from .dtypes import NUMBERS, NUMPY, as_dtype
from .errors import Error, checked_methods
from .native import find_beside_command
from .ternary import TernaryMatrix

_SONAME = "libSparseFlow-C.so.0"
_lock = threading.Lock()
_library: Any = None


class _Options(ctypes.Structure):
    """SparseFlowCompileOptions."""
    _fields_ = [("structSize", ctypes.c_size_t), ("emit", ctypes.c_char_p),
                ("targets", ctypes.c_char_p), ("sparse", ctypes.c_char_p),
                ("name", ctypes.c_char_p)]


class _Tensor(ctypes.Structure):
    """SparseFlowCpuTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("sizes", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_int32)]


def _find() -> str:
    named = os.environ.get("SPARSEFLOW_C")
    if named:
        return named
    return find_beside_command(_SONAME) or _SONAME


def _load() -> Any:
    """The loaded library. Calls release Python's lock."""
    global _library
    with _lock:
        if _library is None:
            path = _find()
            try:
                loaded = ctypes.CDLL(path)
                create, run = loaded.sparseflowCpuCompile, loaded.sparseflowCpuRun
                manifest, destroy = loaded.sparseflowCpuManifest, \
                    loaded.sparseflowCpuDestroy
                error = loaded.sparseflowLastError
            except (OSError, AttributeError) as problem:
                raise Error(f"cannot use {path}: {problem}; set SPARSEFLOW_C to the "
                            "path of libSparseFlow-C.so, or put the folder of the "
                            "sparseflow command on PATH") from None
            tensors = ctypes.POINTER(_Tensor)
            create.argtypes = [ctypes.c_char_p, ctypes.c_size_t,
                               ctypes.POINTER(_Options), ctypes.c_uint,
                               ctypes.POINTER(ctypes.c_void_p)]
            run.argtypes = [ctypes.c_void_p, ctypes.c_char_p, tensors, ctypes.c_size_t,
                            tensors, ctypes.c_size_t]
            manifest.argtypes, manifest.restype = [ctypes.c_void_p], ctypes.c_char_p
            destroy.argtypes, destroy.restype = [ctypes.c_void_p], None
            error.argtypes, error.restype = [], ctypes.c_char_p
            _library = loaded
        return _library


def _view(array: np.ndarray, dtype: str) -> Tuple[_Tensor, Any]:
    sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
    return _Tensor(array.ctypes.data, sizes, array.ndim, NUMBERS[dtype]), sizes


def _view_any(array: Any, dtype: str) -> Tuple[_Tensor, Any]:
    """Of packed weights and caches their bytes."""
    if isinstance(array, TernaryCache):
        return _view(array.pages, "u8")
    return _view(array.blob, "u8") if isinstance(array, TernaryMatrix) else \
        _view(array, dtype)


# As the command `sparseflow run` takes them.
MOST_THREADS = 4096


@checked_methods
class CpuProgram:
    """The functions of a program, compiled for this machine.

    `text`: MLIR text; `threads`: of a call, 0 is one a core. A sparse argument takes
    the dense array of its values, a ternary one a TernaryMatrix, a quantized cache a
    TernaryCache; one that grows is another one as a result. Calls from several threads
    are allowed.
    """

    def __init__(self, text: str, name: str = "program.mlir",
                 sparse: Optional[Mapping[str, str]] = None, threads: int = 0) -> None:
        if not 0 <= threads <= MOST_THREADS:
            raise Error(f"expected threads of 0 to {MOST_THREADS}, found {threads}")
        self._library, self._handle = _load(), ctypes.c_void_p()
        marks = ",".join(f"{key}={value}" for key, value in (sparse or {}).items())
        options = _Options(ctypes.sizeof(_Options), None, None, marks.encode() or None,
                           name.encode())
        data = text.encode()
        if self._library.sparseflowCpuCompile(data, len(data), options, threads,
                                              self._handle):
            raise Error(self._library.sparseflowLastError().decode(errors="replace"),
                        1, "library")
        manifest = json.loads(self._library.sparseflowCpuManifest(self._handle))
        self.functions: Dict[str, Dict[str, Any]] = {
            function["name"]: function for function in manifest["functions"]}

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.sparseflowCpuDestroy(self._handle)
            self._handle = ctypes.c_void_p()

    def __call__(self, entry: str, arguments: Mapping[str, Array]) -> Any:
        """Runs the function `entry` on arrays by name: its result, or a tuple.

        An array that has its argument's type and is contiguous is read where it is.
        """
        call = self.bind(entry, arguments)
        call()
        results = call.results
        return results[0] if len(results) == 1 else tuple(results)

    def bind(self, entry: str, arguments: Mapping[str, Array],
             results: Optional[Mapping[int, np.ndarray]] = None) -> "BoundCall":
        """A call of `entry` that can be repeated: it reads `arguments` and writes
        arrays of its own, or those of `results` by number, which must have the type
        and the shape of the result and be contiguous. Checked once, here.
        """
        if entry not in self.functions:
            raise Error(f"expected one of the functions {', '.join(self.functions)}, "
                        f"found {entry}")
        function = self.functions[entry]
        given = dict(arguments)
        arrays: List[Any] = []
        for index, spec in enumerate(function["arguments"]):
            name = spec.get("name", str(index))
            if name not in given:
                raise Error(f"function '{entry}': argument {name} is not given")
            array, what = given.pop(name), f"argument {name}"
            encoding = spec.get("encoding") or {"kind": ""}
            if encoding["kind"] not in ("ternary", "quantized"):
                arrays.append(as_dtype(array, spec["dtype"], what))
                continue
            kind, maker = (TernaryCache, "TernaryCache.empty") \
                if encoding["storage"] in KINDS else (TernaryMatrix, "pack_ternary")
            if not isinstance(array, kind):
                raise Error(f"{what}: expected a {kind.__name__}, found "
                            f"{type(array).__name__}; make one with {maker}")
            array.check(spec, what)
            arrays.append(array)
        if given:
            raise Error(f"function '{entry}' has no argument {next(iter(given))!r}")
        values = symbol_values(function, [array.shape for array in arrays])
        written = []
        for index, spec in enumerate(function["results"]):
            shape = [values.get(size, size) for size in spec["shape"]]
            array = (results or {}).get(index)
            if spec.get("encoding"):
                # A cache that grows: the argument stays as it is.
                cache = arrays[spec["updates"]]
                array = TernaryCache(np.empty_like(cache.pages), cache.features,
                                     cache.storage, cache.scale, cache.scale_dtype)
            elif array is None:
                array = np.empty(shape, NUMPY[spec["dtype"]])
            elif list(array.shape) != shape or array.dtype != NUMPY[spec["dtype"]] or \
                    not array.flags.c_contiguous:
                raise Error(f"result {index} of '{entry}': expected a contiguous array "
                            f"{shape} of {spec['dtype']}, found {list(array.shape)} of "
                            f"{array.dtype}")
            written.append(array)
        return BoundCall(self, entry, arrays, written)


class BoundCall:
    """A call of a function on arrays that stay where they are, which `CpuProgram.bind`
    makes: `call()` runs it and costs microseconds beside what it computes. Not for
    several threads at once.

    `results`: the arrays that it writes. What is in the arguments counts when it runs.
    """

    def __init__(self, program: CpuProgram, entry: str, arguments: Sequence[Any],
                 results: List[np.ndarray]) -> None:
        function = program.functions[entry]
        # The library reads memory of these arrays.
        self._held = (program, arguments)
        self.results = results
        inputs, outputs = ([_view_any(array, spec["dtype"])
                            for array, spec in zip(arrays, function[which])]
                           for arrays, which in ((arguments, "arguments"),
                                                 (results, "results")))
        self._sizes = [sizes for _, sizes in inputs + outputs]
        self._inputs = (_Tensor * len(inputs))(*(tensor for tensor, _ in inputs))
        self._outputs = (_Tensor * len(outputs))(*(tensor for tensor, _ in outputs))
        self._library = program._library
        self._call = (program._handle, entry.encode(), self._inputs, len(inputs),
                      self._outputs, len(outputs))

    def __call__(self) -> None:
        status = self._library.sparseflowCpuRun(*self._call)
        if status:
            raise Error(self._library.sparseflowLastError().decode(errors="replace"),
                        status, "library")

    def resize_argument(self, index: int, dimension: int, size: int) -> None:
        """Makes argument `index` larger or smaller; its memory, which begins where it
        did, must have as much. The library compares it with the other sizes."""
        self._inputs[index].sizes[dimension] = size

    def move_result(self, index: int, address: int) -> None:
        """Writes result `index` at `address` from now on; `results` does not follow."""
        self._outputs[index].data = address
