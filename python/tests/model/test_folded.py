# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files whose weights are rotated are imported as what they were made of, or refused."""

import os
import sys
import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiny_models as tiny  # noqa: E402
from exact_attention import hadamard  # noqa: E402
from support import FolderTest  # noqa: E402

tiny.share_programs()
TOKENS = [5, 96, 17, 3, 44, 8, 8, 1, 60]
BLOCK = 32
WIDTHS = [tiny.HIDDEN, 96, 192]


def folded(tensors, signs):
    """Matrices in f32, times signs and the Hadamard matrix along their rows: of an embedding
    the rows, of the others what their activations are multiplied by."""
    result = {}
    for name, (kind, shape, raw) in tensors.items():
        if len(shape) == 2:
            values = np.frombuffer(raw, "f2").astype("f8").reshape(shape) * signs[shape[1]]
            values = values.reshape(shape[0], -1, BLOCK) @ hadamard(BLOCK)
            kind, raw = 0, values.astype("f4").tobytes()
        result[name] = (kind, shape, raw)
    return result


class TestFolded(FolderTest):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(2)
        self.weights = tiny.random_weights(9, inner=192)
        self.tensors = tiny.gguf_tensors(self.weights)
        self.signs = {width: random.choice([-1, 1], width) for width in WIDTHS}
        # Every value of the list in the type of the first, which has to have a sign.
        self.signs[WIDTHS[0]][0] = -1
        self.matrices = [name for name, (_, shape, _) in self.tensors.items()
                         if len(shape) == 2]

    def metadata(self, **changes):
        members = {
            "version": 1, "block_size": BLOCK, "axis": "input-last-dimension",
            "transform": "normalized-sylvester-walsh-hadamard", "sign_mode": "explicit",
            "weight_names": [name for name in self.matrices if name != "token_embd.weight"],
            "inverse_weight_names": ["token_embd.weight"], "sign_widths": WIDTHS,
            "sign_values": [int(s) for width in WIDTHS for s in self.signs[width]], **changes}
        return {"llama.feed_forward_length": 192,
                **{f"prism.hadamard.{key}": value for key, value in members.items()
                   if value is not None}}

    def test_is_what_it_was_made_of(self):
        exact = tiny.Reference(self.weights).logits(TOKENS)
        ones = {width: np.ones(width) for width in WIDTHS}
        for mode, signs in (("explicit", self.signs), ("identity", ones)):
            changes = {} if mode == "explicit" else {
                "sign_mode": mode, "sign_widths": None, "sign_values": None}
            file, folder = self.path(f"{mode}.gguf"), self.path(mode)
            tiny.write_gguf(file, tiny.gguf_metadata(**self.metadata(**changes)),
                            folded(self.tensors, signs))
            import_model(file, folder)
            model = Model(folder)
            # What f32 lost is less than half of a step of f16, but for ties.
            kept = model.layer_weights(1)["ffn_down.weight"].astype("f4")
            np.testing.assert_allclose(
                kept, self.weights["model.layers.1.mlp.down_proj.weight"], rtol=2e-3, atol=1e-6)
            found = model.forward([TOKENS], model.cache(), last=False)[0]
            self.assertLess(np.abs(found - exact).max(), 0.02 * np.abs(exact).max())

    def test_what_is_refused(self):
        for text, changes in (
                ("version': expected 1, found 2", {"version": 2}),
                ("version': expected 1, found None", {"version": None}),
                ("transform': expected 'normalized", {"transform": "dct"}),
                ("axis': expected 'input-last-dimension', found 'rows'", {"axis": "rows"}),
                ("gdn_v_grouped': expected False", {"gdn_v_grouped": 1}),
                ("block_size': expected a power of two, found 24", {"block_size": 24}),
                ("sign_mode': expected 'identity' or 'explicit', found None",
                 {"sign_mode": None}),
                ("weight_names': expected a list of str", {"weight_names": "all"}),
                ("sign_widths': expected distinct multiples of 32",
                 {"sign_widths": [64, 64]}),
                ("sign_values': expected 352 numbers of 1 and -1, found 352",
                 {"sign_values": [-1] + [2] * 351}),
                ("sign_widths': expected 96, the columns of 'blk.0.attn_output.weight'",
                 {"sign_widths": WIDTHS[:1], "sign_values": [-1] * WIDTHS[0]}),
                ("'prism.hadamard.offset': expected a key that version 1 has",
                 {"offset": 3}),
                ("no tensor 'blk.9.x', which the file says is rotated",
                 {"weight_names": ["blk.9.x"]}),
                (r"'output_norm.weight': expected a matrix .* found \[64\]",
                 {"weight_names": ["output_norm.weight"]})):
            with self.subTest(text):
                tiny.write_gguf(self.path("bad.gguf"),
                                tiny.gguf_metadata(**self.metadata(**changes)), self.tensors)
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(self.path("bad.gguf"), self.path("m"))
                self.assertEqual(os.listdir(self.folder), ["bad.gguf"])


if __name__ == "__main__":
    unittest.main()
