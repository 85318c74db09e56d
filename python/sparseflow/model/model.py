# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model's folder, loaded for a device, and texts that are being continued."""

from __future__ import annotations

import os
from typing import (Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence,
                    Tuple, cast)

import numpy as np

from ..arrays import Path, is_whole
from ..cli import run
from ..cpu import CpuProgram
from ..errors import Error, checked_methods
from .cache import Cache
from .cpu_step import CpuStep
from .description import read_geometry
from .geometry import DISTANCES, Geometry
from .gpu import GpuProgram
from .packed import entries_of_layers, formats_of, merge_layers
from .program import without_layers
from .sampling import Sampler, checked
from .gpu.step import DecodeStep
from .tokenizer import Tokenizer
from .weights import open_weights

# Calls an entry of the program with arrays by name.
Call = Callable[[str, Mapping[str, Any]], Any]


def _on_cpu(path: str, threads: int) -> Call:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError) as error:
        raise Error(f"{path}: cannot be read: {error}") from None
    return CpuProgram(without_layers(text), path, threads=threads)


def _on_simulator(path: str, threads: int) -> Call:
    """The GPU's kernels, thread by thread: for short texts of small models."""
    del threads

    def call(entry: str, arguments: Mapping[str, Any]) -> Any:
        return run(path, arguments, entry=entry, device="sim")
    return call


def _on_gpu(path: str, threads: int) -> Call:
    del threads
    return GpuProgram(os.path.dirname(path))


_DEVICES = {"cpu": _on_cpu, "sim": _on_simulator, "cuda": _on_gpu}


def check_decoder(folder: str, geometry: Geometry) -> None:
    """An error where a model does not continue texts."""
    if geometry.encoder:
        raise Error(f"{folder}: is an encoder, which embeds texts and does not continue them; "
                    "call embed")


def check_prompt(geometry: Geometry, tokens: Sequence[int], count: int) -> None:
    """An error where `count` tokens cannot come behind `tokens`."""
    limit = geometry.positions
    if not len(tokens):
        raise Error("expected a prompt of at least one token, found none")
    if len(tokens) + count > limit:
        raise Error(f"expected at most {limit} tokens, the model's positions, found "
                    f"{len(tokens)} and {count} new ones; ask for fewer")
    check_tokens(geometry, tokens)


def check_tokens(geometry: Geometry, tokens: Any) -> np.ndarray:
    """Tokens of any shape, int32; an error where the vocabulary does not have them."""
    # Before they are 32 bits wide, in which 2^32 is 0.
    ids, size = np.asarray(tokens), geometry.vocabulary
    if ids.size and ids.dtype.kind not in "iu":
        raise Error(f"expected tokens of 0 to {size - 1}, found {ids.dtype.name}")
    if ids.size and (ids.min() < 0 or ids.max() >= size):
        raise Error(f"expected tokens of 0 to {size - 1}, found {ids.min()} to {ids.max()}")
    return ids.astype(np.int32, copy=False)


@checked_methods
class Model:
    """A model in the folder that import_model wrote, on the device `cpu`, `sim`
    or `cuda`.

    Weights are mapped, not copied; on `cuda` each is copied once, when it is first
    used, and what is packed stays so. `weights`: where they come from instead of the
    folder's file. Nothing of the model is computed in Python: it calls the program's functions
    in order.
    """

    def __init__(self, folder: Path, device: str = "cpu", threads: int = 0,
                 weights: Any = None) -> None:
        self.folder = os.fspath(folder)
        self.geometry, self.tokens = read_geometry(self.folder)
        if device not in _DEVICES:
            raise Error(f"expected a device of {', '.join(_DEVICES)}, found {device}")
        self._device = device
        weights = weights or open_weights(self.folder)
        self._shared: Dict[str, np.ndarray] = {}
        self._layers: List[Dict[str, np.ndarray]] = [
            {} for _ in range(self.geometry.layers)]
        for name, (_, shape) in self.geometry.tensors().items():
            # Kernels read what is packed; elsewhere it is computed with as dense.
            array = weights.stored(name) if device == "cuda" else weights.bits(name)
            if list(array.shape) != shape:
                raise Error(f"{weights.path}: tensor '{name}': expected {shape}, found "
                            f"{list(array.shape)}")
            if name.startswith("blk."):
                _, layer, rest = name.split(".", 2)
                self._layers[int(layer)][rest] = array
            else:
                self._shared[name] = array
        self._entries = self._split_weights()
        # The functions of layers on a GPU, where those of each format have their own.
        self._grow: List[str] = []
        if device == "cuda" and not self.geometry.encoder:
            merge_layers(self._layers)
            self._grow = entries_of_layers(
                [formats_of(layer) for layer in self._layers])
        self._call = _DEVICES[device](os.path.join(self.folder, "program.mlir"),
                                      threads)
        if self._grow:
            self.gpu.check_cache(self.geometry.cache)

    def _split_weights(self) -> Dict[str, List[str]]:
        """Which weights each of the program's functions takes."""
        layer, tables = self.geometry.layer_tensors(), self.geometry.rotary_tables()
        of_project = [name for name in layer if name.startswith(
            ("attn_norm.", "attn_q", "attn_k", "attn_v"))]
        head = "token_embd.weight" if self.geometry.tied else "output.weight"
        return {"embed": ["token_embd.weight"] +
                ([] if tables else ["position_embd.weight"]) +
                [name for name in self._shared if name.startswith("token_embd_norm.")],
                "project": of_project + list(tables),
                "block": [name for name in layer if name not in of_project] +
                [name for name in self._shared if name == DISTANCES],
                "append": [], "next": [],
                "head": [] if self.geometry.encoder else [
                    name for name in self._shared
                    if name.startswith("output_norm.")] + [head]}

    def layer_weights(self, layer: int) -> Dict[str, np.ndarray]:
        """The weights of a layer by their names without prefix, bf16 as its bits.
        A weight that is replaced in the dictionary is used from then on."""
        return self._layers[layer]

    def run_entry(self, entry: str, layer: int = -1, call: Optional[Call] = None,
                  **state: Any) -> Any:
        """Calls a function of the program, or of another one with the same arguments,
        `call`, with the weights of `layer`."""
        weights = {name: held[name] for held, name in self.places_of(entry, layer)}
        return (call or self._call)(entry, {**state, **weights})

    def places_of(self, entry: str, layer: int = -1
                  ) -> List[Tuple[Dict[str, np.ndarray], str]]:
        """Where the weights of a function are: dictionaries, and the names in them."""
        own = self._layers[layer] if layer >= 0 else {}
        names = [*own, *self.geometry.rotary_tables()] if entry.startswith("layer") \
            else self._entries[entry]
        return [(own if name in own else self._shared, name) for name in names]

    @property
    def gpu(self) -> GpuProgram:
        """The program on the device `cuda`; an error on another one."""
        if not isinstance(self._call, GpuProgram):
            raise Error(f"{self.folder}: expected a model on the device cuda, found one on "
                        "another; load it with --device cuda")
        return self._call

    @property
    def tokenizer(self) -> Tokenizer:
        """Of the folder's tokenizer.json, by the package tokenizers."""
        return Tokenizer(self.folder, self.tokens["begin"])

    def cache(self, batch: int = 1) -> Cache:
        """An empty cache for `batch` texts."""
        return Cache(self.geometry, batch,
                     self._call if isinstance(self._call, GpuProgram) else None)

    def forward(self, tokens: Any, cache: Cache, last: bool = True) -> np.ndarray:
        """Appends `tokens` [B, T] to the texts of `cache`; their logits, float32
        [B, T, V], or those of the last token alone, [B, 1, V]."""
        check_decoder(self.folder, self.geometry)
        logits = self._forward(tokens, cache, last)
        return self.gpu.host(logits) if isinstance(self._call, GpuProgram) else \
            np.asarray(logits)

    def _forward(self, tokens: Any, cache: Cache, last: bool = True) -> Any:
        """What forward does; logits stay where they are computed."""
        ids = self._ids(tokens, cache.batch)
        after = cache.reserve(ids.shape[1])
        if isinstance(self._call, GpuProgram):
            gpu = self._call
            logits = self.logits(ids, gpu.given("lengths", "i32", after), cache, last)
            cache.lengths = after
            return logits
        if self._device == "cpu" and ids.shape == (1, 1):
            step = cache.step
            if step is None or not step.is_for(self, cache.size):
                step = cache.step = CpuStep(self, cast(CpuProgram, self._call), cache)
            logits = step.run(int(ids[0, 0]), int(after[0]))
            cache.lengths = after
            return logits.copy()
        places = {"lengths": after} if self.geometry.places else {}
        turns = {"lengths": after} if self.geometry.rotary else {}
        x = self.run_entry("embed", ids=ids, **places)
        for layer in range(self.geometry.layers):
            q, k, v = self.run_entry("project", layer, x=x, **turns)
            keys, values = cache.write(layer, k, v, self.run_entry)
            x = self.run_entry("block", layer, x=x, q=q, keys=keys, values=values,
                               lengths=after)
        cache.lengths = after
        if last:
            x = np.ascontiguousarray(x[:, -1:])
        return self.run_entry("head", x=x)

    def choose(self, logits: Any, cache: Cache, sampler: Sampler) -> np.ndarray:
        """The tokens, int32 [B], that `sampler` chooses from the logits [B, 1, V] behind
        the texts of `cache`."""
        ids = self.run_entry("next", logits=logits, lengths=cache.lengths,
                             **sampler.arguments(cache.texts))[0]
        if isinstance(self._call, GpuProgram):
            ids = self._call.host(ids)
        return checked(np.asarray(ids)[:, 0])

    def logits(self, ids: Any, lengths: Any, cache: Cache, last: bool = True) -> Any:
        """Puts a forward pass on a GPU's stream: the logits, on the device. `lengths`,
        of the texts with these tokens, is there already; `cache` has room for them and
        does not count them."""
        places = {"lengths": lengths} if self.geometry.places else {}
        x = self.run_entry("embed", ids=ids, **places)
        for layer in range(self.geometry.layers):
            keys, values = cache.of_layer(layer)
            x = self.run_entry(self._grow[layer], layer, x=x, keys=keys, values=values,
                               lengths=lengths)[0]
        return self.run_entry("head", x=self.gpu.last(x) if last else x)

    def step_weights(self) -> List[Any]:
        """The matrices that a step reads: those of layers, and the head."""
        head = "token_embd.weight" if self.geometry.tied else "output.weight"
        return [self._shared[head]] + [
            weight for weights in self._layers for weight in weights.values()
            if len(weight.shape) == 2]

    def _ids(self, tokens: Any, batch: int = 0) -> np.ndarray:
        ids = np.atleast_2d(check_tokens(self.geometry, tokens))
        if ids.ndim != 2 or (batch and ids.shape[0] != batch) or ids.size == 0:
            raise Error(f"expected tokens [{batch or 'B'}, T] with T of 1 or more, found "
                        f"{list(ids.shape)}")
        return ids

    def embed(self, tokens: Any, lengths: Optional[Sequence[int]] = None) -> np.ndarray:
        """Embeddings of texts by an encoder, float32 [B, hidden], of length 1.

        `tokens`: [B, T]; `lengths`: tokens of each text, behind which any may stand; None:
        all T.
        """
        if not self.geometry.encoder:
            raise Error(f"{self.folder}: is a decoder, which continues texts; expected an "
                        "encoder")
        ids = self._ids(tokens)
        texts, most = ids.shape
        if most > self.geometry.positions:
            raise Error(f"expected at most {self.geometry.positions} tokens, the model's "
                        f"positions, found {most}")
        counts = np.full(texts, most, np.int32) if lengths is None else \
            np.asarray(lengths, np.int32)
        if counts.shape != (texts,) or counts.min() < 1 or counts.max() > most:
            raise Error(f"expected the lengths of {texts} texts, 1 to {most}, found "
                        f"{counts.tolist()}")
        gpu = self._call if isinstance(self._call, GpuProgram) else None
        given = gpu.given("lengths", "i32", counts) if gpu else counts
        x = self.run_entry("embed", ids=ids)
        for layer in range(self.geometry.layers):
            q, k, v = self.run_entry("project", layer, x=x)
            x = self.run_entry("block", layer, x=x, q=q, keys=k, values=v, lengths=given)
        embeddings = self.run_entry("head", x=x, lengths=given)
        return gpu.host(embeddings) if gpu else np.asarray(embeddings)

    def generate(self, tokens: Sequence[int], count: int,
                 sampler: Optional[Sampler] = None, chunk: int = 512
                 ) -> Iterator[int]:
        """Up to `count` tokens behind `tokens`, one at a time; ends behind a token that
        ends a text. The prompt is read in pieces of `chunk` tokens. Raises Error, at the
        call, for no prompt and for more tokens than the model has positions."""
        self._check_counts(count, chunk)
        check_prompt(self.geometry, tokens, count)
        return self._generate(tokens, count, sampler or Sampler(), chunk)

    def generate_texts(self, prompts: Sequence[Sequence[int]], count: int,
                       sampler: Optional[Sampler] = None, chunk: int = 512
                       ) -> Iterator[List[Optional[int]]]:
        """As generate, of several texts of different lengths in the same steps: each time a
        token of each one, or None where a text has ended."""
        self._check_counts(count, chunk)
        if not len(prompts):
            raise Error("expected one prompt or more, found none")
        for tokens in prompts:
            check_prompt(self.geometry, tokens, count)
        return self._generate_texts(prompts, count, sampler or Sampler(), chunk)

    def _check_counts(self, count: int, chunk: int) -> None:
        if not is_whole(count) or count < 0:
            raise Error(f"expected 0 or more new tokens, found {count}")
        if not is_whole(chunk) or chunk < 1:
            raise Error(f"expected pieces of 1 or more tokens, found {chunk}")
        check_decoder(self.folder, self.geometry)

    def _generate(self, tokens: Sequence[int], count: int, sampler: Sampler, chunk: int
                  ) -> Iterator[int]:
        """What generate does, one token at a time."""
        if not count:
            return
        cache = self.cache()
        for begin in range(0, len(tokens), chunk):
            logits = self._forward([tokens[begin:begin + chunk]], cache)
        for chosen in self._chosen(logits, count, cache, sampler):
            token = int(chosen[0])
            yield token
            if token in self.tokens["end"]:
                return

    def _generate_texts(self, prompts: Sequence[Sequence[int]], count: int, sampler: Sampler,
                        chunk: int) -> Iterator[List[Optional[int]]]:
        """What generate_texts does, a step at a time."""
        if not count:
            return
        # All but the last tokens, of shorter texts with others behind them, over which what
        # follows is written; then the last ones, all in one step.
        before = np.array([len(tokens) - 1 for tokens in prompts], np.int32)
        padded = np.zeros((len(prompts), max(1, int(before.max()))), np.int32)
        for row, tokens in zip(padded, prompts):
            row[:len(tokens) - 1] = tokens[:-1]
        cache = self.cache(len(prompts))
        for begin in range(0, int(before.max()), chunk):
            cache.lengths = np.minimum(before, np.int32(begin))
            self._forward(padded[:, begin:begin + chunk], cache)
        cache.lengths = before
        logits = self._forward([tokens[-1:] for tokens in prompts], cache)
        for chosen in self._chosen(logits, count, cache, sampler):
            tokens: List[Optional[int]] = [None] * len(prompts)
            for text, token, done in zip(cache.texts, chosen, cache.ended):
                tokens[text] = None if done else int(token)
            yield tokens
            cache.ended |= np.isin(chosen, self.tokens["end"])
            if cache.ended.all():
                return

    def _chosen(self, logits: Any, count: int, cache: Cache, sampler: Sampler
                ) -> Iterator[np.ndarray]:
        """The tokens, int32 [B], that come from `logits` [B, 1, V], and those behind them,
        `count` in all. Texts that the caller says have ended leave the cache, and the tokens,
        when they are half of it. On a GPU by graphs: the next step runs while the host looks
        at the tokens of the one before it."""
        chosen = self.choose(logits, cache, sampler)
        yield chosen
        if not isinstance(self._call, GpuProgram):
            for _ in range(count - 1):
                chosen = chosen[cache.leave_ended()]
                chosen = self.choose(self._forward(chosen[:, None], cache), cache, sampler)
                yield chosen
            return
        made = 1
        while made < count:
            chosen = chosen[cache.leave_ended()]
            cache.reserve(1)
            step = DecodeStep(self, cache, chosen, sampler)
            # As many steps as the cache has room for.
            room = min(count - made, cache.size - int(cache.lengths.max()))
            step.launch()
            launched, read = 1, 0
            while read < launched:
                if launched < room and not cache.half_ended():
                    step.launch()
                    launched += 1
                chosen = step.tokens()
                yield chosen
                read += 1
            made += read
