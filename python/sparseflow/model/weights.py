# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of dense tensors, one tensor at a time: read as they are, written as made."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Callable, Dict, List, Mapping, Tuple, Union

import numpy as np

from ..arrays import bf16_to_float32, map_file
from ..dtypes import as_dtype
from ..errors import Error, MissingTensor
from ..packing import Container, ContainerWriter, PackedMatrix
from ..ternary import TernaryMatrix

# A safetensors name of a type to NumPy's; bf16 is held as its bits.
_TYPES = {"F16": np.float16, "BF16": np.uint16, "F32": np.float32}
# As they are in the file, codes of trits too.
_STORED = {**_TYPES, "U8": np.uint8}
_NAMES = {"f16": "F16", "bf16": "BF16", "f32": "F32"}


def _is_entry(entry: Any) -> bool:
    """Whether this is what a header of safetensors says of a tensor."""
    def sizes(value: Any) -> bool:
        return isinstance(value, list) and all(
            isinstance(item, int) and not isinstance(item, bool) and item >= 0
            for item in value)
    return isinstance(entry, dict) and isinstance(entry.get("dtype"), str) and \
        sizes(entry.get("shape")) and sizes(entry.get("data_offsets")) and \
        len(entry["data_offsets"]) == 2


class SafetensorsFile:
    """A .safetensors file, mapped: a tensor costs memory when it is read."""

    def __init__(self, path: str) -> None:
        self.path = path
        data = map_file(path)
        length = int.from_bytes(data[:8].tobytes(), "little")
        if len(data) < 8 or length > len(data) - 8:
            raise Error(f"{path}: expected a safetensors file, found a header of "
                        f"{length} bytes in a file of {len(data)}")
        try:
            header = json.loads(data[8:8 + length].tobytes())
        except (ValueError, RecursionError) as error:
            raise Error(f"{path}: expected a header in JSON: {error}") from None
        if not isinstance(header, dict):
            raise Error(f"{path}: expected a header that is a JSON object, found a "
                        f"{type(header).__name__}")
        self._data = data[8 + length:]
        self.tensors: Dict[str, Any] = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            if not _is_entry(entry):
                raise Error(f"{path}: tensor '{name}': expected a dtype, a shape and two "
                            f"data_offsets, found {str(entry)[:100]}")
            begin, end = entry["data_offsets"]
            kind = _STORED.get(entry["dtype"])
            count = math.prod(entry["shape"])
            if begin < 0 or end < begin or end > len(self._data) or \
                    (kind and count * np.dtype(kind).itemsize != end - begin):
                raise Error(f"{path}: tensor '{name}': expected {entry['shape']} of "
                            f"{entry['dtype']} inside of the file, found bytes {begin} "
                            f"to {end} of {len(self._data)}; is the file complete?")
            self.tensors[name] = entry

    def shape(self, name: str) -> List[int]:
        """The sizes of a tensor."""
        return list(self._entry(name)["shape"])

    def type(self, name: str) -> str:
        """The name of a tensor's type: F16, BF16, F32, U8, ..."""
        return str(self._entry(name)["dtype"])

    def bits(self, name: str) -> np.ndarray:
        """The tensor as it is in the file, not copied; bf16 as uint16."""
        return self._view(name, _TYPES)

    def codes(self, name: str) -> np.ndarray:
        """A tensor of U8, not copied."""
        return self._view(name, {"U8": np.uint8})

    def _view(self, name: str, types: Mapping[str, Any]) -> np.ndarray:
        entry = self._entry(name)
        kind = types.get(entry["dtype"])
        if kind is None:
            raise Error(f"{self.path}: tensor '{name}': expected {' or '.join(types)}, "
                        f"found {entry['dtype']}")
        begin, end = entry["data_offsets"]
        raw = self._data[begin:end]
        if raw.ctypes.data % np.dtype(kind).itemsize:
            raw = raw.copy()
        return raw.view(kind).reshape(entry["shape"])

    def stored(self, name: str) -> np.ndarray:
        """The tensor as it is in the file."""
        return self.bits(name)

    def read(self, name: str) -> np.ndarray:
        """The values of a tensor, float16 or float32."""
        values = self.bits(name)
        return bf16_to_float32(values) if values.dtype == np.uint16 else values

    def _entry(self, name: str) -> Any:
        if name not in self.tensors:
            raise MissingTensor(f"{self.path}: there is no tensor '{name}'")
        return self.tensors[name]


class PackedFile:
    """The tensors of a .sfpk file, dequantized when they are read."""

    def __init__(self, path: str) -> None:
        self.path, self._file = path, Container(path)

    def stored(self, name: str) -> Union[PackedMatrix, TernaryMatrix, np.ndarray]:
        """The tensor as it is in the file, packed or dense."""
        return self._file[name]

    def bits(self, name: str) -> np.ndarray:
        """The tensor in its own type; bf16 as uint16."""
        found = self._file[name]
        if isinstance(found, PackedMatrix):
            return found.unpack()
        if isinstance(found, TernaryMatrix):
            return as_dtype(found.values(), found.dtype, name)
        return found

    def layout(self, name: str) -> str:
        """The layout of a packed matrix; "" of a dense one."""
        return self._file.layout(name)

    def layouts(self) -> List[str]:
        """The layouts of packed matrices."""
        return self._file.layouts()

    def __enter__(self) -> PackedFile:
        return self

    def __exit__(self, *ignored: Any) -> None:
        self._file.close()


def open_weights(folder: str) -> Union[SafetensorsFile, PackedFile]:
    """The weights of a model's folder: weights.sfpk where there is one."""
    packed = os.path.join(folder, "weights.sfpk")
    return PackedFile(packed) if os.path.exists(packed) else \
        SafetensorsFile(os.path.join(folder, "weights.safetensors"))


def write_weights(path: str, tensors: Mapping[str, Tuple[str, List[int]]],
                  make: Callable[[str], np.ndarray],
                  progress: Callable[[str, float], None] = lambda name, done: None
                  ) -> None:
    """Writes a safetensors file of `tensors` (name to type and shape), of which `make`
    gives each one, in their order: one is in memory at a time."""
    header: Dict[str, Any] = {}
    sizes = {"f16": 2, "bf16": 2, "f32": 4}
    # What is wider comes first, so that all are aligned to their elements.
    order = sorted(tensors, key=lambda name: -sizes[tensors[name][0]])
    offset = 0
    for name in order:
        dtype, shape = tensors[name]
        end = offset + sizes[dtype] * int(np.prod(shape, dtype=np.int64))
        header[name] = {"dtype": _NAMES[dtype], "shape": list(shape),
                        "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    # A header that ends at a multiple of 64 keeps the data aligned for vectors.
    text += b" " * (-(len(text) + 8) % 64)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in order:
            dtype, shape = tensors[name]
            array = make(name)
            if list(array.shape) != list(shape) or \
                    array.dtype != _TYPES[_NAMES[dtype]]:
                raise Error(f"tensor '{name}': expected {shape} of {dtype}, found "
                            f"{list(array.shape)} of {array.dtype}")
            np.ascontiguousarray(array).tofile(file)
            progress(name, header[name]["data_offsets"][1] / max(1, offset))
        file.flush()
        os.fsync(file.fileno())


def write_packed(path: str, tensors: Mapping[str, Tuple[str, List[int]]],
                 forms: Mapping[str, TernaryMatrix],
                 make: Callable[[str], Union[np.ndarray, TernaryMatrix]],
                 progress: Callable[[str, float], None] = lambda name, done: None
                 ) -> None:
    """Writes a .sfpk file of `tensors`, as write_weights does, of which those in `forms` are
    packed in these."""
    sizes = {name: int(np.prod(shape, dtype=np.int64)) for name, (_, shape)
             in tensors.items()}
    done, total = 0, max(1, sum(sizes.values()))
    with ContainerWriter(path, {name: forms.get(name, spec)
                                for name, spec in tensors.items()}) as writer:
        for name in tensors:
            writer.write(make(name))
            done += sizes[name]
            progress(name, done / total)
