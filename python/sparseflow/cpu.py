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
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from .arrays import Array
from .bundle import symbol_values
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


@checked_methods
class CpuProgram:
    """The functions of a program, compiled for this machine.

    `text`: MLIR text; `threads`: of a call, 0 is one a core. A sparse argument takes
    the dense array of its values, a ternary one a TernaryMatrix. Calls from several
    threads are allowed.
    """

    def __init__(self, text: str, name: str = "program.mlir",
                 sparse: Optional[Mapping[str, str]] = None, threads: int = 0) -> None:
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
            if not isinstance(array, TernaryMatrix):
                raise Error(f"{what}: expected a TernaryMatrix, found "
                            f"{type(array).__name__}; make one with pack_ternary")
            array.check(spec, what)
            arrays.append(array)
        if given:
            raise Error(f"function '{entry}' has no argument {next(iter(given))!r}")
        values = symbol_values(function, [array.shape for array in arrays])
        results = [np.empty([values.get(size, size) for size in spec["shape"]],
                            NUMPY[spec["dtype"]]) for spec in function["results"]]
        inputs = [_view(array.blob, "u8") if isinstance(array, TernaryMatrix) else
                  _view(array, spec["dtype"])
                  for array, spec in zip(arrays, function["arguments"])]
        outputs = [_view(array, spec["dtype"])
                   for array, spec in zip(results, function["results"])]
        status = self._library.sparseflowCpuRun(
            self._handle, entry.encode(),
            (_Tensor * len(inputs))(*(tensor for tensor, _ in inputs)), len(inputs),
            (_Tensor * len(outputs))(*(tensor for tensor, _ in outputs)), len(outputs))
        if status:
            raise Error(self._library.sparseflowLastError().decode(errors="replace"),
                        status, "library")
        return results[0] if len(results) == 1 else tuple(results)
