# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a GGUF file into NumPy: metadata, and tensors dequantized to float32."""

import struct

import numpy as np

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?",
            10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9


class Gguf:
    """`metadata` by key; `tensor(name)` as float32, of the shape that rows have."""

    def __init__(self, path):
        self._data = np.memmap(path, np.uint8, "r")
        self._at = 4
        if bytes(self._data[:4]) != b"GGUF":
            raise ValueError(f"{path}: expected a GGUF file")
        version, tensors, pairs = self._read("<I"), self._read("<Q"), self._read("<Q")
        if version not in (2, 3):
            raise ValueError(f"{path}: expected version 2 or 3, found {version}")
        self.metadata = {}
        for _ in range(pairs):
            key = self._value(_STRING)
            self.metadata[key] = self._value(self._read("<I"))
        self._tensors = {}
        for _ in range(tensors):
            name = self._value(_STRING)
            shape = [self._read("<Q") for _ in range(self._read("<I"))]
            self._tensors[name] = (shape[::-1], self._read("<I"), self._read("<Q"))
        alignment = self.metadata.get("general.alignment", 32)
        self._start = -(-self._at // alignment) * alignment

    def _read(self, form):
        size = struct.calcsize(form)
        value, = struct.unpack(form, self._data[self._at:self._at + size])
        self._at += size
        return value

    def _value(self, kind):
        if kind == _STRING:
            size = self._read("<Q")
            text = bytes(self._data[self._at:self._at + size]).decode("utf-8", "replace")
            self._at += size
            return text
        if kind == _ARRAY:
            element, count = self._read("<I"), self._read("<Q")
            return [self._value(element) for _ in range(count)]
        return self._read(_SCALARS[kind])

    def names(self):
        return list(self._tensors)

    def tensor(self, name):
        shape, kind, offset = self._tensors[name]
        count, begin = int(np.prod(shape)), self._start + offset
        if kind not in _DEQUANTIZE:
            raise ValueError(f"{name}: expected F32, F16, Q4_1 or Q8_0, found type {kind}")
        block, size, convert = _DEQUANTIZE[kind]
        raw = self._data[begin:begin + count // block * size].reshape(-1, size)
        return convert(np.ascontiguousarray(raw)).reshape(shape).astype(np.float32)


def _half(raw):
    return raw.view(np.float16).astype(np.float32)


def _q4_1(raw):
    codes = raw[:, 4:]
    both = np.concatenate([codes & 15, codes >> 4], 1).astype(np.float32)
    return both * _half(raw[:, 0:2]) + _half(raw[:, 2:4])


# By GGML's number of the type: weights and bytes of a block, and its meaning.
_DEQUANTIZE = {
    0: (1, 4, lambda raw: raw.view(np.float32)),
    1: (1, 2, _half),
    3: (32, 20, _q4_1),
    8: (32, 34, lambda raw: _half(raw[:, :2]) * raw[:, 2:].view(np.int8)),
}
