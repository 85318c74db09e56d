# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotated models compute what they were made of."""

import os
import shutil
import sys
import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.__main__ import main
from sparseflow.model.compression.rotator import rotate_model

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiny_models as tiny  # noqa: E402
from support import FolderTest  # noqa: E402

tiny.share_programs()
TOKENS = [5, 96, 17, 3, 44, 8, 8, 1, 60]


class TestRotate(FolderTest):
    def imported(self, name, weights, members):
        tiny.write_folder(self.path(f"{name}.hf"), weights, members)
        import_model(self.path(f"{name}.hf"), self.path(name))
        return self.path(name)

    def test_the_same_model(self):
        for tied in (False, True):
            weights = tiny.random_weights(3, tied=tied)
            name = f"tied{tied}"
            source = self.imported(name, weights, tiny.config(tie_word_embeddings=tied))
            made = self.path(f"{name}.rotated")
            try:
                self.assertEqual(main(["rotate", source, "-o", made, "--seed", "7"]), 0)
            except sf.Error as error:
                if "OpenBLAS" in str(error):
                    self.skipTest("this build has no OpenBLAS")
                raise
            model = Model(made)
            self.assertFalse(model.geometry.tied)
            np.testing.assert_array_equal(
                model.layer_weights(0)["attn_norm.weight"], np.ones(tiny.HIDDEN, "f4"))
            before, after = Model(source).layer_weights(0), model.layer_weights(0)
            self.assertGreater(np.abs(before["ffn_up.weight"].astype("f4")
                                      - after["ffn_up.weight"].astype("f4")).mean(), 0.05)
            exact = tiny.Reference(weights).logits(TOKENS)
            plain, rotated = (m.forward([TOKENS], m.cache(), last=False)[0]
                              for m in (Model(source), model))
            # Its weights were rounded to f16 twice.
            self.assertLess(np.abs(rotated - exact).max(),
                            4 * np.abs(plain - exact).max() + 0.01 * np.abs(exact).max())

    def test_what_is_refused(self):
        def refused(text, source):
            with self.assertRaisesRegex(sf.Error, text):
                rotate_model(source, self.path("none"))
            self.assertFalse(os.path.exists(self.path("none")))
        refused("neither biases nor more norms, found attn_q.bias", self.imported(
            "biases", tiny.random_weights(4, biases=True), tiny.config()))
        refused("found layer norms.*embedded positions", self.imported(
            "gpt2", tiny.gpt2_weights(4), tiny.gpt2_config()))
        packed = self.imported("packed", tiny.random_weights(4), tiny.config())
        sf.pack_file(os.path.join(packed, "weights.safetensors"),
                     os.path.join(packed, "weights.sfpk"), "ffn_up")
        refused("expected dense weights, found a compressed model", packed)
        shutil.rmtree(packed)


if __name__ == "__main__":
    unittest.main()
