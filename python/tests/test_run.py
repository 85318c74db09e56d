# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
import os
import re
import unittest
from pathlib import Path

import numpy as np

import sparseflow as sf
from sparseflow import reference
from support import LAYER, FolderTest, inputs, layer_bundle


def by_hand(x, w, b):
    y = x.astype(np.float64) @ w.astype(np.float64).T + b.astype(np.float64)
    return np.maximum(y, 0)


class Cpu(FolderTest):
    def test_runs_a_program(self):
        x, w, b = inputs()
        packed = sf.pack(w)
        y = sf.run(LAYER, {"x": x, "w": packed, 2: b})
        self.assertEqual((y.dtype, y.shape), (np.float16, (7, 128)))
        np.testing.assert_allclose(y, by_hand(x, packed.unpack(), b), atol=4e-3)

    def test_random_arguments_are_asked_for(self):
        x, w, b = inputs()
        with self.assertRaisesRegex(sf.Error, "argument w is not given: pass an "
                                              "array, or random=SEED"):
            sf.run(LAYER, {"x": x, "b": b})
        first, again = (sf.run(LAYER, {"x": x, "b": b}, random=7) for _ in range(2))
        np.testing.assert_array_equal(first, again)
        seeded = sf.run(LAYER, {"x": x, "b": b}, options=["--arg", "w=random:7"])
        np.testing.assert_array_equal(seeded, first)

    def test_errors_are_the_command_s(self):
        with self.assertRaisesRegex(sf.Error, "program.mlir:2:[0-9]+: error") as caught:
            sf.run("func.func @f(\n  %x: tensr<1xf16>) {}\n", {})
        self.assertEqual((caught.exception.kind, caught.exception.code),
                         ("command", 1))


class Evaluate(FolderTest):
    def test_equals_the_cpu_device(self):
        x, w, b = inputs()
        packed = sf.pack(w)
        bundle = layer_bundle()
        y = bundle.evaluate({"x": x, "w": packed, "b": b})
        self.assertEqual(y.dtype, np.float16)
        exact = bundle.evaluate([x, packed, b], exact=True)
        np.testing.assert_allclose(exact, by_hand(x, packed.unpack(), b), rtol=1e-12)
        np.testing.assert_allclose(y, exact, atol=4e-3)
        np.testing.assert_allclose(y, sf.run(LAYER, {0: x, 1: packed, 2: b}),
                                   atol=4e-3)

    def test_weights_of_the_bundle(self):
        x, w, b = inputs()
        sf.write_sfpk(self.path("w.sfpk"), {"w": w, "b": b}, sparse=["w"])
        bundle = self.layer_bundle(self.path("w.sfpk"))
        np.testing.assert_array_equal(bundle.evaluate({"x": x}),
                                      bundle.evaluate([x, sf.pack(w), b]))

    def test_refuses(self):
        x, w, b = inputs()
        bundle = layer_bundle()
        for arguments, text in (
                ([x, w, b], "expected 2:4, found 4 non-zeros"),
                ([x[:, :32], sf.pack(w), b], "expected shape"),
                ([x.astype(np.int32), sf.pack(w), b], "expected f16"),
                ([x, sf.pack(w)], "argument b is not given"),
                ({"x": x, "w": sf.pack(w), "b": b, "z": b}, "no argument 'z'")):
            with self.assertRaisesRegex(sf.Error, text):
                bundle.evaluate(arguments)
        with self.assertRaisesRegex(sf.Error, "expected one of them, found g"):
            bundle.evaluate([x], entry="g")
        with self.assertRaisesRegex(sf.Error, "is no bundle"):
            sf.Bundle(self.folder)

    def test_examples_equal_the_cpu_device(self):
        root = os.path.join(os.path.dirname(__file__), "../../examples")
        for name, entry in (("ffn", None), ("epilogues", "scaled"),
                            ("linalg_mlp", None)):
            program = os.path.join(root, name + ".mlir")
            options = {"w1": "2:4", "w2": "2:4"} if name == "linalg_mlp" else {}
            manifest = self.path("manifest.json")
            sf.compile(program, manifest, ["sm_90"], emit="manifest", sparse=options)
            bundle = sf.Bundle(self.folder)
            if entry and entry not in bundle.functions:
                self.fail(f"{name} has no function {entry}: {list(bundle.functions)}")
            function = bundle.function(entry)
            rng = np.random.default_rng(1)
            arguments = []
            for spec in function["arguments"]:
                shape = [5 if isinstance(s, str) else s for s in spec["shape"]]
                array = rng.uniform(-1, 1, shape).astype(np.float32)
                if spec.get("encoding"):
                    array = sf.prune(array / 16, spec["dtype"])
                elif spec["dtype"] == "bf16":
                    array = sf.float32_to_bf16(array)
                elif spec["dtype"] == "f16":
                    array = array.astype(np.float16)
                arguments.append(array)
            with self.subTest(name=name, entry=entry):
                found = bundle.evaluate(arguments, entry)
                device = sf.run(program, dict(enumerate(arguments)), {"T": 5},
                                function["name"], sparse=options)
                exact = bundle.evaluate(arguments, entry, exact=True)
                scale = float(np.abs(exact).max())
                if function["results"][0]["dtype"] == "bf16":
                    found, device = map(sf.bf16_to_float32, (found, device))
                for values in (found, device):
                    error = np.abs(values.astype(np.float64) - exact).max()
                    self.assertLess(error, 2**-7 * scale)


class Reference(unittest.TestCase):
    """Steps that the examples do not have."""

    def graph(self, steps, values, shape, arguments=(("f32", [2, 3]),)):
        return {"name": "f", "arguments": [{"dtype": d, "shape": s}
                                           for d, s in arguments],
                "results": [{"dtype": "f32", "shape": shape}],
                "reference": {"values": values, "results": [values - 1],
                              "steps": steps}}

    def test_reduce_and_reshape(self):
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        function = self.graph([
            {"op": "reduce", "shape": [2], "reduced": [3], "init": "-inf", "out": 1,
             "inputs": [{"value": 0, "dims": [0, 1]}],
             "region": {"inputs": 2, "ops": [["maximumf", 0, 1]], "yield": 2}},
            {"op": "reshape", "value": 1, "shape": [1, 2], "out": 2}], 3, [1, 2])
        result, = reference.evaluate(function, [x], {}, np.float32)
        np.testing.assert_array_equal(result, [[2, 5]])

    def test_map_transposes_and_broadcasts(self):
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        function = self.graph([
            {"op": "map", "shape": [3, 2], "out": 2,
             "inputs": [{"value": 0, "dims": [1, 0]}, {"value": 1, "dims": [0]}],
             "region": {"inputs": 2, "ops": [["cmpf", "olt", 0, 1], ["const", "nan"],
                                             ["select", 2, 0, 3]], "yield": 4}}],
            3, [3, 2], (("f32", [2, 3]), ("f32", [3])))
        result, = reference.evaluate(function, [x, np.float32([1, 9, 0])], {},
                                     np.float64)
        np.testing.assert_array_equal(result, [[0, np.nan], [1, 4],
                                               [np.nan, np.nan]])

    def test_scalar_functions(self):
        x = np.float32([-2.5, -1e-6, -0.0, 0.25, 3])
        cases = {"atan": math.atan, "cbrt": lambda v: math.copysign(abs(v) ** (1 / 3), v),
                 "cosh": math.cosh, "sinh": math.sinh, "erf": math.erf,
                 "erfc": math.erfc, "expm1": math.expm1,
                 "copysign": lambda v: math.copysign(v, -v)}
        for name, function in [*cases.items(), ("log1p", math.log1p)]:
            given = np.abs(x) if name == "log1p" else x
            operands = [0, 1] if name == "copysign" else [0]
            graph = self.graph([
                {"op": "map", "shape": [5], "out": 1,
                 "inputs": [{"value": 0, "dims": [0]}],
                 "region": {"inputs": 1, "ops": [["negf", 0], [name, *operands]],
                            "yield": 2}}], 2, [5], (("f32", [5]),))
            expected = [function(float(v)) for v in given]
            with self.subTest(name):
                for scalar, close in ((np.float64, 1e-14), (np.float32, 3e-7)):
                    result, = reference.evaluate(graph, [given], {}, scalar)
                    np.testing.assert_allclose(result, expected, rtol=close)

    def test_knows_every_scalar_operation_of_the_tools(self):
        tools = Path(__file__).parents[2] / "tools/support/run/ScalarOpNames.h"
        if not tools.exists():
            self.skipTest("no sources of the tools beside the package")
        names = set(re.findall(r'\{"(\w+)", ScalarOp::', tools.read_text()))
        self.assertGreater(len(names), 40)
        # What the evaluator of regions does without a table.
        names -= {"const", "truncf", "cmpf", "index", "size", "load"}
        self.assertEqual(names - set(reference.graph._OPERATIONS), set())

    def test_hadamard(self):
        rng = np.random.default_rng(4)
        x = rng.standard_normal((3, 192)).astype(np.float32)
        signs = rng.choice(np.float32([-1, 1]), 192)
        # (-1)^popcount(i & j) over blocks of 64.
        bits = np.arange(64)[:, None] & np.arange(64)
        matrix = np.vectorize(lambda b: (-1) ** bin(b).count("1"))(bits) / 8
        for arguments, factor in (((x, signs), signs), ((x,), np.ones(192))):
            step = {"op": "hadamard", "x": 0, "block": 64, "shape": [3, 192],
                    "out": len(arguments)}
            if len(arguments) > 1:
                step["signs"] = 1
            function = self.graph([step], len(arguments) + 1, [3, 192],
                                  [("f32", list(a.shape)) for a in arguments])
            expected = ((x * factor).astype(np.float64).reshape(3, 3, 64) @ matrix)
            for scalar, close in ((np.float64, 1e-14), (np.float32, 2e-6)):
                result, = reference.evaluate(function, list(arguments), {}, scalar)
                np.testing.assert_allclose(result, expected.reshape(3, 192), rtol=0,
                                           atol=close)

    def test_sample(self):
        rows, shares = 4000, np.array([.1, .5, .15, .25])
        # The counter's known answer, of the key 0.
        self.assertEqual(reference.sampling.philox(0, 0), 0xe169c58d6627e8d5)
        step = {"op": "sample", "logits": 0, "temperature": 1, "top_k": 2, "top_p": 3,
                "seed": 4, "position": 5, "shape": [rows], "dtype": "i32", "out": 6}
        kinds = ("f32", "f32", "i32", "f32", "i64", "i32")
        for temperature, top_k, top_p, weights in (
                (1, 0, 1, shares), (1, 2, 1, [0, .5, 0, .25]), (1, 0, .76, [0, .5, .15, .25]),
                (.5, 9, 2, shares ** 2), (1, 2, .66, [0, 1, 0, 0]), (0, 0, 1, [0, 1, 0, 0])):
            arrays = [np.tile(np.log(shares).astype(np.float32), (rows, 1)),
                      np.full(rows, temperature, np.float32), np.full(rows, top_k, np.int32),
                      np.full(rows, top_p, np.float32), np.full(rows, -7, np.int64),
                      np.arange(rows, dtype=np.int32)]
            function = self.graph([step], 7, [rows],
                                  [(kind, list(a.shape)) for kind, a in zip(kinds, arrays)])
            exact, plain = (reference.evaluate(function, arrays, {}, scalar)[0]
                            for scalar in (np.float64, np.float32))
            np.testing.assert_array_equal(exact, plain)
            # Five standard deviations of a share.
            np.testing.assert_allclose(
                np.bincount(exact.astype(int), minlength=4) / rows,
                np.array(weights) / np.sum(weights), atol=5 * .5 / np.sqrt(rows))

    def test_unknown_steps_are_errors(self):
        function = self.graph([{"op": "sort", "out": 1, "value": 0}], 2, [2, 3])
        with self.assertRaisesRegex(sf.Error, "a step 'sort'"):
            reference.evaluate(function, [np.zeros((2, 3), np.float32)], {},
                               np.float32)


if __name__ == "__main__":
    unittest.main()
