# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""model.json of a model's folder, and the program that follows from it."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import Dict, List, Mapping, Tuple

from ..errors import Error
from .checkpoint import read_json
from .geometry import Geometry
from .program import build_program

FORMAT, VERSION = "sparseflow-model", 1


def read_geometry(folder: str) -> Tuple[Geometry, Dict[str, List[int]]]:
    """What model.json of a folder says: the geometry, and special tokens."""
    path = os.path.join(folder, "model.json")
    content = read_json(path, "a model's folder, as `sparseflow model import` writes it")
    if (content.get("format"), content.get("version")) != (FORMAT, VERSION):
        raise Error(f"{path}: expected format {FORMAT}, version {VERSION}, found "
                    f"{content.get('format')}, {content.get('version')}")
    for name in ("geometry", "tokens"):
        if not isinstance(content.get(name), dict):
            raise Error(f"{path}: expected '{name}', an object, found "
                        f"{json.dumps(content.get(name))}")
    for name in ("begin", "end"):
        numbers = content["tokens"].get(name)
        if not isinstance(numbers, list) or not all(isinstance(n, int) for n in numbers):
            raise Error(f"{path}: tokens: '{name}': expected a list of numbers, found "
                        f"{json.dumps(numbers)}")
    try:
        return Geometry.from_json(content["geometry"]), content["tokens"]
    except Error as error:
        raise Error(f"{path}: {error}") from None


def _replace(path: str, text: str) -> None:
    """Writes a file whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def write_geometry(folder: str, geometry: Geometry, tokens: Mapping[str, List[int]]
                   ) -> None:
    """Writes model.json of a folder."""
    content = {"format": FORMAT, "version": VERSION, "geometry": geometry.to_json(),
               "tokens": dict(tokens)}
    _replace(os.path.join(folder, "model.json"), json.dumps(content, indent=1) + "\n")


def write_program(folder: str, geometry: Geometry, tokens: Mapping[str, List[int]]
                  ) -> None:
    """Writes program.mlir and model.json of a folder."""
    _replace(os.path.join(folder, "program.mlir"), build_program(geometry))
    write_geometry(folder, geometry, tokens)


def set_cache(folder: str, cache: str) -> None:
    """Makes what a model keeps keys and values as another one, in its folder."""
    geometry, tokens = read_geometry(folder)
    changed = dataclasses.replace(geometry, cache=cache)
    if changed == geometry:
        return
    try:
        write_program(folder, changed, tokens)
    except OSError as error:
        raise Error(f"{folder}: cannot be written: {error}") from None
