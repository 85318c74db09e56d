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
from sparseflow.model.weights import SafetensorsFile, write_weights

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
            model = self.rotated(source, made)
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

    def rotated(self, source, made, *options):
        try:
            self.assertEqual(main(["rotate", source, "-o", made, "--seed", "7", *options]), 0)
        except sf.Error as error:
            if "OpenBLAS" in str(error):
                self.skipTest("this build has no OpenBLAS")
            raise
        return Model(made)

    def heavy(self, seed):
        """Weights of 192 columns of which three have activations 32 times as large."""
        weights = tiny.random_weights(seed, inner=192)
        for layer in range(tiny.LAYERS):
            for name, index in (("up", (slice(3), slice(None))),
                                ("down", (slice(None), slice(3)))):
                tensor = weights[f"model.layers.{layer}.mlp.{name}_proj.weight"]
                tensor[index] *= 32 if name == "up" else 1 / 32
        return weights

    def logits(self, model):
        return model.forward([TOKENS], model.cache(), last=False)[0]

    def test_activations(self):
        weights = self.heavy(5)
        exact = tiny.Reference(weights).logits(TOKENS)
        for dtype in ("f16", "bf16"):
            tiny.write_folder(self.path(f"{dtype}.hf"), weights,
                              tiny.config(intermediate_size=192))
            source = self.path(dtype)
            import_model(self.path(f"{dtype}.hf"), source, dtype)
            made = self.path(f"{dtype}.rotated")
            model = self.rotated(source, made, "--activations")
            self.assertEqual(model.geometry.rotated, 64)
            for layer in range(tiny.LAYERS):
                signs = model.layer_weights(layer)["ffn_rotation.weight"]
                np.testing.assert_array_equal(np.abs(signs), np.ones(192, "f4"))
            with open(os.path.join(made, "program.mlir"), encoding="utf-8") as file:
                # Of block and of layer.
                self.assertEqual(file.read().count("sparseflow.hadamard"), 2)
            # The largest activations are less by the spread of a block.
            plain, folded = Model(source), self.rotated(source, self.path(f"{dtype}.folded"))
            self.assertEqual(folded.geometry.rotated, 0)
            errors = [np.abs(self.logits(m) - exact).max() for m in (plain, folded, model)]
            scale = np.abs(exact).max()
            digits = {"f16": 0.01, "bf16": 0.08}[dtype]
            self.assertLess(errors[2], 4 * errors[0] + digits * scale)
            self.assertLess(errors[2], 2 * errors[1] + digits * scale)
            with self.assertRaisesRegex(sf.Error, "activations are not rotated, found blocks of 64"):
                rotate_model(made, self.path("again"))

    def test_rounding_loses_less(self):
        """Down projections of 4 bits, a scale for 32 columns, of which one is far larger."""
        weights = tiny.random_weights(6, inner=192)
        for layer in range(tiny.LAYERS):
            weights[f"model.layers.{layer}.mlp.down_proj.weight"][:, 5::32] *= 16
        tiny.write_folder(self.path("heavy.hf"), weights, tiny.config(intermediate_size=192))
        source = self.path("heavy")
        import_model(self.path("heavy.hf"), source)
        exact = tiny.Reference(weights).logits(TOKENS)
        errors = {}
        for name, options in (("folded", []), ("activations", ["--activations"])):
            folder = self.path(name)
            model = self.rotated(source, folder, *options)
            file = SafetensorsFile(os.path.join(folder, "weights.safetensors"))

            def rounded(tensor):
                bits = file.bits(tensor)
                if not tensor.endswith("ffn_down.weight"):
                    return np.array(bits)
                groups = bits.astype(np.float32).reshape(-1, 32)
                steps = np.abs(groups).max(axis=1, keepdims=True) / 7
                return (np.rint(groups / steps) * steps).astype(bits.dtype).reshape(bits.shape)
            made = os.path.join(folder, "rounded")
            write_weights(made, model.geometry.tensors(), rounded)
            os.replace(made, os.path.join(folder, "weights.safetensors"))
            errors[name] = np.linalg.norm(self.logits(Model(folder)) - exact) / \
                np.linalg.norm(exact)
        self.assertLess(errors["activations"], 0.5 * errors["folded"], errors)

    def test_what_is_refused(self):
        def refused(text, source):
            with self.assertRaisesRegex(sf.Error, text):
                rotate_model(source, self.path("none"))
            self.assertFalse(os.path.exists(self.path("none")))
        refused("neither biases nor more norms, found attn_q.bias", self.imported(
            "biases", tiny.random_weights(4, biases=True), tiny.config()))
        refused("found layer norms.*embedded positions", self.imported(
            "gpt2", tiny.gpt2_weights(4), tiny.gpt2_config()))
        with self.assertRaisesRegex(sf.Error, "100 numbers a power of two from 64 on divides"):
            rotate_model(self.imported("odd", tiny.random_weights(4), tiny.config()),
                         self.path("none"), activations=True)
        packed = self.imported("packed", tiny.random_weights(4), tiny.config())
        sf.pack_file(os.path.join(packed, "weights.safetensors"),
                     os.path.join(packed, "weights.sfpk"), "ffn_up")
        refused("expected dense weights, found a compressed model", packed)
        shutil.rmtree(packed)


if __name__ == "__main__":
    unittest.main()
