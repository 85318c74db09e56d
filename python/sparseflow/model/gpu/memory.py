# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model needs: weights, keys and values, and the workspace of its kernels."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional

from ...bundle import Bundle, symbol_values
from ...errors import Error
from ...packing import PackedMatrix
from ...tensorrt import evaluate
from ...ternary import TernaryMatrix
from ..cache import room_for, token_bytes
from ..description import read_geometry
from ..geometry import Geometry
from ..weights import open_weights

_SIZES = {"f16": 2, "bf16": 2, "f32": 4, "i32": 4, "i64": 8}


def weight_bytes(folder: str) -> Dict[str, int]:
    """Bytes of the weights in a folder, as they are stored: matrices of layers, the
    embedding and head, and all vectors and tables."""
    geometry, _ = read_geometry(folder)
    weights = open_weights(folder)
    result = {"matrices": 0, "embedding and head": 0, "vectors and tables": 0}
    for name, (_, shape) in geometry.tensors().items():
        stored = weights.stored(name)
        if isinstance(stored, (PackedMatrix, TernaryMatrix)):
            stored = stored.blob
        kind = "vectors and tables" if len(shape) != 2 or name.startswith("rope.") else \
            "matrices" if name.startswith("blk.") else "embedding and head"
        result[kind] += int(stored.nbytes)
    return result


def cache_bytes(geometry: Geometry, batch: int, keys: int) -> int:
    """Bytes of the keys and values of `batch` texts, the longest of `keys` tokens."""
    return geometry.layers * batch * room_for(geometry, keys) * token_bytes(geometry)


def _shape(spec: Mapping[str, Any], batch: int, tokens: int, keys: int) -> List[int]:
    """The sizes of an argument in a call: those that are not known are, in this order, the
    texts, and the tokens or keys."""
    rest = [keys if spec["name"] in ("keys", "values") else tokens]
    sizes: List[int] = []
    for place, size in enumerate(spec["shape"]):
        sizes.append(size if isinstance(size, int) else batch if place == 0 else rest[0])
    return sizes


def workspace_bytes(folder: str, target: str, batch: int, tokens: int, keys: int) -> int:
    """Bytes of the workspace of a call with `tokens` new tokens of each of `batch` texts
    that have room for `keys`: the most that one of the bundle's functions needs."""
    bundle, most = Bundle(os.path.join(folder, "program.bundle")), 0
    known = sorted({program["target"] for function in bundle.functions.values()
                    for program in function["programs"]})
    if target not in known:
        raise Error(f"{bundle.directory}: expected a target of {', '.join(known)}, found "
                    f"{target}")
    # Halves of a layer are called where it has no function of its own.
    halves = ("project", "block", "append") if "layer" in bundle.functions else ()
    for function in bundle.functions.values():
        if function["name"] in halves:
            continue
        # Of the last token of each text.
        of_last = function["name"] in ("head", "next")
        sizes = symbol_values(function, [
            _shape(spec, batch, 1 if of_last else tokens, keys)
            for spec in function["arguments"]])
        most = max([most, *(int(evaluate(program.get("workspace", 0), sizes, None))
                            for program in function["programs"]
                            if program["target"] == target)])
    return most


def _megabytes(size: int) -> str:
    return f"{size / 2**20:10.2f} MiB"


def memory_table(folder: str, batch: int, keys: int, tokens: int, target: Optional[str]) -> str:
    """What a model needs, as lines: for `batch` texts of `keys` tokens, prompts of which are
    read `tokens` at a time."""
    geometry, _ = read_geometry(folder)
    weights = weight_bytes(folder)
    lines = [f"{_megabytes(size)}  {name}" for name, size in weights.items()]
    total = sum(weights.values())
    if not geometry.encoder:
        size = cache_bytes(geometry, batch, keys)
        total += size
        lines.append(f"{_megabytes(size)}  keys and values ({geometry.cache}) of {batch} "
                     f"text{'s' if batch > 1 else ''}, room for {room_for(geometry, keys)} tokens each")
        if target:
            room = room_for(geometry, keys)
            step, prompt = (workspace_bytes(folder, target, batch, count, room)
                            for count in (1, tokens))
            total += max(step, prompt)
            lines += [f"{_megabytes(step)}  workspace of a step on {target}",
                      f"{_megabytes(prompt)}  workspace of {tokens} tokens of each prompt; the "
                      "larger one counts"]
    return "\n".join([*lines, f"{_megabytes(total)}  in all"])
