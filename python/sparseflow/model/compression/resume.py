# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What work on a model was done before it ended."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Dict, Optional

import numpy as np

from ...errors import Error
from ..model import Model


def digest_of(model: Model, windows: np.ndarray, settings: str) -> str:
    """Names all that a result depends on: weights, texts that calibrate, `settings`."""
    digest = hashlib.sha256(windows.tobytes() + repr(windows.shape).encode()
                            + settings.encode())
    for layer in range(model.geometry.layers):
        for array in model.layer_weights(layer).values():
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


class Losses:
    """What formats cost parts of layers, in a JSON file that grows with each; `path`
    None keeps them nowhere. A file of other work is an Error."""

    def __init__(self, path: Optional[str], digest: str) -> None:
        self.path = path
        self.content: Dict[str, object] = {
            "format": "sparseflow-losses", "version": 1, "sha256": digest}
        self.losses: Dict[str, float] = {}
        if path is not None and os.path.exists(path):
            self._read(path, digest)

    def _read(self, path: str, digest: str) -> None:
        try:
            with open(path, encoding="utf-8") as file:
                found = json.load(file)
            losses = {str(key): float(loss) for key, loss in found["losses"].items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise Error(f"{path}: expected losses that an earlier plan kept, found "
                        f"another file ({error}); name another one with --resume"
                        ) from None
        if found.get("sha256") != digest:
            raise Error(f"{path}: expected losses of this model, calibration and sample, "
                        "found those of other work; remove the file or name another one "
                        "with --resume")
        self.losses = losses

    def find(self, layer: int, part: str, form: str) -> Optional[float]:
        """What `form` costs the part, if that is known."""
        return self.losses.get(f"{layer} {part} {form}")

    def save(self, layer: int, part: str, form: str, loss: float) -> None:
        """Keeps a loss; the file is the old one or the new."""
        self.losses[f"{layer} {part} {form}"] = loss
        if self.path is None:
            return
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump({**self.content, "losses": self.losses}, file, indent=1)
        os.replace(self.path + ".new", self.path)
