# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a checkpoint to the folder of a model: program, weights by name, geometry."""

from __future__ import annotations

import dataclasses
import os
import re
from typing import Any, Callable, Dict, List, Optional, Set

import numpy as np

from ..arrays import Path, float32_to_bf16
from ..errors import Error, MissingTensor, checked
from ..ternary import TernaryMatrix
from .checkpoint import Checkpoint, open_checkpoint, read_json
from .description import write_program
from .families.family import Family, find_family
from .folder import new_folder
from .geometry import DISTANCES, Geometry
from .tokenizer import WHOLE_WORDS, vocabulary, write_tokenizer
from .weights import write_packed, write_weights


# The longest text with a table of rotary positions.
MOST_POSITIONS = 2 ** 24


def _check_tensors(family: Family, checkpoint: Checkpoint, geometry: Geometry) -> None:
    """Every tensor is there with its shape, and nothing is left over."""
    used: Set[str] = set()
    tables = geometry.rotary_tables()
    # One after the other: a config may claim any number of layers.
    for name, (_, shape) in geometry.each_tensor():
        if name in tables:
            continue
        try:
            found = family.shape(checkpoint, name)
        except MissingTensor as error:
            raise MissingTensor(f"{error} (for '{name}' of the family {family.name})"
                                ) from None
        if found != shape:
            raise Error(f"{checkpoint.path}: tensor "
                        f"'{family.source(checkpoint, name)}': expected the shape "
                        f"{shape} by the config, found {found}")
        used.update(family.used(checkpoint, name))
    # A head that is tied may be in the file a second time.
    if geometry.tied:
        used.add(family.source(checkpoint, "output.weight"))
    left = [name for name in checkpoint.names() if name not in used and
            not any(re.search(pattern, name) for pattern in family.ignored)]
    if left:
        raise Error(f"{checkpoint.path}: tensor '{left[0]}' "
                    + (f"and {len(left) - 1} more are" if len(left) > 1 else "is")
                    + f" no part of the family {family.name}: the model computes "
                    "something else; describe it with a Family of your own")


def _to_dtype(values: np.ndarray, dtype: str, name: str, path: str) -> np.ndarray:
    if dtype == "bf16":
        result = float32_to_bf16(values)
        # All ones where a float has its exponent.
        lost = (result & 0x7F80) == 0x7F80
    else:
        with np.errstate(over="ignore"):
            result = values.astype(np.float16 if dtype == "f16" else np.float32)
        lost = ~np.isfinite(result)
    if lost.any():
        place = tuple(int(i) for i in np.argwhere(lost)[0])
        remedy = "import with --dtype bf16, or mend the checkpoint" \
            if np.isfinite(values[place]) and dtype == "f16" else "mend the checkpoint"
        raise Error(f"{path}: tensor '{name}': {int(lost.sum())} values are not finite in "
                    f"{dtype}, the first at {list(place)} ({values[place]}); {remedy}")
    return result


def _special_tokens(checkpoint: Checkpoint, words: Dict[str, Any]
                    ) -> Dict[str, List[int]]:
    """The numbers of the tokens that begin and end a text, where `words` are the
    checkpoint's vocabulary()."""
    def numbers(members: Dict[str, Any], key: str) -> List[int]:
        value = members.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        for item in items:
            if not isinstance(item, int) or isinstance(item, bool):
                raise Error(f"{checkpoint.path}: config: '{key}': expected the number of a "
                            f"token, or several, found {value!r}")
        return items
    # Unless told, vocabularies of SentencePiece and of Llama 3 begin a text, and others do
    # not; a tokenizer.json begins one by itself where its model wants that.
    begins = words.get("tokenizer.ggml.add_bos_token",
                       words.get("tokenizer.ggml.model") == "llama" or
                       words.get("tokenizer.ggml.pre") in WHOLE_WORDS)
    begin = numbers(words, "tokenizer.ggml.bos_token_id") if begins else []
    if checkpoint.gguf:
        # Of a text, of a turn, and of a message.
        ends = [number for end in ("eos", "eot", "eom")
                for number in numbers(words, f"tokenizer.ggml.{end}_token_id")]
        return {"begin": begin, "end": list(dict.fromkeys(ends))}
    config = checkpoint.config
    generation = os.path.join(checkpoint.path, "generation_config.json")
    if os.path.exists(generation):
        config = {**config, **read_json(generation)}
    return {"begin": begin, "end": numbers(config, "eos_token_id")}


@checked
def import_model(source: Path, output: Path, dtype: str = "f16",
                 positions: Optional[int] = None, quantized: bool = False,
                 progress: Callable[[str, float], None] = lambda name, done: None
                 ) -> Geometry:
    """Writes the folder `output` of the model in `source`: a Hugging Face folder
    (config.json, safetensors, tokenizer.json) or a GGUF file.

    The folder holds program.mlir, weights.safetensors, model.json and, where the
    checkpoint has one that is understood, tokenizer.json; it appears whole or not at
    all. Matrices of layers that the checkpoint has in trits stay so, in weights.sfpk, and,
    if `quantized`, those that it has in Q4_0 and Q8_0, which are dense otherwise. `dtype`: of matrices and activations, f16 or bf16. `positions`: the longest
    text, instead of the checkpoint's own.
    """
    source, output = os.fspath(source), os.fspath(output)
    if dtype not in ("f16", "bf16"):
        raise Error(f"expected dtype f16 or bf16, found {dtype}")
    checkpoint = open_checkpoint(source)
    family = find_family(checkpoint)
    geometry = dataclasses.replace(_geometry(family, checkpoint), dtype=dtype)
    if positions is not None:
        if not 0 < positions <= geometry.positions:
            raise Error(f"expected 1 to {geometry.positions} positions, which the "
                        f"model was made for, found {positions}")
        geometry = dataclasses.replace(geometry, positions=positions)
    if geometry.rotary and geometry.positions > MOST_POSITIONS:
        raise Error(f"{source}: expected at most {MOST_POSITIONS} positions, found "
                    f"{geometry.positions}; give --positions")
    _check_tensors(family, checkpoint, _as_stored(family, checkpoint, geometry))
    tables = _angles(family, checkpoint, geometry)

    specs = geometry.tensors()
    forms = _integer_forms(family, checkpoint, geometry, quantized)

    def make(name: str) -> Any:
        if name in tables:
            return tables[name]
        kind, shape = specs[name]
        if name in forms:
            form = forms[name]
            numbers, scales = family.integers(checkpoint, name)
            return TernaryMatrix.pack(numbers, scales[:1] if form.scale == "row" else scales,
                                      kind, form.layout, form.scale, form.scale_dtype, name)
        values = family.read(checkpoint, name)
        if name == "position_embd.weight":
            values = values[:shape[0]]
        if name == DISTANCES:
            values = values[..., :shape[-1]]
        return _to_dtype(values, kind, name, checkpoint.path)

    with new_folder(output) as folder:
        if forms:
            write_packed(os.path.join(folder, "weights.sfpk"), specs, forms, make, progress)
        else:
            write_weights(os.path.join(folder, "weights.safetensors"), specs, make,
                          progress)
        words = vocabulary(checkpoint)
        tokens = _special_tokens(checkpoint, words)
        for token in tokens["begin"]:
            if not 0 <= token < geometry.vocabulary:
                raise Error(f"{source}: 'bos_token_id': expected 0 to "
                            f"{geometry.vocabulary - 1}, found {token}")
        write_tokenizer(checkpoint, words, os.path.join(folder, "tokenizer.json"))
        write_program(folder, geometry, tokens)
    return geometry


def _integer_forms(family: Family, checkpoint: Checkpoint, geometry: Geometry,
                   quantized: bool) -> Dict[str, TernaryMatrix]:
    """The matrices of layers that stay integers, without their blobs: trits in any case."""
    found = {}
    for layer in range(geometry.layers):
        for part, shape in geometry.matrices().items():
            name = f"blk.{layer}.{part}"
            form = family.integer_form(checkpoint, name)
            if form and (quantized or form.layout == "tern.v1"):
                found[name] = form.matrix(tuple(shape), geometry.dtype)
    return found


def _geometry(family: Family, checkpoint: Checkpoint) -> Geometry:
    """What the checkpoint describes; errors name it."""
    try:
        return family.geometry(checkpoint)
    except Error as error:
        if str(error).startswith("geometry: "):
            raise Error(f"{checkpoint.path}: {error}") from None
        raise


def _as_stored(family: Family, checkpoint: Checkpoint, geometry: Geometry) -> Geometry:
    """With the positions of the checkpoint, whose embeddings are all there."""
    return dataclasses.replace(
        geometry, positions=_geometry(family, checkpoint).positions)


def _angles(family: Family, checkpoint: Checkpoint, geometry: Geometry
            ) -> Dict[str, np.ndarray]:
    """The tables of rotary positions."""
    if not geometry.rotary:
        return {}
    found = family.rotary(checkpoint, geometry)
    cos, sin = (np.empty([geometry.positions, len(found.frequencies)], np.float32)
                for _ in range(2))
    # In parts: tables of float64 would take as much again several times.
    for begin in range(0, geometry.positions, 4096):
        part = slice(begin, min(begin + 4096, geometry.positions))
        angles = np.outer(np.arange(part.start, part.stop, dtype=np.float64), found.frequencies)
        cos[part], sin[part] = found.factor * np.cos(angles), found.factor * np.sin(angles)
    return {"rope.cos": cos, "rope.sin": sin}
