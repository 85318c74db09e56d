# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of models: what checkpoints call things, one small class a family.

    class Mine(sparseflow.model.Family):
        name = "mine"
        architectures = ("MineForCausalLM",)       # of config.json
        tensors = {...}                            # our names to the checkpoint's
        def geometry(self, checkpoint): ...

    sparseflow.model.register(Mine)
"""

from __future__ import annotations

import math
import re
from typing import Any, Dict, List, Optional, Tuple, Type

import numpy as np

from ...errors import Error
from ..checkpoint import Checkpoint
from ..geometry import Geometry
from ..integers import IntegerForm, Integers
from .rotary import Rotary

_NONE = object()
# What configs call the program's activations.
ACTIVATIONS = {"silu": "silu", "swish": "silu", "gelu": "gelu", "relu": "relu",
               "gelu_pytorch_tanh": "gelu_tanh", "gelu_new": "gelu_tanh",
               "relu2": "relu2"}
# Sizes are below this.
_MOST = 2 ** 31


class Family:
    """How a family's checkpoints become a Geometry and its tensors.

    `architectures`: of config.json; `gguf`: values of general.architecture.
    `tensors`: names of a Hugging Face checkpoint by ours without `.weight` or
    `.bias`, with `{}` for a layer's number. `ignored`: patterns of tensors that hold
    nothing the program needs.
    """
    name = ""
    architectures: Tuple[str, ...] = ()
    gguf: Tuple[str, ...] = ()
    tensors: Dict[str, str] = {}
    ignored: Tuple[str, ...] = ()

    def geometry(self, checkpoint: Checkpoint) -> Geometry:
        """The geometry that the checkpoint describes."""
        raise NotImplementedError

    def source(self, checkpoint: Checkpoint, name: str) -> str:
        """What the checkpoint calls our tensor `name`, "blk.3.attn_q.weight"."""
        if checkpoint.gguf:
            return name
        match = re.match(r"blk\.(\d+)\.(.*)\.(\w+)$", name)
        layer, stem, end = match.groups() if match else ("", *name.rsplit(".", 1))
        pattern = self.tensors.get(("blk." if match else "") + stem, "")
        return f"{pattern.format(layer)}.{end}" if pattern else ""

    def read(self, checkpoint: Checkpoint, name: str) -> np.ndarray:
        """The values of our tensor `name`."""
        return checkpoint.read(self.source(checkpoint, name))

    def shape(self, checkpoint: Checkpoint, name: str) -> List[int]:
        """The sizes of our tensor `name`; an error where it is missing."""
        return checkpoint.shape(self.source(checkpoint, name))

    def has(self, checkpoint: Checkpoint, name: str) -> bool:
        """Whether the checkpoint has our tensor `name`."""
        return self.source(checkpoint, name) in checkpoint.names()

    def used(self, checkpoint: Checkpoint, name: str) -> List[str]:
        """The checkpoint's tensors that our tensor `name` is made of."""
        return checkpoint.parts(self.source(checkpoint, name))

    def integer_form(self, checkpoint: Checkpoint, name: str) -> Optional[IntegerForm]:
        """How the checkpoint stores our matrix `name`, if in integers; else None."""
        return checkpoint.integer_form(self.source(checkpoint, name))

    def integers(self, checkpoint: Checkpoint, name: str) -> Integers:
        """Our matrix `name`, which has an integer_form."""
        return checkpoint.integers(self.source(checkpoint, name))

    def rotary(self, checkpoint: Checkpoint, geometry: Geometry) -> Rotary:
        """The angles of rotary positions."""
        raise NotImplementedError

    # --- helpers of geometry()

    def value(self, checkpoint: Checkpoint, key: str, default: Any = _NONE,
              kind: Any = int, zero: bool = False) -> Any:
        """A member of the checkpoint's config, as `kind`: above 0, or with `zero` 0 too."""
        if checkpoint.gguf:
            key = f"{checkpoint.config['general.architecture']}.{key}"
        value = checkpoint.config.get(key)
        if value is None:
            if default is _NONE:
                raise Error(f"{checkpoint.path}: the config has no '{key}', which the "
                            f"family {self.name} needs")
            return default
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        # Neither NaN nor an infinity is below a largest number.
        if not number or not 0 <= value < (_MOST if kind is int else math.inf) or \
                (value == 0 and not zero) or (kind is int and int(value) != value):
            raise Error(f"{checkpoint.path}: config: '{key}': expected a number for the whole "
                        f"model, {'whole and ' if kind is int else ''}"
                        f"{'from 0 on' if zero else 'above 0'}, found {value!r}")
        return kind(value)

    def flag(self, checkpoint: Checkpoint, key: str, default: bool) -> bool:
        """A member of config.json that is true or false."""
        value = checkpoint.config.get(key)
        if value is not None and not isinstance(value, bool):
            raise Error(f"{checkpoint.path}: config: '{key}': expected true or false, found "
                        f"{value!r}")
        return default if value is None else value

    def activation(self, checkpoint: Checkpoint, key: str, default: str) -> str:
        """The activation that a member of config.json names."""
        value = checkpoint.config.get(key)
        found = ACTIVATIONS.get(str(default if value is None else value))
        if found is None:
            raise Error(f"{checkpoint.path}: config: '{key}': expected one of "
                        f"{', '.join(ACTIVATIONS)}, found {value!r}")
        return found

    def refuse(self, checkpoint: Checkpoint, key: str, allowed: Tuple[Any, ...]
               ) -> None:
        """An error where the config says something of `key` that is not done."""
        full = f"{checkpoint.config['general.architecture']}.{key}" \
            if checkpoint.gguf else key
        value = checkpoint.config.get(full)
        if value is not None and value not in allowed:
            expected = " or ".join(repr(item) for item in allowed) or "none"
            raise Error(f"{checkpoint.path}: config: '{full}': expected {expected}, "
                        f"found {value!r}, which the family {self.name} does not have")

    def refuse_quantized(self, checkpoint: Checkpoint) -> None:
        """An error where the config says that weights are quantized, other than BitNet's."""
        given = checkpoint.config.get("quantization_config") or {}
        method = given.get("quant_method") if isinstance(given, dict) else given
        if given and method != "bitnet":
            raise Error(f"{checkpoint.path}: config: 'quantization_config': expected none, or "
                        f"one whose quant_method is 'bitnet', found {method!r}; take the "
                        "checkpoint that was quantized")

    def optional(self, checkpoint: Checkpoint, geometry: Geometry) -> Tuple[str, ...]:
        """The optional tensors that layer 0 has; all layers then have to."""
        return tuple(name for name in geometry.layer_optional()
                     if self.has(checkpoint, f"blk.0.{name}"))


_families: List[Type[Family]] = []


def register(family: Type[Family]) -> Type[Family]:
    """Makes a family known to import_model; the last one wins. A decorator too."""
    _families.append(family)
    return family


def architectures_of(checkpoint: Checkpoint) -> List[Any]:
    """What a checkpoint calls its architecture."""
    if checkpoint.gguf:
        return [checkpoint.config.get("general.architecture")]
    named = checkpoint.config.get("architectures") or checkpoint.config.get("model_type")
    return named if isinstance(named, list) else [named]


def find_family(checkpoint: Checkpoint) -> Family:
    """The family of a checkpoint, by what it calls its architecture."""
    found = architectures_of(checkpoint)
    for family in reversed(_families):
        known = family.gguf if checkpoint.gguf else family.architectures
        if any(name in known for name in found):
            return family()
    known = sorted({name for family in _families for name in
                    (family.gguf if checkpoint.gguf else family.architectures)})
    raise Error(f"{checkpoint.path}: expected an architecture of {', '.join(known)}, "
                f"found {', '.join(map(str, found))}; describe it with a Family of your "
                "own (sparseflow.model.register)")
