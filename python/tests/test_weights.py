# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import unittest

import numpy as np

import sparseflow as sf
from support import FolderTest, inputs


def prune_by_hand(matrix):
    """The two largest magnitudes of every four; of equal ones the first."""
    result = matrix.copy()
    for group in result.reshape(-1, 4):
        order = sorted(range(4), key=lambda i: (-abs(float(group[i])), i))
        group[order[2:]] = 0
    return result


class Pack(unittest.TestCase):
    def test_prunes_packs_and_unpacks(self):
        w = inputs()[1]
        packed = sf.pack(w)
        self.assertEqual(packed.shape, (128, 64))
        self.assertEqual(packed.blob.nbytes, 2 * 4608)
        self.assertEqual(packed.blob.ctypes.data % 256, 0)
        packed.validate()
        np.testing.assert_array_equal(packed.unpack(), prune_by_hand(w))
        self.assertEqual(packed.report["kept_nonzeros"], 128 * 32)
        self.assertLess(packed.report["kept_energy"], packed.report["energy"])
        np.testing.assert_array_equal(sf.prune(w), prune_by_hand(w))

    def test_float32_is_rounded(self):
        w = inputs()[1].astype(np.float32) * np.float32(1.0001)
        for dtype in ("f16", "bf16"):
            packed = sf.pack(w, dtype)
            kept = packed.values() != 0
            np.testing.assert_allclose(packed.values()[kept], w[kept],
                                       rtol=2**-8 if dtype == "bf16" else 2**-11)

    def test_refuses(self):
        w = inputs()[1]
        with self.assertRaisesRegex(sf.Error, "K must|multiple of 4"):
            sf.pack(w[:, :6])
        with self.assertRaisesRegex(sf.Error, "my.weight") as caught:
            sf.pack(w, prune=False, name="my.weight")
        self.assertEqual((caught.exception.kind, caught.exception.code),
                         ("library", 5))
        with self.assertRaisesRegex(sf.Error, r"exceed the range of f16.*\[1, 2\]"):
            bad = w.astype(np.float32)
            bad[1, 2] = 1e6
            sf.pack(bad)
        with self.assertRaises(sf.Error):
            sf.pack(np.full((4, 4), np.nan, np.float32))
        sf.pack(np.full((4, 4), np.nan, np.float32), allow_non_finite=True)
        with self.assertRaisesRegex(sf.Error, "expected a matrix"):
            sf.pack(w[0])
        with self.assertRaisesRegex(sf.Error, "int32"):
            sf.pack(np.zeros((4, 4), np.int32))

    def test_damage_is_found(self):
        packed = sf.pack(inputs()[1])
        packed.blob[-1] ^= 0xFF
        with self.assertRaises(sf.Error):
            packed.validate()


class BFloat16(unittest.TestCase):
    def test_rounds_to_nearest_even(self):
        for value, bits in ((1.0, 0x3F80), (1 + 2**-8, 0x3F80), (1 + 3 * 2**-8, 0x3F82),
                            (np.inf, 0x7F80), (-0.0, 0x8000), (3.4e38, 0x7F80)):
            self.assertEqual(sf.float32_to_bf16(np.float32(value)), bits, value)
        self.assertTrue(np.isnan(sf.bf16_to_float32(
            sf.float32_to_bf16(np.float32(np.nan)))))


class Files(FolderTest):
    def test_numpy_to_sfpk_and_back(self):
        x, w, b = inputs()
        sf.write_sfpk(self.path("w.sfpk"), {"a.w(0)": w, "b": b,
                                            "h": sf.float32_to_bf16(b)},
                      sparse=["a.w(0)"], bf16=["h"], metadata={"by": "test"})
        with sf.Container(self.path("w.sfpk")) as file:
            self.assertEqual(set(file), {"a.w(0)", "b", "h"})
            self.assertEqual(file.texts, {"by": "test"})
            np.testing.assert_array_equal(file["a.w(0)"].unpack(), prune_by_hand(w))
            np.testing.assert_array_equal(file["b"], b)
            self.assertEqual(file["h"].dtype, np.uint16)
            self.assertEqual(bytes(file["a.w(0)"].blob), bytes(sf.pack(w).blob))
            with self.assertRaises(KeyError):
                file["none"]
        with self.assertRaisesRegex(sf.Error, "closed"):
            file["b"]

    def test_a_failure_leaves_no_file(self):
        with self.assertRaisesRegex(sf.Error, "named|among"):
            sf.write_sfpk(self.path("w.sfpk"), {"w": inputs()[1]}, sparse=["v"])
        with self.assertRaisesRegex(sf.Error, "expected the names of the matrices"):
            sf.write_sfpk(self.path("w.sfpk"), {"w": inputs()[1]}, [])
        with self.assertRaises(sf.Error) as caught:
            sf.write_sfpk(self.path("w.sfpk"), {"w": inputs()[1]}, sparse=["w"],
                          prune=False)
        self.assertEqual(caught.exception.kind, "command")
        with self.assertRaisesRegex(sf.Error, "complex"):
            sf.save_safetensors(self.path("c.safetensors"), {"c": np.zeros(1, complex)})
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_damaged_file_is_refused(self):
        sf.write_sfpk(self.path("w.sfpk"), {"w": inputs()[1]}, sparse=["w"])
        with open(self.path("w.sfpk"), "r+b") as file:
            file.seek(600)
            file.write(b"x")
        with sf.Container(self.path("w.sfpk")) as file:
            with self.assertRaisesRegex(sf.Error, "checksum"):
                file["w"]


if __name__ == "__main__":
    unittest.main()
