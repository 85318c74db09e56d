# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that stay compiled for the CPU."""

import unittest

import numpy as np

import sparseflow as sf
from support import LAYER

NAMED = LAYER.replace("%x: tensor<?x64xf16>,",
                      '%x: tensor<?x64xf16> {sparseflow.name = "x"},')


class TestCpuProgram(unittest.TestCase):

    def test_calls_of_several_sizes(self):
        program = sf.CpuProgram(NAMED)
        random = np.random.default_rng(1)
        w = sf.prune(random.normal(size=(128, 64)))
        b = random.normal(size=128).astype("f2")
        for count in (1, 7, 0, 40):
            x = random.normal(size=(count, 64)).astype("f2")
            y = program("layer", {"x": x, "arg1": w, "arg2": b})
            exact = np.maximum(x.astype("f8") @ w.T.astype("f8") + b, 0)
            self.assertEqual(y.shape, (count, 128))
            # One rounding to f16, and sums of 64 products in f32.
            np.testing.assert_allclose(y, exact, rtol=2 ** -10, atol=1e-4)

    def test_ternary(self):
        """Ternary weights go in packed."""
        program = sf.CpuProgram(NAMED.replace(
            "#sparseflow.nm<2:4>", "#sparseflow.ternary<codes, scale = row : f32>"))
        random = np.random.default_rng(2)
        w = sf.pack_ternary(random.normal(size=(128, 64)))
        b = random.normal(size=128).astype("f2")
        x = random.normal(size=(5, 64)).astype("f2")
        y = program("layer", {"x": x, "arg1": w, "arg2": b})
        exact = np.maximum(x.astype("f8") @ w.values("float64").T + b, 0)
        np.testing.assert_allclose(y, exact, rtol=2 ** -10, atol=1e-4)
        with self.assertRaisesRegex(sf.Error, "arg1: expected a TernaryMatrix, found "
                                    "ndarray; make one with pack_ternary"):
            program("layer", {"x": x, "arg1": w.values(), "arg2": b})
        other = sf.pack_ternary(np.ones((128, 64)), scale=32)
        with self.assertRaisesRegex(sf.Error, "arg1: expected a ternary matrix .*scale: row"):
            program("layer", {"x": x, "arg1": other, "arg2": b})

    def test_bound_calls(self):
        """What is in the arguments counts; results stay where they are, or move."""
        program = sf.CpuProgram(NAMED)
        random = np.random.default_rng(3)
        w = sf.prune(random.normal(size=(128, 64)))
        b = random.normal(size=128).astype("f2")
        x = random.normal(size=(5, 64)).astype("f2")
        own = np.zeros((5, 128), "f2")
        call = program.bind("layer", {"x": x, "arg1": w, "arg2": b}, {0: own})
        self.assertIs(call.results[0], own)
        for scale in (1, 2):
            x *= scale
            call()
            np.testing.assert_array_equal(
                own, program("layer", {"x": x, "arg1": w, "arg2": b}))
        other = np.zeros((5, 128), "f2")
        call.move_result(0, other.ctypes.data)
        own[:] = 7
        call()
        self.assertTrue((own == 7).all())
        np.testing.assert_array_equal(
            other, program("layer", {"x": x, "arg1": w, "arg2": b}))
        # Fewer rows of x are not those of the result.
        call.resize_argument(0, 0, 4)
        with self.assertRaisesRegex(sf.Error, "dimension 0 of result 0 .* to be 4"):
            call()
        for wrong in (np.zeros((4, 128), "f2"), np.zeros((5, 128), "f4"),
                      np.zeros((128, 5), "f2").T):
            with self.assertRaisesRegex(sf.Error, r"result 0 of 'layer': expected a "
                                        r"contiguous array \[5, 128\] of f16, found"):
                program.bind("layer", {"x": x, "arg1": w, "arg2": b}, {0: wrong})

    def test_refusals(self):
        program = sf.CpuProgram(NAMED)
        x, w, b = np.zeros((3, 64), "f2"), np.zeros((128, 64), "f2"), np.zeros(128, "f2")
        for text, entry, arguments in (
                ("one of the functions layer, found other", "other", {}),
                ("argument arg2 is not given", "layer", {"x": x, "arg1": w}),
                ("no argument 'c'", "layer", {"x": x, "arg1": w, "arg2": b, "c": b}),
                ("x: expected shape .* found", "layer",
                 {"x": x[0], "arg1": w, "arg2": b}),
                ("x: expected f16, found .* int64", "layer",
                 {"x": x.astype("i8"), "arg1": w, "arg2": b})):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                program(entry, arguments)
        with self.assertRaisesRegex(sf.Error, "bad.mlir:1:"):
            sf.CpuProgram("func.func @f(", "bad.mlir")


if __name__ == "__main__":
    unittest.main()
