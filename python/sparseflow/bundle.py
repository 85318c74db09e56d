# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bundles: what their manifest says, and runs on NumPy arrays and GPUs."""

from __future__ import annotations

import json
import os
from typing import (TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from . import reference
from .arrays import Array, Path
from .cache import KINDS, TernaryCache
from .dtypes import as_dtype, from_float
from .errors import Error, checked_methods
from .packing import Container, PackedMatrix
from .ternary import TernaryMatrix


if TYPE_CHECKING:
    from .cuda import Context, Function

Given = Union[Sequence[Array], Mapping[Union[str, int], Array]]


def symbol_values(function: Mapping[str, Any],
                  shapes: Sequence[Optional[Sequence[int]]]) -> Dict[str, int]:
    """The values of the function's symbols, from the arguments' shapes."""
    values: Dict[str, int] = {}
    for spec, shape, index in zip(function["arguments"], shapes,
                                  range(len(shapes))):
        if shape is None:
            continue
        what = f"argument {spec.get('name', index)}"
        if len(shape) != len(spec["shape"]):
            raise Error(f"{what}: expected shape {spec['shape']}, found "
                        f"{list(shape)}")
        for expected, found in zip(spec["shape"], shape):
            if isinstance(expected, str):
                expected = values.setdefault(expected, int(found))
            if expected != found:
                raise Error(f"{what}: expected shape {spec['shape']} with "
                            f"{values}, found {list(shape)}")
    for name in function.get("symbols", []):
        if name not in values:
            raise Error(f"size {name} follows from no argument that was given")
    return values


@checked_methods
class Bundle:
    """The directory of a bundle: functions by name.

    `bundle.evaluate(arguments)` computes a function's meaning with NumPy, on any
    machine. `bundle.on_gpu()` loads it for the GPU.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = os.fspath(directory)
        path = os.path.join(self.directory, "manifest.json")
        try:
            with open(path, encoding="utf-8") as file:
                manifest = json.load(file)
        except (OSError, ValueError) as error:
            raise Error(f"'{self.directory}' is no bundle: {error}") from None
        if not isinstance(manifest, dict):
            raise Error(f"{path}: expected a JSON object, found a "
                        f"{type(manifest).__name__}")
        if manifest.get("format") != "sparseflow-bundle" or \
                manifest.get("version") != 1:
            raise Error(f"{path}: expected format sparseflow-bundle, version 1, "
                        f"found {manifest.get('format')}, "
                        f"{manifest.get('version')}")
        self.functions: Dict[str, Dict[str, Any]] = {function["name"]: function
                          for function in manifest["functions"]}

    def function(self, name: Optional[str] = None) -> Dict[str, Any]:
        """The manifest's entry of a function; None means the only one."""
        if name is None and len(self.functions) == 1:
            return next(iter(self.functions.values()))
        if name not in self.functions:
            raise Error(f"'{self.directory}' has the functions "
                        f"{', '.join(self.functions)}; expected one of them, "
                        f"found {name}")
        return self.functions[name]

    def arguments(self, function: Mapping[str, Any], given: Given) -> List[Any]:
        """`given` (a sequence, or a mapping of names or indices) in order.

        What is not given comes from the bundle's weights.sfpk, by name.
        """
        specs = function["arguments"]
        given = dict(given) if hasattr(given, "keys") else \
            dict(enumerate(given))
        weights = os.path.join(self.directory, "weights.sfpk")
        result: List[Any] = [None] * len(specs)
        absent: List[Tuple[int, str]] = []
        for index, spec in enumerate(specs):
            name = spec.get("name", "")
            for key in (index, name):
                if key in given:
                    result[index] = given.pop(key)
                    break
            else:
                absent.append((index, name))
        if given:
            raise Error(f"function '{function['name']}' has no argument "
                        f"{next(iter(given))!r}; expected "
                        + ", ".join(s.get("name", str(i))
                                    for i, s in enumerate(specs)))
        if absent and os.path.exists(weights):
            with Container(weights) as container:
                for index, name in absent:
                    if name in container:
                        result[index] = container[name]
        for index, name in absent:
            if result[index] is None:
                raise Error(f"argument {name or index} is not given, and the "
                            "bundle's weights have none of that name")
        return result

    def sizes(self, function: Mapping[str, Any],
              shapes: Sequence[Optional[Sequence[int]]]) -> Dict[str, int]:
        """The values of the function's symbols, from the arguments' shapes."""
        return symbol_values(function, shapes)

    def evaluate(self, arguments: Given, entry: Optional[str] = None,
                 exact: bool = False) -> Any:
        """Runs a function on arrays of NumPy or torch and returns its result as NumPy's
        (or a tuple).

        By the manifest's reference graph: `exact` in float64, unrounded, as
        `--check` does; else in float32, rounded where the program rounds. A packed
        argument may be a PackedMatrix or a dense matrix that is 2:4; a ternary one
        is a TernaryMatrix, a cache a TernaryCache. A cache that the function updates
        stays as it is; the result is another one.
        """
        function = self.function(entry)
        values = self.arguments(function, arguments)
        arrays = []
        for index, (spec, value) in enumerate(zip(function["arguments"], values)):
            what = f"argument {spec.get('name', index)}"
            encoding = spec.get("encoding")
            if encoding and encoding["kind"] in ("ternary", "quantized"):
                expected, how = (
                    (TernaryCache, "make one with TernaryCache.pack or .empty")
                    if encoding["storage"] in KINDS else
                    (TernaryMatrix, "pack one with sparseflow pack --format ternary "
                                    "and read it with Container"))
                if not isinstance(value, expected):
                    raise Error(f"{what}: expected a {expected.__name__}, found "
                                f"{type(value).__name__}; {how}")
                value.check(spec, what)
                arrays.append(value)
                continue
            if isinstance(value, PackedMatrix):
                value = value.unpack()
            array = as_dtype(value, spec["dtype"], what)
            if encoding:
                reference.check_pattern(array, spec["encoding"], what)
            arrays.append(array)
        sizes = self.sizes(function, [array.shape for array in arrays])
        results = reference.evaluate(function, arrays, sizes,
                                     np.float64 if exact else np.float32)
        if not exact:
            results = [result if isinstance(result, TernaryCache) else
                       from_float(result, spec["dtype"])
                       for result, spec in zip(results, function["results"])]
        return results[0] if len(results) == 1 else tuple(results)

    def on_gpu(self, context: Optional[Context] = None,
               entry: Optional[str] = None) -> Function:
        """The function, loaded for a GPU: a sparseflow.Function."""
        from .cuda import Function
        return Function(self, self.function(entry), context)
