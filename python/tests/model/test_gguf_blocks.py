# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGML's blocks of 5-bit numbers and of 256 numbers, element by element: where each bit of
a number and of its scale lies."""

import unittest

import numpy as np

from sparseflow.model.gguf import GgufFile
from support import FolderTest
import tiny_models as tiny


def half(block, at):
    return np.float32(block[at:at + 2].view(np.float16)[0])


def five(block, j, first):
    """Number j of 32, whose fifth bits are at `first` and the others behind them."""
    byte = int(block[first + 4 + j % 16])
    return (byte >> 4 if j > 15 else byte & 15) | (int(block[first + j // 8]) >> j % 8 & 1) << 4


def q5_0(block, j):
    return half(block, 0) * (five(block, j, 2) - 16)


def q5_1(block, j):
    return half(block, 0) * five(block, j, 4) + half(block, 2)


def scale_and_least(scales, group):
    """Of 6 bits: the last four groups have their high bits above those of the first ones."""
    scales = scales.astype(int)
    if group < 4:
        return scales[group] & 63, scales[group + 4] & 63
    return (scales[group + 4] & 15 | scales[group - 4] >> 6 << 4,
            scales[group + 4] >> 4 | scales[group] >> 6 << 4)


def q2_k(block, j):
    run, place = divmod(j, 128)
    number = int(block[16 + 32 * run + place % 32]) >> place // 32 * 2 & 3
    scale = int(block[j // 16])
    return half(block, 80) * (scale & 15) * number - half(block, 82) * (scale >> 4)


def q3_k(block, j):
    run, place = divmod(j, 128)
    number = int(block[32 + 32 * run + place % 32]) >> place // 32 * 2 & 3
    number |= (int(block[place % 32]) >> j // 32 & 1) << 2
    group = j // 16
    byte = int(block[96 + group % 8])
    scale = (byte >> 4 if group > 7 else byte & 15) | \
        (int(block[104 + group % 4]) >> group // 4 * 2 & 3) << 4
    return half(block, 108) * (scale - 32) * (number - 4)


def q4_k(block, j):
    byte = int(block[16 + j // 64 * 32 + j % 32])
    scale, least = scale_and_least(block[4:16], j // 32)
    return half(block, 0) * scale * (byte >> 4 if j % 64 > 31 else byte & 15) \
        - half(block, 2) * least


def q5_k(block, j):
    byte = int(block[48 + j // 64 * 32 + j % 32])
    number = (byte >> 4 if j % 64 > 31 else byte & 15) | \
        (int(block[16 + j % 32]) >> j // 32 & 1) << 4
    scale, least = scale_and_least(block[4:16], j // 32)
    return half(block, 0) * scale * number - half(block, 2) * least


def q6_k(block, j):
    run, place = divmod(j, 128)
    byte = int(block[64 * run + place % 64])
    number = (byte >> 4 if place > 63 else byte & 15) | \
        (int(block[128 + 32 * run + place % 32]) >> place // 32 * 2 & 3) << 4
    return half(block, 208) * int(block[192:208].view(np.int8)[j // 16]) * (number - 32)


# The type's number, values and bytes of a block, where its factors are, and a value.
TYPES = {"Q5_0": (6, 32, 22, [0], q5_0), "Q5_1": (7, 32, 24, [0, 2], q5_1),
         "Q2_K": (10, 256, 84, [80, 82], q2_k), "Q3_K": (11, 256, 110, [108], q3_k),
         "Q4_K": (12, 256, 144, [0, 2], q4_k), "Q5_K": (13, 256, 176, [0, 2], q5_k),
         "Q6_K": (14, 256, 210, [208], q6_k)}


class TestBlocks(FolderTest):

    def test_every_element(self):
        random, tensors, blocks = np.random.default_rng(3), {}, {}
        for name, (kind, size, count, factors, _) in TYPES.items():
            # Three rows of two blocks.
            raw = random.integers(0, 256, (6, count), np.uint8)
            for at in factors:
                raw[:, at:at + 2] = random.normal(size=(6, 1)).astype(np.float16).view(np.uint8)
            tensors[name], blocks[name] = (kind, [3, 2 * size], raw.tobytes()), raw
        tiny.write_gguf(self.path("m.gguf"), {"general.architecture": "llama"}, tensors)
        file = GgufFile(self.path("m.gguf"))
        for name, (_, size, _, _, value) in TYPES.items():
            with self.subTest(name):
                exact = np.array([[value(block, j) for j in range(size)]
                                  for block in blocks[name]])
                found = file.read(name)
                self.assertEqual((found.shape, found.dtype), ((3, 2 * size), np.float32))
                # A product and a sum of float32, in another order.
                np.testing.assert_allclose(found.reshape(6, size), exact, rtol=1e-6, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
