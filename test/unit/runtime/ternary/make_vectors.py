#!/usr/bin/env python3
# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes GGUF and BitNet files with known contents into a directory.

An implementation of its own of what docs/formats/gguf.md and bitnet.md say:
plain numbers, one element at a time, no array library. For each tensor NAME it
writes NAME.trits (signed bytes, row after row) and NAME.scales (f32, one a
block, row after row).

usage: make_vectors.py DIRECTORY
"""

import json
import math
import os
import random
import struct
import sys

TYPES = {"TQ1_0": 34, "TQ2_0": 35, "Q2_0": 42, "PQ2_0": 142}


def half(value):
    return struct.pack("<e", value)


def tq2_0(trits, scale):
    """256 trits: two halves of 32 bytes, then the scale."""
    quants = bytearray(64)
    for index, trit in enumerate(trits):
        part, rest = divmod(index, 128)
        field, byte = divmod(rest, 32)
        quants[32 * part + byte] |= (trit + 1) << (2 * field)
    return bytes(quants) + half(scale)


def base3_byte(digits):
    """Five digits, most significant first, as a fraction of 256, rounded up."""
    value = 0
    for digit in digits:
        value = value * 3 + digit
    return math.ceil(value * 256 / 243)


def tq1_0(trits, scale):
    digits = [trit + 1 for trit in trits]
    out = bytearray()
    for byte in range(32):
        out.append(base3_byte([digits[byte + 32 * n] for n in range(5)]))
    for byte in range(16):
        out.append(base3_byte([digits[160 + byte + 16 * n] for n in range(5)]))
    for byte in range(4):
        four = [digits[240 + byte + 4 * n] for n in range(4)]
        out.append(base3_byte(four + [0]))
    return bytes(out) + half(scale)


def q2_0(trits, scale):
    quants = bytearray(len(trits) // 4)
    for index, trit in enumerate(trits):
        quants[index // 4] |= (trit + 1) << (2 * (index % 4))
    return half(scale) + bytes(quants)


ENCODERS = {"TQ1_0": (256, tq1_0), "TQ2_0": (256, tq2_0),
            "Q2_0": (64, q2_0), "Q2_0-128": (128, q2_0),
            "PQ2_0": (128, q2_0)}


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key, kind, payload):
    return text(key) + struct.pack("<I", kind) + payload


def gguf(tensors, alignment=None, version=3):
    """tensors: (name, type number, dimensions outermost first, data)."""
    pairs = [
        pair("general.architecture", 8, text("bitnet")),
        pair("general.name", 8, text("vectors \u00e9")),
        pair("numbers.u8", 0, struct.pack("<B", 200)),
        pair("numbers.i8", 1, struct.pack("<b", -3)),
        pair("numbers.f32", 6, struct.pack("<f", 0.5)),
        pair("numbers.bool", 7, b"\x01"),
        pair("numbers.u64", 10, struct.pack("<Q", 1 << 40)),
        pair("tokens", 9, struct.pack("<IQ", 8, 3) + text("a") + text("")
             + text("bc")),
        pair("scores", 9, struct.pack("<IQ", 6, 4) + bytes(16)),
    ]
    if alignment:
        pairs.append(pair("general.alignment", 4, struct.pack("<I", alignment)))
    align = alignment or 32
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(pairs))
    out += b"".join(pairs)
    offset, data = 0, b""
    for name, kind, shape, payload in tensors:
        data += bytes(-len(data) % align)
        out += text(name) + struct.pack("<I", len(shape))
        for size in reversed(shape):
            out += struct.pack("<Q", size)
        out += struct.pack("<IQ", kind, len(data))
        data += payload
    return out + bytes(-len(out) % align) + data


def random_rows(rng, rows, cols):
    return [[rng.choice((-1, 0, 1)) for _ in range(cols)] for _ in range(rows)]


def ternary(rng, directory, name, encoder, rows, cols, matrix=None):
    block, encode = ENCODERS[encoder]
    matrix = matrix or random_rows(rng, rows, cols)
    data, scales = b"", []
    for row in matrix:
        for first in range(0, cols, block):
            scale = rng.randrange(1, 2048) / 1024
            scales.append(scale)
            data += encode(row[first:first + block], scale)
    with open(os.path.join(directory, name + ".trits"), "wb") as out:
        for row in matrix:
            out.write(struct.pack("%db" % cols, *row))
    with open(os.path.join(directory, name + ".scales"), "wb") as out:
        out.write(struct.pack("<%df" % len(scales), *scales))
    return (name, TYPES[encoder.split("-")[0]], (rows, cols), data)


def bitnet(rng, directory, name, rows, cols, scale):
    """A quarter of the rows; quarter i is at bits 2i of each byte."""
    matrix = random_rows(rng, rows, cols)
    packed = bytearray(rows // 4 * cols)
    for row in range(rows):
        quarter, at = divmod(row, rows // 4)
        for col in range(cols):
            packed[at * cols + col] |= (matrix[row][col] + 1) << (2 * quarter)
    with open(os.path.join(directory, name + ".trits"), "wb") as out:
        for row in matrix:
            out.write(struct.pack("%db" % cols, *row))
    header = {
        "__metadata__": {"format": "pt"},
        name + ".weight": {"dtype": "U8", "shape": [rows // 4, cols],
                           "data_offsets": [0, len(packed)]},
        name + ".weight_scale": {
            "dtype": "F32", "shape": [1],
            "data_offsets": [len(packed), len(packed) + 4]},
    }
    text_header = json.dumps(header).encode()
    with open(os.path.join(directory, name + ".safetensors"), "wb") as out:
        out.write(struct.pack("<Q", len(text_header)) + text_header)
        out.write(bytes(packed) + struct.pack("<f", scale))


def main(directory):
    rng = random.Random(20)
    make = lambda *args: ternary(rng, directory, *args)
    files = {
        "mixed.gguf": gguf([
            make("tq2", "TQ2_0", 5, 512),
            make("tq1", "TQ1_0", 3, 768),
            make("q2", "Q2_0", 7, 192),
            make("pq2", "PQ2_0", 2, 128),
            ("norm", 0, (6,), struct.pack("<6f", *range(6))),
            ("half", 1, (2, 3), b"".join(half(v) for v in range(6))),
            ("mystery", 99, (4, 32), bytes(range(48))),
            make("last", "TQ2_0", 1, 256),
        ]),
        "fork.gguf": gguf([make("wide", "Q2_0-128", 9, 384),
                           make("tiny", "Q2_0-128", 1, 128),
                           make("end", "Q2_0-128", 4, 256)],
                          alignment=64, version=2),
        "constant.gguf": gguf([
            make("zeros1", "TQ1_0", 1, 256, [[0] * 256]),
            make("plus1", "TQ1_0", 1, 256, [[1] * 256]),
            make("minus1", "TQ1_0", 1, 256, [[-1] * 256]),
            make("zeros2", "TQ2_0", 1, 256, [[0] * 256]),
            make("zerosq", "Q2_0", 4, 64, [[0] * 64] * 4),
        ]),
    }
    for name, data in files.items():
        with open(os.path.join(directory, name), "wb") as out:
            out.write(data)
    bitnet(rng, directory, "bit", 12, 10, 0.75)


if __name__ == "__main__":
    main(sys.argv[1])
