# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose keys and values are kept as numbers of 4 bits: what test_cache asks of
those of 8, and that queries and keys are rotated."""

import dataclasses
import os
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow.model import import_model
from sparseflow.model.cache import token_bytes
from sparseflow.model.description import read_geometry
from sparseflow.model.hadamard import hadamard
from support import FolderTest
import test_cache
import test_layer
import tiny_models as tiny


class TestInt4(test_cache.TestCache):
    CACHES, SIZE, CHOSEN = ("int4",), 64, 48

    @staticmethod
    def kept(keys, values):
        rotated = hadamard(keys.astype(np.float32), 64).astype(keys.dtype)
        return rotated, values

    def test_bytes_of_a_token(self):
        g = self.models["int4"].geometry
        # Half a byte a feature, and a scale of 2 for 32.
        self.assertEqual(token_bytes(g), 2 * g.kv_heads * 36)
        self.assertEqual(token_bytes(dataclasses.replace(g, head_dim=128)),
                         2 * g.kv_heads * 72)

    def test_commands(self):
        path = self.at("commands")
        import_model(self.at("hf"), path)
        self.assertEqual(self.command("compile", path, "--target", "cpu", "--cache",
                                      "int4")[0], 0)
        self.assertEqual(read_geometry(path)[0].cache, "int4")

    def test_what_is_refused(self):
        g = self.models["int4"].geometry
        for size in (32, 80):
            with self.assertRaisesRegex(
                    sf.Error, "geometry: cache: int4 needs heads of a power of two of "
                    f"features, from 64 to 16384, found {size}: .*; int8 and e4m3 need none"):
                dataclasses.replace(g, head_dim=size)
        # A folder stays as it was.
        with mock.patch.object(tiny, "SIZE", 16):
            tiny.write_folder(self.at("small.hf"), tiny.random_weights(1), tiny.config())
        path = self.at("small")
        import_model(self.at("small.hf"), path)
        with open(os.path.join(path, "model.json"), encoding="utf-8") as file:
            before = file.read()
        status, _, errors = self.command("compile", path, "--target", "cpu", "--cache", "int4")
        self.assertEqual(status, 1)
        self.assertRegex(errors, "^error: .*int4 needs heads of .* found 16: ")
        with open(os.path.join(path, "model.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)


class TestInt4Layer(FolderTest):
    check_numbers = test_layer.TestLayer.check_numbers

    def test_layer(self):
        """A layer on the simulator is project, append and block on the CPU."""
        with mock.patch.object(tiny, "SIZE", 64):
            self.check_numbers("int4")


if __name__ == "__main__":
    unittest.main()
