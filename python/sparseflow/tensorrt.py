# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plug-ins of TensorRT from what `sparseflow compile --emit tensorrt` writes.

    sparseflow.tensorrt.register("layer.json")
    y = network.add_plugin(tensorrt.plugin.op.sparseflow.layer(x, w, b), aot=True)
"""

from __future__ import annotations

import inspect
import json
import operator
import os
import typing
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from .errors import Error, checked

_TYPES = {"f16": ("FP16", "float16"), "bf16": ("BF16", "bfloat16"), "f32": ("FP32", "float32"),
          "i8": ("INT8", "int8"), "i32": ("INT32", "int32"), "i64": ("INT64", "int64")}


def evaluate(expression: Any, symbols: Mapping[str, Any], api: Any) -> Any:
    """An expression of docs/formats/bundle.md of symbols' values: numbers, or expressions
    of sizes of `api`, tensorrt.plugin."""
    if isinstance(expression, str):
        return symbols[expression]
    if isinstance(expression, int):
        return expression
    name, *rest = expression
    a, b = (evaluate(part, symbols, api) for part in rest)
    known = isinstance(a, int) and isinstance(b, int)
    if name == "mod":
        return a - (a // b) * b
    simple: Dict[str, Callable[[Any, Any], Any]] = {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul,
        "floordiv": operator.floordiv}
    if name in ("add", "mul") and isinstance(a, int):
        # Sizes know what to do with a number on their right.
        a, b = b, a
    if name in simple:
        if name == "sub" and isinstance(a, int) and not known:
            return b * -1 + a
        return simple[name](a, b)
    if name == "ceildiv":
        return -(-a // b) if known else api.cdiv(a, b)
    if name in ("min", "max"):
        return {"min": min, "max": max}[name](a, b) if known else getattr(api, name)(a, b)
    raise Error(f"expected an operation of a bundle's expressions, found '{name}'")


def _holds(guard: Mapping[str, Any], symbols: Mapping[str, int]) -> bool:
    (name, sides), = guard.items()
    a, b = (evaluate(side, symbols, None) for side in sides)
    return {"le": a <= b, "ge": a >= b, "eq": a == b}[name]


class Plugin:
    """One plug-in of a file: what TensorRT asks of it."""

    def __init__(self, spec: Mapping[str, Any], api: Any, types: Any) -> None:
        self.spec, self.api, self.types = spec, api, types
        self.names = [tensor.get("name") or f"input_{index}"
                      for index, tensor in enumerate(spec["inputs"])]
        unknown = [tensor["dtype"] for tensor in [*spec["inputs"], *spec["outputs"]]
                   if tensor["dtype"] not in _TYPES]
        if unknown:
            raise Error(f"plug-in {spec['name']}: expected types of {', '.join(_TYPES)}, found "
                        f"{unknown[0]}")

    def _symbols(self, shapes: Sequence[Any]) -> Dict[str, Any]:
        return {name: shapes[place][dim]
                for name, (place, dim) in self.spec["symbols"].items()}

    def describe(self, *inputs: Any) -> Any:
        """The outputs' shapes and types."""
        symbols = self._symbols([tensor.shape_expr for tensor in inputs])
        made = []
        for output in self.spec["outputs"]:
            shape = tuple(evaluate(size, symbols, self.api) for size in output["shape"])
            made.append(self.api.from_shape_expr(
                shape, getattr(self.types, _TYPES[output["dtype"]][1])))
        return made[0] if len(made) == 1 else tuple(made)

    def io_types(self) -> str:
        """Types of inputs and outputs; a packed weight is bytes."""
        inputs = ["INT8" if tensor.get("layout") else _TYPES[tensor["dtype"]][0]
                  for tensor in self.spec["inputs"]]
        return ", ".join(inputs + [_TYPES[tensor["dtype"]][0]
                                   for tensor in self.spec["outputs"]])

    def tactics(self, inputs: Sequence[Any]) -> List[int]:
        """Kernels that are right for all sizes of the profile, from 1: tactic 0 is
        TensorRT's own default."""
        shapes: List[List[Any]] = [[], []]
        for tensor in inputs:
            for held, name in zip(shapes, ("min", "max")):
                shape = tensor.shape
                dynamic = getattr(shape, "is_dynamic", False)
                held.append(getattr(shape, name) if dynamic else tuple(shape))
        ends = [self._symbols(held) for held in shapes]
        found = [number for number, kernel in enumerate(self.spec["kernels"], 1)
                 if all(_holds(guard, symbols) for guard in kernel["guards"]
                        for symbols in ends)]
        if not found:
            raise Error(f"plug-in {self.spec['name']}: no kernel is right from "
                        f"{dict(ends[0])} to {dict(ends[1])}")
        return found

    def autotune(self, *inputs: Any) -> Any:
        """The types, and the tactics to be timed; TensorRT passes the outputs, too."""
        return [self.api.AutoTuneCombination(self.io_types(), "LINEAR",
                                             self.tactics(inputs[:len(self.names)]))]

    def implement(self, *arguments: Any) -> Tuple[str, str, Any, Any]:
        """The kernel of a tactic: its name, PTX, launch and numbers."""
        inputs, tactic = arguments[:len(self.names)], arguments[-1]
        kernel = self.spec["kernels"][max(tactic, 1) - 1]
        symbols = self._symbols([tensor.shape_expr for tensor in inputs])
        launch = self.api.KernelLaunchParams()
        launch.grid_x = evaluate(kernel["grid"], symbols, self.api)
        launch.block_x = kernel["threads"]
        launch.shared_mem = kernel["shared_bytes"]
        extra = self.api.SymIntExprs(len(kernel["extra_args"]))
        for index, expression in enumerate(kernel["extra_args"]):
            extra[index] = self.api.SymInt32(evaluate(expression, symbols, self.api))
        return kernel["kernel"], self.spec["ptx"], launch, extra

    def register(self, plugin_id: str) -> None:
        """Declares the plug-in to TensorRT, which reads signatures."""
        tensor = self.api.TensorDesc
        count = len(self.spec["outputs"])
        outputs = typing.Tuple[(tensor,) * count]

        def signed(method: Any, result: Any, *more: str) -> Any:
            def function(*arguments: Any) -> Any:
                return method(*arguments)
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            parameters = [inspect.Parameter(name, kind, annotation=tensor)
                          for name in self.names]
            parameters += [inspect.Parameter(name, kind) for name in more]
            function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
                parameters, return_annotation=result)
            function.__name__ = method.__name__
            return function
        api = self.api
        api.register(plugin_id)(signed(self.describe, tensor if count == 1 else outputs))
        api.autotune(plugin_id)(signed(
            self.autotune, typing.List[api.AutoTuneCombination], "outputs"))
        api.aot_impl(plugin_id)(signed(
            self.implement, typing.Tuple[str, str, api.KernelLaunchParams, api.SymIntExprs],
            "outputs", "tactic"))


@checked
def register(path: Union[str, "os.PathLike[str]"], namespace: str = "sparseflow") -> List[str]:
    """Registers the plug-ins of a file of `sparseflow compile --emit tensorrt`; returns their
    ids, such as "sparseflow::layer". Inputs are the function's arguments, a packed weight
    its bytes as int8."""
    try:
        import tensorrt
        import tensorrt.plugin as api
    except ImportError as error:
        raise Error(f"TensorRT is not there: {error}; install the Python package tensorrt") \
            from None
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if content.get("format") != "sparseflow-tensorrt" or content.get("version") != 1:
        raise Error(f"{os.fspath(path)}: expected the format sparseflow-tensorrt, version 1, "
                    f"found {content.get('format')}, {content.get('version')}")
    ids = []
    for spec in content["plugins"]:
        ids.append(f"{namespace}::{spec['name']}")
        Plugin(spec, api, tensorrt).register(ids[-1])
    return ids
