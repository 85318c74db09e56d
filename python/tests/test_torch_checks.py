# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sampled checks of layers: what they say, when they are due, and, where there is a GPU and
bundles or a compiler, that calls are checked."""

import unittest

import numpy as np

import sparseflow as sf

try:
    import torch
    from torch import nn

    import sparseflow.torch as st
    from sparseflow.torch import checks
except ImportError:
    torch = None


@unittest.skipUnless(torch, "torch is missing")
class Checks(unittest.TestCase):
    def setUp(self):
        self.addCleanup(st.sampled_checks, 0)

    def layers(self):
        torch.manual_seed(0)
        with_bias = nn.Linear(96, 40).half()
        for dtype in (torch.float16, torch.bfloat16):
            yield st.SparseLinear.from_linear(with_bias, dtype, "gelu")
            yield st.TernaryLinear.from_linear(with_bias, dtype, "silu")
            yield st.TernaryLinear.from_linear(with_bias, dtype, activations="f16")

    def judge(self, layer, x, out):
        return checks.verdict(layer.form, x, [st.ops._weights(layer.packed, layer.form)],
                              layer.bias.detach(), out)

    def test_verdicts(self):
        for layer in self.layers():
            x = torch.randn(9, 96).to(layer.bias.dtype)
            out = layer(x).detach()
            self.assertEqual(self.judge(layer, x, out), "")
            for row, column, value in ((0, 3, 7.0), (8, 39, float("nan")), (8, 0, 1e4)):
                wrong = out.clone()
                wrong[row, column] = value
                self.assertRegex(self.judge(layer, x, wrong), r"^1 of 160 sampled elements are "
                                 rf"wrong, the first at \[{row}, {column}\] of 9 tokens: found")
            # A row that is not sampled.
            wrong = out.clone()
            wrong[1] = 50
            self.assertEqual(self.judge(layer, x, wrong), "")

    def test_numbers_that_are_none(self):
        layer = next(self.layers())
        x = torch.randn(2, 96).half()
        x[0, 0] = float("nan")
        self.assertEqual(self.judge(layer, x, layer(x).detach()), "")
        self.assertEqual(self.judge(layer, x[1:], layer(x[1:]).detach()), "")

    def test_when(self):
        def pattern(every, calls=7):
            st.sampled_checks(every)
            return [checks.due("form") for _ in range(calls)]
        self.assertEqual(pattern(0), [False] * 7)
        self.assertEqual(pattern("load"), [True] + [False] * 6)
        self.assertEqual(pattern(3), [True, False, False] * 2 + [True])
        self.assertTrue(checks.due("another form"))
        for every, rows, text in (("soon", 4, "expected \"load\" or a number of calls, found "
                                   "'soon'"), (1, 0, "expected at least one row to check")):
            with self.assertRaisesRegex(sf.Error, text):
                st.sampled_checks(every, rows)

    @unittest.skipUnless(torch and torch.cuda.is_available(), "no GPU")
    def test_on_a_gpu(self):
        st.sampled_checks(2)
        layer = st.SparseLinear(2048, 2048, False, "cuda")
        layer._fill(sf.pack(np.random.default_rng(0).uniform(-1, 1, (2048, 2048))
                            .astype(np.float32)), None)
        asked = []
        judge = checks.verdict
        self.addCleanup(setattr, checks, "verdict", judge)

        def counted(*arguments):
            asked.append(judge(*arguments))
            return asked[-1]
        checks.verdict = counted
        for tokens in (1, 5, 300, 17):
            x = torch.randn(tokens, 2048, device="cuda").half()
            self.assertTrue(layer(x).isfinite().all())
        self.assertEqual(asked, ["", ""])
        # A verdict that the first results cannot pass: another kernel's do.
        checks.verdict = lambda *arguments: "made up" if not asked.append("") and \
            len(asked) < 4 else ""
        with self.assertWarnsRegex(RuntimeWarning, "was wrong, is quarantined, and another one "
                                   "runs: made up"):
            st.sampled_checks("load")
            asked.clear()
            layer(x)


if __name__ == "__main__":
    unittest.main()
