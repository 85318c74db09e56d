# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a GGUF file again with its matrices in F16 and its vectors in F32.

Values are those that `sparseflow model import` has: dequantized, then rounded once.
"""

import struct

import numpy as np

from sparseflow.model.gguf import GgufFile

_ALIGNMENT = 32


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _pair(key: str, kind: int, payload: bytes) -> bytes:
    return _text(key) + struct.pack("<I", kind) + payload


def _metadata(key, value) -> bytes:
    """Numbers have the types that llama.cpp reads; texts and lists of them as well."""
    if isinstance(value, bool):
        return _pair(key, 7, struct.pack("<?", value))
    if isinstance(value, int):
        return _pair(key, 4, struct.pack("<I", value))
    if isinstance(value, float):
        return _pair(key, 6, struct.pack("<f", value))
    if isinstance(value, str):
        return _pair(key, 8, _text(value))
    kind, form = (8, None) if isinstance(value[0], str) else \
        (6, "<f") if isinstance(value[0], float) else (5, "<i")
    items = b"".join(_text(item) if kind == 8 else struct.pack(form, item)
                     for item in value)
    return _pair(key, 9, struct.pack("<IQ", kind, len(value)) + items)


def write_f16(source: str, output: str) -> None:
    """`source` with matrices in F16 at `output`."""
    file = GgufFile(source)
    # The file's type by llama.cpp's number: mostly F16.
    pairs = {**file.metadata, "general.file_type": 1}
    pairs.pop("general.alignment", None)
    infos, offset = [], 0
    for name in file.tensors:
        shape = file.shape(name)
        kind = 1 if len(shape) == 2 else 0
        infos.append((name, shape, kind, offset))
        size = int(np.prod(shape)) * (2 if kind else 4)
        offset += -(-size // _ALIGNMENT) * _ALIGNMENT
    with open(output, "wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(pairs)))
        for key, value in pairs.items():
            out.write(_metadata(key, value))
        for name, shape, kind, begin in infos:
            out.write(_text(name) + struct.pack("<I", len(shape)))
            for size in reversed(shape):
                out.write(struct.pack("<Q", size))
            out.write(struct.pack("<IQ", kind, begin))
        out.write(b"\0" * (-out.tell() % _ALIGNMENT))
        for name, _, kind, _ in infos:
            data = file.read(name).astype(np.float16 if kind else np.float32).tobytes()
            out.write(data + b"\0" * (-len(data) % _ALIGNMENT))
