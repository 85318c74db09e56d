# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --emit tensorrt writes, against what tensorrt.plugin documents, which is imitated here;
and its kernels on a GPU, launched with the arguments that TensorRT would pass.

For the latter SPARSEFLOW_TEST_PLUGINS names a folder with layer.json, compiled from
examples/layer.mlir for sm_80, and torch is needed.
"""

import ctypes
import inspect
import json
import os
import sys
import types
import typing
import unittest

import numpy as np

import sparseflow as sf
from sparseflow import tensorrt
from support import FolderTest

try:
    import torch
except ImportError:
    torch = None

FOLDER = os.environ.get("SPARSEFLOW_TEST_PLUGINS")


class Size:
    """A symbolic size: operators as ShapeExpr has them, with sizes or numbers on the right."""

    def __init__(self, value):
        self.value = getattr(value, "value", value)

    def _with(self, other, function):
        assert isinstance(other, (int, Size))
        return Size(function(self.value, getattr(other, "value", other)))

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __floordiv__(self, other):
        return self._with(other, lambda a, b: a // b)


class Shape(tuple):
    """Sizes of a profile: the least and the greatest."""
    is_dynamic = True

    def __new__(cls, least, greatest):
        made = super().__new__(cls, [-1] * len(least))
        made.min, made.max = tuple(least), tuple(greatest)
        return made


class TensorDesc:
    def __init__(self, least, greatest, sizes):
        self.shape = Shape(least, greatest)
        self.shape_expr = [Size(size) for size in sizes]


class Imitation(types.ModuleType):
    """tensorrt.plugin: its decorators check signatures as the package's do."""

    def __init__(self):
        super().__init__("tensorrt.plugin")
        self.plugins = {}
        self.TensorDesc, self.SymInt32 = TensorDesc, Size
        self.KernelLaunchParams = type("KernelLaunchParams", (), {})
        self.SymIntExprs = type("SymIntExprs", (list,), {
            "__init__": lambda self, n: list.__init__(self, [None] * n)})
        self.AutoTuneCombination = type("AutoTuneCombination", (), {
            "__init__": lambda self, *given: setattr(self, "given", given)})

    def register(self, name):
        space, plugin = name.split("::")
        assert space not in ("", "trt", "tensorrt", "std") and "." not in plugin

        def decorator(function):
            signature = inspect.signature(function)
            for parameter in signature.parameters.values():
                assert parameter.kind is parameter.POSITIONAL_OR_KEYWORD
                assert parameter.annotation is TensorDesc
            assert signature.return_annotation in (TensorDesc, typing.Tuple[TensorDesc])
            self.plugins[name] = {"names": list(signature.parameters), "register": function}
            return function
        return decorator

    def _more(self, name, kind, last, result):
        def decorator(function):
            signature = inspect.signature(function)
            assert list(signature.parameters) == self.plugins[name]["names"] + last
            assert signature.return_annotation == result
            self.plugins[name][kind] = function
            return function
        return decorator

    def autotune(self, name):
        return self._more(name, "autotune", ["outputs"],
                          typing.List[self.AutoTuneCombination])

    def aot_impl(self, name):
        return self._more(name, "implement", ["outputs", "tactic"], typing.Tuple[
            str, str, self.KernelLaunchParams, self.SymIntExprs])

    @staticmethod
    def cdiv(a, b):
        return a._with(b, lambda a, b: -(-a // b))

    @staticmethod
    def max(a, b):
        return Size(max(getattr(a, "value", a), getattr(b, "value", b)))

    @staticmethod
    def min(a, b):
        return Size(min(getattr(a, "value", a), getattr(b, "value", b)))

    @staticmethod
    def from_shape_expr(shape, dtype):
        return [getattr(size, "value", size) for size in shape], dtype


class Plugins(FolderTest):
    def setUp(self):
        super().setUp()
        self.api = Imitation()
        package = types.ModuleType("tensorrt")
        package.plugin, package.float16 = self.api, "float16"
        for name, module in (("tensorrt", package), ("tensorrt.plugin", self.api)):
            before = sys.modules.get(name)
            sys.modules[name] = module
            if before is None:
                self.addCleanup(sys.modules.pop, name)
            else:
                self.addCleanup(sys.modules.__setitem__, name, before)

    def write(self, name="p.json", **changes):
        kernels = [
            {"kernel": "a", "guards": [{"le": ["T", 16]}], "grid": ["mul", ["ceildiv", "T", 16], 3],
             "threads": 128, "shared_bytes": 4096, "extra_args": ["T"]},
            {"kernel": "b", "guards": [], "grid": ["ceildiv", ["add", 3, "T"], 64],
             "threads": 256, "shared_bytes": 0, "extra_args": [["sub", 100, "T"], "T"]}]
        content = {"format": "sparseflow-tensorrt", "version": 1, "plugins": [{
            "name": "f", "target": "sm_80", "symbols": {"T": [0, 0]}, "kernels": kernels,
            "inputs": [{"name": "x", "dtype": "f16", "shape": ["T", 8]},
                       {"name": "w", "dtype": "f16", "shape": [4, 8], "layout": "sf24.v1"}],
            "outputs": [{"dtype": "f16", "shape": ["T", 4]}], "ptx": "text", **changes}]}
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(content, file)
        return self.path(name)

    def call(self, kind, sizes, least=1, greatest=4096, more=()):
        x = TensorDesc((least, 8), (greatest, 8), (sizes, 8))
        w = TensorDesc((40,), (40,), (40,))
        return self.api.plugins["sparseflow::f"][kind](x, w, *more)

    def test_a_plugin(self):
        self.assertEqual(tensorrt.register(self.write()), ["sparseflow::f"])
        self.assertEqual(self.call("register", 7), ([7, 4], "float16"))
        combination, = self.call("autotune", 7, more=((),))
        self.assertEqual(combination.given, ("FP16, INT8, FP16", "LINEAR", [2]))
        combination, = self.call("autotune", 7, greatest=16, more=((),))
        self.assertEqual(combination.given[2], [1, 2])
        name, ptx, launch, extra = self.call("implement", 7, more=((), 1))
        self.assertEqual((name, ptx, launch.grid_x.value, launch.block_x, launch.shared_mem),
                         ("a", "text", 3, 128, 4096))
        self.assertEqual([size.value for size in extra], [7])
        name, _, launch, extra = self.call("implement", 130, more=((), 2))
        self.assertEqual((name, launch.grid_x.value, launch.block_x), ("b", 3, 256))
        self.assertEqual([size.value for size in extra], [-30, 130])

    def test_errors(self):
        with self.assertRaisesRegex(sf.Error, "expected types of f16, bf16, .*, found i1"):
            tensorrt.register(self.write(outputs=[{"dtype": "i1", "shape": ["T"]}]))
        with open(self.path("other.json"), "w", encoding="utf-8") as file:
            file.write('{"format": "sparseflow-bundle", "version": 1}')
        with self.assertRaisesRegex(sf.Error, "expected the format sparseflow-tensorrt, version "
                                    "1, found sparseflow-bundle, 1"):
            tensorrt.register(self.path("other.json"))
        tensorrt.register(self.write(kernels=[{"guards": [{"ge": ["T", 64]}]}]))
        with self.assertRaisesRegex(sf.Error, "plug-in f: no kernel is right from {'T': 1} to "
                                    "{'T': 4096}"):
            self.call("autotune", 7, more=((),))

    def test_expressions(self):
        for expression, expected in (
                (["mod", "T", 4], 3), (["mod", 11, 4], 3), (["max", "T", 100], 100),
                (["min", 5, "T"], 5), (["min", 5, 3], 3), (["floordiv", "T", 2], 3),
                (["ceildiv", 7, 2], 4), (["mul", 2, ["add", "T", 1]], 16), (9, 9)):
            found = tensorrt.evaluate(expression, {"T": Size(7)}, self.api)
            self.assertEqual(getattr(found, "value", found), expected)
        with self.assertRaisesRegex(sf.Error, "expected an operation of a bundle's expressions, "
                                    "found 'pow'"):
            tensorrt.evaluate(["pow", "T", 2], {"T": Size(7)}, self.api)


class Without(unittest.TestCase):
    def test_tensorrt(self):
        before = sys.modules.get("tensorrt")
        sys.modules["tensorrt"] = None
        try:
            with self.assertRaisesRegex(sf.Error, "TensorRT is not there: .*; install the Python "
                                        "package tensorrt"):
                tensorrt.register("x.json")
        finally:
            del sys.modules["tensorrt"]
            if before:
                sys.modules["tensorrt"] = before


@unittest.skipUnless(FOLDER and torch and torch.cuda.is_available(), "no GPU and plug-ins")
class OnGpu(unittest.TestCase):
    """Kernels by the driver, with inputs, numbers of 32 bits and outputs in this order."""

    def launch(self, driver, function, kernel, symbols, inputs, outputs):
        numbers = [ctypes.c_int32(tensorrt.evaluate(e, symbols, None))
                   for e in kernel["extra_args"]]
        values = [*(ctypes.c_uint64(t.data_ptr()) for t in inputs), *numbers,
                  *(ctypes.c_uint64(t.data_ptr()) for t in outputs)]
        given = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        # More than 48 KiB of shared memory is asked for: attribute 8.
        self.assertEqual(driver.cuFuncSetAttribute(function, 8, kernel["shared_bytes"]), 0)
        grid = tensorrt.evaluate(kernel["grid"], symbols, None)
        self.assertEqual(driver.cuLaunchKernel(
            function, grid, 1, 1, kernel["threads"], 1, 1, kernel["shared_bytes"],
            ctypes.c_void_p(torch.cuda.current_stream().cuda_stream), given, None), 0)
        torch.cuda.synchronize()

    def test_a_layer(self):
        with open(os.path.join(FOLDER, "layer.json"), encoding="utf-8") as file:
            plugin, = json.load(file)["plugins"]
        torch.zeros(1, device="cuda")
        driver, module = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
        self.assertEqual(driver.cuModuleLoadData(ctypes.byref(module),
                                                 plugin["ptx"].encode() + b"\0"), 0)
        rng = np.random.default_rng(1)
        (_, k), (n, _) = (plugin["inputs"][i]["shape"] for i in (0, 1))
        w = sf.pack(rng.uniform(-1, 1, (n, k)).astype(np.float32))
        b = rng.uniform(-1, 1, n).astype(np.float16)
        checked = 0
        for kernel in plugin["kernels"]:
            function = ctypes.c_void_p()
            self.assertEqual(driver.cuModuleGetFunction(
                ctypes.byref(function), module, kernel["kernel"].encode()), 0)
            for t in (1, 5, 16, 63, 200):
                symbols = {"T": t}
                if not all(tensorrt._holds(g, symbols) for g in kernel["guards"]):
                    continue
                x = rng.uniform(-1, 1, (t, k)).astype(np.float16)
                inputs = [torch.from_numpy(a).cuda() for a in (x, w.blob, b)]
                y = torch.full((t, n), float("nan"), dtype=torch.float16, device="cuda")
                self.launch(driver, function, kernel, symbols, inputs, [y])
                exact = np.maximum(x.astype(float) @ w.values().astype(float).T + b, 0)
                bound = 2 ** -10 * np.abs(exact) + k * 2 ** -21
                self.assertTrue((np.abs(y.cpu().numpy() - exact) <= bound).all())
                checked += 1
        print(f"{checked} launches of {len(plugin['kernels'])} kernels are right")


if __name__ == "__main__":
    unittest.main()
