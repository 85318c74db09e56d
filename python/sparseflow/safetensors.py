# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files that `sparseflow pack` reads."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from typing import Dict, Mapping, Optional, Sequence, Tuple

import numpy as np

from .arrays import Array, Path, host_array
from .errors import Error, checked

_NAMES = {"float16": "F16", "float32": "F32", "float64": "F64", "int8": "I8",
          "uint8": "U8", "int16": "I16", "uint16": "U16", "int32": "I32",
          "uint32": "U32", "int64": "I64", "uint64": "U64", "bool": "BOOL"}


@checked
def save_safetensors(path: Path, tensors: Mapping[str, Array],
                     metadata: Optional[Mapping[str, str]] = None,
                     bf16: Sequence[str] = ()) -> None:
    """Writes `tensors` (name to array); those named in `bf16` hold bf16 bits (uint16);
    torch tensors of bf16 need not be named.

    The file appears whole or not at all.
    """
    missing = [name for name in bf16 if name not in tensors]
    if missing:
        raise Error(f"bf16 names '{missing[0]}', which is not among the tensors")
    # Name to array, and whether it holds bf16 bits.
    arrays: Dict[str, Tuple[np.ndarray, bool]] = {}
    for name, tensor in tensors.items():
        array, is_bf16 = host_array(tensor, f"tensor '{name}'")
        arrays[name] = array, is_bf16 or name in bf16
    header: Dict[str, object] = {}
    if metadata:
        header["__metadata__"] = {str(k): str(v) for k, v in metadata.items()}
    chunks, offset = [], 0
    # Falling element size, so that each tensor is aligned to its elements.
    for name, (array, is_bf16) in sorted(arrays.items(),
                                         key=lambda item: -item[1][0].itemsize):
        if array.dtype.name not in _NAMES:
            raise Error(f"tensor '{name}': {array.dtype} has no safetensors type")
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        spelling = "BF16" if is_bf16 else _NAMES[array.dtype.name]
        if is_bf16 and array.dtype != np.uint16:
            raise Error(f"tensor '{name}': bf16 is given as its bits, uint16, "
                        f"found {array.dtype}")
        header[name] = {"dtype": spelling, "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(data)]}
        chunks.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path = os.fspath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".",
                                         prefix="." + os.path.basename(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<Q", len(text)))
            file.write(text)
            for data in chunks:
                file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
