# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a model is imported from: a Hugging Face folder or a GGUF file."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Dict, Iterable, List, Optional

import numpy as np

from ..errors import Error, MissingTensor
from .gguf import GgufParts
from .hadamard import FoldedRotation
from .integers import (BitnetQuantization, IntegerForm, Integers, bitnet_quantization,
                       round_by_absmean, unpack_bitnet)
from .weights import SafetensorsFile

# Behind a packed matrix's name in BitNet checkpoints.
_SCALE = "_scale"


def read_json(path: str, expected: str = "", kind: type = dict) -> Any:
    """An object in a file of JSON, or a list as `kind` says. `expected`: for the error where
    there is no file, what should have it."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        raise Error(f"{path}: there is no such file"
                    + (f"; expected {expected}" if expected else "")) from None
    # Lists in lists without end are no file that means something, too.
    except (OSError, ValueError, RecursionError) as error:
        raise Error(f"{path}: expected a file of JSON: {error}") from None
    if not isinstance(content, kind):
        raise Error(f"{path}: expected a JSON {'object' if kind is dict else 'array'}, found "
                    f"a {type(content).__name__}")
    return content


class Checkpoint:
    """Tensors by their names in the files, and what the files say about them.

    `path`; `gguf`: whether `config` is a GGUF file's metadata or config.json.
    """
    gguf = False
    path = ""
    config: Dict[str, Any] = {}

    def names(self) -> Iterable[str]:
        """Every tensor's name."""
        raise NotImplementedError

    def shape(self, name: str) -> List[int]:
        """The sizes of a tensor; MissingTensor where there is none."""
        raise NotImplementedError

    def read(self, name: str) -> np.ndarray:
        """The values of a tensor, float16 or float32."""
        raise NotImplementedError

    def parts(self, name: str) -> List[str]:
        """The names of all that `name` is stored in: a scale apart is a tensor too."""
        return [name]

    def integer_form(self, name: str) -> Optional[IntegerForm]:
        """How the matrix `name` is stored, if it is one of integers; else None."""
        return None

    def integers(self, name: str) -> Integers:
        """A matrix that has an integer_form."""
        raise NotImplementedError


class GgufCheckpoint(Checkpoint):
    """A GGUF file, or several that one was split into."""
    gguf = True

    def __init__(self, path: str) -> None:
        self.path, self._files = path, GgufParts(path)
        self.config = self._files.metadata
        self._rotation: Optional[FoldedRotation] = None
        if any(key.startswith("prism.hadamard") for key in self.config):
            self._rotation = FoldedRotation(path, self.config)
            for name in sorted(self._rotation.names - set(self._files.names())):
                raise MissingTensor(f"{path}: there is no tensor '{name}', which the file "
                                    "says is rotated")

    def names(self) -> Iterable[str]:
        return self._files.names()

    def shape(self, name: str) -> List[int]:
        return self._files.of(name).shape(name)

    def read(self, name: str) -> np.ndarray:
        values = self._files.of(name).read(name)
        factor = self._factor(name)
        if factor is not None:
            values = values * factor
        return self._rotation.undo(name, values) if self._rotation else values

    def parts(self, name: str) -> List[str]:
        """A file may scale a matrix by one number more."""
        scale = re.sub(r"\.weight$", ".scale", name)
        return [name, scale] if scale != name and scale in self._files.names() else [name]

    def integer_form(self, name: str) -> Optional[IntegerForm]:
        # Weights that a rotation is undone of are integers no more.
        if self._rotation and name in self._rotation.names:
            return None
        form = self._files.of(name).integer_form(name)
        return form._replace(dtype="f32") if form and self.parts(name)[1:] else form

    def integers(self, name: str) -> Integers:
        numbers, scales = self._files.of(name).integers(name)
        factor = self._factor(name)
        return Integers(numbers, scales if factor is None else scales * factor)

    def _factor(self, name: str) -> Optional[np.float32]:
        """What the file scales the matrix `name` by as a whole, or None."""
        parts = self.parts(name)
        if len(parts) == 1:
            return None
        scale = self._files.of(parts[1]).read(parts[1])
        if scale.size != 1 or not np.isfinite(scale).all():
            raise Error(f"{self.path}: tensor '{parts[1]}': expected one finite scale, found "
                        f"{list(scale.shape)}")
        return np.float32(scale.reshape(())[()])


class HuggingFaceFolder(Checkpoint):
    """config.json and one or several safetensors files."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.config = read_json(
            os.path.join(path, "config.json"),
            "a checkpoint's folder, as Hugging Face has them, or a GGUF file")
        single = os.path.join(path, "model.safetensors")
        index = os.path.join(path, "model.safetensors.index.json")
        self._files: Dict[str, SafetensorsFile] = {}
        # As transformers does: an index beside one file is of shards that are gone.
        if os.path.exists(index) and not os.path.exists(single):
            places = read_json(index).get("weight_map", {})
            opened: Dict[str, SafetensorsFile] = {}
            if not isinstance(places, dict):
                raise Error(f"{index}: 'weight_map': expected an object, found a "
                            f"{type(places).__name__}")
            for name, part in places.items():
                if not isinstance(part, str) or os.path.basename(part) != part:
                    raise Error(f"{index}: expected plain file names, found '{part}'")
                if part not in opened:
                    opened[part] = SafetensorsFile(os.path.join(path, part))
                if name not in opened[part].tensors:
                    raise MissingTensor(f"{index}: says that '{part}' has the tensor "
                                        f"'{name}', which is not there")
                self._files[name] = opened[part]
        else:
            if not os.path.exists(single):
                raise Error(f"{path}: expected model.safetensors or "
                            "model.safetensors.index.json beside config.json; other "
                            "formats (.bin) have to be saved as safetensors first")
            file = SafetensorsFile(single)
            self._files = {name: file for name in file.tensors}
        self._bitnet: Optional[BitnetQuantization] = bitnet_quantization(path, self.config)

    def names(self) -> Iterable[str]:
        return self._files

    def shape(self, name: str) -> List[int]:
        shape = self._find(name).shape(name)
        if self._is_packed(name):
            shape[0] *= 4
        return shape

    def read(self, name: str) -> np.ndarray:
        return self.integers(name).values() if self._is_packed(name) else \
            self._find(name).read(name)

    def parts(self, name: str) -> List[str]:
        """Packed trits have their scale beside them."""
        return [name, name + _SCALE] if self._is_packed(name) else [name]

    def integer_form(self, name: str) -> Optional[IntegerForm]:
        # A scale of the whole matrix is one for each row, too, and matrices with such ones
        # can be merged.
        rounded = self._bitnet is not None and self._bitnet.rounds(name)
        return IntegerForm("row", "f32") if rounded or self._is_packed(name) else None

    def integers(self, name: str) -> Integers:
        if not self._is_packed(name):
            return round_by_absmean(self._find(name).read(name))
        where = f"{self.path}: tensor '{name}'"
        trits = unpack_bitnet(self._find(name).codes(name), where)
        assert self._bitnet is not None
        scale = self._bitnet.scale(self._find(name + _SCALE).read(name + _SCALE),
                                   where + _SCALE)
        return Integers(trits, np.full((1, len(trits)), scale, np.float32))

    def _is_packed(self, name: str) -> bool:
        return self._bitnet is not None and self._find(name).type(name) == "U8"

    def _find(self, name: str) -> SafetensorsFile:
        if name not in self._files:
            raise MissingTensor(f"{self.path}: there is no tensor '{name}'")
        return self._files[name]


def open_checkpoint(path: str) -> Checkpoint:
    """A folder with config.json, or a GGUF file."""
    if os.path.isdir(path):
        return HuggingFaceFolder(path)
    if not os.path.exists(path):
        raise Error(f"{path}: there is no such file or folder")
    return GgufCheckpoint(path)
