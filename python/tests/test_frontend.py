# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from torch and ONNX, and what is said where these are not installed."""

import importlib.util
import os
import shutil
import sys
import unittest
from unittest import mock

import numpy as np

import sparseflow
from sparseflow import frontend

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "torch_mlir"))
HAS_COMMAND = bool(os.environ.get("SPARSEFLOW_COMMAND") or shutil.which("sparseflow"))


class Without(unittest.TestCase):
    def test_torch_is_named(self):
        with mock.patch.dict(sys.modules, {"torch": None}):
            with self.assertRaisesRegex(sparseflow.Error,
                                        "needs torch.*pip install torch torch-mlir"):
                sparseflow.from_torch(None, ())

    def test_torch_mlir_is_named(self):
        with mock.patch.dict(sys.modules, {"torch_mlir": None, "torch_mlir.ir": None}):
            with self.assertRaisesRegex(sparseflow.Error, "needs torch-mlir"):
                sparseflow.from_onnx("model.onnx")


class Text(unittest.TestCase):
    def test_flags_are_bits(self):
        text = 'dense<"0x010001000100000000000001"> : tensor<3x4xi1>, tensor<8xi64>'
        # Elements 0, 2, 4 and 11, the first one lowest.
        self.assertEqual(frontend._flags_by_bits(text),
                         'dense<"0x1508"> : tensor<3x4xi1>, tensor<8xi64>')


@unittest.skipUnless(HAS_TORCH, "torch and torch-mlir are not installed")
class Torch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import torch

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.embed = torch.nn.Embedding(50, 64)
                self.fc = torch.nn.Linear(64, 128)
                self.register_buffer("flags", torch.tensor([True, False] * 64),
                                     persistent=False)

            def forward(self, ids):
                y = torch.nn.functional.gelu(self.fc(self.embed(ids)))
                return torch.where(self.flags, y, torch.zeros((), dtype=y.dtype))

        torch.manual_seed(0)
        cls.torch, cls.model = torch, Model().half().eval()
        cls.ids = torch.randint(0, 50, (1, 7))
        cls.program = sparseflow.from_torch(
            cls.model, (cls.ids,), dynamic=({1: torch.export.Dim("T")},))

    def test_weights_have_the_names_of_the_state_dict(self):
        self.assertEqual(set(self.program.weights),
                         {"embed.weight", "fc.weight", "fc.bias", "flags"})
        self.assertEqual(self.program.inputs, ["ids"])
        self.assertIn('sparseflow.name = "fc.weight"', self.program.text)

    def test_sparse_names_a_weight(self):
        with self.assertRaisesRegex(sparseflow.Error, "'fc' is no weight|names 'fc'"):
            sparseflow.from_torch(self.model, (self.ids,), sparse={"fc": "2:4"})

    @unittest.skipUnless(HAS_COMMAND, "the sparseflow command is not there")
    def test_runs(self):
        for length in (1, 7, 33):
            ids = self.torch.randint(0, 50, (1, length))
            expected = self.model.float()(ids).detach().numpy()
            self.model.half()
            found = self.program.run(ids)
            self.assertEqual(found.dtype, np.float16)
            np.testing.assert_allclose(found.astype(np.float32), expected, atol=4e-3)

    @unittest.skipUnless(HAS_COMMAND, "the sparseflow command is not there")
    def test_batch_and_length_of_their_own(self):
        torch = self.torch

        class Masked(torch.nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def forward(self, ids, mask):
                y = self.model(ids) * mask.unsqueeze(-1).to(torch.float16)
                batch, length, _ = y.shape
                return y.view(batch, length, 4, 32).transpose(1, 2)

        batch, length = torch.export.Dim("B"), torch.export.Dim("S")
        model, mask = Masked(self.model), torch.ones(3, 7, dtype=torch.int64)
        program = sparseflow.from_torch(
            model, (torch.randint(0, 50, (3, 7)), mask),
            dynamic=({0: batch, 1: length}, {0: batch, 1: length}))
        # Symbols that the exported program shares are one size, and tokens are not
        # features of a batch of 1.
        self.assertIn("dimension 1 of 'mask' is of another size", program.text)
        self.assertNotIn("tensor<?x1x64xf16>", program.text)
        for shape in ((1, 1), (2, 9), (5, 3)):
            ids, mask = torch.randint(0, 50, shape), torch.randint(0, 2, shape)
            expected = model(ids, mask).detach().numpy()
            found = program.run(ids, mask)
            np.testing.assert_allclose(found.astype(np.float32), expected, atol=4e-3)


if __name__ == "__main__":
    unittest.main()
