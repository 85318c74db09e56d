# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the matrices of a model read, layer by layer, on a text."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from ...cpu import CpuProgram
from ...errors import Error
from ..model import Model, check_tokens
from ..program import build_program, without_layers

# Calls with names of matrices, without prefix, and the inputs [..., k] they all read.
Reader = Callable[[List[str], np.ndarray], None]
# Texts that are run at once.
_BATCH = 4


def windows_of(tokens: Sequence[int], window: int, count: int, what: str) -> np.ndarray:
    """The first `count` windows [count, window] of a text."""
    if window < 2 or count < 1:
        raise Error(f"{what}: expected windows of 2 or more tokens and at least one, "
                    f"found {count} of {window}")
    have = len(tokens) // window
    if not have:
        raise Error(f"{what}: expected a text of at least {window} tokens, one window, "
                    f"found {len(tokens)}; give a longer text or a smaller --window")
    count = min(count, have)
    return np.asarray(tokens[:count * window]).reshape(count, window)


class Stream:
    """The residual stream of texts, between two layers of a model.

    It is held for all texts, [texts, window, hidden]; a layer is run on a few at once.
    """

    def __init__(self, model: Model, windows: np.ndarray, threads: int = 0) -> None:
        if windows.shape[1] > model.geometry.positions:
            raise Error(f"expected windows of at most {model.geometry.positions} tokens, "
                        f"the model's positions, found {windows.shape[1]}")
        # The program reads a row of the embedding for each, wherever that is.
        windows = check_tokens(model.geometry, windows)
        self.model, self.windows, self.layer = model, windows, 0
        # Whole texts are read at once: their keys and values are in no cache.
        geometry = dataclasses.replace(model.geometry, cache="dense")
        self._probe = CpuProgram(without_layers(build_program(geometry, probe=True)),
                                 "probe.mlir", threads=threads)
        self._call = CpuProgram(without_layers(build_program(geometry)), threads=threads) \
            if model.geometry.cached else None
        places = (lambda part: {"lengths": self._lengths(part)}) \
            if model.geometry.places else (lambda part: {})
        self.x = np.concatenate([
            model.run_entry("embed", ids=part, **places(part))
            for part in self._parts(windows)])

    def at(self, layer: int, x: np.ndarray) -> "Stream":
        """The same texts at another layer."""
        other = object.__new__(Stream)
        other.__dict__.update(self.__dict__)
        other.layer, other.x = layer, x
        return other

    def _parts(self, array: np.ndarray) -> List[np.ndarray]:
        return [np.ascontiguousarray(array[i:i + _BATCH])
                for i in range(0, len(array), _BATCH)]

    def parts(self) -> List[np.ndarray]:
        """The stream, a few texts at a time."""
        return self._parts(self.x)

    def probe(self, x: np.ndarray, attention_only: bool = False) -> Tuple[Any, ...]:
        """A part through the next layer, with the weights it has: what attn_q, attn_output,
        ffn_up and ffn_down read, and the stream behind it; or the first of these alone."""
        if attention_only:
            turns = {"lengths": self._lengths(x)} if self.model.geometry.rotary else {}
            return self.model.run_entry("project", self.layer, self._probe, x=x,
                                        **turns)[3:]
        (h,), (out, flat, up, down) = self._run(x, self._probe)
        return h, flat, up, down, out

    def advance(self, x: np.ndarray) -> None:
        """To the next layer, before which the stream is `x`."""
        self.x, self.layer = x, self.layer + 1

    @staticmethod
    def _lengths(part: np.ndarray) -> np.ndarray:
        return np.full(part.shape[0], part.shape[1], np.int32)

    def _run(self, x: np.ndarray, call: Any) -> Any:
        """The results of project and of block."""
        lengths = self._lengths(x)
        turns = {"lengths": lengths} if self.model.geometry.rotary else {}
        q, k, v, *read = self.model.run_entry("project", self.layer, call, x=x, **turns)
        rest = self.model.run_entry("block", self.layer, call, x=x, q=q, keys=k, values=v,
                                    lengths=lengths)
        return read, rest

    def read(self, reader: Reader) -> None:
        """Tells what the matrices of the next layer read, with the weights it has."""
        gated = self.model.geometry.gated
        for x in self._parts(self.x):
            h, flat, up, down, _ = self.probe(x)
            reader(["attn_q.weight", "attn_k.weight", "attn_v.weight"], h)
            reader(["attn_output.weight"], flat)
            reader([*(["ffn_gate.weight"] if gated else []), "ffn_up.weight"], up)
            reader(["ffn_down.weight"], down)

    def step(self) -> None:
        """Runs the next layer."""
        self.advance(np.concatenate([self._run(x, self._call)[1] for x in self.parts()]))

    def outputs(self) -> List[np.ndarray]:
        """Runs all layers that are left; log probabilities [texts, window, V] of each
        part, float32, or an encoder's embeddings [texts, hidden]. This stream stays where
        it is."""
        rest = self.at(self.layer, self.x)
        while rest.layer < self.model.geometry.layers:
            rest.step()
        result = []
        for x in self._parts(rest.x):
            if self.model.geometry.encoder:
                result.append(np.asarray(self.model.run_entry(
                    "head", x=x, lengths=self._lengths(x))))
                continue
            logits = np.asarray(self.model.run_entry("head", x=x))
            logits -= logits.max(-1, keepdims=True)
            logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
            result.append(logits)
        return result


def divergence(dense: Sequence[np.ndarray], now: Sequence[np.ndarray]) -> float:
    """The mean of KL(dense || now) over all tokens, in nats: by how much the logarithm
    of the perplexity grows, on text that is as the dense model says."""
    total = count = 0
    for p, q in zip(dense, now):
        total += float((np.exp(p) * (p - q)).sum(dtype=np.float64))
        count += p.shape[0] * p.shape[1]
    return max(0.0, total / count)


def distance(dense: Sequence[np.ndarray], now: Sequence[np.ndarray]) -> float:
    """The mean over texts of 1 - cosine of two embeddings of length 1."""
    return float(np.mean(1 - cosines(dense, now)))


def cosines(dense: Sequence[np.ndarray], now: Sequence[np.ndarray]) -> np.ndarray:
    """Of the embeddings of each text, float64."""
    x, y = (np.concatenate(parts).astype(np.float64) for parts in (dense, now))
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    return (x * y).sum(1) / lengths


def replace(model: Model, layer: int, weights: Mapping[str, np.ndarray]
            ) -> Dict[str, np.ndarray]:
    """Gives a layer other weights; those that it had."""
    held = model.layer_weights(layer)
    before = {name: held[name] for name in weights}
    held.update(weights)
    return before
