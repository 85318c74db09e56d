# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import unittest

import numpy as np

import sparseflow as sf
from support import FolderTest

PROGRAM = """
func.func @f(%x: tensor<?x200xf16> {sparseflow.name = "x"},
             %w: tensor<96x200xf16> {sparseflow.name = "w"}) -> tensor<?x96xf32> {
  %y = sparseflow.matmul %x, %w {
  ^bb0(%acc: f32):
    sparseflow.yield %acc : f32
  } : tensor<?x200xf16>, tensor<96x200xf16> -> tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}
"""
# Layout, format of the packer, its other options; "storage" of manifests.
FORMATS = (
    ("tern.v1", "ternary", "row", "f32", 1, "codes"),
    ("tern.v1", "ternary", "32", "f16", 2, "codes"),
    ("ternbp.v1", "ternary", "64", "bf16", 1, "bit_planes"),
    ("tern3.v1", "ternary", "tensor", "f32", 2, "base3"),
    ("tern24.v1", "ternary24", "row", "f16", 1, "two_four"),
    ("tern24z.v1", "ternary24", "128", "f32", 1, "two_four_zero"),
    ("int4.v1", "int4", "32", "f16", 1, "int4"),
)


class Ternary(FolderTest):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(3)
        self.x = rng.uniform(-1, 1, (5, 200)).astype(np.float16)
        self.w = rng.normal(0, 1, (96, 200)).astype(np.float16)
        sf.save_safetensors(self.path("w.safetensors"), {"w": self.w})

    def pack(self, layout, form, scale, scale_type, planes, _):
        file = self.path("w.sfpk")
        sf.pack_file(self.path("w.safetensors"), file, "w", dtype="f16", options=[
            "--format", form, "--layout", layout, "--scale", scale, "--scale-type",
            scale_type, "--planes", str(planes)])
        return file

    def bundle(self, activations):
        """The manifest for codes with a scale a row: the other layouts have no
        kernels of a GPU yet, and differ in the weight's encoding only."""
        sf.compile(PROGRAM, self.path("manifest.json"), ["sm_90"], emit="manifest",
                   sparse={"w": "ternary:codes:row:f32"},
                   options=["--activations", activations])
        return sf.Bundle(self.folder)

    def test_packs_trits(self):
        rng = np.random.default_rng(4)
        # Files hold int8.v1; no device reads it.
        for layout, _, scale, scale_type, planes, _ in (
                *FORMATS, ("int8.v1", "int8", "row", "f16", 1, "int8")):
            low, high = {"int4.v1": (-8, 7), "int8.v1": (-127, 127)}.get(layout, (-1, 1))
            trits = rng.integers(low, high + 1, (planes, 70, 132)).astype(np.int8)
            if layout.startswith("tern24"):
                kept = rng.random((70, 33, 4)).argsort(-1) < 2
                trits = np.where(kept.reshape(1, 70, 132), trits | 1, 0).astype(np.int8)
            groups = -(-132 // int(scale)) if scale.isdigit() else 1
            shape = {"tensor": (planes, 1), "row": (planes, 70)}.get(
                scale, (planes, groups, 70))
            scales = rng.integers(1, 64, shape).astype(np.float32)
            matrix = sf.TernaryMatrix.pack(
                trits, scales, layout=layout, scale_dtype=scale_type,
                scale=int(scale) if scale.isdigit() else scale)
            self.assertEqual(matrix.blob.ctypes.data % 256, 0)
            found, kept_scales = matrix.unpack()
            np.testing.assert_array_equal(found, trits)
            np.testing.assert_array_equal(kept_scales, scales)

    def test_refuses_what_it_cannot_pack(self):
        trits = np.zeros((8, 16), np.int8)
        for wrong, text in (
                (lambda: sf.TernaryMatrix.pack(trits, np.ones(7)), "8 scales.*found 7"),
                (lambda: sf.TernaryMatrix.pack(trits + 2, np.ones(8)), "weight"),
                (lambda: sf.TernaryMatrix.pack(trits, np.full(8, np.inf)), "weight"),
                (lambda: sf.TernaryMatrix.pack(trits[0], np.ones(8)), "1 dimensions"),
                (lambda: sf.TernaryMatrix.pack(trits, np.ones(8), layout="tern5"),
                 "found tern5")):
            with self.assertRaisesRegex(sf.Error, text):
                wrong()

    def test_equals_the_cpu_device(self):
        for activations in ("f16", "i8"):
            bundle = self.bundle(activations)
            steps = [s["op"] for s in bundle.function()["reference"]["steps"]]
            self.assertEqual("quantize" in steps, activations == "i8")
            for form in FORMATS:
                layout, _, scale, scale_type, planes, storage = form
                # Activations of 8 bits are for ternary weights.
                if layout == "int4.v1" and activations == "i8":
                    continue
                file = self.pack(*form)
                weight = bundle.function()["arguments"][1]
                weight["layout"] = layout
                weight["encoding"] = {
                    "kind": "quantized" if layout == "int4.v1" else "ternary",
                    "storage": storage, "planes": planes,
                    "scale": int(scale) if scale.isdigit() else scale,
                    "scale_dtype": scale_type}
                with self.subTest(form=form, activations=activations), \
                        sf.Container(file) as container:
                    w = container["w"]
                    exact = bundle.evaluate([self.x, w], exact=True)
                    found = bundle.evaluate({"x": self.x, "w": w})
                    device = sf.run(PROGRAM, {"x": self.x}, options=[
                        "--weights", file, "--activations", activations])
                    # Sums of 200 products in float32, each order its own.
                    bound = 200 * 2.0**-23 * (
                        np.abs(self.x.astype(np.float64)) @
                        np.abs(w.values(np.float64)).T).max()
                    for values in (found, device):
                        self.assertEqual(values.dtype, np.float32)
                        np.testing.assert_allclose(values, exact, rtol=0,
                                                   atol=bound)
                    if activations == "f16":
                        by_hand = self.x.astype(np.float64) @ \
                            w.values(np.float64).T
                        np.testing.assert_allclose(exact, by_hand, rtol=1e-12,
                                                   atol=1e-12)

    def test_a_blob_by_hand(self):
        # The example of docs/formats/ternary.md.
        blob = np.zeros(272, np.uint8)
        blob[0] = 0x93
        blob[256:260] = np.frombuffer(np.float32(0.5).tobytes(), np.uint8)
        w = sf.TernaryMatrix(blob, (1, 4), "f16", "tern3.v1", 1, "tensor", "f32")
        np.testing.assert_array_equal(w.values(), [[-0.5, 0, 0, 0.5]])
        trits, scales = w.unpack()
        np.testing.assert_array_equal(trits, [[[-1, 0, 0, 1]]])
        np.testing.assert_array_equal(scales, [[0.5]])
        blob[0] = 243
        with self.assertRaisesRegex(sf.Error, "a byte of at most 242"):
            w.unpack()

    def test_values_are_near_the_weights(self):
        for form in FORMATS[:2]:
            with sf.Container(self.pack(*form)) as container:
                w = container["w"]
            self.assertEqual((w.shape, w.dtype, w.layout), ((96, 200), "f16",
                                                            "tern.v1"))
            trits, scales = w.unpack()
            groups = {"row": (1, 96), 32: (2, 7, 96)}[w.scale]
            self.assertEqual((trits.shape, scales.shape),
                             ((w.planes, 96, 200), groups))
            error = np.linalg.norm(w.values() - self.w) / np.linalg.norm(self.w)
            self.assertLess(error, 0.5 if w.planes == 1 else 0.25)

    def test_quantizes_like_the_device(self):
        # A token with an infinity is all NaN, a token of zeros all zero.
        bundle = self.bundle("i8")
        file = self.pack(*FORMATS[0])
        x = self.x.copy()
        x[1, 7], x[2, :] = np.inf, 0
        with sf.Container(file) as container:
            found = bundle.evaluate([x, container["w"]])
        device = sf.run(PROGRAM, {"x": x}, options=["--weights", file,
                                                    "--activations", "i8"])
        self.assertTrue(np.isnan(found[1]).all())
        np.testing.assert_array_equal(found[2], np.zeros(96))
        np.testing.assert_array_equal(np.isnan(found), np.isnan(device))

    def test_refuses(self):
        bundle = self.bundle("f16")
        with sf.Container(self.pack(*FORMATS[1])) as container:
            other = container["w"]
        for w, text in ((self.w, "expected a TernaryMatrix, found ndarray"),
                        (other, "expected a ternary matrix 96 x 200 for f16, tern"
                                ".v1, planes: 1, scale: row in f32, found 96 x 200 "
                                "for f16, tern.v1, planes: 2, scale: 32 in f16")):
            with self.assertRaisesRegex(sf.Error, text):
                bundle.evaluate([self.x, w])
        with self.assertRaisesRegex(sf.Error, "is a TernaryMatrix: give the .sfpk"):
            sf.run(PROGRAM, {"x": self.x, "w": other})


if __name__ == "__main__":
    unittest.main()
