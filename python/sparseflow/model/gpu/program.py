# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's program on a GPU: memory of its own, weights that are copied once."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ...bundle import Bundle
from ...cuda import Function
from ...cuda.device_arrays import DeviceArray
from ...dtypes import NUMPY
from ...errors import Error
from ...packing import PackedMatrix
from ...ternary import TernaryMatrix
from .driver import Buffer, Driver
from ..replica import Replica

# What changes from call to call; all else is weights.
_STATE = ("ids", "x", "q", "keys", "values", "lengths", "logits", "temperature", "top_k",
          "top_p", "seeds")


class GpuProgram:
    """The functions of a folder's program.bundle. Results stay on the device."""

    def __init__(self, folder: str) -> None:
        path = os.path.join(folder, "program.bundle")
        if not os.path.exists(path):
            raise Error(f"{path}: there is none; make it with `sparseflow model compile "
                        f"{folder} --target T`, where T is the GPU's, such as sm_90a")
        self._path, bundle = path, Bundle(path)
        self._functions: Dict[str, Function] = {
            name: bundle.on_gpu(entry=name) for name in bundle.functions}
        self.driver = Driver()
        # Of the launches on the stream; a larger one takes its place where one is needed.
        self.workspace = Buffer(self.driver, [1], "u8")
        # What the host has is held too: its number is its own while it lives.
        self._weights: Dict[int, Tuple[Any, Buffer]] = {}

    def check_cache(self, cache: str) -> None:
        """Raises Error unless the program keeps keys and values as `cache` says."""
        for spec in self._functions["layer"].spec["arguments"]:
            storage = (spec.get("encoding") or {}).get("storage", "key_dense")
            if spec["name"] == "keys" and storage != f"key_{cache}":
                raise Error(f"{self._path}: expected a program whose keys and values are "
                            f"{cache}, as model.json says, found one where they are "
                            f"{storage[4:]}; compile the model again")

    def given(self, name: str, dtype: str, value: Any) -> DeviceArray:
        """An argument on the device, copied there if it is not: weights are kept."""
        if isinstance(value, DeviceArray):
            return value
        if name not in _STATE and id(value) in self._weights:
            return self._weights[id(value)][1]
        if isinstance(value, Replica):
            source = self.given(name, dtype, value.source)
            result = Buffer(self.driver, source.shape, source.dtype)
            self.driver.copy(result.data, source.data, source.nbytes)
            self._weights[id(value)] = value, result
            return result
        original = value
        if isinstance(value, (PackedMatrix, TernaryMatrix)):
            value, dtype = value.blob, "u8"
        array = np.ascontiguousarray(value)
        if array.dtype != (np.uint8 if dtype == "u8" else NUMPY[dtype]):
            raise Error(f"argument {name}: expected {dtype}, found {array.dtype}")
        result = Buffer(self.driver, array.shape, dtype)
        self.driver.upload(result.data, array)
        if name not in _STATE:
            self._weights[id(original)] = original, result
        return result

    def weight_bytes(self, weights: Sequence[Any]) -> int:
        """Bytes on the device of weights that have been used."""
        return sum(self._weights[id(value)][1].nbytes for value in weights)

    def fill(self, array: DeviceArray, block: np.ndarray) -> None:
        """Fills an array with copies of a block."""
        for begin in range(0, array.nbytes, block.nbytes):
            part = block.view(np.uint8)[:array.nbytes - begin]
            if begin == 0:
                self.driver.upload(array.data, part)
            else:
                self.driver.copy(array.data + begin, array.data, part.nbytes)

    def __call__(self, entry: str, arguments: Mapping[str, Any],
                 into: Optional[Sequence[DeviceArray]] = None) -> Any:
        """Puts a function on the stream: its result, or a tuple. `into`: arrays that are
        its results, in place of new ones."""
        function = self._functions[entry]
        specs = function.spec["arguments"]
        if missing := [spec["name"] for spec in specs if spec["name"] not in arguments]:
            raise Error(f"{entry}: expected '{missing[0]}', which the program of the bundle "
                        "reads, found none: it was compiled for weights in other formats, "
                        "or by another version; compile it again")
        given = [self.given(spec["name"], spec["dtype"], arguments[spec["name"]])
                 for spec in specs]
        sizes = function.bundle.sizes(function.spec, function.logical_shapes(given))
        results = list(into) if into is not None else [
            given[spec["updates"]] if "updates" in spec else
            Buffer(self.driver, function.shape(spec, sizes), spec["dtype"])
            for spec in function.spec["results"]]
        need = function.workspace_size(sizes)
        if need > self.workspace.nbytes:
            # The one before has room for the new one, unless a graph holds it.
            self.workspace = Buffer(self.driver, [1], "u8")
            try:
                self.workspace = Buffer(self.driver, [need], "u8")
            except Error as error:
                raise Error(f"the workspace of '{entry}': {error}; pass fewer texts, or "
                            "fewer tokens, at a time") from None
        function.launch(given, results, self.workspace, self.driver.stream.value)
        return results[0] if len(results) == 1 else tuple(results)

    def last(self, x: DeviceArray) -> DeviceArray:
        """The last tokens [B, 1, C] of x [B, T, C]."""
        batch, tokens, features = x.shape
        if tokens == 1:
            return x
        result = Buffer(self.driver, [batch, 1, features], x.dtype)
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

    def rows(self, array: Buffer, rows: Sequence[int]) -> Buffer:
        """A copy of these rows of an array."""
        made = Buffer(self.driver, [len(rows), *array.shape[1:]], array.dtype)
        size = array.nbytes // array.shape[0]
        for index, row in enumerate(rows):
            self.driver.copy(made.data + index * size, array.data + int(row) * size, size)
        return made

    def grow(self, arrays: List[Any], count: int, shape: Sequence[int], dtype: str,
             axis: int) -> List[Any]:
        """`count` caches of a `shape` that begin along `axis` as the shorter `arrays`,
        else 0."""
        grown = [Buffer(self.driver, shape, dtype) for _ in range(count)]
        rows = int(np.prod(shape[:axis]))
        for new in grown:
            self.driver.zero(new.data, new.nbytes)
        for old, new in zip(arrays, grown):
            size, stride = (array.nbytes // rows for array in (old, new))
            for index in range(rows):
                self.driver.copy(new.data + index * stride, old.data + index * size, size)
        return grown
