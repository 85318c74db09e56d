"""Reads and writes safetensors files with numpy alone.

The format: an 8-byte little-endian length, a JSON header of that length that
gives every tensor's dtype, shape and byte range, then the raw bytes.
"""

import json
import struct

import numpy as np

_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4"}


def load(path):
    """Returns {name: array}; the arrays are views of a read-only map."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        if entry["dtype"] not in _DTYPES:
            raise ValueError(f"{path}: tensor '{name}' is {entry['dtype']}; "
                             f"expected one of {', '.join(_DTYPES)}")
        begin, end = entry["data_offsets"]
        array = data[begin:end].view(_DTYPES[entry["dtype"]])
        tensors[name] = array.reshape(entry["shape"])
    return tensors


def save(path, tensors):
    """Writes {name: array}, in the order given."""
    names = {np.dtype(code): name for name, code in _DTYPES.items()}
    header, offset = {}, 0
    for name, array in tensors.items():
        size = array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).tobytes())
