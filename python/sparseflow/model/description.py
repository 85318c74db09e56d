# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""model.json of a model's folder."""

from __future__ import annotations

import json
import os
from typing import Dict, List, Mapping, Tuple

from ..errors import Error
from .checkpoint import read_json
from .geometry import Geometry

FORMAT, VERSION = "sparseflow-model", 1


def read_geometry(folder: str) -> Tuple[Geometry, Dict[str, List[int]]]:
    """What model.json of a folder says: the geometry, and special tokens."""
    path = os.path.join(folder, "model.json")
    content = read_json(path)
    if (content.get("format"), content.get("version")) != (FORMAT, VERSION):
        raise Error(f"{path}: expected format {FORMAT}, version {VERSION}, found "
                    f"{content.get('format')}, {content.get('version')}")
    return Geometry.from_json(content["geometry"]), content["tokens"]


def write_geometry(folder: str, geometry: Geometry, tokens: Mapping[str, List[int]]
                   ) -> None:
    """Writes model.json of a folder."""
    with open(os.path.join(folder, "model.json"), "w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "version": VERSION,
                   "geometry": geometry.to_json(), "tokens": dict(tokens)}, file,
                  indent=1)
        file.write("\n")
