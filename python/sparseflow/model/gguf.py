# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GGUF files, whole or in parts: metadata, and tensors dequantized as they are read."""

from __future__ import annotations

import os
import re
import struct
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

import numpy as np

from ..arrays import bf16_to_float32, map_file
from ..errors import Error, MissingTensor
from .integers import GgufTrits, IntegerForm, Integers

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?",
            10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9

# GGML's numbers of types, for messages.
_TYPES = {0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0",
          9: "Q8_1", 10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K",
          15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S",
          20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 24: "I8", 25: "I16",
          26: "I32", 27: "I64", 28: "F64", 29: "IQ1_M", 30: "BF16", 34: "TQ1_0",
          35: "TQ2_0", 36: "I2_S", 39: "MXFP4", 42: "Q2_0", 142: "PQ2_0"}
def _half(raw: np.ndarray) -> np.ndarray:
    return raw.view(np.float16).astype(np.float32)


def _nibbles(codes: np.ndarray) -> np.ndarray:
    """Element j < 16 of a block in the low half of byte j, the others above."""
    return np.concatenate([codes & 15, codes >> 4], axis=1).astype(np.float32)


def _fifth_bits(raw: np.ndarray) -> np.ndarray:
    """Blocks of 32 numbers of 5 bits, of which the fifth ones are in 4 bytes in front."""
    high = np.unpackbits(raw[:, :4], axis=1, bitorder="little")
    return _nibbles(raw[:, 4:]) + 16 * high


def _of_groups(numbers: np.ndarray, scales: np.ndarray, least: Optional[np.ndarray] = None
               ) -> np.ndarray:
    """Blocks of numbers times the scale of their group, [count, groups] each, minus the
    `least` of it."""
    groups = numbers.reshape(*scales.shape, -1).astype(np.float32) * scales[..., None]
    if least is not None:
        groups -= least[..., None]
    return groups.reshape(len(numbers), -1)


def _shifted(raw: np.ndarray, bits: int, run: int) -> np.ndarray:
    """Numbers of `bits` bits: runs of `run` bytes have the lowest bits of all of them first,
    then the next ones."""
    shifts = np.arange(0, 8, bits, dtype=np.uint8)[:, None]
    numbers = raw.reshape(len(raw), -1, 1, run) >> shifts & (1 << bits) - 1
    return numbers.reshape(len(raw), -1)


def _six_bits(raw: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Eight scales and eight least values of 6 bits, of 12 bytes."""
    low, high, rest = raw[:, :4], raw[:, 4:8], raw[:, 8:]
    scales = np.hstack([low & 63, rest & 15 | low >> 6 << 4])
    return scales.astype(np.float32), \
        np.hstack([high & 63, rest >> 4 | high >> 6 << 4]).astype(np.float32)


def _q2_k(raw: np.ndarray) -> np.ndarray:
    scales, factors = raw[:, :16], _half(raw[:, 80:].copy())
    return _of_groups(_shifted(raw[:, 16:80], 2, 32), factors[:, :1] * (scales & 15),
                      factors[:, 1:] * (scales >> 4))


def _q3_k(raw: np.ndarray) -> np.ndarray:
    packed = raw[:, 96:108]
    scales = np.hstack([packed[:, :8] & 15, packed[:, :8] >> 4]).astype(np.int8) \
        | _shifted(packed[:, 8:], 2, 4).astype(np.int8) << 4
    numbers = _shifted(raw[:, 32:96], 2, 32).astype(np.int8) \
        + 4 * _shifted(raw[:, :32], 1, 32).astype(np.int8) - 4
    return _of_groups(numbers, _half(raw[:, 108:].copy()) * (scales - 32))


def _q4_k(raw: np.ndarray) -> np.ndarray:
    factors, (scales, least) = _half(raw[:, :4].copy()), _six_bits(raw[:, 4:16])
    return _of_groups(_shifted(raw[:, 16:], 4, 32), factors[:, :1] * scales,
                      factors[:, 1:] * least)


def _q5_k(raw: np.ndarray) -> np.ndarray:
    factors, (scales, least) = _half(raw[:, :4].copy()), _six_bits(raw[:, 4:16])
    numbers = _shifted(raw[:, 48:], 4, 32) + 16 * _shifted(raw[:, 16:48], 1, 32)
    return _of_groups(numbers, factors[:, :1] * scales, factors[:, 1:] * least)


def _q6_k(raw: np.ndarray) -> np.ndarray:
    numbers = (_shifted(raw[:, :128], 4, 64) | _shifted(raw[:, 128:192], 2, 32) << 4
               ).astype(np.int8) - 32
    return _of_groups(numbers, _half(raw[:, 208:].copy())
                      * raw[:, 192:208].view(np.int8).astype(np.float32))


# By number: values and bytes of a block, and the values of blocks [count, bytes].
_READERS: Dict[int, Tuple[int, int, Callable[[np.ndarray], np.ndarray]]] = {
    0: (1, 4, lambda raw: raw.view(np.float32)),
    1: (1, 2, lambda raw: raw.view(np.float16)),
    3: (32, 20, lambda raw: _nibbles(raw[:, 4:]) * _half(raw[:, :2].copy())
        + _half(raw[:, 2:4].copy())),
    6: (32, 22, lambda raw: (_fifth_bits(raw[:, 2:]) - 16) * _half(raw[:, :2].copy())),
    7: (32, 24, lambda raw: _fifth_bits(raw[:, 4:]) * _half(raw[:, :2].copy())
        + _half(raw[:, 2:4].copy())),
    10: (256, 84, _q2_k), 11: (256, 110, _q3_k), 12: (256, 144, _q4_k),
    13: (256, 176, _q5_k), 14: (256, 210, _q6_k),
    30: (1, 2, lambda raw: bf16_to_float32(raw.view(np.uint16))),
}
# Blocks of 32 integers behind their scale: their layout, bytes and numbers.
_INTEGERS: Dict[int, Tuple[str, int, Callable[[np.ndarray], np.ndarray]]] = {
    2: ("int4.v1", 18, lambda raw: (_nibbles(raw[:, 2:]) - 8).astype(np.int8)),
    8: ("int8.v1", 34, lambda raw: raw[:, 2:].view(np.int8)),
}
# Where the scale of a block of trits is.
_TERNARY = {34: 52, 35: 64, 42: 0, 142: 0}


class GgufFile:
    """`metadata` by key, and tensors by name; the file is mapped."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._data = map_file(path)
        self._trits: Optional[GgufTrits] = None
        self._at = 4
        if self._data[:4].tobytes() != b"GGUF":
            raise Error(f"{path}: expected a GGUF file, found one that begins with "
                        f"{self._data[:4].tobytes()!r}")
        version = self._read("<I")
        if version in (2 << 24, 3 << 24):
            raise Error(f"{path}: is big-endian; expected a little-endian file: convert it "
                        "first")
        if version not in (2, 3):
            raise Error(f"{path}: expected version 2 or 3, found {version}")
        tensors, pairs = self._read("<Q"), self._read("<Q")
        self.metadata: Dict[str, Any] = {}
        for _ in range(pairs):
            key = self._value(_STRING)
            self.metadata[key] = self._value(self._read("<I"))
        # Name to shape (rows first), type and offset.
        self.tensors: Dict[str, Tuple[List[int], int, int]] = {}
        for _ in range(tensors):
            name = self._value(_STRING)
            if name in self.tensors:
                raise Error(f"{path}: tensor '{name}' is there twice")
            shape = [self._read("<Q") for _ in range(self._read("<I"))]
            self.tensors[name] = (shape[::-1], self._read("<I"), self._read("<Q"))
        alignment = self.whole("general.alignment", 32)
        if alignment < 1 or alignment & (alignment - 1):
            raise Error(f"{path}: 'general.alignment': expected a power of two, found "
                        f"{alignment}")
        self._start = -(-self._at // alignment) * alignment

    def _take(self, size: int) -> bytes:
        if size > len(self._data) - self._at:
            raise Error(f"{self.path}: expected {size} bytes at byte {self._at}, found "
                        "the end of the file; is it complete?")
        self._at += size
        return self._data[self._at - size:self._at].tobytes()

    def _read(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._take(self._read("<Q")).decode("utf-8", "replace")
        if kind == _ARRAY:
            element, count = self._read("<I"), self._read("<Q")
            if element in _SCALARS:
                data = self._take(count * struct.calcsize(_SCALARS[element]))
                return np.frombuffer(data, _SCALARS[element]).tolist()
            if element != _STRING:
                raise Error(f"{self.path}: expected arrays of numbers or texts, found "
                            f"type {element}")
            return [self._value(element) for _ in range(count)]
        if kind not in _SCALARS:
            raise Error(f"{self.path}: byte {self._at}: unknown type of value {kind}")
        return self._read(_SCALARS[kind])

    def whole(self, key: str, default: int) -> int:
        """A whole number of the metadata."""
        value = self.metadata.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Error(f"{self.path}: '{key}': expected a whole number, found {value!r}")
        return value

    def shape(self, name: str) -> List[int]:
        """The sizes of a tensor, rows first."""
        return list(self._entry(name)[0])

    def read(self, name: str) -> np.ndarray:
        """The values of a tensor, float32, or float16 where the file has these."""
        shape, kind, _ = self._entry(name)
        if kind in _INTEGERS or kind in _TERNARY:
            return self.integers(name).values()
        if kind not in _READERS:
            known = ", ".join(_TYPES[number] for number in
                              sorted({*_READERS, *_INTEGERS, *_TERNARY}))
            raise Error(f"{self.path}: tensor '{name}': expected one of {known}, found "
                        f"{_TYPES.get(kind, f'type {kind}')}; convert the file first")
        block, size, convert = _READERS[kind]
        return convert(np.array(self._blocks(name, block, size))).reshape(shape)

    def integer_form(self, name: str) -> Optional[IntegerForm]:
        """How a tensor of integers is stored: trits are scaled by their rows where all groups
        of a row have the same scale; None of another type."""
        shape, kind, _ = self._entry(name)
        if kind in _INTEGERS:
            return IntegerForm(32, "f16", _INTEGERS[kind][0])
        if kind not in _TERNARY:
            return None
        columns, at = self._ternary().columns(name), _TERNARY[kind]
        blocks = self._blocks(name, columns, 54 if kind == 34 else 2 + columns // 4)
        scales = blocks[:, at:at + 2].copy().view(np.uint16).reshape(shape[0], -1)
        return IntegerForm("row" if (scales == scales[:, :1]).all() else columns, "f16")

    def integers(self, name: str) -> Integers:
        """A tensor of integers."""
        shape, kind, _ = self._entry(name)
        if kind in _TERNARY:
            return self._ternary().read(name)
        _, size, numbers = _INTEGERS[kind]
        raw = self._blocks(name, 32, size)
        scales = _half(raw[:, :2].copy()).reshape(-1, shape[-1] // 32)
        return Integers(numbers(raw).reshape(shape), scales.T)

    def _ternary(self) -> GgufTrits:
        if self._trits is None:
            self._trits = GgufTrits(self.path)
        return self._trits

    def _blocks(self, name: str, block: int, size: int) -> np.ndarray:
        """The bytes of a tensor, not copied: [count, size], of `block` values each."""
        shape, _, offset = self._entry(name)
        if shape[-1] % block:
            raise Error(f"{self.path}: tensor '{name}': expected rows of whole blocks "
                        f"of {block}, found {shape[-1]} columns")
        begin = self._start + offset
        end = begin + int(np.prod(shape, dtype=np.int64)) // block * size
        if end > len(self._data):
            raise Error(f"{self.path}: tensor '{name}' ends behind the end of the file; "
                        "is it complete?")
        return self._data[begin:end].reshape(-1, size)

    def _entry(self, name: str) -> Tuple[List[int], int, int]:
        if name not in self.tensors:
            raise MissingTensor(f"{self.path}: there is no tensor '{name}'")
        return self.tensors[name]


class GgufParts:
    """A GGUF file, or the first of those that one was split into, which are beside it
    (NAME-00001-of-00003.gguf): `metadata`, which the first has, and the tensors of all."""

    def __init__(self, path: str) -> None:
        self.path = path
        first = GgufFile(path)
        self.metadata = first.metadata
        self._files: Dict[str, GgufFile] = {}
        for part, file in enumerate([first, *map(GgufFile, self._others(
                first.whole("split.count", 1)))]):
            said = file.whole("split.no", 0)
            if said != part:
                raise Error(f"{file.path}: 'split.no': expected {part}, found {said}")
            for name in file.tensors:
                if name in self._files:
                    raise Error(f"{file.path}: tensor '{name}' is also in "
                                f"{self._files[name].path}")
                self._files[name] = file
        tensors = first.whole("split.tensors.count", len(self._files))
        if tensors != len(self._files):
            raise Error(f"{path}: expected {tensors} tensors in all parts, found "
                        f"{len(self._files)}")

    def _others(self, count: int) -> List[str]:
        """The paths of the parts behind the first, `count` with that."""
        if count <= 1:
            return []
        name = re.fullmatch(r"(.*)-(\d{5})-of-(\d{5})\.gguf", self.path, re.DOTALL)
        if not name or int(name[2]) != 1 or int(name[3]) != count:
            raise Error(f"{self.path}: is one of {count} parts; expected the first one, "
                        f"NAME-00001-of-{count:05}.gguf, with the others beside it")
        paths = [f"{name[1]}-{part:05}-of-{name[3]}.gguf" for part in range(2, count + 1)]
        for path in paths:
            if not os.path.exists(path):
                raise Error(f"{path}: there is no such file; expected all {count} parts "
                            f"beside {self.path}")
        return paths

    def names(self) -> Iterable[str]:
        """Every tensor's name."""
        return self._files

    def of(self, name: str) -> GgufFile:
        """The file that has the tensor `name`; MissingTensor where none has."""
        if name not in self._files:
            raise MissingTensor(f"{self.path}: there is no tensor '{name}'")
        return self._files[name]
